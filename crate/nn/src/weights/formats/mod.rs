//! A tensor as its file stores it: floats of any width, or a matrix in fewer bits with its scales.

#[cfg(not(target_family = "wasm"))]
pub(crate) mod int4;
pub(crate) mod int8;

use std::ops::Range;
use std::sync::Arc;

use burn::tensor::{bf16, f16};
use safetensors::tensor::Dtype;

use crate::weights::formats::int8::{self as quantise, BLOCK};

/// The values that are widened at once where that is done only to look at them.
const PIECE: usize = 4096;

/// The rows of 4 bits that are widened at once on their way to int8.
const ROWS: usize = 32;

/// Floating point numbers of any stored width.
#[derive(Clone)]
pub(crate) struct Floats {
    dtype: Dtype,
    bytes: Arc<Vec<u8>>,
}

impl Floats {
    /// None for other types.
    pub fn new(dtype: Dtype, bytes: Arc<Vec<u8>>) -> Option<Self> {
        matches!(dtype, Dtype::F32 | Dtype::F16 | Dtype::BF16).then_some(Self { dtype, bytes })
    }

    /// These, in f32.
    pub fn of(values: &[f32]) -> Self {
        Self { dtype: Dtype::F32, bytes: Arc::new(in_f32(values)) }
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / self.size()
    }

    /// Those of a range, in f32.
    pub fn range(&self, range: Range<usize>) -> Vec<f32> {
        let bytes = &self.bytes[range.start * self.size()..range.end * self.size()];
        match self.dtype {
            Dtype::F16 => bytes.as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect(),
            Dtype::BF16 => bytes.as_chunks().0.iter().map(|&bytes| bf16::from_le_bytes(bytes).to_f32()).collect(),
            _ => bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect(),
        }
    }

    /// All of them, in f32.
    pub fn widen(&self) -> Vec<f32> {
        self.range(0..self.len())
    }

    fn are_finite(&self) -> bool {
        let piece = |start: usize| self.range(start..self.len().min(start + PIECE));
        (0..self.len()).step_by(PIECE).all(|start| piece(start).iter().all(|value| value.is_finite()))
    }

    /// The bytes of one.
    fn size(&self) -> usize {
        self.dtype.bitsize() / 8
    }
}

/// A tensor whose values, or whose scales, are known to be finite.
pub(crate) enum Stored {
    Floats(Floats),
    /// A matrix of signed bytes, each row with a scale: I8 of `[rows, columns]` and, under the name with ".scale", floats of
    /// `[rows]`.
    Int8 {
        bytes: Arc<Vec<u8>>,
        scales: Floats,
    },
    /// A matrix of 4 bits in blocks, as [`quantise`] has it: U8 of `[rows, columns / 2]` and, under the name with ".scale",
    /// floats of `[rows, columns / 32]`.
    Int4 {
        bytes: Arc<Vec<u8>>,
        scales: Floats,
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
        scales: impl FnOnce(&[usize]) -> Result<Floats, String>,
    ) -> Result<(Vec<usize>, Self), String> {
        let (shape, stored) = match (dtype, shape) {
            (Dtype::I8, &[rows, columns]) => (vec![rows, columns], Self::Int8 { bytes, scales: scales(&[rows])? }),
            (Dtype::U8, &[rows, pairs]) if (2 * pairs).is_multiple_of(BLOCK) => {
                (vec![rows, 2 * pairs], Self::Int4 { bytes, scales: scales(&[rows, 2 * pairs / BLOCK])? })
            }
            (dtype, shape) => {
                let values =
                    Floats::new(dtype, bytes).ok_or_else(|| format!("{dtype:?} of {shape:?} is not read here"))?;
                (shape.to_vec(), Self::Floats(values))
            }
        };
        if !stored.floats().are_finite() {
            return Err("it holds a value that is not a number".to_owned());
        }
        Ok((shape, stored))
    }

    fn floats(&self) -> &Floats {
        match self {
            Self::Floats(values) | Self::Int8 { scales: values, .. } | Self::Int4 { scales: values, .. } => values,
        }
    }

    /// How many values there are.
    fn count(&self) -> usize {
        match self {
            Self::Floats(values) => values.len(),
            Self::Int8 { bytes, .. } => bytes.len(),
            Self::Int4 { bytes, .. } => 2 * bytes.len(),
        }
    }

    /// The values of these rows of a matrix of so many columns, in f32.
    pub fn rows(&self, rows: Range<usize>, columns: usize) -> Vec<f32> {
        let values = rows.start * columns..rows.end * columns;
        match self {
            Self::Floats(floats) => floats.range(values),
            Self::Int8 { bytes, scales } => {
                let mut widened = Vec::with_capacity(values.len());
                for (row, scale) in bytes[values].chunks(columns.max(1)).zip(scales.range(rows)) {
                    widened.extend(row.iter().map(|&q| f32::from(q.cast_signed()) * scale));
                }
                widened
            }
            Self::Int4 { bytes, scales } => {
                let scales = scales.range(values.start / BLOCK..values.end / BLOCK);
                quantise::from_int4(&bytes[values.start / 2..values.end / 2], &scales)
            }
        }
    }

    /// All values in f32.
    pub fn widen(self) -> Vec<f32> {
        match &self {
            Self::Floats(values) => values.widen(),
            Self::Int8 { bytes, scales } => self.rows(0..scales.len(), bytes.len() / scales.len().max(1)),
            Self::Int4 { .. } => self.rows(0..1, self.count()),
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
        let count = matrices.iter().map(Self::count).sum();
        let (mut all, mut all_scales) = (Vec::with_capacity(count), Vec::with_capacity(count / columns.max(1)));
        for matrix in matrices {
            match matrix {
                Self::Int8 { bytes, scales } => {
                    all.extend(bytes.iter().map(|q| q.cast_signed()));
                    all_scales.extend(scales.widen());
                }
                other => {
                    let rows = other.count() / columns.max(1);
                    for first in (0..rows).step_by(ROWS) {
                        let some = other.rows(first..rows.min(first + ROWS), columns);
                        quantise::to_int8(&some, columns, &mut all, &mut all_scales);
                    }
                }
            }
        }
        (all, all_scales)
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

/// As a file has it.
pub(crate) fn in_f32(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::formats::int4;

    const COLUMNS: usize = 64;

    fn noise(rows: usize) -> Vec<f32> {
        (0..(rows * COLUMNS) as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 20) as f32 / 2048.0 - 1.0).collect()
    }

    /// The values in every form, by its name.
    fn forms(values: &[f32]) -> [(&'static str, Stored); 4] {
        let halves: Vec<u8> = values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect();
        let (mut bytes, mut steps) = (Vec::new(), Vec::new());
        quantise::to_int8(values, COLUMNS, &mut bytes, &mut steps);
        let bytes = Arc::new(bytes.into_iter().map(i8::cast_unsigned).collect());
        let (pairs, scales) = int4::to_int4(values);
        let scales: Vec<u8> = scales.into_iter().flat_map(f16::to_le_bytes).collect();
        let scales = Floats::new(Dtype::F16, Arc::new(scales)).unwrap();
        [
            ("f32", Stored::Floats(Floats::of(values))),
            ("f16", Stored::Floats(Floats::new(Dtype::F16, Arc::new(halves)).unwrap())),
            ("int8", Stored::Int8 { bytes, scales: Floats::of(&steps) }),
            ("4-bit", Stored::Int4 { bytes: Arc::new(pairs), scales }),
        ]
    }

    #[test]
    fn four_bits_rounded_to_int8_are_off_by_half_of_its_step() {
        let values = noise(ROWS + 4);
        let int4 = || forms(&values).into_iter().last().unwrap().1;
        let exact = int4().widen();
        let (bytes, steps) = Stored::join_int8(vec![int4()], COLUMNS);
        assert_eq!((bytes.len(), steps.len()), (values.len(), ROWS + 4));
        for (i, value) in exact.iter().enumerate() {
            let step = steps[i / COLUMNS];
            assert!((f32::from(bytes[i]) * step - value).abs() <= 0.5001 * step, "{i}");
        }
        assert!(int4().is_int8(true) && !int4().is_int8(false));
        assert!(!Stored::Floats(Floats::of(&values)).is_int8(true));
    }

    #[test]
    fn rows_are_those_of_the_whole() {
        let values = noise(9);
        for ((name, part), (_, whole)) in forms(&values).into_iter().zip(forms(&values)) {
            let whole = whole.widen();
            assert_eq!(whole.len(), values.len(), "{name}");
            for rows in [0..9, 3..4, 7..9, 2..2] {
                let expected = &whole[rows.start * COLUMNS..rows.end * COLUMNS];
                assert_eq!(part.rows(rows.clone(), COLUMNS), expected, "{name} {rows:?}");
            }
        }
    }

    #[test]
    fn a_value_that_is_no_number_is_found_wherever_it_is() {
        for at in [0, PIECE - 1, PIECE, 2 * PIECE + 7] {
            let mut values = vec![1.0; 2 * PIECE + 8];
            assert!(Floats::of(&values).are_finite());
            values[at] = f32::INFINITY;
            assert!(!Floats::of(&values).are_finite(), "{at}");
        }
    }
}
