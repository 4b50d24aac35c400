//! Signatures by minisign (Ed25519 over BLAKE2b, <https://jedisct1.github.io/minisign/>): the publisher of a file
//! vouches for it and numbers its versions.

use std::fmt;
use std::str::FromStr;

use minisign_verify::{Error, Signature};

/// The ending of a signature's file, which lies beside the signed one.
pub const SIGNATURE: &str = ".minisig";

/// The word before the version in a trusted comment.
const VERSION: &str = "version:";

/// A publisher's key, as minisign writes it: 56 characters that begin with "RW".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(Box<str>);

/// Why a file counts as not signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The signature does not follow minisign's format.
    #[error("the signature is not one of minisign's")]
    Malformed,
    /// Another key has signed.
    #[error("another key has signed it")]
    OtherKey,
    /// The file, the signature or its comment is not what was signed.
    #[error("its signature does not hold: the file is another one, or one of both has been changed")]
    Wrong,
    /// It is of minisign's older kind, which signs the file itself.
    #[error("its signature is of minisign's legacy kind: sign it without -l")]
    Legacy,
    /// The trusted comment states no version.
    #[error("its signature states no version: sign it with -t version:N, where N grows from version to version")]
    NoVersion,
}

impl PublicKey {
    /// The version of a file that this key has signed: the number N of `version:N` in the trusted comment, which may
    /// have other words too.
    ///
    /// # Errors
    /// [`SignatureError`]
    pub fn version(&self, file: &[u8], signature: &[u8]) -> Result<u64, SignatureError> {
        let text = str::from_utf8(signature).map_err(|_| SignatureError::Malformed)?;
        let signature = Signature::decode(text).map_err(|_| SignatureError::Malformed)?;
        let key = minisign_verify::PublicKey::from_base64(&self.0).expect("it was one when it was read");
        key.verify(file, &signature, false).map_err(|error| match error {
            Error::UnexpectedKeyId => SignatureError::OtherKey,
            Error::UnexpectedAlgorithm => SignatureError::Legacy,
            _ => SignatureError::Wrong,
        })?;
        let mut words = signature.trusted_comment().split([' ', '\t']).filter_map(|word| word.strip_prefix(VERSION));
        let version = words.next().filter(|digits| is_number(digits)).and_then(|digits| digits.parse().ok());
        version.filter(|_| words.next().is_none()).ok_or(SignatureError::NoVersion)
    }
}

/// True for 1 to 15 digits: JavaScript represents these numbers exactly.
fn is_number(digits: &str) -> bool {
    (1..=15).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
}

impl FromStr for PublicKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match minisign_verify::PublicKey::from_base64(text) {
            Ok(_) if text.starts_with("RW") => Ok(Self(text.into())),
            _ => Err("this is no public key of minisign: give the second line of minisign.pub, which begins with RW"),
        }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A file of tests/data/signed, which minisign has made.
    fn file(name: &str) -> Vec<u8> {
        fs::read(format!("{}/../../tests/data/signed/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    fn key(name: &str) -> PublicKey {
        String::from_utf8(file(name)).unwrap().lines().nth(1).unwrap().parse().unwrap()
    }

    #[test]
    fn what_minisign_signed_has_its_version() {
        let version = |signature: &str| key("key.pub").version(&file("pack.json"), &file(signature));
        assert_eq!(version("version-7.minisig"), Ok(7));
        assert_eq!(version("version-8.minisig"), Ok(8));
        assert_eq!(version("dated.minisig"), Ok(9), "beside what minisign writes by itself");
        assert_eq!(version("no-version.minisig"), Err(SignatureError::NoVersion));
        assert_eq!(version("two-versions.minisig"), Err(SignatureError::NoVersion));
        assert_eq!(version("other-file.minisig"), Err(SignatureError::Wrong));
        assert_eq!(version("other-key.minisig"), Err(SignatureError::OtherKey));
        assert_eq!(version("legacy.minisig"), Err(SignatureError::Legacy));
        assert_eq!(version("pack.json"), Err(SignatureError::Malformed));
        assert_eq!(key("other.pub").version(&file("pack.json"), &file("other-key.minisig")), Ok(7));
    }

    #[test]
    fn no_bit_of_file_signature_and_trusted_comment_can_be_changed() {
        let (key, signed, signature) = (key("key.pub"), file("pack.json"), file("version-7.minisig"));
        let flipped = |bytes: &[u8], bit: usize| {
            let mut bytes = bytes.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        };
        for bit in (0..8 * signed.len()).step_by(37) {
            assert_eq!(key.version(&flipped(&signed, bit), &signature), Err(SignatureError::Wrong));
        }
        // The first line is minisign's untrusted comment, which says nothing.
        let from = 1 + signature.iter().position(|&byte| byte == b'\n').unwrap();
        let ends = signature.len() - 1; // the last line's own end says nothing either
        for bit in 8 * from..8 * ends {
            key.version(&signed, &flipped(&signature, bit)).unwrap_err();
        }
    }

    #[test]
    fn a_key_is_read_and_written_as_minisign_writes_it() {
        let text = key("key.pub").to_string();
        assert!(text.starts_with("RW") && text.len() == 56);
        for wrong in ["", "RW", &text[1..], &format!("{text}A"), &text.replacen("RW", "RX", 1)] {
            assert!(wrong.parse::<PublicKey>().unwrap_err().contains("minisign.pub"), "{wrong}");
        }
    }
}
