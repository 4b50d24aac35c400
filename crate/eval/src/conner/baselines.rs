//! The metrics that chen2023 compares its scores with (App. J.3, Tab. 10). Most read the knowledge k against reference
//! knowledge k*, which CONNER's own scores do without; two read the answer a against a*.

use evident_nn::{Classifier, Device, Pack};
use evident_verify::conner::{Aggregate, Item, Missing, Outcome, Plain, Settings, Value, normalised};
use evident_verify::{
    Cancelled, Event, NliModel, Observer, RoleError, ScoreStep, SentenceNumber, VerifyError, WrongModel, sentences,
};
use serde::{Deserialize, Serialize};

use crate::measures::{exact_match, hallucinated_entities, unigram_f1};

/// The model that reports name for a baseline without a model.
const NO_MODEL: &str = "words alone";

/// The baselines of one item. In JSON each has the form of a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Baselines {
    /// HE: [`hallucinated_entities`] of k by k*; higher is worse, so its negative is compared with ratings.
    pub hallucinated_entities: Outcome<Plain>,
    /// ER, "NLI" in Tab. 10: the probability that the whole of k* entails the whole of k.
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

/// An aggregate over sentences.
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

/// What a model does for the baselines alone. A pack's model of the same name has that role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineRole {
    /// A classifier of documents and sentences, with the labels CORRECT and INCORRECT.
    WeaklySupervised,
    /// An NLI model that was trained on several tasks.
    Multitask,
}

impl BaselineRole {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::WeaklySupervised, Self::Multitask];

    /// The name of its model in a pack.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WeaklySupervised => "factcc",
            Self::Multitask => "multitask",
        }
    }
}

/// The models of the baselines, each with the name that reports give it. Each is optional; the NLI model is CONNER's
/// own.
#[derive(Default)]
pub(crate) struct BaselineModels {
    weakly_supervised: Option<(String, Classifier)>,
    multitask: Option<(String, NliModel)>,
}

impl BaselineModels {
    /// Adds the model that a pack calls `model`; reports call it `called`.
    ///
    /// # Errors
    /// [`RoleError::Pack`] if it cannot be loaded; [`RoleError::Wrong`] if it has other labels than the role needs.
    pub async fn add(
        &mut self,
        role: BaselineRole,
        pack: &mut Pack,
        model: &str,
        called: &str,
        device: &Device,
    ) -> Result<(), RoleError> {
        match role {
            BaselineRole::WeaklySupervised => {
                self.add_weakly_supervised(called, pack.classifier(model, device).await?)?;
            }
            BaselineRole::Multitask => {
                self.multitask = Some((called.into(), NliModel::load(pack, model, called, device).await?));
            }
        }
        Ok(())
    }

    /// Adds a classifier of documents and sentences with the labels CORRECT and INCORRECT, as FactCC has them.
    fn add_weakly_supervised(&mut self, name: &str, classifier: Classifier) -> Result<(), WrongModel> {
        if correct(classifier.labels()).is_none() {
            let wanted = "a weakly supervised model: choose one with CORRECT and INCORRECT";
            return Err(WrongModel { model: name.into(), labels: classifier.labels().to_vec(), wanted });
        }
        self.weakly_supervised = Some((name.into(), classifier));
        Ok(())
    }

    /// The baselines of an item whose reference knowledge is `reference_knowledge`. `nli` is CONNER's NLI model and its
    /// name. The observer is told of each sentence as a step of factuality.
    ///
    /// # Errors
    /// As for [`Conner::score`](evident_verify::conner::Conner::score).
    pub async fn score(
        &self,
        nli: Option<(&str, &NliModel)>,
        item: &Item,
        reference_knowledge: Option<&str>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<Baselines, VerifyError> {
        settings.validate()?;
        let knowledge = not_blank(item.knowledge.as_deref());
        let (answer, reference) = (not_blank(item.answer.as_deref()), not_blank(item.reference.as_deref()));
        let right = not_blank(reference_knowledge);
        let both = [(knowledge.is_some(), Missing::Knowledge), (right.is_some(), Missing::ReferenceKnowledge)];
        let pair = knowledge.zip(right);

        let needs = |met: bool, model: Missing| missing(&[both[0], both[1], (met, model)]);
        let multitask = self.multitask.as_ref().map(|(name, model)| (name.as_str(), model));
        let entailment = match (nli, pair) {
            (Some(nli), Some(pair)) => entailment(nli, pair, observer).await?,
            _ => needs(nli.is_some(), Missing::NliModel),
        };
        let multitask = match (multitask, pair) {
            (Some(nli), Some(pair)) => self::entailment(nli, pair, observer).await?,
            _ => needs(multitask.is_some(), Missing::MultitaskModel),
        };
        let decomposed = match (nli, pair) {
            (Some((name, model)), Some((knowledge, right))) => {
                let mut found = Vec::new();
                let said = sentences_with_words(knowledge);
                for (number, sentence) in said.iter().enumerate() {
                    begin_sentence(number, said.len(), observer).await?;
                    found.extend(model.triples(&[(right, sentence)]).await?);
                }
                aggregated(name, found.iter().map(|nli| nli.entailment).collect(), settings.aggregate)
            }
            _ => missing(&[both[0], both[1], (nli.is_some(), Missing::NliModel)]),
        };
        let weakly_supervised = match (&self.weakly_supervised, pair) {
            (Some((name, model)), Some((knowledge, right))) => {
                let mut found = Vec::new();
                let said = sentences_with_words(knowledge);
                for (number, sentence) in said.iter().enumerate() {
                    begin_sentence(number, said.len(), observer).await?;
                    let logits = model.logits(&[(right, sentence)]).await?;
                    let share = logits.first().and_then(|logits| share_of_correct(model.labels(), logits));
                    found.push(share.ok_or(VerifyError::NotFinite { model: "weakly supervised" })?);
                }
                match aggregated(name, found, settings.aggregate) {
                    Outcome::Scored { model, score, .. } => plain(&model, score.value),
                    Outcome::Missing { missing } => Outcome::Missing { missing },
                }
            }
            (model, _) => needs(model.is_some(), Missing::WeaklySupervisedModel),
        };

        let of_texts = |measure: fn(&str, &str) -> Option<f64>| match pair {
            Some((knowledge, right)) => {
                measure(knowledge, right).map_or_else(|| Missing::NamedEntity.into(), |value| plain(NO_MODEL, value))
            }
            None => missing(&both),
        };
        let of_answers = |measure: fn(&str, &str) -> f64| match answer.zip(reference) {
            Some((answer, right)) => plain(NO_MODEL, measure(answer, right)),
            None => missing(&[(answer.is_some(), Missing::Answer), (reference.is_some(), Missing::Reference)]),
        };
        Ok(Baselines {
            hallucinated_entities: of_texts(hallucinated_entities),
            entailment,
            weakly_supervised,
            decomposed,
            multitask,
            knowledge_f1: of_texts(|knowledge, right| Some(unigram_f1(knowledge, right))),
            exact_match: of_answers(|answer, right| f64::from(u8::from(exact_match(answer, right)))),
            answer_f1: of_answers(unigram_f1),
        })
    }
}

/// The probability that the whole of the reference knowledge entails the whole of the knowledge.
async fn entailment(
    (name, model): (&str, &NliModel),
    (knowledge, right): (&str, &str),
    observer: &impl Observer,
) -> Result<Outcome<Plain>, VerifyError> {
    begin_sentence(0, 1, observer).await?;
    let read = model.triples(&[(right, knowledge)]).await?;
    Ok(plain(name, read.first().ok_or(VerifyError::NotFinite { model: "NLI" })?.entailment))
}

/// Tells the observer of sentence `sentence` of `of`.
async fn begin_sentence(sentence: usize, of: usize, observer: &impl Observer) -> Result<(), Cancelled> {
    let step = ScoreStep { score: "factuality", sentence: Some(SentenceNumber { sentence, of }) };
    observer.observe(Event::Score(step)).await
}

/// The text, trimmed, unless it is blank.
fn not_blank(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// The sentences that have a letter or digit.
fn sentences_with_words(text: &str) -> Vec<String> {
    let texts = sentences(text).into_iter().map(|sentence| sentence.text);
    texts.filter(|sentence| sentence.contains(char::is_alphanumeric)).collect()
}

fn plain(model: &str, value: f64) -> Outcome<Plain> {
    Outcome::scored(model, Plain { value })
}

/// The outcome without a score: which of the needs are not met.
fn missing<T>(needs: &[(bool, Missing)]) -> Outcome<T> {
    Outcome::Missing { missing: needs.iter().filter(|(met, _)| !met).map(|&(_, missing)| missing).collect() }
}

/// The aggregate of the probabilities of sentences.
fn aggregated(name: &str, sentences: Vec<f64>, over: Aggregate) -> Outcome<Decomposed> {
    let all = sentences.iter().copied();
    let value = match over {
        Aggregate::Min => all.reduce(f64::min),
        Aggregate::Mean => (!sentences.is_empty()).then(|| all.sum::<f64>() / sentences.len() as f64),
        Aggregate::Max => all.reduce(f64::max),
    };
    match value {
        Some(value) => Outcome::scored(name, Decomposed { value, sentences }),
        None => Missing::Knowledge.into(),
    }
}

/// The index of the label "correct"; `None` unless the labels are "correct" and "incorrect".
fn correct(labels: &[String]) -> Option<usize> {
    let at = |name: &str| labels.iter().position(|label| label.eq_ignore_ascii_case(name));
    at("incorrect").filter(|_| labels.len() == 2).and_then(|_| at("correct"))
}

fn share_of_correct(labels: &[String], logits: &[f32]) -> Option<f64> {
    let at = correct(labels)?;
    normalised(&[*logits.get(1 - at)?, *logits.get(at)?])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use evident_nn::{Backend, ONLY_MODEL, open_device};
    use futures_lite::future::block_on;

    use super::*;

    fn classifier(name: &str) -> Classifier {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden");
        let (device, _) = block_on(open_device(Backend::Cpu)).unwrap();
        block_on(Pack::open(&golden.join(name)).unwrap().classifier(ONLY_MODEL, &device)).unwrap()
    }

    fn item() -> Item {
        let text = |text: &str| Some(text.to_owned());
        Item {
            knowledge: text("Iron is a **metal**. It rusts in wet air. Steel is made of it."),
            answer: text("making steel"),
            reference: text("steel"),
            ..Item::default()
        }
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

    #[test]
    fn baselines_read_the_knowledge_against_what_is_known_to_be_right() {
        let nli = NliModel::new("nli", classifier("bert"), 1.0).unwrap();
        let models = BaselineModels { multitask: Some(("multitask".into(), nli.clone())), ..BaselineModels::default() };
        let baselines = |item: &Item, right: Option<&str>, settings: &Settings| {
            block_on(models.score(Some(("nli", &nli)), item, right, settings, &())).unwrap()
        };
        let right = "Iron is a metal. Steel is made of it.";
        let found = baselines(&item(), Some(right), &Settings::default());
        let decomposed = found.decomposed.score().unwrap();
        let least = decomposed.sentences.iter().copied().fold(1.0, f64::min);
        assert_eq!((decomposed.sentences.len(), decomposed.value), (3, least));
        assert_eq!((found.entailment.model(), found.multitask.model()), (Some("nli"), Some("multitask")));
        assert_eq!(found.entailment.value(), found.multitask.value(), "here the two models are one");
        // Without articles the reference has 8 words, all of them among the 13 of the knowledge.
        assert_eq!(found.knowledge_f1.value(), Some(16.0 / 21.0));
        assert_eq!((found.exact_match.value(), found.answer_f1.value()), (Some(0.0), Some(2.0 / 3.0)));
        assert_eq!(found.hallucinated_entities.missing(), [Missing::NamedEntity], "first words are no names");
        assert_eq!(found.weakly_supervised.missing(), [Missing::WeaklySupervisedModel]);
        let mean = baselines(&item(), Some(right), &Settings { aggregate: Aggregate::Mean, ..Settings::default() });
        let sum: f64 = decomposed.sentences.iter().sum();
        assert!((mean.decomposed.value().unwrap() - sum / 3.0).abs() < 1e-12);

        let lacking = baselines(&Item { reference: None, ..item() }, Some(" "), &Settings::default());
        assert_eq!(lacking.knowledge_f1.missing(), [Missing::ReferenceKnowledge]);
        assert_eq!(lacking.entailment.missing(), [Missing::ReferenceKnowledge]);
        assert_eq!(lacking.exact_match.missing(), [Missing::Reference]);
        let none = BaselineModels::default();
        let none = block_on(none.score(None, &Item::default(), None, &Settings::default(), &())).unwrap();
        assert_eq!(
            none.multitask.missing(),
            [Missing::Knowledge, Missing::ReferenceKnowledge, Missing::MultitaskModel]
        );

        let refused = BaselineModels::default().add_weakly_supervised("x", classifier("roberta")).unwrap_err();
        assert!(refused.to_string().contains("CORRECT and INCORRECT"));
    }
}
