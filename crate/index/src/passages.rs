//! A passage shard: a run of consecutive passages, as they are shown.

use serde::{Deserialize, Deserializer, Serialize};

use crate::codec::{Malformed, Reader, write_integer, write_string};
use crate::manifest::Verified;

/// One passage of the corpus. Its title's terms count as its text's do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Unique in the index. In JSON a string or an integer.
    #[serde(deserialize_with = "string_or_integer")]
    pub id: String,
    /// Title of the article it is from.
    pub title: String,
    /// Heading of the section it is from.
    #[serde(default)]
    pub section: Option<String>,
    /// The passage itself; about 100 words is usual (guan2024, Sec. 4.2).
    pub text: String,
    /// Where its facts come from: a link or a name.
    #[serde(default)]
    pub source: Option<String>,
}

fn string_or_integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "an id is a string or an integer")]
    enum Id {
        String(String),
        Integer(i64),
    }
    Ok(match Id::deserialize(deserializer)? {
        Id::String(id) => id,
        Id::Integer(id) => id.to_string(),
    })
}

/// Consecutive passages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PassageShard(Vec<Passage>);

impl PassageShard {
    pub fn encode(passages: &[Passage]) -> Vec<u8> {
        let mut out = Vec::new();
        for passage in passages {
            write_string(&mut out, &passage.id);
            write_string(&mut out, &passage.title);
            write_optional(&mut out, passage.section.as_deref());
            write_string(&mut out, &passage.text);
            write_optional(&mut out, passage.source.as_deref());
        }
        out
    }

    /// Reads a shard of `count` passages.
    pub fn decode(bytes: &Verified, count: u32) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes.as_slice());
        let mut passages = Vec::new();
        for _ in 0..count {
            passages.push(Passage {
                id: reader.string()?.into(),
                title: reader.string()?.into(),
                section: read_optional(&mut reader)?,
                text: reader.string()?.into(),
                source: read_optional(&mut reader)?,
            });
        }
        reader.end()?;
        Ok(Self(passages))
    }

    /// The passage at `place` in this shard.
    pub fn get(&self, place: usize) -> Option<&Passage> {
        self.0.get(place)
    }
}

fn write_optional(out: &mut Vec<u8>, text: Option<&str>) {
    write_integer(out, u64::from(text.is_some()));
    if let Some(text) = text {
        write_string(out, text);
    }
}

fn read_optional(reader: &mut Reader) -> Result<Option<String>, Malformed> {
    match reader.integer()? {
        0 => Ok(None),
        1 => Ok(Some(reader.string()?.into())),
        _ => Err(Malformed("an optional string is neither there nor absent")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    fn passage() -> impl Strategy<Value = Passage> {
        let optional = || option::of(any::<String>());
        (any::<String>(), any::<String>(), optional(), any::<String>(), optional())
            .prop_map(|(id, title, section, text, source)| Passage { id, title, section, text, source })
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(passages in vec(passage(), 0..9)) {
            let bytes = Verified::trusted(PassageShard::encode(&passages));
            prop_assert_eq!(PassageShard::decode(&bytes, passages.len() as u32), Ok(PassageShard(passages)));
        }

        #[test]
        fn a_shard_cut_short_is_malformed(passages in vec(passage(), 1..9), cut in 0.0..1.0) {
            let mut bytes = PassageShard::encode(&passages);
            bytes.truncate((bytes.len() as f64 * cut) as usize);
            prop_assert!(PassageShard::decode(&Verified::trusted(bytes), passages.len() as u32).is_err());
        }

        #[test]
        fn no_bytes_make_decoding_panic(bytes in vec(any::<u8>(), 0..200), count: u32) {
            let _ = PassageShard::decode(&Verified::trusted(bytes), count);
        }
    }
}
