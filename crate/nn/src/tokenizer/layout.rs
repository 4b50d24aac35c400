//! What tokenizer.json says, as far as it is read here: what the tokenizers crate takes for granted, and panics where it is not so.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tokenizers::normalizers::Precompiled;

#[derive(Deserialize)]
struct Layout {
    model: Model,
    normalizer: Option<Value>,
    post_processor: Option<Value>,
    /// It must be JSON.
    #[serde(rename = "decoder")]
    _decoder: Option<Value>,
}

/// Of unknown words Unigram gives an id, WordPiece and BPE a token.
#[derive(Deserialize)]
pub struct Model {
    pub unk_id: Option<u32>,
    pub unk_token: Option<String>,
    pub vocab: Vocabulary,
}

/// One more than the largest id of a model's vocabulary. The crate gives it only with a copy of every word.
pub struct Vocabulary(pub usize);

impl<'de> Deserialize<'de> for Vocabulary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Ids)
    }
}

struct Ids;

impl<'de> Visitor<'de> for Ids {
    type Value = Vocabulary;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a vocabulary")
    }

    /// WordPiece's and BPE's words with their ids.
    fn visit_map<A: MapAccess<'de>>(self, mut words: A) -> Result<Vocabulary, A::Error> {
        let mut size = 0;
        while let Some((IgnoredAny, id)) = words.next_entry::<_, u32>()? {
            size = size.max(id as usize + 1);
        }
        Ok(Vocabulary(size))
    }

    /// Unigram's pieces, whose places are their ids.
    fn visit_seq<A: SeqAccess<'de>>(self, mut pieces: A) -> Result<Vocabulary, A::Error> {
        let mut size = 0;
        while pieces.next_element::<IgnoredAny>()?.is_some() {
            size += 1;
        }
        Ok(Vocabulary(size))
    }
}

/// A post-processor of type "TemplateProcessing".
#[derive(Deserialize)]
struct Template {
    single: Vec<Piece>,
    pair: Vec<Piece>,
    special_tokens: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
enum Piece {
    Sequence { id: String },
    SpecialToken { id: String },
}

/// Reads a tokenizer.json; says what is wrong with it.
pub fn read(json: &[u8]) -> Result<Model, String> {
    let layout: Layout = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    each(layout.normalizer.as_ref(), "Precompiled", &|normalizer| {
        Precompiled::deserialize(normalizer).map(drop).map_err(|error| error.to_string())
    })?;
    each(layout.post_processor.as_ref(), "TemplateProcessing", &|template| {
        let Template { single, pair, special_tokens } =
            Template::deserialize(template).map_err(|error| error.to_string())?;
        if single.iter().any(|piece| matches!(piece, Piece::Sequence { id } if id != "A")) {
            return Err("its template for one text has a second".to_owned());
        }
        let missing = single.iter().chain(&pair).find_map(|piece| match piece {
            Piece::SpecialToken { id } if !special_tokens.contains_key(id) => Some(id),
            _ => None,
        });
        missing.map_or(Ok(()), |id| Err(format!("its template has the special token {id:?}, which it does not list")))
    })?;
    Ok(layout.model)
}

/// Checks every part of a type, wherever it is in a sequence of parts.
fn each(part: Option<&Value>, kind: &str, check: &impl Fn(&Value) -> Result<(), String>) -> Result<(), String> {
    match part {
        Some(part @ Value::Object(members)) if members.get("type").is_some_and(|found| found == kind) => check(part),
        Some(Value::Object(members)) => members.values().try_for_each(|part| each(Some(part), kind, check)),
        Some(Value::Array(parts)) => parts.iter().try_for_each(|part| each(Some(part), kind, check)),
        _ => Ok(()),
    }
}
