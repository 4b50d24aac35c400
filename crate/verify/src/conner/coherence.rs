//! Paragraph-level coherence: whether the sentences make a coherent paragraph in their order (Eq. 4).

use crate::conner::item::Given;
use crate::conner::outcome::{Missing, Outcome, Plain, missing_of};
use crate::conner::scorer::Conner;
use crate::conner::steps::Steps;
use crate::error::VerifyError;
use crate::events::Observer;
use crate::models::relevance::normalised;

impl Conner {
    /// Eq. 4.
    pub(super) async fn coherence<S>(
        &self,
        given: &Given<'_, S>,
        steps: &Steps<'_, impl Observer>,
    ) -> Result<Outcome<Plain>, VerifyError> {
        let sentences = &given.sentences;
        let Some(discourse) = self.discourse.as_ref().filter(|_| !sentences.is_empty()) else {
            return Ok(missing_of(&[
                (!sentences.is_empty(), Missing::Knowledge),
                (self.discourse.is_some(), Missing::DiscourseModel),
            ]));
        };
        steps.begin().await?;
        let paragraph = sentences.iter().map(|(_, sentence)| sentence.text.as_str()).collect::<Vec<_>>().join(" ");
        let logits = discourse.model.text_logits(&[paragraph.as_str()]).await?;
        let value = logits.first().and_then(|logits| normalised(logits));
        let value = value.ok_or(VerifyError::NotFinite { model: "discourse" })?;
        Ok(Outcome::Scored { model: discourse.name.clone(), score: Plain { value } })
    }
}
