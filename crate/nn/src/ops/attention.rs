//! Attention (Vaswani et al. 2017, "Attention Is All You Need").

use std::ops::Range;

use burn::tensor::module::attention as fused_attention;
use burn::tensor::ops::AttentionModuleOptions;
use burn::tensor::{Tensor, TensorData};

use crate::kernels::softmax::softmax_numerators;
use crate::kernels::{float, simd, tiles};
use crate::ops::bias::Bias;
use crate::ops::rows::joined;
use crate::ops::{on_cpu, values};
use crate::threads::share_out;

/// Scores that a GPU holds at once: WebGPU guarantees bindings of 128 MiB, and these are 96 MiB.
const GPU_SCORES: usize = 24 * 1024 * 1024;

/// Scores that the CPU computes at once: 512 KiB, which stay in the second-level cache between their three passes.
const CPU_SCORES: usize = 128 * 1024;

/// A thread takes at least this many scores: fewer are not worth the call.
const LEAST_SCORES: usize = 16 * 1024;

/// Keys and values to attend to, `[batch, heads, keys, width]` each.
#[derive(Clone)]
pub(crate) struct KeysValues {
    pub keys: Tensor<4>,
    pub values: Tensor<4>,
}

impl KeysValues {
    /// These, followed by `more`.
    pub fn extend(self, more: Self) -> Self {
        Self {
            keys: Tensor::cat(vec![self.keys, more.keys], 2),
            values: Tensor::cat(vec![self.values, more.values], 2),
        }
    }
}

/// softmax(q k' scale + bias) v, with the heads side by side again: `q` of `[batch, heads, queries, width]` to
/// `[batch * queries, heads * width]`.
pub(crate) fn attention(q: Tensor<4>, to: KeysValues, bias: &Bias, scale: f64) -> Tensor<2> {
    if on_cpu(&q) { by_kernels(q, to, bias, scale as f32) } else { composed(q, to, bias, scale) }
}

fn composed(q: Tensor<4>, to: KeysValues, bias: &Bias, scale: f64) -> Tensor<2> {
    let [batch, heads, queries, width] = q.dims();
    let keys = to.keys.dims()[2];
    let block = (GPU_SCORES / (batch * heads * keys)).clamp(1, queries);
    let mixed = (0..queries).step_by(block).map(|first| {
        let block = block.min(queries - first);
        let bias = bias.tensor(first, block, keys, &q.device());
        let q = q.clone().narrow(2, first, block);
        let options = AttentionModuleOptions { scale: Some(scale), ..Default::default() };
        fused_attention(q, to.keys.clone(), to.values.clone(), None, bias, options)
    });
    Tensor::cat(mixed.collect(), 2).swap_dims(1, 2).reshape([batch * queries, heads * width])
}

/// On the CPU, with the texts shared out to threads, or the heads if there is one text.
fn by_kernels(q: Tensor<4>, to: KeysValues, bias: &Bias, scale: f32) -> Tensor<2> {
    let [batch, heads, queries, width] = q.dims();
    let threads = batch * heads * queries * to.keys.dims()[2] / LEAST_SCORES;
    let part = |texts: Range<usize>, of_heads: Range<usize>| {
        let shape = [texts.len() * queries, of_heads.len() * width];
        Tensor::from_data(TensorData::new(attend(&q, &to, bias, scale, texts, of_heads), shape), &q.device())
    };
    match batch {
        1 => joined(share_out(heads, threads, |of_heads| part(0..1, of_heads)), 1),
        _ => joined(share_out(batch, threads, |texts| part(texts, 0..heads)), 0),
    }
}

/// The result for some heads of some texts, `[texts * queries, heads * width]`. The scores of a few heads and queries
/// at a time are computed, turned into weights and multiplied by the values while they are in cache. The whole matrix
/// of scores never exists.
fn attend(
    q: &Tensor<4>,
    to: &KeysValues,
    bias: &Bias,
    scale: f32,
    texts: Range<usize>,
    of_heads: Range<usize>,
) -> Vec<f32> {
    let [_, _, queries, width] = q.dims();
    let (keys, heads) = (to.keys.dims()[2], of_heads.len());
    let by_panels = simd::FAST && queries >= tiles::ROWS;
    let block = (CPU_SCORES / keys).clamp(1, queries);
    let group = if by_panels { 1 } else { (CPU_SCORES / (block * keys)).clamp(1, heads) };
    let mut output = vec![0.0; texts.len() * queries * heads * width];
    let mut sums = Vec::new();
    for text in texts.clone() {
        for head in of_heads.clone().step_by(group) {
            let group = group.min(of_heads.end - head);
            let of_group = |x: &Tensor<4>| x.clone().narrow(0, text, 1).narrow(1, head, group);
            let (q, to_keys, to_values) = (of_group(q), of_group(&to.keys), of_group(&to.values));
            let products = match by_panels {
                true => Products::by_panels(q, to_keys, to_values),
                false => Products::Burn { q, transposed: to_keys.transpose(), values: to_values },
            };
            for query in (0..queries).step_by(block) {
                let block = block.min(queries - query);
                let mut scores = products.scores(query, block);
                sums.clear();
                let rows = (head..head + group).flat_map(|head| (query..query + block).map(move |query| (head, query)));
                for (row, (head, query)) in scores.chunks_exact_mut(keys).zip(rows) {
                    sums.push(softmax_numerators(row, scale, bias.row(text, head, query, keys)));
                }
                let mixed = products.mix(scores, block);
                for (i, (mixed, sum)) in mixed.chunks_exact(width).zip(&sums).enumerate() {
                    let (head, query) = (head + i / block, query + i % block);
                    let row = (text - texts.start) * queries + query;
                    let place = (row * heads + head - of_heads.start) * width;
                    for (out, x) in output[place..place + width].iter_mut().zip(mixed) {
                        *out = x / sum;
                    }
                }
            }
        }
    }
    output
}

/// The two products of attention, for a few heads of one text.
enum Products {
    /// By Burn: `q` is `[1, heads, queries, width]`, `transposed` the keys as `[1, heads, width, keys]`, and `values`
    /// `[1, heads, keys, width]`.
    Burn { q: Tensor<4>, transposed: Tensor<4>, values: Tensor<4> },
    /// By [`float`], for one head: `q` is `[queries, width]`.
    Panels { q: Vec<f32>, keys: float::Matrix, values: float::Matrix },
}

impl Products {
    fn by_panels(q: Tensor<4>, to_keys: Tensor<4>, to_values: Tensor<4>) -> Self {
        let width = q.dims()[3];
        let keys = float::Matrix::of_rows(&values(to_keys), width);
        let values = float::Matrix::of_columns(&values(to_values), width);
        Self::Panels { q: self::values(q), keys, values }
    }

    /// The scores of `queries` queries from `first` on, `[heads * queries, keys]`.
    fn scores(&self, first: usize, queries: usize) -> Vec<f32> {
        match self {
            Self::Burn { q, transposed, .. } => values(q.clone().narrow(2, first, queries).matmul(transposed.clone())),
            Self::Panels { q, keys, .. } => {
                let [width, _] = keys.shape();
                keys.multiply(&q[first * width..(first + queries) * width], &[])
            }
        }
    }

    /// The values mixed by the weights: `[heads * queries, keys]` to `[heads * queries, width]`.
    fn mix(&self, weights: Vec<f32>, queries: usize) -> Vec<f32> {
        match self {
            Self::Burn { values, .. } => {
                let [_, heads, keys, _] = values.dims();
                let weights = TensorData::new(weights, [1, heads, queries, keys]);
                self::values(Tensor::from_data(weights, &values.device()).matmul(values.clone()))
            }
            Self::Panels { values, .. } => values.multiply(&weights, &[]),
        }
    }
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;
    use crate::ops::tests::{assert_equal, noise};

    #[test]
    fn attention_on_the_cpu_equals_the_composed() {
        // The first is computed in groups of heads, the last in blocks of queries.
        for (batch, heads, queries, keys) in
            [(3, 5, 20, 20), (1, 3, 1, 300), (2, 1, 7, 11), (2, 2, 500, 400), (1, 2, 450, 450)]
        {
            let q = noise([batch, heads, queries, 8], 4);
            let to = KeysValues { keys: noise([batch, heads, keys, 8], 5), values: noise([batch, heads, keys, 8], 6) };
            let span = queries + keys - 1;
            let by_distance: Vec<f32> = values(noise([heads * span], 7));
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
                let lengths: Vec<usize> = (0..batch).map(|text| keys - 9 * text).collect();
                biases.extend([None, Some(lengths)].map(|lengths| Bias::Window { reach: 4, lengths }));
            }
            for bias in biases {
                let found = attention(q.clone(), to.clone(), &bias, 0.3);
                assert_equal(found, composed(q.clone(), to.clone(), &bias, 0.3));
            }
        }
    }
}
