//! Sentence-level cohesion: whether each sentence reads as natural language (Eq. 3).

use serde::{Deserialize, Serialize};

use crate::conner::formulas::{cohesion, lowest, perplexity};
use crate::conner::item::Given;
use crate::conner::outcome::{Cut, Missing, Outcome, Value, missing_of};
use crate::conner::prompts::fit;
use crate::conner::scorer::Conner;
use crate::conner::steps::Steps;
use crate::error::VerifyError;
use crate::events::Observer;
use crate::report::Span;

/// The number of sentences that are read between two steps: enough for a batch, few enough to stop soon.
const SENTENCES_PER_STEP: usize = 16;

/// Sentence-level cohesion (Eq. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Cohesion {
    /// The mean of the sentences' 1 / PPL, 0 to 1.
    pub value: f64,
    /// The sentences in order.
    pub sentences: Vec<ReadSentence>,
    /// The number of the sentence with the least 1 / PPL, which pulls the score down; the first among equals.
    pub lowest: usize,
}

/// One sentence of the knowledge and its perplexity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct ReadSentence {
    /// Its place in the knowledge.
    #[serde(flatten)]
    pub span: Span,
    /// The sentence without Markdown.
    pub text: String,
    /// 1 / PPL, 0 to 1; `None` for a sentence of one token, which is left out of the mean.
    pub value: Option<f64>,
}

impl Value for Cohesion {
    fn value(&self) -> f64 {
        self.value
    }
}

impl Conner {
    /// Eq. 3 of each sentence by itself. The first token has no probability unless the tokenizer puts one before it, so
    /// a sentence of one token has no perplexity and is left out of the mean.
    pub(super) async fn cohesion<S>(
        &self,
        given: &Given<'_, S>,
        steps: &Steps<'_, impl Observer>,
    ) -> Result<Outcome<Cohesion>, VerifyError> {
        let Given { sentences, settings, .. } = given;
        let Some(lm) = self.language_model.as_ref().filter(|_| !sentences.is_empty()) else {
            return Ok(missing_of(&[
                (!sentences.is_empty(), Missing::Knowledge),
                (self.language_model.is_some(), Missing::LanguageModel),
            ]));
        };
        let texts: Vec<&str> = sentences.iter().map(|(_, sentence)| sentence.text.as_str()).collect();
        let mut read = Vec::with_capacity(texts.len());
        for texts in texts.chunks(SENTENCES_PER_STEP) {
            steps.begin().await?;
            read.extend(lm.model.log_probabilities(texts).await?);
        }
        let most = if settings.cohesion_tokens == 0 { usize::MAX } else { settings.cohesion_tokens };
        let cap = settings.perplexity_cap.unwrap_or(f64::INFINITY);
        let (room, count) = (most.min(lm.model.max_tokens()), |text: &str| lm.model.tokenizer().count(text));
        let parts: Vec<&str> = texts.iter().map(|text| fit(text, 0, room, count)).collect::<Result<_, _>>()?;
        let part = Cut::of(texts.iter().copied().zip(parts));
        let capped = |tokens: &Vec<f32>| perplexity(&tokens[..tokens.len().min(most)]).map(|ppl| ppl.min(cap));
        let perplexities: Vec<Option<f64>> = read.iter().map(capped).collect();
        let each = sentences.iter().zip(&perplexities).map(|((span, sentence), ppl)| ReadSentence {
            span: *span,
            text: sentence.text.clone(),
            value: ppl.map(|ppl| 1.0 / ppl.max(1.0)),
        });
        let each: Vec<ReadSentence> = each.collect();
        let known: Vec<f64> = perplexities.into_iter().flatten().collect();
        let Some(value) = cohesion(&known) else { return Ok(Missing::LongerSentence.into()) };
        let lowest = lowest(each.iter().map(|sentence| sentence.value.unwrap_or(f64::INFINITY)));
        Ok(Outcome::scored(&lm.name, Cohesion { value, sentences: each, lowest }).of_part(part))
    }
}
