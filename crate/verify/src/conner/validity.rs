//! Validity: whether the answer is right, read against a known right one or against evidence (Eq. 7 and 8).

use evident_index::Storage;

use super::evidence::{check, evidence};
use super::{
    Conner, Form, Found, Missing, Settings, Sources, Step, Texts, Validity, Watch, lacking, sentence_factuality,
};

impl Conner {
    /// Eq. 7 or 8.
    pub(super) async fn validity<S: Storage>(
        &self,
        texts: Texts<'_>,
        sources: &Sources<'_, S>,
        settings: &Settings,
        watch: &mut impl Watch,
    ) -> Found<Validity> {
        let span = match settings.validity {
            Form::Span => true,
            Form::Open => false,
            Form::Auto => texts.reference.is_some(),
        };
        let (known, lacks) = match settings.validity {
            Form::Span => (texts.reference.is_some(), Missing::Reference),
            Form::Open => (sources.has_evidence(), Missing::Evidence),
            Form::Auto => (span || sources.has_evidence(), Missing::ReferenceOrEvidence),
        };
        let missing = lacking(&[
            (texts.question.is_some() || !span, Missing::Question),
            (texts.answer.is_some(), Missing::Answer),
            (known, lacks),
            (self.nli.is_some(), Missing::NliModel),
        ]);
        let (Some(answer), Some(nli), true) = (texts.answer, &self.nli, missing.is_empty()) else {
            return Ok(Err(missing));
        };
        watch.step(Step::Validity).await?;
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
        Ok(Ok((nli.name.clone(), Validity { value: triple.entailment, nli: triple, equation, passage })))
    }
}

/// The question with a mark at its end: Eq. 7's q.
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
