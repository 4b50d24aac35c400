//! From the judged parts of a statement to the report on it. Most statements are one part.

use crate::judge::judged_part::JudgedPart;
use crate::judge::marks::Marks;
use crate::judge::reading::ReadPassage;
use crate::judge::t5::T5Reading;
use crate::judge::verdict::Decision;
use crate::report::{ByWording, Confidence, Nli, Reason, Risk, SentenceReport, Span, Verdict};
use crate::text::claim::Claim;

/// The statement or part that decides, and its parts: the `stretches` of a statement that is too long to be read at
/// once, of which the worst decides, or the `facts` of a compound one.
pub(super) fn decided(mut stretches: Vec<JudgedPart>, facts: Vec<JudgedPart>) -> (JudgedPart, Vec<JudgedPart>) {
    if stretches.len() > 1 {
        return (stretches[worst(&stretches)].clone(), stretches);
    }
    let whole = stretches.remove(0);
    if facts.is_empty() { (whole, facts) } else { (of_compound(&whole, &facts), facts) }
}

/// The verdict on a compound statement: by the sure verdicts on the whole and its facts. If these leave it undecided,
/// the likely verdicts count too, and the result is likely. Support is likely too if a fact has no verdict at all.
fn of_compound(whole: &JudgedPart, facts: &[JudgedPart]) -> JudgedPart {
    let if_sure = |part: &JudgedPart| JudgedPart { decision: part.decision.clone().if_sure(), ..part.clone() };
    let mut sure = combined(if_sure(whole), &facts.iter().map(if_sure).collect::<Vec<_>>());
    let is_open = facts.iter().any(|fact| fact.decision.verdict == Verdict::NoEvidence);
    if sure.decision.verdict == Verdict::Factual && is_open {
        sure.decision.confidence = Confidence::Likely;
    }
    if sure.decision.verdict != Verdict::NoEvidence {
        return sure;
    }
    let mut likely = combined(whole.clone(), facts);
    if likely.decision.verdict == Verdict::NoEvidence {
        return sure;
    }
    likely.decision.confidence = Confidence::Likely;
    likely
}

/// The number of the worst of a statement's parts, the first of equals.
fn worst(parts: &[JudgedPart]) -> usize {
    let worse = |worst: usize, next: usize| if parts[next].is_worse_than(&parts[worst]) { next } else { worst };
    (0..parts.len()).reduce(worse).expect("a statement has at least one part")
}

/// An undecided fact with a lower score speaks against the whole, even if no passage is plainly about it.
const DOUBTED: f64 = 0.4;

/// The verdict on a compound statement, judged whole and by its facts:
///
/// - contradicted by a fact, if one is contradicted and the whole is supported or undecided;
/// - supported by the facts, if all are supported and the whole is undecided;
/// - undecided, if whole and facts disagree: the whole is supported, and an undecided fact has a score below 0.5 by a
///   related passage, or below [`DOUBTED`] by any, or was not read; or the whole is contradicted or mixed, and all facts are supported;
/// - otherwise that of the whole.
///
/// Where facts decide, each passage that decides a fact has its triple for this fact, and the others count as unread.
fn combined(whole: JudgedPart, facts: &[JudgedPart]) -> JudgedPart {
    use Verdict::{Factual, Mixed, NoEvidence, Unfactual};
    let worst = &facts[worst(facts)];
    let is_doubted =
        |fact: &&JudgedPart| fact.decision.verdict == NoEvidence && (fact.decision.related || fact.score < DOUBTED);
    let doubted = facts.iter().filter(is_doubted);
    let doubt = doubted.map(|fact| fact.score).fold(1.0, f64::min);
    let undecided = |score| JudgedPart { score, decision: Decision::undecided(true), ..whole.clone() };
    let mut deciding: Vec<&JudgedPart> = match (whole.decision.verdict, worst.decision.verdict) {
        (Factual | NoEvidence, Unfactual) => vec![worst],
        (NoEvidence, Factual) => facts.iter().collect(),
        (Factual, NoEvidence) if doubt < 0.5 => return undecided(doubt),
        (Factual, NoEvidence) if facts.iter().any(JudgedPart::is_unread) => return undecided(0.5),
        (Unfactual | Mixed, Factual) => return undecided(0.5),
        _ => return whole,
    };
    // Of two facts that rest on one passage the less sure one comes last and stays.
    deciding.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut passages: Vec<ReadPassage> = whole.passages.iter().map(ReadPassage::unread).collect();
    let mut numbers: Vec<usize> = Vec::new();
    for fact in deciding {
        for &number in &fact.decision.deciding {
            passages[number] = fact.passages[number].clone();
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
    }
    let decision = Decision { deciding: numbers, ..worst.decision.clone() };
    JudgedPart { passages, decision, ..worst.clone() }
}

/// The report on a claim: the evidence, verdict and `marks` of `judged`, the statement or the part that decides. There
/// is no verdict on a statement that the T5 did not read to its end.
pub(super) fn report(
    claim: Claim,
    judged: JudgedPart,
    parts: &[JudgedPart],
    marks: Marks,
    t5: Option<T5Reading>,
    bm25_bound: Option<f32>,
    mut risks: Vec<Risk>,
) -> SentenceReport {
    let statement = claim.statement.as_str();
    let part_reports = parts.iter().map(|part| part.report(statement)).collect();
    let JudgedPart { passages, score, decision, .. } = judged;
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
        confidence: if unread.is_empty() { decision.confidence } else { Confidence::Sure },
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
        ambiguous: Vec::new(),
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
    use evident_index::Passage;

    use crate::evidence::premises::Premise;
    use crate::evidence::source::FoundPassage;

    use super::*;
    use crate::settings::Wording;

    /// A part with this verdict by passage `number` of two.
    fn judged(verdict: Verdict, score: f64, number: usize) -> JudgedPart {
        let premise = Premise { text: "Iron.".into(), read: 0..5, sentence: 0..5 };
        let passage = |i| ReadPassage {
            hit: FoundPassage { score: 1.0, ..FoundPassage::of(Passage::default()) },
            premise: (i == number).then(|| (premise.clone(), Nli { entailment: score, ..Nli::SILENT })),
        };
        let deciding = if verdict == Verdict::NoEvidence { vec![] } else { vec![number] };
        let decision = Decision { verdict, confidence: Confidence::Sure, related: true, deciding };
        JudgedPart { text: format!("{score}"), place: 0..1, passages: (0..2).map(passage).collect(), score, decision }
    }

    #[test]
    fn facts_decide_where_one_is_contradicted_or_all_are_supported() {
        use Verdict::{Factual, Mixed, NoEvidence, Unfactual};
        let of = |whole, facts: &[(Verdict, f64, usize)]| {
            let facts: Vec<JudgedPart> = facts.iter().map(|&(verdict, score, at)| judged(verdict, score, at)).collect();
            let found = of_compound(&judged(whole, 0.6, 0), &facts);
            let read: Vec<Option<f64>> =
                found.passages.iter().map(|passage| passage.nli().map(|nli| nli.entailment)).collect();
            (found.decision.verdict, found.score, found.decision.deciding, read)
        };
        let contradicted = of(Factual, &[(Factual, 0.9, 0), (Unfactual, 0.1, 1)]);
        assert_eq!(contradicted, (Unfactual, 0.1, vec![1], vec![None, Some(0.1)]));
        let supported = of(NoEvidence, &[(Factual, 0.95, 0), (Factual, 0.97, 1)]);
        assert_eq!(supported, (Factual, 0.95, vec![1, 0], vec![Some(0.95), Some(0.97)]));
        let by_one = of(NoEvidence, &[(Factual, 0.97, 1), (Factual, 0.95, 1)]);
        assert_eq!(by_one, (Factual, 0.95, vec![1], vec![None, Some(0.95)]));
        for whole in [Factual, NoEvidence, Mixed, Unfactual] {
            assert_eq!(of(whole, &[(NoEvidence, 0.5, 1), (Factual, 0.9, 1)]).0, whole);
        }
        let doubtful = of(Factual, &[(NoEvidence, 0.4, 1), (Factual, 0.9, 0)]);
        assert_eq!(doubtful, (NoEvidence, 0.4, vec![], vec![Some(0.6), None]));
        let silent = JudgedPart { decision: Decision::undecided(false), ..judged(NoEvidence, 0.4, 1) };
        let by = |fact: JudgedPart| of_compound(&judged(Factual, 0.6, 0), &[fact, judged(Factual, 0.9, 0)]).decision;
        let found = by(silent.clone());
        assert_eq!((found.verdict, found.confidence), (Factual, Confidence::Likely), "no passage tells of that fact");
        assert_eq!(by(JudgedPart { score: 0.3, ..silent.clone() }).verdict, NoEvidence);
        let unread = silent.passages.iter().map(ReadPassage::unread).collect();
        assert_eq!(by(JudgedPart { passages: unread, score: 0.5, ..silent }).verdict, NoEvidence);
        for whole in [Mixed, Unfactual] {
            assert_eq!(of(whole, &[(Factual, 0.95, 1)]).0, NoEvidence, "whole and facts disagree");
        }
    }

    #[test]
    fn what_is_likely_decides_where_what_is_sure_leaves_it_undecided() {
        use Confidence::{Likely, Sure};
        use Verdict::{Factual, NoEvidence, Unfactual};
        let part = |(verdict, confidence, score)| {
            let mut part = judged(verdict, score, 0);
            part.decision.confidence = confidence;
            part
        };
        let of = |whole, facts: [(Verdict, Confidence, f64); 2]| {
            let Decision { verdict, confidence, .. } = of_compound(&part(whole), &facts.map(part)).decision;
            (verdict, confidence)
        };
        let (said, likely, denied) = ((Factual, Sure, 0.95), (Factual, Likely, 0.8), (Unfactual, Likely, 0.2));
        let open = (NoEvidence, Sure, 0.6);
        assert_eq!(of(said, [said, likely]), (Factual, Sure));
        assert_eq!(of(likely, [said, said]), (Factual, Sure), "the facts are sure");
        assert_eq!(of(open, [said, likely]), (Factual, Likely));
        assert_eq!(of(likely, [said, open]), (Factual, Likely));
        assert_eq!(of(said, [said, denied]), (Unfactual, Likely));
        assert_eq!(of(open, [open, denied]), (Unfactual, Likely));
        assert_eq!(of((Unfactual, Sure, 0.1), [likely, likely]), (Unfactual, Sure));
        assert_eq!(of(open, [open, likely]), (NoEvidence, Sure));
    }

    #[test]
    fn an_answer_depends_on_the_wording_where_two_lie_on_either_side_of_one_half() {
        let by = |p_factual| ByWording { wording: Wording::Correct, p_factual, answered_at: Some(0) };
        assert!(depend(&[0.51, 0.9, 0.9, 0.49].map(by)));
        assert!(!depend(&[0.51, 0.9, 0.9, 0.5].map(by)), "at one half nothing was said");
        assert!(!depend(&[0.1, 0.4].map(by)) && !depend(&[]));
    }

    #[test]
    fn the_spread_is_the_standard_deviation_of_the_values_themselves() {
        let by = |p_factual| ByWording { wording: Wording::Correct, p_factual, answered_at: Some(0) };
        assert_eq!(spread(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].map(by)), Some(2.0));
        assert_eq!((spread(&[by(0.25)]), spread(&[])), (Some(0.0), None));
    }
}
