//! A matrix on its way to a device, a few rows at a time.

use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};
use safetensors::tensor::{Dtype, TensorInfo};

use crate::error::PackError;
use crate::weights::formats::{Floats, Stored, format_of, is_scale};
use crate::weights::reserve;

/// Values that go to the device at once: 1 MiB in f32.
const PIECE: usize = 256 * 1024;

/// Smaller matrices stay in memory, where the CPU prepares them.
pub(crate) const SMALL: usize = 16 * 1024;

pub(crate) struct Placing {
    device: Device,
    dtype: Dtype,
    /// The columns in the file.
    columns: usize,
    /// The scales of the rows that are still to come.
    scales: Vec<f32>,
    /// The scales of each row.
    row_scales: usize,
    /// The bytes that the matrix takes on the device.
    bytes_on_device: u64,
    /// The bytes of the rows that go at once.
    piece: usize,
    /// The bytes that have arrived in all.
    taken: usize,
    /// The bytes that wait for their piece to be full.
    rows: Vec<u8>,
    placed: Vec<Tensor<2>>,
    /// What is wrong with a row.
    wrong: Option<String>,
}

impl Placing {
    /// `None` for a tensor that stays in memory: one that is no matrix, a small one, scales, and a matrix whose scales
    /// did not come before it.
    pub fn new(
        name: &str,
        info: &TensorInfo,
        scales: impl FnOnce(&[usize]) -> Option<Floats>,
        device: &Device,
    ) -> Option<Self> {
        let &[rows, columns] = info.shape.as_slice() else { return None };
        if rows.saturating_mul(columns) < SMALL || is_scale(name) {
            return None;
        }
        let format = format_of(info.dtype)?;
        let shape = format.shape(&info.shape)?;
        let scales = match format.scales(&info.shape) {
            Some(shape) => scales(&shape)?,
            None => Floats::of(&[]),
        };
        Some(Self {
            device: device.clone(),
            dtype: info.dtype,
            columns,
            row_scales: scales.len() / rows,
            scales: scales.range(0..scales.len()),
            bytes_on_device: rows as u64 * shape[1] as u64 * size_of::<f32>() as u64,
            piece: (PIECE / columns).clamp(1, rows) * (columns * info.dtype.bitsize() / 8),
            taken: 0,
            rows: Vec::new(),
            placed: Vec::new(),
            wrong: None,
        })
    }

    /// Where the matrix goes.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The bytes that it takes there.
    pub fn bytes_on_device(&self) -> u64 {
        self.bytes_on_device
    }

    /// The bytes that have arrived.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the next bytes of the matrix.
    ///
    /// # Errors
    /// [`PackError::Memory`] if there is no memory for a piece.
    pub fn take(&mut self, mut bytes: &[u8], path: &str) -> Result<(), PackError> {
        self.taken += bytes.len();
        while !bytes.is_empty() {
            if self.rows.capacity() == 0 {
                self.rows = reserve(path, self.piece)?;
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

    /// Widens the rows that wait and sends them to the device.
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

    /// The matrix in f32, once all of it has arrived; or what is wrong with it.
    pub fn finish(mut self) -> Result<Tensor<2>, String> {
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
