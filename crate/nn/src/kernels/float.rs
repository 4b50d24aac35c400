//! Products with f32 matrices on the CPU. In WebAssembly they are twice as fast as Burn's.

use crate::kernels::simd::{F32x4, add_product, floats, splat, values};
use crate::kernels::tiles::{OUTPUTS, ROWS, add_to, input_blocks, row_blocks, rows_of};

/// The right-hand matrix of products, `[inputs, outputs]`.
pub(crate) struct Matrix {
    inputs: usize,
    outputs: usize,
    /// `[input block, eight outputs, input]`: the weights of eight outputs for one input, as two vectors.
    panels: Vec<[F32x4; 2]>,
}

impl Matrix {
    /// From weights as checkpoints store them, `[outputs, inputs]`.
    pub fn of_rows(weights: &[f32], inputs: usize) -> Self {
        let outputs = weights.len() / inputs.max(1);
        Self::new(inputs, outputs, |input, output| match output < outputs {
            true => weights[output * inputs + input],
            false => 0.0,
        })
    }

    /// From weights as `[inputs, outputs]`.
    pub fn of_columns(weights: &[f32], outputs: usize) -> Self {
        Self::new(weights.len() / outputs.max(1), outputs, |input, output| match output < outputs {
            true => weights[input * outputs + output],
            false => 0.0,
        })
    }

    #[inline(always)]
    fn new(inputs: usize, outputs: usize, weight: impl Fn(usize, usize) -> f32) -> Self {
        let mut panels = Vec::with_capacity(inputs * outputs.div_ceil(OUTPUTS));
        for block in input_blocks(inputs) {
            for output in (0..outputs).step_by(OUTPUTS) {
                let four = |input, first| floats(std::array::from_fn(|lane| weight(input, first + lane)));
                panels.extend(block.clone().map(|input| [four(input, output), four(input, output + 4)]));
            }
        }
        Self { inputs, outputs, panels }
    }

    /// `[inputs, outputs]`
    pub fn shape(&self) -> [usize; 2] {
        [self.inputs, self.outputs]
    }

    /// x W + bias: `[rows, inputs]` to `[rows, outputs]`. An empty bias adds nothing.
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
        let mut packed = Vec::new();
        for (x, y) in row_blocks(x, y, self.inputs, self.outputs) {
            let mut panels = self.panels.as_slice();
            for block in input_blocks(self.inputs) {
                packed.clear();
                for group in x.chunks(R * self.inputs) {
                    let rows = rows_of::<R>(group, self.inputs, &block);
                    packed.extend((0..block.len()).map(|input| rows.map(|row| row[input])));
                }
                for output in (0..self.outputs).step_by(OUTPUTS) {
                    let panel;
                    (panel, panels) = panels.split_at(block.len());
                    let last = self.outputs.min(output + OUTPUTS);
                    for (rows, y) in packed.chunks_exact(panel.len()).zip(y.chunks_mut(R * self.outputs)) {
                        for (sums, y) in tile(rows, panel).into_iter().zip(y.chunks_exact_mut(self.outputs)) {
                            add_to(&mut y[output..last], sums.map(values));
                        }
                    }
                }
            }
        }
    }
}

/// The products of `R` rows, given input by input, with a panel.
#[inline]
#[cfg_attr(all(target_family = "wasm", feature = "relaxed-simd"), target_feature(enable = "relaxed-simd"))]
fn tile<const R: usize>(rows: &[[f32; R]], panel: &[[F32x4; 2]]) -> [[F32x4; 2]; R] {
    let mut sums = [[splat(0.0); 2]; R];
    for (inputs, [left, right]) in rows.iter().zip(panel) {
        for (x, sums) in inputs.iter().zip(&mut sums) {
            let x = splat(*x);
            sums[0] = add_product(sums[0], x, *left);
            sums[1] = add_product(sums[1], x, *right);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_equal_those_in_twice_the_precision() {
        // Odd sizes, several blocks of inputs and of rows and left-over rows.
        for (rows, inputs, outputs) in [(1, 1, 1), (1, 513, 9), (3, 7, 5), (4, 512, 8), (70, 513, 9), (65, 1537, 30)] {
            let noise = |i: usize| ((i * 2_654_435_761) >> 7) as u32 as f32 / 2.0_f32.powi(31) - 1.0;
            let x: Vec<f32> = (0..rows * inputs).map(noise).collect();
            let weights: Vec<f32> = (0..inputs * outputs).map(|i| noise(i + 99)).collect();
            let bias: Vec<f32> = (0..outputs).map(|i| i as f32 - 3.0).collect();
            let columns: Vec<f32> =
                (0..inputs * outputs).map(|i| weights[(i % outputs) * inputs + i / outputs]).collect();
            for matrix in [Matrix::of_rows(&weights, inputs), Matrix::of_columns(&columns, outputs)] {
                assert_eq!(matrix.shape(), [inputs, outputs]);
                let found = matrix.multiply(&x, &bias);
                assert_eq!(found.len(), rows * outputs);
                for (i, found) in found.iter().enumerate() {
                    let (row, output) = (i / outputs, i % outputs);
                    let pairs = x[row * inputs..][..inputs].iter().zip(&weights[output * inputs..][..inputs]);
                    let exact: f64 = pairs.map(|(x, w)| f64::from(*x) * f64::from(*w)).sum();
                    let exact = exact + f64::from(bias[output]);
                    assert!((f64::from(*found) - exact).abs() < 1e-5 * (inputs as f64).sqrt(), "{found} for {exact}");
                }
            }
        }
    }
}
