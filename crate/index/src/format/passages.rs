//! Groups of consecutive passages, compressed together.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::{Deserialize, Deserializer, Serialize};

use crate::format::codec::{Malformed, Reader, write_integer, write_string};

/// DEFLATE's level, from 0 to 10. A higher one takes far longer and saves less than 1 % of the bytes.
const LEVEL: u8 = 8;

/// A group may have at most this many bytes of text, plus [`TEXT_A_BYTE`] for each of its compressed bytes. One byte of
/// DEFLATE can expand to 1032.
const MOST_TEXT: usize = 16 << 20;
const TEXT_A_BYTE: usize = 32;

/// The most names that a passage has besides its title. An empty one takes a byte here, but more in memory.
pub(crate) const MOST_NAMES: usize = 64;

/// One passage of the corpus. The terms of its title count like those of its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Unique in the index. In JSON a string or an integer.
    #[serde(deserialize_with = "string_or_integer")]
    pub id: String,
    /// Title of the article it is from.
    pub title: String,
    /// Heading of the section it is from.
    #[serde(default)]
    pub section: Option<String>,
    /// The text; about 100 words are usual (guan2024, Sec. 4.2).
    pub text: String,
    /// Where it comes from: a link or a name.
    #[serde(default)]
    pub source: Option<String>,
    /// Other names of the article, at most 64. A query finds it by them as by its title; their words are not in the
    /// text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
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

/// Appends a passage to the bytes of its group.
pub(crate) fn write_passage(out: &mut Vec<u8>, passage: &Passage) {
    write_string(out, &passage.id);
    write_string(out, &passage.title);
    write_optional(out, passage.section.as_deref());
    write_string(out, &passage.text);
    write_optional(out, passage.source.as_deref());
    write_integer(out, passage.names.len() as u64);
    passage.names.iter().for_each(|name| write_string(out, name));
}

/// A group on disk: the length of its passages' bytes, and these in DEFLATE. `None` if it would expand too far for a
/// reader.
pub(crate) fn encode_group(group: &[u8]) -> Option<Vec<u8>> {
    let packed = compress_to_vec(group, LEVEL);
    let mut out = Vec::new();
    write_integer(&mut out, group.len() as u64);
    out.extend_from_slice(&packed);
    (group.len() <= most_text(packed.len())).then_some(out)
}

fn most_text(packed: usize) -> usize {
    MOST_TEXT.saturating_add(packed.saturating_mul(TEXT_A_BYTE))
}

/// Decodes a group of `count` passages.
pub(crate) fn decode_group(bytes: &[u8], count: u32) -> Result<Vec<Passage>, Malformed> {
    decode_group_with(bytes, count, read_names)
}

/// Whether a group of `count` passages is of an index of format 3 that was built before passages had names. The
/// manifest does not state it.
pub(crate) fn is_nameless_group(bytes: &[u8], count: u32) -> bool {
    decode_group_with(bytes, count, |_| Ok(Vec::new())).is_ok()
}

fn decode_group_with(
    bytes: &[u8],
    count: u32,
    names: fn(&mut Reader) -> Result<Vec<String>, Malformed>,
) -> Result<Vec<Passage>, Malformed> {
    let mut reader = Reader::new(bytes);
    let length = reader.integer()?;
    let packed = reader.rest();
    let length = usize::try_from(length).ok().filter(|&length| length <= most_text(packed.len()));
    let length = length.ok_or(Malformed("a group claims more text than a reader takes"))?;
    let group = decompress_to_vec_with_limit(packed, length).map_err(|_| Malformed("a group does not decompress"))?;
    if group.len() != length {
        return Err(Malformed("a group is shorter than it claims"));
    }
    let mut reader = Reader::new(&group);
    let mut passages = Vec::new();
    for _ in 0..count {
        passages.push(Passage {
            id: reader.string()?.into(),
            title: reader.string()?.into(),
            section: read_optional(&mut reader)?,
            text: reader.string()?.into(),
            source: read_optional(&mut reader)?,
            names: names(&mut reader)?,
        });
    }
    reader.end()?;
    Ok(passages)
}

fn write_optional(out: &mut Vec<u8>, text: Option<&str>) {
    write_integer(out, u64::from(text.is_some()));
    if let Some(text) = text {
        write_string(out, text);
    }
}

fn read_names(reader: &mut Reader) -> Result<Vec<String>, Malformed> {
    let count = reader.integer()?;
    if count > MOST_NAMES as u64 {
        return Err(Malformed("a passage has too many names"));
    }
    (0..count).map(|_| Ok(reader.string()?.into())).collect()
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
        (any::<String>(), any::<String>(), optional(), any::<String>(), optional(), vec(any::<String>(), 0..4))
            .prop_map(|(id, title, section, text, source, names)| Passage { id, title, section, text, source, names })
    }

    fn encoded(passages: &[Passage]) -> Vec<u8> {
        let mut group = Vec::new();
        passages.iter().for_each(|passage| write_passage(&mut group, passage));
        encode_group(&group).unwrap()
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(passages in vec(passage(), 0..9)) {
            prop_assert_eq!(decode_group(&encoded(&passages), passages.len() as u32), Ok(passages));
        }

        #[test]
        fn a_group_cut_short_is_malformed(passages in vec(passage(), 1..9), cut in 0.0..1.0) {
            let mut bytes = encoded(&passages);
            bytes.truncate((bytes.len() as f64 * cut) as usize);
            prop_assert!(decode_group(&bytes, passages.len() as u32).is_err());
        }

        #[test]
        fn no_bytes_make_decoding_panic(bytes in vec(any::<u8>(), 0..200), count: u32) {
            let _ = decode_group(&bytes, count);
            let _ = decode_group(&encode_group(&bytes).unwrap(), count);
        }
    }

    #[test]
    fn more_names_than_a_passage_has_are_malformed() {
        let named = |names| encoded(&[Passage { names: vec![String::new(); names], ..Passage::default() }]);
        assert_eq!(decode_group(&named(MOST_NAMES), 1).unwrap()[0].names.len(), MOST_NAMES);
        assert_eq!(decode_group(&named(MOST_NAMES + 1), 1), Err(Malformed("a passage has too many names")));
    }

    #[test]
    fn a_group_that_claims_too_much_is_malformed() {
        let mut bytes = Vec::new();
        write_integer(&mut bytes, u64::MAX);
        assert!(decode_group(&bytes, 1).is_err());
        // A thousand bytes a byte: it is neither written nor read.
        let zeros = vec![0; 20 << 20];
        assert!(encode_group(&zeros).is_none());
        let mut bytes = Vec::new();
        write_integer(&mut bytes, zeros.len() as u64);
        bytes.extend(compress_to_vec(&zeros, LEVEL));
        assert_eq!(decode_group(&bytes, 1), Err(Malformed("a group claims more text than a reader takes")));
    }
}
