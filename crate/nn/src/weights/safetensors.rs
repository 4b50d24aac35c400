//! A safetensors file, read as its bytes arrive. Each tensor has memory of its own, so the file never has to be in
//! memory as a whole, and a tensor can be freed once a model has been made of it. Where a device has its own memory,
//! large matrices go there in pieces.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use burn::tensor::{Device, Tensor};
use safetensors::tensor::{Dtype, Metadata, TensorInfo};

use crate::device::largest_tensor;
use crate::error::PackError;
use crate::weights::formats::{Floats, Stored, scale_of};
use crate::weights::placing::Placing;
use crate::weights::reserve;
use crate::wrong_file::START;

/// The bytes at the start of a file that say how long its header is.
const LENGTH: usize = 8;

/// The longest header that is read: the limit of the safetensors crate.
const LONGEST_HEADER: u64 = 100_000_000;

/// The tensors of a file by name.
pub(crate) struct TensorFile {
    tensors: HashMap<String, FileTensor>,
}

/// A tensor of a file.
pub(crate) struct FileTensor {
    dtype: Dtype,
    shape: Vec<usize>,
    data: RefCell<Data>,
}

enum Data {
    /// In memory, as the file has it.
    Bytes(Arc<Vec<u8>>),
    /// On a device, or what is wrong with it.
    OnDevice(Result<Tensor<2>, String>),
    /// Freed: a model has been made of it.
    Freed,
}

/// A tensor that was read.
pub(crate) enum ReadTensor {
    InMemory(Stored),
    /// A matrix in f32.
    OnDevice(Tensor<2>),
}

impl TensorFile {
    /// The names of its tensors, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// The tensor of this name.
    pub fn get(&self, name: &str) -> Option<&FileTensor> {
        self.tensors.get(name)
    }

    /// Reads a tensor. Returns the shape of its values with it.
    ///
    /// # Errors
    /// [`PackError::Tensor`] for a type that is not read here, missing scales, a value that is not a number, and a
    /// tensor that was freed.
    pub fn read(&self, path: &str, name: &str) -> Result<(Vec<usize>, ReadTensor), PackError> {
        let wrong = |reason: String| PackError::Tensor { path: path.to_owned(), tensor: name.to_owned(), reason };
        let tensor = self.tensors.get(name).ok_or_else(|| wrong("it is not there".to_owned()))?;
        let bytes = match &*tensor.data.borrow() {
            Data::Bytes(bytes) => bytes.clone(),
            Data::OnDevice(Ok(tensor)) => return Ok((tensor.dims().to_vec(), ReadTensor::OnDevice(tensor.clone()))),
            Data::OnDevice(Err(reason)) => return Err(wrong(reason.clone())),
            Data::Freed => return Err(wrong("it was freed when a model had been made of it".to_owned())),
        };
        let scales = |shape: &[usize]| {
            let missing = || format!("no {} of shape {shape:?} in floats", scale_of(name));
            self.scales(name, shape).ok_or_else(missing)
        };
        let (shape, stored) = Stored::new(tensor.dtype, &tensor.shape, bytes, scales).map_err(wrong)?;
        Ok((shape, ReadTensor::InMemory(stored)))
    }

    /// Reads a tensor that is in memory, as all are natively. Returns the shape of its values with it.
    ///
    /// # Errors
    /// As [`TensorFile::read`].
    #[cfg(not(target_family = "wasm"))]
    pub fn read_stored(&self, path: &str, name: &str) -> Result<(Vec<usize>, Stored), PackError> {
        match self.read(path, name)? {
            (shape, ReadTensor::InMemory(stored)) => Ok((shape, stored)),
            (shape, ReadTensor::OnDevice(_)) => {
                let reason = format!("its shape {shape:?} is larger than what the CPU reads here");
                Err(PackError::Tensor { path: path.to_owned(), tensor: name.to_owned(), reason })
            }
        }
    }

    /// Frees a matrix and its scales. Nothing more can be made of it.
    pub fn free(&self, name: &str) {
        if let Some(tensor) = self.tensors.get(name).filter(|tensor| tensor.shape.len() == 2) {
            let scales = self.tensors.get(&scale_of(name)).into_iter();
            scales.chain([tensor]).for_each(|tensor| drop(tensor.data.replace(Data::Freed)));
        }
    }

    /// The scales of a matrix, if they are in memory and of this shape.
    fn scales(&self, name: &str, shape: &[usize]) -> Option<Floats> {
        let scales = self.tensors.get(&scale_of(name)).filter(|scales| scales.shape == shape)?;
        match &*scales.data.borrow() {
            Data::Bytes(bytes) => Floats::new(scales.dtype, bytes.clone()),
            _ => None,
        }
    }
}

impl FileTensor {
    /// The type in the file.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The shape in the file.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The bytes in the file.
    pub fn bytes(&self) -> u64 {
        self.shape.iter().product::<usize>() as u64 * self.dtype.bitsize() as u64 / 8
    }
}

/// A file that is being read.
pub(crate) struct TensorReader {
    path: String,
    /// The size of the file in bytes.
    bytes: u64,
    /// Where large matrices go.
    device: Option<Device>,
    state: State,
}

enum State {
    /// What has arrived of the length and the header.
    Header(Vec<u8>),
    Body(Body),
    Failed(PackError),
}

struct Body {
    /// The tensors that have not begun, the last one first.
    to_come: Vec<(String, TensorInfo)>,
    /// The tensor that is arriving.
    arriving: Option<(String, TensorInfo, Arriving)>,
    file: TensorFile,
}

enum Arriving {
    InMemory(Vec<u8>),
    OnDevice(Placing),
}

impl TensorReader {
    /// Reads a file of so many bytes. Large matrices go to the device, if there is one.
    pub fn new(path: &str, bytes: u64, device: Option<&Device>) -> Self {
        Self { path: path.to_owned(), bytes, device: device.cloned(), state: State::Header(Vec::new()) }
    }

    /// Takes the next bytes. [`TensorReader::finish`] returns any error: until the file's hash is checked, the fault
    /// may lie with the transfer and not with the file.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Err(error) = self.take(bytes) {
            self.state = State::Failed(error);
        }
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<(), PackError> {
        while !bytes.is_empty() {
            match &mut self.state {
                State::Failed(_) => return Ok(()),
                State::Header(header) => {
                    let more = bytes.len().min(wanted(header) - header.len());
                    header.extend_from_slice(&bytes[..more]);
                    bytes = &bytes[more..];
                    if let Some(length) = length(header)
                        && length > LONGEST_HEADER.min(self.bytes.saturating_sub(LENGTH as u64))
                    {
                        let start = [header, &bytes[..bytes.len().min(START)]].concat();
                        let symptom = || format!("its header has {length} bytes");
                        return Err(PackError::of_start(&self.path, &start, symptom));
                    }
                    if header.len() >= LENGTH && header.len() == wanted(header) {
                        self.begin()?;
                    }
                }
                State::Body(body) => {
                    bytes = body.take(bytes, &self.path)?;
                    body.next(self.device.as_ref(), &self.path)?;
                    if body.arriving.is_none() && !bytes.is_empty() {
                        return Err(self.unreadable("it goes on after its last tensor".to_owned()));
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads the header and goes on to the tensors.
    fn begin(&mut self) -> Result<(), PackError> {
        let State::Header(header) = &self.state else { return Ok(()) };
        let read = serde_json::from_slice(&header[LENGTH..]);
        let metadata: Metadata = read.map_err(|error| self.unreadable(format!("its header: {error}")))?;
        if header.len().saturating_add(metadata.data_len()) as u64 != self.bytes {
            return Err(self.unreadable("its size is not what its header says".to_owned()));
        }
        let tensors = metadata.tensors().into_iter().map(|(name, info)| (name, info.clone()));
        let mut to_come: Vec<(String, TensorInfo)> = tensors.collect();
        to_come.sort_by_key(|(_, info)| std::cmp::Reverse(info.data_offsets));
        let mut body = Body { to_come, arriving: None, file: TensorFile { tensors: HashMap::new() } };
        body.next(self.device.as_ref(), &self.path)?;
        self.state = State::Body(body);
        Ok(())
    }

    /// The tensors, once the whole file has arrived.
    ///
    /// # Errors
    /// [`PackError::Unreadable`] and [`PackError::WrongFile`] for what is not a safetensors file, [`PackError::Memory`]
    /// if it does not fit.
    pub fn finish(self) -> Result<TensorFile, PackError> {
        match self.state {
            State::Failed(error) => Err(error),
            State::Body(Body { arriving: None, file, .. }) => Ok(file),
            _ => Err(self.unreadable("it ends before its tensors do".to_owned())),
        }
    }

    fn unreadable(&self, reason: String) -> PackError {
        PackError::Unreadable { path: self.path.clone(), reason }
    }
}

/// The length of the header, if its eight bytes are there.
fn length(start: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(*start.first_chunk()?))
}

/// The bytes to wait for: those of the length, then those of the header too.
fn wanted(start: &[u8]) -> usize {
    LENGTH + length(start).map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX - LENGTH))
}

impl Body {
    /// Begins with the next tensor, unless one is arriving. Tensors without bytes are done at once.
    fn next(&mut self, device: Option<&Device>, path: &str) -> Result<(), PackError> {
        while self.arriving.is_none()
            && let Some((name, info)) = self.to_come.pop()
        {
            let bytes = info.data_offsets.1 - info.data_offsets.0;
            let scales = |shape: &[usize]| self.file.scales(&name, shape);
            let arriving = match device.and_then(|device| Placing::new(&name, &info, scales, device)) {
                Some(placing) if placing.bytes_on_device() > largest_tensor(placing.device()) => {
                    return Err(PackError::Memory { path: path.to_owned(), bytes: placing.bytes_on_device() });
                }
                Some(placing) => Arriving::OnDevice(placing),
                None => Arriving::InMemory(reserve(path, bytes)?),
            };
            self.arriving = Some((name, info, arriving));
            if bytes == 0 {
                self.end();
            }
        }
        Ok(())
    }

    /// Takes the bytes of the tensor that is arriving and returns those after it.
    fn take<'a>(&mut self, bytes: &'a [u8], path: &str) -> Result<&'a [u8], PackError> {
        let Some((_, info, arriving)) = &mut self.arriving else { return Ok(bytes) };
        let whole = info.data_offsets.1 - info.data_offsets.0;
        let (left, rest) = match arriving {
            Arriving::InMemory(there) => {
                let more = bytes.len().min(whole - there.len());
                there.extend_from_slice(&bytes[..more]);
                (whole - there.len(), &bytes[more..])
            }
            Arriving::OnDevice(placing) => {
                let more = bytes.len().min(whole - placing.taken());
                placing.take(&bytes[..more], path)?;
                (whole - placing.taken(), &bytes[more..])
            }
        };
        if left == 0 {
            self.end();
        }
        Ok(rest)
    }

    /// Adds the tensor that has arrived to the file.
    fn end(&mut self) {
        if let Some((name, info, arriving)) = self.arriving.take() {
            let data = match arriving {
                Arriving::InMemory(bytes) => Data::Bytes(Arc::new(bytes)),
                Arriving::OnDevice(placing) => Data::OnDevice(placing.finish()),
            };
            let tensor = FileTensor { dtype: info.dtype, shape: info.shape, data: RefCell::new(data) };
            self.file.tensors.insert(name, tensor);
        }
    }
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use safetensors::tensor::TensorView;

    use super::*;
    use crate::weights::formats::{F32, Format, INT4, INT8, Narrowed};
    use crate::weights::placing::SMALL;

    const ROWS: usize = 300;
    const COLUMNS: usize = 2048;

    fn noise() -> Vec<f32> {
        (0..ROWS * COLUMNS).map(|i| ((i * 2_654_435_761) >> 9) as f32 % 2001.0 / 1000.0 - 1.0).collect()
    }

    /// A file with the same matrix in f32, in int8 and in 4 bits.
    fn file() -> Vec<u8> {
        let formats: [(&str, &dyn Format); 3] = [("floats", &F32), ("int8", &INT8), ("int4", &INT4)];
        let narrowed = formats.map(|(name, format)| (name, format, format.narrow(&noise(), &[ROWS, COLUMNS])));
        let mut views = vec![("nothing".to_owned(), TensorView::new(Dtype::F32, vec![0], &[]).unwrap())];
        for (name, format, Narrowed { shape, bytes, scales }) in &narrowed {
            views.push((name.to_string(), TensorView::new(format.dtype(), shape.clone(), bytes).unwrap()));
            if let Some((dtype, bytes)) = scales {
                let shape = format.scales(shape).unwrap();
                views.push((scale_of(name), TensorView::new(*dtype, shape, bytes).unwrap()));
            }
        }
        safetensors::serialize(views, None).unwrap()
    }

    fn taken(bytes: &[u8], stride: usize, device: Option<&Device>) -> Result<TensorFile, PackError> {
        let mut reader = TensorReader::new("file", bytes.len() as u64, device);
        bytes.chunks(stride).for_each(|piece| reader.push(piece));
        reader.finish()
    }

    fn values(file: &TensorFile, name: &str) -> (bool, Vec<f32>) {
        match file.read("file", name).unwrap().1 {
            ReadTensor::InMemory(stored) => (false, stored.widen()),
            ReadTensor::OnDevice(tensor) => (true, tensor.into_data().try_into_vec().unwrap()),
        }
    }

    #[test]
    fn pieces_of_any_size_give_the_same_tensors_in_memory_and_on_a_device() {
        let bytes = file();
        let whole = taken(&bytes, bytes.len(), None).unwrap();
        let placed = [1 << 20, 65_536, 4_099].map(|stride| taken(&bytes, stride, Some(&Device::flex())).unwrap());
        let in_memory = taken(&bytes, 777, None).unwrap();
        for name in ["floats", "int8", "int4", "int8.scale", "nothing"] {
            let (_, expected) = values(&whole, name);
            assert_eq!(values(&in_memory, name), (false, expected.clone()), "{name}");
            let large = expected.len() >= SMALL;
            assert!(placed.iter().all(|file| values(file, name) == (large, expected.clone())), "{name}");
        }
    }

    #[test]
    fn a_value_that_is_not_a_number_names_its_tensor() {
        let mut bytes = file();
        let end = bytes.len();
        let (length, _) = bytes.split_first_chunk().unwrap();
        // The header names the tensor that a byte of the body is in: the scales and the floats come first.
        let body = LENGTH + u64::from_le_bytes(*length) as usize;
        bytes[body..end].chunks_mut(4).take(10_000).for_each(|value| value.copy_from_slice(&f32::NAN.to_le_bytes()));
        let file = taken(&bytes, 10_000, Some(&Device::flex())).unwrap();
        let error = file.read("file", "floats").err().expect("an error");
        assert!(error.to_string().contains("tensor floats in file") && error.to_string().contains("not a number"));
    }

    #[test]
    fn a_file_that_ends_early_or_late_is_refused() {
        let bytes = file();
        let short = |length: usize| {
            let mut reader = TensorReader::new("file", bytes.len() as u64, None);
            reader.push(&bytes[..length]);
            reader.finish().err().expect("an error").code()
        };
        for length in [0, 7, 8, 100, 1_000, bytes.len() - 1] {
            assert_eq!(short(length), "pack-corrupt", "{length}");
        }
        let long = [&bytes[..], b"!"].concat();
        assert_eq!(taken(&long, 1_000, None).err().expect("an error").code(), "pack-corrupt");
        for length in [u64::MAX, 1 << 62, LONGEST_HEADER + 1] {
            let start = length.to_le_bytes();
            assert_eq!(taken(&start, 3, None).err().expect("an error").code(), "pack-corrupt");
        }
    }
}
