//! The measures equal those of scikit-learn and SciPy on random data: tests/parity/meta.

use std::path::Path;

use evident_eval::measures::{
    Labelled, Measures, Point, average_kappa, cohen_kappa, fleiss_kappa, pearson, pearson_p_value,
    precision_recall_curve, reliability, roc_curve, somers_d, upper_bound,
};
use serde::Deserialize;

/// Largest difference of two numbers that count as equal.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Golden {
    rows: Vec<Rows>,
    pairs: Vec<Pairs>,
    raters: Vec<Raters>,
    /// Counted, of how many, with what confidence, and the bound.
    upper_bounds: Vec<(usize, usize, f64, f64)>,
}

/// The labels that each rater gave each item, a row an item.
#[derive(Deserialize)]
struct Raters {
    ratings: Vec<Vec<u8>>,
    fleiss: f64,
    /// Of the first two raters.
    cohen: f64,
    average: f64,
}

#[derive(Deserialize)]
struct Rows {
    p: Vec<f64>,
    y: Vec<u8>,
    measures: Expected,
    roc: Option<Vec<(f64, f64)>>,
    precision_recall: Option<Vec<(f64, f64)>>,
}

#[derive(Deserialize)]
struct Expected {
    ece: Option<f64>,
    acc: Option<f64>,
    precision_factual: Option<f64>,
    recall_factual: Option<f64>,
    precision_unfactual: Option<f64>,
    recall_unfactual: Option<f64>,
    aur: Option<f64>,
    aup: Option<f64>,
    r: Option<f64>,
    somers_d: Option<f64>,
    somers_p: Option<f64>,
}

#[derive(Deserialize)]
struct Pairs {
    x: Vec<f64>,
    y: Vec<f64>,
    r: f64,
    r_p: f64,
    forth: (f64, f64),
    back: (f64, f64),
}

fn golden() -> Golden {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/meta/golden.json");
    serde_json::from_slice(&std::fs::read(path).expect("there is a golden file")).expect("the golden file is JSON")
}

#[track_caller]
fn assert_equal(name: &str, ours: Option<f64>, theirs: Option<f64>) {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => assert!((ours - theirs).abs() <= TOLERANCE, "{name}: {ours} for {theirs}"),
        (ours, theirs) => assert_eq!(ours, theirs, "{name}"),
    }
}

#[track_caller]
fn assert_curve(ours: Option<Vec<Point>>, theirs: &[(f64, f64)]) {
    let ours = ours.expect("there is a curve");
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert!(
            (ours.x - theirs.0).abs() <= TOLERANCE && (ours.y - theirs.1).abs() <= TOLERANCE,
            "{ours:?} {theirs:?}"
        );
    }
}

#[test]
fn measures_equal_scikit_learn_and_scipy() {
    for Rows { p, y, measures: theirs, .. } in golden().rows {
        let rows: Vec<Labelled> = p.iter().zip(&y).map(|(&p, &y)| Labelled { p, factual: y == 1 }).collect();
        let ours = Measures::of(&rows);
        assert_equal("ECE", ours.ece, theirs.ece);
        assert_equal("ACC", ours.acc, theirs.acc);
        assert_equal("P factual", ours.of_factual.precision, theirs.precision_factual);
        assert_equal("R factual", ours.of_factual.recall, theirs.recall_factual);
        assert_equal("P unfactual", ours.of_unfactual.precision, theirs.precision_unfactual);
        assert_equal("R unfactual", ours.of_unfactual.recall, theirs.recall_unfactual);
        assert_equal("AUR", ours.aur, theirs.aur);
        assert_equal("AUP", ours.aup, theirs.aup);
        assert_equal("r", ours.r, theirs.r);
        let pairs: Vec<_> = y.iter().zip(&p).map(|(&y, &p)| (f64::from(y), p)).collect();
        assert_equal("D", somers_d(&pairs).map(|somers| somers.d), theirs.somers_d);
        assert_equal("p of D", somers_d(&pairs).map(|somers| somers.p_value), theirs.somers_p);
        assert_eq!(reliability(&rows).expect("there are bins").iter().map(|bin| bin.n).sum::<usize>(), rows.len());
    }
}

#[test]
fn curves_equal_scikit_learn() {
    let mut compared = 0;
    for Rows { p, y, roc, precision_recall, .. } in golden().rows {
        let rows: Vec<Labelled> = p.iter().zip(&y).map(|(&p, &y)| Labelled { p, factual: y == 1 }).collect();
        if let (Some(roc), Some(precision_recall)) = (roc, precision_recall) {
            assert_curve(roc_curve(&rows), &roc);
            assert_curve(precision_recall_curve(&rows), &precision_recall);
            compared += 1;
        }
    }
    assert!(compared > 3);
}

#[test]
fn correlations_of_graded_ratings_equal_scipy() {
    for Pairs { x, y, r, r_p, forth, back } in golden().pairs {
        let pairs: Vec<_> = x.iter().copied().zip(y.iter().copied()).collect();
        let turned: Vec<_> = pairs.iter().map(|&(x, y)| (y, x)).collect();
        assert_equal("r", pearson(&pairs), Some(r));
        let p_value = pearson_p_value(r, pairs.len()).expect("three pairs");
        assert!((p_value - r_p).abs() <= TOLERANCE * r_p.max(1e-3), "p of r: {p_value} for {r_p}");
        for (pairs, (d, p_value)) in [(pairs, forth), (turned, back)] {
            let ours = somers_d(&pairs).expect("neither is a constant");
            assert_equal("D", Some(ours.d), Some(d));
            assert_equal("p of D", Some(ours.p_value), Some(p_value));
        }
    }
}

#[test]
fn kappas_equal_statsmodels_and_scikit_learn() {
    for Raters { ratings, fleiss, cohen, average } in golden().raters {
        assert_equal("Fleiss", fleiss_kappa(&ratings), Some(fleiss));
        let first: Vec<_> = ratings.iter().map(|item| (item[0], item[1])).collect();
        assert_equal("Cohen", cohen_kappa(&first), Some(cohen));
        let given: Vec<Vec<Option<u8>>> = ratings.iter().map(|item| item.iter().copied().map(Some).collect()).collect();
        assert_equal("average", average_kappa(&given), Some(average));
    }
}

#[test]
fn the_bound_of_a_share_equals_scipy() {
    for (count, n, confidence, bound) in golden().upper_bounds {
        assert_equal("bound", Some(upper_bound(count, n, confidence)), Some(bound));
    }
}
