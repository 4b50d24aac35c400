//! Relevance: whether the knowledge is about the question (Eq. 2).

use crate::conner::formulas::cosine_relevance;
use crate::conner::item::Given;
use crate::conner::outcome::{Cut, Missing, Outcome, Plain, missing_of};
use crate::conner::prompts::fit;
use crate::conner::scorer::Conner;
use crate::conner::steps::Steps;
use crate::error::VerifyError;
use crate::events::Observer;
use crate::models::relevance::{RelevanceModel, normalised};

impl Conner {
    /// Eq. 2. Knowledge that is too long beside the question loses its end here, because the model would cut the
    /// question too.
    pub(super) async fn relevance<S>(
        &self,
        given: &Given<'_, S>,
        steps: &Steps<'_, impl Observer>,
    ) -> Result<Outcome<Plain>, VerifyError> {
        let texts = given.texts;
        let (Some(question), Some(knowledge), Some(relevance)) =
            (texts.question, texts.knowledge, &self.relevance_model)
        else {
            return Ok(missing_of(&[
                (texts.question.is_some(), Missing::Question),
                (texts.knowledge.is_some(), Missing::Knowledge),
                (self.relevance_model.is_some(), Missing::RelevanceModel),
            ]));
        };
        steps.begin().await?;
        let (value, read) = match &relevance.model {
            RelevanceModel::CrossEncoder(model) => {
                let count = |text: &str| model.tokenizer().count(text);
                let room = given.settings.relevance_tokens.saturating_sub(count(question)?);
                let read = fit(knowledge, 0, room, count)?;
                let logits = model.logits(&[(question, read)]).await?;
                (logits.first().and_then(|logits| normalised(logits)), read)
            }
            RelevanceModel::BiEncoder(model) => {
                let vectors = model.embed(&[question, knowledge]).await?;
                let value = match vectors.as_slice() {
                    [question, knowledge] => Some(cosine_relevance(question, knowledge)),
                    _ => None,
                };
                (value, fit(knowledge, 0, model.max_tokens(), |text| model.tokenizer().count(text))?)
            }
        };
        let value = value.ok_or(VerifyError::NotFinite { model: "relevance" })?;
        Ok(Outcome::scored(&relevance.name, Plain { value }).of_part(Cut::of([(knowledge, read)])))
    }
}
