//! Rotary positions (Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding").

use burn::tensor::{Tensor, TensorData};

use crate::kernels::rotary::rotate;
use crate::ops::{edit, on_cpu};

/// The angles by which the positions of a text rotate queries and keys. The score of a query and a key then depends on
/// their distance.
pub(crate) struct Rotation {
    /// `[length, width / 2]`
    cosines: Vec<f32>,
    /// `[length, width / 2]`
    sines: Vec<f32>,
    /// The width of a head, which is even.
    width: usize,
}

impl Rotation {
    /// The angles of the first `length` positions in heads of an even `width`: position / theta^(2 i / width) for the
    /// plane i. In f32 throughout, for the rounding of large angles is part of what transformers computes.
    pub fn new(theta: f32, length: usize, width: usize) -> Self {
        let frequencies: Vec<f32> = (0..width).step_by(2).map(|i| 1.0 / theta.powf(i as f32 / width as f32)).collect();
        let angles = (0..length).flat_map(|position| frequencies.iter().map(move |each| position as f32 * each));
        let (sines, cosines) = angles.map(f32::sin_cos).unzip();
        Self { cosines, sines, width }
    }

    /// Rotates queries or keys, `[batch, heads, length, width]`.
    pub fn apply(&self, x: Tensor<4>) -> Tensor<4> {
        match on_cpu(&x) {
            true => edit(x, |x| rotate(x, &self.cosines, &self.sines, self.width)),
            false => self.composed(x),
        }
    }

    fn composed(&self, x: Tensor<4>) -> Tensor<4> {
        let half = self.width / 2;
        let angles = |values: &[f32]| {
            let data = TensorData::new(values.to_vec(), [1, 1, values.len() / half, half]);
            Tensor::<4>::from_data(data, &x.device())
        };
        let (cosines, sines) = (angles(&self.cosines), angles(&self.sines));
        let (a, b) = (x.clone().narrow(3, 0, half), x.narrow(3, half, half));
        let turned = [a.clone() * cosines.clone() - b.clone() * sines.clone(), b * cosines + a * sines];
        Tensor::cat(turned.to_vec(), 3)
    }
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;
    use crate::ops::tests::{assert_equal, noise};
    use crate::ops::values;

    #[test]
    fn rotations_on_the_cpu_equal_the_composed() {
        let x = noise([2, 3, 7, 10], 5);
        let rotation = Rotation::new(10_000.0, 7, 10);
        let flat = |x: Tensor<4>| x.reshape([2 * 3 * 7, 10]);
        assert_equal(flat(rotation.apply(x.clone())), flat(rotation.composed(x)));
    }

    /// Eq. 16 of the paper: the product of a query and a key depends on their distance alone.
    #[test]
    fn the_score_of_a_query_and_a_key_depends_on_their_distance() {
        let rows: [Tensor<4>; 2] = [noise([1, 1, 1, 8], 1), noise([1, 1, 1, 8], 2)];
        let turned = rows.map(|row| Rotation::new(50.0, 9, 8).apply(row.repeat_dim(2, 9)));
        let [queries, keys] = turned.map(values);
        let score = |query: usize, key: usize| -> f32 {
            queries[8 * query..8 * query + 8].iter().zip(&keys[8 * key..8 * key + 8]).map(|(a, b)| a * b).sum()
        };
        assert!((score(1, 4) - score(5, 8)).abs() < 1e-3 && (score(1, 4) - score(1, 5)).abs() > 0.1);
    }
}
