//! CONNER: six scores of a piece of knowledge and of the answer given with it (chen2023, "Beyond Factuality: A Comprehensive
//! Evaluation of Large Language Models as Knowledge Generators").
//!
//! [`Conner`] holds whatever models there are. A score whose inputs or kind of model are not there says which, and nothing
//! else stands in for it. CONNER.md, beside this crate's sources, says which score needs what. The equations themselves are
//! functions of numbers, the use cases of Sec. 5 are [`quality`], [`best`] and [`top`], and what the paper compares its scores
//! with (App. J.3) are [`Baselines`].
//!
//! ```no_run
//! use evident_index::{FileStorage, Index};
//! use evident_nn::{Backend, ONLY_MODEL, Pack, open_device};
//! use evident_verify::conner::{Conner, Item, Settings, Sources};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let (device, _) = open_device(Backend::Cpu).await?;
//! let nli = Pack::open("models/embedded".as_ref())?.classifier("nli", &device)?;
//! let lm = Pack::open("gpt2".as_ref())?.causal_lm(ONLY_MODEL, &device)?;
//! let conner = Conner::new().with_nli("embedded", nli, 1.0)?.with_language_model("gpt2", lm);
//!
//! let index = Index::open(FileStorage::new("index")).await?;
//! let item = Item {
//!     question: Some("What is iron?".into()),
//!     knowledge: Some("Iron is a metal. It rusts in wet air.".into()),
//!     ..Item::default()
//! };
//! let report = conner.score(&item, &Sources::of_index(&index), &Settings::default(), &mut ()).await?;
//! println!("factuality {:?}", report.factuality.value());
//! println!("relevance needs {:?}", report.relevance.missing());
//! # Ok(())
//! # }
//! ```

mod baseline;
mod coherence;
mod cohesion;
mod evidence;
mod factuality;
pub(crate) mod formulas;
mod helpfulness;
mod informativeness;
mod prompts;
mod random_passages;
mod relevance;
mod report;
mod settings;
mod shuffle;
mod validity;

use evident_index::{Index, Passage, Storage};
use evident_nn::{CausalLm, Classifier, Embedder, Seq2Seq};
use serde::{Deserialize, Serialize};

pub use crate::models::role::{Role, RoleError};
pub use baseline::{Baselines, Decomposed, exact_match, hallucinated_entities, unigram_f1};
pub use formulas::{
    Aggregate, best, cohesion, cosine_relevance, factuality, informativeness, normalised, perplexity, quality,
    sentence_factuality, top, unclipped_helpfulness,
};
pub use random_passages::random_passages;
pub use report::{
    CheckedSentence, Cohesion, ConnerReport, Factuality, Helpfulness, Informativeness, Missing, Outcome, Plain,
    ReadSentence, Validity, Value,
};
pub use settings::{Form, Settings};
pub use shuffle::shuffled;

use crate::error::VerifyError;
use crate::events::Cancelled;
use crate::models::nli::NliModel;
use crate::report::Span;
use crate::text::sentences::{Sentence, sentences};

/// What is scored: the four texts and the topic, of which any may be missing; blank is missing too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Item {
    /// What the question is about, such as a page's title; only prompts that name it need it.
    pub topic: Option<String>,
    /// What the user asked, q.
    pub question: Option<String>,
    /// A passage that was generated or found to help answer, k. Of a chatbot's explanatory answer it is the answer itself.
    pub knowledge: Option<String>,
    /// The final answer, a.
    pub answer: Option<String>,
    /// A known right answer, a*.
    pub reference: Option<String>,
}

/// Where passages come from.
#[derive(Debug)]
pub struct Sources<'a, S> {
    /// Evidence for Eq. 1 and 8 in place of what the index finds; empty to search the index.
    pub passages: &'a [Passage],
    /// Random passages for Eq. 6 in place of some of the index; empty to draw them from it.
    pub random: &'a [Passage],
    /// The index, if there is one.
    pub index: Option<&'a Index<S>>,
}

impl<S> Default for Sources<'_, S> {
    /// No passages at all.
    fn default() -> Self {
        Self { passages: &[], random: &[], index: None }
    }
}

impl<'a, S> Sources<'a, S> {
    /// Everything from an index.
    #[must_use]
    pub fn of_index(index: &'a Index<S>) -> Self {
        Self { index: Some(index), ..Self::default() }
    }

    fn has_evidence(&self) -> bool {
        self.index.is_some() || !self.passages.is_empty()
    }
}

/// What is about to be computed; the same again where there is more of it to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "camelCase")]
pub enum Step {
    /// The factuality of one sentence.
    Factuality {
        /// Its number, from 0.
        sentence: usize,
        /// How many there are.
        of: usize,
    },
    /// Relevance.
    Relevance,
    /// Sentence-level cohesion.
    Cohesion,
    /// Paragraph-level coherence.
    Coherence,
    /// Informativeness.
    Informativeness,
    /// Helpfulness.
    Helpfulness,
    /// Validity.
    Validity,
}

/// Follows a scoring, and stops it. `()` lets it run.
pub trait Watch {
    /// Told of each step before it is computed. While it is awaited nothing is computed, so that a page can draw; an error
    /// stops the work.
    fn step(&mut self, step: Step) -> impl Future<Output = Result<(), Cancelled>>;
}

impl Watch for () {
    async fn step(&mut self, _: Step) -> Result<(), Cancelled> {
        Ok(())
    }
}

/// A model that is not of the kind that a score needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model {model} has the labels {labels:?}, which is not {wanted}: choose another model")]
pub struct WrongModel {
    /// The model's name.
    pub model: String,
    /// The labels that it has.
    pub labels: Vec<String>,
    /// What is needed.
    pub wanted: &'static str,
}

/// A model and what reports call it.
struct Named<M> {
    name: String,
    model: M,
}

enum Matching {
    CrossEncoder(Box<Classifier>),
    BiEncoder(Box<Embedder>),
}

/// CONNER's scores by whatever models there are, each of them optional.
#[derive(Default)]
pub struct Conner {
    nli: Option<Named<NliModel>>,
    matching: Option<Named<Matching>>,
    language_model: Option<Named<CausalLm>>,
    seq2seq: Option<Named<Seq2Seq>>,
    discourse: Option<Named<Classifier>>,
    weakly_supervised: Option<Named<Classifier>>,
    multitask: Option<Named<NliModel>>,
}

/// A score, or all that it lacks.
type Found<T> = Result<Result<(String, T), Vec<Missing>>, VerifyError>;

/// The texts of an item that are there.
#[derive(Clone, Copy)]
struct Texts<'a> {
    topic: Option<&'a str>,
    question: Option<&'a str>,
    knowledge: Option<&'a str>,
    answer: Option<&'a str>,
    reference: Option<&'a str>,
}

impl<'a> Texts<'a> {
    fn of(item: &'a Item) -> Self {
        let there = |text: &'a Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        Self {
            topic: there(&item.topic),
            question: there(&item.question),
            knowledge: there(&item.knowledge),
            answer: there(&item.answer),
            reference: there(&item.reference),
        }
    }

    /// The values that a template may name, the knowledge being `knowledge`.
    fn values<'b>(&self, knowledge: &'b str) -> [(&'static str, &'b str); 3]
    where
        'a: 'b,
    {
        [
            ("{topic}", self.topic.unwrap_or_default()),
            ("{question}", self.question.unwrap_or_default()),
            ("{knowledge}", knowledge),
        ]
    }
}

/// Of some needs those that are not met.
fn lacking(needs: &[(bool, Missing)]) -> Vec<Missing> {
    needs.iter().filter(|(met, _)| !met).map(|&(_, missing)| missing).collect()
}

/// # Errors
/// [`WrongModel`] for a classifier without the labels entailment, neutral and contradiction.
fn nli_model(name: &str, classifier: Classifier, temperature: f64) -> Result<Named<NliModel>, WrongModel> {
    let other = |_| wrong(name, &classifier, "an NLI model: entailment, neutral and contradiction");
    Ok(Named { name: name.into(), model: NliModel::new(classifier.clone(), temperature).map_err(other)? })
}

fn outcome<T>(found: Result<(String, T), Vec<Missing>>) -> Outcome<T> {
    match found {
        Ok((model, score)) => Outcome::Scored { model, score },
        Err(missing) => Outcome::Missing { missing },
    }
}

/// The sentences that say something, with where they stand in `text`.
fn spoken(text: &str) -> Vec<(Span, Sentence)> {
    let spoken = sentences(text).into_iter().filter(|sentence| sentence.text.contains(char::is_alphanumeric));
    spoken.map(|sentence| (Span::utf16(text, sentence.span.clone()), sentence)).collect()
}

/// The number of the least, the first among equals; 0 of none.
fn lowest(values: impl Iterator<Item = f64>) -> usize {
    values.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at)
}

impl Conner {
    /// Without any model: every score says what it needs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With an NLI model for factuality and validity (Eq. 1, 7, 8). Its logits are divided by `temperature`, 1 unless a
    /// pack's calibration says otherwise.
    ///
    /// # Errors
    /// [`WrongModel`] for a classifier without the labels entailment, neutral and contradiction.
    pub fn with_nli(mut self, name: &str, classifier: Classifier, temperature: f64) -> Result<Self, WrongModel> {
        self.nli = Some(nli_model(name, classifier, temperature)?);
        Ok(self)
    }

    /// With a cross-encoder for relevance (Eq. 2), which reads the question and the knowledge together: one logit, or two
    /// classes of which the second is "relevant", as monoBERT has them.
    ///
    /// # Errors
    /// [`WrongModel`] for a classifier with more labels.
    pub fn with_cross_encoder(mut self, name: &str, classifier: Classifier) -> Result<Self, WrongModel> {
        if !(1..=2).contains(&classifier.labels().len()) {
            return Err(wrong(name, &classifier, "a cross-encoder: one label, or two of which the second is relevant"));
        }
        self.matching = Some(Named { name: name.into(), model: Matching::CrossEncoder(Box::new(classifier)) });
        Ok(self)
    }

    /// With a bi-encoder for relevance (Eq. 2), in place of a cross-encoder.
    #[must_use]
    pub fn with_bi_encoder(mut self, name: &str, embedder: Embedder) -> Self {
        self.matching = Some(Named { name: name.into(), model: Matching::BiEncoder(Box::new(embedder)) });
        self
    }

    /// With a causal language model for cohesion and informativeness (Eq. 3, 5), and for helpfulness (Eq. 6) where there is
    /// no seq2seq model.
    #[must_use]
    pub fn with_language_model(mut self, name: &str, model: CausalLm) -> Self {
        self.language_model = Some(Named { name: name.into(), model });
        self
    }

    /// With a seq2seq model for helpfulness (Eq. 6), and for informativeness (Eq. 5) where there is no causal one.
    #[must_use]
    pub fn with_seq2seq(mut self, name: &str, model: Seq2Seq) -> Self {
        self.seq2seq = Some(Named { name: name.into(), model });
        self
    }

    /// With a discourse model for paragraph-level coherence (Eq. 4): a classifier of one logit, or of two classes of which
    /// the second is "coherent". It reads the sentences, joined by spaces, as the first text of a pair whose second is empty.
    ///
    /// # Errors
    /// [`WrongModel`] for a classifier with more labels.
    pub fn with_discourse(mut self, name: &str, classifier: Classifier) -> Result<Self, WrongModel> {
        if !(1..=2).contains(&classifier.labels().len()) {
            return Err(wrong(
                name,
                &classifier,
                "a discourse model: one label, or two of which the second is coherent",
            ));
        }
        self.discourse = Some(Named { name: name.into(), model: classifier });
        Ok(self)
    }

    /// All scores of an item. The same item, sources, settings and models give the same report.
    ///
    /// # Errors
    /// [`VerifyError::Settings`] before anything is computed; [`VerifyError::Cancelled`] when `watch` says so; and whatever
    /// keeps the index or the models from working.
    pub async fn score<S: Storage>(
        &self,
        item: &Item,
        sources: &Sources<'_, S>,
        settings: &Settings,
        watch: &mut impl Watch,
    ) -> Result<ConnerReport, VerifyError> {
        settings.validate()?;
        let texts = Texts::of(item);
        // The spans point into the knowledge as it was given.
        let found = item.knowledge.as_deref().map(spoken).unwrap_or_default();
        let factuality = outcome(self.factuality(&found, sources, settings, watch).await?);
        let relevance = outcome(self.relevance(texts, settings, watch).await?);
        let cohesion = outcome(self.cohesion(&found, settings, watch).await?);
        let coherence = outcome(self.coherence(&found, watch).await?);
        let informativeness = outcome(self.informativeness(texts, settings, watch).await?);
        let helpfulness = outcome(self.helpfulness(texts, sources, settings, watch).await?);
        let validity = outcome(self.validity(texts, sources, settings, watch).await?);
        let quality = overall(&factuality, &relevance, &coherence, &informativeness, settings.gamma);
        Ok(ConnerReport { factuality, relevance, cohesion, coherence, informativeness, helpfulness, validity, quality })
    }
}

fn wrong(name: &str, classifier: &Classifier, wanted: &'static str) -> WrongModel {
    WrongModel { model: name.into(), labels: classifier.labels().to_vec(), wanted }
}

/// Eq. 9 of four scores, by the models that gave them. A score whose coefficient is 0 adds nothing and need not be there.
fn overall(
    factuality: &Outcome<Factuality>,
    relevance: &Outcome<Plain>,
    coherence: &Outcome<Plain>,
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
    Outcome::Scored { model: named.join(" + "), score: Plain { value } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overall_quality_names_each_thing_that_it_lacks_once() {
        let scored = |value| Outcome::Scored { model: "m".into(), score: Plain { value } };
        let informative = |value| Informativeness { value, tokens: 1 };
        let lacks = |missing: &[Missing]| Outcome::Missing { missing: missing.to_vec() };
        let factuality: Outcome<Factuality> = Outcome::Missing { missing: vec![Missing::Knowledge, Missing::NliModel] };
        let found = overall(
            &factuality,
            &lacks(&[Missing::Question, Missing::Knowledge]),
            &scored(0.5),
            &Outcome::Scored { model: "lm".into(), score: informative(0.2) },
            [0.25; 4],
        );
        assert_eq!(found.missing(), [Missing::Question, Missing::Knowledge, Missing::NliModel]);
    }

    #[test]
    fn the_overall_quality_needs_no_score_that_its_coefficients_leave_out() {
        let lacking = || Outcome::Missing { missing: vec![Missing::RelevanceModel] };
        let coherence = Outcome::Scored { model: "m".into(), score: Plain { value: 0.5 } };
        let informativeness = Outcome::Missing { missing: vec![Missing::GeneratingModel] };
        let factuality: Outcome<Factuality> = Outcome::Missing { missing: vec![Missing::NliModel] };
        let found = |gamma| overall(&factuality, &lacking(), &coherence, &informativeness, gamma);
        assert_eq!((found([0.0, 0.0, 2.0, 0.0]).value(), found([0.0, 0.0, 2.0, 0.0]).model()), (Some(1.0), Some("m")));
        assert_eq!(found([0.0, 1.0, 2.0, 0.0]).missing(), [Missing::RelevanceModel]);
    }
}
