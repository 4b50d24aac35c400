//! The formats in which files store tensors. Each is a file here and a row in [`FORMATS`].

mod float;
pub(crate) mod int4;
pub(crate) mod int8;

use std::ops::Range;
use std::sync::Arc;

use safetensors::tensor::Dtype;

pub(crate) use float::{BF16, F16, F32, Floats};
pub(crate) use int4::INT4;
pub(crate) use int8::INT8;

/// Every format that this crate reads.
static FORMATS: [&dyn Format; 5] = [&F32, &F16, &BF16, &INT8, &INT4];

/// Values that are widened at once if they are only checked.
const PIECE: usize = 4096;

/// Rows that are widened at once on their way to int8.
const ROWS: usize = 32;

/// A way to store the values of a tensor. A quantised matrix has scales, which are a tensor of their own: its name is
/// [`scale_of`] the matrix's, its values are floats.
pub(crate) trait Format: Sync {
    /// The name that `pack inspect` prints.
    fn name(&self) -> &'static str;

    /// The type of the tensor in a safetensors file.
    fn dtype(&self) -> Dtype;

    /// The bits of a value, without its share of the scales.
    fn bits(&self) -> usize;

    /// The shape of the values of a tensor that a file has in the shape `stored`; `None` if the format allows no such
    /// tensor.
    fn shape(&self, stored: &[usize]) -> Option<Vec<usize>>;

    /// The shape of the scales of such a tensor; `None` for a format without scales.
    fn scales(&self, stored: &[usize]) -> Option<Vec<usize>>;

    /// The values in f32. Each scale belongs to as many values as every other.
    fn widen(&self, bytes: &[u8], scales: &[f32]) -> Vec<f32>;

    /// How the CPU's int8 products can take such a matrix.
    fn as_int8(&self) -> AsInt8;

    /// The values of `[rows, columns]`, or of a tensor of any shape for floats, in this format.
    #[cfg(not(target_family = "wasm"))]
    fn narrow(&self, values: &[f32], shape: &[usize]) -> Narrowed;
}

/// Whether a matrix can be multiplied as int8 with a scale for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AsInt8 {
    /// It is stored so.
    Exact,
    /// It can be rounded to it.
    Rounded,
    No,
}

/// A tensor as a file will have it.
#[cfg(not(target_family = "wasm"))]
pub(crate) struct Narrowed {
    /// The shape in the file.
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
    /// The type and the bytes of its scales, if it has some.
    pub scales: Option<(Dtype, Vec<u8>)>,
}

/// The format of a tensor of this type; `None` for a type that is not read here.
pub(crate) fn format_of(dtype: Dtype) -> Option<&'static dyn Format> {
    FORMATS.into_iter().find(|format| format.dtype() == dtype)
}

/// A tensor as its file stores it. Its floats, which are its values or its scales, are finite.
pub(crate) struct Stored {
    format: &'static dyn Format,
    bytes: Arc<Vec<u8>>,
    scales: Option<Floats>,
}

impl Stored {
    /// A tensor with the shape of its values. `scales` returns the scales of the shape that it is given; it is called
    /// only if the format has scales.
    ///
    /// # Errors
    /// What is wrong: a type or a shape that is not read here, missing scales, a value that is not a number.
    pub fn new(
        dtype: Dtype,
        stored: &[usize],
        bytes: Arc<Vec<u8>>,
        scales: impl FnOnce(&[usize]) -> Result<Floats, String>,
    ) -> Result<(Vec<usize>, Self), String> {
        let format = format_of(dtype).and_then(|format| Some((format, format.shape(stored)?)));
        let (format, shape) = format.ok_or_else(|| format!("{dtype:?} of {stored:?} is not read here"))?;
        let scales = format.scales(stored).map(|shape| scales(&shape)).transpose()?;
        let stored = Self { format, bytes, scales };
        let finite = match &stored.scales {
            Some(scales) => are_finite(scales.len(), |range| scales.range(range)),
            None => are_finite(stored.count(), |range| stored.range(range)),
        };
        if finite { Ok((shape, stored)) } else { Err("it holds a value that is not a number".to_owned()) }
    }

    /// A tensor of these values in f32.
    pub fn of(values: &[f32]) -> Self {
        Self { format: &F32, bytes: Arc::new(float::in_f32(values)), scales: None }
    }

    /// A matrix in int8, `bytes` of `[rows, columns]` and `scales` of `[rows]`.
    pub fn int8(bytes: Vec<i8>, scales: &[f32]) -> Self {
        let bytes = Arc::new(bytes.into_iter().map(i8::cast_unsigned).collect());
        Self { format: &INT8, bytes, scales: Some(Floats::of(scales)) }
    }

    /// How the CPU's int8 products can take the matrix.
    pub fn as_int8(&self) -> AsInt8 {
        self.format.as_int8()
    }

    /// The number of values.
    fn count(&self) -> usize {
        self.bytes.len() * 8 / self.format.bits()
    }

    /// The values of some rows of a matrix with so many columns, in f32.
    pub fn rows(&self, rows: Range<usize>, columns: usize) -> Vec<f32> {
        self.range(rows.start * columns..rows.end * columns)
    }

    /// All values in f32.
    pub fn widen(self) -> Vec<f32> {
        self.range(0..self.count())
    }

    /// Some values in f32. In a format with scales, the range must not split the values that share a scale.
    fn range(&self, values: Range<usize>) -> Vec<f32> {
        if values.is_empty() {
            return Vec::new();
        }
        let scales = self.scales.as_ref().map_or_else(Vec::new, |scales| {
            let shared = self.count() / scales.len();
            scales.range(values.start / shared..values.end / shared)
        });
        let bits = self.format.bits();
        self.format.widen(&self.bytes[values.start * bits / 8..values.end * bits / 8], &scales)
    }

    /// The bytes and scales of int8 matrices one below the other. 4 bits are rounded to steps of 1/127 of the largest
    /// value in a row; their own steps are at least 1/9 of the largest in a block.
    pub fn join_int8(matrices: Vec<Self>, columns: usize) -> (Vec<i8>, Vec<f32>) {
        let count = matrices.iter().map(Self::count).sum();
        let (mut all, mut all_scales) = (Vec::with_capacity(count), Vec::with_capacity(count / columns.max(1)));
        for matrix in matrices {
            match &matrix.scales {
                Some(scales) if matrix.as_int8() == AsInt8::Exact => {
                    all.extend(matrix.bytes.iter().map(|q| q.cast_signed()));
                    all_scales.extend(scales.range(0..scales.len()));
                }
                _ => {
                    let rows = matrix.count() / columns.max(1);
                    for first in (0..rows).step_by(ROWS) {
                        let some = matrix.rows(first..rows.min(first + ROWS), columns);
                        int8::to_int8(&some, columns, &mut all, &mut all_scales);
                    }
                }
            }
        }
        (all, all_scales)
    }
}

/// Whether all of `count` values are finite. `range` returns some of them.
fn are_finite(count: usize, range: impl Fn(Range<usize>) -> Vec<f32>) -> bool {
    let piece = |start: usize| range(start..count.min(start + PIECE));
    (0..count).step_by(PIECE).all(|start| piece(start).iter().all(|value| value.is_finite()))
}

/// The name of the scales of a matrix.
pub(crate) fn scale_of(name: &str) -> String {
    format!("{name}.scale")
}

/// Whether scales have this name.
pub(crate) fn is_scale(name: &str) -> bool {
    name.ends_with(".scale")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: usize = 64;

    fn noise(rows: usize) -> Vec<f32> {
        (0..(rows * COLUMNS) as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 20) as f32 / 2048.0 - 1.0).collect()
    }

    /// The values, as `format` stores and reads them.
    fn stored(format: &dyn Format, values: &[f32]) -> Stored {
        let Narrowed { shape, bytes, scales } = format.narrow(values, &[values.len() / COLUMNS, COLUMNS]);
        let scales = |_: &[usize]| {
            let (dtype, bytes) = scales.ok_or("no scales")?;
            Floats::new(dtype, Arc::new(bytes)).ok_or_else(|| "no floats".to_owned())
        };
        Stored::new(format.dtype(), &shape, Arc::new(bytes), scales).unwrap().1
    }

    #[test]
    fn four_bits_rounded_to_int8_are_off_by_half_of_its_step() {
        let values = noise(ROWS + 4);
        let exact = stored(&INT4, &values).widen();
        let (bytes, steps) = Stored::join_int8(vec![stored(&INT4, &values)], COLUMNS);
        assert_eq!((bytes.len(), steps.len()), (values.len(), ROWS + 4));
        for (i, value) in exact.iter().enumerate() {
            let step = steps[i / COLUMNS];
            assert!((f32::from(bytes[i]) * step - value).abs() <= 0.5001 * step, "{i}");
        }
        assert_eq!(
            FORMATS.map(|format| format.as_int8()),
            [AsInt8::No, AsInt8::No, AsInt8::No, AsInt8::Exact, AsInt8::Rounded]
        );
    }

    #[test]
    fn rows_are_those_of_the_whole() {
        let values = noise(9);
        for format in FORMATS {
            let (name, part, whole) = (format.name(), stored(format, &values), stored(format, &values).widen());
            assert_eq!(whole.len(), values.len(), "{name}");
            for rows in [0..9, 3..4, 7..9, 2..2] {
                let expected = &whole[rows.start * COLUMNS..rows.end * COLUMNS];
                assert_eq!(part.rows(rows.clone(), COLUMNS), expected, "{name} {rows:?}");
            }
        }
    }

    #[test]
    fn a_value_that_is_not_a_number_is_found_anywhere() {
        for at in [0, PIECE - 1, PIECE, 2 * PIECE + 7] {
            let mut values = vec![1.0; 2 * PIECE + 8];
            let read = |values: &[f32]| {
                Stored::new(Dtype::F32, &[values.len()], Arc::new(float::in_f32(values)), |_| Err(String::new()))
            };
            assert!(read(&values).is_ok());
            values[at] = f32::INFINITY;
            assert!(read(&values).is_err(), "{at}");
        }
    }
}
