//! The metrics that chen2023 compares its scores with (App. J.3, Tab. 10). All but two read the knowledge k against reference
//! knowledge k*, which CONNER's own scores do without; the other two read the answer a against a*.

use std::collections::{BTreeSet, HashMap};

use evident_nn::Classifier;
use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::conner::formulas::{Aggregate, mean};
use crate::conner::item::{Item, Texts, sentences_with_words};
use crate::conner::outcome::{Missing, Outcome, Plain, Value, missing_of};
use crate::conner::scorer::{Conner, Named};
use crate::conner::settings::Settings;
use crate::conner::steps::Steps;
use crate::error::{VerifyError, WrongModel};
use crate::events::Observer;
use crate::models::nli::NliModel;
use crate::models::relevance::normalised;
use crate::text::entities::entities;
use crate::text::sentences::sentences;

/// What stands where a score names its model.
const NO_MODEL: &str = "words alone";

/// The baselines of one item. In JSON each has the form of a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Baselines {
    /// HE: [`hallucinated_entities`] of k by k*; more is worse, so that its negative is set against ratings.
    pub hallucinated_entities: Outcome<Plain>,
    /// ER, "NLI" in Tab. 10: the probability that k* entails k, both whole.
    pub entailment: Outcome<Plain>,
    /// NLI-weak-supervised (FactCC): the probability that a sentence of k is correct by k*, aggregated over sentences.
    pub weakly_supervised: Outcome<Plain>,
    /// NLI-decompose-claim: the probability that k* entails a sentence of k, aggregated over sentences.
    pub decomposed: Outcome<Decomposed>,
    /// NLI-multitask: ER by a model that was trained on fact verification too.
    pub multitask: Outcome<Plain>,
    /// F1 of knowledge: [`unigram_f1`] of k and k*.
    pub knowledge_f1: Outcome<Plain>,
    /// EM: 1 where a is a* by [`exact_match`], else 0.
    pub exact_match: Outcome<Plain>,
    /// F1 of the answer: [`unigram_f1`] of a and a*.
    pub answer_f1: Outcome<Plain>,
}

/// What sentences come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decomposed {
    /// The aggregate that the settings choose, 0 to 1.
    pub value: f64,
    /// The probability of each sentence, in order.
    pub sentences: Vec<f64>,
}

impl Value for Decomposed {
    fn value(&self) -> f64 {
        self.value
    }
}

impl Conner {
    /// With a weakly supervised model for the baseline of that name: a classifier of documents and sentences with the labels
    /// CORRECT and INCORRECT, as FactCC has them.
    ///
    /// # Errors
    /// [`WrongModel`] for a classifier with other labels.
    pub fn with_weakly_supervised(mut self, name: &str, classifier: Classifier) -> Result<Self, WrongModel> {
        if correct(classifier.labels()).is_none() {
            let wanted = "a weakly supervised model: choose one with CORRECT and INCORRECT";
            return Err(WrongModel { model: name.into(), labels: classifier.labels().to_vec(), wanted });
        }
        self.weakly_supervised = Some(Named { name: name.into(), model: classifier });
        Ok(self)
    }

    /// Adds an NLI model for the multitask baseline, beside that of the scores.
    #[must_use]
    pub fn with_multitask(mut self, name: &str, model: NliModel) -> Self {
        self.multitask = Some(Named { name: name.into(), model });
        self
    }

    /// The baselines of an item whose right knowledge is `reference_knowledge`. `observer` is told of sentences of the
    /// factuality, whose baselines need time.
    ///
    /// # Errors
    /// As for [`Conner::score`].
    pub async fn baselines(
        &self,
        item: &Item,
        reference_knowledge: Option<&str>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<Baselines, VerifyError> {
        settings.validate()?;
        let Texts { knowledge, answer, reference, .. } = Texts::of(item);
        let right = reference_knowledge.map(str::trim).filter(|text| !text.is_empty());
        let both = [(knowledge.is_some(), Missing::Knowledge), (right.is_some(), Missing::ReferenceKnowledge)];
        let pair = knowledge.zip(right);

        let needs = |met: bool, model: Missing| lacking(&[both[0], both[1], (met, model)]);
        let entailment = match (&self.nli, pair) {
            (Some(nli), Some(pair)) => Ok(nli.entailment(pair, observer).await?),
            _ => Err(needs(self.nli.is_some(), Missing::NliModel)),
        };
        let multitask = match (&self.multitask, pair) {
            (Some(nli), Some(pair)) => Ok(nli.entailment(pair, observer).await?),
            _ => Err(needs(self.multitask.is_some(), Missing::MultitaskModel)),
        };
        let decomposed = match (&self.nli, pair) {
            (Some(Named { name, model }), Some((knowledge, right))) => {
                let mut found = Vec::new();
                let said = sentences_with_words(knowledge);
                for (number, (_, sentence)) in said.iter().enumerate() {
                    Steps::of("factuality", observer).begin_sentence(number, said.len()).await?;
                    found.extend(model.triples(&[(right, sentence.text.as_str())]).await?);
                }
                aggregated(name, found.iter().map(|nli| nli.entailment).collect(), settings.aggregate)
            }
            _ => Err(needs(self.nli.is_some(), Missing::NliModel)),
        };
        let weakly_supervised = match (&self.weakly_supervised, pair) {
            (Some(Named { name, model }), Some((knowledge, right))) => {
                let mut found = Vec::new();
                let said = sentences_with_words(knowledge);
                for (number, (_, sentence)) in said.iter().enumerate() {
                    Steps::of("factuality", observer).begin_sentence(number, said.len()).await?;
                    let logits = model.logits(&[(right, sentence.text.as_str())]).await?;
                    let share = logits.first().and_then(|logits| share_of_correct(model.labels(), logits));
                    found.push(share.ok_or(VerifyError::NotFinite { model: "weakly supervised" })?);
                }
                aggregated(name, found, settings.aggregate)
                    .map(|(name, Decomposed { value, .. })| (name, Plain { value }))
            }
            _ => Err(needs(self.weakly_supervised.is_some(), Missing::WeaklySupervisedModel)),
        };

        let plain = |value: f64| (NO_MODEL.to_owned(), Plain { value });
        let entities = match pair {
            Some((knowledge, right)) => {
                hallucinated_entities(knowledge, right).map(plain).ok_or(vec![Missing::NamedEntity])
            }
            None => Err(lacking(&both)),
        };
        let answers = answer
            .zip(reference)
            .ok_or_else(|| lacking(&[(answer.is_some(), Missing::Answer), (reference.is_some(), Missing::Reference)]));
        let of_answers = |measure: fn(&str, &str) -> f64| answers.clone().map(|(a, right)| plain(measure(a, right)));
        Ok(Baselines {
            hallucinated_entities: outcome(entities),
            entailment: outcome(entailment),
            weakly_supervised: outcome(weakly_supervised),
            decomposed: outcome(decomposed),
            multitask: outcome(multitask),
            knowledge_f1: outcome(pair.map(|(k, right)| plain(unigram_f1(k, right))).ok_or_else(|| lacking(&both))),
            exact_match: outcome(of_answers(|a, right| f64::from(u8::from(exact_match(a, right))))),
            answer_f1: outcome(of_answers(unigram_f1)),
        })
    }
}

impl Named<NliModel> {
    /// The probability that the second of a pair, whole, entails the first.
    async fn entailment(
        &self,
        (knowledge, right): (&str, &str),
        observer: &impl Observer,
    ) -> Result<(String, Plain), VerifyError> {
        Steps::of("factuality", observer).begin_sentence(0, 1).await?;
        let read = self.model.triples(&[(right, knowledge)]).await?;
        let value = read.first().ok_or(VerifyError::NotFinite { model: "NLI" })?.entailment;
        Ok((self.name.clone(), Plain { value }))
    }
}

fn lacking(needs: &[(bool, Missing)]) -> Vec<Missing> {
    missing_of::<Plain>(needs).missing().to_vec()
}

fn outcome<T>(found: Result<(String, T), Vec<Missing>>) -> Outcome<T> {
    match found {
        Ok((model, score)) => Outcome::Scored { model, score },
        Err(missing) => Outcome::Missing { missing },
    }
}

/// Sentences' probabilities as one.
fn aggregated(name: &str, sentences: Vec<f64>, over: Aggregate) -> Result<(String, Decomposed), Vec<Missing>> {
    let all = sentences.iter().copied();
    let value = match over {
        Aggregate::Min => all.reduce(f64::min),
        Aggregate::Mean => mean(all),
        Aggregate::Max => all.reduce(f64::max),
    };
    let value = value.ok_or(vec![Missing::Knowledge])?;
    Ok((name.to_owned(), Decomposed { value, sentences }))
}

/// Where a weakly supervised model has "correct"; `None` unless its two labels are the two.
fn correct(labels: &[String]) -> Option<usize> {
    let at = |name: &str| labels.iter().position(|label| label.eq_ignore_ascii_case(name));
    at("incorrect").filter(|_| labels.len() == 2).and_then(|_| at("correct"))
}

fn share_of_correct(labels: &[String], logits: &[f32]) -> Option<f64> {
    let at = correct(labels)?;
    normalised(&[*logits.get(1 - at)?, *logits.get(at)?])
}

/// HE (App. J.3; Lee et al. 2023): of the different [`entities`] of a text the share that does not stand in the reference, word
/// for word in any case, 0 to 1; a sentence's first word by itself is passed over, for its capital says nothing. `None` for a
/// text without any. Lee et al. take a tagger's entities.
#[must_use]
pub fn hallucinated_entities(text: &str, reference: &str) -> Option<f64> {
    let bare = |text: &str| format!(" {} ", text.unicode_words().collect::<Vec<_>>().join(" ").to_lowercase());
    let reference = bare(reference);
    let said = sentences(text).into_iter().map(|sentence| &text[sentence.span]);
    let named = said.flat_map(|said| {
        let found = entities(said).into_iter().map(|entity| (entity.span.start, &said[entity.span]));
        found.filter(|(start, name)| *start > 0 || name.contains(' ')).map(|(_, name)| bare(name))
    });
    let named: BTreeSet<String> = named.collect();
    mean(named.iter().map(|entity| f64::from(u8::from(!reference.contains(entity)))))
}

/// The F1 of two texts' words (App. J.3; Liu et al. 2022), 0 to 1: 2 P R / (P + R), where P and R are the shares of the words
/// of either that both have, as often as both have them. Words are read in lower case, without punctuation and articles.
#[must_use]
pub fn unigram_f1(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in &b {
        *left.entry(word).or_default() += 1;
    }
    let mut shared = 0;
    for word in &a {
        if let Some(count) = left.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    // With P = shared / |a| and R = shared / |b|.
    if shared == 0 { 0.0 } else { 2.0 * f64::from(shared) / (a.len() + b.len()) as f64 }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.filter(|word| !is_article(word)).collect()
}

/// EM (App. J.3; Rajpurkar et al. 2016): whether two answers are the same but for case, punctuation, articles and spaces, where
/// punctuation is deleted, "U.S." being "US".
#[must_use]
pub fn exact_match(answer: &str, reference: &str) -> bool {
    let normalised = |text: &str| {
        let text: String = text.chars().filter(|c| !c.is_ascii_punctuation()).collect();
        let text = text.to_lowercase();
        text.split_whitespace().filter(|word| !is_article(word)).map(str::to_owned).collect::<Vec<_>>()
    };
    normalised(answer) == normalised(reference)
}

fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_are_counted_as_often_as_both_have_them() {
        assert_eq!(unigram_f1("Iron is a metal.", "The iron is metal!"), 1.0);
        assert_eq!(unigram_f1("iron iron", "iron"), 2.0 / 3.0);
        assert_eq!((unigram_f1("iron", "tin"), unigram_f1("", "")), (0.0, 0.0));
    }

    #[test]
    fn an_exact_match_looks_past_case_punctuation_and_articles() {
        assert!(exact_match("the U.S.", "US") && exact_match(" Old  Trafford", "old trafford"));
        assert!(!exact_match("China", "PRC") && !exact_match("20 %", "20.5"));
    }

    #[test]
    fn an_entity_that_the_reference_does_not_name_is_hallucinated() {
        let reference = "In 1911 marie curie was in Stockholmsgatan.";
        assert_eq!(hallucinated_entities("Here lived Marie Curie, Marie Curie in Stockholm.", reference), Some(0.5));
        assert_eq!(hallucinated_entities("It was in 1911.", reference), Some(0.0));
        assert_eq!(hallucinated_entities("It rusts.", reference), None);
    }

    #[test]
    fn the_share_of_correct_is_found_by_its_name() {
        let labels = |names: [&str; 2]| names.map(String::from).to_vec();
        let (front, back) = (labels(["CORRECT", "INCORRECT"]), labels(["incorrect", "correct"]));
        let logits = [3_f32.ln(), 0.0];
        assert!((share_of_correct(&front, &logits).unwrap() - 0.75).abs() < 1e-6);
        assert!((share_of_correct(&back, &logits).unwrap() - 0.25).abs() < 1e-6);
        assert_eq!(correct(&labels(["LABEL_0", "LABEL_1"])), None);
    }
}
