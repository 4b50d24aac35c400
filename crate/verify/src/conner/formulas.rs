//! chen2023's equations 1 to 9 as functions of the models' numbers. Eq. 2 and 4 by a classifier are
//! [`normalised`](crate::models::relevance::normalised).

use serde::{Deserialize, Serialize};

use crate::report::Nli;

/// How the factuality scores of sentences are aggregated (Sec. 3.3): the paper's three operations, "to match the
/// desired error tolerance level".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Aggregate {
    /// That of the worst sentence, as Eq. 1 is printed.
    #[default]
    Min,
    /// The mean of each of the three probabilities.
    Mean,
    /// That of the best sentence, the released code's default.
    Max,
}

/// Eq. 1 (p. 3) for one sentence: f(s, E) = max over e of NLI(s, e). It is the triple of the evidence with the most
/// entailment, which still sums to 1; [`Nli::SILENT`] without evidence. Its entailment is Eq. 8 (p. 4), for an
/// open-ended answer.
#[must_use]
pub fn sentence_factuality(triples: &[Nli]) -> Nli {
    Nli::most_entailed(triples.iter().copied())
}

/// Eq. 1 (p. 3): the factuality of a piece of knowledge from that of its sentences, "aggregated along the entailment
/// dimension"; the triple sums to 1. `None` without sentences.
///
/// The released code takes the maximum over sentences; the paper prints the minimum.
#[must_use]
pub fn factuality(sentences: &[Nli], over: Aggregate) -> Option<Nli> {
    let by_entailment = |a: &&Nli, b: &&Nli| a.entailment.total_cmp(&b.entailment);
    match over {
        Aggregate::Min => sentences.iter().min_by(by_entailment).copied(),
        Aggregate::Max => sentences.iter().rev().max_by(by_entailment).copied(),
        Aggregate::Mean => Some(Nli {
            entailment: mean(sentences.iter().map(|nli| nli.entailment))?,
            neutral: mean(sentences.iter().map(|nli| nli.neutral))?,
            contradiction: mean(sentences.iter().map(|nli| nli.contradiction))?,
        }),
    }
}

/// Eq. 2 (p. 3) by a bi-encoder: (1 + cos) / 2 of two vectors of Euclidean norm 1, in [0, 1].
#[must_use]
pub fn cosine_relevance(question: &[f32], knowledge: &[f32]) -> f64 {
    let cosine: f64 = question.iter().zip(knowledge).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
    (f64::midpoint(1.0, cosine)).clamp(0.0, 1.0) // rounding can leave a cosine just outside [-1, 1]
}

/// The perplexity of a text, 1 or more: exp of minus the mean of its tokens' log-probabilities (natural logarithms).
/// `None` without tokens.
#[must_use]
pub fn perplexity(log_probabilities: &[f32]) -> Option<f64> {
    mean(log_probabilities.iter().map(|&l| f64::from(l))).map(|l| (-l).exp().max(1.0))
}

/// Eq. 3 (p. 3): sentence-level cohesion, the mean of 1 / PPL over the sentences, in [0, 1]. `None` without sentences.
///
/// The released code averages the perplexities before it inverts them; the paper inverts first.
#[must_use]
pub fn cohesion(perplexities: &[f64]) -> Option<f64> {
    mean(perplexities.iter().map(|perplexity| 1.0 / perplexity.max(1.0)))
}

/// Eq. 5 (p. 4): informativeness, 1 - exp((1/M) sum of ln P(k_t | k_1..t-1, q)), in [0, 1]. `None` without tokens.
///
/// The released code's double shift skips k's first token; here every token of k counts.
#[must_use]
pub fn informativeness(log_probabilities: &[f32]) -> Option<f64> {
    mean(log_probabilities.iter().map(|&l| f64::from(l))).map(|l| (1.0 - l.exp()).clamp(0.0, 1.0))
}

/// Eq. 6 (p. 4) without its max(0, .), as in Tab. 16: 1 - L(q, k, a) / mean of L(q, k-, a), from minus infinity to 1.
/// It is above 0 if the knowledge helps more than random passages. `None` without random passages, and if the mean of
/// their losses is 0: then the answer needs no help. `max(0.0)` makes it Eq. 6 as printed.
#[must_use]
pub fn unclipped_helpfulness(loss: f64, random: &[f64]) -> Option<f64> {
    let baseline = mean(random.iter().copied()).filter(|&baseline| baseline > 0.0)?;
    Some(1.0 - loss / baseline).filter(|value| value.is_finite())
}

/// Eq. 9 (p. 7): Q_know, the sum of factuality, relevance, paragraph coherence and informativeness, each multiplied by
/// its coefficient in gamma.
#[must_use]
pub fn quality(gamma: [f64; 4], intrinsic: [f64; 4]) -> f64 {
    gamma.iter().zip(intrinsic).map(|(gamma, score)| gamma * score).sum()
}

/// The piece of knowledge to answer with, by its number: the one with the highest Q_know, the first among equals (Sec.
/// 5, "Knowledge Selection", of r = 5 there). `None` if there are none.
#[must_use]
pub fn best(qualities: &[f64]) -> Option<usize> {
    top(qualities, 1).first().copied()
}

/// The n demonstrations to put into a prompt, by their numbers: those with the highest Q_know, best first and the
/// earlier among equals (Sec. 5, "Prompt Engineering", n = 8 of m = 30 there); all if there are fewer.
#[must_use]
pub fn top(qualities: &[f64], n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..qualities.len()).collect();
    // NaN is no quality and comes last.
    let key = |at: usize| if qualities[at].is_nan() { f64::NEG_INFINITY } else { qualities[at] };
    order.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    order.truncate(n);
    order
}

/// The number of the least value, the first among equals; 0 without values.
pub(super) fn lowest(values: impl Iterator<Item = f64>) -> usize {
    values.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at)
}

/// The mean; `None` without values.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_usize, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nli(entailment: f64, neutral: f64, contradiction: f64) -> Nli {
        Nli { entailment, neutral, contradiction }
    }

    #[track_caller]
    fn near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-6), "{found:?} is not {expected}");
    }

    #[test]
    fn eq_1_takes_the_best_evidence_and_then_the_worst_mean_or_best_sentence() {
        let first = sentence_factuality(&[nli(0.2, 0.7, 0.1), nli(0.9, 0.1, 0.0), nli(0.5, 0.5, 0.0)]);
        let second = sentence_factuality(&[nli(0.1, 0.2, 0.7), nli(0.3, 0.3, 0.4)]);
        assert_eq!((first, second), (nli(0.9, 0.1, 0.0), nli(0.3, 0.3, 0.4)));
        let sentences = [first, second];
        assert_eq!(factuality(&sentences, Aggregate::Min), Some(second));
        assert_eq!(factuality(&sentences, Aggregate::Max), Some(first));
        let mean = factuality(&sentences, Aggregate::Mean).unwrap();
        near(Some(mean.entailment), 0.6);
        near(Some(mean.neutral), 0.2);
        near(Some(mean.contradiction), 0.2);
        assert_eq!(factuality(&[], Aggregate::Mean), None);
        assert_eq!(sentence_factuality(&[]), Nli::SILENT);
    }

    #[test]
    fn a_cosine_is_mapped_to_the_unit_interval() {
        assert_eq!(cosine_relevance(&[1.0, 0.0], &[1.0, 0.0]), 1.0);
        assert_eq!(cosine_relevance(&[1.0, 0.0], &[0.0, 1.0]), 0.5);
        assert_eq!(cosine_relevance(&[1.0, 0.0], &[-1.0, 0.0]), 0.0);
    }

    /// Probabilities 1/2 and 1/8 have a geometric mean of 1/4.
    #[test]
    fn eq_3_averages_the_inverses_of_the_perplexities() {
        let sentence = [0.5_f32.ln(), 0.125_f32.ln()];
        near(perplexity(&sentence), 4.0);
        near(cohesion(&[4.0, 2.0]), 0.375); // inverting the mean of the two would give 1/3
        assert_eq!((perplexity(&[]), cohesion(&[])), (None, None));
    }

    #[test]
    fn eq_5_is_one_less_the_geometric_mean_of_the_probabilities() {
        near(informativeness(&[0.5_f32.ln(), 0.125_f32.ln()]), 0.75);
        near(informativeness(&[0.0]), 0.0);
        near(informativeness(&[-1e30]), 1.0);
        assert_eq!(informativeness(&[]), None);
    }

    #[test]
    fn eq_6_sets_a_loss_against_the_mean_of_the_random_ones() {
        near(unclipped_helpfulness(1.0, &[1.0, 3.0]), 0.5);
        near(unclipped_helpfulness(0.0, &[2.0]), 1.0);
        near(unclipped_helpfulness(2.0, &[2.0]), 0.0);
        near(unclipped_helpfulness(3.0, &[2.0]), -0.5);
        assert_eq!(unclipped_helpfulness(1.0, &[]), None);
        assert_eq!(unclipped_helpfulness(0.0, &[0.0]), None);
    }

    #[test]
    fn eq_9_is_linear_in_four_scores() {
        near(Some(quality([0.25; 4], [0.8, 0.4, 1.0, 0.6])), 0.7);
        near(Some(quality([1.0, 0.0, 0.0, 0.5], [0.8, 0.4, 1.0, 0.6])), 1.1);
    }

    #[test]
    fn the_best_and_the_n_best_are_chosen_and_the_earlier_among_equals() {
        let qualities = [0.3, 0.9, f64::NAN, 0.9, 0.5];
        assert_eq!(best(&qualities), Some(1));
        assert_eq!(top(&qualities, 3), [1, 3, 4]);
        assert_eq!(top(&qualities, 9), [1, 3, 4, 0, 2]);
        assert_eq!(best(&[]), None);
    }
}
