//! Relative positions as in T5 (Raffel et al. 2020) and MPNet (Song et al. 2020).

use crate::error::PackError;
use crate::layers::loader::Loader;
use crate::ops::bias::Bias;

/// A bias on the attention scores by how far query and key are apart, in buckets that widen with the distance. All
/// layers use the same.
pub(crate) struct RelativePosition {
    /// `[buckets, heads]`
    table: Vec<f32>,
    heads: usize,
    buckets: Buckets,
}

impl RelativePosition {
    /// The table `name`, `[buckets, heads]`.
    ///
    /// # Errors
    /// As [`Loader::table`].
    pub fn load(loader: &Loader, name: &str, heads: usize, buckets: Buckets) -> Result<Self, PackError> {
        Ok(Self { table: loader.values(name, &[buckets.count, heads])?, heads, buckets })
    }

    /// The bias for `queries` queries, the first at position `first`, and the keys from position 0 on. With
    /// [`Reach::Before`] no query attends to later keys. With `lengths`, one for each text of a batch, no query attends
    /// to keys after them.
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

/// How distances are assigned to the rows of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buckets {
    /// The rows of the table.
    pub count: usize,
    /// All distances from this one on share a row.
    pub max_distance: usize,
    pub reach: Reach,
}

/// The keys that a query attends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those on both sides of it, in an encoder.
    Both,
    /// Itself and those before it, in a decoder.
    Before,
}

impl Buckets {
    /// The bucket of a key that is `after` tokens after its query; `None` for a key out of reach. Near distances have a
    /// bucket each; from half of the buckets on they widen logarithmically.
    fn of(self, after: isize) -> Option<usize> {
        let (count, offset) = match self.reach {
            Reach::Both => (self.count / 2, if after > 0 { self.count / 2 } else { 0 }),
            Reach::Before if after > 0 => return None,
            Reach::Before => (self.count, 0),
        };
        let (exact, distance) = (count / 2, after.unsigned_abs());
        if distance < exact {
            return Some(offset + distance);
        }
        let (distance, exact_f, max) = (distance as f64, exact as f64, self.max_distance as f64);
        let wide = (distance / exact_f).ln() / (max / exact_f).ln() * (count - exact) as f64;
        // The 1e-9 puts a distance at the bound of a bucket into the same bucket on every platform, however it rounds
        // logarithms.
        Some(offset + (exact + (wide + 1e-9) as usize).min(count - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_a_bucket_each_and_then_share_them() {
        // From relative_position_bucket of transformers, for T5's and MPNet's 32 buckets up to a distance of 128.
        let both = Buckets { count: 32, max_distance: 128, reach: Reach::Both };
        for (after, bucket) in [(0, 0), (-1, 1), (1, 17), (-7, 7), (-8, 8), (-11, 8), (-12, 9), (16, 26), (-64, 14)] {
            assert_eq!(both.of(after), Some(bucket), "{after}");
        }
        assert_eq!([both.of(-90), both.of(-91), both.of(-128), both.of(500)], [14, 15, 15, 31].map(Some));
        let before = Buckets { reach: Reach::Before, ..both };
        assert_eq!([before.of(1), before.of(0), before.of(-15), before.of(-128)], [None, Some(0), Some(15), Some(31)]);
    }
}
