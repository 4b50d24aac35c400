//! Tables whose rows are looked up by their number, such as the embeddings of words.

use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};

use crate::models::batch::indices;
use crate::weights::formats::Stored;

/// A table of `[rows, columns]`. Clones share it.
#[derive(Clone)]
pub(crate) enum Table {
    /// On its device, in f32.
    Placed(Tensor<2>),
    /// In the memory of the CPU, in the form that its file has: a text asks for a few rows of many thousands, and these
    /// alone are widened.
    Stored { matrix: Arc<Stored>, shape: [usize; 2], device: Device },
}

impl Table {
    /// Whether it is on this device and of this shape.
    pub fn is(&self, device: &Device, shape: [usize; 2]) -> bool {
        self.device() == *device && self.shape() == shape
    }

    pub fn device(&self) -> Device {
        match self {
            Self::Placed(table) => table.device(),
            Self::Stored { device, .. } => device.clone(),
        }
    }

    /// `[rows, columns]`
    pub fn shape(&self) -> [usize; 2] {
        match self {
            Self::Placed(table) => table.dims(),
            Self::Stored { shape, .. } => *shape,
        }
    }

    /// These rows, one below the other: `[rows.len(), columns]`.
    pub fn select(&self, rows: &[usize]) -> Tensor<2> {
        match self {
            Self::Placed(table) => table.clone().select(0, indices(rows.iter().copied(), &table.device())),
            Self::Stored { matrix, shape: [_, columns], device } => {
                let values: Vec<f32> = rows.iter().flat_map(|&row| matrix.rows(row..row + 1, *columns)).collect();
                Tensor::from_data(TensorData::new(values, [rows.len(), *columns]), device)
            }
        }
    }
}
