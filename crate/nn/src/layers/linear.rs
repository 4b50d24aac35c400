//! Linear layers.

use std::sync::Arc;

use burn::tensor::module::linear;
use burn::tensor::{Device, Tensor, TensorData};

use crate::kernels::{float, int8, simd};
use crate::ops::{self, is_cpu};

/// y = x W + b. Clones share the weight.
#[derive(Clone)]
pub(crate) enum Linear {
    /// By Burn, with the weight as `[inputs, outputs]`.
    Burn { weight: Tensor<2>, bias: Option<Tensor<1>> },
    /// By [`float`]. The bias may be empty.
    Float { weight: Arc<float::Matrix>, bias: Vec<f32> },
    /// By [`int8`]. The bias may be empty.
    Int8 { weight: Arc<int8::Matrix>, bias: Vec<f32> },
}

impl Linear {
    /// From a weight as checkpoints store it, `[outputs, inputs]`, and a bias that may be empty.
    pub fn new(weight: Vec<f32>, [outputs, inputs]: [usize; 2], bias: Vec<f32>, device: &Device) -> Self {
        if simd::FAST && is_cpu(device) {
            return Self::Float { weight: Arc::new(float::Matrix::of_rows(&weight, inputs)), bias };
        }
        let bias = (!bias.is_empty()).then(|| Tensor::from_data(TensorData::new(bias, [outputs]), device));
        let weight = Tensor::<2>::from_data(TensorData::new(weight, [outputs, inputs]), device);
        Self::Burn { weight: weight.transpose(), bias }
    }

    /// A head whose weight is the table of embeddings, `[outputs, inputs]`.
    pub fn tied(embeddings: Tensor<2>) -> Self {
        Self::Burn { weight: embeddings.transpose(), bias: None }
    }

    /// Whether the layer is on this device and of this shape.
    pub fn is(&self, device: &Device, inputs: usize, outputs: usize) -> bool {
        match self {
            Self::Burn { weight, .. } => weight.device() == *device && weight.dims() == [inputs, outputs],
            Self::Float { weight, .. } => is_cpu(device) && weight.shape() == [inputs, outputs],
            Self::Int8 { weight, .. } => is_cpu(device) && weight.shape() == [inputs, outputs],
        }
    }

    /// `[rows, inputs]` to `[rows, outputs]`
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        match self {
            Self::Burn { weight, bias } => linear(x, weight.clone(), bias.clone()),
            Self::Float { weight, bias } => ops::linear::linear(x, weight.shape()[1], |x| weight.multiply(x, bias)),
            Self::Int8 { weight, bias } => ops::linear::linear(x, weight.shape()[1], |x| weight.multiply(x, bias)),
        }
    }
}
