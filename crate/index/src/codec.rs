//! The two primitives of every binary file: integers as LEB128 varints, and strings as their length in bytes and UTF-8.
//! Reading checks everything and reserves nothing on the word of the file.

/// Bytes that do not follow the format, and how.
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

/// What is left to read of a file.
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

    /// An integer where the format allows 32 bits.
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

    /// The end of a file, with nothing after what was read.
    pub fn end(self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed("goes on after its end")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(integers: Vec<u64>, text: String) {
            let mut bytes = Vec::new();
            for &integer in &integers {
                write_integer(&mut bytes, integer);
            }
            write_string(&mut bytes, &text);
            let mut reader = Reader::new(&bytes);
            for integer in integers {
                prop_assert_eq!(reader.integer(), Ok(integer));
            }
            prop_assert_eq!(reader.string(), Ok(text.as_str()));
            prop_assert_eq!(reader.end(), Ok(()));
        }
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
