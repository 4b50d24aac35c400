//! Helpfulness: whether the knowledge makes the right answer more probable than random passages do (Eq. 6).

use evident_index::Storage;
use evident_nn::{CausalLm, NnError, Seq2Seq};
use serde::{Deserialize, Serialize};

use crate::conner::formulas::{mean, unclipped_helpfulness};
use crate::conner::item::{Given, Texts};
use crate::conner::outcome::{Cut, Missing, Outcome, Value, missing_of};
use crate::conner::prompts::{after, fill, fit, without_end};
use crate::conner::random_passages::random_passages;
use crate::conner::scorer::{Conner, Named};
use crate::conner::settings::{HelpfulAnswer, Settings};
use crate::conner::steps::Steps;
use crate::error::VerifyError;
use crate::events::Observer;

/// Helpfulness (Eq. 6).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Helpfulness {
    /// The score as printed, 0 to 1.
    pub value: f64,
    /// Without the max(0, .), as in Tab. 16: at most 1.
    pub unclipped: f64,
    /// L(q, k, a), in nats per token of a.
    pub loss: f64,
    /// The mean of L(q, k-, a).
    pub random_loss: f64,
    /// u, the number of random passages; fewer than the setting if the index has no more.
    pub random_passages: usize,
}

impl Value for Helpfulness {
    fn value(&self) -> f64 {
        self.value
    }
}

impl Conner {
    /// Eq. 6 for the reference answer a*, or for the generated one if the settings say so, by the seq2seq model, or
    /// else by the causal language model. The paper's a is the answer of a "query and answer pair", for which the
    /// released code reads the data set's answer.
    pub(super) async fn helpfulness<S: Storage>(
        &self,
        given: &Given<'_, S>,
        steps: &Steps<'_, impl Observer>,
    ) -> Result<Outcome<Helpfulness>, VerifyError> {
        let Given { texts, sources, settings, .. } = given;
        let names_topic = settings.helpfulness_prompt.contains("{topic}");
        let model = match (&self.seq2seq, &self.language_model) {
            (Some(Named { name, model }), _) => Some((name, Generating::Seq2Seq(model))),
            (None, Some(Named { name, model })) => Some((name, Generating::Causal(model))),
            (None, None) => None,
        };
        let (answer, lacks) = match settings.helpfulness_answer {
            HelpfulAnswer::Reference => (texts.reference, Missing::Reference),
            HelpfulAnswer::Generated => (texts.answer, Missing::Answer),
        };
        let needs = [
            (texts.question.is_some(), Missing::Question),
            (texts.topic.is_some() || !names_topic, Missing::Topic),
            (texts.knowledge.is_some(), Missing::Knowledge),
            (answer.is_some(), lacks),
            (sources.index.is_some() || !sources.random.is_empty(), Missing::RandomPassages),
            (model.is_some(), Missing::GeneratingModel),
        ];
        let (Some(question), Some(knowledge), Some(answer), Some((name, model)), true) =
            (texts.question, texts.knowledge, answer, model, needs.iter().all(|(met, _)| *met))
        else {
            return Ok(missing_of(&needs));
        };
        steps.begin().await?;
        let drawn = match sources.index {
            Some(index) if sources.random.is_empty() => {
                random_passages(index, question, knowledge, settings.random_passages, settings.seed).await?
            }
            _ => Vec::new(),
        };
        let random = if drawn.is_empty() { sources.random } else { &drawn };
        let (loss, part) = model.loss(*texts, knowledge, answer, settings).await?;
        let mut losses = vec![loss];
        for passage in random.iter().take(settings.random_passages) {
            steps.begin().await?;
            losses.push(model.loss(*texts, &passage.text, answer, settings).await?.0);
        }
        let Some(losses) = losses.into_iter().collect::<Option<Vec<f64>>>() else { return Ok(lacks.into()) };
        let Some((&loss, random)) = losses.split_first() else { return Ok(lacks.into()) };
        let Some(random_loss) = mean(random.iter().copied()) else { return Ok(Missing::RandomPassages.into()) };
        let Some(unclipped) = unclipped_helpfulness(loss, random) else { return Ok(Missing::UncertainAnswer.into()) };
        let random_passages = random.len();
        let score = Helpfulness { value: unclipped.max(0.0), unclipped, loss, random_loss, random_passages };
        Ok(Outcome::scored(name, score).of_part(part))
    }
}

/// A model that computes the answer's loss.
enum Generating<'a> {
    Seq2Seq(&'a Seq2Seq),
    Causal(&'a CausalLm),
}

impl Generating<'_> {
    /// L(q, k, a) of Eq. 6: minus the mean of ln P over the answer's tokens without its end token; `None` without
    /// tokens. Knowledge that is too long for the prompt loses its end; the [`Cut`] says how much was read.
    async fn loss(
        &self,
        texts: Texts<'_>,
        knowledge: &str,
        answer: &str,
        settings: &Settings,
    ) -> Result<(Option<f64>, Option<Cut>), NnError> {
        let prompt = |knowledge: &str| fill(&settings.helpfulness_prompt, &texts.values(knowledge));
        let tokenizer = match self {
            Self::Seq2Seq(model) => model.tokenizer(),
            Self::Causal(model) => model.tokenizer(),
        };
        let count = |text: &str| tokenizer.count(text);
        let most = match self {
            Self::Seq2Seq(_) => settings.max_tokens,
            Self::Causal(model) => model.max_tokens().saturating_sub(count(answer)?),
        };
        let room = most.saturating_sub(count(&prompt(""))?);
        let read = fit(knowledge.trim(), settings.helpfulness_words, room, count)?;
        let prompt = prompt(read);
        let tokens = match self {
            Self::Seq2Seq(model) => without_end(model.log_probabilities(&prompt, answer, settings.max_tokens).await?),
            Self::Causal(model) => {
                let answer = after(&prompt, answer);
                model.log_probabilities_after(&[(prompt.as_str(), answer.as_str())]).await?.pop().unwrap_or_default()
            }
        };
        Ok((mean(tokens.iter().map(|&l| -f64::from(l))), Cut::of([(knowledge, read)])))
    }
}
