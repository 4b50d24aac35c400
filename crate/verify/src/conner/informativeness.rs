//! Informativeness: whether the knowledge is new to a language model that knows the question (Eq. 5).

use serde::{Deserialize, Serialize};

use crate::conner::formulas::informativeness;
use crate::conner::item::Given;
use crate::conner::outcome::{Cut, Missing, Outcome, Value, missing_of};
use crate::conner::prompts::{after, fill, fit, without_end};
use crate::conner::scorer::{Conner, Named};
use crate::conner::steps::Steps;
use crate::error::VerifyError;
use crate::events::Observer;

/// Informativeness (Eq. 5).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Informativeness {
    /// The score, 0 to 1.
    pub value: f64,
    /// M, the number of tokens of k that it is computed from.
    pub tokens: usize,
}

impl Value for Informativeness {
    fn value(&self) -> f64 {
        self.value
    }
}

impl Conner {
    /// Eq. 5 by the causal language model, or else by the seq2seq model, without the end token that it adds to k.
    /// Knowledge that is too long loses its end.
    ///
    /// It is 1 - 1 / PPL of the knowledge, so a weak language model gives nearly every text 0.99 or more: the paper's
    /// GPT-Neo 2.7B has means of 0.67 to 0.94, the embedded model of two layers has 0.991 to 1.000 on the paper's
    /// samples.
    pub(super) async fn informativeness<S>(
        &self,
        given: &Given<'_, S>,
        steps: &Steps<'_, impl Observer>,
    ) -> Result<Outcome<Informativeness>, VerifyError> {
        let Given { texts, settings, .. } = given;
        let names_topic = settings.informativeness_prompt.contains("{topic}");
        let needs = [
            (texts.question.is_some(), Missing::Question),
            (texts.topic.is_some() || !names_topic, Missing::Topic),
            (texts.knowledge.is_some(), Missing::Knowledge),
            (self.language_model.is_some() || self.seq2seq.is_some(), Missing::GeneratingModel),
        ];
        let (Some(knowledge), true) = (texts.knowledge, needs.iter().all(|(met, _)| *met)) else {
            return Ok(missing_of(&needs));
        };
        steps.begin().await?;
        let prompt = fill(&settings.informativeness_prompt, &texts.values(""));
        let words = settings.informativeness_words;
        let (name, read, tokens) = if let Some(Named { name, model }) = &self.language_model {
            let count = |text: &str| model.tokenizer().count(text);
            let room = model.max_tokens().saturating_sub(count(&prompt)?);
            let read = fit(knowledge, words, room, count)?;
            let said = after(&prompt, read);
            (name, read, model.log_probabilities_after(&[(prompt.as_str(), said.as_str())]).await?.pop())
        } else if let Some(Named { name, model }) = &self.seq2seq {
            let read = fit(knowledge, words, settings.max_tokens, |text| model.tokenizer().count(text))?;
            (name, read, Some(without_end(model.log_probabilities(&prompt, read, settings.max_tokens).await?)))
        } else {
            return Ok(Missing::GeneratingModel.into());
        };
        let tokens = tokens.unwrap_or_default();
        let Some(value) = informativeness(&tokens) else { return Ok(Missing::Knowledge.into()) };
        let score = Informativeness { value, tokens: tokens.len() };
        Ok(Outcome::scored(name, score).of_part(Cut::of([(knowledge, read)])))
    }
}
