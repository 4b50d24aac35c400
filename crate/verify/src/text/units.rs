//! Units of measure, by the names and signs that English texts use for them.

use std::sync::LazyLock;

use crate::text::english::lines;

/// What a unit measures, such as "length". Quantities are compared within one dimension.
pub(crate) type Dimension = &'static str;

/// A unit of measure.
#[derive(Debug, PartialEq)]
pub(crate) struct Unit {
    pub dimension: Dimension,
    /// Its size in the base unit of its dimension.
    size: f64,
    /// Where its zero lies in the base unit.
    zero: f64,
    /// Its sign, or its singular where it has none; then its plural; then other names.
    names: Vec<&'static str>,
}

/// The units of `english/units.txt`.
static UNITS: LazyLock<Vec<Unit>> = LazyLock::new(|| {
    let unit = |line: &'static str| {
        let (head, names) = line.split_once(": ")?;
        let mut head = head.split(' ');
        let (dimension, size, zero) = (head.next()?, head.next()?.parse().ok()?, head.next()?.parse().ok()?);
        Some(Unit { dimension, size, zero, names: names.split(", ").collect() })
    };
    lines(include_str!("english/units.txt")).filter_map(unit).collect()
});

/// Names of at most this many bytes are signs, which are written in one way: MW is not mW.
const LONGEST_SIGN: usize = 3;

impl Unit {
    /// The unit whose name `text` begins with, and the length of the name; the longest name if several fit.
    pub fn opening(text: &str) -> Option<(&'static Self, usize)> {
        let fits = |name: &str| {
            let Some((head, rest)) = text.split_at_checked(name.len()) else { return false };
            let is_same = if name.len() <= LONGEST_SIGN { head == name } else { head.eq_ignore_ascii_case(name) };
            is_same && !rest.starts_with(|c: char| c.is_alphanumeric())
        };
        let names = UNITS.iter().flat_map(|unit| unit.names.iter().map(move |name| (unit, name)));
        names.filter(|(_, name)| fits(name)).map(|(unit, name)| (unit, name.len())).max_by_key(|(_, length)| *length)
    }

    /// A value in this unit as one in `other`, which has the same dimension.
    pub fn convert(&self, value: f64, other: &Self) -> f64 {
        (value * self.size + self.zero - other.zero) / other.size
    }

    /// A step of this unit as one of `other`: where the zeros lie makes no difference.
    pub fn convert_step(&self, step: f64, other: &Self) -> f64 {
        step * self.size / other.size
    }

    /// Whether a value can go on in `smaller`: 5 feet 11 inches.
    pub fn goes_on_in(&self, smaller: &Self) -> bool {
        const PAIRS: [(&str, &str); 4] =
            [("feet", "inches"), ("pounds", "ounces"), ("hours", "minutes"), ("minutes", "seconds")];
        PAIRS.iter().any(|(unit, part)| self.names.contains(unit) && smaller.names.contains(part))
    }

    /// Its name for several.
    pub fn plural(&self) -> &'static str {
        self.names[1.min(self.names.len() - 1)]
    }
}
