//! Thresholds with a promise: the scores from which a verdict is wrong so seldom.

use std::array;

use evident_nn::Calibration;
use serde::{Deserialize, Serialize};

use crate::fit::{Fitted, Judged};
use crate::measures::upper_bound;
use crate::rows::row::Label;
use crate::table::table;

/// The most that the share of true statements called unfactual, and of false ones called factual, may be.
pub const WRONG: f64 = 0.05;

/// With which confidence.
pub const CONFIDENCE: f64 = 0.95;

/// How many parts the statements are in: each is judged by the thresholds that the others give.
const FOLDS: usize = 5;

/// Thresholds are multiples of 1 / this.
const STEPS: usize = 100;

/// How statements are called by thresholds that were fitted on others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// True statements.
    pub factual: Called,
    /// False statements.
    pub unfactual: Called,
}

/// How the statements of one label are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Called {
    /// How many there are.
    pub n: usize,
    /// How many get the verdict of their label.
    pub right: usize,
    /// How many get the opposite verdict; the rest get none.
    pub wrong: usize,
}

/// From `factual` on a statement is factual, below `unfactual` it is not.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cuts {
    factual: f64,
    unfactual: f64,
}

impl Cuts {
    /// Of all thresholds the lowest from which, with 95 per cent confidence (Clopper and Pearson), at most 5 per cent of
    /// false statements are called factual, and the highest below which at most 5 per cent of true ones are called
    /// unfactual; where there is none, one that calls nothing so.
    fn of(judged: &[&Judged]) -> Self {
        let most = |label, cuts| {
            let called = called(judged, label, |_| cuts);
            upper_bound(called.wrong, called.n, CONFIDENCE) <= WRONG
        };
        let nothing = Self { factual: 1.0 + f64::EPSILON, unfactual: 0.0 };
        let steps = |from: usize, to: usize| (from..=to).map(|step| step as f64 / STEPS as f64);
        let factual = steps(STEPS / 2, STEPS).find(|&factual| most(Label::Unfactual, Self { factual, ..nothing }));
        let unfactual =
            steps(0, STEPS / 2).rev().find(|&unfactual| most(Label::Factual, Self { unfactual, ..nothing }));
        Self { factual: factual.unwrap_or(1.0), unfactual: unfactual.unwrap_or(0.0) }
    }
}

/// How the statements of a label are called, each by the thresholds for its number.
fn called(judged: &[&Judged], label: Label, cuts: impl Fn(usize) -> Cuts) -> Called {
    let mut found = Called::default();
    for (number, each) in judged.iter().enumerate().filter(|(_, each)| each.label == label) {
        let Cuts { factual, unfactual } = cuts(number);
        let (is_factual, is_unfactual) =
            (each.decided && each.score >= factual, each.decided && each.score < unfactual);
        let (right, wrong) =
            if label == Label::Factual { (is_factual, is_unfactual) } else { (is_unfactual, is_factual) };
        found.n += 1;
        found.right += usize::from(right);
        found.wrong += usize::from(wrong);
    }
    found
}

fn rates(judged: &[&Judged], cuts: impl Fn(usize) -> Cuts) -> Rates {
    Rates { factual: called(judged, Label::Factual, &cuts), unfactual: called(judged, Label::Unfactual, &cuts) }
}

/// The thresholds by these statements. What they come to is measured by cross-fitting: every fifth statement is judged
/// by the thresholds that the other four fifths give.
pub(super) fn fit(judged: &[Judged], before: &Calibration) -> Fitted {
    let all: Vec<&Judged> = judged.iter().collect();
    let cuts = Cuts::of(&all);
    let of_others: [Cuts; FOLDS] = array::from_fn(|fold| {
        let others: Vec<&Judged> =
            all.iter().enumerate().filter(|(number, _)| number % FOLDS != fold).map(|(_, each)| *each).collect();
        Cuts::of(&others)
    });
    let old = Cuts { factual: before.threshold_factual, unfactual: before.threshold_unfactual };
    let (was, is) = (rates(&all, |_| old), rates(&all, |number| of_others[number % FOLDS]));
    let columns = ["", "factual from", "unfactual below", "true: factual", "unfactual", "false: unfactual", "factual"];
    let rows = [("before", old, was), ("after, by thresholds of others", cuts, is)].map(|(name, cuts, rates)| {
        let mut cells = vec![name.to_owned(), format!("{:.2}", cuts.factual), format!("{:.2}", cuts.unfactual)];
        for Called { n, right, wrong } in [rates.factual, rates.unfactual] {
            let share = |count: usize| 100.0 * count as f64 / n as f64;
            let most = 100.0 * upper_bound(wrong, n, CONFIDENCE);
            cells.extend([format!("{:.1} of {n}", share(right)), format!("{:.1} (at most {most:.1})", share(wrong))]);
        }
        cells
    });
    let calibration =
        Calibration { threshold_factual: cuts.factual, threshold_unfactual: cuts.unfactual, ..before.clone() };
    Fitted { calibration, rates: Some(is), table: table(&columns, rows.into_iter()) }
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

    #[test]
    fn no_more_are_wrong_than_was_promised() {
        let fitted = fit(&overlapping(), &Calibration::default());
        let Calibration { threshold_factual, threshold_unfactual, .. } = fitted.calibration;
        // One of a hundred wrong is at most 4.7 in the long run, two are 6.2.
        let above = overlapping()
            .iter()
            .filter(|each| each.label == Label::Unfactual && each.score >= threshold_factual)
            .count();
        let below = overlapping()
            .iter()
            .filter(|each| each.label == Label::Factual && each.score < threshold_unfactual)
            .count();
        assert_eq!((above, below), (1, 1));
        assert_eq!((threshold_factual, threshold_unfactual), (0.6, 0.4));
    }

    #[test]
    fn a_statement_that_nothing_decides_gets_no_verdict() {
        let undecided: Vec<Judged> = overlapping().into_iter().map(|each| Judged { decided: false, ..each }).collect();
        let rates = fit(&undecided, &Calibration::default()).rates.unwrap();
        assert_eq!(rates.factual, Called { n: 100, right: 0, wrong: 0 });
        assert_eq!(rates.unfactual, Called { n: 100, right: 0, wrong: 0 });
    }

    #[test]
    fn too_few_statements_promise_nothing() {
        let few = [judged(Label::Factual, 1.0), judged(Label::Unfactual, 0.0)];
        let rates = fit(&few, &Calibration::default()).rates.unwrap();
        assert_eq!((rates.factual.right, rates.unfactual.right), (0, 0));
    }
}
