//! Products with int8 weights on the CPU, by the 16-bit dot product of WebAssembly's SIMD.
//!
//! `i32x4.dot_i16x8_s` multiplies eight pairs and adds them two by two in one instruction, which makes these products
//! nearly twice as fast as f32's. A weight is exact in 16 bits. The activations are rounded to 16 bits, scaled by the
//! largest of each block of inputs of a row. That is far finer than the weights' own rounding: the probabilities of the
//! embedded pack differ from those of f32 products by less than 2e-4.

use crate::kernels::simd::{
    F32x4, I8x16, I16x8, I32x4, add_dot, bytes, floats, multiply, splat, splat_pair, to_floats, values, widen, zero,
};
use crate::kernels::tiles::{INPUT_BLOCK, OUTPUTS, ROWS, add_to, input_blocks, row_blocks, rows_of};

/// The largest magnitude of a rounded activation.
const LARGEST: f32 = 32_767.0;

/// A matrix of int8 weights with a scale for each output.
pub(crate) struct Matrix {
    inputs: usize,
    outputs: usize,
    /// `[input block, eight outputs, two inputs]`: for each of the outputs both inputs, one after the other.
    panels: Vec<I8x16>,
    /// `[eight outputs]`, 0 after the last output.
    scales: Vec<[F32x4; 2]>,
}

impl Matrix {
    /// From weights as checkpoints store them, `[outputs, inputs]`, each to be multiplied by its row's scale.
    pub fn new(weights: &[i8], scales: &[f32], inputs: usize) -> Self {
        let outputs = scales.len();
        let mut panels = Vec::with_capacity(inputs.div_ceil(2) * outputs.div_ceil(OUTPUTS));
        for block in input_blocks(inputs) {
            let weight = |output: usize, input: usize| match output < outputs && input < block.end {
                true => weights[output * inputs + input],
                false => 0,
            };
            for output in (0..outputs).step_by(OUTPUTS) {
                let pair = |input| bytes(std::array::from_fn(|lane| weight(output + lane / 2, input + lane % 2)));
                panels.extend(block.clone().step_by(2).map(pair));
            }
        }
        let scale = |output: usize| scales.get(output).copied().unwrap_or(0.0);
        let four = |output| floats(std::array::from_fn(|lane| scale(output + lane)));
        let scales = (0..outputs).step_by(OUTPUTS).map(|output| [four(output), four(output + 4)]).collect();
        Self { inputs, outputs, panels, scales }
    }

    /// `[inputs, outputs]`
    pub fn shape(&self) -> [usize; 2] {
        [self.inputs, self.outputs]
    }

    /// x W' + bias: `[rows, inputs]` to `[rows, outputs]`. An empty bias adds nothing.
    pub fn multiply(&self, x: &[f32], bias: &[f32]) -> Vec<f32> {
        let rows = x.len() / self.inputs;
        let mut y = if bias.is_empty() { vec![0.0; rows * self.outputs] } else { bias.repeat(rows) };
        match rows {
            1 => self.add::<1>(x, &mut y),
            _ => self.add::<ROWS>(x, &mut y),
        }
        y
    }

    fn add<const R: usize>(&self, x: &[f32], y: &mut [f32]) {
        let (mut packed, mut steps) = (Vec::new(), Vec::new());
        let mut wide = Vec::with_capacity(INPUT_BLOCK / 2);
        for (x, y) in row_blocks(x, y, self.inputs, self.outputs) {
            let mut panels = self.panels.as_slice();
            for block in input_blocks(self.inputs) {
                packed.clear();
                steps.clear();
                let groups = x.chunks(R * self.inputs);
                steps.extend(groups.map(|group| round(rows_of::<R>(group, self.inputs, &block), &mut packed)));
                let pairs = block.len().div_ceil(2);
                for (output, scales) in (0..self.outputs).step_by(OUTPUTS).zip(&self.scales) {
                    let panel;
                    (panel, panels) = panels.split_at(pairs);
                    if R > 1 {
                        wide.clear();
                        wide.extend(panel.iter().map(|pair| widen(*pair)));
                    }
                    let last = self.outputs.min(output + OUTPUTS);
                    let groups = packed.chunks_exact(pairs).zip(&steps).zip(y.chunks_mut(R * self.outputs));
                    for ((rows, steps), y) in groups {
                        let sums = match R {
                            // With a single row each weight is read once, so it is widened when it is read.
                            1 => tile(rows, panel.iter().map(|pair| widen(*pair))),
                            _ => tile(rows, wide.iter().copied()),
                        };
                        let sums = sums.into_iter().zip(steps).zip(y.chunks_exact_mut(self.outputs));
                        for (([left, right], step), y) in sums {
                            let scaled = |sums, scale| values(multiply(to_floats(sums), multiply(splat(*step), scale)));
                            add_to(&mut y[output..last], [scaled(left, scales[0]), scaled(right, scales[1])]);
                        }
                    }
                }
            }
        }
    }
}

/// The products of `R` rows, given as pairs of inputs, with a panel, in 32 bits.
#[inline(always)]
fn tile<const R: usize>(rows: &[[i32; R]], panel: impl Iterator<Item = [I16x8; 2]>) -> [[I32x4; 2]; R] {
    let mut sums = [[zero(); 2]; R];
    for (pairs, [left, right]) in rows.iter().zip(panel) {
        for (pair, sums) in pairs.iter().zip(&mut sums) {
            let x = splat_pair(*pair);
            sums[0] = add_dot(sums[0], x, left);
            sums[1] = add_dot(sums[1], x, right);
        }
    }
    sums
}

/// Rounds each row to 16 bits, scaled by its largest value. Pushes two inputs as one word; returns the rows' steps.
fn round<const R: usize>(rows: [&[f32]; R], packed: &mut Vec<[i32; R]>) -> [f32; R] {
    /// 1.5 * 2^23: adding it leaves the nearest integer in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let steps = rows.map(|row| largest(row) / LARGEST);
    let inverse = steps.map(|step| if step > 0.0 { 1.0 / step } else { 0.0 });
    let nearest = |row: usize, x: f32| (x * inverse[row] + ROUND).to_bits().cast_signed();
    let low = |row, x| nearest(row, x) & 0xffff;
    let pairs = rows.map(|row| row.as_chunks::<2>());
    for i in 0..pairs[0].0.len() {
        packed.push(std::array::from_fn(|row| {
            let [a, b] = pairs[row].0[i];
            low(row, a) | (nearest(row, b) << 16)
        }));
    }
    if !pairs[0].1.is_empty() {
        packed.push(std::array::from_fn(|row| low(row, pairs[row].1[0])));
    }
    steps
}

/// The largest magnitude of a row.
fn largest(row: &[f32]) -> f32 {
    let (chunks, rest) = row.as_chunks::<8>();
    let mut lanes = [0.0_f32; 8];
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = if x.abs() > *lane { x.abs() } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(0.0, |largest, x| if x.abs() > largest { x.abs() } else { largest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_equal_those_of_floats_to_the_rounding_of_the_activations() {
        // Odd sizes, several blocks of inputs and of rows and left-over rows; the largest weights and activations there
        // are.
        for (rows, inputs, outputs) in [(1, 1, 1), (1, 513, 9), (3, 7, 5), (4, 512, 8), (70, 513, 9), (65, 1537, 30)] {
            let noise = |i: usize| ((i * 2_654_435_761) >> 7) % 255;
            let weights: Vec<i8> = (0..outputs * inputs).map(|i| (noise(i) as i32 - 127) as i8).collect();
            let scales: Vec<f32> = (0..outputs).map(|i| 0.01 + i as f32 * 1e-3).collect();
            let mut x: Vec<f32> = (0..rows * inputs).map(|i| noise(i + 99) as f32 * 0.1 - 12.7).collect();
            x[0] = -1e4;
            let bias: Vec<f32> = (0..outputs).map(|i| i as f32 - 3.0).collect();
            let found = Matrix::new(&weights, &scales, inputs).multiply(&x, &bias);
            assert_eq!(found.len(), rows * outputs);
            for (i, found) in found.iter().enumerate() {
                let (row, output) = (i / outputs, i % outputs);
                let x = &x[row * inputs..][..inputs];
                let weights = &weights[output * inputs..][..inputs];
                let products = x.iter().zip(weights).map(|(x, w)| f64::from(*x) * f64::from(*w));
                let exact = products.sum::<f64>() * f64::from(scales[output]) + f64::from(bias[output]);
                let largest = x.iter().fold(0.0, |a: f32, x| a.max(x.abs()));
                // Each activation is off by at most half a step; the sums of f32 come on top.
                let weight: f64 = weights.iter().map(|w| f64::from(w.unsigned_abs())).sum();
                let rounding = 0.5 * f64::from(largest / LARGEST * scales[output]) * weight;
                let bound = rounding + 1e-6 * (exact.abs() + 1.0);
                assert!((f64::from(*found) - exact).abs() < bound, "{row} {output}: {found} for {exact}");
            }
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let found = Matrix::new(&[-127; 1024], &[1.0], 1024).multiply(&[3.0; 1024], &[]);
        assert!((found[0] / (-127.0 * 3.0 * 1024.0) - 1.0).abs() < 1e-6, "{}", found[0]);
    }
}
