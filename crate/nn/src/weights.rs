//! The tensors of one model: found by name in safetensors files, checked, widened to f32, placed on the device.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData, bf16, f16};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::PackError;
use crate::layers::Linear;
use crate::quantise::{self, BLOCK};
use crate::{cpu, inspect, int8};

/// What models of one pack read from the same files, already on the device. It is kept for as long as the pack is.
#[derive(Default)]
pub(crate) struct Shared {
    tables: RefCell<HashMap<Place, Tensor<2>>>,
    /// By the weights and biases that each is made of.
    linears: RefCell<HashMap<Vec<Place>, Linear>>,
}

/// What follows the name of a linear layer's weight, `[outputs, inputs]`, in those of its adapter, `[rank, inputs]` and
/// `[rank, outputs]`: the outer products of their rows are added to it (Hu et al. 2021, "LoRA", with the scale in the rows).
const ADAPTER: [&str; 2] = [".inputs", ".outputs"];

/// A file and the name of a tensor in it.
pub(crate) type Place = (String, String);

/// The weight files of one model.
pub(crate) struct Weights<'a> {
    device: &'a Device,
    shared: &'a Shared,
    files: Vec<File<'a>>,
    /// The model's name of a tensor to its file and its name there.
    names: HashMap<String, (usize, String)>,
    /// What the model has asked for.
    used: RefCell<BTreeSet<Place>>,
}

struct File<'a> {
    path: &'a str,
    tensors: SafeTensors<'a>,
    /// Whether another model will read this file too.
    shared: bool,
}

impl<'a> Weights<'a> {
    pub fn new(device: &'a Device, shared: &'a Shared) -> Self {
        Self { device, shared, files: Vec::new(), names: HashMap::new(), used: RefCell::default() }
    }

    /// Adds a safetensors file, some of whose tensors the model knows by other names. A tensor that an earlier file has too
    /// takes that one's place.
    ///
    /// # Errors
    /// [`PackError::Unreadable`] for what is no safetensors file and for two tensors of it that get one name,
    /// [`PackError::TensorMissing`] where it has no tensor of a name that is to be another.
    pub fn add(
        &mut self,
        path: &'a str,
        bytes: &'a [u8],
        renamed: &BTreeMap<String, String>,
        shared: bool,
    ) -> Result<(), PackError> {
        let tensors = inspect::read(path, bytes)?;
        if let Some(name) = renamed.keys().find(|name| tensors.tensor(name).is_err()) {
            return Err(PackError::TensorMissing { tensor: name.clone(), files: vec![path.to_owned()] });
        }
        let mut own = HashSet::new();
        for name in tensors.names() {
            let known_as = renamed.get(name).map_or(name, String::as_str);
            if !own.insert(known_as) {
                let reason = format!("two of its tensors are called {known_as}");
                return Err(PackError::Unreadable { path: path.to_owned(), reason });
            }
            self.names.insert(known_as.to_owned(), (self.files.len(), name.to_owned()));
        }
        self.files.push(File { path, tensors, shared });
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The tensors that have been asked for.
    pub fn used(self) -> BTreeSet<Place> {
        self.used.into_inner()
    }

    /// A vector, such as a norm's weight.
    pub fn vector(&self, name: &str, length: usize) -> Result<Tensor<1>, PackError> {
        let values = self.values(name, &[length])?;
        Ok(Tensor::from_data(TensorData::new(values, [length]), self.device))
    }

    /// A matrix whose rows are looked up, such as an embedding; models that read it from one file share it.
    pub fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Tensor<2>, PackError> {
        let shared = self.shared_place(name)?;
        let loaded = shared.as_ref().and_then(|place| self.shared.tables.borrow().get(place).cloned());
        if let Some(table) = loaded.filter(|table| table.device() == *self.device && table.dims() == [rows, columns]) {
            return Ok(table);
        }
        let values = self.values(name, &[rows, columns])?;
        let table = Tensor::from_data(TensorData::new(values, [rows, columns]), self.device);
        if let Some(place) = shared {
            self.shared.tables.borrow_mut().insert(place, table.clone());
        }
        Ok(table)
    }

    /// Linear layers `{prefix}{part}` over the same input, side by side as one: `inputs` to `outputs` for each part. Models
    /// that read them from one file share them, but for those with an adapter.
    pub fn linear(
        &self,
        prefix: &str,
        parts: &[&str],
        inputs: usize,
        outputs: usize,
        bias: bool,
    ) -> Result<Linear, PackError> {
        let kinds: &[&str] = if bias { &["weight", "bias"] } else { &["weight"] };
        let names = parts.iter().flat_map(|part| kinds.iter().map(move |kind| format!("{prefix}{part}.{kind}")));
        let shared = names.map(|name| self.shared_place(&name)).collect::<Result<Option<Vec<Place>>, _>>()?;
        let adapted = parts.iter().any(|part| self.has(&format!("{prefix}{part}.weight{}", ADAPTER[0])));
        let shared = shared.filter(|_| !adapted);
        let loaded = shared.as_ref().and_then(|places| self.shared.linears.borrow().get(places).cloned());
        if let Some(linear) = loaded.filter(|linear| linear.is(self.device, inputs, outputs * parts.len())) {
            return Ok(linear);
        }
        let linear = self.read_linear(prefix, parts, inputs, outputs, bias, true)?;
        if let Some(places) = shared {
            self.shared.linears.borrow_mut().insert(places, linear.clone());
        }
        Ok(linear)
    }

    /// A linear layer `name` without a bias whose inputs have outliers: in f32 but where the pack's maker chose int8 for it.
    pub fn wide_linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, PackError> {
        self.read_linear(name, &[""], inputs, outputs, false, false)
    }

    /// As [`Weights::linear`]; weights of 4 bits are computed in int8 only where they `may_round`.
    fn read_linear(
        &self,
        prefix: &str,
        parts: &[&str],
        inputs: usize,
        outputs: usize,
        bias: bool,
        may_round: bool,
    ) -> Result<Linear, PackError> {
        let mut biases = Vec::new();
        let mut stored = Vec::new();
        for part in parts {
            stored.push(self.adapted(&format!("{prefix}{part}.weight"), outputs, inputs)?);
            if bias {
                biases.extend(self.values(&format!("{prefix}{part}.bias"), &[outputs])?);
            }
        }
        if int8::FAST
            && cpu::is(self.device)
            && let Some((weights, scales)) = Stored::all_int8(&stored, inputs, may_round)
        {
            let weight = int8::Matrix::new(&weights, &scales, inputs);
            return Ok(Linear::Int8 { weight: Arc::new(weight), bias: biases });
        }
        let outputs = outputs * parts.len();
        let values = stored.into_iter().map(Stored::widen).collect::<Vec<_>>().concat();
        let weight = Tensor::from_data(TensorData::new(values, [outputs, inputs]), self.device);
        let bias = bias.then(|| Tensor::from_data(TensorData::new(biases, [outputs]), self.device));
        Ok(Linear::float(weight, bias))
    }

    /// A linear layer's weight with its adapter, if it has one; int8 stays int8.
    fn adapted(&self, name: &str, outputs: usize, inputs: usize) -> Result<Stored<'a>, PackError> {
        let stored = self.read(name, &[outputs, inputs])?;
        let [input_rows, output_rows] = ADAPTER.map(|suffix| format!("{name}{suffix}"));
        if !self.has(&input_rows) {
            return Ok(stored);
        }
        let rank = self.shape(&input_rows)?.first().copied().unwrap_or(0);
        let input_rows = self.values(&input_rows, &[rank, inputs])?;
        let output_rows = self.values(&output_rows, &[rank, outputs])?;
        let int8 = matches!(stored, Stored::Int8 { .. });
        let mut values = stored.widen();
        for (input_row, output_row) in input_rows.chunks(inputs.max(1)).zip(output_rows.chunks(outputs.max(1))) {
            for (row, y) in values.chunks_mut(inputs.max(1)).zip(output_row) {
                for (value, x) in row.iter_mut().zip(input_row) {
                    *value += y * x;
                }
            }
        }
        if !int8 {
            return Ok(Stored::Floats(values));
        }
        let (mut bytes, mut scales) = (Vec::new(), Vec::new());
        quantise::to_int8(&values, inputs, &mut bytes, &mut scales);
        Ok(Stored::Int8 { rows: bytes.into_iter().map(i8::cast_unsigned).collect(), scales })
    }

    /// A linear layer whose weight is stored as `[inputs, outputs]`: GPT-2's Conv1D.
    pub fn conv1d(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, PackError> {
        let weight = self.values(&format!("{name}.weight"), &[inputs, outputs])?;
        let weight = Tensor::from_data(TensorData::new(weight, [inputs, outputs]), self.device);
        Ok(Linear::Float { weight, bias: Some(self.vector(&format!("{name}.bias"), outputs)?) })
    }

    /// The values of a tensor in f32, in row-major order.
    pub fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, PackError> {
        Ok(self.read(name, shape)?.widen())
    }

    /// The shape that a tensor is stored in.
    fn shape(&self, name: &str) -> Result<Vec<usize>, PackError> {
        let (file, in_file) = self.find(name)?;
        let wrong = |error: safetensors::SafeTensorError| PackError::Tensor {
            path: file.path.to_owned(),
            tensor: name.to_owned(),
            reason: error.to_string(),
        };
        Ok(file.tensors.tensor(in_file).map_err(wrong)?.shape().to_vec())
    }

    fn read(&self, name: &str, shape: &[usize]) -> Result<Stored<'a>, PackError> {
        let (file, in_file) = self.find(name)?;
        let (found, stored) = Stored::read(file.path, &file.tensors, in_file)?;
        if found != shape {
            return Err(PackError::Shape {
                path: file.path.to_owned(),
                tensor: name.to_owned(),
                expected: shape.to_vec(),
                found,
            });
        }
        Ok(stored)
    }

    /// Where a tensor stands, if another model reads that file too.
    fn shared_place(&self, name: &str) -> Result<Option<Place>, PackError> {
        let (file, in_file) = self.find(name)?;
        Ok(file.shared.then(|| (file.path.to_owned(), in_file.to_owned())))
    }

    fn find(&self, name: &str) -> Result<(&File<'a>, &str), PackError> {
        let found = self.names.get(name).and_then(|(file, in_file)| Some((self.files.get(*file)?, in_file.as_str())));
        let (file, in_file) = found.ok_or_else(|| PackError::TensorMissing {
            tensor: name.to_owned(),
            files: self.files.iter().map(|file| file.path.to_owned()).collect(),
        })?;
        self.used.borrow_mut().insert((file.path.to_owned(), in_file.to_owned()));
        Ok((file, in_file))
    }
}

/// A tensor whose values, or whose scales, are known to be finite.
pub(crate) enum Stored<'a> {
    Floats(Vec<f32>),
    /// A matrix of signed bytes, each row with a scale: I8 of `[rows, columns]` and, under the name with ".scale", floats of
    /// `[rows]`.
    Int8 {
        rows: Cow<'a, [u8]>,
        scales: Vec<f32>,
    },
    /// A matrix of 4 bits in blocks, as [`quantise`] has it: U8 of `[rows, columns / 2]` and, under the name with ".scale",
    /// floats of `[rows, columns / 32]`.
    Int4 {
        rows: &'a [u8],
        scales: Vec<f32>,
    },
}

impl<'a> Stored<'a> {
    /// A tensor of a file, and the shape of its values.
    ///
    /// # Errors
    /// [`PackError::Tensor`] for a type that is not read here, scales that are missing, and values that are no numbers.
    pub fn read(path: &str, tensors: &SafeTensors<'a>, name: &str) -> Result<(Vec<usize>, Self), PackError> {
        let wrong = |reason: String| PackError::Tensor { path: path.to_owned(), tensor: name.to_owned(), reason };
        let view = tensors.tensor(name).map_err(|error| wrong(error.to_string()))?;
        let scales = |shape: &[usize]| {
            let scales = tensors.tensor(&scale_of(name)).ok().filter(|scales| scales.shape() == shape);
            let missing = || wrong(format!("no {} of shape {shape:?} in floats", scale_of(name)));
            scales.and_then(|scales| floats(&scales)).ok_or_else(missing)
        };
        let (shape, stored) = match (view.dtype(), view.shape()) {
            (Dtype::I8, &[rows, columns]) => {
                (vec![rows, columns], Self::Int8 { rows: Cow::Borrowed(view.data()), scales: scales(&[rows])? })
            }
            (Dtype::U8, &[rows, pairs]) if (2 * pairs).is_multiple_of(BLOCK) => {
                let scales = scales(&[rows, 2 * pairs / BLOCK])?;
                (vec![rows, 2 * pairs], Self::Int4 { rows: view.data(), scales })
            }
            (dtype, shape) => {
                let values = floats(&view).ok_or_else(|| wrong(format!("{dtype:?} of {shape:?} is not read here")))?;
                (shape.to_vec(), Self::Floats(values))
            }
        };
        if stored.floats().iter().any(|value| !value.is_finite()) {
            return Err(wrong("it holds a value that is not a number".to_owned()));
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
            Self::Int4 { rows, scales } => quantise::from_int4(rows, &scales),
        }
    }

    /// The bytes and scales of matrices one below the other, where all are int8, or of 4 bits that may be rounded to it: to
    /// steps of 1/127 of a row's largest, where a block's own are at least 1/9 of its largest.
    fn all_int8(matrices: &[Self], columns: usize, may_round: bool) -> Option<(Vec<i8>, Vec<f32>)> {
        let (mut bytes, mut all_scales) = (Vec::new(), Vec::new());
        for matrix in matrices {
            match matrix {
                Self::Int8 { rows, scales } => {
                    bytes.extend(rows.iter().map(|q| q.cast_signed()));
                    all_scales.extend_from_slice(scales);
                }
                Self::Int4 { rows, scales } if may_round => {
                    let values = quantise::from_int4(rows, scales);
                    quantise::to_int8(&values, columns, &mut bytes, &mut all_scales);
                }
                _ => return None,
            }
        }
        Some((bytes, all_scales))
    }
}

/// The name of a quantised matrix's scales.
pub(crate) fn scale_of(name: &str) -> String {
    format!("{name}.scale")
}

/// Floating point of any stored width as f32; none for other types.
fn floats(view: &TensorView) -> Option<Vec<f32>> {
    let data = view.data();
    match view.dtype() {
        Dtype::F32 => Some(data.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
        Dtype::F16 => Some(data.as_chunks().0.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect()),
        Dtype::BF16 => Some(data.as_chunks().0.iter().map(|&bytes| bf16::from_le_bytes(bytes).to_f32()).collect()),
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
        let int4 = || Stored::Int4 { rows: &rows, scales: scales.iter().map(|scale| scale.to_f32()).collect() };
        let exact = int4().widen();
        let (bytes, steps) = Stored::all_int8(&[int4()], 64, true).unwrap();
        for (i, value) in exact.iter().enumerate() {
            let step = steps[i / 64];
            assert!((f32::from(bytes[i]) * step - value).abs() <= 0.5001 * step, "{i}");
        }
        assert!(Stored::all_int8(&[int4()], 64, false).is_none());
        assert!(Stored::all_int8(&[int4(), Stored::Floats(values)], 64, true).is_none());
    }
}
