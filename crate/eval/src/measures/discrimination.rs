//! Measures of how well a score ranks rows, whatever its scale.

use crate::measures::{Labelled, Point};

/// The rows with the same score: how many are factual, and how many are not.
struct Step {
    factual: usize,
    other: usize,
}

/// The rows by score, highest first, equal scores together; `None` where a score is not finite.
fn steps(rows: &[Labelled]) -> Option<Vec<Step>> {
    if !rows.iter().all(|row| row.p.is_finite()) {
        return None;
    }
    let mut sorted: Vec<&Labelled> = rows.iter().collect();
    sorted.sort_by(|a, b| b.p.total_cmp(&a.p));
    let step = |rows: &[&Labelled]| {
        let factual = rows.iter().filter(|row| row.factual).count();
        Step { factual, other: rows.len() - factual }
    };
    Some(sorted.chunk_by(|a, b| a.p == b.p).map(step).collect())
}

fn totals(steps: &[Step]) -> (usize, usize) {
    steps.iter().fold((0, 0), |(factual, other), step| (factual + step.factual, other + step.other))
}

/// AUR: the area under the ROC curve, which is the chance that a factual row scores above one that is not, ties
/// counting half (guan2024, App. C.1; scikit-learn's roc_auc_score). `None` unless there are rows of both classes.
#[must_use]
pub fn roc_area(rows: &[Labelled]) -> Option<f64> {
    let steps = steps(rows)?;
    let (factual, other) = totals(&steps);
    if factual == 0 || other == 0 {
        return None;
    }
    let (mut above, mut twice) = (0u128, 0u128);
    for step in &steps {
        twice += step.other as u128 * (2 * above + step.factual as u128);
        above += step.factual as u128;
    }
    Some(twice as f64 / (2.0 * factual as f64 * other as f64))
}

/// AUP as average precision: the mean precision at the score of each factual row (guan2024, App. C.1; scikit-learn's
/// average_precision_score). `None` without factual rows.
#[must_use]
pub fn average_precision(rows: &[Labelled]) -> Option<f64> {
    let steps = steps(rows)?;
    let (factual, _) = totals(&steps);
    let (mut right, mut called, mut sum) = (0, 0, 0.0);
    for step in &steps {
        right += step.factual;
        called += step.factual + step.other;
        sum += step.factual as f64 * right as f64 / called as f64;
    }
    (factual > 0).then(|| sum / factual as f64)
}

/// The ROC curve, from (0, 0) to (1, 1): x is the false positive rate and y the true positive rate of calling rows
/// factual, with a point for every score (scikit-learn's roc_curve with drop_intermediate=False). `None` as for
/// [`roc_area`].
#[must_use]
pub fn roc_curve(rows: &[Labelled]) -> Option<Vec<Point>> {
    let steps = steps(rows)?;
    let (factual, other) = totals(&steps);
    if factual == 0 || other == 0 {
        return None;
    }
    let (mut points, mut right, mut wrong) = (vec![Point { x: 0.0, y: 0.0 }], 0, 0);
    for step in &steps {
        right += step.factual;
        wrong += step.other;
        points.push(Point { x: wrong as f64 / other as f64, y: right as f64 / factual as f64 });
    }
    Some(points)
}

/// Precision against recall of the factual rows, from (0, 1) on by rising recall, with a point for every score
/// (scikit-learn's precision_recall_curve, in reverse). `None` without factual rows.
#[must_use]
pub fn precision_recall_curve(rows: &[Labelled]) -> Option<Vec<Point>> {
    let steps = steps(rows)?;
    let (factual, _) = totals(&steps);
    if factual == 0 {
        return None;
    }
    let (mut points, mut right, mut called) = (vec![Point { x: 0.0, y: 1.0 }], 0, 0);
    for step in &steps {
        right += step.factual;
        called += step.factual + step.other;
        points.push(Point { x: right as f64 / factual as f64, y: right as f64 / called as f64 });
    }
    Some(points)
}

/// Accuracy against coverage: for every confidence a point whose x is the share of answers with at least this
/// confidence, and whose y is the share of these that are right. `answers` are (confidence, right). `None` without
/// answers and where a confidence is not finite.
#[must_use]
pub fn coverage_curve(answers: &[(f64, bool)]) -> Option<Vec<Point>> {
    let rows: Vec<Labelled> = answers.iter().map(|&(p, factual)| Labelled { p, factual }).collect();
    let (mut right, mut given) = (0, 0);
    let point = |step: &Step| {
        right += step.factual;
        given += step.factual + step.other;
        Point { x: given as f64 / rows.len() as f64, y: right as f64 / given as f64 }
    };
    steps(&rows).filter(|steps| !steps.is_empty()).map(|steps| steps.iter().map(point).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measures::tests::judged;

    #[test]
    fn ties_count_half() {
        assert_eq!(roc_area(&judged(&[(0.5, 1), (0.5, 0)])), Some(0.5));
        assert_eq!(roc_area(&judged(&[(0.9, 1), (0.5, 1), (0.5, 0), (0.1, 0)])), Some(0.875));
        assert_eq!(roc_area(&judged(&[(0.1, 1), (0.9, 0)])), Some(0.0));
    }

    #[test]
    fn average_precision_takes_equal_scores_at_once() {
        assert_eq!(average_precision(&judged(&[(0.9, 1), (0.8, 0), (0.7, 1)])), Some((1.0 + 2.0 / 3.0) / 2.0));
        assert_eq!(average_precision(&judged(&[(0.9, 0), (0.9, 1)])), Some(0.5));
    }

    #[test]
    fn curves_go_from_the_surest_row_to_all() {
        let rows = judged(&[(0.9, 1), (0.5, 0), (0.5, 1), (0.1, 0)]);
        let pairs = |points: Vec<Point>| points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>();
        assert_eq!(pairs(roc_curve(&rows).unwrap()), [(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]);
        assert_eq!(
            pairs(precision_recall_curve(&rows).unwrap()),
            [(0.0, 1.0), (0.5, 1.0), (1.0, 2.0 / 3.0), (1.0, 0.5)]
        );
        assert_eq!(roc_curve(&judged(&[(0.3, 1)])), None);
        assert_eq!(precision_recall_curve(&judged(&[(0.3, 0)])), None);
    }

    #[test]
    fn coverage_grows_as_less_sure_answers_are_given() {
        let points = coverage_curve(&[(0.9, true), (0.2, false), (0.9, true), (0.5, true)]).unwrap();
        let pairs: Vec<_> = points.iter().map(|point| (point.x, point.y)).collect();
        assert_eq!(pairs, [(0.5, 1.0), (0.75, 1.0), (1.0, 0.75)]);
        assert_eq!(coverage_curve(&[]), None);
        assert_eq!(coverage_curve(&[(f64::NAN, true)]), None);
    }

    /// Few distinct scores, so that there are ties.
    fn rows() -> impl Strategy<Value = Vec<Labelled>> {
        proptest::collection::vec((0..9u8, any::<bool>()), 1..60)
            .prop_map(|rows| rows.into_iter().map(|(p, factual)| Labelled { p: f64::from(p) / 8.0, factual }).collect())
    }

    proptest! {
        #[test]
        fn the_area_is_the_share_of_pairs_in_order(rows in rows()) {
            let mut won = 0.0;
            let mut pairs = 0.0;
            for a in rows.iter().filter(|row| row.factual) {
                for b in rows.iter().filter(|row| !row.factual) {
                    won += if a.p > b.p { 1.0 } else if a.p == b.p { 0.5 } else { 0.0 };
                    pairs += 1.0;
                }
            }
            match roc_area(&rows) {
                Some(area) => prop_assert!((area - won / pairs).abs() < 1e-12),
                None => prop_assert_eq!(pairs, 0.0),
            }
        }

        #[test]
        fn the_area_is_what_lies_under_the_curve(rows in rows()) {
            let under = |points: Vec<Point>| -> f64 {
                points.windows(2).map(|p| (p[1].x - p[0].x) * (p[1].y + p[0].y) / 2.0).sum()
            };
            if let (Some(area), Some(curve)) = (roc_area(&rows), roc_curve(&rows)) {
                prop_assert!((area - under(curve)).abs() < 1e-12);
            }
        }

        #[test]
        fn average_precision_is_a_share(rows in rows()) {
            if let Some(ap) = average_precision(&rows) {
                prop_assert!(ap > 0.0 && ap <= 1.0);
            }
        }

        #[test]
        fn only_the_order_matters(rows in rows()) {
            let bent: Vec<Labelled> = rows.iter().map(|row| Labelled { p: row.p.powi(3) * 40.0 - 7.0, ..*row }).collect();
            prop_assert_eq!(roc_area(&rows), roc_area(&bent));
            prop_assert_eq!(average_precision(&rows), average_precision(&bent));
        }
    }
}
