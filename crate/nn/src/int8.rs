//! Products with int8 weights on the CPU, by the 16-bit dot product that WebAssembly's SIMD has.
//!
//! `i32x4.dot_i16x8_s` multiplies eight pairs and adds them up two by two in one instruction, which makes this two to three
//! times as fast as products of f32. An int8 weight is exact in 16 bits; the activations are rounded to 16 bits of the
//! largest in each stretch of a row, far finer than the weights were when the pack was made: the embedded pack's
//! probabilities differ from those of f32 products by less than 2e-4.

use lanes::{I16x8, I32x4, add_dot, pack, splat, values, zero};

/// Whether the target has the instruction; elsewhere f32 products are faster.
pub(crate) const FAST: bool = cfg!(all(target_family = "wasm", target_feature = "simd128"));

/// Outputs that are computed together: two vectors of four. With four rows that makes eight sums, as many as an
/// engine keeps in registers.
const OUTPUTS: usize = 8;
const ROWS: usize = 4;

/// Inputs that are summed in 32 bits: 512 * 127 * 32,767 is less than 2^31.
const STRETCH: usize = 512;

/// Rows that are done with all weights before the next ones, so that they stay in cache.
const BLOCK: usize = 64;

const LARGEST: f32 = 32_767.0;

/// A matrix of int8 weights with a scale for each output.
pub(crate) struct Matrix {
    inputs: usize,
    outputs: usize,
    /// By stretch of inputs, then by eight outputs, then by two inputs: each vector is four outputs of two inputs.
    panels: Vec<[I16x8; 2]>,
    /// One for each output, zero behind the last.
    scales: Vec<f32>,
}

impl Matrix {
    /// From rows of weights as checkpoints store them, `[outputs, inputs]`, the weight being `weights * scales`.
    pub fn new(weights: &[i8], scales: &[f32], inputs: usize) -> Self {
        let outputs = scales.len();
        let weight = |output: usize, input: usize, end: usize| match output < outputs && input < end {
            true => i16::from(weights[output * inputs + input]),
            false => 0,
        };
        let mut panels = Vec::with_capacity(inputs.div_ceil(2) * outputs.div_ceil(OUTPUTS));
        for start in (0..inputs).step_by(STRETCH) {
            let end = inputs.min(start + STRETCH);
            for output in (0..outputs).step_by(OUTPUTS) {
                for input in (start..end).step_by(2) {
                    let four =
                        |output| pack(std::array::from_fn(|lane| weight(output + lane / 2, input + lane % 2, end)));
                    panels.push([four(output), four(output + 4)]);
                }
            }
        }
        let mut scales = scales.to_vec();
        scales.resize(outputs.next_multiple_of(OUTPUTS), 0.0);
        Self { inputs, outputs, panels, scales }
    }

    /// `[inputs, outputs]`
    pub fn shape(&self) -> [usize; 2] {
        [self.inputs, self.outputs]
    }

    /// x W' + bias: `[rows, inputs]` to `[rows, outputs]`, with no bias where it is empty.
    pub fn multiply(&self, x: &[f32], bias: &[f32]) -> Vec<f32> {
        let rows = x.len() / self.inputs;
        let mut y = if bias.is_empty() { vec![0.0; rows * self.outputs] } else { bias.repeat(rows) };
        let (mut words, mut scales) = (Vec::new(), Vec::new());
        for (x, y) in x.chunks(BLOCK * self.inputs).zip(y.chunks_mut(BLOCK * self.outputs)) {
            let mut panels = self.panels.as_slice();
            for start in (0..self.inputs).step_by(STRETCH) {
                let end = self.inputs.min(start + STRETCH);
                words.clear();
                scales.clear();
                scales.extend(x.chunks_exact(self.inputs).map(|row| round(&row[start..end], &mut words)));
                let pairs = (end - start).div_ceil(2);
                for output in (0..self.outputs).step_by(OUTPUTS) {
                    let panel;
                    (panel, panels) = panels.split_at(pairs);
                    self.add_panel(panel, output, &words, &scales, y);
                }
            }
        }
        y
    }

    /// Adds what one panel gives for all rows of a block to the outputs from `output` on.
    fn add_panel(&self, panel: &[[I16x8; 2]], output: usize, words: &[i32], scales: &[f32], y: &mut [f32]) {
        let rows = words.chunks(ROWS * panel.len()).zip(scales.chunks(ROWS)).zip(y.chunks_mut(ROWS * self.outputs));
        for ((words, scales), y) in rows {
            if scales.len() == ROWS {
                self.add_rows(dot::<ROWS>(words, panel), output, scales, y);
            } else {
                let rows = words.chunks(panel.len()).zip(scales.chunks(1)).zip(y.chunks_mut(self.outputs));
                for ((words, scale), y) in rows {
                    self.add_rows(dot::<1>(words, panel), output, scale, y);
                }
            }
        }
    }

    #[inline(always)]
    fn add_rows<const R: usize>(&self, sums: [[I32x4; 2]; R], output: usize, scales: &[f32], y: &mut [f32]) {
        let count = OUTPUTS.min(self.outputs - output);
        let weights = &self.scales[output..output + OUTPUTS];
        for ((sums, scale), y) in sums.into_iter().zip(scales).zip(y.chunks_exact_mut(self.outputs)) {
            let sums = sums.into_iter().flat_map(values);
            for ((y, sum), weight) in y[output..output + count].iter_mut().zip(sums).zip(weights) {
                *y += sum as f32 * (scale * weight);
            }
        }
    }
}

/// The products of `R` rows of paired inputs with a panel, in 32 bits.
#[inline(always)]
fn dot<const R: usize>(words: &[i32], panel: &[[I16x8; 2]]) -> [[I32x4; 2]; R] {
    let rows: [&[i32]; R] = std::array::from_fn(|row| &words[row * panel.len()..(row + 1) * panel.len()]);
    let mut sums = [[zero(); 2]; R];
    for (pair, [left, right]) in panel.iter().enumerate() {
        for (row, sums) in rows.iter().zip(&mut sums) {
            let x = splat(row[pair]);
            sums[0] = add_dot(sums[0], x, *left);
            sums[1] = add_dot(sums[1], x, *right);
        }
    }
    sums
}

/// Rounds values to 16 bits of the largest among them, two in each word, and gives the scale.
fn round(row: &[f32], words: &mut Vec<i32>) -> f32 {
    /// 1.5 * 2^23: adding it leaves the nearest integer in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    let largest = row.iter().fold(0.0, |largest: f32, x| if x.abs() > largest { x.abs() } else { largest });
    let inverse = if largest > 0.0 { LARGEST / largest } else { 0.0 };
    let nearest = |x: f32| (x * inverse + ROUND).to_bits().cast_signed();
    let (pairs, rest) = row.as_chunks::<2>();
    words.extend(pairs.iter().map(|&[low, high]| (nearest(low) & 0xffff) | (nearest(high) << 16)));
    words.extend(rest.iter().map(|&low| nearest(low) & 0xffff));
    largest / LARGEST
}

/// The vector instructions.
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
mod lanes {
    use std::arch::wasm32::{i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, v128};

    pub type I16x8 = v128;
    pub type I32x4 = v128;

    pub fn pack([a, b, c, d, e, f, g, h]: [i16; 8]) -> I16x8 {
        i16x8(a, b, c, d, e, f, g, h)
    }

    #[inline(always)]
    pub fn splat(word: i32) -> I16x8 {
        i32x4_splat(word)
    }

    #[inline(always)]
    pub fn zero() -> I32x4 {
        i32x4_splat(0)
    }

    #[inline(always)]
    pub fn add_dot(sum: I32x4, a: I16x8, b: I16x8) -> I32x4 {
        i32x4_add(sum, i32x4_dot_i16x8(a, b))
    }

    #[inline(always)]
    pub fn values(sum: I32x4) -> [i32; 4] {
        [
            i32x4_extract_lane::<0>(sum),
            i32x4_extract_lane::<1>(sum),
            i32x4_extract_lane::<2>(sum),
            i32x4_extract_lane::<3>(sum),
        ]
    }
}

/// What they do, for tests on other machines.
#[cfg(not(all(target_family = "wasm", target_feature = "simd128")))]
mod lanes {
    pub type I16x8 = [i16; 8];
    pub type I32x4 = [i32; 4];

    pub fn pack(values: [i16; 8]) -> I16x8 {
        values
    }

    pub fn splat(word: i32) -> I16x8 {
        std::array::from_fn(|lane| if lane % 2 == 0 { word as i16 } else { (word >> 16) as i16 })
    }

    pub fn zero() -> I32x4 {
        [0; 4]
    }

    pub fn add_dot(sum: I32x4, a: I16x8, b: I16x8) -> I32x4 {
        let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
        std::array::from_fn(|lane| sum[lane] + product(2 * lane) + product(2 * lane + 1))
    }

    pub fn values(sum: I32x4) -> [i32; 4] {
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_equal_those_of_floats_to_the_rounding_of_the_activations() {
        // Odd sizes, several stretches, blocks and left-over rows; the largest weights and activations there are.
        for (rows, inputs, outputs) in [(1, 1, 1), (3, 7, 5), (4, 512, 8), (70, 513, 9), (66, 1537, 30)] {
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
