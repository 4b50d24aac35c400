//! BM25 as Lucene scores it since version 8, with exact lengths: for each term of the query,
//! `idf * tf / (tf + k1 * (1 - b + b * length / average))`, `idf = ln(1 + (N - n + 0.5) / (n + 0.5))`
//! (Robertson and Zaragoza 2009; Kamphuis et al. 2020 compare the variants).

/// Saturation of term frequency: Anserini's default (Trotman et al. 2014).
pub(crate) const K1: f32 = 0.9;
/// Weight of a passage's length, from 0 to 1: Anserini's default (Trotman et al. 2014).
pub(crate) const B: f32 = 0.4;

/// The scorer of one index. All arithmetic on scores is `f32` in a fixed order, so that every platform ranks the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bm25 {
    pub k1: f32,
    pub b: f32,
    /// Number of passages, N.
    pub passages: u32,
    /// Mean number of terms in a passage.
    pub average_length: f32,
}

impl Bm25 {
    /// The scorer of `passages` passages of `tokens` terms in all.
    pub fn new(k1: f32, b: f32, passages: u32, tokens: u64) -> Self {
        let average_length = (tokens as f64 / f64::from(passages)) as f32;
        Self { k1, b, passages, average_length }
    }

    /// The weight of a term that occurs in `n` passages; above 0.
    pub fn idf(&self, n: usize) -> f32 {
        let (all, n) = (f64::from(self.passages), n as f64);
        (1.0 + (all - n + 0.5) / (n + 0.5)).ln() as f32
    }

    /// The share of its weight, from 0 to 1, that a term earns if it occurs `frequency` times in a passage of `length`
    /// terms.
    pub fn saturation(&self, frequency: u32, length: u32) -> f32 {
        let frequency = frequency as f32;
        frequency / (frequency + self.k1 * (1.0 - self.b + self.b * length as f32 / self.average_length))
    }

    /// The most that a posting can earn here if it earned at most `saturation` under `built`, whose mean length
    /// differs.
    ///
    /// A posting's odds, `frequency / (k1 * (1 - b + b * length / average))`, grow by no larger factor than the mean
    /// length.
    pub fn bound(&self, saturation: f32, built: &Self) -> f32 {
        if self.average_length <= built.average_length {
            return saturation;
        }
        let odds = saturation / (1.0 - saturation) * (self.average_length / built.average_length);
        if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_worked_by_hand() {
        let bm25 = Bm25 { k1: K1, b: B, passages: 10, average_length: 50.0 };
        assert!((bm25.idf(2) - 1.481_605).abs() < 1e-6); // ln(1 + 8.5 / 2.5)
        assert!((bm25.saturation(3, 100) - 0.704_225).abs() < 1e-6); // 3 / (3 + 0.9 * 1.4)
    }

    #[test]
    fn no_other_mean_length_earns_more_than_its_bound() {
        let with = |average_length| Bm25 { k1: K1, b: B, passages: 10, average_length };
        for (built, now) in [(10.0, 90.0), (50.0, 51.0), (90.0, 10.0), (50.0, 50.0)] {
            for (frequency, length) in [(1, 1), (1, 50), (1, 5_000), (7, 100), (900, 1_000)] {
                let bound = with(now).bound(with(built).saturation(frequency, length), &with(built));
                assert!(with(now).saturation(frequency, length) <= bound * 1.000_01);
            }
        }
    }
}
