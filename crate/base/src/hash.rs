//! SHA-256 (FIPS 180-4), by which files are named and checked.

use std::fmt;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A SHA-256, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The number of bytes that `reader` gives, and their hash. They are read in pieces.
    ///
    /// # Errors
    /// The reader's.
    pub fn of_reader(mut reader: impl Read) -> io::Result<(u64, Self)> {
        let (mut hasher, mut bytes, mut piece) = (Hasher::new(), 0, vec![0; 64 * 1024]);
        loop {
            let count = reader.read(&mut piece)?;
            if count == 0 {
                return Ok((bytes, hasher.finish()));
            }
            hasher.update(&piece[..count]);
            bytes += count as u64;
        }
    }

    /// Its 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the bytes if they have this hash.
    pub fn verify(self, bytes: Vec<u8>) -> Option<Vec<u8>> {
        (Self::of(&bytes) == self).then_some(bytes)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<[u8; 32]> for Hash {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let bytes: Option<Vec<u8>> = pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
        let hash = bytes.filter(|_| rest.is_empty()).and_then(|bytes| bytes.try_into().ok());
        hash.map(Self).ok_or("a SHA-256 is 64 lower-case hexadecimal digits")
    }
}

/// Hashes bytes that come piece by piece.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// A hasher that has taken no bytes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes that it took.
    pub fn finish(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message of two blocks of FIPS 180-4's examples, and its digest.
    const MESSAGE: &[u8] = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    const DIGEST: &str = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";

    #[test]
    fn the_standards_example_has_its_digest_whole_and_in_pieces() {
        let mut hasher = Hasher::new();
        MESSAGE.chunks(5).for_each(|piece| hasher.update(piece));
        assert_eq!(Hash::of(MESSAGE).to_string(), DIGEST);
        assert_eq!(hasher.finish(), Hash::of(MESSAGE));
        assert_eq!(Hash::of_reader(MESSAGE).unwrap(), (MESSAGE.len() as u64, Hash::of(MESSAGE)));
        assert!(Hash::of(MESSAGE).verify(MESSAGE.to_vec()).is_some());
        assert!(Hash::of(MESSAGE).verify(b"abc".to_vec()).is_none());
    }

    #[test]
    fn json_has_it_as_64_lower_case_digits_and_nothing_else() {
        let json = serde_json::to_string(&Hash::of(MESSAGE)).unwrap();
        assert_eq!(json, format!("\"{DIGEST}\""));
        assert_eq!(serde_json::from_str::<Hash>(&json).unwrap(), Hash::of(MESSAGE));
        for wrong in [DIGEST[1..].to_owned(), format!("{DIGEST}0"), DIGEST.to_uppercase(), String::new()] {
            assert!(Hash::try_from(wrong).is_err());
        }
    }
}
