//! Paragraph-level coherence: whether the sentences make a coherent paragraph in their order (Eq. 4).

use serde::{Deserialize, Serialize};

use crate::conner::item::Given;
use crate::conner::outcome::{Cut, Missing, Outcome, Value, missing_of};
use crate::conner::prompts::fit;
use crate::conner::scorer::Conner;
use crate::conner::steps::Steps;
use crate::error::VerifyError;
use crate::events::Observer;
use crate::models::relevance::{log_odds, normalised};

/// Paragraph-level coherence (Eq. 4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Coherence {
    /// The score, 0 to 1: the sigmoid of `raw`.
    pub value: f64,
    /// The score before normalisation: the model's logit, or the second of its two logits minus the first.
    pub raw: f64,
}

impl Value for Coherence {
    fn value(&self) -> f64 {
        self.value
    }
}

impl Conner {
    /// Eq. 4. The paper calls the score "normalized" and does not say how: here by the sigmoid, which needs no other
    /// text. Its released code writes raw numbers (from -26.3 to 20.3 for the knowledge of NQ). The summary of a scored
    /// file also has the mean of the raw numbers, and their mean after min-max normalisation over the file.
    pub(super) async fn coherence<S>(
        &self,
        given: &Given<'_, S>,
        steps: &Steps<'_, impl Observer>,
    ) -> Result<Outcome<Coherence>, VerifyError> {
        let sentences = &given.sentences;
        let Some(discourse) = self.discourse.as_ref().filter(|_| !sentences.is_empty()) else {
            return Ok(missing_of(&[
                (!sentences.is_empty(), Missing::Knowledge),
                (self.discourse.is_some(), Missing::DiscourseModel),
            ]));
        };
        steps.begin().await?;
        let paragraph = sentences.iter().map(|(_, sentence)| sentence.text.as_str()).collect::<Vec<_>>().join(" ");
        let model = &discourse.model;
        let logits = model.text_logits(&[paragraph.as_str()]).await?;
        let read = logits.first().and_then(|logits| Some((normalised(logits)?, log_odds(logits)?)));
        let (value, raw) = read.ok_or(VerifyError::NotFinite { model: "discourse" })?;
        let read = fit(&paragraph, 0, model.max_tokens(), |text| model.tokenizer().count(text))?;
        let part = Cut::of([(paragraph.as_str(), read)]);
        Ok(Outcome::scored(&discourse.name, Coherence { value, raw }).of_part(part))
    }
}
