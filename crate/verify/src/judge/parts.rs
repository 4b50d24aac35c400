//! From the judged parts of a statement to the report on it. Most statements are one part.

use std::ops::Range;

use crate::judge::marks::Marks;
use crate::judge::reading::ReadPassage;
use crate::judge::t5::T5Reading;
use crate::judge::verdict::Decision;
use crate::report::{ByWording, Nli, PartReport, Reason, Risk, SentenceReport, Span, Verdict};
use crate::text::claim::Claim;

/// A part of a statement with its verdict.
pub(super) struct JudgedPart {
    /// Its bytes in the statement.
    pub place: Range<usize>,
    pub passages: Vec<ReadPassage>,
    pub score: f64,
    pub decision: Decision,
}

impl JudgedPart {
    /// Whether its verdict is worse than that of `other`, or the same with a lower score.
    fn is_worse_than(&self, other: &Self) -> bool {
        let (bad, worst) = (self.decision.verdict.badness(), other.decision.verdict.badness());
        bad > worst || bad == worst && self.score < other.score
    }

    fn report(&self, statement: &str) -> PartReport {
        PartReport {
            span: Span::utf16(statement, self.place.clone()),
            text: statement[self.place.clone()].to_owned(),
            verdict: self.decision.verdict,
            score: self.score,
        }
    }
}

/// The number of the worst of a statement's parts, the first of equals.
pub(super) fn worst(parts: &[JudgedPart]) -> usize {
    let worse = |worst: usize, next: usize| if parts[next].is_worse_than(&parts[worst]) { next } else { worst };
    (0..parts.len()).reduce(worse).expect("a statement has at least one part")
}

/// The report on a claim: the evidence, verdict and `marks` of its worst part. There is no verdict on a statement that the
/// T5 did not read to its end.
pub(super) fn report(
    claim: Claim,
    mut parts: Vec<JudgedPart>,
    marks: Marks,
    t5: Option<T5Reading>,
    bm25_bound: Option<f32>,
    mut risks: Vec<Risk>,
) -> SentenceReport {
    let statement = claim.statement.as_str();
    let part_reports = match parts.as_slice() {
        [_] => Vec::new(),
        several => several.iter().map(|part| part.report(statement)).collect(),
    };
    let JudgedPart { passages, score, decision, .. } = parts.swap_remove(worst(&parts));
    let room = t5.as_ref().map_or(statement.len(), |t5| t5.room);
    let unread: Vec<Span> =
        (room < statement.len()).then(|| Span::utf16(statement, room..statement.len())).into_iter().collect();
    let Marks { words, instead } = if unread.is_empty() { marks } else { Marks::default() };
    let reason = instead.map(|(evidence, said, found)| Reason {
        evidence,
        said: Span::utf16(statement, said),
        found: Span::utf16(&passages[evidence].hit.passage.text, found),
    });
    let (answer, wordings, shown) = match t5 {
        Some(T5Reading { answer, wordings, shown, .. }) => (Some(answer), wordings, shown),
        None => (None, Vec::new(), Vec::new()),
    };
    if depend(&wordings) {
        risks.push(Risk::Wording);
    }
    SentenceReport {
        start: claim.span.start,
        end: claim.span.end,
        verdict: if unread.is_empty() { decision.verdict } else { Verdict::NoEvidence },
        related: decision.related || !unread.is_empty(),
        score,
        p_factual: answer.as_ref().map(|answer| answer.p),
        answered_at: answer.as_ref().and_then(|answer| answer.answered_at),
        rationale: answer.and_then(|answer| answer.rationale),
        spread: spread(&wordings),
        wordings,
        nli: Nli::most_entailed(passages.iter().filter_map(ReadPassage::nli)),
        parts: part_reports,
        reason,
        marks: words.into_iter().map(|word| Span::utf16(statement, word)).collect(),
        risks,
        bm25_bound,
        evidence: passages
            .into_iter()
            .enumerate()
            .map(|(i, passage)| passage.report(unread.is_empty() && decision.deciding.contains(&i), shown.contains(&i)))
            .collect(),
        citations: Vec::new(),
        sources: Vec::new(),
        unread,
        text: claim.text,
        context: claim.context,
        statement: claim.statement,
    }
}

/// Whether the T5 says by one wording that the statement is factual, and by another that it is not.
fn depend(wordings: &[ByWording]) -> bool {
    wordings.iter().any(|each| each.p_factual > 0.5) && wordings.iter().any(|each| each.p_factual < 0.5)
}

/// The standard deviation of p over the wordings (guan2024, Tab. 10); `None` without wordings.
fn spread(wordings: &[ByWording]) -> Option<f64> {
    let n = wordings.len() as f64;
    let mean = wordings.iter().map(|each| each.p_factual).sum::<f64>() / n;
    let variance = wordings.iter().map(|each| (each.p_factual - mean).powi(2)).sum::<f64>() / n;
    (!wordings.is_empty()).then(|| variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Wording;

    #[test]
    fn an_answer_depends_on_the_wording_where_two_lie_on_either_side_of_one_half() {
        let by = |p_factual| ByWording { wording: Wording::Correct, p_factual };
        assert!(depend(&[0.51, 0.9, 0.9, 0.49].map(by)));
        assert!(!depend(&[0.51, 0.9, 0.9, 0.5].map(by)), "at one half nothing was said");
        assert!(!depend(&[0.1, 0.4].map(by)) && !depend(&[]));
    }

    #[test]
    fn the_spread_is_the_standard_deviation_of_the_values_themselves() {
        let by = |p_factual| ByWording { wording: Wording::Correct, p_factual };
        assert_eq!(spread(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(by)), Some(2.0));
        assert_eq!((spread(&[by(0.25)]), spread(&[])), (Some(0.0), None));
    }
}
