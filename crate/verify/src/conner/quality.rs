//! The overall quality of a piece of knowledge (Eq. 9).

use crate::conner::formulas::quality;
use crate::conner::outcome::{Outcome, Plain};
use crate::conner::scores::ConnerReport;

/// Eq. 9 over a report's other scores. A score whose coefficient in `gamma` is 0 adds nothing and may be missing.
pub(super) fn overall(report: &ConnerReport, gamma: [f64; 4]) -> Outcome<Plain> {
    let ConnerReport { factuality, relevance, coherence, informativeness, .. } = report;
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
    Outcome::Scored { model: named.join(" + "), score: Plain { value } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conner::informativeness::Informativeness;
    use crate::conner::outcome::Missing;

    /// A report with nothing but what it lacks.
    fn report(factuality: &[Missing], relevance: &[Missing]) -> ConnerReport {
        ConnerReport {
            factuality: Outcome::Missing { missing: factuality.to_vec() },
            relevance: Outcome::Missing { missing: relevance.to_vec() },
            cohesion: Outcome::Missing { missing: vec![Missing::LanguageModel] },
            coherence: Outcome::Scored { model: "m".into(), score: Plain { value: 0.5 } },
            informativeness: Outcome::Missing { missing: vec![Missing::GeneratingModel] },
            helpfulness: Outcome::Missing { missing: vec![Missing::GeneratingModel] },
            validity: Outcome::Missing { missing: vec![Missing::NliModel] },
            quality: Outcome::Missing { missing: vec![] },
        }
    }

    #[test]
    fn the_overall_quality_names_each_thing_that_it_lacks_once() {
        let informativeness = Outcome::Scored { model: "lm".into(), score: Informativeness { value: 0.2, tokens: 1 } };
        let lacking = report(&[Missing::Knowledge, Missing::NliModel], &[Missing::Question, Missing::Knowledge]);
        let found = overall(&ConnerReport { informativeness, ..lacking }, [0.25; 4]);
        assert_eq!(found.missing(), [Missing::Question, Missing::Knowledge, Missing::NliModel]);
    }

    #[test]
    fn the_overall_quality_needs_no_score_that_its_coefficients_leave_out() {
        let report = report(&[Missing::NliModel], &[Missing::RelevanceModel]);
        let found = overall(&report, [0.0, 0.0, 2.0, 0.0]);
        assert_eq!((found.value(), found.model()), (Some(1.0), Some("m")));
        assert_eq!(overall(&report, [0.0, 1.0, 2.0, 0.0]).missing(), [Missing::RelevanceModel]);
    }
}
