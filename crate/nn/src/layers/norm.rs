//! Normalisation with learnt weights.

use burn::tensor::Tensor;
use burn::tensor::module::layer_norm;

use crate::error::PackError;
use crate::layers::loader::Loader;
use crate::ops::norm::rms_norm;

/// Layer normalisation with a weight and usually a bias (Ba et al. 2016, "Layer Normalization").
pub(crate) struct LayerNorm {
    /// `[width]`
    weight: Tensor<1>,
    /// `[width]`
    bias: Option<Tensor<1>>,
    epsilon: f64,
}

impl LayerNorm {
    /// The norm `name`, with `{name}.weight` and `{name}.bias`.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub fn load(loader: &Loader, name: &str, width: usize, epsilon: f64) -> Result<Self, PackError> {
        Ok(Self {
            weight: loader.vector(&format!("{name}.weight"), width)?,
            bias: Some(loader.vector(&format!("{name}.bias"), width)?),
            epsilon,
        })
    }

    /// The norm `name`, with `{name}.weight` alone.
    ///
    /// # Errors
    /// As [`Loader::table`].
    #[cfg(not(target_family = "wasm"))]
    pub fn without_bias(loader: &Loader, name: &str, width: usize, epsilon: f64) -> Result<Self, PackError> {
        Ok(Self { weight: loader.vector(&format!("{name}.weight"), width)?, bias: None, epsilon })
    }

    /// `[tokens, width]` to the same.
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        layer_norm(x, self.weight.clone(), self.bias.clone(), self.epsilon)
    }
}

/// Normalisation by the root mean square, without a mean or a bias (Zhang and Sennrich 2019), as T5 has it.
pub(crate) struct RmsNorm {
    /// `[width]`
    weight: Tensor<1>,
    /// The weight again, in the CPU's memory.
    values: Vec<f32>,
    epsilon: f64,
}

impl RmsNorm {
    /// The norm `name`, with `{name}.weight`.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub fn load(loader: &Loader, name: &str, width: usize, epsilon: f64) -> Result<Self, PackError> {
        let name = format!("{name}.weight");
        Ok(Self { weight: loader.vector(&name, width)?, values: loader.values(&name, &[width])?, epsilon })
    }

    /// `[tokens, width]` to the same.
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        rms_norm(x, &self.weight, &self.values, self.epsilon)
    }
}
