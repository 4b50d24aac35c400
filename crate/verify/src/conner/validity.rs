//! Validity: whether the answer is right, read against a known right one or against evidence (Eq. 7 and 8).

use evident_index::Storage;
use serde::{Deserialize, Serialize};

use crate::conner::evidence::{check, evidence};
use crate::conner::formulas::sentence_factuality;
use crate::conner::item::Given;
use crate::conner::outcome::{Missing, Outcome, Value, missing_of};
use crate::conner::scorer::Conner;
use crate::conner::settings::ValidityForm;
use crate::conner::steps::Steps;
use crate::error::VerifyError;
use crate::events::Observer;
use crate::report::Nli;

/// Validity (Eq. 7 or 8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Validity {
    /// The entailment, 0 to 1.
    pub value: f64,
    /// The whole triple.
    pub nli: Nli,
    /// Which equation: 7 for a span against the reference, 8 for an open-ended answer against evidence.
    #[cfg_attr(feature = "types", ts(type = "7 | 8"))]
    pub equation: u8,
    /// Eq. 8: the id of the passage with the most entailment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
}

impl Value for Validity {
    fn value(&self) -> f64 {
        self.value
    }
}

impl Conner {
    /// Eq. 7 or 8.
    pub(super) async fn validity<S: Storage>(
        &self,
        given: &Given<'_, S>,
        steps: &Steps<'_, impl Observer>,
    ) -> Result<Outcome<Validity>, VerifyError> {
        let Given { texts, sources, settings, .. } = given;
        let span = match settings.validity {
            ValidityForm::Span => true,
            ValidityForm::Open => false,
            ValidityForm::Auto => texts.reference.is_some(),
        };
        let source = match settings.validity {
            ValidityForm::Span => (texts.reference.is_some(), Missing::Reference),
            ValidityForm::Open => (sources.has_evidence(), Missing::Evidence),
            ValidityForm::Auto => (span || sources.has_evidence(), Missing::ReferenceOrEvidence),
        };
        let needs = [
            (texts.question.is_some() || !span, Missing::Question),
            (texts.answer.is_some(), Missing::Answer),
            source,
            (self.nli.is_some(), Missing::NliModel),
        ];
        let (Some(answer), Some(nli), true) = (texts.answer, &self.nli, needs.iter().all(|(met, _)| *met)) else {
            return Ok(missing_of(&needs));
        };
        steps.begin().await?;
        let question = texts.question.unwrap_or_default();
        let (equation, (triple, passage)) = if span {
            let said = |answer: &str| format!("{}{}{answer}", asked(question), settings.validity_separator);
            let (premise, hypothesis) = (said(texts.reference.unwrap_or_default()), said(answer));
            let read = nli.model.triples(&[(premise.as_str(), hypothesis.as_str())]).await?;
            (7, (sentence_factuality(&read), None))
        } else {
            let passages = evidence(sources, &format!("{question} {answer}"), settings).await?;
            let found = check(&nli.model, answer, &passages, settings).await?;
            (8, (found.nli, found.passage))
        };
        let score = Validity { value: triple.entailment, nli: triple, equation, passage };
        Ok(Outcome::scored(&nli.name, score))
    }
}

/// The question, with a question mark if it has no mark at its end: Eq. 7's q.
fn asked(question: &str) -> String {
    if question.ends_with(|end: char| end.is_ascii_punctuation()) {
        question.to_owned()
    } else {
        format!("{question}?")
    }
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn a_question_is_asked_once() {
        assert_eq!((asked("who was he"), asked("Who was he?")), ("who was he?".into(), "Who was he?".into()));
    }
}
