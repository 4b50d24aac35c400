//! Greedy generation with an encoder-decoder, one step at a time, and the probability of a given output.

use std::sync::Arc;

use crate::device::read_back;
use crate::error::NnError;
use crate::models::t5::{Decoding, T5};
use crate::tasks::likelihood::log_probabilities;
use crate::tokenizer::Tokenizer;
use crate::warm_up::WarmUp;

/// The most tokens of a pair that the model warms up with.
const WARM_UP_TOKENS: usize = 512;

/// The number of logits that a pack states for a pair. One would not do: some tokens occur in no answer and have
/// nearly the same logit after every text.
const PROBES: usize = 16;

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

    /// Reads a prompt. Returns the answer before its first step. A prompt of more than `max_tokens` tokens loses its
    /// end.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses.
    pub async fn generate(&self, prompt: &str, max_tokens: usize) -> Result<Generation<'_>, NnError> {
        self.generate_fused(&[prompt], max_tokens).await
    }

    /// Encodes prompts, at least one, separately and generates one answer to all of them: fusion in the decoder
    /// (Izacard and Grave 2021). A prompt of more than `max_tokens` tokens loses its end.
    ///
    /// # Errors
    /// As for [`Self::generate`].
    pub async fn generate_fused(&self, prompts: &[&str], max_tokens: usize) -> Result<Generation<'_>, NnError> {
        let ids = |prompt: &&str| Ok(self.tokenizer.encode_within(prompt, max_tokens)?.ids);
        let inputs = prompts.iter().map(ids).collect::<Result<Vec<_>, NnError>>()?;
        let decoding = self.model.encode(&inputs).await?;
        Ok(Generation { model: &self.model, decoding, last: self.model.start(), ended: false })
    }

    /// The logits of the first token of the answer to a pair of texts, `[vocabulary]`. The tokenizer puts the end token
    /// after each of them. A pair of more than `max_tokens` tokens loses the end of its first text, and once nothing of
    /// that is left, the end of its second.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses, [`NnError::BackendLost`] if the device fails.
    pub async fn first_logits(&self, first: &str, second: &str, max_tokens: usize) -> Result<Vec<f32>, NnError> {
        let ids = self.tokenizer.encode_pair_within(first, second, max_tokens)?.ids;
        let mut decoding = self.model.encode(&[ids]).await?;
        let state = self.model.decode(&mut decoding, &[self.model.start()]).await?;
        read_back(self.model.head(state)).await
    }

    /// Runs pairs for which the logits of the answer's first token are known, to detect a device that computes wrongly,
    /// like [`Classifier::warm_up`](crate::Classifier::warm_up).
    ///
    /// # Errors
    /// [`NnError::BackendWrong`] if a logit is not what it must be, and those of [`Self::first_logits`].
    pub async fn warm_up(&self, pairs: &[WarmUp]) -> Result<(), NnError> {
        for pair in pairs {
            pair.hold(&self.warm_up_logits(&pair.pair.0, &pair.pair.1).await?)?;
        }
        Ok(())
    }

    /// The logits that [`Self::warm_up`] compares: those of the answer's first token, at equally spaced token ids.
    pub(crate) async fn warm_up_logits(&self, first: &str, second: &str) -> Result<Vec<f32>, NnError> {
        let logits = self.first_logits(first, second, WARM_UP_TOKENS).await?;
        Ok((0..PROBES).filter_map(|probe| logits.get(probe * logits.len() / PROBES).copied()).collect())
    }

    /// The number of tokens that the model has embeddings for.
    pub fn vocabulary(&self) -> usize {
        self.model.vocabulary()
    }

    /// The natural logarithm of the probability of each token of `target`, given `input` and the tokens before it
    /// (teacher forcing). Minus their mean is the loss of chen2023's Eq. 5 and 6. The last value is that of the end
    /// token, which transformers includes in the loss too. A text of more than `max_tokens` tokens loses its end.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses, [`NnError::BackendLost`] if the device fails.
    pub async fn log_probabilities(&self, input: &str, target: &str, max_tokens: usize) -> Result<Vec<f32>, NnError> {
        let target = self.tokenizer.encode_within(target, max_tokens)?.ids;
        let mut decoding = self.model.encode(&[self.tokenizer.encode_within(input, max_tokens)?.ids]).await?;
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
    /// The token that was chosen, which the next step continues from.
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
        let best = |logits: &[f32]| {
            let best = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
            best.map(|(token, _)| token as u32)
        };
        self.next(best).await
    }

    /// The next step of top-p sampling (Holtzman et al. 2020); `None` after the end token. `draw`, a random number from
    /// 0 to below 1, chooses among the tokens of [`nucleus`].
    ///
    /// # Errors
    /// [`NnError::BackendLost`] if the device fails.
    pub async fn sample(&mut self, top_p: f64, draw: f64) -> Result<Option<DecodingStep>, NnError> {
        self.next(|logits| drawn(&nucleus(logits, top_p), draw)).await
    }

    /// The next step, with the token that `choose` chooses by its logits.
    async fn next(&mut self, choose: impl FnOnce(&[f32]) -> Option<u32>) -> Result<Option<DecodingStep>, NnError> {
        if self.ended {
            return Ok(None);
        }
        let state = self.model.decode(&mut self.decoding, &[self.last]).await?;
        let logits = read_back(self.model.head(state)).await?;
        let token = choose(&logits).unwrap_or(self.last);
        self.last = token;
        self.ended = token == self.model.end();
        Ok(Some(DecodingStep { token, logits }))
    }
}

/// The token that `draw` selects when the tokens divide the interval from 0 to 1 by their probabilities.
fn drawn(nucleus: &[(u32, f64)], draw: f64) -> Option<u32> {
    let mut below = 0.0;
    let reached = nucleus.iter().find(|(_, share)| {
        below += share;
        draw < below
    });
    reached.or(nucleus.last()).map(|&(token, _)| token)
}

/// The tokens that top-p sampling draws from, with their probabilities, which sum to 1: the smallest set of most
/// probable tokens whose probabilities add up to at least `top_p`, the most probable first. At least one.
#[must_use]
pub fn nucleus(logits: &[f32], top_p: f64) -> Vec<(u32, f64)> {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut tokens: Vec<(u32, f64)> = (0..).zip(logits.iter().map(|&logit| f64::from(logit - top).exp())).collect();
    tokens.sort_by(|a, b| b.1.total_cmp(&a.1));
    let all: f64 = tokens.iter().map(|(_, mass)| mass).sum();
    let mut below = 0.0;
    let kept = tokens.iter().position(|(_, mass)| {
        below += mass;
        below >= top_p * all
    });
    tokens.truncate(kept.map_or(tokens.len(), |last| last + 1));
    let kept: f64 = tokens.iter().map(|(_, mass)| mass).sum();
    tokens.iter_mut().for_each(|(_, mass)| *mass /= kept);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_is_drawn_as_often_as_it_is_likely() {
        let logits = [0.2_f32, 0.5, 0.3].map(f32::ln);
        let drawn = |top_p| {
            (0..10)
                .map(|tenth| drawn(&nucleus(&logits, top_p), (f64::from(tenth) + 0.5) / 10.0).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(drawn(1.0), [1, 1, 1, 1, 1, 2, 2, 2, 0, 0]);
        assert_eq!(drawn(0.8), [1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
        assert_eq!(drawn(0.5), [1; 10]);
    }
}
