//! Text to token ids, as the published tokenizer.json says.

mod layout;

use tokenizers::utils::truncation::TruncationDirection;
use tokenizers::{Encoding, PostProcessor};

use self::layout::Read;
use crate::{NnError, PackError};

/// A tokenizer without the padding and truncation that its file may carry: models here batch and cut by themselves.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    unknown: Option<u32>,
    /// One more than the largest id of the vocabulary.
    size: usize,
}

/// Token ids and which text each is from.
pub(crate) struct Encoded {
    pub ids: Vec<u32>,
    /// 0 for the first text of a pair, 1 for the second; empty where a model does not ask.
    pub types: Vec<u32>,
}

impl Tokenizer {
    /// Reads a tokenizer.json.
    ///
    /// # Errors
    /// [`PackError::Unreadable`] where it is none.
    pub fn load(json: &[u8]) -> Result<Self, PackError> {
        Self::read("tokenizer.json", json)
    }

    /// Reads a tokenizer.json of a pack, where it has this path.
    pub(crate) fn read(path: &str, json: &[u8]) -> Result<Self, PackError> {
        let read = layout::read(json).map_err(|reason| PackError::Unreadable { path: path.to_owned(), reason })?;
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
    pub(crate) fn count_pair(&self, first: &str, second: &str) -> Result<usize, NnError> {
        Ok(self.plain(first)?.len() + self.plain(second)?.len() + self.special_tokens(true))
    }

    /// The id of a piece of the vocabulary, written as it is there (such as `▁yes` in T5's).
    pub fn token_id(&self, piece: &str) -> Option<u32> {
        self.inner.token_to_id(piece)
    }

    /// The piece that an id stands for.
    pub fn piece(&self, id: u32) -> Option<String> {
        self.inner.id_to_token(id)
    }

    /// The text of some ids, special tokens left out.
    ///
    /// # Errors
    /// As [`Tokenizer::encode`].
    pub fn decode(&self, ids: &[u32]) -> Result<String, NnError> {
        self.inner.decode(ids, true).map_err(refused)
    }

    /// The id of `word` where all of it, read as text, is one known piece.
    pub fn single_piece(&self, word: &str) -> Option<u32> {
        match self.plain(word).ok()?.get_ids() {
            &[id] if Some(id) != self.unknown => Some(id),
            _ => None,
        }
    }

    /// One more than the largest id that it gives.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// How many special tokens a text, or a pair of them, gets.
    pub(crate) fn special_tokens(&self, pair: bool) -> usize {
        self.inner.get_post_processor().map_or(0, |processor| processor.added_tokens(pair))
    }

    /// `text` with its special tokens, its end cut off so that all fits into `limit` tokens (or the special tokens alone).
    pub(crate) fn encode_within(&self, text: &str, limit: usize) -> Result<Encoded, NnError> {
        let mut text = self.plain(text)?;
        cut(&mut text, limit.saturating_sub(self.special_tokens(false)));
        self.finish(text, None)
    }

    /// A pair with its special tokens within `limit` tokens (or the special tokens alone): the end of the premise gives
    /// way first, down to nothing of it, then that of the hypothesis.
    pub(crate) fn encode_pair_within(&self, premise: &str, hypothesis: &str, limit: usize) -> Result<Encoded, NnError> {
        let room = limit.saturating_sub(self.special_tokens(true));
        let (mut premise, mut hypothesis) = (self.plain(premise)?, self.plain(hypothesis)?);
        cut(&mut hypothesis, room);
        cut(&mut premise, room - hypothesis.len());
        hypothesis.set_type_ids(vec![1; hypothesis.len()]);
        self.finish(premise, Some(hypothesis))
    }

    /// `text` after what stands before it, which alone gets special tokens, and how many tokens it is after: within `limit`
    /// tokens, for which the end of `text` is cut off first and then the start of what is before it.
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

    fn finish(&self, first: Encoding, second: Option<Encoding>) -> Result<Encoded, NnError> {
        let encoding = self.inner.post_process(first, second, true).map_err(refused)?;
        let ids = encoding.get_ids();
        if ids.is_empty() {
            return Err(NnError::Tokenizer { reason: "it has no tokens".to_owned() });
        }
        self.knows(ids)?;
        let types = encoding.get_type_ids().iter().map(|&text| text.min(1)).collect();
        Ok(Encoded { ids: ids.to_vec(), types })
    }

    /// A file may promise special tokens whose ids are not in its vocabulary.
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
