//! How far raters agree beyond chance.

use std::collections::BTreeSet;

use crate::measures::share;

/// Cohen's kappa of two raters' pairs of labels, at most 1 (Cohen 1960; sklearn.metrics.cohen_kappa_score):
/// (agreement - chance) / (1 - chance), where chance is the agreement expected of each rater's own shares of labels.
/// `None` without pairs, and if both raters give every item the same label.
#[must_use]
pub fn cohen_kappa<L: Copy + Ord>(pairs: &[(L, L)]) -> Option<f64> {
    let labels: BTreeSet<L> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let of = |holds: &dyn Fn(&(L, L)) -> bool| share(pairs.iter().filter(|pair| holds(pair)).count(), pairs.len());
    let agree = of(&|(a, b)| a == b)?;
    let mut chance = 0.0;
    for label in labels {
        chance += of(&|(a, _)| *a == label)? * of(&|(_, b)| *b == label)?;
    }
    beyond_chance(agree, chance)
}

/// The mean of [`cohen_kappa`] over all pairs of raters, each over the items that both rated: an "average kappa"
/// (chen2023, App. J.1, which does not say what is averaged). `ratings` has a row for each item and a column for each
/// rater. `None` if no pair of raters has one.
#[must_use]
pub fn average_kappa<L: Copy + Ord>(ratings: &[Vec<Option<L>>]) -> Option<f64> {
    let raters = ratings.iter().map(Vec::len).max()?;
    let of = |item: &[Option<L>], rater: usize| item.get(rater).copied().flatten();
    let both = |one: usize, other: usize| -> Vec<(L, L)> {
        ratings.iter().filter_map(|item| Some((of(item, one)?, of(item, other)?))).collect()
    };
    let pairs = (0..raters).flat_map(|one| (one + 1..raters).map(move |other| (one, other)));
    let each: Vec<f64> = pairs.filter_map(|(one, other)| cohen_kappa(&both(one, other))).collect();
    (!each.is_empty()).then(|| each.iter().sum::<f64>() / each.len() as f64)
}

/// Fleiss' kappa, at most 1 (Fleiss 1971, as guan2024 has it in Sec. 3; statsmodels' `fleiss_kappa`). `ratings` has the
/// labels of each item, whoever gave them. Only items with at least two labels count, and of these the ones with the
/// most common number of labels. `None` without such items, and if all labels are the same.
#[must_use]
pub fn fleiss_kappa<L: Copy + Ord>(ratings: &[Vec<L>]) -> Option<f64> {
    let sizes: BTreeSet<usize> = ratings.iter().map(Vec::len).filter(|&size| size > 1).collect();
    let items = |size: usize| ratings.iter().filter(move |item| item.len() == size);
    let raters = sizes.into_iter().max_by_key(|&size| items(size).count())?;
    let n = items(raters).count() as f64;
    let labels: BTreeSet<L> = items(raters).flatten().copied().collect();
    let (mut agree, mut chance) = (0.0, 0.0);
    for label in labels {
        let counts = items(raters).map(|item| item.iter().filter(|&&other| other == label).count() as f64);
        let (sum, pairs) = counts.fold((0.0, 0.0), |(sum, pairs), count| (sum + count, pairs + count * (count - 1.0)));
        agree += pairs / (n * raters as f64 * (raters as f64 - 1.0));
        chance += (sum / (n * raters as f64)).powi(2);
    }
    beyond_chance(agree, chance)
}

/// (agreement - chance) / (1 - chance).
fn beyond_chance(agree: f64, chance: f64) -> Option<f64> {
    (chance < 1.0).then(|| (agree - chance) / (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_agreement_is_1_and_one_label_has_no_kappa() {
        assert_eq!(cohen_kappa(&[(0, 0), (1, 1), (2, 2)]), Some(1.0));
        assert_eq!(cohen_kappa(&[(0, 0), (0, 1), (1, 0), (1, 1)]), Some(0.0));
        assert_eq!((cohen_kappa(&[(1, 1), (1, 1)]), cohen_kappa::<u8>(&[])), (None, None));
        assert_eq!(fleiss_kappa(&[vec![0, 0], vec![1, 1]]), Some(1.0));
        assert_eq!(
            (fleiss_kappa(&[vec![1, 1]]), fleiss_kappa::<u8>(&[]), fleiss_kappa(&[vec![1]])),
            (None, None, None)
        );
    }

    #[test]
    fn raters_are_compared_on_what_both_rated() {
        let ratings = [vec![Some(0), Some(0), None], vec![Some(1), Some(1), Some(0)], vec![Some(0), None, Some(1)]];
        // The first two raters agree fully. The third differs from the first on both items that they share, and shares
        // one item with the second.
        assert_eq!(average_kappa(&ratings), Some((1.0 - 1.0 + 0.0) / 3.0));
        assert_eq!(average_kappa::<u8>(&[vec![None, None]]), None);
    }

    #[test]
    fn items_that_fewer_people_rated_do_not_count_for_fleiss() {
        let three = [vec![0, 0, 1], vec![1, 1, 1], vec![0, 1, 1]];
        let with_others = [three.to_vec(), vec![vec![0, 1], vec![0]]].concat();
        assert_eq!(fleiss_kappa(&with_others), fleiss_kappa(&three));
    }
}
