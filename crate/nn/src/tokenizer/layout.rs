//! Reading tokenizer.json. The tokenizers crate reads its parts. It panics on parts that are not as it expects, so
//! these are checked first. The crate's own reading of a whole file would copy the vocabulary several times.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use tokenizers::models::ModelWrapper;
use tokenizers::models::bpe::BPE;
use tokenizers::models::unigram::Unigram;
use tokenizers::models::wordlevel::WordLevel;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::Precompiled;
use tokenizers::{
    AddedToken, DecoderWrapper, Model as _, NormalizerWrapper, PostProcessorWrapper, PreTokenizerWrapper, TokenizerImpl,
};

use super::text_only::TextOnly;

/// Padding and truncation are not read: batches are padded and texts cut elsewhere.
#[derive(Deserialize)]
struct Layout {
    version: Option<String>,
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    normalizer: Option<Value>,
    pre_tokenizer: Option<Value>,
    model: Model,
    post_processor: Option<Value>,
    decoder: Option<Value>,
}

/// For unknown words Unigram has an id, the others a token. Older files do not name the model's type.
#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    kind: Option<String>,
    unk_id: Option<u32>,
    unk_token: Option<String>,
    vocab: Vocabulary,
    merges: Option<IgnoredAny>,
    continuing_subword_prefix: Option<String>,
}

impl Model {
    fn kind(&self) -> &str {
        match &self.kind {
            Some(kind) => kind,
            None if self.merges.is_some() => "BPE",
            None if self.vocab.words => "WordPiece",
            None => "Unigram",
        }
    }
}

/// A model's vocabulary. The crate would copy every word to tell its size.
struct Vocabulary {
    /// One more than the largest id.
    size: usize,
    /// Whether it maps words to ids; else it is a list.
    words: bool,
}

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
        Ok(Vocabulary { size, words: true })
    }

    /// Unigram's pieces. The place of a piece is its id.
    fn visit_seq<A: SeqAccess<'de>>(self, mut pieces: A) -> Result<Vocabulary, A::Error> {
        let mut size = 0;
        while pieces.next_element::<IgnoredAny>()?.is_some() {
            size += 1;
        }
        Ok(Vocabulary { size, words: false })
    }
}

/// A post-processor by template.
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

/// The tokenizers crate's tokenizer, over a model that finds no control tokens in a text.
pub type Inner = TokenizerImpl<TextOnly, NormalizerWrapper, PreTokenizerWrapper, PostProcessorWrapper, DecoderWrapper>;

/// A tokenizer, the id that it gives to unknown words, and one more than the largest id of its model's vocabulary.
pub struct Read {
    pub tokenizer: Inner,
    pub unknown: Option<u32>,
    pub size: usize,
}

/// Reads a tokenizer.json.
///
/// # Errors
/// What is wrong with it.
pub fn read(json: &[u8]) -> Result<Read, String> {
    let layout: Layout = parsed(serde_json::from_slice(json))?;
    if let Some(version) = layout.version.filter(|version| version != "1.0") {
        return Err(format!("its version is {version:?}, not \"1.0\""));
    }
    check_normalizer(layout.normalizer.as_ref())?;
    check_pre_tokenizer(layout.pre_tokenizer.as_ref())?;
    check_post_processor(layout.post_processor.as_ref())?;

    let model = match layout.model.kind() {
        // The crate cuts the prefix's length off every merge, even off one without the prefix. No supported model has
        // one.
        "BPE" if layout.model.continuing_subword_prefix.as_ref().is_some_and(|prefix| !prefix.is_empty()) => {
            return Err("its BPE has a continuing_subword_prefix".to_owned());
        }
        "BPE" => model::<BPE>(json)?,
        "Unigram" => model::<Unigram>(json)?,
        "WordLevel" => model::<WordLevel>(json)?,
        "WordPiece" => model::<WordPiece>(json)?,
        other => return Err(format!("its model is {other:?}, none of BPE, Unigram, WordLevel and WordPiece")),
    };
    let Model { unk_id, unk_token, vocab, .. } = layout.model;
    let unknown = unk_id.or_else(|| model.token_to_id(&unk_token?));
    let special = layout.added_tokens.iter().filter(|token| token.special).map(|token| token.content.clone());
    let control = special.chain(put_around(layout.post_processor.as_ref()));
    let mut tokenizer = Inner::new(TextOnly::new(model, control, unknown));
    tokenizer
        .with_normalizer(part::<NormalizerWrapper>(layout.normalizer)?)
        .with_pre_tokenizer(part::<PreTokenizerWrapper>(layout.pre_tokenizer)?)
        .with_post_processor(part::<PostProcessorWrapper>(layout.post_processor)?)
        .with_decoder(part::<DecoderWrapper>(layout.decoder)?);
    tokenizer.add_tokens(&layout.added_tokens);
    tokenizer.set_encode_special_tokens(true);
    Ok(Read { tokenizer, unknown, size: vocab.size })
}

fn parsed<T>(read: serde_json::Result<T>) -> Result<T, String> {
    read.map_err(|error| error.to_string())
}

/// The model of a tokenizer.json.
fn model<M: DeserializeOwned + Into<ModelWrapper>>(json: &[u8]) -> Result<ModelWrapper, String> {
    #[derive(Deserialize)]
    struct Of<M> {
        model: M,
    }
    Ok(parsed(serde_json::from_slice::<Of<M>>(json))?.model.into())
}

fn part<T: DeserializeOwned>(json: Option<Value>) -> Result<Option<T>, String> {
    json.map(|json| parsed(serde_json::from_value(json))).transpose()
}

fn check_normalizer(json: Option<&Value>) -> Result<(), String> {
    each(json, "precompiled_charsmap", &|normalizer| parsed(Precompiled::deserialize(normalizer)).map(drop))
}

fn check_pre_tokenizer(json: Option<&Value>) -> Result<(), String> {
    each(json, "length", &|splitter| match splitter.get("length").and_then(Value::as_u64) {
        Some(0) => Err("it cuts text into pieces of length 0".to_owned()),
        _ => Ok(()),
    })
}

fn check_post_processor(json: Option<&Value>) -> Result<(), String> {
    each(json, "single", &|template| {
        let Template { single, pair, special_tokens } = parsed(Template::deserialize(template))?;
        if single.iter().any(|piece| matches!(piece, Piece::Sequence { id } if id != "A")) {
            return Err("its template for one text has a second".to_owned());
        }
        let missing = single.iter().chain(&pair).find_map(|piece| match piece {
            Piece::SpecialToken { id } if !special_tokens.contains_key(id) => Some(id),
            _ => None,
        });
        missing.map_or(Ok(()), |id| Err(format!("its template has the special token {id:?}, which it does not list")))
    })
}

/// The tokens that a post-processor puts around a text. Not every file lists them among its special tokens.
fn put_around(post_processor: Option<&Value>) -> Vec<String> {
    match post_processor {
        Some(Value::Object(members)) => {
            let named =
                members.get("special_tokens").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned();
            let pairs =
                ["cls", "sep"].into_iter().filter_map(|name| Some(members.get(name)?.get(0)?.as_str()?.to_owned()));
            named.chain(pairs).chain(put_around(members.get("processors"))).collect()
        }
        Some(Value::Array(parts)) => parts.iter().flat_map(|part| put_around(Some(part))).collect(),
        _ => Vec::new(),
    }
}

/// Checks every part that has this member, including parts inside sequences. A part's `type` is not checked: the crate
/// reads a part as whichever kind its members match.
fn each(part: Option<&Value>, member: &str, check: &impl Fn(&Value) -> Result<(), String>) -> Result<(), String> {
    match part {
        Some(part @ Value::Object(members)) if members.contains_key(member) => check(part),
        Some(Value::Object(members)) => members.values().try_for_each(|part| each(Some(part), member, check)),
        Some(Value::Array(parts)) => parts.iter().try_for_each(|part| each(Some(part), member, check)),
        _ => Ok(()),
    }
}
