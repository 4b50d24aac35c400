//! What takes the CPU backend several passes over memory, or a call of `exp` for every element, done in one vectorised
//! pass instead. Matrix products stay Burn's. Loops are written so that the compiler turns them into vector
//! instructions: fixed-size lanes, no branches, polynomials in place of library functions.

use std::ops::Range;

use burn::tensor::{Device, Tensor, TensorData};

use crate::kernels::{float, simd, tiles};
use crate::layers::{Activation, Bias, KeysValues};
use crate::threads::{joined, share_out};

/// Elements that a loop works on at a time: two registers of four, which every target has.
const LANES: usize = 8;

/// The most scores that are computed at once: they stay in the second-level cache between their three passes.
const SCORES: usize = 128 * 1024;

/// Whether this is the CPU, where the code here can work.
#[cfg(feature = "cpu")]
pub(crate) fn is(device: &Device) -> bool {
    *device == Device::flex()
}

#[cfg(not(feature = "cpu"))]
pub(crate) fn is(_: &Device) -> bool {
    false
}

/// Whether a tensor is on the CPU.
pub(crate) fn holds<const D: usize>(x: &Tensor<D>) -> bool {
    is(&x.device())
}

/// A linear layer of `[inputs, outputs]` by one of the products of slices.
pub(crate) fn linear(x: Tensor<2>, [_, outputs]: [usize; 2], multiply: impl FnOnce(&[f32]) -> Vec<f32>) -> Tensor<2> {
    let (rows, device) = (x.dims()[0], x.device());
    let y = multiply(x.into_data().as_slice().expect("activations are f32"));
    Tensor::from_data(TensorData::new(y, [rows, outputs]), &device)
}

/// See [`crate::layers::split_heads`].
pub(crate) fn split_heads<const PARTS: usize>(x: Tensor<2>, batch: usize, heads: usize) -> [Tensor<4>; PARTS] {
    let ([rows, columns], device) = (x.dims(), x.device());
    let (length, width) = (rows / batch, columns / (PARTS * heads));
    let x = x.into_data();
    let x: &[f32] = x.as_slice().expect("activations are f32");
    std::array::from_fn(|part| {
        let mut split = Vec::with_capacity(rows * heads * width);
        for text in x.chunks_exact(length * columns) {
            for head in 0..heads {
                let first = (part * heads + head) * width;
                text.chunks_exact(columns).for_each(|row| split.extend_from_slice(&row[first..first + width]));
            }
        }
        Tensor::from_data(TensorData::new(split, [batch, heads, length, width]), &device)
    })
}

/// The values of a tensor, in row-major order.
pub(crate) fn values<const D: usize>(x: Tensor<D>) -> Vec<f32> {
    x.into_data().try_into_vec().expect("activations are f32")
}

/// See [`crate::tasks::likelihood`].
pub(crate) fn log_softmax_at(logits: Tensor<2>, targets: &[u32]) -> Tensor<1> {
    let ([_, vocabulary], device) = (logits.dims(), logits.device());
    let logits = values(logits);
    let log_probability = |(row, &target): (&[f32], &u32)| {
        let max = fold(row, f32::NEG_INFINITY, at_least);
        row[target as usize] - max - sum(row, |x| exp(x - max)).ln()
    };
    let found: Vec<f32> = logits.chunks_exact(vocabulary).zip(targets).map(log_probability).collect();
    let length = found.len();
    Tensor::from_data(TensorData::new(found, [length]), &device)
}

/// Changes values in place; they are copied first where another tensor shares them.
fn edit<const D: usize>(x: Tensor<D>, change: impl FnOnce(&mut [f32])) -> Tensor<D> {
    let device = x.device();
    let mut data = x.into_data();
    change(data.as_mut_slice().expect("activations are f32"));
    Tensor::from_data(data, &device)
}

/// See [`crate::layers::RmsNorm`].
pub(crate) fn rms_norm(x: Tensor<2>, weight: &[f32], epsilon: f32) -> Tensor<2> {
    edit(x, |x| {
        for row in x.chunks_exact_mut(weight.len()) {
            let mean_square = sum(row, |x| x * x) / row.len() as f32;
            let scale = 1.0 / (mean_square + epsilon).sqrt();
            for (x, weight) in row.iter_mut().zip(weight) {
                *x *= scale * weight;
            }
        }
    })
}

/// See [`Activation::forward`].
pub(crate) fn activate(x: Tensor<2>, activation: Activation) -> Tensor<2> {
    edit(x, |x| apply(activation, x))
}

/// See [`Activation::gate`].
pub(crate) fn gate(x: Tensor<2>, activation: Activation) -> Tensor<2> {
    let [rows, columns] = x.dims();
    let (device, width) = (x.device(), columns / 2);
    let mut data = x.into_data();
    let values: &mut [f32] = data.as_mut_slice().expect("activations are f32");
    let mut gated = Vec::with_capacity(rows * width);
    for row in values.chunks_exact_mut(columns.max(1)) {
        let (a, b) = row.split_at_mut(width);
        apply(activation, a);
        gated.extend(a.iter().zip(b).map(|(a, b)| *a * *b));
    }
    Tensor::from_data(TensorData::new(gated, [rows, width]), &device)
}

fn apply(activation: Activation, x: &mut [f32]) {
    match activation {
        Activation::Relu => x.iter_mut().for_each(|x| *x = at_least(0.0, *x)),
        Activation::Gelu => x.iter_mut().for_each(|x| *x = gelu(*x)),
        Activation::GeluTanh => x.iter_mut().for_each(|x| *x = gelu_tanh(*x)),
        Activation::Silu => x.iter_mut().for_each(|x| *x = silu(*x)),
    }
}

/// The fewest scores that are worth a thread.
const LEAST_SCORES: usize = 16 * 1024;

/// See [`crate::layers::attention`]. Texts are shared out to threads, or the heads of one.
pub(crate) fn attention(q: Tensor<4>, to: KeysValues, bias: &Bias, scale: f32) -> Tensor<2> {
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

/// What these heads make of these texts, `[texts * queries, heads * width]`. The scores of a few heads and queries at a time are
/// multiplied, turned into weights and multiplied again while they are in cache; the whole score matrix never exists.
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
    let block = (SCORES / keys).clamp(1, queries);
    let group = if by_panels { 1 } else { (SCORES / (block * keys)).clamp(1, heads) };
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

/// The two products of attention, for some heads of a text.
enum Products {
    /// By Burn: `[1, heads, queries, width]`, `[1, heads, width, keys]`, `[1, heads, keys, width]`.
    Burn { q: Tensor<4>, transposed: Tensor<4>, values: Tensor<4> },
    /// By [`float`], for one head.
    Panels { q: Vec<f32>, keys: float::Matrix, values: float::Matrix },
}

impl Products {
    fn by_panels(q: Tensor<4>, to_keys: Tensor<4>, to_values: Tensor<4>) -> Self {
        let width = q.dims()[3];
        let keys = float::Matrix::of_rows(&values(to_keys), width);
        let values = float::Matrix::of_columns(&values(to_values), width);
        Self::Panels { q: self::values(q), keys, values }
    }

    /// Of `queries` from `first` on, `[heads * queries, keys]`.
    fn scores(&self, first: usize, queries: usize) -> Vec<f32> {
        match self {
            Self::Burn { q, transposed, .. } => values(q.clone().narrow(2, first, queries).matmul(transposed.clone())),
            Self::Panels { q, keys, .. } => {
                let [width, _] = keys.shape();
                keys.multiply(&q[first * width..(first + queries) * width], &[])
            }
        }
    }

    /// Of the weights of `queries`, the mixed values: `[heads * queries, width]`.
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

/// What happens to a row of scores before its softmax.
pub(crate) struct Row<'a> {
    /// The keys that count.
    pub within: Range<usize>,
    /// One value for each key of the whole row, if anything is added.
    pub added: Option<&'a [f32]>,
}

/// Turns scores into exp(scale score + added - max), those of keys that do not count into 0, and gives their sum.
fn softmax_numerators(row: &mut [f32], scale: f32, Row { within, added }: Row) -> f32 {
    row[..within.start].fill(0.0);
    row[within.end..].fill(0.0);
    let row = &mut row[within.clone()];
    match added {
        Some(added) => row.iter_mut().zip(&added[within]).for_each(|(x, added)| *x = *x * scale + added),
        None => row.iter_mut().for_each(|x| *x *= scale),
    }
    let max = fold(row, f32::NEG_INFINITY, at_least);
    row.iter_mut().for_each(|x| *x = exp(*x - max));
    sum(row, |x| x)
}

/// Folds lane by lane, then across the lanes.
fn fold(row: &[f32], start: f32, f: impl Fn(f32, f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [start; LANES];
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = f(*lane, *x);
        }
    }
    lanes.iter().chain(rest).fold(start, |a, b| f(a, *b))
}

fn sum(row: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += term(*x);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|x| term(*x)).sum::<f32>()
}

/// `f32::max` as the one instruction that vector units have for it; where x is not a number it stays so.
#[inline(always)]
fn at_least(low: f32, x: f32) -> f32 {
    if low > x { low } else { x }
}

/// e^x to 2e-7 of its value for x <= 88: 2^n e^r with |r| <= ln(2) / 2, e^r by its Taylor series. Below -87 it stays
/// at e^-87, which no sum notices.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23: adding it leaves the nearest integer in the lowest bits
    const LN_2_HIGH: f32 = 0.693_359_4; // few bits, so that n times it is exact
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = at_least(-87.0, x);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let series = 1.0 / 720.0;
    let series = series * r + 1.0 / 120.0;
    let series = series * r + 1.0 / 24.0;
    let series = series * r + 1.0 / 6.0;
    let series = series * r + 0.5;
    let series = series * r + 1.0;
    let series = series * r + 1.0;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    series * power
}

/// x Phi(x) with the complementary error function by Abramowitz and Stegun 7.1.26, which is off by at most 1.5e-7.
#[inline(always)]
fn gelu(x: f32) -> f32 {
    let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = 1.061_405_4 * t - 1.453_152;
    let series = series * t + 1.421_413_7;
    let series = series * t - 0.284_496_74;
    let series = series * t + 0.254_829_6;
    let half_erfc = 0.5 * series * t * exp(-z * z);
    let phi = if x > 0.0 { 1.0 - half_erfc } else { half_erfc };
    x * phi
}

/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), as x times a sigmoid: 1 + tanh(u) = 2 sigmoid(2 u).
#[inline(always)]
fn gelu_tanh(x: f32) -> f32 {
    const TWICE_SQRT_2_OVER_PI: f32 = 1.595_769;
    x * sigmoid(TWICE_SQRT_2_OVER_PI * (x + 0.044_715 * x * x * x))
}

#[inline(always)]
fn silu(x: f32) -> f32 {
    x * sigmoid(x)
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-at_least(-87.0, x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> impl Iterator<Item = f32> {
        (-40_000..=40_000).map(|i| i as f32 * 5e-4)
    }

    #[test]
    fn exp_is_the_library_s_to_the_last_digits() {
        for x in grid().chain([-86.9, 0.0, 87.0, 88.0]) {
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 3e-7, "{x}: {} for {exact}", exp(x));
        }
        assert!(exp(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn activations_are_their_formulas() {
        /// Phi by Simpson's rule, for the standard library has no error function.
        fn phi(x: f64) -> f64 {
            let step = x / 2000.0;
            let density = |x: f64| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
            let inner: f64 = (1..2000).map(|i| if i % 2 == 1 { 4.0 } else { 2.0 } * density(i as f64 * step)).sum();
            0.5 + step / 3.0 * (density(0.0) + inner + density(x))
        }
        for x in grid().step_by(50) {
            let wide = f64::from(x);
            let tanh =
                0.5 * wide * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (wide + 0.044715 * wide.powi(3))).tanh());
            for (name, found, exact) in [
                ("gelu", gelu(x), wide * phi(wide)),
                ("gelu_tanh", gelu_tanh(x), tanh),
                ("silu", silu(x), wide / (1.0 + (-wide).exp())),
            ] {
                assert!(
                    (f64::from(found) - exact).abs() < 1e-6 * exact.abs().max(1.0),
                    "{name}({x}): {found} for {exact}"
                );
            }
        }
    }
}
