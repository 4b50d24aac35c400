//! The manifest: the one file of an index that changes. It names every other file by its SHA-256.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

use crate::bm25::Bm25;
use crate::{ANALYSIS, IndexError};

/// The version of the format that this code writes and reads.
pub const FORMAT: u32 = 1;

/// The manifest's file name. A host must let it be revalidated; all other files may be cached for ever.
pub const MANIFEST: &str = "manifest.json";

/// Length in bytes of the member that closes a manifest: `,"checksum":"<64 digits>"}`.
const SEAL: usize = r#","checksum":""}"#.len() + 64;

/// A SHA-256, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash([u8; 32]);

impl Hash {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Bytes that have this hash, as the only type that decoders take; `None` for any others.
    pub(crate) fn verify(self, bytes: Vec<u8>) -> Option<Verified> {
        (Self::of(&bytes) == self).then_some(Verified(bytes))
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

/// The bytes of a file that have the hash the manifest names.
#[derive(Debug)]
pub(crate) struct Verified(Vec<u8>);

impl Verified {
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// Bytes that a test made itself.
    #[cfg(test)]
    pub fn trusted(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

/// An immutable file of the index, called `<sha256>.bin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The hash of its bytes.
    pub sha256: Hash,
    /// Its length.
    pub bytes: u64,
}

impl Shard {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { sha256: Hash::of(bytes), bytes: bytes.len() as u64 }
    }

    /// Its file name.
    pub fn path(&self) -> String {
        format!("{}.bin", self.sha256)
    }
}

/// What an index is and which files it has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: u32,
    /// [`ANALYSIS`].
    pub analysis: String,
    /// BM25's saturation of term frequency; 0 or more.
    pub k1: f32,
    /// BM25's weight of length; from 0 to 1.
    pub b: f32,
    /// Number of passages, which are numbered from 0.
    pub passages: u32,
    /// Number of distinct terms.
    pub terms: u32,
    /// Number of terms in all passages together: the average length times the number of passages.
    pub tokens: u64,
    /// Passage `p` stands in passage shard `p / passages_per_shard`.
    pub passages_per_shard: u32,
    /// The term shards, over which a term's hash spreads the terms.
    pub term_shards: Vec<Shard>,
    /// The passage shards.
    pub passage_shards: Vec<Shard>,
    /// SHA-256 of the manifest's bytes before the comma that precedes this member: it changes whenever anything in the
    /// index does.
    pub checksum: Hash,
}

impl Manifest {
    /// Reads and checks a manifest.
    ///
    /// # Errors
    /// [`IndexError::Version`] for a format or an analysis that is not this code's, [`IndexError::Corrupt`] for anything
    /// else that is wrong.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, IndexError> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let version = |found, expected| Err(IndexError::Version { found, expected });

        let Version { format } = serde_json::from_slice(bytes).map_err(corrupt)?;
        if format != FORMAT {
            return version(format!("format {format}"), format!("format {FORMAT}"));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(corrupt)?;
        let sealed = bytes.len().checked_sub(SEAL).and_then(|end| bytes.get(..end));
        if sealed.map(Hash::of) != Some(manifest.checksum) {
            return Err(corrupt("its checksum does not match"));
        }
        if manifest.analysis != ANALYSIS {
            return version(format!("analysis {}", manifest.analysis), format!("analysis {ANALYSIS}"));
        }
        let sound = manifest.k1.is_finite()
            && manifest.k1 >= 0.0
            && (0.0..=1.0).contains(&manifest.b)
            && manifest.passages_per_shard > 0
            && manifest.passages.div_ceil(manifest.passages_per_shard) as usize == manifest.passage_shards.len()
            && !manifest.term_shards.is_empty();
        if sound { Ok(manifest) } else { Err(corrupt("its numbers do not fit together")) }
    }

    /// The manifest's bytes, with its checksum made right.
    pub(crate) fn seal(&mut self) -> Vec<u8> {
        let json = |manifest: &Self| serde_json::to_vec(manifest).expect("a manifest is plain data");
        let unsealed = json(self);
        self.checksum = Hash::of(&unsealed[..unsealed.len() - SEAL]);
        json(self)
    }

    /// The number of the shard that holds `term`, if the index has it: the first four bytes of the term's SHA-256, least
    /// significant first, modulo the number of term shards.
    pub(crate) fn term_shard(&self, term: &str) -> usize {
        spread(term, self.term_shards.len())
    }

    /// Number of passages in passage shard `number`.
    pub(crate) fn passages_in(&self, number: usize) -> u32 {
        let before = (number as u64).saturating_mul(u64::from(self.passages_per_shard));
        let left = u64::from(self.passages).saturating_sub(before);
        left.min(u64::from(self.passages_per_shard)) as u32
    }

    pub(crate) fn bm25(&self) -> Bm25 {
        let average_length = (self.tokens as f64 / f64::from(self.passages)) as f32;
        Bm25 { k1: self.k1, b: self.b, passages: self.passages, average_length }
    }
}

/// The part that `term` falls on where terms are spread over `parts` parts.
pub(crate) fn spread(term: &str, parts: usize) -> usize {
    let Hash([a, b, c, d, ..]) = Hash::of(term.as_bytes());
    (u64::from(u32::from_le_bytes([a, b, c, d])) % parts as u64) as usize
}

fn corrupt(reason: impl ToString) -> IndexError {
    IndexError::corrupt(MANIFEST, reason)
}
