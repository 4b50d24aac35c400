//! The tensors of one model: found by name in safetensors files, checked, widened to f32, placed on the device.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData, bf16, f16};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::PackError;
use crate::layers::Linear;
use crate::{cpu, int8};

/// What models of one pack read from the same files, already on the device. It is kept for as long as the pack is.
#[derive(Default)]
pub(crate) struct Shared {
    tables: RefCell<HashMap<Place, Tensor<2>>>,
    /// By the weights and biases that each is made of.
    linears: RefCell<HashMap<Vec<Place>, Linear>>,
}

/// A file and the name of a tensor in it.
type Place = (String, String);

/// The weight files of one model.
pub(crate) struct Weights<'a> {
    device: &'a Device,
    shared: &'a Shared,
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
    pub fn new(device: &'a Device, shared: &'a Shared) -> Self {
        Self { device, shared, files: Vec::new(), names: HashMap::new() }
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
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|error| PackError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
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
    /// that read them from one file share them.
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
        let loaded = shared.as_ref().and_then(|places| self.shared.linears.borrow().get(places).cloned());
        if let Some(linear) = loaded.filter(|linear| linear.is(self.device, inputs, outputs * parts.len())) {
            return Ok(linear);
        }
        let linear = self.read_linear(prefix, parts, inputs, outputs, bias)?;
        if let Some(places) = shared {
            self.shared.linears.borrow_mut().insert(places, linear.clone());
        }
        Ok(linear)
    }

    fn read_linear(
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
            let weight = int8::Matrix::new(&weights, &scales, inputs);
            return Ok(Linear::Int8 { weight: Arc::new(weight), bias: biases });
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

    /// Where a tensor stands, if another model reads that file too.
    fn shared_place(&self, name: &str) -> Result<Option<Place>, PackError> {
        let (file, in_file) = self.find(name)?;
        Ok(file.shared.then(|| (file.path.to_owned(), in_file.to_owned())))
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
