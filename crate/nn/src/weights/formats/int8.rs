//! int8: a matrix of signed bytes with a scale for each row. I8 of `[rows, columns]`, scales of `[rows]`.

use burn::tensor::Tensor;
use safetensors::tensor::Dtype;

use crate::weights::formats::{AsInt8, Format};
#[cfg(not(target_family = "wasm"))]
use crate::weights::formats::{Narrowed, float::in_f32};

/// The largest magnitude of a weight.
const LARGEST: f32 = 127.0;

/// The format.
pub(crate) struct Int8;

/// Its row in the table.
pub(crate) static INT8: Int8 = Int8;

impl Format for Int8 {
    fn name(&self) -> &'static str {
        "int8"
    }

    fn dtype(&self) -> Dtype {
        Dtype::I8
    }

    fn bits(&self) -> usize {
        8
    }

    fn shape(&self, stored: &[usize]) -> Option<Vec<usize>> {
        (stored.len() == 2).then(|| stored.to_vec())
    }

    fn scales(&self, stored: &[usize]) -> Option<Vec<usize>> {
        Some(vec![stored[0]])
    }

    fn widen(&self, bytes: &[u8], scales: &[f32]) -> Vec<f32> {
        let mut widened = Vec::with_capacity(bytes.len());
        let columns = bytes.len() / scales.len().max(1);
        for (row, scale) in bytes.chunks(columns.max(1)).zip(scales) {
            widened.extend(row.iter().map(|&q| f32::from(q.cast_signed()) * scale));
        }
        widened
    }

    fn as_int8(&self) -> AsInt8 {
        AsInt8::Exact
    }

    #[cfg(not(target_family = "wasm"))]
    fn narrow(&self, values: &[f32], shape: &[usize]) -> Narrowed {
        let (mut rows, mut scales) = (Vec::new(), Vec::new());
        to_int8(values, shape[1], &mut rows, &mut scales);
        let bytes = rows.into_iter().map(i8::cast_unsigned).collect();
        Narrowed { shape: shape.to_vec(), bytes, scales: Some((Dtype::F32, in_f32(&scales))) }
    }
}

/// Rounds rows to int8, the largest magnitude of each to 127, and appends them to `bytes` and `scales`.
pub(crate) fn to_int8(values: &[f32], columns: usize, bytes: &mut Vec<i8>, scales: &mut Vec<f32>) {
    for row in values.chunks(columns.max(1)) {
        let scale = row.iter().fold(0.0, |largest: f32, x| largest.max(x.abs())) / LARGEST;
        let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
        bytes.extend(row.iter().map(|x| (x * inverse).round_ties_even().clamp(-LARGEST, LARGEST) as i8));
        scales.push(scale);
    }
}

/// A matrix, `[rows, columns]`, with its values rounded as by [`to_int8`], computed on its device.
pub(crate) fn round_to_int8(values: Tensor<2>) -> Tensor<2> {
    let scales = (values.clone().abs().max_dim(1) / LARGEST).clamp_min(f32::MIN_POSITIVE);
    (values / scales.clone()).round() * scales
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(count: usize) -> Vec<f32> {
        (0..count as u32).map(|i| ((i.wrapping_mul(2_654_435_761) >> 9) % 2001) as f32 / 1000.0 - 1.0).collect()
    }

    #[test]
    fn int8_rows_are_off_by_half_a_step() {
        let values = noise(70);
        let (mut bytes, mut scales) = (Vec::new(), Vec::new());
        to_int8(&values, 35, &mut bytes, &mut scales);
        to_int8(&[0.0; 35], 35, &mut bytes, &mut scales);
        assert_eq!((bytes.len(), scales.len(), scales[2]), (105, 3, 0.0));
        for (i, value) in values.iter().enumerate() {
            let scale = scales[i / 35];
            assert!((f32::from(bytes[i]) * scale - value).abs() <= 0.5001 * scale);
        }
    }
}
