//! Relative positions as T5 has them (Raffel et al. 2020) and MPNet after it.

use crate::PackError;
use crate::layers::Bias;
use crate::weights::Weights;

/// A bias on the attention scores by how far key and query are apart, in buckets that widen with the distance; all
/// layers use one.
pub(crate) struct RelativePosition {
    /// `[buckets, heads]`
    table: Vec<f32>,
    heads: usize,
    buckets: Buckets,
}

impl RelativePosition {
    pub fn load(weights: &Weights, name: &str, heads: usize, buckets: Buckets) -> Result<Self, PackError> {
        Ok(Self { table: weights.values(name, &[buckets.count, heads])?, heads, buckets })
    }

    /// The bias of `queries` that stand from position `first` on towards `keys` from 0. Where keys lie only before the
    /// query, no query attends to what comes after it. With `lengths`, one for each text of a batch, the keys behind
    /// them do not count.
    pub fn bias(&self, first: usize, queries: usize, keys: usize, lengths: Option<Vec<usize>>) -> Bias {
        let span = queries + keys - 1;
        let last_query = first + queries - 1;
        let bucket = |i: usize| self.buckets.of(i as isize - last_query as isize);
        let buckets: Vec<Option<usize>> = (0..span).map(bucket).collect();
        let values = (0..self.heads).flat_map(|head| {
            buckets.iter().map(move |bucket| bucket.map_or(f32::MIN, |bucket| self.table[bucket * self.heads + head]))
        });
        Bias::ByDistance { values: values.collect(), span, lengths }
    }
}

/// How distances share the rows of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buckets {
    pub count: usize,
    /// From this distance on all are one.
    pub max_distance: usize,
    /// Whether keys lie on both sides of the query (an encoder) or only before it (a decoder).
    pub bidirectional: bool,
}

impl Buckets {
    /// The bucket of a key this far after its query: one each up to half of them, then logarithmically wider. None has
    /// a key that no query attends to.
    fn of(self, after: isize) -> Option<usize> {
        let (count, offset) = match self.bidirectional {
            true => (self.count / 2, if after > 0 { self.count / 2 } else { 0 }),
            false if after > 0 => return None,
            false => (self.count, 0),
        };
        let (exact, distance) = (count / 2, after.unsigned_abs());
        if distance < exact {
            return Some(offset + distance);
        }
        let (distance, exact_f, max) = (distance as f64, exact as f64, self.max_distance as f64);
        let wide = (distance / exact_f).ln() / (max / exact_f).ln() * (count - exact) as f64;
        // The nudge keeps bounds that are whole numbers on the same side whatever the platform's logarithm rounds to.
        Some(offset + (exact + (wide + 1e-9) as usize).min(count - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_a_bucket_each_and_then_share_them() {
        // By relative_position_bucket of transformers, for T5's and MPNet's 32 buckets to a distance of 128.
        let both = Buckets { count: 32, max_distance: 128, bidirectional: true };
        for (after, bucket) in [(0, 0), (-1, 1), (1, 17), (-7, 7), (-8, 8), (-11, 8), (-12, 9), (16, 26), (-64, 14)] {
            assert_eq!(both.of(after), Some(bucket), "{after}");
        }
        assert_eq!([both.of(-90), both.of(-91), both.of(-128), both.of(500)], [14, 15, 15, 31].map(Some));
        let before = Buckets { bidirectional: false, ..both };
        assert_eq!([before.of(1), before.of(0), before.of(-15), before.of(-128)], [None, Some(0), Some(15), Some(31)]);
    }
}
