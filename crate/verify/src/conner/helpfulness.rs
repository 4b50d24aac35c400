//! Helpfulness: whether the knowledge makes the answer more probable than random passages do (Eq. 6).

use evident_index::Storage;
use evident_nn::{CausalLm, NnError, Seq2Seq};

use super::formulas::mean;
use super::prompts::{after, fill, fit, without_end};
use super::random_passages::random_passages;
use super::{
    Conner, Found, Helpfulness, Missing, Named, Settings, Sources, Step, Texts, Watch, lacking, unclipped_helpfulness,
};

impl Conner {
    /// Eq. 6, by the seq2seq model or else the causal one.
    pub(super) async fn helpfulness<S: Storage>(
        &self,
        texts: Texts<'_>,
        sources: &Sources<'_, S>,
        settings: &Settings,
        watch: &mut impl Watch,
    ) -> Found<Helpfulness> {
        let names_topic = settings.helpfulness_prompt.contains("{topic}");
        let model = match (&self.seq2seq, &self.language_model) {
            (Some(Named { name, model }), _) => Some((name, Generating::Seq2Seq(model))),
            (None, Some(Named { name, model })) => Some((name, Generating::Causal(model))),
            (None, None) => None,
        };
        let missing = lacking(&[
            (texts.question.is_some(), Missing::Question),
            (texts.topic.is_some() || !names_topic, Missing::Topic),
            (texts.knowledge.is_some(), Missing::Knowledge),
            (texts.answer.is_some(), Missing::Answer),
            (sources.index.is_some() || !sources.random.is_empty(), Missing::RandomPassages),
            (model.is_some(), Missing::GeneratingModel),
        ]);
        let (Some(question), Some(knowledge), Some(answer), Some((name, model)), true) =
            (texts.question, texts.knowledge, texts.answer, model, missing.is_empty())
        else {
            return Ok(Err(missing));
        };
        watch.step(Step::Helpfulness).await?;
        let drawn = match sources.index {
            Some(index) if sources.random.is_empty() => {
                random_passages(index, question, knowledge, settings.random_passages, settings.seed).await?
            }
            _ => Vec::new(),
        };
        let random = if drawn.is_empty() { sources.random } else { &drawn };
        let random = random.iter().take(settings.random_passages).map(|passage| passage.text.as_str());
        let mut losses = Vec::new();
        losses.push(model.loss(texts, knowledge, answer, settings).await?);
        for knowledge in random {
            watch.step(Step::Helpfulness).await?;
            losses.push(model.loss(texts, knowledge, answer, settings).await?);
        }
        let Some(losses) = losses.into_iter().collect::<Option<Vec<f64>>>() else {
            return Ok(Err(vec![Missing::Answer]));
        };
        let Some((&loss, random)) = losses.split_first() else { return Ok(Err(vec![Missing::Answer])) };
        let Some(random_loss) = mean(random.iter().copied()) else { return Ok(Err(vec![Missing::RandomPassages])) };
        let Some(unclipped) = unclipped_helpfulness(loss, random) else {
            return Ok(Err(vec![Missing::UncertainAnswer]));
        };
        let value = unclipped.max(0.0);
        let random_passages = random.len();
        Ok(Ok((name.clone(), Helpfulness { value, unclipped, loss, random_loss, random_passages })))
    }
}

/// A model that gives the answer's loss.
enum Generating<'a> {
    Seq2Seq(&'a Seq2Seq),
    Causal(&'a CausalLm),
}

impl Generating<'_> {
    /// L(q, k, a) of Eq. 6: minus the mean of ln P over the answer's tokens, its end token aside; `None` without tokens. The
    /// knowledge gives way where the prompt does not fit.
    async fn loss(
        &self,
        texts: Texts<'_>,
        knowledge: &str,
        answer: &str,
        settings: &Settings,
    ) -> Result<Option<f64>, NnError> {
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
        let prompt = prompt(fit(knowledge.trim(), settings.helpfulness_words, room, count)?);
        let tokens = match self {
            Self::Seq2Seq(model) => without_end(model.log_probabilities(&prompt, answer, settings.max_tokens).await?),
            Self::Causal(model) => {
                let answer = after(&prompt, answer);
                model.log_probabilities_after(&[(prompt.as_str(), answer.as_str())]).await?.pop().unwrap_or_default()
            }
        };
        Ok(mean(tokens.iter().map(|&l| -f64::from(l))))
    }
}
