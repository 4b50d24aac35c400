//! Informativeness: whether the knowledge is new to a language model that knows the question (Eq. 5).

use super::prompts::{after, fill, fit, without_end};
use super::{Conner, Found, Informativeness, Missing, Named, Settings, Step, Texts, Watch, informativeness, lacking};

impl Conner {
    /// Eq. 5, by the causal model or else the seq2seq one, whose end token is no token of k. The knowledge gives way where
    /// both do not fit.
    pub(super) async fn informativeness(
        &self,
        texts: Texts<'_>,
        settings: &Settings,
        watch: &mut impl Watch,
    ) -> Found<Informativeness> {
        let names_topic = settings.informativeness_prompt.contains("{topic}");
        let missing = lacking(&[
            (texts.question.is_some(), Missing::Question),
            (texts.topic.is_some() || !names_topic, Missing::Topic),
            (texts.knowledge.is_some(), Missing::Knowledge),
            (self.language_model.is_some() || self.seq2seq.is_some(), Missing::GeneratingModel),
        ]);
        let (Some(knowledge), true) = (texts.knowledge, missing.is_empty()) else { return Ok(Err(missing)) };
        watch.step(Step::Informativeness).await?;
        let prompt = fill(&settings.informativeness_prompt, &texts.values(""));
        let words = settings.informativeness_words;
        let (name, tokens) = if let Some(Named { name, model }) = &self.language_model {
            let count = |text: &str| model.tokenizer().count(text);
            let room = model.max_tokens().saturating_sub(count(&prompt)?);
            let knowledge = after(&prompt, fit(knowledge, words, room, count)?);
            (name, model.log_probabilities_after(&[(prompt.as_str(), knowledge.as_str())]).await?.pop())
        } else if let Some(Named { name, model }) = &self.seq2seq {
            let knowledge = fit(knowledge, words, settings.max_tokens, |text| model.tokenizer().count(text))?;
            (name, Some(without_end(model.log_probabilities(&prompt, knowledge, settings.max_tokens).await?)))
        } else {
            return Ok(Err(vec![Missing::GeneratingModel]));
        };
        let tokens = tokens.unwrap_or_default();
        let Some(value) = informativeness(&tokens) else { return Ok(Err(vec![Missing::Knowledge])) };
        Ok(Ok((name.clone(), Informativeness { value, tokens: tokens.len() })))
    }
}
