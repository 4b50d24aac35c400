//! The tensors of a safetensors file, taken in as its bytes come: each by itself, so that the file is never in memory as a whole
//! and a tensor can go once a model has been made of it. Where a device has memory of its own, matrices go there in pieces.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};
use safetensors::tensor::{Dtype, Metadata, TensorInfo};

use crate::PackError;
use crate::device::largest_tensor;
use crate::weights::formats::int8::BLOCK;
use crate::weights::formats::{Floats, Stored, is_scale, scale_of};

/// The bytes of a file that say how long its header is.
const LENGTH: usize = 8;

/// The longest header that is read: safetensors' own limit.
const LONGEST_HEADER: u64 = 100_000_000;

/// The values of a matrix that go to a device at once: 1 MiB in f32.
const PIECE: usize = 256 * 1024;

/// Matrices of fewer values stay in memory, where what is small is made into a model by the CPU.
const SMALL: usize = 16 * 1024;

/// The tensors of a file by name.
pub(crate) struct TensorFile {
    tensors: HashMap<String, Held>,
}

/// A tensor of a file.
pub(crate) struct Held {
    dtype: Dtype,
    shape: Vec<usize>,
    data: RefCell<Data>,
}

enum Data {
    /// As the file has it.
    Bytes(Arc<Vec<u8>>),
    /// On a device, or what is wrong with it.
    Placed(Result<Tensor<2>, String>),
    /// A model has been made of it.
    Gone,
}

/// What a model is made of.
pub(crate) enum Part {
    /// In memory.
    Stored(Stored),
    /// A matrix on the device.
    Placed(Tensor<2>),
}

impl TensorFile {
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    pub fn get(&self, name: &str) -> Option<&Held> {
        self.tensors.get(name)
    }

    /// A tensor, and the shape of its values.
    ///
    /// # Errors
    /// [`PackError::Tensor`] for a type that is not read here, scales that are missing, values that are no numbers, and a tensor
    /// that is gone.
    pub fn part(&self, path: &str, name: &str) -> Result<(Vec<usize>, Part), PackError> {
        let wrong = |reason: String| PackError::Tensor { path: path.to_owned(), tensor: name.to_owned(), reason };
        let held = self.tensors.get(name).ok_or_else(|| wrong("it is not there".to_owned()))?;
        let bytes = match &*held.data.borrow() {
            Data::Bytes(bytes) => bytes.clone(),
            Data::Placed(Ok(tensor)) => return Ok((tensor.dims().to_vec(), Part::Placed(tensor.clone()))),
            Data::Placed(Err(reason)) => return Err(wrong(reason.clone())),
            Data::Gone => return Err(wrong("a model has been made of it, and it was let go of".to_owned())),
        };
        let scales = |shape: &[usize]| {
            let missing = || format!("no {} of shape {shape:?} in floats", scale_of(name));
            self.scales(name, shape).ok_or_else(missing)
        };
        let (shape, stored) = Stored::new(held.dtype, &held.shape, bytes, scales).map_err(wrong)?;
        Ok((shape, Part::Stored(stored)))
    }

    /// A tensor that is in memory, as all are natively, and the shape of its values.
    ///
    /// # Errors
    /// As [`TensorFile::part`].
    #[cfg(not(target_family = "wasm"))]
    pub fn stored(&self, path: &str, name: &str) -> Result<(Vec<usize>, Stored), PackError> {
        match self.part(path, name)? {
            (shape, Part::Stored(stored)) => Ok((shape, stored)),
            (shape, Part::Placed(_)) => {
                let reason = format!("its shape {shape:?} is larger than what the CPU reads here");
                Err(PackError::Tensor { path: path.to_owned(), tensor: name.to_owned(), reason })
            }
        }
    }

    /// Lets go of a matrix, of which nothing more will be made, and of its scales.
    pub fn let_go(&self, name: &str) {
        if let Some(held) = self.tensors.get(name).filter(|held| held.shape.len() == 2) {
            let scales = self.tensors.get(&scale_of(name)).into_iter();
            scales.chain([held]).for_each(|held| drop(held.data.replace(Data::Gone)));
        }
    }

    fn scales(&self, name: &str, shape: &[usize]) -> Option<Floats> {
        let scales = self.tensors.get(&scale_of(name)).filter(|scales| scales.shape == shape)?;
        match &*scales.data.borrow() {
            Data::Bytes(bytes) => Floats::new(scales.dtype, bytes.clone()),
            _ => None,
        }
    }
}

impl Held {
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

/// A file that is being taken in.
pub(crate) struct TensorReader {
    path: String,
    /// The bytes that there will be.
    bytes: u64,
    /// Where matrices go.
    device: Option<Device>,
    state: State,
}

enum State {
    /// So much of the length and the header.
    Header(Vec<u8>),
    Body(Body),
    Failed(PackError),
}

struct Body {
    /// The tensors to come, the last first.
    to_come: Vec<(String, TensorInfo)>,
    /// The one that is coming, with what is there of it.
    coming: Option<(String, TensorInfo, Coming)>,
    file: TensorFile,
}

enum Coming {
    Bytes(Vec<u8>),
    Placing(Placing),
}

impl TensorReader {
    /// For a file of so many bytes. With a device, matrices go there as they come.
    pub fn new(path: &str, bytes: u64, device: Option<&Device>) -> Self {
        Self { path: path.to_owned(), bytes, device: device.cloned(), state: State::Header(Vec::new()) }
    }

    /// Takes the next bytes in. What is wrong with them is said at the end, for it is wrong of the file only if they are the file's.
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
                        return Err(self.unreadable(format!("its header has {length} bytes")));
                    }
                    if header.len() > LENGTH && header.len() == wanted(header) {
                        self.begin()?;
                    }
                }
                State::Body(body) => {
                    bytes = body.take(bytes, &self.path)?;
                    body.next(self.device.as_ref(), &self.path)?;
                    if body.coming.is_none() && !bytes.is_empty() {
                        return Err(self.unreadable("it goes on behind its last tensor".to_owned()));
                    }
                }
            }
        }
        Ok(())
    }

    /// Goes from the header to the tensors.
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
        let mut body = Body { to_come, coming: None, file: TensorFile { tensors: HashMap::new() } };
        body.next(self.device.as_ref(), &self.path)?;
        self.state = State::Body(body);
        Ok(())
    }

    /// The tensors of the whole file.
    ///
    /// # Errors
    /// [`PackError::Unreadable`] for what is no safetensors file, [`PackError::Memory`] where it does not fit.
    pub fn finish(self) -> Result<TensorFile, PackError> {
        match self.state {
            State::Failed(error) => Err(error),
            State::Body(Body { coming: None, file, .. }) => Ok(file),
            _ => Err(self.unreadable("it ends before its tensors do".to_owned())),
        }
    }

    fn unreadable(&self, reason: String) -> PackError {
        PackError::Unreadable { path: self.path.clone(), reason }
    }
}

/// What the first bytes of a file say of the length of its header.
fn length(start: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(*start.first_chunk()?))
}

/// The bytes of the length, or of it and the header where it is there.
fn wanted(start: &[u8]) -> usize {
    LENGTH + length(start).map_or(0, |length| usize::try_from(length).unwrap_or(usize::MAX - LENGTH))
}

impl Body {
    /// Begins with the next tensor that has any bytes, where none is coming.
    fn next(&mut self, device: Option<&Device>, path: &str) -> Result<(), PackError> {
        while self.coming.is_none()
            && let Some((name, info)) = self.to_come.pop()
        {
            let bytes = info.data_offsets.1 - info.data_offsets.0;
            let coming = match device.and_then(|device| Placing::of(&name, &info, &self.file, device)) {
                Some(placing) if placing.whole > largest_tensor(&placing.device) => {
                    return Err(PackError::Memory { path: path.to_owned(), bytes: placing.whole });
                }
                Some(placing) => Coming::Placing(placing),
                None => Coming::Bytes(reserved(path, bytes)?),
            };
            self.coming = Some((name, info, coming));
            if bytes == 0 {
                self.end();
            }
        }
        Ok(())
    }

    /// Takes bytes of the tensor that is coming, and gives back those behind it.
    fn take<'a>(&mut self, bytes: &'a [u8], path: &str) -> Result<&'a [u8], PackError> {
        let Some((_, info, coming)) = &mut self.coming else { return Ok(bytes) };
        let whole = info.data_offsets.1 - info.data_offsets.0;
        let left = match coming {
            Coming::Bytes(there) => {
                let more = bytes.len().min(whole - there.len());
                there.extend_from_slice(&bytes[..more]);
                (whole - there.len(), &bytes[more..])
            }
            Coming::Placing(placing) => {
                let more = bytes.len().min(whole - placing.taken);
                placing.take(&bytes[..more], path)?;
                (whole - placing.taken, &bytes[more..])
            }
        };
        if left.0 == 0 {
            self.end();
        }
        Ok(left.1)
    }

    /// The tensor that was coming is there.
    fn end(&mut self) {
        if let Some((name, info, coming)) = self.coming.take() {
            let data = match coming {
                Coming::Bytes(bytes) => Data::Bytes(Arc::new(bytes)),
                Coming::Placing(placing) => Data::Placed(placing.end()),
            };
            let held = Held { dtype: info.dtype, shape: info.shape, data: RefCell::new(data) };
            self.file.tensors.insert(name, held);
        }
    }
}

/// Room for so many bytes.
///
/// # Errors
/// [`PackError::Memory`] where there is none.
pub(crate) fn reserved(path: &str, bytes: usize) -> Result<Vec<u8>, PackError> {
    let mut room = Vec::new();
    match room.try_reserve_exact(bytes) {
        Ok(()) => Ok(room),
        Err(_) => Err(PackError::Memory { path: path.to_owned(), bytes: bytes as u64 }),
    }
}

/// A matrix on its way to a device, some rows at a time.
struct Placing {
    device: Device,
    dtype: Dtype,
    /// The columns as they are stored.
    columns: usize,
    scales: Vec<f32>,
    /// How many of the scales a row has.
    row_scales: usize,
    /// The bytes that it will have on the device.
    whole: u64,
    /// The bytes of the rows that go at once.
    piece: usize,
    /// The bytes that have come in all.
    taken: usize,
    rows: Vec<u8>,
    placed: Vec<Tensor<2>>,
    /// What is wrong with a row.
    wrong: Option<String>,
}

impl Placing {
    /// For a matrix that is large, and whose scales, if it has some, came before it. Scales stay in memory.
    fn of(name: &str, info: &TensorInfo, file: &TensorFile, device: &Device) -> Option<Self> {
        let &[rows, columns] = info.shape.as_slice() else { return None };
        if rows.saturating_mul(columns) < SMALL || is_scale(name) {
            return None;
        }
        let scales = match info.dtype {
            Dtype::F32 | Dtype::F16 | Dtype::BF16 => Vec::new(),
            Dtype::I8 => file.scales(name, &[rows])?.widen(),
            Dtype::U8 => file.scales(name, &[rows, 2 * columns / BLOCK])?.widen(),
            _ => return None,
        };
        let row_bytes = columns * info.dtype.bitsize() / 8;
        let row_values = if info.dtype == Dtype::U8 { 2 * columns } else { columns };
        let piece = (PIECE / columns).clamp(1, rows) * row_bytes;
        Some(Self {
            device: device.clone(),
            dtype: info.dtype,
            columns,
            row_scales: scales.len() / rows,
            scales,
            whole: rows as u64 * row_values as u64 * size_of::<f32>() as u64,
            piece,
            taken: 0,
            rows: Vec::new(),
            placed: Vec::new(),
            wrong: None,
        })
    }

    fn take(&mut self, mut bytes: &[u8], path: &str) -> Result<(), PackError> {
        self.taken += bytes.len();
        while !bytes.is_empty() {
            if self.rows.capacity() == 0 {
                self.rows = reserved(path, self.piece)?;
            }
            let more = bytes.len().min(self.piece - self.rows.len());
            self.rows.extend_from_slice(&bytes[..more]);
            bytes = &bytes[more..];
            if self.rows.len() == self.piece {
                self.place();
            }
        }
        Ok(())
    }

    fn place(&mut self) {
        let bytes = std::mem::take(&mut self.rows);
        let rows = bytes.len() * 8 / (self.columns * self.dtype.bitsize());
        let scales: Vec<f32> = self.scales.drain(..rows * self.row_scales).collect();
        match Stored::new(self.dtype, &[rows, self.columns], Arc::new(bytes), |_| Ok(Floats::of(&scales))) {
            Ok((shape, stored)) => {
                let data = TensorData::new(stored.widen(), [shape[0], shape[1]]);
                self.placed.push(Tensor::from_data(data, &self.device));
            }
            Err(reason) => self.wrong = Some(reason),
        }
    }

    fn end(mut self) -> Result<Tensor<2>, String> {
        if !self.rows.is_empty() {
            self.place();
        }
        match self.wrong {
            Some(reason) => Err(reason),
            None if self.placed.len() == 1 => Ok(self.placed.remove(0)),
            None => Ok(Tensor::cat(self.placed, 0)),
        }
    }
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use safetensors::tensor::TensorView;

    use super::*;
    use crate::weights::formats::int4;
    use crate::weights::formats::int8;

    const ROWS: usize = 300;
    const COLUMNS: usize = 2048;

    fn noise() -> Vec<f32> {
        (0..ROWS * COLUMNS).map(|i| ((i * 2_654_435_761) >> 9) as f32 % 2001.0 / 1000.0 - 1.0).collect()
    }

    fn in_f32(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// A file with one matrix in f32, one in int8 and one of 4 bits.
    fn file() -> Vec<u8> {
        let values = noise();
        let (mut bytes, mut steps) = (Vec::new(), Vec::new());
        int8::to_int8(&values, COLUMNS, &mut bytes, &mut steps);
        let bytes: Vec<u8> = bytes.into_iter().map(i8::cast_unsigned).collect();
        let (pairs, scales) = int4::to_int4(&values);
        let scales: Vec<u8> = scales.into_iter().flat_map(|scale| scale.to_le_bytes()).collect();
        let (values, steps) = (in_f32(&values), in_f32(&steps));
        let views = [
            ("floats", Dtype::F32, vec![ROWS, COLUMNS], &values),
            ("int8", Dtype::I8, vec![ROWS, COLUMNS], &bytes),
            ("int8.scale", Dtype::F32, vec![ROWS], &steps),
            ("int4", Dtype::U8, vec![ROWS, COLUMNS / 2], &pairs),
            ("int4.scale", Dtype::F16, vec![ROWS, COLUMNS / 32], &scales),
            ("nothing", Dtype::F32, vec![0], &Vec::new()),
        ];
        let views = views.map(|(name, dtype, shape, bytes)| (name, TensorView::new(dtype, shape, bytes).unwrap()));
        safetensors::serialize(views, None).unwrap()
    }

    fn taken(bytes: &[u8], stride: usize, device: Option<&Device>) -> Result<TensorFile, PackError> {
        let mut reader = TensorReader::new("file", bytes.len() as u64, device);
        bytes.chunks(stride).for_each(|piece| reader.push(piece));
        reader.finish()
    }

    fn values(file: &TensorFile, name: &str) -> (bool, Vec<f32>) {
        match file.part("file", name).unwrap().1 {
            Part::Stored(stored) => (false, stored.widen()),
            Part::Placed(tensor) => (true, tensor.into_data().try_into_vec().unwrap()),
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
    fn what_is_no_number_is_said_of_its_tensor() {
        let mut bytes = file();
        let end = bytes.len();
        let (length, _) = bytes.split_first_chunk().unwrap();
        // The header names the tensor that a byte of the body is in: the scales and the floats come first.
        let body = LENGTH + u64::from_le_bytes(*length) as usize;
        bytes[body..end].chunks_mut(4).take(10_000).for_each(|value| value.copy_from_slice(&f32::NAN.to_le_bytes()));
        let file = taken(&bytes, 10_000, Some(&Device::flex())).unwrap();
        let error = file.part("file", "floats").err().expect("an error");
        assert!(error.to_string().contains("tensor floats in file") && error.to_string().contains("not a number"));
    }

    #[test]
    fn a_file_that_ends_early_or_late_is_none() {
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
