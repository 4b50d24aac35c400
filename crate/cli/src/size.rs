//! Parses sizes given on the command line.

/// A number of bytes, in units of 1024 where it ends in K, M, G or T.
pub fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || format!("{text:?} is no size: write a number, and K, M, G or T after it where wanted");
    let unit = |shift: u32| Some((text.get(..text.len() - 1)?, shift));
    let (digits, shift) = match text.bytes().last() {
        Some(b'K' | b'k') => unit(10),
        Some(b'M' | b'm') => unit(20),
        Some(b'G' | b'g') => unit(30),
        Some(b'T' | b't') => unit(40),
        _ => Some((text, 0)),
    }
    .ok_or_else(wrong)?;
    let number: usize = digits.parse().map_err(|_| wrong())?;
    1_usize.checked_shl(shift).and_then(|unit| number.checked_mul(unit)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_and_a_unit() {
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!((bytes("3"), bytes("2k"), bytes("1G")), (Ok(3), Ok(2048), Ok(1 << 30)));
        for wrong in ["", "M", "1.5G", "-1", "99999999999T", "1GB"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
