//! The overall quality of a piece of knowledge (Eq. 9).

use crate::conner::coherence::Coherence;
use crate::conner::factuality::Factuality;
use crate::conner::formulas::quality;
use crate::conner::informativeness::Informativeness;
use crate::conner::outcome::{Outcome, Plain};

/// Eq. 9 of the four scores that it names. A score whose coefficient in `gamma` is 0 adds nothing and may be missing.
pub(super) fn overall(
    factuality: &Outcome<Factuality>,
    relevance: &Outcome<Plain>,
    coherence: &Outcome<Coherence>,
    informativeness: &Outcome<Informativeness>,
    gamma: [f64; 4],
) -> Outcome<Plain> {
    let values = [factuality.value(), relevance.value(), coherence.value(), informativeness.value()];
    let models = [factuality.model(), relevance.model(), coherence.model(), informativeness.model()];
    let missing = [factuality.missing(), relevance.missing(), coherence.missing(), informativeness.missing()];
    let counted = |at: &usize| gamma[*at] != 0.0;
    let mut missing = (0..4).filter(counted).map(|at| missing[at]).collect::<Vec<_>>().concat();
    if !missing.is_empty() {
        missing.sort_unstable();
        missing.dedup();
        return Outcome::Missing { missing };
    }
    let mut named: Vec<&str> = Vec::new();
    for model in (0..4).filter(counted).filter_map(|at| models[at]) {
        if !named.contains(&model) {
            named.push(model);
        }
    }
    let value = quality(gamma, values.map(Option::unwrap_or_default));
    Outcome::scored(&named.join(" + "), Plain { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conner::outcome::Missing;

    fn scored<T>(score: T) -> Outcome<T> {
        Outcome::scored("m", score)
    }

    fn lacks<T>(missing: &[Missing]) -> Outcome<T> {
        Outcome::Missing { missing: missing.to_vec() }
    }

    #[test]
    fn the_overall_quality_names_each_thing_that_it_lacks_once() {
        let found = overall(
            &lacks(&[Missing::Knowledge, Missing::NliModel]),
            &lacks(&[Missing::Question, Missing::Knowledge]),
            &scored(Coherence { value: 0.5, raw: 0.0 }),
            &scored(Informativeness { value: 0.2, tokens: 1 }),
            [0.25; 4],
        );
        assert_eq!(found.missing(), [Missing::Question, Missing::Knowledge, Missing::NliModel]);
    }

    #[test]
    fn the_overall_quality_needs_no_score_that_its_coefficients_leave_out() {
        let coherence = scored(Coherence { value: 0.5, raw: 0.0 });
        let (factuality, relevance) = (lacks(&[Missing::NliModel]), lacks(&[Missing::RelevanceModel]));
        let found = |gamma| overall(&factuality, &relevance, &coherence, &lacks(&[Missing::GeneratingModel]), gamma);
        let only_coherence = found([0.0, 0.0, 2.0, 0.0]);
        assert_eq!((only_coherence.value(), only_coherence.model()), (Some(1.0), Some("m")));
        assert_eq!(found([0.0, 1.0, 2.0, 0.0]).missing(), [Missing::RelevanceModel]);
    }
}
