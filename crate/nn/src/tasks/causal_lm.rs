//! The probability of a text under a causal language model.

use std::sync::Arc;

use crate::device::read_back;
use crate::error::NnError;
use crate::models::batch::{Batch, batches};
use crate::models::gpt::Gpt;
use crate::ops::indices;
use crate::tasks::likelihood::{log_probabilities, slices};
use crate::tokenizer::{Encoded, Tokenizer};

/// A causal language model with its tokenizer.
pub struct CausalLm {
    model: Gpt,
    tokenizer: Arc<Tokenizer>,
}

impl CausalLm {
    pub(crate) fn new(model: Gpt, tokenizer: Arc<Tokenizer>) -> Self {
        Self { model, tokenizer }
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The tokens that the model has positions for.
    pub fn max_tokens(&self) -> usize {
        self.model.max_tokens()
    }

    /// The logits of the next token at every position of a text, `[tokens][vocabulary]`. A text that is too long loses
    /// its end; an empty one has no positions. All logits are copied to the host, so this is for short texts:
    /// [`CausalLm::log_probabilities`] copies only the probabilities.
    ///
    /// # Errors
    /// [`NnError::Tokenizer`] for text that the tokenizer refuses, [`NnError::BackendLost`] if the device fails.
    pub async fn logits(&self, text: &str) -> Result<Vec<Vec<f32>>, NnError> {
        let (text, _) = self.tokenizer.encode_after("", text, self.max_tokens())?;
        let vocabulary = self.model.vocabulary();
        let mut logits = Vec::with_capacity(text.ids.len());
        if text.ids.is_empty() {
            return Ok(logits);
        }
        let states = self.model.forward(&Batch::new([&text])).await?;
        for slice in slices(text.ids.len(), vocabulary) {
            let rows = states.clone().narrow(0, slice.start, slice.len());
            let rows = read_back(self.model.head(rows)).await?;
            logits.extend(rows.chunks(vocabulary).map(<[f32]>::to_vec));
        }
        Ok(logits)
    }

    /// The natural logarithm of the probability of each token of each text, given the tokens before it. The first token
    /// has none, unless the tokenizer puts a special token before it. So n tokens give n - 1 values, and the perplexity
    /// of the text is exp of minus their mean (chen2023, Eq. 3). A text that is too long for the model loses its end.
    /// Texts of similar length are computed together.
    ///
    /// # Errors
    /// As [`CausalLm::logits`].
    pub async fn log_probabilities(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, NnError> {
        let pairs: Vec<(&str, &str)> = texts.iter().map(|text| ("", *text)).collect();
        self.log_probabilities_after(&pairs).await
    }

    /// The natural logarithm of the probability of each token of the second text of each pair, given the first text and
    /// the tokens before it: ln P(k_t | k_1:t-1, q) of chen2023's Eq. 5 for the pair (q, k), and likewise Eq. 6. The
    /// two are tokenized separately, so the space between them belongs at the start of the second. After an empty first
    /// text the first token has no value. A pair that is too long for the model loses the start of its first text, and
    /// then the end of its second.
    ///
    /// # Errors
    /// As [`CausalLm::logits`].
    pub async fn log_probabilities_after(&self, pairs: &[(&str, &str)]) -> Result<Vec<Vec<f32>>, NnError> {
        let limit = self.max_tokens();
        let encode = |&(before, text): &(&str, &str)| self.tokenizer.encode_after(before, text, limit);
        let encoded: Vec<(Encoded, usize)> = pairs.iter().map(encode).collect::<Result<_, _>>()?;
        let (encoded, before): (Vec<Encoded>, Vec<usize>) = encoded.into_iter().unzip();
        // The tokens of the second text that have a token before them.
        let asked = |place: usize| before[place].max(1)..encoded[place].ids.len();

        let mut found = vec![Vec::new(); pairs.len()];
        for mut places in batches(&encoded) {
            places.retain(|&place| !asked(place).is_empty());
            if places.is_empty() {
                continue;
            }
            let batch = Batch::new(places.iter().map(|&place| &encoded[place]));
            let states = self.model.forward(&batch).await?;
            let length = batch.length();
            let rows = places.iter().enumerate().flat_map(|(i, &place)| asked(place).map(move |t| i * length + t - 1));
            let states = states.clone().select(0, indices(rows, &states.device()));
            let targets: Vec<u32> =
                places.iter().flat_map(|&place| &encoded[place].ids[asked(place)]).copied().collect();
            let head = |states| self.model.head(states);
            let values = log_probabilities(states, &targets, self.model.vocabulary(), head).await?;
            let mut rest = values.as_slice();
            for place in places {
                let own;
                (own, rest) = rest.split_at(asked(place).len());
                found[place] = own.to_vec();
            }
        }
        Ok(found)
    }
}
