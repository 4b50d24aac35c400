//! A tensor as its file stores it: floats of any width, or a matrix in fewer bits with its scales.

use std::sync::Arc;

use burn::tensor::{bf16, f16};
use safetensors::tensor::Dtype;

use crate::quantise::{self, BLOCK};

/// A tensor whose values, or whose scales, are known to be finite.
pub(crate) enum Stored {
    Floats(Vec<f32>),
    /// A matrix of signed bytes, each row with a scale: I8 of `[rows, columns]` and, under the name with ".scale", floats of
    /// `[rows]`.
    Int8 {
        rows: Arc<Vec<u8>>,
        scales: Vec<f32>,
    },
    /// A matrix of 4 bits in blocks, as [`quantise`] has it: U8 of `[rows, columns / 2]` and, under the name with ".scale",
    /// floats of `[rows, columns / 32]`.
    Int4 {
        rows: Arc<Vec<u8>>,
        scales: Vec<f32>,
    },
}

impl Stored {
    /// The tensor that these bytes are, and the shape of its values. `scales` gives those of this shape, where it needs some.
    ///
    /// # Errors
    /// What is wrong: a type that is not read here, scales that are missing, values that are no numbers.
    pub fn new(
        dtype: Dtype,
        shape: &[usize],
        bytes: Arc<Vec<u8>>,
        scales: impl FnOnce(&[usize]) -> Result<Vec<f32>, String>,
    ) -> Result<(Vec<usize>, Self), String> {
        let (shape, stored) = match (dtype, shape) {
            (Dtype::I8, &[rows, columns]) => {
                (vec![rows, columns], Self::Int8 { rows: bytes, scales: scales(&[rows])? })
            }
            (Dtype::U8, &[rows, pairs]) if (2 * pairs).is_multiple_of(BLOCK) => {
                (vec![rows, 2 * pairs], Self::Int4 { rows: bytes, scales: scales(&[rows, 2 * pairs / BLOCK])? })
            }
            (dtype, shape) => {
                let values = floats(dtype, &bytes).ok_or_else(|| format!("{dtype:?} of {shape:?} is not read here"))?;
                (shape.to_vec(), Self::Floats(values))
            }
        };
        if stored.floats().iter().any(|value| !value.is_finite()) {
            return Err("it holds a value that is not a number".to_owned());
        }
        Ok((shape, stored))
    }

    fn floats(&self) -> &[f32] {
        match self {
            Self::Floats(values) | Self::Int8 { scales: values, .. } | Self::Int4 { scales: values, .. } => values,
        }
    }

    /// The values in f32.
    pub fn widen(self) -> Vec<f32> {
        match self {
            Self::Floats(values) => values,
            Self::Int8 { rows, scales } => {
                let columns = rows.len() / scales.len().max(1);
                let mut values = Vec::with_capacity(rows.len());
                for (row, scale) in rows.chunks(columns.max(1)).zip(scales) {
                    values.extend(row.iter().map(|&q| f32::from(q.cast_signed()) * scale));
                }
                values
            }
            Self::Int4 { rows, scales } => quantise::from_int4(&rows, &scales),
        }
    }

    /// Whether [`Stored::join_int8`] takes it: int8, or 4 bits that may be rounded to it.
    pub fn is_int8(&self, may_round: bool) -> bool {
        match self {
            Self::Floats(_) => false,
            Self::Int8 { .. } => true,
            Self::Int4 { .. } => may_round,
        }
    }

    /// The bytes and scales of matrices one below the other. Those of 4 bits are rounded: to steps of 1/127 of a row's largest,
    /// where a block's own are at least 1/9 of its largest.
    pub fn join_int8(matrices: Vec<Self>, columns: usize) -> (Vec<i8>, Vec<f32>) {
        let (mut bytes, mut all_scales) = (Vec::new(), Vec::new());
        for matrix in matrices {
            match matrix {
                Self::Int8 { rows, scales } => {
                    bytes.extend(rows.iter().map(|q| q.cast_signed()));
                    all_scales.extend_from_slice(&scales);
                }
                other => quantise::to_int8(&other.widen(), columns, &mut bytes, &mut all_scales),
            }
        }
        (bytes, all_scales)
    }
}

/// The name of a quantised matrix's scales.
pub(crate) fn scale_of(name: &str) -> String {
    format!("{name}.scale")
}

/// Whether a name is that of scales.
pub(crate) fn is_scale(name: &str) -> bool {
    name.ends_with(".scale")
}

/// Floating point of any stored width as f32; none for other types.
pub(crate) fn floats(dtype: Dtype, bytes: &[u8]) -> Option<Vec<f32>> {
    match dtype {
        Dtype::F32 => Some(bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
        Dtype::F16 => Some(bytes.as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect()),
        Dtype::BF16 => Some(bytes.as_chunks().0.iter().map(|&bytes| bf16::from_le_bytes(bytes).to_f32()).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::int4;

    #[test]
    fn four_bits_rounded_to_int8_are_off_by_half_of_its_step() {
        let values: Vec<f32> =
            (0..4 * 64_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 20) as f32 / 2048.0 - 1.0).collect();
        let (rows, scales) = int4::to_int4(&values);
        let rows = Arc::new(rows);
        let int4 = || Stored::Int4 { rows: rows.clone(), scales: scales.iter().map(|scale| scale.to_f32()).collect() };
        let exact = int4().widen();
        let (bytes, steps) = Stored::join_int8(vec![int4()], 64);
        for (i, value) in exact.iter().enumerate() {
            let step = steps[i / 64];
            assert!((f32::from(bytes[i]) * step - value).abs() <= 0.5001 * step, "{i}");
        }
        assert!(int4().is_int8(true) && !int4().is_int8(false));
        assert!(!Stored::Floats(values).is_int8(true));
    }
}
