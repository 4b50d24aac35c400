//! Vectors of 128 bits, as in WebAssembly's SIMD. On other targets arrays stand in for them, for the tests.
//!
//! Relaxed SIMD, which some browsers lack, multiplies and adds in one instruction. The compiler inlines it only into
//! functions that are compiled for relaxed SIMD too.

/// Whether the target has such vectors. Elsewhere Burn's own products are faster than those of arrays.
pub(crate) const FAST: bool = cfg!(all(target_family = "wasm", target_feature = "simd128"));

#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
pub(crate) use simd128::*;

#[cfg(not(all(target_family = "wasm", target_feature = "simd128")))]
pub(crate) use arrays::*;

#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
mod simd128 {
    #[cfg(not(feature = "relaxed-simd"))]
    use std::arch::wasm32::f32x4_add;
    #[cfg(feature = "relaxed-simd")]
    use std::arch::wasm32::f32x4_relaxed_madd;
    use std::arch::wasm32::{
        f32x4, f32x4_convert_i32x4, f32x4_extract_lane, f32x4_mul, f32x4_splat, i8x16, i16x8_extend_high_i8x16,
        i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8, i32x4_splat, v128,
    };

    pub type F32x4 = v128;
    pub type I8x16 = v128;
    pub type I16x8 = v128;
    pub type I32x4 = v128;

    pub fn floats([a, b, c, d]: [f32; 4]) -> F32x4 {
        f32x4(a, b, c, d)
    }

    pub fn bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: [i8; 16]) -> I8x16 {
        i8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    }

    #[inline(always)]
    pub fn splat(x: f32) -> F32x4 {
        f32x4_splat(x)
    }

    #[inline(always)]
    pub fn values(x: F32x4) -> [f32; 4] {
        [f32x4_extract_lane::<0>(x), f32x4_extract_lane::<1>(x), f32x4_extract_lane::<2>(x), f32x4_extract_lane::<3>(x)]
    }

    #[inline(always)]
    pub fn multiply(a: F32x4, b: F32x4) -> F32x4 {
        f32x4_mul(a, b)
    }

    /// sum + a b
    #[cfg(not(feature = "relaxed-simd"))]
    #[inline(always)]
    pub fn add_product(sum: F32x4, a: F32x4, b: F32x4) -> F32x4 {
        f32x4_add(sum, f32x4_mul(a, b))
    }

    /// sum + a b, rounded once or twice, depending on the processor.
    #[cfg(feature = "relaxed-simd")]
    #[inline]
    #[target_feature(enable = "relaxed-simd")]
    pub fn add_product(sum: F32x4, a: F32x4, b: F32x4) -> F32x4 {
        f32x4_relaxed_madd(a, b, sum)
    }

    #[inline(always)]
    pub fn splat_pair(pair: i32) -> I16x8 {
        i32x4_splat(pair)
    }

    /// sum + a0 b0 + a1 b1, pair by pair.
    #[inline(always)]
    pub fn add_dot(sum: I32x4, a: I16x8, b: I16x8) -> I32x4 {
        i32x4_add(sum, i32x4_dot_i16x8(a, b))
    }

    #[inline(always)]
    pub fn zero() -> I32x4 {
        i32x4_splat(0)
    }

    #[inline(always)]
    pub fn to_floats(x: I32x4) -> F32x4 {
        f32x4_convert_i32x4(x)
    }

    #[inline(always)]
    pub fn widen(x: I8x16) -> [I16x8; 2] {
        [i16x8_extend_low_i8x16(x), i16x8_extend_high_i8x16(x)]
    }
}

#[cfg(not(all(target_family = "wasm", target_feature = "simd128")))]
mod arrays {
    use std::array::from_fn;

    pub type F32x4 = [f32; 4];
    pub type I8x16 = [i8; 16];
    pub type I16x8 = [i16; 8];
    pub type I32x4 = [i32; 4];

    pub fn floats(x: [f32; 4]) -> F32x4 {
        x
    }

    pub fn bytes(x: [i8; 16]) -> I8x16 {
        x
    }

    pub fn splat(x: f32) -> F32x4 {
        [x; 4]
    }

    pub fn values(x: F32x4) -> [f32; 4] {
        x
    }

    pub fn multiply(a: F32x4, b: F32x4) -> F32x4 {
        from_fn(|lane| a[lane] * b[lane])
    }

    /// sum + a b
    pub fn add_product(sum: F32x4, a: F32x4, b: F32x4) -> F32x4 {
        from_fn(|lane| sum[lane] + a[lane] * b[lane])
    }

    pub fn splat_pair(pair: i32) -> I16x8 {
        from_fn(|lane| if lane % 2 == 0 { pair as i16 } else { (pair >> 16) as i16 })
    }

    /// sum + a0 b0 + a1 b1, pair by pair.
    pub fn add_dot(sum: I32x4, a: I16x8, b: I16x8) -> I32x4 {
        let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
        from_fn(|lane| sum[lane] + product(2 * lane) + product(2 * lane + 1))
    }

    pub fn zero() -> I32x4 {
        [0; 4]
    }

    pub fn to_floats(x: I32x4) -> F32x4 {
        x.map(|x| x as f32)
    }

    pub fn widen(x: I8x16) -> [I16x8; 2] {
        [from_fn(|lane| x[lane].into()), from_fn(|lane| x[lane + 8].into())]
    }
}
