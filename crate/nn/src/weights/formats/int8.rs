//! Matrices in fewer bits than f32: int8 with a scale for each row, and 4 bits in blocks of 32 with a scale for each block.
//!
//! A 4-bit weight is (q - 8) * scale for q in 0..=15, two in a byte, the first in the low half. A block lies along a row, which
//! in checkpoints holds the inputs of one output; its scale is an f16.

use burn::tensor::Tensor;

/// The weights that share a scale at 4 bits.
pub(crate) const BLOCK: usize = 32;

/// The largest magnitude of an int8 weight.
const LARGEST: f32 = 127.0;

/// What a 4-bit weight of zero is stored as: weights lie in -8..=7.
pub(crate) const ZERO: f32 = 8.0;

/// Rows as int8, each with its largest magnitude at 127, appended to `bytes` and `scales`.
pub(crate) fn to_int8(values: &[f32], columns: usize, bytes: &mut Vec<i8>, scales: &mut Vec<f32>) {
    for row in values.chunks(columns.max(1)) {
        let scale = row.iter().fold(0.0, |largest: f32, x| largest.max(x.abs())) / LARGEST;
        let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
        bytes.extend(row.iter().map(|x| (x * inverse).round_ties_even().clamp(-LARGEST, LARGEST) as i8));
        scales.push(scale);
    }
}

/// What [`to_int8`] leaves of a matrix, on its device.
pub(crate) fn round_to_int8(values: Tensor<2>) -> Tensor<2> {
    let scales = (values.clone().abs().max_dim(1) / LARGEST).clamp_min(f32::MIN_POSITIVE);
    (values / scales.clone()).round() * scales
}

/// The weights of 4 bits in blocks, of a scale each.
pub(crate) fn from_int4(bytes: &[u8], scales: &[f32]) -> Vec<f32> {
    let mut values = Vec::with_capacity(2 * bytes.len());
    for (block, scale) in bytes.chunks(BLOCK / 2).zip(scales) {
        let value = |code: u8| (f32::from(code) - ZERO) * scale;
        values.extend(block.iter().flat_map(|&byte| [value(byte & 15), value(byte >> 4)]));
    }
    values
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
