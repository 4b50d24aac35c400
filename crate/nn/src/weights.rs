//! The tensors of one model: found by name in safetensors files, checked, widened to f32, placed on the device.

use std::collections::{BTreeMap, HashMap};

use burn::tensor::{Device, Tensor, TensorData, bf16, f16};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::PackError;
use crate::layers::Linear;
use crate::pack::Tables;
use crate::{cpu, int8};

/// The weight files of one model.
pub(crate) struct Weights<'a> {
    device: &'a Device,
    tables: &'a mut Tables,
    files: Vec<File<'a>>,
    /// The model's name of a tensor to its file and its name there.
    names: HashMap<String, (usize, String)>,
}

struct File<'a> {
    path: &'a str,
    tensors: SafeTensors<'a>,
    /// Whether another model will read this file too.
    shared: bool,
}

impl<'a> Weights<'a> {
    pub fn new(device: &'a Device, tables: &'a mut Tables) -> Self {
        Self { device, tables, files: Vec::new(), names: HashMap::new() }
    }

    /// Adds a safetensors file, some of whose tensors the model knows by other names.
    pub fn add(
        &mut self,
        path: &'a str,
        bytes: &'a [u8],
        renamed: &BTreeMap<String, String>,
        shared: bool,
    ) -> Result<(), PackError> {
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|error| PackError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        for name in tensors.names() {
            let known_as = renamed.get(name).map_or(name, String::as_str);
            self.names.insert(known_as.to_owned(), (self.files.len(), name.to_owned()));
        }
        self.files.push(File { path, tensors, shared });
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// A vector, such as a norm's weight.
    pub fn vector(&self, name: &str, length: usize) -> Result<Tensor<1>, PackError> {
        let values = self.values(name, &[length])?;
        Ok(Tensor::from_data(TensorData::new(values, [length]), self.device))
    }

    /// A matrix whose rows are looked up, such as an embedding; models that read it from one file share it.
    pub fn table(&mut self, name: &str, rows: usize, columns: usize) -> Result<Tensor<2>, PackError> {
        let (file, in_file) = self.find(name)?;
        let (key, shared) = ((file.path.to_owned(), in_file.to_owned()), file.shared);
        let loaded = self.tables.get(&key).filter(|table| table.device() == *self.device);
        if let Some(table) = loaded.filter(|table| table.dims() == [rows, columns]) {
            return Ok(table.clone());
        }
        let values = self.values(name, &[rows, columns])?;
        let table = Tensor::from_data(TensorData::new(values, [rows, columns]), self.device);
        if shared {
            self.tables.insert(key, table.clone());
        }
        Ok(table)
    }

    /// Linear layers `{prefix}{part}` over the same input, side by side as one: `inputs` to `outputs` for each part.
    pub fn linear(
        &self,
        prefix: &str,
        parts: &[&str],
        inputs: usize,
        outputs: usize,
        bias: bool,
    ) -> Result<Linear, PackError> {
        let mut biases = Vec::new();
        let mut stored = Vec::new();
        for part in parts {
            stored.push(self.read(&format!("{prefix}{part}.weight"), &[outputs, inputs])?);
            if bias {
                biases.extend(self.values(&format!("{prefix}{part}.bias"), &[outputs])?);
            }
        }
        if int8::FAST
            && cpu::is(self.device)
            && let Some((weights, scales)) = Stored::all_int8(&stored)
        {
            return Ok(Linear::Int8 { weight: int8::Matrix::new(&weights, &scales, inputs), bias: biases });
        }
        let outputs = outputs * parts.len();
        let values = stored.into_iter().map(Stored::widen).collect::<Vec<_>>().concat();
        let weight = Tensor::from_data(TensorData::new(values, [outputs, inputs]), self.device);
        let bias = bias.then(|| Tensor::from_data(TensorData::new(biases, [outputs]), self.device));
        Ok(Linear::float(weight, bias))
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

    fn read(&self, name: &str, shape: &[usize]) -> Result<Stored<'a>, PackError> {
        let (file, in_file) = self.find(name)?;
        let unreadable = |reason: String| PackError::Unreadable {
            path: file.path.to_owned(),
            reason: format!("tensor {name}: {reason}"),
        };
        let view = file.tensors.tensor(in_file).map_err(|error| unreadable(error.to_string()))?;
        if view.shape() != shape {
            return Err(PackError::Shape {
                path: file.path.to_owned(),
                tensor: name.to_owned(),
                expected: shape.to_vec(),
                found: view.shape().to_vec(),
            });
        }
        let stored = match (view.dtype(), shape) {
            (Dtype::I8, &[rows, _]) => {
                let scales = file.tensors.tensor(&format!("{in_file}.scale"));
                let scales = scales.ok().filter(|scales| scales.shape() == [rows]).and_then(|scales| floats(&scales));
                let missing = || unreadable(format!("no {in_file}.scale of shape [{rows}] in floats"));
                Stored::Int8 { rows: view.data(), scales: scales.ok_or_else(missing)? }
            }
            (dtype, _) => {
                Stored::Floats(floats(&view).ok_or_else(|| unreadable(format!("{dtype:?} is not read here")))?)
            }
        };
        if stored.floats().iter().any(|value| !value.is_finite()) {
            return Err(unreadable("it holds a value that is not a number".to_owned()));
        }
        Ok(stored)
    }

    fn find(&self, name: &str) -> Result<(&File<'a>, &str), PackError> {
        let found = self.names.get(name).and_then(|(file, in_file)| Some((self.files.get(*file)?, in_file.as_str())));
        found.ok_or_else(|| PackError::TensorMissing {
            tensor: name.to_owned(),
            files: self.files.iter().map(|file| file.path.to_owned()).collect(),
        })
    }
}

/// A tensor whose values, or whose scales, are known to be finite.
enum Stored<'a> {
    Floats(Vec<f32>),
    /// A matrix of signed bytes, each row with a scale.
    Int8 {
        rows: &'a [u8],
        scales: Vec<f32>,
    },
}

impl Stored<'_> {
    fn floats(&self) -> &[f32] {
        match self {
            Self::Floats(values) | Self::Int8 { scales: values, .. } => values,
        }
    }

    /// The values in f32.
    fn widen(self) -> Vec<f32> {
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
        }
    }

    /// The bytes and scales of matrices one below the other, where all are int8.
    fn all_int8(matrices: &[Self]) -> Option<(Vec<i8>, Vec<f32>)> {
        let (mut bytes, mut all_scales) = (Vec::new(), Vec::new());
        for matrix in matrices {
            let Self::Int8 { rows, scales } = matrix else { return None };
            bytes.extend(rows.iter().map(|q| q.cast_signed()));
            all_scales.extend_from_slice(scales);
        }
        Some((bytes, all_scales))
    }
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
