//! Random numbers from a seed, the same on every platform.

/// SplitMix64 (Steele, Lea and Flood 2014): a generator of 64-bit numbers with 64 bits of state, here the seed. It is
/// good enough for sampling, and not for secrets.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0. The probabilities of the numbers differ by at most n / 2^64.
    #[must_use]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// A number from 0 to below 1.
    #[must_use]
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with probability `p`.
    #[must_use]
    pub fn happens(&mut self, p: f64) -> bool {
        p > self.share()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the reference implementation for the seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix(1_234_567);
        assert_eq!(
            [random.next(), random.next(), random.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn every_number_below_comes_up_about_as_often() {
        let (mut random, mut counts) = (SplitMix(7), [0; 5]);
        (0..5000).for_each(|_| counts[random.below(5)] += 1);
        assert!(counts.iter().all(|count| (900..1100).contains(count)));
    }

    #[test]
    fn what_is_likely_happens_often() {
        let mut random = SplitMix(7);
        let mut often = |p| (0..5000).filter(|_| random.happens(p)).count();
        assert_eq!((often(0.0), often(1.0)), (0, 5000));
        assert!((1400..1600).contains(&often(0.3)));
    }
}
