//! Sentence-level cohesion: whether each sentence reads as language does (Eq. 3).

use super::{
    Cohesion, Conner, Found, Missing, ReadSentence, Settings, Step, Watch, cohesion, lacking, lowest, perplexity,
};
use crate::report::Span;
use crate::text::sentences::Sentence;

/// Sentences that are read between two steps: enough to batch, few enough to stop soon.
const TOGETHER: usize = 16;

impl Conner {
    /// Eq. 3, unconditionally: each sentence by itself. Its first token has no probability unless the tokenizer puts one
    /// before it, so a sentence of one token has no perplexity and is left out of the mean.
    pub(super) async fn cohesion(
        &self,
        found: &[(Span, Sentence)],
        settings: &Settings,
        watch: &mut impl Watch,
    ) -> Found<Cohesion> {
        let Some(lm) = self.language_model.as_ref().filter(|_| !found.is_empty()) else {
            return Ok(Err(lacking(&[
                (!found.is_empty(), Missing::Knowledge),
                (self.language_model.is_some(), Missing::LanguageModel),
            ])));
        };
        let texts: Vec<&str> = found.iter().map(|(_, sentence)| sentence.text.as_str()).collect();
        let most = if settings.cohesion_tokens == 0 { usize::MAX } else { settings.cohesion_tokens };
        let cap = settings.perplexity_cap.unwrap_or(f64::INFINITY);
        let mut read = Vec::with_capacity(texts.len());
        for texts in texts.chunks(TOGETHER) {
            watch.step(Step::Cohesion).await?;
            read.extend(lm.model.log_probabilities(texts).await?);
        }
        let perplexities: Vec<Option<f64>> =
            read.iter().map(|tokens| perplexity(&tokens[..tokens.len().min(most)]).map(|ppl| ppl.min(cap))).collect();
        let each = found.iter().zip(&perplexities).map(|((span, sentence), ppl)| ReadSentence {
            span: *span,
            text: sentence.text.clone(),
            value: ppl.map(|ppl| 1.0 / ppl.max(1.0)),
        });
        let each: Vec<ReadSentence> = each.collect();
        let known: Vec<f64> = perplexities.into_iter().flatten().collect();
        let Some(value) = cohesion(&known) else { return Ok(Err(vec![Missing::LongerSentence])) };
        let lowest = lowest(each.iter().map(|sentence| sentence.value.unwrap_or(f64::INFINITY)));
        Ok(Ok((lm.name.clone(), Cohesion { value, sentences: each, lowest })))
    }
}
