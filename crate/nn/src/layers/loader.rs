//! Makes tables and linear layers from a model's tensors.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};

use crate::error::PackError;
use crate::kernels::{int8, simd};
use crate::layers::linear::Linear;
use crate::layers::table::Table;
use crate::ops::is_cpu;
use crate::pause::pause;
use crate::weights::find::{TensorPlace, Weights};
use crate::weights::formats::int8::{round_to_int8, to_int8};
use crate::weights::formats::{AsInt8, Stored};
use crate::weights::safetensors::ReadTensor;

/// The endings of the names of an adapter's tensors, `[rank, inputs]` and `[rank, outputs]`, after the name of a linear
/// layer's weight, `[outputs, inputs]`. The outer products of their rows are added to the weight (Hu et al. 2021,
/// "LoRA"; the rows include LoRA's scale).
const ADAPTER: [&str; 2] = [".inputs", ".outputs"];

/// The tables and layers that were made from a pack's files, for other models that read the same tensors.
#[derive(Default)]
pub(crate) struct SharedTensors {
    /// Keyed by the weight and its adapter.
    tables: RefCell<HashMap<Vec<TensorPlace>, Tensor<2>>>,
    words: RefCell<HashMap<TensorPlace, Table>>,
    /// Keyed by the form, and by the weights, adapters and biases that a layer is made from.
    linears: RefCell<HashMap<(LinearForm, Vec<TensorPlace>), Linear>>,
}

impl SharedTensors {
    /// Drops what was made from files for which `holds` is false.
    pub fn retain(&self, holds: impl Fn(&str) -> bool) {
        let held = |places: &[TensorPlace]| places.iter().all(|place| holds(&place.file));
        self.tables.borrow_mut().retain(|places, _| held(places));
        self.words.borrow_mut().retain(|place, _| holds(&place.file));
        self.linears.borrow_mut().retain(|(_, places), _| held(places));
    }
}

/// How the weight of a linear layer is stored, and whether it may become int8 for the CPU's int8 products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum LinearForm {
    /// `[outputs, inputs]`; int8 and 4 bits become int8.
    Narrow,
    /// `[outputs, inputs]`; int8 stays int8, all else becomes f32.
    Wide,
    /// `[inputs, outputs]`, in f32.
    Conv1d,
}

/// Whether a linear layer has a bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinearBias {
    With,
    Without,
}

/// Makes the parts of a model on a device. It pauses after each table and each layer; vectors are too small to need a
/// pause.
pub(crate) struct Loader<'a> {
    device: &'a Device,
    shared: &'a SharedTensors,
    weights: &'a Weights<'a>,
}

impl<'a> Loader<'a> {
    pub fn new(device: &'a Device, shared: &'a SharedTensors, weights: &'a Weights<'a>) -> Self {
        Self { device, shared, weights }
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.weights.has(name)
    }

    /// Of two names of one tensor, the first that the files have, or the first one if they have neither.
    pub fn named_one_of<'n>(&self, names: [&'n str; 2]) -> &'n str {
        names.into_iter().find(|name| self.has(name)).unwrap_or(names[0])
    }

    /// The values of a small tensor in f32, in row-major order.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, PackError> {
        self.weights.values(name, shape)
    }

    /// A vector, `[length]`, such as a norm's weight.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub fn vector(&self, name: &str, length: usize) -> Result<Tensor<1>, PackError> {
        let values = self.values(name, &[length])?;
        Ok(Tensor::from_data(TensorData::new(values, [length]), self.device))
    }

    /// A matrix whose rows are looked up, `[rows, columns]`, such as an embedding of positions.
    ///
    /// # Errors
    /// [`PackError::TensorMissing`], [`PackError::Shape`], [`PackError::Tensor`] for a tensor that cannot be read, and
    /// [`PackError::Cancelled`].
    pub async fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Tensor<2>, PackError> {
        let place = self.weights.place(name)?;
        self.shared_or(vec![place], [rows, columns], || self.weights.take(name, [rows, columns])).await
    }

    /// The table that was made of these tensors, or else a new one of what `read` gives.
    async fn shared_or(
        &self,
        places: Vec<TensorPlace>,
        shape: [usize; 2],
        read: impl FnOnce() -> Result<ReadTensor, PackError>,
    ) -> Result<Tensor<2>, PackError> {
        if let Some(table) = self.shared_table(&places, shape) {
            return Ok(table);
        }
        let table = self.on_device(read()?, shape);
        self.shared.tables.borrow_mut().insert(places, table.clone());
        pause().await?;
        Ok(table)
    }

    /// Word embeddings, `[rows, columns]`: a large table of which a few rows are looked up at a time. On the CPU it
    /// stays as its file stores it, unless a model that also needs it as a matrix was loaded before.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn words(&self, name: &str, rows: usize, columns: usize) -> Result<Table, PackError> {
        let (place, shape) = (self.weights.place(name)?, [rows, columns]);
        if !is_cpu(self.device) || self.shared_table(std::slice::from_ref(&place), shape).is_some() {
            return Ok(Table::OnDevice(self.table(name, rows, columns).await?));
        }
        let shared = self.shared.words.borrow().get(&place).cloned();
        if let Some(words) = shared.filter(|words| words.is(self.device, shape)) {
            return Ok(words);
        }
        let words = match self.weights.take(name, shape)? {
            ReadTensor::InMemory(matrix) => {
                Table::InMemory { matrix: Arc::new(matrix), shape, device: self.device.clone() }
            }
            ReadTensor::OnDevice(table) => Table::OnDevice(table),
        };
        self.shared.words.borrow_mut().insert(place, words.clone());
        pause().await?;
        Ok(words)
    }

    fn shared_table(&self, places: &[TensorPlace], shape: [usize; 2]) -> Option<Tensor<2>> {
        let shared = self.shared.tables.borrow().get(places).cloned();
        shared.filter(|table| table.device() == *self.device && table.dims() == shape)
    }

    /// The weight of a linear layer by itself, `[outputs, inputs]`, with its adapter if it has one.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn matrix(&self, name: &str, outputs: usize, inputs: usize) -> Result<Tensor<2>, PackError> {
        let shape = [outputs, inputs];
        self.shared_or(self.with_adapter(name)?, shape, || self.adapted(name, shape)).await
    }

    /// The linear layer `name`, `inputs` to `outputs`.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn linear(
        &self,
        name: &str,
        inputs: usize,
        outputs: usize,
        bias: LinearBias,
    ) -> Result<Linear, PackError> {
        self.shared_linear(LinearForm::Narrow, &[name.to_owned()], inputs, outputs, bias).await
    }

    /// The linear layers `{prefix}{part}` over the same input as one layer, their outputs side by side: `inputs` to
    /// `parts.len() * outputs`.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn linears(
        &self,
        prefix: &str,
        parts: &[&str],
        inputs: usize,
        outputs: usize,
        bias: LinearBias,
    ) -> Result<Linear, PackError> {
        let names: Vec<String> = parts.iter().map(|part| format!("{prefix}{part}")).collect();
        self.shared_linear(LinearForm::Narrow, &names, inputs, outputs, bias).await
    }

    /// A linear layer without a bias whose inputs have outliers. It is computed in f32, unless the pack has it in int8.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn wide_linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, PackError> {
        self.shared_linear(LinearForm::Wide, &[name.to_owned()], inputs, outputs, LinearBias::Without).await
    }

    /// A linear layer whose weight is stored as `[inputs, outputs]`: GPT-2's Conv1D.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub async fn conv1d(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, PackError> {
        self.shared_linear(LinearForm::Conv1d, &[name.to_owned()], inputs, outputs, LinearBias::With).await
    }

    async fn shared_linear(
        &self,
        form: LinearForm,
        names: &[String],
        inputs: usize,
        outputs: usize,
        bias: LinearBias,
    ) -> Result<Linear, PackError> {
        let mut places = Vec::new();
        for name in names {
            places.extend(self.with_adapter(&format!("{name}.weight"))?);
            if bias == LinearBias::With {
                places.push(self.weights.place(&format!("{name}.bias"))?);
            }
        }
        let key = (form, places);
        let shared = self.shared.linears.borrow().get(&key).cloned();
        if let Some(linear) = shared.filter(|linear| linear.is(self.device, inputs, outputs * names.len())) {
            return Ok(linear);
        }
        let linear = self.read_linear(form, names, inputs, outputs, bias)?;
        self.shared.linears.borrow_mut().insert(key, linear.clone());
        pause().await?;
        Ok(linear)
    }

    fn read_linear(
        &self,
        form: LinearForm,
        names: &[String],
        inputs: usize,
        outputs: usize,
        bias: LinearBias,
    ) -> Result<Linear, PackError> {
        let shape = if form == LinearForm::Conv1d { [inputs, outputs] } else { [outputs, inputs] };
        let (mut biases, mut parts) = (Vec::new(), Vec::new());
        for name in names {
            parts.push(self.adapted(&format!("{name}.weight"), shape)?);
            if bias == LinearBias::With {
                biases.extend(self.values(&format!("{name}.bias"), &[outputs])?);
            }
        }
        let by_burn = |weight: Tensor<2>, biases: Vec<f32>| {
            let outputs = biases.len();
            let bias =
                (bias == LinearBias::With).then(|| Tensor::from_data(TensorData::new(biases, [outputs]), self.device));
            Linear::Burn { weight: if form == LinearForm::Conv1d { weight } else { weight.transpose() }, bias }
        };
        let stored = match all_in_memory(parts) {
            Ok(stored) => stored,
            Err(parts) => {
                let parts = parts.into_iter().map(|part| self.on_device(part, shape)).collect();
                return Ok(by_burn(Tensor::cat(parts, 0), biases));
            }
        };
        let is_int8 = |part: &Stored| match part.as_int8() {
            AsInt8::Exact => form != LinearForm::Conv1d,
            AsInt8::Rounded => form == LinearForm::Narrow,
            AsInt8::No => false,
        };
        if simd::FAST && is_cpu(self.device) && stored.iter().all(is_int8) {
            let (weights, scales) = Stored::join_int8(stored, inputs);
            let weight = int8::Matrix::new(&weights, &scales, inputs);
            return Ok(Linear::Int8 { weight: Arc::new(weight), bias: biases });
        }
        let shape = [shape[0] * stored.len(), shape[1]];
        let mut stored = stored.into_iter().map(Stored::widen);
        let mut values = stored.next().unwrap_or_default();
        stored.for_each(|more| values.extend(more));
        Ok(match form {
            LinearForm::Conv1d => by_burn(Tensor::from_data(TensorData::new(values, shape), self.device), biases),
            LinearForm::Narrow | LinearForm::Wide => Linear::new(values, shape, biases, self.device),
        })
    }

    /// Where the weight of a linear layer is, and its adapter if it has one.
    fn with_adapter(&self, weight: &str) -> Result<Vec<TensorPlace>, PackError> {
        let adapter = ADAPTER.map(|suffix| format!("{weight}{suffix}")).into_iter().filter(|name| self.has(name));
        std::iter::once(weight.to_owned()).chain(adapter).map(|name| self.weights.place(&name)).collect()
    }

    /// The weight of a linear layer, `[outputs, inputs]`, with its adapter if it has one. int8 stays int8. 4 bits
    /// with an adapter become int8.
    fn adapted(&self, name: &str, shape: [usize; 2]) -> Result<ReadTensor, PackError> {
        let [outputs, inputs] = shape;
        let weight = self.weights.take(name, shape)?;
        let [input_rows, output_rows] = ADAPTER.map(|suffix| format!("{name}{suffix}"));
        if !self.has(&input_rows) {
            return Ok(weight);
        }
        let rank = self.weights.rows(&input_rows)?;
        let shapes = [[rank, inputs], [rank, outputs]];
        let input_rows = self.weights.take(&input_rows, shapes[0])?;
        let output_rows = self.weights.take(&output_rows, shapes[1])?;
        let int8 = self.weights.as_int8(name)? != AsInt8::No;
        let (weight, input_rows, output_rows) = match (weight, input_rows, output_rows) {
            (ReadTensor::InMemory(weight), ReadTensor::InMemory(input_rows), ReadTensor::InMemory(output_rows)) => {
                (weight, input_rows.widen(), output_rows.widen())
            }
            (weight, input_rows, output_rows) => {
                let product = self.on_device(output_rows, shapes[1]).transpose();
                let sum = self.on_device(weight, shape) + product.matmul(self.on_device(input_rows, shapes[0]));
                return Ok(ReadTensor::OnDevice(if int8 { round_to_int8(sum) } else { sum }));
            }
        };
        let mut values = weight.widen();
        for (input_row, output_row) in input_rows.chunks(inputs.max(1)).zip(output_rows.chunks(outputs.max(1))) {
            for (row, y) in values.chunks_mut(inputs.max(1)).zip(output_row) {
                for (value, x) in row.iter_mut().zip(input_row) {
                    *value += y * x;
                }
            }
        }
        if !int8 {
            return Ok(ReadTensor::InMemory(Stored::of(&values)));
        }
        let (mut bytes, mut scales) = (Vec::new(), Vec::new());
        to_int8(&values, inputs, &mut bytes, &mut scales);
        Ok(ReadTensor::InMemory(Stored::int8(bytes, &scales)))
    }

    /// A matrix in f32 on the device.
    fn on_device(&self, tensor: ReadTensor, shape: [usize; 2]) -> Tensor<2> {
        match tensor {
            ReadTensor::InMemory(stored) => Tensor::from_data(TensorData::new(stored.widen(), shape), self.device),
            ReadTensor::OnDevice(tensor) => tensor,
        }
    }
}

/// The tensors, if all of them are in memory.
///
/// # Errors
/// The tensors as they were, if one is on the device.
fn all_in_memory(tensors: Vec<ReadTensor>) -> Result<Vec<Stored>, Vec<ReadTensor>> {
    if tensors.iter().any(|tensor| matches!(tensor, ReadTensor::OnDevice(_))) {
        return Err(tensors);
    }
    let stored = tensors.into_iter().filter_map(|tensor| match tensor {
        ReadTensor::InMemory(stored) => Some(stored),
        ReadTensor::OnDevice(_) => None,
    });
    Ok(stored.collect())
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use std::collections::BTreeMap;

    use safetensors::tensor::{Dtype, TensorView};

    use futures_lite::future::block_on;

    use super::*;
    use crate::ops;
    use crate::weights::formats::int4::BLOCK;
    use crate::weights::formats::{Format, INT4};
    use crate::weights::safetensors::{TensorFile, TensorReader};

    const OUTPUTS: usize = 128;
    const INPUTS: usize = 256;

    fn noise(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| (((i + seed) * 2_654_435_761) >> 9) as f32 % 2001.0 / 1000.0 - 1.0).collect()
    }

    /// Three layers, one of them in int8 and one in 4 bits with an adapter, and one that is stored the other way round.
    fn file(device: Option<&Device>) -> TensorFile {
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let (mut rows, mut scales) = (Vec::new(), Vec::new());
        to_int8(&noise(OUTPUTS * INPUTS, 2), INPUTS, &mut rows, &mut scales);
        let int4 = INT4.narrow(&noise(OUTPUTS * INPUTS, 10), &[OUTPUTS, INPUTS]);
        let (dtype, int4_scales) = int4.scales.unwrap();
        let floats = |shape: &[usize], seed| (Dtype::F32, shape.to_vec(), bytes(&noise(shape.iter().product(), seed)));
        let tensors = [
            ("plain.weight", floats(&[OUTPUTS, INPUTS], 1)),
            ("plain.bias", floats(&[OUTPUTS], 3)),
            ("int8.weight", (Dtype::I8, vec![OUTPUTS, INPUTS], rows.into_iter().map(i8::cast_unsigned).collect())),
            ("int8.weight.scale", (Dtype::F32, vec![OUTPUTS], bytes(&scales))),
            ("int8.weight.inputs", floats(&[2, INPUTS], 4)),
            ("int8.weight.outputs", floats(&[2, OUTPUTS], 5)),
            ("int8.bias", floats(&[OUTPUTS], 6)),
            ("int4.weight", (Dtype::U8, int4.shape, int4.bytes)),
            ("int4.weight.scale", (dtype, vec![OUTPUTS, INPUTS / BLOCK], int4_scales)),
            ("int4.weight.inputs", floats(&[2, INPUTS], 11)),
            ("int4.weight.outputs", floats(&[2, OUTPUTS], 12)),
            ("int4.bias", floats(&[OUTPUTS], 13)),
            ("turned.weight", floats(&[INPUTS, OUTPUTS], 7)),
            ("turned.bias", floats(&[OUTPUTS], 8)),
        ];
        let views = tensors
            .iter()
            .map(|(name, (dtype, shape, bytes))| (*name, TensorView::new(*dtype, shape.clone(), bytes).unwrap()));
        let bytes = safetensors::serialize(views, None).unwrap();
        let mut reader = TensorReader::new("file", bytes.len() as u64, device);
        reader.push(&bytes);
        reader.finish().unwrap()
    }

    #[test]
    fn what_is_on_the_device_already_makes_the_layers_that_what_is_in_memory_makes() {
        let device = Device::flex();
        let outputs = |placed: bool| {
            let (file, shared) = (file(placed.then_some(&device)), SharedTensors::default());
            assert_eq!(matches!(file.read("file", "int8.weight").unwrap().1, ReadTensor::OnDevice(_)), placed);
            let mut weights = Weights::default();
            weights.add("file", &file, &BTreeMap::new(), true).unwrap();
            let loader = Loader::new(&device, &shared, &weights);
            let layers = [
                block_on(loader.linears("", &["plain", "int8", "int4"], INPUTS, OUTPUTS, LinearBias::With)).unwrap(),
                block_on(loader.conv1d("turned", INPUTS, OUTPUTS)).unwrap(),
            ];
            let x = Tensor::<2>::from_data(TensorData::new(noise(3 * INPUTS, 9), [3, INPUTS]), &device);
            let mut found: Vec<f32> = layers.iter().flat_map(|layer| ops::values(layer.forward(x.clone()))).collect();
            found.extend(ops::values(block_on(loader.table("plain.weight", OUTPUTS, INPUTS)).unwrap()));
            found
        };
        let (in_memory, placed) = (outputs(false), outputs(true));
        assert_eq!(in_memory.len(), placed.len());
        for (a, b) in in_memory.iter().zip(&placed) {
            // A weight that lies between two steps of int8 may be rounded either way.
            assert!((a - b).abs() < 0.02 * a.abs().max(1.0), "{a} in memory, {b} on the device");
        }
    }

    #[test]
    fn int8_and_4_bits_with_an_adapter_are_int8() {
        let (device, file, shared) = (Device::flex(), file(None), SharedTensors::default());
        let mut weights = Weights::default();
        weights.add("file", &file, &BTreeMap::new(), true).unwrap();
        let loader = Loader::new(&device, &shared, &weights);
        for name in ["int8.weight", "int4.weight"] {
            let adapted = loader.adapted(name, [OUTPUTS, INPUTS]).unwrap();
            assert!(matches!(adapted, ReadTensor::InMemory(stored) if stored.as_int8() == AsInt8::Exact), "{name}");
        }
    }

    #[test]
    fn words_stay_as_they_are_stored_and_are_shared() {
        let device = Device::flex();
        let (file, shared) = (file(None), SharedTensors::default());
        let mut weights = Weights::default();
        weights.add("file", &file, &BTreeMap::new(), true).unwrap();
        let loader = Loader::new(&device, &shared, &weights);
        for name in ["int8.weight", "int4.weight", "plain.weight"] {
            let words = block_on(loader.words(name, OUTPUTS, INPUTS)).unwrap();
            let again = block_on(loader.words(name, OUTPUTS, INPUTS)).unwrap();
            let (Table::InMemory { matrix, .. }, Table::InMemory { matrix: same, .. }) = (&words, &again) else {
                panic!("{name} was widened");
            };
            assert!(Arc::ptr_eq(matrix, same), "{name}");
            let rows = [OUTPUTS - 1, 0, 7, 7];
            let found = words.select(&rows);
            assert_eq!((words.shape(), found.dims()), ([OUTPUTS, INPUTS], [4, INPUTS]));
            let table = Table::OnDevice(block_on(loader.table(name, OUTPUTS, INPUTS)).unwrap());
            assert_eq!(ops::values(found), ops::values(table.select(&rows)), "{name}");
            // `table` put a matrix on the device, so later models look up their words in that.
            let words = block_on(loader.words(name, OUTPUTS, INPUTS)).unwrap();
            assert!(matches!(words, Table::OnDevice(_)), "{name}");
        }
        assert!(block_on(loader.words("plain.weight", INPUTS, OUTPUTS)).is_err());
    }

    #[test]
    fn a_matrix_goes_once_a_layer_was_made_of_it_unless_another_model_reads_it() {
        let device = Device::flex();
        for kept in [false, true] {
            let (file, shared) = (file(None), SharedTensors::default());
            let mut weights = Weights::default();
            weights.add("file", &file, &BTreeMap::new(), kept).unwrap();
            let loader = Loader::new(&device, &shared, &weights);
            let plain = || block_on(loader.linear("plain", INPUTS, OUTPUTS, LinearBias::With));
            let first = plain().unwrap();
            assert!(first.is(&device, INPUTS, OUTPUTS));
            // The second request returns the same layer. The file still has the tensor only if it is kept.
            assert!(plain().is_ok());
            assert_eq!(file.read("file", "plain.weight").is_ok(), kept);
            assert!(file.read("file", "plain.bias").is_ok());
            // The same holds for a matrix. Its scales are freed with it.
            for _ in 0..2 {
                block_on(loader.matrix("int8.weight", OUTPUTS, INPUTS)).unwrap();
            }
            assert_eq!(file.read("file", "int8.weight").is_ok(), kept);
            assert_eq!(file.read("file", "int8.weight.scale").is_ok(), kept);
        }
    }
}
