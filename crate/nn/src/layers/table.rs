//! Tables whose rows are looked up by number, such as the embeddings of words.

use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};

use crate::ops::indices;
use crate::weights::formats::Stored;

/// A table of `[rows, columns]`. Clones share it.
#[derive(Clone)]
pub(crate) enum Table {
    /// In f32, on its device.
    OnDevice(Tensor<2>),
    /// In the CPU's memory, in the format of its file. A text needs a few of many thousands of rows, and only these are
    /// widened to f32.
    InMemory { matrix: Arc<Stored>, shape: [usize; 2], device: Device },
}

impl Table {
    /// Whether the table is on this device and of this shape.
    pub fn is(&self, device: &Device, shape: [usize; 2]) -> bool {
        self.device() == *device && self.shape() == shape
    }

    /// The device that selected rows are on.
    pub fn device(&self) -> Device {
        match self {
            Self::OnDevice(table) => table.device(),
            Self::InMemory { device, .. } => device.clone(),
        }
    }

    /// `[rows, columns]`
    pub fn shape(&self) -> [usize; 2] {
        match self {
            Self::OnDevice(table) => table.dims(),
            Self::InMemory { shape, .. } => *shape,
        }
    }

    /// The rows with these numbers, `[rows.len(), columns]`.
    pub fn select(&self, rows: &[usize]) -> Tensor<2> {
        match self {
            Self::OnDevice(table) => table.clone().select(0, indices(rows.iter().copied(), &table.device())),
            Self::InMemory { matrix, shape: [_, columns], device } => {
                let values: Vec<f32> = rows.iter().flat_map(|&row| matrix.rows(row..row + 1, *columns)).collect();
                Tensor::from_data(TensorData::new(values, [rows.len(), *columns]), device)
            }
        }
    }
}
