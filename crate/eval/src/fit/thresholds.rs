//! Fits thresholds by the share of wrong verdicts: its upper confidence bound must not exceed a limit, for sure verdicts
//! a lower one than for sure and likely ones together.

use std::array;

use evident_nn::{Calibration, Measured, VerdictCounts};

use crate::fit::{Fitted, Judged};
use crate::measures::upper_bound;
use crate::rows::row::Label;
use crate::table::table;

/// The most that the share of true statements called unfactual may be, and that of false ones called factual, if only
/// sure verdicts count.
const MOST_SURE: f64 = 0.03;

/// The same if likely verdicts count too.
const MOST_LIKELY: f64 = 0.1;

/// The confidence with which the limits hold.
const CONFIDENCE: f64 = 0.95;

/// The folds of cross-fitting: each is judged by thresholds fitted on the others.
const FOLDS: usize = 5;

/// Thresholds are multiples of 1 / this.
const STEPS: usize = 100;

/// A threshold that no score reaches.
const ABOVE_ALL: f64 = 1.01;

/// A score of at least `factual` means factual, one below `unfactual` unfactual.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cuts {
    factual: f64,
    unfactual: f64,
}

impl Cuts {
    /// Of all thresholds the lowest from which, with 95 per cent confidence (Clopper and Pearson), at most a share
    /// `most` of false statements is called factual, and the highest below which at most that share of true ones is
    /// called unfactual; where there is none, a threshold that gives no statement this verdict.
    fn of(judged: &[&Judged], most: f64) -> Self {
        let keeps_promise = |label, cuts| {
            let counts = called(judged, label, |_| cuts);
            upper_bound(wrong(label, counts) as usize, counts.claims as usize, CONFIDENCE) <= most
        };
        let nothing = Self { factual: ABOVE_ALL, unfactual: 0.0 };
        let steps = |from: usize, to: usize| (from..=to).map(|step| step as f64 / STEPS as f64);
        let factual =
            steps(STEPS / 2, STEPS).find(|&factual| keeps_promise(Label::Unfactual, Self { factual, ..nothing }));
        let unfactual =
            steps(0, STEPS / 2).rev().find(|&unfactual| keeps_promise(Label::Factual, Self { unfactual, ..nothing }));
        Self { factual: factual.unwrap_or(nothing.factual), unfactual: unfactual.unwrap_or(nothing.unfactual) }
    }
}

/// Counts the verdicts on the statements with a label. `cuts` gives the thresholds for the number of a statement.
fn called(judged: &[&Judged], label: Label, cuts: impl Fn(usize) -> Cuts) -> VerdictCounts {
    let mut counts = VerdictCounts { claims: 0, factual: 0, unfactual: 0 };
    for (number, each) in judged.iter().enumerate().filter(|(_, each)| each.label == label) {
        let Cuts { factual, unfactual } = cuts(number);
        counts.claims += 1;
        counts.factual += u32::from(each.decided && each.score >= factual);
        counts.unfactual += u32::from(each.decided && each.score < unfactual);
    }
    counts
}

/// How many of a label's statements get the opposite verdict.
fn wrong(label: Label, counts: VerdictCounts) -> u32 {
    if label == Label::Factual { counts.unfactual } else { counts.factual }
}

/// Fits the thresholds on these statements of `file`. How often verdicts are right is measured by cross-fitting: every
/// fifth statement is judged by thresholds fitted on the other four fifths.
pub(super) fn fit(judged: &[Judged], before: &Calibration, file: &str) -> Fitted {
    let all: Vec<&Judged> = judged.iter().collect();
    let old = Cuts { factual: before.threshold_factual, unfactual: before.threshold_unfactual };
    let (new, likely) = (Cuts::of(&all, MOST_SURE), Cuts::of(&all, MOST_LIKELY));
    let by_others: [Cuts; FOLDS] = array::from_fn(|fold| {
        let others = all.iter().enumerate().filter(|(number, _)| number % FOLDS != fold);
        Cuts::of(&others.map(|(_, each)| *each).collect::<Vec<_>>(), MOST_SURE)
    });
    let counts =
        |cuts: &dyn Fn(usize) -> Cuts| [Label::Factual, Label::Unfactual].map(|label| called(&all, label, cuts));
    let (was, is) = (counts(&|_| old), counts(&|number| by_others[number % FOLDS]));
    let measured = Measured {
        on: format!("{file}, with retrieved passages; each fifth judged by the thresholds of the rest"),
        of_true: is[0],
        of_false: is[1],
    };
    let columns = ["", "factual from", "unfactual below", "true: factual", "unfactual", "false: factual", "unfactual"];
    let rows = [("before", old, was), ("after", new, is), ("and likely", likely, counts(&|_| likely))];
    let rows = rows.map(|(name, cuts, counts)| {
        let mut cells = vec![name.to_owned(), format!("{:.2}", cuts.factual), format!("{:.2}", cuts.unfactual)];
        for (label, counts) in [Label::Factual, Label::Unfactual].into_iter().zip(counts) {
            let share = |count: u32| format!("{:.1} %", 100.0 * f64::from(count) / f64::from(counts.claims));
            let most = upper_bound(wrong(label, counts) as usize, counts.claims as usize, CONFIDENCE);
            let mut shares = [share(counts.factual), share(counts.unfactual)];
            let wrong = usize::from(label == Label::Factual);
            shares[wrong] += &format!(" (at most {:.1})", 100.0 * most);
            cells.extend(shares);
        }
        cells
    });
    let calibration = Calibration {
        threshold_factual: new.factual,
        threshold_unfactual: new.unfactual,
        threshold_likely_factual: Some(likely.factual).filter(|&factual| factual < new.factual),
        threshold_likely_unfactual: Some(likely.unfactual).filter(|&unfactual| unfactual > new.unfactual),
        ..before.clone()
    };
    Fitted { calibration, measured: Some(measured), table: table(&columns, rows.into_iter()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(label: Label, score: f64) -> Judged {
        Judged { label, nli: None, p: None, score, decided: true }
    }

    /// A hundred true statements with scores from 0.40 up, and a hundred false ones from 0.60 down.
    fn overlapping() -> Vec<Judged> {
        let step = |number: usize| number as f64 * 0.006;
        let truths = (0..100).map(|number| judged(Label::Factual, 0.4 + step(number)));
        truths.chain((0..100).map(|number| judged(Label::Unfactual, 0.6 - step(number)))).collect()
    }

    fn fitted(judged: &[Judged]) -> Fitted {
        fit(judged, &Calibration::default(), "claims.jsonl")
    }

    #[test]
    fn no_more_are_wrong_than_was_promised() {
        let Calibration { threshold_factual, threshold_unfactual, .. } = fitted(&overlapping()).calibration;
        let count = |wrong: &dyn Fn(&Judged) -> bool| overlapping().iter().filter(|each| wrong(each)).count();
        let above = count(&|each| each.label == Label::Unfactual && each.score >= threshold_factual);
        let below = count(&|each| each.label == Label::Factual && each.score < threshold_unfactual);
        // For none wrong of a hundred the upper bound is 2.95 per cent, for one it is 4.7.
        assert_eq!((above, below, threshold_unfactual), (0, 0, 0.4));
    }

    #[test]
    fn likely_verdicts_may_be_wrong_more_often() {
        let calibration = fitted(&overlapping()).calibration;
        let likely = calibration.threshold_likely_factual.unwrap();
        let above = overlapping().iter().filter(|each| each.label == Label::Unfactual && each.score >= likely).count();
        assert_eq!(above, 4, "for five wrong of a hundred the upper bound is 10.2 per cent");
        assert!(calibration.threshold_likely_unfactual.unwrap() > calibration.threshold_unfactual);
    }

    #[test]
    fn a_statement_that_nothing_decides_gets_no_verdict() {
        let undecided: Vec<Judged> = overlapping().into_iter().map(|each| Judged { decided: false, ..each }).collect();
        let none = VerdictCounts { claims: 100, factual: 0, unfactual: 0 };
        let measured = fitted(&undecided).measured.unwrap();
        assert_eq!((measured.of_true, measured.of_false), (none, none));
    }

    #[test]
    fn too_few_statements_promise_nothing() {
        let few = [judged(Label::Factual, 1.0), judged(Label::Unfactual, 0.0)];
        let measured = fitted(&few).measured.unwrap();
        assert_eq!((measured.of_true.factual, measured.of_false.unfactual), (0, 0));
    }
}
