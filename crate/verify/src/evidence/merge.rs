//! One ranking of what several sources have found, with their scores on one scale.

use std::collections::BTreeMap;

use crate::evidence::copies::distinct;
use crate::evidence::source::{Found, FoundPassage};

/// What sources have found together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// The passages, best first.
    pub passages: Vec<FoundPassage>,
    /// The words of the query, each with the share of passages that contain it, in the source in which that share is
    /// largest; `None` if no source counts words.
    pub frequencies: Option<BTreeMap<String, f64>>,
    /// An upper bound on the score of any passage that was missed; `None` if none was.
    pub bound: Option<f32>,
}

impl Merged {
    /// At most `count` passages of what these sources have found: the best of each, then the second of each, and so on,
    /// so that every source contributes, whatever its scores. Copies are listed once.
    ///
    /// Scores are on the scale of the source with the highest ceiling. Those of another are multiplied so that a
    /// passage with all of the query's words scores alike in both: an index of a few passages gives lower scores than
    /// one of millions.
    pub fn of(found: Vec<Found>, count: usize) -> Self {
        let scale = found.iter().filter_map(|found| found.ceiling).fold(0.0, f32::max);
        let factor = |ceiling: f32| if ceiling > 0.0 { scale / ceiling } else { 1.0 };
        let best_of = |found: &Found| {
            let factor = found.ceiling.map_or(0.0, factor);
            found.passages.iter().map(|passage| passage.score * factor).fold(0.0, f32::max)
        };
        let best = found.iter().map(best_of).fold(0.0, f32::max);

        let mut merged = Self::default();
        let mut rankings = Vec::with_capacity(found.len());
        for Found { mut passages, frequencies, ceiling, bound, .. } in found {
            let scaled = |score| ceiling.map_or(best, |ceiling| score * factor(ceiling));
            passages.iter_mut().for_each(|passage| passage.score = scaled(passage.score));
            rankings.push(passages.into_iter());
            merged.bound = [merged.bound, bound.map(scaled)].into_iter().flatten().reduce(f32::max);
            for (word, share) in frequencies.into_iter().flatten() {
                let largest = merged.frequencies.get_or_insert_default().entry(word).or_insert(share);
                *largest = largest.max(share);
            }
        }
        let mut passages = Vec::new();
        while rankings.iter().any(|ranking| ranking.len() > 0) {
            passages.extend(rankings.iter_mut().filter_map(Iterator::next));
        }
        merged.passages = distinct(passages, |found| &found.passage);
        merged.passages.truncate(count);
        merged
    }
}

#[cfg(test)]
mod tests {
    use evident_index::Passage;

    use super::*;

    fn found(from: usize, ceiling: Option<f32>, scores: &[f32]) -> Found {
        let passage = |(number, &score): (usize, &f32)| FoundPassage {
            passage: Passage { text: format!("{from}.{number}"), ..Passage::default() },
            score,
            from: Some(from),
            ..FoundPassage::default()
        };
        Found { passages: scores.iter().enumerate().map(passage).collect(), ceiling, ..Found::default() }
    }

    fn ranking(merged: &Merged) -> Vec<(&str, f32)> {
        merged.passages.iter().map(|passage| (passage.passage.text.as_str(), passage.score)).collect()
    }

    #[test]
    fn what_one_source_has_found_stays_as_it_is() {
        let one = Found { bound: Some(0.7), ..found(0, Some(9.1), &[3.3, 1.1, 0.3]) };
        let merged = Merged::of(vec![one.clone()], 10);
        assert_eq!((merged.passages, merged.bound, merged.frequencies), (one.passages, one.bound, None));
        assert_eq!(Merged::of(Vec::new(), 10), Merged::default());
    }

    #[test]
    fn every_source_is_heard_in_turn_with_its_scores_on_one_scale() {
        let merged = Merged::of(vec![found(0, Some(8.0), &[6.0, 5.0, 4.0]), found(1, Some(2.0), &[1.5])], 3);
        assert_eq!(ranking(&merged), [("0.0", 6.0), ("1.0", 6.0), ("0.1", 5.0)]);
        let bounded = Found { bound: Some(1.0), ..found(1, Some(2.0), &[1.5]) };
        assert_eq!(Merged::of(vec![found(0, Some(8.0), &[6.0]), bounded], 3).bound, Some(4.0));
    }

    #[test]
    fn passages_without_scores_are_as_relevant_as_the_best_of_the_others() {
        let merged = Merged::of(vec![found(0, None, &[0.0, 0.0]), found(1, Some(2.0), &[1.5, 1.0])], 9);
        assert_eq!(ranking(&merged), [("0.0", 1.5), ("1.0", 1.5), ("0.1", 1.5), ("1.1", 1.0)]);
        assert_eq!(ranking(&Merged::of(vec![found(0, None, &[0.0])], 9)), [("0.0", 0.0)], "alone they have none");
    }

    #[test]
    fn a_text_that_two_sources_have_stands_once_and_a_word_is_as_common_as_in_any() {
        let mut again = found(1, Some(8.0), &[6.0, 2.0]);
        again.passages[0].passage.text = "0.0".into();
        again.frequencies = Some([("iron".into(), 0.2), ("tin".into(), 0.0)].into());
        let first = Found { frequencies: Some([("iron".into(), 0.1)].into()), ..found(0, Some(8.0), &[6.0]) };
        let merged = Merged::of(vec![first, again], 9);
        assert_eq!(ranking(&merged), [("0.0", 6.0), ("1.1", 2.0)]);
        assert_eq!(merged.frequencies, Some([("iron".into(), 0.2), ("tin".into(), 0.0)].into()));
    }
}
