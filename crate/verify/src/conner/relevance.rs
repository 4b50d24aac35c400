//! Relevance: whether the knowledge is about the question (Eq. 2).

use super::prompts::fit;
use super::{
    Conner, Found, Matching, Missing, Plain, Settings, Step, Texts, Watch, cosine_relevance, lacking, normalised,
};
use crate::error::VerifyError;

impl Conner {
    /// Eq. 2. The knowledge gives way where both do not fit: a cross-encoder would cut the question.
    pub(super) async fn relevance(
        &self,
        texts: Texts<'_>,
        settings: &Settings,
        watch: &mut impl Watch,
    ) -> Found<Plain> {
        let (Some(question), Some(knowledge), Some(matching)) = (texts.question, texts.knowledge, &self.matching)
        else {
            return Ok(Err(lacking(&[
                (texts.question.is_some(), Missing::Question),
                (texts.knowledge.is_some(), Missing::Knowledge),
                (self.matching.is_some(), Missing::RelevanceModel),
            ])));
        };
        watch.step(Step::Relevance).await?;
        let value = match &matching.model {
            Matching::CrossEncoder(model) => {
                let count = |text: &str| model.tokenizer().count(text);
                let room = settings.relevance_tokens.saturating_sub(count(question)?);
                let knowledge = fit(knowledge, 0, room, count)?;
                let logits = model.logits(&[(question, knowledge)]).await?;
                logits.first().and_then(|logits| normalised(logits))
            }
            Matching::BiEncoder(model) => {
                let vectors = model.embed(&[question, knowledge]).await?;
                match vectors.as_slice() {
                    [question, knowledge] => Some(cosine_relevance(question, knowledge)),
                    _ => None,
                }
            }
        };
        let value = value.ok_or(VerifyError::NotFinite { model: "relevance" })?;
        Ok(Ok((matching.name.clone(), Plain { value })))
    }
}
