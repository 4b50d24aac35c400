//! 4 bits: a matrix in blocks of 32 weights along a row, with a scale for each block.
//!
//! A weight is (q - 8) * scale for q in 0..=15. A byte holds two, the first in its low half: U8 of
//! `[rows, columns / 2]`, scales of `[rows, columns / 32]`, which packs store as f16. In checkpoints a row holds the
//! inputs of one output.

#[cfg(not(target_family = "wasm"))]
use burn::tensor::f16;
use safetensors::tensor::Dtype;

#[cfg(not(target_family = "wasm"))]
use crate::weights::formats::Narrowed;
use crate::weights::formats::{AsInt8, Format};

/// Weights that share a scale.
pub(crate) const BLOCK: usize = 32;

/// What a weight of zero is stored as: weights lie in -8..=7.
const ZERO: f32 = 8.0;

/// The magnitudes that are tried for the extreme weight of a block, before its scale is fitted. 8 is the end of the
/// range. A larger one clips the extreme weight and gives the others finer steps; a smaller one moves the others to
/// other steps.
#[cfg(not(target_family = "wasm"))]
const EXTREMES: [f32; 9] = [8.0, 7.0, 7.25, 7.5, 7.75, 8.25, 8.5, 9.0, 9.5];

/// The format.
pub(crate) struct Int4;

/// Its row in the table.
pub(crate) static INT4: Int4 = Int4;

impl Format for Int4 {
    fn name(&self) -> &'static str {
        "4-bit"
    }

    fn dtype(&self) -> Dtype {
        Dtype::U8
    }

    fn bits(&self) -> usize {
        4
    }

    fn shape(&self, stored: &[usize]) -> Option<Vec<usize>> {
        match *stored {
            [rows, pairs] if pairs.is_multiple_of(BLOCK / 2) => Some(vec![rows, pairs.checked_mul(2)?]),
            _ => None,
        }
    }

    fn scales(&self, stored: &[usize]) -> Option<Vec<usize>> {
        Some(vec![stored[0], stored[1] / (BLOCK / 2)])
    }

    fn widen(&self, bytes: &[u8], scales: &[f32]) -> Vec<f32> {
        let mut values = Vec::with_capacity(2 * bytes.len());
        for (block, scale) in bytes.chunks(BLOCK / 2).zip(scales) {
            let value = |code: u8| (f32::from(code) - ZERO) * scale;
            values.extend(block.iter().flat_map(|&byte| [value(byte & 15), value(byte >> 4)]));
        }
        values
    }

    fn as_int8(&self) -> AsInt8 {
        AsInt8::Rounded
    }

    #[cfg(not(target_family = "wasm"))]
    fn narrow(&self, values: &[f32], shape: &[usize]) -> Narrowed {
        let (bytes, scales) = to_int4(values);
        let scales = scales.into_iter().flat_map(f16::to_le_bytes).collect();
        Narrowed { shape: vec![shape[0], shape[1] / 2], bytes, scales: Some((Dtype::F16, scales)) }
    }
}

/// Blocks of weights as 4 bits: the bytes, and the scale of each block. Of several scales a block takes the one with
/// the least square error.
#[cfg(not(target_family = "wasm"))]
fn to_int4(values: &[f32]) -> (Vec<u8>, Vec<f16>) {
    let (blocks, _) = values.as_chunks::<BLOCK>();
    let (mut bytes, mut scales) = (Vec::with_capacity(values.len() / 2), Vec::with_capacity(blocks.len()));
    for block in blocks {
        let (codes, scale) = fit(block);
        bytes.extend(codes.as_chunks::<2>().0.iter().map(|&[low, high]| low | (high << 4)));
        scales.push(scale);
    }
    (bytes, scales)
}

/// A block's codes and its scale.
#[cfg(not(target_family = "wasm"))]
fn fit(block: &[f32; BLOCK]) -> ([u8; BLOCK], f16) {
    let extreme = block.iter().fold(0.0, |most: f32, &x| if x.abs() > most.abs() { x } else { most });
    let mut best = (f32::INFINITY, [ZERO as u8; BLOCK], f16::ZERO);
    for steps in EXTREMES {
        // The extreme is stored as -8, for the range ends at 7. So the scale has the other sign.
        let scale = extreme / -steps;
        if scale == 0.0 {
            break;
        }
        let steps = block.map(|x| (x / scale).round_ties_even().clamp(-ZERO, ZERO - 1.0));
        // The best scale for these steps, rounded as it will be stored.
        let (dot, square) = block
            .iter()
            .zip(&steps)
            .fold((0.0, 0.0), |(dot, square), (x, step)| (dot + x * step, square + step * step));
        let scale = f16::from_f32(dot / square);
        let error = block.iter().zip(&steps).map(|(x, step)| (x - step * scale.to_f32()).powi(2)).sum::<f32>();
        if error < best.0 {
            best = (error, steps.map(|step| (step + ZERO) as u8), scale);
        }
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(count: usize) -> Vec<f32> {
        (0..count as u32).map(|i| ((i.wrapping_mul(2_654_435_761) >> 9) % 2001) as f32 / 1000.0 - 1.0).collect()
    }

    fn square_error(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
    }

    #[test]
    fn four_bits_are_off_by_less_than_a_step_and_fit_better_than_the_plain_scale() {
        let values = noise(64 * BLOCK);
        let (bytes, scales) = to_int4(&values);
        assert_eq!((bytes.len(), scales.len()), (32 * BLOCK, 64));
        let scales: Vec<f32> = scales.into_iter().map(f16::to_f32).collect();
        let back = INT4.widen(&bytes, &scales);
        let mut plain = 0.0;
        for ((block, back), scale) in values.chunks(BLOCK).zip(back.chunks(BLOCK)).zip(&scales) {
            assert!(block.iter().zip(back).all(|(a, b)| (a - b).abs() <= 2.0 * scale.abs()));
            let extreme = block.iter().fold(0.0_f32, |most, &x| if x.abs() > most.abs() { x } else { most });
            let step = extreme / -8.0;
            let rounded: Vec<f32> = block.iter().map(|x| (x / step).round().clamp(-8.0, 7.0) * step).collect();
            plain += square_error(block, &rounded);
        }
        assert!(square_error(&values, &back) < plain);
    }

    #[test]
    fn whole_steps_and_zeros_come_back_as_they_were() {
        let mut values: Vec<f32> = (0..BLOCK).map(|i| (i % 16) as f32 * 0.5 - 4.0).collect();
        values.extend([0.0; BLOCK]);
        let (bytes, scales) = to_int4(&values);
        let scales: Vec<f32> = scales.into_iter().map(f16::to_f32).collect();
        assert_eq!(INT4.widen(&bytes, &scales), values);
    }
}
