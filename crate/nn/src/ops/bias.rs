//! What is added to attention scores before their softmax.

use burn::tensor::{Device, Int, Tensor, TensorData};

use crate::kernels::softmax::BiasRow;
use crate::ops::{on_cpu, values};

/// A bias on the scores of each query and key, `[batch, heads, queries, keys]`.
pub(crate) enum Bias {
    /// Nothing.
    None,
    /// Minus infinity for the padding. The keys of a text count up to its length, `[batch]`.
    Padding(Vec<usize>),
    /// A value by head and by how far the key is after the query, starting with the farthest key before it: `[heads,
    /// span]` with span = queries + keys - 1. A query's row is a window of its head's values. With `lengths`,
    /// `[batch]`, minus infinity for the padding too.
    ByDistance { values: Vec<f32>, span: usize, lengths: Option<Vec<usize>> },
    /// Minus infinity for keys after the query, and for those that are `window` or more before it.
    Causal { window: usize },
    /// Minus infinity for keys that are more than `reach` before or after the query. With `lengths`, `[batch]`, minus
    /// infinity for the padding too.
    #[cfg(not(target_family = "wasm"))]
    Window { reach: usize, lengths: Option<Vec<usize>> },
    /// A value of its own for each pair; [`Bias::by_pair`] makes one.
    ByPair {
        /// `[batch, heads, queries, keys]`
        tensor: Tensor<4>,
        /// The same values, if they are on the CPU.
        values: Vec<f32>,
    },
}

impl Bias {
    /// The sum of `scores`, `[batch, heads, queries, keys]`, and another bias.
    pub fn by_pair(scores: Tensor<4>, other: &Self) -> Self {
        let [_, _, queries, keys] = scores.dims();
        let tensor = match other.tensor(0, queries, keys, &scores.device()) {
            Some(other) => scores + other,
            None => scores,
        };
        let values = if on_cpu(&tensor) { values(tensor.clone()) } else { Vec::new() };
        Self::ByPair { tensor, values }
    }

    /// The row of one query.
    pub fn row(&self, text: usize, head: usize, query: usize, keys: usize) -> BiasRow<'_> {
        let plain = BiasRow { within: 0..keys, added: None };
        match self {
            Self::None => plain,
            Self::Padding(lengths) => BiasRow { within: 0..lengths[text], ..plain },
            Self::Causal { window } => {
                BiasRow { within: (query + 1).saturating_sub(*window)..keys.min(query + 1), ..plain }
            }
            #[cfg(not(target_family = "wasm"))]
            Self::Window { reach, lengths } => {
                let end = lengths.as_ref().map_or(keys, |lengths| lengths[text]);
                // A padding query attends to the same keys as the last token: its state is not used, but must not be
                // NaN.
                let query = query.min(end.saturating_sub(1));
                BiasRow { within: query.saturating_sub(*reach)..end.min(query + reach + 1), ..plain }
            }
            Self::ByPair { tensor, values } => {
                let [_, heads, queries, _] = tensor.dims();
                let start = ((text * heads + head) * queries + query) * keys;
                BiasRow { added: Some(&values[start..start + keys]), ..plain }
            }
            Self::ByDistance { values, span, lengths } => {
                let start = head * span + (span - keys) - query;
                let within = 0..lengths.as_ref().map_or(keys, |lengths| lengths[text]);
                BiasRow { within, added: Some(&values[start..start + keys]) }
            }
        }
    }

    /// The rows of `queries` queries from `first` on, to be broadcast over `[batch, heads, queries, keys]`.
    pub fn tensor(&self, first: usize, queries: usize, keys: usize, device: &Device) -> Option<Tensor<4>> {
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
            #[cfg(not(target_family = "wasm"))]
            Self::Window { lengths, .. } => {
                let texts = lengths.as_ref().map_or(1, Vec::len);
                let rows = (0..texts).flat_map(|text| (first..first + queries).map(move |query| (text, query)));
                let values = rows.flat_map(|(text, query)| {
                    let within = self.row(text, 0, query, keys).within;
                    (0..keys).map(move |key| if within.contains(&key) { 0.0 } else { f32::MIN })
                });
                let values: Vec<f32> = values.collect();
                Some(Tensor::from_data(TensorData::new(values, [texts, 1, queries, keys]), device))
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

/// Minus infinity after the end of each text, `[batch, 1, 1, keys]`.
fn padding(lengths: &[usize], keys: usize, device: &Device) -> Tensor<4> {
    let hidden = |length: usize| (0..keys).map(move |key| if key < length { 0.0 } else { f32::MIN });
    let values: Vec<f32> = lengths.iter().flat_map(|&length| hidden(length)).collect();
    Tensor::from_data(TensorData::new(values, [lengths.len(), 1, 1, keys]), device)
}
