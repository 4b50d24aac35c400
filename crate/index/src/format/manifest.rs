//! The manifest: the one file of an index that changes. It names every other file by its SHA-256.

use evident_base::Hash;
use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::bm25::Bm25;
use crate::error::IndexError;

/// The version of the format that this code writes and reads.
pub const FORMAT: u32 = 3;

/// The manifest's file name. A host must let it be revalidated; all other files may be cached forever.
pub const MANIFEST: &str = "manifest.json";

/// The most bytes that a manifest has: room for some 6,000 segments.
pub(crate) const LARGEST_MANIFEST: u64 = 1 << 20;

/// The length in bytes of the member that closes a manifest: `,"checksum":"<64 digits>"}`.
const SEAL: usize = r#","checksum":""}"#.len() + 64;

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

/// A segment as the manifest lists it: passages that were indexed together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SegmentEntry {
    /// Number of passages, which are numbered after those of the segments before.
    pub passages: u32,
    /// Number of distinct terms and names.
    pub terms: u32,
    /// Number of terms in all its passages together.
    pub tokens: u64,
    /// The file of its directory.
    pub directory: Shard,
}

/// What an index is and which files it has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: u32,
    /// The name of its [`Analysis`].
    pub analysis: String,
    /// BM25's saturation of term frequency; 0 or more.
    pub k1: f32,
    /// BM25's weight of length; from 0 to 1.
    pub b: f32,
    /// Number of passages, which are numbered from 0.
    pub passages: u32,
    /// Number of distinct terms and names of each segment, added up.
    pub terms: u32,
    /// Number of terms in all passages together.
    pub tokens: u64,
    /// The segments, in the order of their passages; at least one.
    pub segments: Vec<SegmentEntry>,
    /// SHA-256 of the manifest's bytes before the comma that precedes this member. It changes whenever anything in the
    /// index does.
    pub checksum: Hash,
}

impl Manifest {
    /// Reads and checks a manifest.
    ///
    /// # Errors
    /// [`IndexError::Page`] for HTML, [`IndexError::Version`] for a format or an analysis that this version does not
    /// read, [`IndexError::Corrupt`] for anything else that is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Self, IndexError> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        if bytes.trim_ascii_start().starts_with(b"<") {
            return Err(IndexError::Page);
        }
        if bytes.len() as u64 > LARGEST_MANIFEST {
            return Err(corrupt("it has more than a million bytes"));
        }
        let Version { format } = serde_json::from_slice(bytes).map_err(corrupt)?;
        if format != FORMAT {
            let (found, expected) = (format!("format {format}"), format!("format {FORMAT}"));
            return Err(IndexError::Version { found, expected });
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(corrupt)?;
        let sealed = bytes.len().checked_sub(SEAL).and_then(|end| bytes.get(..end));
        if sealed.map(Hash::of) != Some(manifest.checksum) {
            return Err(corrupt("its checksum does not match"));
        }
        manifest.known_analysis()?;
        let sum = |of: fn(&SegmentEntry) -> u64| manifest.segments.iter().map(of).fold(0, u64::saturating_add);
        let sound = manifest.k1.is_finite()
            && manifest.k1 >= 0.0
            && (0.0..=1.0).contains(&manifest.b)
            && !manifest.segments.is_empty()
            && sum(|segment| segment.passages.into()) == u64::from(manifest.passages)
            && sum(|segment| segment.terms.into()) == u64::from(manifest.terms)
            && sum(|segment| segment.tokens) == manifest.tokens;
        if sound { Ok(manifest) } else { Err(corrupt("its numbers do not fit together")) }
    }

    /// The manifest of these segments, not yet sealed; `None` if their numbers do not fit the format.
    pub(crate) fn of(analysis: &Analysis, k1: f32, b: f32, segments: Vec<SegmentEntry>) -> Option<Self> {
        let sum = |of: fn(&SegmentEntry) -> u32| segments.iter().map(of).try_fold(0, u32::checked_add);
        Some(Self {
            format: FORMAT,
            analysis: analysis.name.into(),
            k1,
            b,
            passages: sum(|segment| segment.passages)?,
            terms: sum(|segment| segment.terms)?,
            tokens: segments.iter().map(|segment| segment.tokens).sum(),
            segments,
            checksum: Hash::of(&[]),
        })
    }

    /// The analysis by which the index was built.
    ///
    /// # Errors
    /// [`IndexError::Version`] if this version does not have it.
    pub(crate) fn known_analysis(&self) -> Result<&'static Analysis, IndexError> {
        Analysis::named(&self.analysis).ok_or_else(|| IndexError::Version {
            found: format!("analysis {}", self.analysis),
            expected: format!("analysis {}", Analysis::all()),
        })
    }

    /// The manifest's bytes, with its checksum made right.
    pub(crate) fn seal(&mut self) -> Vec<u8> {
        let json = |manifest: &Self| serde_json::to_vec(manifest).expect("a manifest is plain data");
        let unsealed = json(self);
        self.checksum = Hash::of(&unsealed[..unsealed.len() - SEAL]);
        json(self)
    }

    /// BM25 over all segments.
    pub(crate) fn bm25(&self) -> Bm25 {
        Bm25::new(self.k1, self.b, self.passages, self.tokens)
    }
}

fn corrupt(reason: impl ToString) -> IndexError {
    IndexError::corrupt(MANIFEST, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_is_longer_than_any_is_not_read() {
        let directory = Shard::of(b"");
        let segment = SegmentEntry { passages: 1, terms: 1, tokens: 1, directory };
        let parse = |segments: usize| {
            let manifest = Manifest::of(Analysis::ENGLISH, 0.9, 0.4, vec![segment; segments]);
            Manifest::parse(&manifest.unwrap().seal())
        };
        assert_eq!(parse(6000).unwrap().passages, 6000);
        let error = parse(10_000).unwrap_err().to_string();
        assert!(error.contains("more than a million bytes"), "{error}");
    }
}
