//! A portion of the statements, which one of several machines judges.

use std::ops::Range;
use std::str::FromStr;

/// The K-th of N portions, as equal as they can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    number: usize,
    of: usize,
}

impl Portion {
    /// The numbers of its rows, of `count` in all.
    pub(crate) fn rows(self, count: usize) -> Range<usize> {
        let end = |portions: usize| (count as u128 * portions as u128 / self.of as u128) as usize;
        end(self.number - 1)..end(self.number)
    }
}

impl FromStr for Portion {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("write which portion of how many, such as 2/5"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_are_all_rows_in_order() {
        let rows = |text: &str, count| text.parse::<Portion>().unwrap().rows(count);
        assert_eq!([rows("1/3", 7), rows("2/3", 7), rows("3/3", 7)], [0..2, 2..4, 4..7]);
        assert_eq!([rows("1/2", 1), rows("2/2", 1)], [0..0, 0..1]);
        for wrong in ["", "2", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Portion>().is_err(), "{wrong}");
        }
    }
}
