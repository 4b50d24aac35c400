//! The tensors of one model: found by name in safetensors files, checked, widened to f32, placed on the device.

pub(crate) mod formats;
pub(crate) mod safetensors;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use ::safetensors::tensor::Dtype;
use burn::tensor::{Device, Tensor, TensorData};

use crate::kernels::{int8, simd};
use crate::layers::Linear;
use crate::layers::table::Table;
use crate::ops::cpu;
use crate::weights::formats::int8 as quantise;
use crate::weights::formats::{Floats, Stored};
use crate::weights::safetensors::{Part, TensorFile};
use crate::{PackError, Tokenizer};

/// What was made of the files of one pack: for other models that are made of the same, and while one is loaded in stretches.
#[derive(Default)]
pub(crate) struct Made {
    tokenizers: RefCell<HashMap<String, Arc<Tokenizer>>>,
    tables: RefCell<HashMap<Place, Tensor<2>>>,
    words: RefCell<HashMap<Place, Table>>,
    /// By their form, and by the weights, adapters and biases that each is made of.
    linears: RefCell<HashMap<(Form, Vec<Place>), Linear>>,
    /// How many weights may still be made; any number, where there is none.
    left: Cell<Option<usize>>,
}

/// The forms of linear layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// In int8 where the file has int8 or 4 bits, and the device computes it fast.
    Narrow,
    /// In int8 where the file has int8.
    Wide,
    /// Stored as `[inputs, outputs]`.
    Conv1d,
}

impl Made {
    /// From now on, lets so many weights be made until it is [`PackError::Unfinished`].
    pub fn limit(&self, weights: Option<usize>) {
        self.left.set(weights);
    }

    /// Keeps what is made of files alone for which this holds.
    pub fn keep(&self, holds: impl Fn(&str) -> bool) {
        self.tokenizers.borrow_mut().retain(|path, _| holds(path));
        self.tables.borrow_mut().retain(|(path, _), _| holds(path));
        self.words.borrow_mut().retain(|(path, _), _| holds(path));
        self.linears.borrow_mut().retain(|(_, places), _| places.iter().all(|(path, _)| holds(path)));
    }

    /// The tokenizer of a file, which `read` reads where nobody has. It has a stretch of its own.
    pub fn tokenizer(
        &self,
        path: &str,
        read: impl FnOnce() -> Result<Tokenizer, PackError>,
    ) -> Result<Arc<Tokenizer>, PackError> {
        if let Some(tokenizer) = self.tokenizers.borrow().get(path) {
            return Ok(tokenizer.clone());
        }
        let tokenizer = Arc::new(read()?);
        self.tokenizers.borrow_mut().insert(path.to_owned(), tokenizer.clone());
        self.left.set(self.left.get().map(|_| 0));
        Ok(tokenizer)
    }

    /// Whether so many more weights may be made now.
    fn spend(&self, weights: usize) -> Result<(), PackError> {
        match self.left.get() {
            Some(0) => Err(PackError::Unfinished),
            left => {
                self.left.set(left.map(|left| left.saturating_sub(weights)));
                Ok(())
            }
        }
    }
}

/// What follows the name of a linear layer's weight, `[outputs, inputs]`, in those of its adapter, `[rank, inputs]` and
/// `[rank, outputs]`: the outer products of their rows are added to it (Hu et al. 2021, "LoRA", with the scale in the rows).
const ADAPTER: [&str; 2] = [".inputs", ".outputs"];

/// A file and the name of a tensor in it.
pub(crate) type Place = (String, String);

/// The weight files of one model.
pub(crate) struct Weights<'a> {
    device: &'a Device,
    made: &'a Made,
    files: Vec<File<'a>>,
    /// The model's name of a tensor to its file and its name there.
    names: HashMap<String, (usize, String)>,
    /// What the model has asked for.
    used: RefCell<BTreeSet<Place>>,
}

struct File<'a> {
    path: &'a str,
    tensors: &'a TensorFile,
    /// Whether another model will read it.
    kept: bool,
}

impl<'a> Weights<'a> {
    pub fn new(device: &'a Device, made: &'a Made) -> Self {
        Self { device, made, files: Vec::new(), names: HashMap::new(), used: RefCell::default() }
    }

    /// Adds a file, some of whose tensors the model knows by other names. A tensor that an earlier file has too takes that
    /// one's place. Unless the file is to be `kept`, each matrix is let go of once it was read.
    ///
    /// # Errors
    /// [`PackError::Unreadable`] for two tensors that get one name, [`PackError::TensorMissing`] where it has no tensor of a name
    /// that is to be another.
    pub fn add(
        &mut self,
        path: &'a str,
        tensors: &'a TensorFile,
        renamed: &BTreeMap<String, String>,
        kept: bool,
    ) -> Result<(), PackError> {
        if let Some(name) = renamed.keys().find(|name| tensors.get(name).is_none()) {
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
        self.files.push(File { path, tensors, kept });
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

    /// A matrix whose rows are looked up, such as an embedding of positions; models that read it from one file share
    /// it.
    pub fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Tensor<2>, PackError> {
        let place = self.place(name)?;
        if let Some(table) = self.made_table(&place, [rows, columns]) {
            return Ok(table);
        }
        self.made.spend(rows * columns)?;
        let table = self.placed(self.take(name, [rows, columns])?, [rows, columns]);
        self.made.tables.borrow_mut().insert(place, table.clone());
        Ok(table)
    }

    /// A table of words, large and looked up a few rows at a time: on the CPU it stays as it is stored. Models that
    /// read it from one file share it, and where one of them needs it as a matrix and was there first, that.
    pub fn words(&self, name: &str, rows: usize, columns: usize) -> Result<Table, PackError> {
        let (place, shape) = (self.place(name)?, [rows, columns]);
        if !cpu::is(self.device) || self.made_table(&place, shape).is_some() {
            return Ok(Table::Placed(self.table(name, rows, columns)?));
        }
        let made = self.made.words.borrow().get(&place).cloned();
        if let Some(words) = made.filter(|words| words.is(self.device, shape)) {
            return Ok(words);
        }
        self.made.spend(rows * columns)?;
        let words = match self.take(name, shape)? {
            Part::Stored(matrix) => Table::Stored { matrix: Arc::new(matrix), shape, device: self.device.clone() },
            Part::Placed(table) => Table::Placed(table),
        };
        self.made.words.borrow_mut().insert(place, words.clone());
        Ok(words)
    }

    fn made_table(&self, place: &Place, shape: [usize; 2]) -> Option<Tensor<2>> {
        let made = self.made.tables.borrow().get(place).cloned();
        made.filter(|table| table.device() == *self.device && table.dims() == shape)
    }

    /// A linear layer's weight by itself, `[outputs, inputs]`, with its adapter if it has one.
    pub fn matrix(&self, name: &str, outputs: usize, inputs: usize) -> Result<Tensor<2>, PackError> {
        if !self.has(&format!("{name}{}", ADAPTER[0])) {
            return self.table(name, outputs, inputs);
        }
        Ok(self.placed(self.adapted(name, [outputs, inputs])?, [outputs, inputs]))
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
        let names: Vec<String> = parts.iter().map(|part| format!("{prefix}{part}")).collect();
        self.made_linear(Form::Narrow, &names, inputs, outputs, bias)
    }

    /// A linear layer `name` without a bias whose inputs have outliers: in f32 but where the pack's maker chose int8 for it.
    pub fn wide_linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, PackError> {
        self.made_linear(Form::Wide, &[name.to_owned()], inputs, outputs, false)
    }

    /// A linear layer whose weight is stored as `[inputs, outputs]`: GPT-2's Conv1D.
    pub fn conv1d(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear, PackError> {
        self.made_linear(Form::Conv1d, &[name.to_owned()], inputs, outputs, true)
    }

    /// Linear layers side by side: `inputs` to `outputs` for each name.
    fn made_linear(
        &self,
        form: Form,
        names: &[String],
        inputs: usize,
        outputs: usize,
        bias: bool,
    ) -> Result<Linear, PackError> {
        let mut places = Vec::new();
        for name in names {
            let weight = format!("{name}.weight");
            let adapter = ADAPTER.map(|suffix| format!("{weight}{suffix}"));
            places.push(self.place(&weight)?);
            for name in adapter.iter().filter(|name| self.has(name)) {
                places.push(self.place(name)?);
            }
            if bias {
                places.push(self.place(&format!("{name}.bias"))?);
            }
        }
        let key = (form, places);
        let made = self.made.linears.borrow().get(&key).cloned();
        if let Some(linear) = made.filter(|linear| linear.is(self.device, inputs, outputs * names.len())) {
            return Ok(linear);
        }
        self.made.spend(inputs * outputs * names.len())?;
        let linear = self.read_linear(form, names, inputs, outputs, bias)?;
        self.made.linears.borrow_mut().insert(key, linear.clone());
        Ok(linear)
    }

    fn read_linear(
        &self,
        form: Form,
        names: &[String],
        inputs: usize,
        outputs: usize,
        bias: bool,
    ) -> Result<Linear, PackError> {
        let shape = if form == Form::Conv1d { [inputs, outputs] } else { [outputs, inputs] };
        let (mut biases, mut parts) = (Vec::new(), Vec::new());
        for name in names {
            parts.push(self.adapted(&format!("{name}.weight"), shape)?);
            if bias {
                biases.extend(self.values(&format!("{name}.bias"), &[outputs])?);
            }
        }
        let by_burn = |weight: Tensor<2>, biases: Vec<f32>| {
            let outputs = biases.len();
            let bias = bias.then(|| Tensor::from_data(TensorData::new(biases, [outputs]), self.device));
            Linear::Burn { weight: if form == Form::Conv1d { weight } else { weight.transpose() }, bias }
        };
        let stored = match in_memory(parts) {
            Ok(stored) => stored,
            Err(parts) => {
                let parts = parts.into_iter().map(|part| self.placed(part, shape)).collect();
                return Ok(by_burn(Tensor::cat(parts, 0), biases));
            }
        };
        let narrow = form == Form::Narrow;
        if simd::FAST && cpu::is(self.device) && form != Form::Conv1d && stored.iter().all(|part| part.is_int8(narrow))
        {
            let (weights, scales) = Stored::join_int8(stored, inputs);
            let weight = int8::Matrix::new(&weights, &scales, inputs);
            return Ok(Linear::Int8 { weight: Arc::new(weight), bias: biases });
        }
        let shape = [shape[0] * stored.len(), shape[1]];
        let mut stored = stored.into_iter().map(Stored::widen);
        let mut values = stored.next().unwrap_or_default();
        stored.for_each(|more| values.extend(more));
        Ok(match form {
            Form::Conv1d => by_burn(Tensor::from_data(TensorData::new(values, shape), self.device), biases),
            Form::Narrow | Form::Wide => Linear::new(values, shape, biases, self.device),
        })
    }

    /// A linear layer's weight with its adapter, if it has one; int8 stays int8.
    fn adapted(&self, name: &str, shape: [usize; 2]) -> Result<Part, PackError> {
        let [outputs, inputs] = shape;
        let part = self.take(name, shape)?;
        let [input_rows, output_rows] = ADAPTER.map(|suffix| format!("{name}{suffix}"));
        if !self.has(&input_rows) {
            return Ok(part);
        }
        let rank = self.stored_shape(&input_rows)?.first().copied().unwrap_or(0);
        let shapes = [[rank, inputs], [rank, outputs]];
        let input_rows = self.take(&input_rows, shapes[0])?;
        let output_rows = self.take(&output_rows, shapes[1])?;
        let (stored, input_rows, output_rows) = match (part, input_rows, output_rows) {
            (Part::Stored(stored), Part::Stored(input_rows), Part::Stored(output_rows)) => {
                (stored, input_rows.widen(), output_rows.widen())
            }
            (part, input_rows, output_rows) => {
                let product = self.placed(output_rows, shapes[1]).transpose();
                let sum = self.placed(part, shape) + product.matmul(self.placed(input_rows, shapes[0]));
                let int8 = self.dtype(name)? == Dtype::I8;
                return Ok(Part::Placed(if int8 { quantise::round_to_int8(sum) } else { sum }));
            }
        };
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
            return Ok(Part::Stored(Stored::Floats(Floats::of(&values))));
        }
        let (mut bytes, mut scales) = (Vec::new(), Vec::new());
        quantise::to_int8(&values, inputs, &mut bytes, &mut scales);
        let bytes = Arc::new(bytes.into_iter().map(i8::cast_unsigned).collect());
        Ok(Part::Stored(Stored::Int8 { bytes, scales: Floats::of(&scales) }))
    }

    /// The values of a small tensor in f32, in row-major order.
    pub fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, PackError> {
        match self.read(name, shape)? {
            Part::Stored(stored) => Ok(stored.widen()),
            Part::Placed(_) => {
                let (file, _) = self.find(name)?;
                let reason = format!("{shape:?} is too large for it");
                Err(PackError::Tensor { path: file.path.to_owned(), tensor: name.to_owned(), reason })
            }
        }
    }

    /// A matrix on the device.
    fn placed(&self, part: Part, shape: [usize; 2]) -> Tensor<2> {
        match part {
            Part::Stored(stored) => Tensor::from_data(TensorData::new(stored.widen(), shape), self.device),
            Part::Placed(tensor) => tensor,
        }
    }

    /// The shape that a tensor is stored in.
    fn stored_shape(&self, name: &str) -> Result<&[usize], PackError> {
        let (file, in_file) = self.find(name)?;
        Ok(file.tensors.get(in_file).map_or(&[], |held| held.shape()))
    }

    fn dtype(&self, name: &str) -> Result<Dtype, PackError> {
        let (file, in_file) = self.find(name)?;
        Ok(file.tensors.get(in_file).map_or(Dtype::F32, |held| held.dtype()))
    }

    fn read(&self, name: &str, shape: &[usize]) -> Result<Part, PackError> {
        let (file, in_file) = self.find(name)?;
        let (found, part) = file.tensors.part(file.path, in_file)?;
        if found != shape {
            return Err(PackError::Shape {
                path: file.path.to_owned(),
                tensor: name.to_owned(),
                expected: shape.to_vec(),
                found,
            });
        }
        Ok(part)
    }

    /// A matrix of which something is made that will be kept.
    fn take(&self, name: &str, shape: [usize; 2]) -> Result<Part, PackError> {
        let part = self.read(name, &shape)?;
        let (file, in_file) = self.find(name)?;
        if !file.kept {
            file.tensors.let_go(in_file);
        }
        Ok(part)
    }

    /// Where a tensor stands.
    fn place(&self, name: &str) -> Result<Place, PackError> {
        let (file, in_file) = self.find(name)?;
        Ok((file.path.to_owned(), in_file.to_owned()))
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

/// Parts that are all in memory.
///
/// # Errors
/// The parts, where one is on the device.
fn in_memory(parts: Vec<Part>) -> Result<Vec<Stored>, Vec<Part>> {
    if parts.iter().any(|part| matches!(part, Part::Placed(_))) {
        return Err(parts);
    }
    let stored = parts.into_iter().filter_map(|part| match part {
        Part::Stored(stored) => Some(stored),
        Part::Placed(_) => None,
    });
    Ok(stored.collect())
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use ::safetensors::tensor::TensorView;

    use super::*;
    use crate::weights::safetensors::TensorReader;

    const OUTPUTS: usize = 128;
    const INPUTS: usize = 256;

    fn noise(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| (((i + seed) * 2_654_435_761) >> 9) as f32 % 2001.0 / 1000.0 - 1.0).collect()
    }

    /// Two layers, one of them in int8 with an adapter, and one that is stored the other way round.
    fn file(device: Option<&Device>) -> TensorFile {
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let (mut rows, mut scales) = (Vec::new(), Vec::new());
        quantise::to_int8(&noise(OUTPUTS * INPUTS, 2), INPUTS, &mut rows, &mut scales);
        let floats = |shape: &[usize], seed| (Dtype::F32, shape.to_vec(), bytes(&noise(shape.iter().product(), seed)));
        let tensors = [
            ("plain.weight", floats(&[OUTPUTS, INPUTS], 1)),
            ("plain.bias", floats(&[OUTPUTS], 3)),
            ("int8.weight", (Dtype::I8, vec![OUTPUTS, INPUTS], rows.into_iter().map(i8::cast_unsigned).collect())),
            ("int8.weight.scale", (Dtype::F32, vec![OUTPUTS], bytes(&scales))),
            ("int8.weight.inputs", floats(&[2, INPUTS], 4)),
            ("int8.weight.outputs", floats(&[2, OUTPUTS], 5)),
            ("int8.bias", floats(&[OUTPUTS], 6)),
            ("turned.weight", floats(&[INPUTS, OUTPUTS], 7)),
            ("turned.bias", floats(&[OUTPUTS], 8)),
        ];
        let views = tensors
            .iter()
            .map(|(name, (dtype, shape, bytes))| (*name, TensorView::new(*dtype, shape.clone(), bytes).unwrap()));
        let bytes = ::safetensors::serialize(views, None).unwrap();
        let mut reader = TensorReader::new("file", bytes.len() as u64, device);
        reader.push(&bytes);
        reader.finish().unwrap()
    }

    #[test]
    fn what_is_on_the_device_already_makes_the_layers_that_what_is_in_memory_makes() {
        let device = Device::flex();
        let outputs = |placed: bool| {
            let (file, made) = (file(placed.then_some(&device)), Made::default());
            assert_eq!(matches!(file.part("file", "int8.weight").unwrap().1, Part::Placed(_)), placed);
            let mut weights = Weights::new(&device, &made);
            weights.add("file", &file, &BTreeMap::new(), true).unwrap();
            let layers = [
                weights.linear("", &["plain", "int8"], INPUTS, OUTPUTS, true).unwrap(),
                weights.conv1d("turned", INPUTS, OUTPUTS).unwrap(),
            ];
            let x = Tensor::<2>::from_data(TensorData::new(noise(3 * INPUTS, 9), [3, INPUTS]), &device);
            let mut found: Vec<f32> = layers.iter().flat_map(|layer| cpu::values(layer.forward(x.clone()))).collect();
            found.extend(cpu::values(weights.table("plain.weight", OUTPUTS, INPUTS).unwrap()));
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
    fn words_stay_as_they_are_stored_and_are_shared() {
        let device = Device::flex();
        let (file, made) = (file(None), Made::default());
        let mut weights = Weights::new(&device, &made);
        weights.add("file", &file, &BTreeMap::new(), true).unwrap();
        for name in ["int8.weight", "plain.weight"] {
            let words = weights.words(name, OUTPUTS, INPUTS).unwrap();
            let again = weights.words(name, OUTPUTS, INPUTS).unwrap();
            let (Table::Stored { matrix, .. }, Table::Stored { matrix: same, .. }) = (&words, &again) else {
                panic!("{name} was widened");
            };
            assert!(Arc::ptr_eq(matrix, same), "{name}");
            let rows = [OUTPUTS - 1, 0, 7, 7];
            let found = words.select(&rows);
            assert_eq!((words.shape(), found.dims()), ([OUTPUTS, INPUTS], [4, INPUTS]));
            let table = Table::Placed(weights.table(name, OUTPUTS, INPUTS).unwrap());
            assert_eq!(cpu::values(found), cpu::values(table.select(&rows)), "{name}");
            // A head made a matrix of it: whoever comes later looks its words up there.
            assert!(matches!(weights.words(name, OUTPUTS, INPUTS).unwrap(), Table::Placed(_)), "{name}");
        }
        assert!(weights.words("plain.weight", INPUTS, OUTPUTS).is_err());
    }

    #[test]
    fn a_matrix_goes_once_a_layer_was_made_of_it_unless_another_model_reads_it() {
        let device = Device::flex();
        for kept in [false, true] {
            let (file, made) = (file(None), Made::default());
            let mut weights = Weights::new(&device, &made);
            weights.add("file", &file, &BTreeMap::new(), kept).unwrap();
            let first = weights.linear("", &["plain"], INPUTS, OUTPUTS, true).unwrap();
            assert!(first.is(&device, INPUTS, OUTPUTS));
            // Asked for again, it is the layer that was made; its tensor is there only where it is kept.
            assert!(weights.linear("", &["plain"], INPUTS, OUTPUTS, true).is_ok());
            assert_eq!(file.part("file", "plain.weight").is_ok(), kept);
            assert!(file.part("file", "plain.bias").is_ok());
            // Scales go with their matrix.
            weights.table("int8.weight", OUTPUTS, INPUTS).unwrap();
            assert_eq!(file.part("file", "int8.weight").is_ok(), kept);
            assert_eq!(file.part("file", "int8.weight.scale").is_ok(), kept);
        }
    }
}
