//! Fits thresholds: of sure verdicts by the share of statements that get a wrong one, whose upper confidence bound must
//! not exceed a limit; of likely ones by how many of these verdicts are right.

use std::array;

use evident_nn::{BriefThresholds, Calibration, Measured, VerdictCounts};

use crate::fit::{Fitted, Judged};
use crate::measures::upper_bound;
use crate::rows::row::Label;
use crate::table::table;

/// The most that the share of true statements called unfactual may be, and that of false ones called factual, if only
/// sure verdicts count.
const MOST_SURE: f64 = 0.03;

/// The least share of likely verdicts that are right, of statements that are as often true as false.
const LIKELY_RIGHT: f64 = 0.75;

/// The confidence with which the limit holds.
const CONFIDENCE: f64 = 0.95;

/// Statements of at most so many words are brief, and may have less strict thresholds: the judge errs less on them at
/// the same score.
const BRIEF: usize = 12;

/// The folds of cross-fitting: each is judged by thresholds fitted on the others.
const FOLDS: usize = 5;

/// Thresholds are multiples of 1 / this.
const STEPS: usize = 100;

/// The thresholds that the curve shows, as distances from 1 and from 0.
const CURVE: [f64; 10] = [0.02, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 0.25, 0.35];

/// A threshold that no score reaches.
const ABOVE_ALL: f64 = 1.01;

/// A score of at least `factual` means factual, one below `unfactual` unfactual.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cuts {
    factual: f64,
    unfactual: f64,
}

impl Cuts {
    /// The cuts of sure verdicts: of all thresholds the lowest from which, with 95 per cent confidence (Clopper and
    /// Pearson), at most a share [`MOST_SURE`] of false statements is called factual, and the highest below which at
    /// most that share of true ones is called unfactual; where there is none, one that gives no statement this verdict.
    fn sure(judged: &[&Judged]) -> Self {
        let keeps_promise = |label, cuts| {
            let counts = called(judged, label, cuts);
            upper_bound(wrong(label, counts) as usize, counts.claims as usize, CONFIDENCE) <= MOST_SURE
        };
        let factual =
            upper().find(|&factual| keeps_promise(Label::Unfactual, Self { factual, ..NOTHING })).unwrap_or(ABOVE_ALL);
        let unfactual =
            lower().find(|&unfactual| keeps_promise(Label::Factual, Self { unfactual, ..NOTHING })).unwrap_or(0.0);
        Self { factual, unfactual }
    }

    /// The cuts of likely verdicts beside sure ones: the lowest threshold with which a share of [`LIKELY_RIGHT`] of
    /// those that are called likely factual are true, and the highest with which it is so of those called likely
    /// unfactual; where there is none, the sure one.
    fn likely(judged: &[&Judged], fit: Fit) -> Self {
        let is_right = |label, likely, count: fn(VerdictCounts) -> u32| {
            let of = |label| f64::from(count(counted(judged, label, |_| Fit { likely, ..fit })));
            let (right, wrong) = (of(label), of(opposite(label)));
            right > 0.0 && right >= LIKELY_RIGHT * (right + wrong)
        };
        let factual = upper()
            .take_while(|&factual| factual < fit.sure.factual)
            .find(|&factual| is_right(Label::Factual, Self { factual, ..NOTHING }, |counts| counts.likely_factual));
        let unfactual = lower().take_while(|&unfactual| unfactual > fit.sure.unfactual).find(|&unfactual| {
            is_right(Label::Unfactual, Self { unfactual, ..NOTHING }, |counts| counts.likely_unfactual)
        });
        Self { factual: factual.unwrap_or(fit.sure.factual), unfactual: unfactual.unwrap_or(fit.sure.unfactual) }
    }
}

/// Cuts that give no verdict.
const NOTHING: Cuts = Cuts { factual: ABOVE_ALL, unfactual: 0.0 };

/// The thresholds from which a statement may be factual, lowest first.
fn upper() -> impl Iterator<Item = f64> {
    (STEPS / 2..=STEPS).map(|step| step as f64 / STEPS as f64)
}

/// The thresholds below which a statement may be unfactual, highest first.
fn lower() -> impl Iterator<Item = f64> {
    (0..=STEPS / 2).rev().map(|step| step as f64 / STEPS as f64)
}

/// The thresholds of sure verdicts and those of likely ones.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fit {
    sure: Cuts,
    /// Those of sure verdicts on brief statements, if these have their own.
    brief: Option<Cuts>,
    likely: Cuts,
}

impl Fit {
    /// The sure cuts of all statements, and those of brief ones where these can be less strict.
    fn of(judged: &[&Judged]) -> Self {
        let brief: Vec<&Judged> = judged.iter().copied().filter(|each| is_brief(each)).collect();
        let (sure, own) = (Cuts::sure(judged), Cuts::sure(&brief));
        let looser = Cuts { factual: own.factual.min(sure.factual), unfactual: own.unfactual.max(sure.unfactual) };
        let fit = Self { sure, brief: Some(looser).filter(|&looser| looser != sure), likely: sure };
        Self { likely: Cuts::likely(judged, fit), ..fit }
    }

    /// The sure thresholds that a calibration has.
    fn before(calibration: &Calibration) -> Self {
        let Calibration { threshold_factual: factual, threshold_unfactual: unfactual, .. } = *calibration;
        let sure = Cuts { factual, unfactual };
        let brief = calibration.brief.as_ref();
        Self {
            brief: brief.map(|brief| Cuts { factual: brief.factual, unfactual: brief.unfactual }),
            ..Self::same(sure)
        }
    }

    /// The same thresholds for all.
    fn same(cuts: Cuts) -> Self {
        Self { sure: cuts, brief: None, likely: cuts }
    }

    /// The sure thresholds for a statement.
    fn sure_for(&self, judged: &Judged) -> Cuts {
        self.brief.filter(|_| is_brief(judged)).unwrap_or(self.sure)
    }

    /// The calibration with these thresholds in the place of those `before`.
    fn calibrated(&self, before: &Calibration) -> Calibration {
        let Self { sure, brief, likely } = self;
        let brief = brief.map(|Cuts { factual, unfactual }| BriefThresholds { words: BRIEF, factual, unfactual });
        Calibration {
            threshold_factual: sure.factual,
            threshold_unfactual: sure.unfactual,
            threshold_likely_factual: Some(likely.factual).filter(|&factual| factual < sure.factual),
            threshold_likely_unfactual: Some(likely.unfactual).filter(|&unfactual| unfactual > sure.unfactual),
            brief,
            ..before.clone()
        }
    }
}

const LABELS: [Label; 2] = [Label::Factual, Label::Unfactual];

fn is_brief(judged: &Judged) -> bool {
    judged.words <= BRIEF
}

/// Counts the verdicts on the statements with a label, by the same thresholds for all.
fn called(judged: &[&Judged], label: Label, cuts: Cuts) -> VerdictCounts {
    counted(judged, label, |_| Fit::same(cuts))
}

/// Counts the verdicts on the statements with a label. `fit` gives the thresholds for the number of a statement.
fn counted(judged: &[&Judged], label: Label, fit: impl Fn(usize) -> Fit) -> VerdictCounts {
    let mut counts = VerdictCounts { claims: 0, factual: 0, unfactual: 0, likely_factual: 0, likely_unfactual: 0 };
    for (number, each) in judged.iter().enumerate().filter(|(_, each)| each.label == label) {
        let fit = fit(number);
        let (sure, likely) = (fit.sure_for(each), fit.likely);
        counts.claims += 1;
        let verdict = match each.score {
            _ if !each.decided => continue,
            score if score >= sure.factual => &mut counts.factual,
            score if score < sure.unfactual => &mut counts.unfactual,
            score if score >= likely.factual => &mut counts.likely_factual,
            score if score < likely.unfactual => &mut counts.likely_unfactual,
            _ => continue,
        };
        *verdict += 1;
    }
    counts
}

fn opposite(label: Label) -> Label {
    if label == Label::Factual { Label::Unfactual } else { Label::Factual }
}

/// How many of a label's statements get the opposite verdict.
fn wrong(label: Label, counts: VerdictCounts) -> u32 {
    if label == Label::Factual { counts.unfactual } else { counts.factual }
}

/// Fits the thresholds on these statements of `file`. How often verdicts are right is measured by cross-fitting: every
/// fifth statement is judged by thresholds fitted on the other four fifths.
pub(super) fn fit(judged: &[Judged], before: &Calibration, file: &str) -> Fitted {
    let all: Vec<&Judged> = judged.iter().collect();
    let fit = Fit::of(&all);
    let by_others: [Fit; FOLDS] = array::from_fn(|fold| {
        let others = all.iter().enumerate().filter(|(number, _)| number % FOLDS != fold);
        Fit::of(&others.map(|(_, each)| *each).collect::<Vec<_>>())
    });
    let cross_fitted = |label| counted(&all, label, |number| by_others[number % FOLDS]);
    let [of_true, of_false] = LABELS.map(cross_fitted);
    let measured = Measured {
        on: format!("{file}, with retrieved passages; each fifth judged by the thresholds of the rest"),
        of_true,
        of_false,
    };
    let (brief, others): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|&number| is_brief(all[number]));
    let groups = [("brief", brief), ("other", others)];
    let groups = groups.into_iter().filter(|(_, numbers)| !numbers.is_empty()).map(|(name, numbers)| {
        let group: Vec<&Judged> = numbers.iter().map(|&number| all[number]).collect();
        let by_others = |at: usize| by_others[numbers[at] % FOLDS];
        format!("{} {name} statements:\n\n{}", group.len(), shares(&group, Fit::before(before), fit, by_others))
    });
    let table = groups.collect::<Vec<_>>().join("\n");
    Fitted { calibration: fit.calibrated(before), measured: Some(measured), table }
}

/// The shares of verdicts on a group of statements by the thresholds before and after, where `by_others` has those that
/// a statement is judged by, and by others.
fn shares(group: &[&Judged], before: Fit, fit: Fit, by_others: impl Fn(usize) -> Fit) -> String {
    let was = LABELS.map(|label| counted(group, label, |_| before));
    let is = LABELS.map(|label| counted(group, label, &by_others));
    let with_likely = is.map(|counts| VerdictCounts {
        factual: counts.factual + counts.likely_factual,
        unfactual: counts.unfactual + counts.likely_unfactual,
        ..counts
    });
    let sure = |fit: Fit| group.first().map_or(fit.sure, |each| fit.sure_for(each));
    let rows = [("before", sure(before), was), ("after", sure(fit), is), ("and likely", fit.likely, with_likely)];
    let rows = rows.map(|(name, cuts, counts)| {
        let mut cells = vec![name.to_owned(), format!("{:.2}", cuts.factual), format!("{:.2}", cuts.unfactual)];
        for (label, counts) in LABELS.into_iter().zip(counts) {
            let share = |count: u32| format!("{:.1} %", percent(count, counts.claims));
            let most = upper_bound(wrong(label, counts) as usize, counts.claims as usize, CONFIDENCE);
            let mut shares = [share(counts.factual), share(counts.unfactual)];
            let wrong = usize::from(label == Label::Factual);
            shares[wrong] += &format!(" (at most {:.1})", 100.0 * most);
            cells.extend(shares);
        }
        cells
    });
    let columns = ["", "factual from", "unfactual below", "true: factual", "unfactual", "false: factual", "unfactual"];
    format!("{}\n{}", table(&columns, rows.into_iter()), curve(group))
}

/// What other thresholds would call: the shares of true and of false statements called factual from a threshold on,
/// and called unfactual below one less it.
fn curve(all: &[&Judged]) -> String {
    let rows = CURVE.iter().map(|&near| {
        let cuts = Cuts { factual: 1.0 - near, unfactual: near };
        let [of_true, of_false] = [Label::Factual, Label::Unfactual].map(|label| called(all, label, cuts));
        let share = |count: u32, counts: VerdictCounts| format!("{:.1} %", percent(count, counts.claims));
        vec![
            format!("{:.2}", cuts.factual),
            share(of_true.factual, of_true),
            share(of_false.factual, of_false),
            format!("{:.2}", cuts.unfactual),
            share(of_false.unfactual, of_false),
            share(of_true.unfactual, of_true),
        ]
    });
    let columns = ["factual from", "true", "false", "unfactual below", "false", "true"];
    table(&columns, rows)
}

fn percent(count: u32, of: u32) -> f64 {
    100.0 * f64::from(count) / f64::from(of.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(label: Label, score: f64) -> Judged {
        Judged { label, nli: None, p: None, score, decided: true, words: BRIEF + 1 }
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
    fn brief_statements_have_looser_thresholds_where_fewer_of_them_are_wrong() {
        assert_eq!(fitted(&overlapping()).calibration.brief, None);
        let clear =
            |each: Judged| Judged { words: BRIEF, score: if each.label == Label::Factual { 0.8 } else { 0.3 }, ..each };
        let both = fitted(&overlapping().into_iter().chain(overlapping().into_iter().map(clear)).collect::<Vec<_>>());
        let Calibration { threshold_factual, threshold_unfactual, brief, .. } = both.calibration;
        let brief = brief.unwrap();
        assert_eq!((brief.words, brief.factual, brief.unfactual), (BRIEF, 0.5, 0.5));
        assert!(threshold_factual > 0.5 && threshold_unfactual < 0.5);
        let Measured { of_true, of_false, .. } = both.measured.unwrap();
        assert_eq!((of_true.claims, of_false.claims), (200, 200));
    }

    /// A hundred true statements with scores from 0 up, and a hundred false ones, of which ever fewer reach up to 0.8.
    fn thinning() -> Vec<Judged> {
        let share = |number: usize| number as f64 / 100.0;
        let truths = (0..100).map(|number| judged(Label::Factual, share(number)));
        truths.chain((0..100).map(|number| judged(Label::Unfactual, 0.8 - 0.8 * share(number).sqrt()))).collect()
    }

    #[test]
    fn three_likely_verdicts_in_four_are_right() {
        let calibration = fitted(&thinning()).calibration;
        let (sure, likely) = (calibration.threshold_factual, calibration.threshold_likely_factual.unwrap());
        let is_right = |from: f64| {
            let of = |label| {
                thinning().iter().filter(|each| each.label == label && (from..sure).contains(&each.score)).count()
            };
            of(Label::Factual) >= 3 * of(Label::Unfactual)
        };
        assert!(is_right(likely) && !is_right(likely - 0.01), "{likely} to {sure}");
        let turned: Vec<Judged> = thinning()
            .into_iter()
            .map(|each| Judged { label: opposite(each.label), score: 1.0 - each.score, ..each })
            .collect();
        let of_turned = fitted(&turned).calibration.threshold_likely_unfactual.unwrap();
        assert!((of_turned - (1.0 - likely)).abs() < 0.011, "{of_turned} and {likely}");
        assert_eq!(fitted(&overlapping()).calibration.threshold_likely_factual, None, "one in two would be right");
    }

    #[test]
    fn what_is_measured_counts_a_verdict_once() {
        let Measured { of_true, of_false, .. } = fitted(&thinning()).measured.unwrap();
        for counts in [of_true, of_false] {
            let got = [counts.factual, counts.unfactual, counts.likely_factual, counts.likely_unfactual];
            assert!(got.iter().sum::<u32>() <= counts.claims, "{counts:?}");
        }
        assert!(of_true.likely_factual > of_false.likely_factual, "{of_true:?} {of_false:?}");
    }

    #[test]
    fn a_statement_that_nothing_decides_gets_no_verdict() {
        let undecided: Vec<Judged> = overlapping().into_iter().map(|each| Judged { decided: false, ..each }).collect();
        let none = VerdictCounts { claims: 100, factual: 0, unfactual: 0, likely_factual: 0, likely_unfactual: 0 };
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
