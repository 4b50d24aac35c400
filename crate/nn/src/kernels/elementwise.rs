//! The functions that act on each value by itself.

use crate::kernels::reduce::at_least;

/// An activation function, by its name in config.json.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    Relu,
    /// x Phi(x), by the error function: "gelu" (Hendrycks and Gimpel 2016, "Gaussian Error Linear Units").
    Gelu,
    /// Its approximation by tanh: "gelu_new", "gelu_pytorch_tanh".
    GeluTanh,
    /// x sigmoid(x): "silu", "swish".
    Silu,
}

impl Activation {
    /// The activation of this name; `None` for one that is not computed here.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "relu" => Self::Relu,
            "gelu" => Self::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" => Self::GeluTanh,
            "silu" | "swish" => Self::Silu,
            _ => return None,
        })
    }

    /// Replaces each value by the function of it.
    pub fn apply(self, x: &mut [f32]) {
        match self {
            Self::Relu => x.iter_mut().for_each(|x| *x = at_least(0.0, *x)),
            Self::Gelu => x.iter_mut().for_each(|x| *x = gelu(*x)),
            Self::GeluTanh => x.iter_mut().for_each(|x| *x = gelu_tanh(*x)),
            Self::Silu => x.iter_mut().for_each(|x| *x = silu(*x)),
        }
    }

    /// f(a) b, where each row of `[rows, 2 * width]` is a and then b; `x` is overwritten. Returns `[rows, width]`.
    pub fn gate(self, x: &mut [f32], width: usize) -> Vec<f32> {
        let mut gated = Vec::with_capacity(x.len() / 2);
        for row in x.chunks_exact_mut((2 * width).max(1)) {
            let (a, b) = row.split_at_mut(width);
            self.apply(a);
            gated.extend(a.iter().zip(b).map(|(a, b)| *a * *b));
        }
        gated
    }
}

/// e^x for x <= 88 with a relative error below 3e-7: 2^n e^r with |r| <= ln(2) / 2, and e^r by its Taylor series. Below
/// -87 the result stays e^-87, which is too small to change a sum.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
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

/// x Phi(x), with the complementary error function by Abramowitz and Stegun 7.1.26, whose error is at most 1.5e-7.
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

/// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), computed as x times a sigmoid: 1 + tanh(u) = 2 sigmoid(2 u).
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
