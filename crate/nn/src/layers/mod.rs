//! The layers that the architectures share. Activations are matrices, one row a token: `[tokens, width]`.
//!
//! What is called `composed` is made of Burn's operations and runs on every device; on the CPU, [`cpu`] does the same in
//! fewer passes over memory.

pub(crate) mod encoder;
pub(crate) mod relative;
pub(crate) mod table;

use std::sync::Arc;

use burn::tensor::module::{attention as fused_attention, layer_norm, linear};
use burn::tensor::ops::AttentionModuleOptions;
use burn::tensor::{Device, Int, Tensor, TensorData, activation};

use crate::PackError;
use crate::kernels::{float, int8, simd};
use crate::ops::cpu;
use crate::weights::Weights;

/// y = x W + b. Clones share the weight.
#[derive(Clone)]
pub(crate) enum Linear {
    /// By Burn, with the weight as `[inputs, outputs]`.
    Burn { weight: Tensor<2>, bias: Option<Tensor<1>> },
    /// By [`float`]; the bias may be empty.
    Float { weight: Arc<float::Matrix>, bias: Vec<f32> },
    /// By [`int8`]; the bias may be empty.
    Int8 { weight: Arc<int8::Matrix>, bias: Vec<f32> },
}

impl Linear {
    /// From a weight as checkpoints store it, `[outputs, inputs]`, and a bias that may be empty.
    pub fn new(weight: Vec<f32>, [outputs, inputs]: [usize; 2], bias: Vec<f32>, device: &Device) -> Self {
        if simd::FAST && cpu::is(device) {
            return Self::Float { weight: Arc::new(float::Matrix::of_rows(&weight, inputs)), bias };
        }
        let bias = (!bias.is_empty()).then(|| Tensor::from_data(TensorData::new(bias, [outputs]), device));
        let weight = Tensor::<2>::from_data(TensorData::new(weight, [outputs, inputs]), device);
        Self::Burn { weight: weight.transpose(), bias }
    }

    /// The head that is the table of embeddings, `[outputs, inputs]`, once more.
    pub fn tied(embeddings: Tensor<2>) -> Self {
        Self::Burn { weight: embeddings.transpose(), bias: None }
    }

    /// Whether it is on this device and of this shape.
    pub fn is(&self, device: &Device, inputs: usize, outputs: usize) -> bool {
        match self {
            Self::Burn { weight, .. } => weight.device() == *device && weight.dims() == [inputs, outputs],
            Self::Float { weight, .. } => cpu::is(device) && weight.shape() == [inputs, outputs],
            Self::Int8 { weight, .. } => cpu::is(device) && weight.shape() == [inputs, outputs],
        }
    }

    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        match self {
            Self::Burn { weight, bias } => linear(x, weight.clone(), bias.clone()),
            Self::Float { weight, bias } => cpu::linear(x, weight.shape(), |x| weight.multiply(x, bias)),
            Self::Int8 { weight, bias } => cpu::linear(x, weight.shape(), |x| weight.multiply(x, bias)),
        }
    }
}

/// Layer normalisation with weight and bias (BERT).
pub(crate) struct LayerNorm {
    weight: Tensor<1>,
    bias: Tensor<1>,
    epsilon: f64,
}

impl LayerNorm {
    pub fn load(weights: &Weights, name: &str, width: usize, epsilon: f64) -> Result<Self, PackError> {
        Ok(Self {
            weight: weights.vector(&format!("{name}.weight"), width)?,
            bias: weights.vector(&format!("{name}.bias"), width)?,
            epsilon,
        })
    }

    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        layer_norm(x, self.weight.clone(), Some(self.bias.clone()), self.epsilon)
    }
}

/// Normalisation by the root mean square, without a mean or a bias (T5).
pub(crate) struct RmsNorm {
    weight: Tensor<1>,
    /// The weight once more, where the CPU finds it.
    values: Vec<f32>,
    epsilon: f64,
}

impl RmsNorm {
    pub fn load(weights: &Weights, name: &str, width: usize, epsilon: f64) -> Result<Self, PackError> {
        let name = format!("{name}.weight");
        Ok(Self { weight: weights.vector(&name, width)?, values: weights.values(&name, &[width])?, epsilon })
    }

    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        if cpu::holds(&x) { cpu::rms_norm(x, &self.values, self.epsilon as f32) } else { self.composed(x) }
    }

    fn composed(&self, x: Tensor<2>) -> Tensor<2> {
        let mean_square = (x.clone() * x.clone()).mean_dim(1);
        x / (mean_square + self.epsilon).sqrt() * self.weight.clone().unsqueeze()
    }
}

/// The elementwise function between two linear layers, by its name in config.json.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    Relu,
    /// x Phi(x), by the error function: "gelu".
    Gelu,
    /// Its approximation by tanh: "gelu_new", "gelu_pytorch_tanh".
    GeluTanh,
    Silu,
}

impl Activation {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "relu" => Self::Relu,
            "gelu" => Self::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" => Self::GeluTanh,
            "silu" | "swish" => Self::Silu,
            _ => return None,
        })
    }

    pub fn forward(self, x: Tensor<2>) -> Tensor<2> {
        if cpu::holds(&x) { cpu::activate(x, self) } else { self.composed(x) }
    }

    fn composed(self, x: Tensor<2>) -> Tensor<2> {
        match self {
            Self::Relu => activation::relu(x),
            Self::Gelu => activation::gelu(x),
            Self::GeluTanh => activation::gelu_approximate(x),
            Self::Silu => activation::silu(x),
        }
    }

    /// f(a) b for a and b side by side, `[tokens, 2 * width]` to `[tokens, width]`.
    pub fn gate(self, x: Tensor<2>) -> Tensor<2> {
        if cpu::holds(&x) { cpu::gate(x, self) } else { self.composed_gate(x) }
    }

    fn composed_gate(self, x: Tensor<2>) -> Tensor<2> {
        let width = x.dims()[1] / 2;
        self.composed(x.clone().narrow(1, 0, width)) * x.narrow(1, width, width)
    }
}

/// Keys and values to attend to, `[batch, heads, keys, width]` each.
#[derive(Clone)]
pub(crate) struct KeysValues {
    pub keys: Tensor<4>,
    pub values: Tensor<4>,
}

impl KeysValues {
    /// These and then `more`, along the keys.
    pub fn extend(self, more: Self) -> Self {
        Self {
            keys: Tensor::cat(vec![self.keys, more.keys], 2),
            values: Tensor::cat(vec![self.values, more.values], 2),
        }
    }
}

/// Projections that lie side by side, `[batch * length, PARTS * heads * width]`, as `[batch, heads, length, width]` each.
pub(crate) fn split_heads<const PARTS: usize>(x: Tensor<2>, batch: usize, heads: usize) -> [Tensor<4>; PARTS] {
    if cpu::holds(&x) { cpu::split_heads(x, batch, heads) } else { composed_split(x, batch, heads) }
}

fn composed_split<const PARTS: usize>(x: Tensor<2>, batch: usize, heads: usize) -> [Tensor<4>; PARTS] {
    let [rows, columns] = x.dims();
    let x = x.reshape([batch, rows / batch, PARTS * heads, columns / (PARTS * heads)]).swap_dims(1, 2);
    std::array::from_fn(|part| x.clone().narrow(1, part * heads, heads))
}

/// What is added to attention scores before their softmax.
pub(crate) enum Bias {
    /// Nothing.
    None,
    /// Minus infinity at the padding: one length for each text of the batch, behind which keys do not count.
    Padding(Vec<usize>),
    /// A value by head and by how far the key is after the query, from the farthest before it: `[heads, span]` where
    /// span is queries + keys - 1. The row of a query is a window of its head's values.
    /// With `lengths`, one for each text of the batch, minus infinity at the padding too.
    ByDistance { values: Vec<f32>, span: usize, lengths: Option<Vec<usize>> },
    /// Minus infinity for keys after the query, and for those that are `window` or more before it.
    Causal { window: usize },
    /// A value for each head, query and key of each text: made by [`Bias::by_pair`].
    ByPair {
        /// `[batch, heads, queries, keys]`
        tensor: Tensor<4>,
        /// The same once more, where the CPU finds it.
        values: Vec<f32>,
    },
}

impl Bias {
    /// `scores`, `[batch, heads, queries, keys]`, and another bias on top of them.
    pub fn by_pair(scores: Tensor<4>, other: &Self) -> Self {
        let [_, _, queries, keys] = scores.dims();
        let tensor = match other.tensor(0, queries, keys, &scores.device()) {
            Some(other) => scores + other,
            None => scores,
        };
        let values = if cpu::holds(&tensor) { cpu::values(tensor.clone()) } else { Vec::new() };
        Self::ByPair { tensor, values }
    }

    /// The row of one query.
    pub fn row(&self, text: usize, head: usize, query: usize, keys: usize) -> cpu::Row<'_> {
        let plain = cpu::Row { within: 0..keys, added: None };
        match self {
            Self::None => plain,
            Self::Padding(lengths) => cpu::Row { within: 0..lengths[text], ..plain },
            Self::Causal { window } => {
                cpu::Row { within: (query + 1).saturating_sub(*window)..keys.min(query + 1), ..plain }
            }
            Self::ByPair { tensor, values } => {
                let [_, heads, queries, _] = tensor.dims();
                let start = ((text * heads + head) * queries + query) * keys;
                cpu::Row { added: Some(&values[start..start + keys]), ..plain }
            }
            Self::ByDistance { values, span, lengths } => {
                let start = head * span + (span - keys) - query;
                let within = 0..lengths.as_ref().map_or(keys, |lengths| lengths[text]);
                cpu::Row { within, added: Some(&values[start..start + keys]) }
            }
        }
    }

    /// The rows of `queries` from `first` on, to broadcast over `[batch, heads, queries, keys]`.
    fn tensor(&self, first: usize, queries: usize, keys: usize, device: &Device) -> Option<Tensor<4>> {
        match self {
            Self::None => None,
            Self::ByPair { tensor, .. } => Some(tensor.clone().narrow(2, first, queries)),
            Self::Causal { window } => {
                let counts = |query: usize, key: usize| key <= query && query - key < *window;
                let value = |query: usize, key: usize| if counts(query, key) { 0.0 } else { f32::MIN };
                let row = |query: usize| (0..keys).map(move |key| value(query, key));
                let values: Vec<f32> = (first..first + queries).flat_map(row).collect();
                Some(Tensor::from_data(TensorData::new(values, [1, 1, queries, keys]), device))
            }
            Self::Padding(lengths) => Some(padding(lengths, keys, device)),
            Self::ByDistance { values, span, lengths } => {
                let heads = values.len() / span;
                let table = Tensor::<2>::from_data(TensorData::new(values.clone(), [heads, *span]), device);
                let before =
                    Tensor::<1, Int>::arange(first as i64..(first + queries) as i64, device).reshape([queries, 1]);
                let window = Tensor::<1, Int>::arange(0..keys as i64, device).reshape([1, keys]);
                let places = (window - before + (span - keys) as i64).reshape([queries * keys]);
                let by_distance = table.select(1, places).reshape([1, heads, queries, keys]);
                Some(match lengths {
                    Some(lengths) => by_distance + padding(lengths, keys, device),
                    None => by_distance,
                })
            }
        }
    }
}

/// Minus infinity behind the end of each text, `[batch, 1, 1, keys]`.
fn padding(lengths: &[usize], keys: usize, device: &Device) -> Tensor<4> {
    let hidden = |length: usize| (0..keys).map(move |key| if key < length { 0.0 } else { f32::MIN });
    let values: Vec<f32> = lengths.iter().flat_map(|&length| hidden(length)).collect();
    Tensor::from_data(TensorData::new(values, [lengths.len(), 1, 1, keys]), device)
}

/// The most scores that a GPU holds at once: WebGPU promises 128 MiB in one binding.
const SCORES: usize = 24 * 1024 * 1024;

/// softmax(q k' scale + bias) v, its heads side by side again: `[batch * queries, heads * width]`.
///
/// `q` is `[batch, heads, queries, width]`.
pub(crate) fn attention(q: Tensor<4>, to: KeysValues, bias: &Bias, scale: f64) -> Tensor<2> {
    if cpu::holds(&q) { cpu::attention(q, to, bias, scale as f32) } else { composed_attention(q, to, bias, scale) }
}

fn composed_attention(q: Tensor<4>, to: KeysValues, bias: &Bias, scale: f64) -> Tensor<2> {
    let [batch, heads, queries, width] = q.dims();
    let keys = to.keys.dims()[2];
    let block = (SCORES / (batch * heads * keys)).clamp(1, queries);
    let mixed = (0..queries).step_by(block).map(|first| {
        let block = block.min(queries - first);
        let bias = bias.tensor(first, block, keys, &q.device());
        let q = q.clone().narrow(2, first, block);
        let options = AttentionModuleOptions { scale: Some(scale), ..Default::default() };
        fused_attention(q, to.keys.clone(), to.values.clone(), None, bias, options)
    });
    Tensor::cat(mixed.collect(), 2).swap_dims(1, 2).reshape([batch * queries, heads * width])
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;

    /// Values of both signs without a pattern, some of them large.
    fn noise<const D: usize>(shape: [usize; D], seed: u32) -> Tensor<D> {
        let value = |i: u32| {
            let hash = (i + seed).wrapping_mul(2_654_435_761);
            ((hash ^ (hash >> 15)) % 10_007) as f32 / 1_000.0 - 5.0
        };
        let values: Vec<f32> = (0..shape.iter().product::<usize>() as u32).map(value).collect();
        Tensor::from_data(TensorData::new(values, shape), &Device::flex())
    }

    fn assert_equal(found: Tensor<2>, composed: Tensor<2>) {
        assert_eq!(found.dims(), composed.dims());
        let (found, composed) = (found.into_data(), composed.into_data());
        for (a, b) in found.as_slice::<f32>().unwrap().iter().zip(composed.as_slice::<f32>().unwrap()) {
            assert!((a - b).abs() < 1e-5 * b.abs().max(1.0), "{a} where the composed gives {b}");
        }
    }

    #[test]
    fn norms_on_the_cpu_equal_the_composed() {
        let weight = noise([37], 1);
        let norm = RmsNorm { values: weight.clone().into_data().try_into_vec().unwrap(), weight, epsilon: 1e-6 };
        let x = noise([19, 37], 2);
        assert_equal(norm.forward(x.clone()), norm.composed(x));
    }

    #[test]
    fn activations_on_the_cpu_equal_the_composed() {
        for activation in [Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu] {
            let x = noise([23, 70], 3);
            assert_equal(activation.forward(x.clone()), activation.composed(x.clone()));
            assert_equal(activation.gate(x.clone()), activation.composed_gate(x));
        }
    }

    #[test]
    fn heads_on_the_cpu_are_split_as_by_the_composed() {
        let x = noise([3 * 7, 3 * 5 * 4], 9);
        let (found, composed) = (split_heads::<3>(x.clone(), 3, 5), composed_split::<3>(x, 3, 5));
        for (found, composed) in found.into_iter().zip(composed) {
            assert_eq!(found.dims(), [3, 5, 7, 4]);
            assert_eq!(cpu::values(found), cpu::values(composed));
        }
    }

    #[test]
    fn attention_on_the_cpu_equals_the_composed() {
        // The last is long enough to be done in blocks of queries, the first in groups of heads.
        for (batch, heads, queries, keys) in
            [(3, 5, 20, 20), (1, 3, 1, 300), (2, 1, 7, 11), (2, 2, 500, 400), (1, 2, 450, 450)]
        {
            let q = noise([batch, heads, queries, 8], 4);
            let to = KeysValues { keys: noise([batch, heads, keys, 8], 5), values: noise([batch, heads, keys, 8], 6) };
            let span = queries + keys - 1;
            let by_distance: Vec<f32> = noise([heads * span], 7).into_data().try_into_vec().unwrap();
            let by_distance = |lengths| Bias::ByDistance { values: by_distance.clone(), span, lengths };
            let lengths: Vec<usize> = (0..batch).map(|text| keys - 3 * text).collect();
            let by_pair = noise([batch, heads, queries, keys], 8);
            let mut biases = vec![
                Bias::None,
                Bias::by_pair(by_pair, &Bias::Padding(lengths.clone())),
                by_distance(None),
                by_distance(Some(lengths.clone())),
                Bias::Padding(lengths),
            ];
            if queries == keys {
                biases.extend([7, usize::MAX].map(|window| Bias::Causal { window }));
            }
            for bias in biases {
                let found = attention(q.clone(), to.clone(), &bias, 0.3);
                assert_equal(found, composed_attention(q.clone(), to.clone(), &bias, 0.3));
            }
        }
    }
}
