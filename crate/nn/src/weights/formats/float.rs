//! Floating point numbers of 32 or 16 bits.

use std::ops::Range;
use std::sync::Arc;

use burn::tensor::{bf16, f16};
use safetensors::tensor::Dtype;

#[cfg(not(target_family = "wasm"))]
use crate::weights::formats::Narrowed;
use crate::weights::formats::{AsInt8, Format};

/// A tensor of floats, of any shape.
#[derive(Debug)]
pub(crate) struct Float {
    name: &'static str,
    dtype: Dtype,
}

/// IEEE 754's binary32.
pub(crate) static F32: Float = Float { name: "f32", dtype: Dtype::F32 };
/// IEEE 754's binary16.
pub(crate) static F16: Float = Float { name: "f16", dtype: Dtype::F16 };
/// The upper half of an f32.
pub(crate) static BF16: Float = Float { name: "bf16", dtype: Dtype::BF16 };

impl Format for Float {
    fn name(&self) -> &'static str {
        self.name
    }

    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn bits(&self) -> usize {
        self.dtype.bitsize()
    }

    fn shape(&self, stored: &[usize]) -> Option<Vec<usize>> {
        Some(stored.to_vec())
    }

    fn scales(&self, _: &[usize]) -> Option<Vec<usize>> {
        None
    }

    fn widen(&self, bytes: &[u8], _: &[f32]) -> Vec<f32> {
        match self.dtype {
            Dtype::F16 => bytes.as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect(),
            Dtype::BF16 => bytes.as_chunks().0.iter().map(|&bytes| bf16::from_le_bytes(bytes).to_f32()).collect(),
            _ => bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect(),
        }
    }

    fn as_int8(&self) -> AsInt8 {
        AsInt8::No
    }

    #[cfg(not(target_family = "wasm"))]
    fn narrow(&self, values: &[f32], shape: &[usize]) -> Narrowed {
        let bytes = match self.dtype {
            Dtype::F16 => values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect(),
            Dtype::BF16 => values.iter().flat_map(|&value| bf16::from_f32(value).to_le_bytes()).collect(),
            _ => in_f32(values),
        };
        Narrowed { shape: shape.to_vec(), bytes, scales: None }
    }
}

/// Floats as a file stores them, such as the scales of a quantised matrix.
#[derive(Clone)]
pub(crate) struct Floats {
    format: &'static Float,
    bytes: Arc<Vec<u8>>,
}

impl Floats {
    /// `None` for another type.
    pub fn new(dtype: Dtype, bytes: Arc<Vec<u8>>) -> Option<Self> {
        let format = [&F32, &F16, &BF16].into_iter().find(|format| format.dtype == dtype)?;
        Some(Self { format, bytes })
    }

    /// These values in f32.
    pub fn of(values: &[f32]) -> Self {
        Self { format: &F32, bytes: Arc::new(in_f32(values)) }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.bytes.len() * 8 / self.format.bits()
    }

    /// Some of the values, in f32.
    pub fn range(&self, range: Range<usize>) -> Vec<f32> {
        let size = self.format.bits() / 8;
        self.format.widen(&self.bytes[range.start * size..range.end * size], &[])
    }
}

/// Values as a file of f32 stores them.
pub(crate) fn in_f32(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
