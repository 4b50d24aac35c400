//! The primitives of every binary file: integers as LEB128 varints, strings as their length in bytes and UTF-8, and
//! columns of integers in as few bits each as the widest needs. Reading checks everything, and never allocates by a
//! length that a file merely claims.

/// The number of values in a full column. A longer list is several columns.
pub(crate) const COLUMN: usize = 128;

/// Why bytes do not follow the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed(pub &'static str);

pub(crate) fn write_integer(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn write_string(out: &mut Vec<u8>, text: &str) {
    write_integer(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Writes at most [`COLUMN`] values: the smallest, the number of bits that the widest difference from it needs, and the
/// differences, least significant bit first. The last byte is filled with zeros.
pub(crate) fn write_column(out: &mut Vec<u8>, values: &[u32]) {
    let least = values.iter().copied().min().unwrap_or(0);
    let width = values.iter().map(|value| u32::BITS - (value - least).leading_zeros()).max().unwrap_or(0);
    write_integer(out, u64::from(least));
    out.push(width as u8);
    let (mut bits, mut held) = (0_u64, 0);
    for value in values {
        bits |= u64::from(value - least) << held;
        held += width;
        while held >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            held -= 8;
        }
    }
    if held > 0 {
        out.push(bits as u8);
    }
}

/// The unread rest of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub fn integer(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(Malformed("ends inside an integer"))?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Malformed("an integer is longer than 64 bits"))
    }

    /// An integer for which the format allows 32 bits.
    pub fn short_integer(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.integer()?).map_err(|_| Malformed("an integer is longer than 32 bits"))
    }

    pub fn string(&mut self) -> Result<&'a str, Malformed> {
        let length = self.integer()?;
        let (text, rest) = usize::try_from(length)
            .ok()
            .and_then(|length| self.0.split_at_checked(length))
            .ok_or(Malformed("ends inside a string"))?;
        self.0 = rest;
        str::from_utf8(text).map_err(|_| Malformed("a string is not UTF-8"))
    }

    /// `length` plain bytes.
    pub fn bytes(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Malformed("ends too early"))?;
        self.0 = rest;
        Ok(bytes)
    }

    /// A column of `count` values, at most [`COLUMN`].
    pub fn column(&mut self, count: usize) -> Result<Vec<u32>, Malformed> {
        let least = self.short_integer()?;
        let width = u32::from(self.bytes(1)?[0]);
        if width > u32::BITS {
            return Err(Malformed("a column is wider than 32 bits"));
        }
        let packed = self.bytes((count * width as usize).div_ceil(8))?;
        let mask = (1_u64 << width) - 1;
        let (mut bits, mut held, mut packed) = (0_u64, 0, packed.iter());
        let mut value = || {
            while held < width {
                bits |= u64::from(*packed.next()?) << held;
                held += 8;
            }
            let value = (bits & mask) as u32;
            bits >>= width;
            held -= width;
            least.checked_add(value)
        };
        (0..count).map(|_| value().ok_or(Malformed("a column's value is longer than 32 bits"))).collect()
    }

    /// All that is left.
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that nothing is left.
    pub fn end(self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed("goes on after its end")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn column() -> impl Strategy<Value = Vec<u32>> {
        prop_oneof![vec(any::<u32>(), 0..=COLUMN), vec(1000..1010_u32, 0..=COLUMN), vec(Just(7), 0..=COLUMN)]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(integers: Vec<u64>, column in column(), text: String) {
            let mut bytes = Vec::new();
            write_column(&mut bytes, &column);
            for &integer in &integers {
                write_integer(&mut bytes, integer);
            }
            write_string(&mut bytes, &text);
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(reader.column(column.len()), Ok(column));
            for integer in integers {
                prop_assert_eq!(reader.integer(), Ok(integer));
            }
            prop_assert_eq!(reader.string(), Ok(text.as_str()));
            prop_assert_eq!(reader.end(), Ok(()));
        }
    }

    #[test]
    fn a_column_beyond_32_bits_is_malformed() {
        let mut bytes = Vec::new();
        write_integer(&mut bytes, u64::from(u32::MAX));
        bytes.extend([1, 1]);
        assert_eq!(Reader::new(&bytes).column(1), Err(Malformed("a column's value is longer than 32 bits")));
        assert!(Reader::new(&[0, 33, 0, 0, 0, 0, 0]).column(1).is_err());
        assert!(Reader::new(&[0, 9, 0]).column(1).is_err());
    }

    #[test]
    fn an_integer_that_never_ends_is_malformed() {
        assert!(Reader::new(&[0xff; 20]).integer().is_err());
        assert!(Reader::new(&[0x80]).integer().is_err());
    }

    #[test]
    fn a_length_beyond_the_file_is_malformed() {
        let mut bytes = Vec::new();
        write_integer(&mut bytes, u64::MAX);
        assert_eq!(Reader::new(&bytes).string(), Err(Malformed("ends inside a string")));
    }
}
