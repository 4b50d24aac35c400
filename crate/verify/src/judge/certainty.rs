//! How sure a verdict must be for a reader who wants more than the pack's thresholds.

use serde::Deserialize;

use crate::report::{Confidence, SentenceReport, Verdict};

/// Limits on the score of a verdict. A verdict by the pack's thresholds that is not within these becomes no evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Certainty {
    /// The least score of a factual sentence.
    pub factual_from: Option<f64>,
    /// The score below which a sentence is unfactual.
    pub unfactual_below: Option<f64>,
}

impl SentenceReport {
    /// The report, with no evidence in place of a verdict that is not within `certainty`: no passage is then decisive,
    /// and no word is marked.
    #[must_use]
    pub fn held_to(self, certainty: Certainty) -> Self {
        let is_sure = match self.verdict {
            Verdict::Factual => certainty.factual_from.is_none_or(|least| self.score >= least),
            Verdict::Unfactual => certainty.unfactual_below.is_none_or(|most| self.score < most),
            Verdict::Mixed | Verdict::NoEvidence => true,
        };
        if is_sure {
            return self;
        }
        let mut evidence = self.evidence;
        evidence.iter_mut().for_each(|passage| passage.decisive = false);
        let (verdict, confidence) = (Verdict::NoEvidence, Confidence::Sure);
        Self { verdict, confidence, related: true, reason: None, marks: Vec::new(), evidence, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Evidence, Reason, Span};

    fn report(verdict: Verdict, score: f64) -> SentenceReport {
        let place = Span { start: 0, end: 4 };
        let evidence = serde_json::json!({
            "id": "1", "title": "", "text": "Iron rusts.", "source": null, "bm25": 0.0, "nli": null, "read": null,
            "sentence": null, "decisive": true, "inPrompt": false
        });
        let evidence: Evidence = serde_json::from_value(evidence).unwrap();
        let report = serde_json::json!({
            "start": 0, "end": 11, "text": "Iron rusts.", "statement": "Iron rusts.", "context": "", "verdict": verdict,
            "related": true, "score": score, "evidence": [],
            "nli": { "entailment": 0.1, "neutral": 0.1, "contradiction": 0.8 }
        });
        let report: SentenceReport = serde_json::from_value(report).unwrap();
        let reason = Reason { evidence: 0, said: place, found: place };
        SentenceReport { evidence: vec![evidence], marks: vec![place], reason: Some(reason), ..report }
    }

    #[test]
    fn what_is_not_sure_enough_is_undecided_and_no_passage_decides() {
        let held = Certainty { factual_from: Some(0.9), unfactual_below: Some(0.2) };
        let verdict = |verdict, score| report(verdict, score).held_to(held).verdict;
        assert_eq!(verdict(Verdict::Unfactual, 0.1), Verdict::Unfactual);
        assert_eq!(verdict(Verdict::Factual, 0.9), Verdict::Factual);
        assert_eq!(verdict(Verdict::Factual, 0.7), Verdict::NoEvidence);
        assert_eq!(verdict(Verdict::Mixed, 0.5), Verdict::Mixed);
        let unsure = report(Verdict::Unfactual, 0.3).held_to(held);
        assert_eq!((unsure.verdict, unsure.related, unsure.reason), (Verdict::NoEvidence, true, None));
        assert!(unsure.marks.is_empty() && !unsure.evidence[0].decisive);
        assert_eq!(report(Verdict::Factual, 0.1).held_to(Certainty::default()), report(Verdict::Factual, 0.1));
    }
}
