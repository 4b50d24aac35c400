//! Splits projections into attention heads.

use burn::tensor::{Tensor, TensorData};

use crate::ops::on_cpu;

/// Projections that lie side by side, `[batch * length, PARTS * heads * width]`, as `[batch, heads, length, width]`
/// each.
pub(crate) fn split_heads<const PARTS: usize>(x: Tensor<2>, batch: usize, heads: usize) -> [Tensor<4>; PARTS] {
    if !on_cpu(&x) {
        return composed(x, batch, heads);
    }
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

fn composed<const PARTS: usize>(x: Tensor<2>, batch: usize, heads: usize) -> [Tensor<4>; PARTS] {
    let [rows, columns] = x.dims();
    let x = x.reshape([batch, rows / batch, PARTS * heads, columns / (PARTS * heads)]).swap_dims(1, 2);
    std::array::from_fn(|part| x.clone().narrow(1, part * heads, heads))
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;
    use crate::ops::tests::noise;
    use crate::ops::values;

    #[test]
    fn heads_on_the_cpu_are_split_as_by_the_composed() {
        let x = noise([3 * 7, 3 * 5 * 4], 9);
        let (found, composed) = (split_heads::<3>(x.clone(), 3, 5), composed::<3>(x, 3, 5));
        for (found, composed) in found.into_iter().zip(composed) {
            assert_eq!(found.dims(), [3, 5, 7, 4]);
            assert_eq!(values(found), values(composed));
        }
    }
}
