//! The measures of a run, as report.json has them.

use std::collections::{BTreeMap, BTreeSet};

use crate::measures::{
    Bin, Bootstrap, Interval, Labelled, Measures, Point, accuracy, calibration_error, coverage_curve,
    mean_and_deviation, pearson, pearson_p_value, reliability, roc_area,
};
use evident_verify::{Entity, EntityKind, Verdict, Wording, entities};
use serde::Serialize;

use crate::rows::row::Label;
use crate::statements::annotators::Annotators;
use crate::statements::datasets::Datasets;
use crate::statements::record::{Record, Run, before, judged};
use crate::statements::scorer::Scorer;

/// The version of report.json.
const SCHEMA: u32 = 2;
/// A group with more values than this is an id, not a group.
const MOST_VALUES: usize = 20;
/// The coverages at which the coverage curve is read.
const COVERAGES: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

/// Everything that was measured. Shares, not per cent.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvalReport {
    pub schema: u32,
    /// The name of the file.
    pub file: String,
    pub run: Run,
    /// Rows that were judged.
    pub rows: usize,
    /// Rows of the file without a label, and those labelled no evidence if [`Run::leaves_out_no_evidence`].
    pub left_out: usize,
    /// Rows that were judged without any passage.
    pub without_evidence: usize,
    /// Rows for which the verifier gave no answer, so that p is 0.5.
    pub silent: usize,
    pub bootstrap: Bootstrap,
    /// Factual against all others (guan2024, Tab. 5 and 7).
    pub measures: Vec<Measured>,
    /// The T5 by each wording of its question (guan2024, Tab. 10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wordings: Option<Wordings>,
    /// Correlations with the perplexity of the statements (guan2024, Tab. 27).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perplexity: Option<Perplexity>,
    /// Mean scores of paragraphs against their share of factual sentences (guan2024, Tab. 7, Para B).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paragraphs: Option<Paragraphs>,
    /// Factual against unfactual, and against no evidence (guan2024, Tab. 13); empty unless there are all three.
    pub apart: Vec<AgainstLabel>,
    /// How far several people's labels agree, where there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotators: Option<Annotators>,
    /// Balanced accuracy by data set, where rows say which they are from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datasets: Option<Datasets>,
    /// The verdicts by each model alone, and by both.
    pub verdicts: Vec<Verdicts>,
    /// The measures by group and value.
    pub groups: BTreeMap<String, Vec<Value>>,
}

/// How well one scorer does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    pub verifier: Scorer,
    #[serde(flatten)]
    pub measures: Measures,
    pub acc_interval: Option<Interval>,
    pub aur_interval: Option<Interval>,
    pub reliability: Vec<Bin>,
    /// ECE without the pack's temperatures and bias; `None` for a scorer that is not calibrated.
    pub ece_before: Option<f64>,
    /// Where the ECE would lie by chance if the scores were true probabilities.
    pub ece_if_calibrated: Option<Interval>,
}

/// One of the measures.
type Measure = fn(&Measures) -> Option<f64>;

/// How far the measures depend on the wording of the question.
#[derive(Clone, Debug, Serialize)]
pub struct Wordings {
    pub each: Vec<(Wording, Measures)>,
    /// The mean and the standard deviation of each measure over the wordings, where all of them have it.
    pub spread: BTreeMap<&'static str, Option<(f64, f64)>>,
}

impl Wordings {
    /// The measures that it is about, each with its name.
    pub const MEASURES: [(&'static str, Measure); 9] = [
        ("ECE", |m| m.ece),
        ("ACC", |m| m.acc),
        ("P factual", |m| m.of_factual.precision),
        ("R factual", |m| m.of_factual.recall),
        ("P unfactual", |m| m.of_unfactual.precision),
        ("R unfactual", |m| m.of_unfactual.recall),
        ("AUR", |m| m.aur),
        ("AUP", |m| m.aup),
        ("r", |m| m.r),
    ];

    /// `None` unless every row was asked in all wordings.
    fn of(records: &[&Record]) -> Option<Self> {
        if records.iter().any(|record| record.wordings.len() != Wording::ALL.len()) {
            return None;
        }
        let measures = |n: usize| {
            let row = |record: &&Record| Labelled { p: record.wordings[n], factual: record.label == Label::Factual };
            Measures::of(&records.iter().map(row).collect::<Vec<_>>())
        };
        let each: Vec<(Wording, Measures)> =
            Wording::ALL.iter().enumerate().map(|(n, &wording)| (wording, measures(n))).collect();
        let spread = Self::MEASURES.map(|(name, of)| {
            let values: Option<Vec<f64>> = each.iter().map(|(_, measures)| of(measures)).collect();
            (name, values.and_then(|values| mean_and_deviation(&values)))
        });
        Some(Self { each, spread: spread.into() })
    }
}

/// Pearson's r with its p-value.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Correlation {
    pub r: f64,
    pub p_value: Option<f64>,
}

impl Correlation {
    fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        pearson(pairs).map(|r| Self { r, p_value: pearson_p_value(r, pairs.len()) })
    }
}

/// Pearson's r of the perplexity of statements under a language model.
#[derive(Clone, Debug, Serialize)]
pub struct Perplexity {
    /// With the scores of each model.
    pub predicted: Vec<(Scorer, Option<Correlation>)>,
    /// With people's labels.
    pub golden: Option<Correlation>,
}

impl Perplexity {
    /// `None` where there was no language model.
    fn of(records: &[Record]) -> Option<Self> {
        let known =
            |record: &Record| record.baselines.get(&Scorer::Perplexity).copied().filter(|&inverse| inverse > 0.0);
        let with = |of: &dyn Fn(&Record) -> f64| {
            let pairs = records.iter().filter_map(|record| Some((1.0 / known(record)?, of(record))));
            Correlation::of(&pairs.collect::<Vec<_>>())
        };
        records.iter().any(|record| known(record).is_some()).then(|| Self {
            predicted: Scorer::models(records)
                .into_iter()
                .map(|scorer| (scorer, with(&|record| scorer.score(record))))
                .collect(),
            golden: with(&Record::target),
        })
    }
}

/// Correlation over paragraphs.
#[derive(Clone, Debug, Serialize)]
pub struct Paragraphs {
    pub n: usize,
    pub r: Vec<(Scorer, Option<f64>)>,
}

/// Factual rows against those of one other label.
#[derive(Clone, Debug, Serialize)]
pub struct AgainstLabel {
    pub against: Label,
    pub factual: usize,
    pub others: usize,
    pub measures: Vec<(Scorer, Measures)>,
}

/// How often verdicts are given, and how often they are right.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdicts {
    /// Whose score decides.
    pub verifier: Scorer,
    /// Rows by label, and within by verdict: factual, unfactual, no evidence (mixed ones among these).
    pub counts: [[usize; 3]; 3],
    /// The share of rows that are called factual or unfactual.
    pub coverage: f64,
    /// The share of those whose verdict is right; for a row without evidence, unfactual is right.
    pub accuracy: Option<f64>,
    /// The share of factual rows that are called unfactual.
    pub false_alarms: Option<f64>,
    /// The share of the other rows that are called unfactual.
    pub caught: Option<f64>,
    /// The share of rows that are called no evidence.
    pub abstained: f64,
    /// The accuracy of the score (y) against coverage (x), leaving out statements with the least decisive evidence
    /// first.
    pub curve: Vec<Point>,
}

/// One value of a group.
#[derive(Clone, Debug, Serialize)]
pub struct Value {
    pub value: String,
    pub n: usize,
    /// The shares of its rows with each label, in [`Label::ALL`]'s order (guan2024, Tab. 2, Fig. 2 and Tab. 23).
    pub labels: [f64; 3],
    /// By each model alone, and by both.
    pub measures: Vec<(Scorer, Measures)>,
    /// The T5's r: the mean over the wordings of its question, and the standard deviation (guan2024, Fig. 3); `None`
    /// unless all were asked and each has an r.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wordings: Option<(f64, f64)>,
}

impl EvalReport {
    pub fn of(file: String, run: Run, records: &[Record], left_out: usize, baselines: bool) -> Self {
        let models = Scorer::models(records);
        let mut scorers = models.clone();
        if records.iter().any(|record| record.t5 != record.p_factual) {
            scorers.insert(1, Scorer::T5Raw);
        }
        if baselines {
            scorers.extend(Scorer::BASELINES);
            let known = |scorer: &Scorer| records.iter().any(|record| record.baselines.contains_key(scorer));
            scorers.extend(Scorer::MODEL_BASELINES.into_iter().filter(known));
        }
        let bootstrap = Bootstrap::default();
        let measured = |&verifier: &Scorer| {
            let rows = judged(records.iter(), verifier);
            Measured {
                verifier,
                measures: Measures::of(&rows),
                acc_interval: bootstrap.interval(&rows, accuracy),
                aur_interval: bootstrap.interval(&rows, roc_area),
                reliability: reliability(&rows).unwrap_or_default(),
                ece_before: calibration_error(&before(records, verifier)),
                ece_if_calibrated: bootstrap.if_calibrated(&rows, calibration_error),
            }
        };
        Self {
            schema: SCHEMA,
            file,
            run,
            rows: records.len(),
            left_out,
            silent: records.iter().filter(|record| record.p_factual.is_some() && record.answered_at.is_none()).count(),
            without_evidence: records.iter().filter(|record| record.evidence == 0).count(),
            bootstrap,
            measures: scorers.iter().map(measured).collect(),
            wordings: Wordings::of(&records.iter().collect::<Vec<_>>()),
            perplexity: Perplexity::of(records),
            paragraphs: paragraphs(records, &scorers),
            apart: apart(records, &scorers),
            annotators: Annotators::of(records),
            datasets: Datasets::of(records),
            verdicts: models.iter().map(|&scorer| verdicts(records, scorer)).collect(),
            groups: groups(records),
        }
    }
}

fn paragraphs(records: &[Record], scorers: &[Scorer]) -> Option<Paragraphs> {
    let mut found: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in records {
        if let Some(paragraph) = &record.paragraph {
            found.entry(paragraph).or_default().push(record);
        }
    }
    let mean = |rows: &[&Record], of: &dyn Fn(&Record) -> f64| {
        rows.iter().map(|record| of(record)).sum::<f64>() / rows.len() as f64
    };
    let r = |&scorer: &Scorer| {
        let pairs =
            found.values().map(|rows| (mean(rows, &|record| scorer.score(record)), mean(rows, &Record::target)));
        (scorer, pearson(&pairs.collect::<Vec<_>>()))
    };
    (!found.is_empty()).then(|| Paragraphs { n: found.len(), r: scorers.iter().map(r).collect() })
}

fn apart(records: &[Record], scorers: &[Scorer]) -> Vec<AgainstLabel> {
    let count = |label| records.iter().filter(|record| record.label == label).count();
    let others = [Label::Unfactual, Label::NoEvidence];
    if Label::ALL.iter().any(|&label| count(label) == 0) {
        return Vec::new();
    }
    let against = |against| {
        let kept = || records.iter().filter(|record| record.label == Label::Factual || record.label == against);
        let measures = scorers.iter().map(|&scorer| (scorer, Measures::of(&judged(kept(), scorer)))).collect();
        AgainstLabel { against, factual: count(Label::Factual), others: count(against), measures }
    };
    others.map(against).into()
}

fn verdicts(records: &[Record], verifier: Scorer) -> Verdicts {
    const ALL: [Verdict; 3] = [Verdict::Factual, Verdict::Unfactual, Verdict::NoEvidence];
    // Mixed evidence does not settle a statement.
    let called = |record: &Record| match verifier.verdict(record) {
        Verdict::Mixed => Verdict::NoEvidence,
        verdict => verdict,
    };
    let count = |label: Label, verdict: Verdict| {
        records.iter().filter(|record| record.label == label && called(record) == verdict).count()
    };
    let counts = Label::ALL.map(|label| ALL.map(|verdict| count(label, verdict)));
    let [[right, alarms, silent], others @ ..] = counts;
    let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
    let abstained: usize = counts.iter().map(|verdicts| verdicts[2]).sum();
    let caught: usize = others.iter().map(|verdicts| verdicts[1]).sum();
    let called = records.len() - abstained;

    let answer = |record: &Record| {
        let p = verifier.score(record);
        (record.decisiveness, p != 0.5 && (p > 0.5) == (record.label == Label::Factual))
    };
    let all = coverage_curve(&records.iter().map(answer).collect::<Vec<_>>()).unwrap_or_default();
    let at = |least: f64| all.iter().find(|point| point.x >= least - 1e-9).copied();
    let mut curve: Vec<Point> = COVERAGES.into_iter().filter_map(at).collect();
    curve.dedup();
    Verdicts {
        verifier,
        counts,
        coverage: share(called, records.len()).unwrap_or(0.0),
        accuracy: share(right + caught, called),
        false_alarms: share(alarms, right + alarms + silent),
        caught: share(caught, records.len() - right - alarms - silent),
        abstained: share(abstained, records.len()).unwrap_or(0.0),
        curve,
    }
}

/// The group of the kinds of names and numbers in a statement; a row counts for each kind that it has.
const ENTITY: &str = "entity";

fn groups(records: &[Record]) -> BTreeMap<String, Vec<Value>> {
    let mut found: BTreeMap<String, BTreeMap<(u64, String), Vec<&Record>>> = BTreeMap::new();
    for record in records {
        let mut values: Vec<(String, String)> =
            record.groups.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        if !record.groups.contains_key(ENTITY) {
            values.extend(kinds(&record.statement).into_iter().map(|kind| (ENTITY.to_owned(), kind.to_owned())));
        }
        for (name, value) in values {
            let order = value.parse().unwrap_or(u64::MAX);
            found.entry(name).or_default().entry((order, value)).or_default().push(record);
        }
    }
    found.retain(|_, values| (2..=MOST_VALUES).contains(&values.len()));
    let models = Scorer::models(records);
    let measure = |((_, value), rows): ((u64, String), Vec<&Record>)| {
        let of = |scorer| (scorer, Measures::of(&judged(rows.iter().copied(), scorer)));
        let share = |label| rows.iter().filter(|row| row.label == label).count() as f64 / rows.len() as f64;
        let wordings = Wordings::of(&rows).and_then(|wordings| wordings.spread.get("r").copied().flatten());
        let measures = models.iter().copied().map(of).collect();
        Value { value, n: rows.len(), labels: Label::ALL.map(share), measures, wordings }
    };
    found.into_iter().map(|(name, values)| (name, values.into_iter().map(measure).collect())).collect()
}

/// The kinds of names and numbers in a statement, each once.
fn kinds(statement: &str) -> BTreeSet<&'static str> {
    let name = |entity: Entity| match entity.kind {
        EntityKind::Person => "person",
        EntityKind::Place => "place",
        EntityKind::Organisation => "organisation",
        EntityKind::Cardinal => "cardinal",
        EntityKind::Ordinal => "ordinal",
        EntityKind::Date => "date",
        EntityKind::Other => "other",
    };
    let found: BTreeSet<_> = entities(statement).into_iter().map(name).collect();
    if found.is_empty() { ["none"].into() } else { found }
}

#[cfg(test)]
pub mod tests {
    use evident_verify::{PackReport, Settings};

    use super::*;
    use crate::rows::unit::Unit;
    use crate::statements::evidence::EvidenceMode;
    use crate::statements::record::tests::record;

    pub fn run() -> Run {
        let pack = PackReport { name: "pack".into(), version: "1".into(), hash: "0".into() };
        Run {
            format: "jsonl".into(),
            evidence: EvidenceMode::Gold,
            index: None,
            rerank: None,
            unit: Unit::Row,
            seed: 0,
            baselines: true,
            lm: None,
            pack,
            models: BTreeMap::new(),
            settings: Settings::default(),
        }
    }

    /// Two factual rows, one of them a false alarm; an unfactual one that is caught; one without evidence and verdict.
    pub fn records() -> Vec<Record> {
        let mut records = vec![
            record(0, Label::Factual, Verdict::Factual, 0.9),
            record(1, Label::Factual, Verdict::Unfactual, 0.3),
            record(2, Label::Unfactual, Verdict::Unfactual, 0.05),
            record(3, Label::NoEvidence, Verdict::NoEvidence, 0.5),
        ];
        for (n, record) in records.iter_mut().enumerate() {
            record.groups.insert("position".into(), [10, 2, 2, 10][n].to_string());
            record.groups.insert("same".into(), "x".into());
            record.paragraph = Some((n / 2).to_string());
        }
        records
    }

    #[test]
    fn verdicts_come_to_coverage_accuracy_and_false_alarms() {
        let verdicts = EvalReport::of("file".into(), run(), &records(), 0, false).verdicts.pop().unwrap();
        assert_eq!(verdicts.counts, [[1, 1, 0], [0, 1, 0], [0, 0, 1]]);
        assert_eq!((verdicts.coverage, verdicts.abstained), (0.75, 0.25));
        assert_eq!((verdicts.accuracy, verdicts.false_alarms), (Some(2.0 / 3.0), Some(0.5)));
        assert_eq!((verdicts.verifier, verdicts.caught), (Scorer::Both, Some(0.5)));
        let curve: Vec<_> = verdicts.curve.iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(curve, [(0.25, 1.0), (0.5, 1.0), (0.75, 2.0 / 3.0), (1.0, 0.5)]);
    }

    #[test]
    fn raw_p_is_measured_beside_the_calibrated() {
        let mut records = records()[..3].to_vec();
        for record in &mut records {
            let truth = f64::from(u8::from(record.label == Label::Factual));
            (record.p_factual, record.t5) = (Some(truth), Some(1.0 - truth));
        }
        let report = EvalReport::of("file".into(), run(), &records, 0, true);
        let ece = |scorer| report.measures.iter().find(|each| each.verifier == scorer).unwrap().measures.ece;
        assert_eq!((ece(Scorer::T5Raw), ece(Scorer::T5)), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn paragraphs_are_correlated_by_their_means() {
        let (yes, no) = (Label::Factual, Label::Unfactual);
        let rows = [(0.9, yes), (0.7, yes), (0.2, yes), (0.4, no), (0.5, no), (0.1, no)];
        let of = |(n, &(both, label)): (usize, &(f64, Label))| Record {
            paragraph: Some((n / 2).to_string()),
            ..record(n, label, Verdict::NoEvidence, both)
        };
        let records: Vec<Record> = rows.iter().enumerate().map(of).collect();
        let found = paragraphs(&records, &[Scorer::Both]).unwrap();
        // 0.8, 0.3, 0.3 against 1, 0.5, 0.
        assert!(found.n == 3 && (found.r[0].1.unwrap() - 0.75_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn both_kinds_of_other_labels_are_set_apart_where_there_are_both() {
        let report = EvalReport::of("file".into(), run(), &records(), 0, true);
        let counts: Vec<_> = report.apart.iter().map(|apart| (apart.against, apart.factual, apart.others)).collect();
        assert_eq!(counts, [(Label::Unfactual, 2, 1), (Label::NoEvidence, 2, 1)]);
        assert_eq!(report.apart[0].measures[2].1.aur, Some(1.0));
        assert_eq!(report.apart[1].measures[2].1.aur, Some(0.5));
        assert!(EvalReport::of("file".into(), run(), &records()[..3], 0, true).apart.is_empty());
        assert!(EvalReport::of("file".into(), run(), &records()[2..], 0, true).apart.is_empty());
    }

    #[test]
    fn measures_are_averaged_over_the_wordings() {
        let mut records = records();
        assert!(Wordings::of(&records.iter().collect::<Vec<_>>()).is_none());
        for record in &mut records {
            record.wordings = vec![record.both, record.both, 1.0 - record.both, record.both];
        }
        let wordings = Wordings::of(&records.iter().collect::<Vec<_>>()).unwrap();
        let areas: Vec<_> = wordings.each.iter().map(|(_, measures)| measures.aur.unwrap()).collect();
        assert_eq!(areas, [0.75, 0.75, 0.25, 0.75]);
        let (mean, deviation) = wordings.spread["AUR"].unwrap();
        assert_eq!(mean, 0.625);
        assert!((deviation - 0.1875_f64.sqrt() * 0.5).abs() < 1e-12);

        // Fig. 3, by position: the third wording reverses the order of the second and third row, 0.3 and 0.05.
        let report = EvalReport::of("file".into(), run(), &records, 0, false);
        let (mean, deviation) = report.groups["position"][0].wordings.unwrap();
        assert!((mean - 0.5).abs() < 1e-12 && (deviation - 0.75_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_perplexity_is_correlated_with_what_is_predicted_and_what_is_so() {
        let mut records = records();
        assert!(Perplexity::of(&records).is_none());
        for record in &mut records {
            record.baselines.insert(Scorer::Perplexity, 1.0 / (2.0 - record.both));
        }
        let found = Perplexity::of(&records).unwrap();
        let all = |holds: fn(&Correlation) -> bool| found.predicted.iter().all(|(_, r)| holds(&r.unwrap()));
        assert!(all(|found| (found.r + 1.0).abs() < 1e-9 && found.p_value.unwrap() < 1e-6));
        let golden = found.golden.unwrap();
        assert!((-1.0..0.0).contains(&golden.r) && golden.p_value.unwrap() > 0.05);
    }

    #[test]
    fn a_row_counts_under_every_sort_of_name_that_it_has() {
        let mut records = records();
        records[0].statement = "In 1903 Marie Curie met three kings in Paris.".into();
        records[1].statement = "It is said.".into();
        let report = EvalReport::of("file".into(), run(), &records, 0, false);
        let values: Vec<_> = report.groups["entity"].iter().map(|each| (each.value.as_str(), each.n)).collect();
        assert_eq!(
            values,
            [("cardinal", 1), ("date", 1), ("none", 1), ("other", 2), ("person", 1), ("place", 1)],
            "iron is a name of no sort"
        );
    }

    #[test]
    fn groups_are_in_the_order_of_their_numbers_and_one_value_is_no_group() {
        let report = EvalReport::of("file".into(), run(), &records(), 0, false);
        let groups: Vec<_> = report.groups.iter().map(|(name, values)| (name.as_str(), values.len())).collect();
        assert_eq!(groups, [("position", 2)]);
        let values: Vec<_> = report.groups["position"].iter().map(|each| (each.value.as_str(), each.n)).collect();
        assert_eq!(values, [("2", 2), ("10", 2)]);
        let labels: Vec<_> = report.groups["position"].iter().map(|each| each.labels).collect();
        assert_eq!(labels, [[0.5, 0.5, 0.0], [0.5, 0.0, 0.5]], "factual, unfactual, no evidence (Fig. 2)");
        let paragraphs = report.paragraphs.unwrap();
        assert_eq!(paragraphs.n, 2);
        assert!((paragraphs.r[0].1.unwrap() - 1.0).abs() < 1e-12);
    }
}
