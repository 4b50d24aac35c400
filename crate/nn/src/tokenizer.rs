//! Text to token ids, as a published tokenizer.json says. Control tokens that a text spells out, such as "</s>", are
//! read as ordinary text.

mod layout;
mod text_only;

use std::ops::Range;

use tokenizers::utils::truncation::TruncationDirection;
use tokenizers::{Encoding, PostProcessor};

use self::layout::{Inner, Read};
use crate::error::{NnError, PackError};

/// A tokenizer. It ignores the padding and truncation of its file: batches are padded and texts cut elsewhere.
pub struct Tokenizer {
    inner: Inner,
    unknown: Option<u32>,
    /// One more than the largest id of the vocabulary.
    size: usize,
}

/// The bytes of a text that a token stands for; `None` for a token of another text and for a special one.
pub(crate) type Place = Option<Range<usize>>;

/// Token ids, and the text that each belongs to.
pub(crate) struct Encoded {
    pub ids: Vec<u32>,
    /// 0 for the first text of a pair, 1 for the second; empty if the model does not need it.
    pub types: Vec<u32>,
}

impl Tokenizer {
    /// Reads a tokenizer.json.
    ///
    /// # Errors
    /// [`PackError::Unreadable`] and [`PackError::WrongFile`] for anything that is not one.
    pub fn load(json: &[u8]) -> Result<Self, PackError> {
        Self::read("tokenizer.json", json)
    }

    /// Reads a tokenizer.json that has this path in its pack.
    pub(crate) fn read(path: &str, json: &[u8]) -> Result<Self, PackError> {
        let read = layout::read(json).map_err(|reason| PackError::of_start(path, json, || reason))?;
        let Read { tokenizer: inner, unknown, size } = read;
        let added = inner.get_added_tokens_decoder().into_keys().max().map_or(0, |id| id as usize + 1);
        Ok(Self { inner, unknown, size: added.max(size) })
    }

    /// The ids of `text`, with the special tokens that the model expects around it.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, NnError> {
        Ok(self.inner.encode_fast(text, true).map_err(refused)?.get_ids().to_vec())
    }

    /// The number of tokens of `text`, special tokens included.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn count(&self, text: &str) -> Result<usize, NnError> {
        Ok(self.inner.encode_fast(text, true).map_err(refused)?.len())
    }

    /// The number of tokens of a pair of texts, special tokens included.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn count_pair(&self, first: &str, second: &str) -> Result<usize, NnError> {
        Ok(self.plain(first)?.len() + self.plain(second)?.len() + self.special_tokens(true))
    }

    /// The id of a piece, written as the vocabulary has it, such as `▁yes` in T5's.
    pub fn token_id(&self, piece: &str) -> Option<u32> {
        self.inner.token_to_id(piece)
    }

    /// The piece with this id.
    pub fn piece(&self, id: u32) -> Option<String> {
        self.inner.id_to_token(id)
    }

    /// The text of some ids, without special tokens.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn decode(&self, ids: &[u32]) -> Result<String, NnError> {
        self.inner.decode(ids, true).map_err(refused)
    }

    /// The id of `word`, if as text it is a single known piece.
    pub fn single_piece(&self, word: &str) -> Option<u32> {
        match self.plain(word).ok()?.get_ids() {
            &[id] if Some(id) != self.unknown => Some(id),
            _ => None,
        }
    }

    /// One more than the largest id.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The number of special tokens that a text, or a pair, gets.
    pub(crate) fn special_tokens(&self, pair: bool) -> usize {
        self.inner.get_post_processor().map_or(0, |processor| processor.added_tokens(pair))
    }

    /// `text` with its special tokens. Its end is cut off so that all fits into `limit` tokens; special tokens are
    /// always kept.
    pub(crate) fn encode_within(&self, text: &str, limit: usize) -> Result<Encoded, NnError> {
        let mut text = self.plain(text)?;
        cut(&mut text, limit.saturating_sub(self.special_tokens(false)));
        self.encoded(self.inner.post_process(text, None, true).map_err(refused)?)
    }

    /// A pair with its special tokens, which are always kept, in `limit` tokens. If it is too long, the premise loses
    /// its end, and once nothing of it is left, the hypothesis does.
    pub(crate) fn encode_pair_within(&self, premise: &str, hypothesis: &str, limit: usize) -> Result<Encoded, NnError> {
        self.encoded(self.pair(self.plain(premise)?, self.plain(hypothesis)?, limit)?)
    }

    /// As [`Tokenizer::encode_pair_within`], with the place of each token in the hypothesis.
    pub(crate) fn encode_pair_with_places(
        &self,
        premise: &str,
        hypothesis: &str,
        limit: usize,
    ) -> Result<(Encoded, Vec<Place>), NnError> {
        let hypothesis = self.inner.encode(hypothesis, false).map_err(refused)?;
        let encoding = self.pair(self.plain(premise)?, hypothesis, limit)?;
        let tokens = encoding.get_sequence_ids().into_iter().zip(encoding.get_offsets());
        let places = tokens.map(|(text, &(start, end))| (text == Some(1)).then_some(start..end)).collect();
        Ok((self.encoded(encoding)?, places))
    }

    /// A pair with its special tokens, in `limit` tokens.
    fn pair(&self, mut premise: Encoding, mut hypothesis: Encoding, limit: usize) -> Result<Encoding, NnError> {
        let room = limit.saturating_sub(self.special_tokens(true));
        cut(&mut hypothesis, room);
        cut(&mut premise, room - hypothesis.len());
        hypothesis.set_type_ids(vec![1; hypothesis.len()]);
        self.inner.post_process(premise, Some(hypothesis), true).map_err(refused)
    }

    /// `before`, which alone gets special tokens, and then `text`, in `limit` tokens. Returns the number of tokens of
    /// `before` too. If all is too long, `before` loses its start, and once nothing of it is left, `text` loses its
    /// end.
    pub(crate) fn encode_after(&self, before: &str, text: &str, limit: usize) -> Result<(Encoded, usize), NnError> {
        let mut text = self.plain(text)?;
        cut(&mut text, limit);
        let before = self.encode(before)?;
        let before = &before[before.len().saturating_sub(limit - text.len())..];
        let ids = [before, text.get_ids()].concat();
        self.knows(&ids)?;
        Ok((Encoded { ids, types: Vec::new() }, before.len()))
    }

    fn plain(&self, text: &str) -> Result<Encoding, NnError> {
        self.inner.encode_fast(text, false).map_err(refused)
    }

    fn encoded(&self, encoding: Encoding) -> Result<Encoded, NnError> {
        let ids = encoding.get_ids();
        if ids.is_empty() {
            return Err(NnError::Tokenizer { reason: "it has no tokens".to_owned() });
        }
        self.knows(ids)?;
        let types = encoding.get_type_ids().iter().map(|&text| text.min(1)).collect();
        Ok(Encoded { ids: ids.to_vec(), types })
    }

    /// A file may name special tokens whose ids are not in its vocabulary.
    fn knows(&self, ids: &[u32]) -> Result<(), NnError> {
        match ids.iter().find(|&&id| id as usize >= self.size) {
            Some(id) => Err(NnError::Tokenizer { reason: format!("the special token {id} is not in its vocabulary") }),
            None => Ok(()),
        }
    }
}

fn cut(encoding: &mut Encoding, length: usize) {
    encoding.truncate(length, 0, TruncationDirection::Right);
    encoding.take_overflowing();
}

fn refused(error: tokenizers::Error) -> NnError {
    NnError::Tokenizer { reason: error.to_string() }
}
