//! Greedy generation with an encoder-decoder, one step at a time, and the probability of a given output.

use std::sync::Arc;

use crate::device::read_back;
use crate::error::NnError;
use crate::models::t5::{Decoding, T5};
use crate::tasks::likelihood::log_probabilities;
use crate::tokenizer::Tokenizer;

/// An encoder-decoder with its tokenizer.
pub struct Seq2Seq {
    model: T5,
    tokenizer: Arc<Tokenizer>,
}

impl Seq2Seq {
    pub(crate) fn new(model: T5, tokenizer: Arc<Tokenizer>) -> Self {
        Self { model, tokenizer }
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// Reads a prompt. Returns the answer before its first step. A prompt of more than `max_tokens` tokens loses its end.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses.
    pub async fn generate(&self, prompt: &str, max_tokens: usize) -> Result<Generation<'_>, NnError> {
        let decoding = self.model.encode(&self.tokenizer.encode_within(prompt, max_tokens)?.ids).await?;
        Ok(Generation { model: &self.model, decoding, last: self.model.start(), ended: false })
    }

    /// The greedy answer to a prompt as text, of at most `max_steps` tokens. A prompt of more than `max_tokens` tokens loses
    /// its end.
    ///
    /// # Errors
    /// As [`Seq2Seq::generate`], and [`NnError::BackendLost`] if the device fails.
    pub async fn write(&self, prompt: &str, max_tokens: usize, max_steps: usize) -> Result<String, NnError> {
        let mut generation = self.generate(prompt, max_tokens).await?;
        let mut written = Vec::new();
        while written.len() < max_steps
            && let Some(step) = generation.step().await?
        {
            written.push(step.token);
        }
        self.tokenizer.decode(&written)
    }

    /// The natural logarithm of the probability of each token of `target`, given `input` and the tokens before it (teacher
    /// forcing). Minus their mean is the loss of chen2023's Eq. 5 and 6. The last value is that of the end token, which
    /// transformers includes in the loss too. A text of more than `max_tokens` tokens loses its end.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses, [`NnError::BackendLost`] if the device fails.
    pub async fn log_probabilities(&self, input: &str, target: &str, max_tokens: usize) -> Result<Vec<f32>, NnError> {
        let target = self.tokenizer.encode_within(target, max_tokens)?.ids;
        let mut decoding = self.model.encode(&self.tokenizer.encode_within(input, max_tokens)?.ids).await?;
        let read: Vec<u32> = std::iter::once(self.model.start()).chain(target.iter().copied()).collect();
        let states = self.model.decode(&mut decoding, &read[..target.len()]).await?;
        log_probabilities(states, &target, self.model.vocabulary(), |states| self.model.head(states)).await
    }
}

/// An answer that is being generated.
pub struct Generation<'a> {
    model: &'a T5,
    decoding: Decoding,
    last: u32,
    ended: bool,
}

/// One step of a [`Generation`].
#[derive(Clone, Debug, PartialEq)]
pub struct DecodingStep {
    /// The most probable token, which the next step follows.
    pub token: u32,
    /// The logits of all tokens, `[vocabulary]`.
    pub logits: Vec<f32>,
}

impl Generation<'_> {
    /// The next greedy step; `None` after the end token.
    ///
    /// # Errors
    /// [`NnError::BackendLost`] if the device fails.
    pub async fn step(&mut self) -> Result<Option<DecodingStep>, NnError> {
        if self.ended {
            return Ok(None);
        }
        let state = self.model.decode(&mut self.decoding, &[self.last]).await?;
        let logits = read_back(self.model.head(state)).await?;
        let best = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        let token = best.map_or(self.last, |(token, _)| token as u32);
        self.last = token;
        self.ended = token == self.model.end();
        Ok(Some(DecodingStep { token, logits }))
    }
}
