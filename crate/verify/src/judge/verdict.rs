//! From a score and what the passages say to a verdict.

use std::cmp::Ordering;

use crate::evidence::overlap::Overlap;
use crate::evidence::weigh::{Bearing, GOOD_FROM, weights};
use crate::judge::scale::Thresholds;
use crate::report::{Confidence, Verdict};

impl Verdict {
    /// How bad it is, 0 for the best: of a statement's parts the worst decides.
    pub(crate) fn badness(self) -> u8 {
        match self {
            Self::Factual => 0,
            Self::NoEvidence => 1,
            Self::Mixed => 2,
            Self::Unfactual => 3,
        }
    }
}

/// A passage is about the statement from this decisiveness on: at half, it is as likely to decide it as to be neutral.
const RELATED_FROM: f64 = 0.5;

/// The share of the greatest weight from which a passage can make a verdict mixed or be the one that decides.
const HEAVY_FROM: f64 = 0.25;

/// A passage on the subject is plain about the statement from this sureness on.
const PLAIN_FROM: f64 = 0.9;

/// The share of the threshold below which a contradiction is sure by a passage whose nearest sentence is not near: it
/// may be of another event or side of the subject. On 2,575 claims that trained no model this made 32 of 562 right
/// contradictions likely, and 10 of 32 wrong ones.
const FAR: f64 = 0.5;

/// A verdict and the passages that it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub verdict: Verdict,
    pub confidence: Confidence,
    /// Whether a passage is about the statement.
    pub related: bool,
    /// The numbers of the deciding passages: one for factual and unfactual, two for mixed (first the one that entails),
    /// none for no evidence.
    pub deciding: Vec<usize>,
}

impl Decision {
    /// A sure verdict.
    fn sure(verdict: Verdict, related: bool, deciding: Vec<usize>) -> Self {
        Self { verdict, confidence: Confidence::Sure, related, deciding }
    }

    /// No verdict, and whether a passage is about the statement.
    pub fn undecided(related: bool) -> Self {
        Self::sure(Verdict::NoEvidence, related, Vec::new())
    }

    /// The decision if it is sure, else none.
    pub fn if_sure(self) -> Self {
        match self.confidence {
            Confidence::Sure => self,
            Confidence::Likely => Self::undecided(true),
        }
    }

    /// Decides by the score and by what the passages say of the statement, in this order:
    ///
    /// - no evidence, if the passage with the most weight is less decisive than `thresholds.evidence`;
    /// - mixed, if one good passage entails and another contradicts. A passage is good whatever its weight if it is
    ///   plain and on the subject, and one that contradicts if it also lacks no word of the statement but names and
    ///   numbers;
    /// - factual from `thresholds.factual` on and unfactual below `thresholds.unfactual`; of the heavy passages on that
    ///   side the one with most of the statement's words is the one that decides. The verdict is likely instead of sure
    ///   if the score is only beyond the likely thresholds, if the supporting passage has few of the statement's words,
    ///   or if no sentence of the contradicting passage is near and the score is not far below the threshold;
    /// - no evidence between the likely thresholds, or if the passage that entails is on another subject and any
    ///   passage surely contradicts: the first American woman in space is not the first human there.
    pub fn of(score: f64, passages: &[Bearing], thresholds: &Thresholds) -> Self {
        let weights = weights(passages);
        let heaviest = |counts: &dyn Fn(&Bearing) -> bool| heaviest(passages, &weights, counts);
        let related = related(passages);
        let undecided = Self::undecided(related);
        let Some(top) = heaviest(&|_| true) else { return undecided };
        if passages[top].decisiveness() < thresholds.evidence {
            return undecided;
        }
        let good = |number: &usize| {
            let passage = &passages[*number];
            let Overlap { names_subject, opposes, lacks_word, .. } = passage.overlap;
            let is_on_it = if passage.nli.entails() { names_subject } else { opposes && !lacks_word };
            is_on_it && passage.sureness() >= PLAIN_FROM
                || passage.sureness() >= GOOD_FROM && weights[*number] >= HEAVY_FROM * weights[top]
        };
        let (entails, contradicts) = (heaviest(&|p| p.nli.entails()), heaviest(&|p| !p.nli.entails()));
        let telling = |heaviest| telling(passages, &weights, heaviest);
        if let (Some(entails), Some(contradicts)) = (entails.filter(good), contradicts.filter(good)) {
            return Self::sure(Verdict::Mixed, related, vec![telling(entails), telling(contradicts)]);
        }
        let decided = |verdict, by: Option<usize>, is_sure: &dyn Fn(&Bearing) -> bool| {
            let deciding = telling(by.unwrap_or(top));
            let confidence = if is_sure(&passages[deciding]) { Confidence::Sure } else { Confidence::Likely };
            Self { verdict, confidence, related, deciding: vec![deciding] }
        };
        if score >= thresholds.likely_factual {
            let is_on_subject = entails.is_some_and(|number| passages[number].overlap.names_subject);
            let is_denied = passages.iter().any(|passage| !passage.nli.entails() && passage.sureness() >= GOOD_FROM);
            let is_sure = |passage: &Bearing| score >= thresholds.factual && passage.overlap.has_enough;
            if is_denied && !is_on_subject { undecided } else { decided(Verdict::Factual, entails, &is_sure) }
        } else if score < thresholds.likely_unfactual {
            let below =
                |passage: &Bearing| if passage.is_near { thresholds.unfactual } else { thresholds.unfactual * FAR };
            decided(Verdict::Unfactual, contradicts, &|passage| score < below(passage))
        } else {
            undecided
        }
    }

    /// Decides by the score alone (guan2024, Sec. 4.3): factual above 0.5, unfactual below, and no evidence at 0.5,
    /// which stands for no answer. The passage with the most weight on that side is the one that decides, if there is
    /// one.
    pub fn by_score(score: f64, passages: &[Bearing]) -> Self {
        let verdict = match score.total_cmp(&0.5) {
            Ordering::Greater => Verdict::Factual,
            Ordering::Less => Verdict::Unfactual,
            Ordering::Equal => Verdict::NoEvidence,
        };
        let on_its_side = |passage: &Bearing| match verdict {
            Verdict::Factual => passage.nli.entails(),
            Verdict::Unfactual => !passage.nli.entails(),
            _ => false,
        };
        let deciding = heaviest(passages, &weights(passages), &on_its_side);
        Self::sure(verdict, related(passages), deciding.into_iter().collect())
    }

    /// Decides by the verifier's score alone, where no NLI model has read the passages, of which there are `passages`.
    /// With thresholds it is factual from one on and unfactual below the other, and there is no evidence without
    /// passages; without thresholds 0.5 separates the two. A score of 0.5 stands for no answer. The passage `decisive`,
    /// if there is one, is what the verdict rests on.
    pub fn by_verifier(score: f64, passages: usize, decisive: Option<usize>, thresholds: Option<&Thresholds>) -> Self {
        let plain = Self::by_score(score, &[]).verdict;
        let verdict = match thresholds {
            Some(_) if passages == 0 || plain == Verdict::NoEvidence => Verdict::NoEvidence,
            Some(thresholds) if score >= thresholds.factual => Verdict::Factual,
            Some(thresholds) if score < thresholds.unfactual => Verdict::Unfactual,
            Some(_) => Verdict::NoEvidence,
            None => plain,
        };
        let deciding = decisive.filter(|_| verdict != Verdict::NoEvidence).into_iter().collect();
        Self::sure(verdict, passages > 0, deciding)
    }
}

/// The number of the passage with the most weight among those that count; the first of equals.
fn heaviest(passages: &[Bearing], weights: &[f64], counts: &dyn Fn(&Bearing) -> bool) -> Option<usize> {
    let numbers = (0..passages.len()).filter(|&i| weights[i] > 0.0 && counts(&passages[i]));
    numbers.max_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(b.cmp(&a)))
}

/// Of the passages on the side of number `heaviest` that weigh nearly as much, the one that has most words of the
/// statement; the heaviest of equals.
fn telling(passages: &[Bearing], weights: &[f64], heaviest: usize) -> usize {
    let on_its_side = |i: usize| passages[i].nli.entails() == passages[heaviest].nli.entails();
    let near = (0..passages.len()).filter(|&i| on_its_side(i) && weights[i] >= HEAVY_FROM * weights[heaviest]);
    let words = |i: usize| passages[i].overlap.shared;
    near.max_by(|&a, &b| words(a).cmp(&words(b)).then(weights[a].total_cmp(&weights[b])).then(b.cmp(&a)))
        .unwrap_or(heaviest)
}

/// Whether a passage is about the statement.
fn related(passages: &[Bearing]) -> bool {
    passages.iter().any(|passage| passage.decisiveness() >= RELATED_FROM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Nli;

    const THRESHOLDS: Thresholds =
        Thresholds { factual: 0.5, unfactual: 0.45, likely_factual: 0.5, likely_unfactual: 0.45, evidence: 0.4 };

    fn nli(entailment: f64, contradiction: f64) -> Nli {
        Nli { entailment, neutral: 1.0 - entailment - contradiction, contradiction }
    }

    const ON_SUBJECT: Overlap = Overlap {
        names_subject: true,
        opposes: true,
        shared: 1,
        has_all: false,
        has_enough: true,
        lacks_word: false,
        is_evidence: true,
    };

    fn says(nli: Nli, bm25: f32) -> Bearing {
        Bearing { nli, bm25, overlap: ON_SUBJECT, is_near: true }
    }

    fn off_subject(nli: Nli) -> Bearing {
        Bearing { overlap: Overlap { names_subject: false, opposes: false, ..ON_SUBJECT }, ..says(nli, 5.0) }
    }

    #[test]
    fn what_entails_on_another_subject_yields_to_a_sure_contradiction() {
        let (ride, gagarin) = (off_subject(nli(0.98, 0.01)), off_subject(nli(0.01, 0.97)));
        let verdict = |passages: &[Bearing]| Decision::of(0.98, passages, &THRESHOLDS).verdict;
        assert_eq!(verdict(&[gagarin, ride]), Verdict::NoEvidence);
        assert_eq!(verdict(&[ride]), Verdict::Factual);
        assert_eq!(verdict(&[off_subject(nli(0.1, 0.7)), ride]), Verdict::Factual, "that is not sure");
        assert_eq!(verdict(&[gagarin, says(nli(0.98, 0.01), 5.0)]), Verdict::Factual, "this is on the subject");
    }

    #[test]
    fn a_plain_denial_makes_it_mixed_however_light_it_is() {
        let (zurich, bern) = (says(nli(0.99, 0.01), 9.0), says(nli(0.04, 0.96), 1.0));
        let verdict = |denial| Decision::of(0.99, &[zurich, denial], &THRESHOLDS).verdict;
        assert_eq!(verdict(bern), Verdict::Mixed);
        assert_eq!(verdict(says(nli(0.1, 0.85), 1.0)), Verdict::Factual, "that is not plain");
        let of_another_side = Bearing { overlap: Overlap { lacks_word: true, ..ON_SUBJECT }, ..bern };
        assert_eq!(verdict(of_another_side), Verdict::Factual);
    }

    #[test]
    fn of_heavy_passages_the_one_with_most_shared_words_decides() {
        let with = |shared, bm25| Bearing { overlap: Overlap { shared, ..ON_SUBJECT }, ..says(nli(0.01, 0.98), bm25) };
        let deciding = |passages: &[Bearing]| Decision::of(0.01, passages, &THRESHOLDS).deciding;
        assert_eq!(deciding(&[with(2, 6.6), with(3, 6.4)]), [1]);
        assert_eq!(deciding(&[with(2, 6.6), with(2, 6.4)]), [0], "the heavier of equals");
        assert_eq!(deciding(&[with(2, 6.6), with(3, 3.0)]), [0], "the other is light");
    }

    #[test]
    fn a_contradiction_that_opposes_nothing_decides_nothing() {
        let off = off_subject(nli(0.0, 0.99));
        let decision = Decision::of(0.0, &[off], &THRESHOLDS);
        assert_eq!(decision, Decision::undecided(false));
    }

    #[test]
    fn evidence_that_decides_too_little_is_none() {
        let verdict = |score, nli| Decision::of(score, &[says(nli, 1.0)], &THRESHOLDS).verdict;
        assert_eq!(verdict(0.9, nli(0.3, 0.05)), Verdict::NoEvidence);
        assert_eq!(verdict(0.9, nli(0.4, 0.05)), Verdict::Factual);
        assert_eq!(verdict(0.4, nli(0.1, 0.8)), Verdict::Unfactual);
        assert_eq!(verdict(0.47, nli(0.4, 0.5)), Verdict::NoEvidence);
    }

    #[test]
    fn between_the_thresholds_of_sure_and_likely_verdicts_it_is_likely() {
        let thresholds = Thresholds { likely_factual: 0.4, likely_unfactual: 0.3, unfactual: 0.2, ..THRESHOLDS };
        let of = |score, nli| {
            let Decision { verdict, confidence, .. } = Decision::of(score, &[says(nli, 1.0)], &thresholds);
            (verdict, confidence)
        };
        let (entails, contradicts) = (nli(0.7, 0.1), nli(0.1, 0.7));
        assert_eq!(of(0.5, entails), (Verdict::Factual, Confidence::Sure));
        assert_eq!(of(0.4, entails), (Verdict::Factual, Confidence::Likely));
        assert_eq!(of(0.35, entails), (Verdict::NoEvidence, Confidence::Sure));
        assert_eq!(of(0.2, contradicts), (Verdict::Unfactual, Confidence::Likely));
        assert_eq!(of(0.1, contradicts), (Verdict::Unfactual, Confidence::Sure));
        let decision = Decision::of(0.4, &[says(entails, 1.0)], &thresholds);
        assert_eq!(decision.if_sure(), Decision::undecided(true));
    }

    #[test]
    fn what_a_passage_with_few_of_the_words_supports_is_likely() {
        let few = Bearing { overlap: Overlap { has_enough: false, ..ON_SUBJECT }, ..says(nli(0.98, 0.01), 5.0) };
        assert_eq!(Decision::of(0.98, &[few], &THRESHOLDS).confidence, Confidence::Likely);
        let against = Bearing { nli: nli(0.01, 0.98), ..few };
        assert_eq!(Decision::of(0.01, &[against], &THRESHOLDS).confidence, Confidence::Sure);
    }

    #[test]
    fn a_contradiction_by_a_sentence_that_is_not_near_has_to_be_surer() {
        let far = Bearing { is_near: false, ..says(nli(0.1, 0.8), 5.0) };
        let confidence = |score, passage| Decision::of(score, &[passage], &THRESHOLDS).confidence;
        let thresholds = Thresholds { likely_unfactual: 0.45, ..THRESHOLDS };
        assert_eq!(Decision::of(0.3, &[far], &thresholds).confidence, Confidence::Likely);
        assert_eq!(confidence(0.2, far), Confidence::Sure);
        assert_eq!(confidence(0.3, Bearing { is_near: true, ..far }), Confidence::Sure);
    }

    #[test]
    fn the_deciding_passage_is_on_the_verdicts_side_and_never_a_neutral_one() {
        let passages = [says(Nli::SILENT, 9.0), says(nli(0.1, 0.7), 5.0), says(nli(0.9, 0.0), 5.0)];
        let decision = |score| Decision::of(score, &passages, &THRESHOLDS);
        assert_eq!(decision(0.9).deciding, [2]);
        assert_eq!(decision(0.1).deciding, [1]);
        assert_eq!(decision(0.47), Decision::undecided(true));
    }

    #[test]
    fn two_good_passages_that_disagree_make_a_mixed_verdict() {
        let light = Bearing { overlap: Overlap { lacks_word: true, ..ON_SUBJECT }, ..says(nli(0.0, 0.99), 1.0) };
        let passages = [says(nli(0.05, 0.9), 5.0), says(nli(0.95, 0.0), 5.0), light];
        let decision = |passages: &[Bearing]| Decision::of(0.9, passages, &THRESHOLDS);
        let mixed = decision(&passages);
        assert_eq!((mixed.verdict, mixed.deciding), (Verdict::Mixed, vec![1, 0]));
        assert_eq!(decision(&passages[1..]).verdict, Verdict::Factual, "the other is on something else by BM25");
    }

    #[test]
    fn the_score_alone_decides_at_one_half_whatever_the_passages_say() {
        let passages = [says(nli(0.05, 0.9), 5.0), says(nli(0.95, 0.0), 5.0)];
        let decision = |score| Decision::by_score(score, &passages);
        assert_eq!((decision(0.51).verdict, decision(0.51).deciding), (Verdict::Factual, vec![1]));
        assert_eq!((decision(0.49).verdict, decision(0.49).deciding), (Verdict::Unfactual, vec![0]));
        assert_eq!((decision(0.5).verdict, decision(0.5).deciding), (Verdict::NoEvidence, vec![]));
        assert_eq!(Decision::by_score(0.9, &[]).verdict, Verdict::Factual);
    }

    #[test]
    fn a_verifier_alone_decides_by_its_thresholds_and_by_the_passage_that_it_names() {
        let decision = |score, passages| Decision::by_verifier(score, passages, Some(1), Some(&THRESHOLDS));
        assert_eq!((decision(0.9, 2).verdict, decision(0.9, 2).deciding), (Verdict::Factual, vec![1]));
        assert_eq!((decision(0.2, 2).verdict, decision(0.2, 2).related), (Verdict::Unfactual, true));
        assert_eq!((decision(0.47, 2).verdict, decision(0.47, 2).deciding), (Verdict::NoEvidence, vec![]));
        assert_eq!(decision(0.5, 2).verdict, Verdict::NoEvidence, "it gave no answer");
        assert_eq!((decision(0.9, 0).verdict, decision(0.9, 0).related), (Verdict::NoEvidence, false));
        assert_eq!(Decision::by_verifier(0.9, 0, None, None).verdict, Verdict::Factual, "0.5 alone parts them");
    }

    #[test]
    fn of_several_verdicts_the_worst_is_unfactual_and_the_best_factual() {
        let order = [Verdict::Factual, Verdict::NoEvidence, Verdict::Mixed, Verdict::Unfactual];
        assert!(order.is_sorted_by(|a, b| a.badness() < b.badness()));
    }
}
