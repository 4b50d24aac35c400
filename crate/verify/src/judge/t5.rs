//! The verifier: a T5 that is prompted as one (guan2024), or a model that was published as one.

use evident_nn::{Calibration, NnError, Seq2Seq, WarmUp};

use crate::error::VerifyError;
use crate::evidence::premises::with_title;
use crate::judge::answer_words::{AnswerWords, T5Answer};
use crate::judge::methods::ask;
use crate::judge::prompt::Prompt;
use crate::judge::published::PublishedVerifier;
use crate::judge::reading::{ReadPassage, most_decisive};
use crate::report::ByWording;
use crate::settings::{Demonstration, Facts, Method, Settings, Wording};
use crate::text::claim::Claim;

/// The verifier.
pub(super) struct T5 {
    pub asked: Asked,
    /// The calibration of its pack, if that is another than the NLI model's.
    pub own: Option<Calibration>,
}

/// How the verifier is asked.
pub(super) enum Asked {
    /// With guan2024's prompts, which a T5 answers with words of its vocabulary.
    ByWords { model: Box<Seq2Seq>, words: AnswerWords },
    /// With the prompt that it was published with.
    Published(PublishedVerifier),
}

/// The T5's answer on a claim, and what was in its prompt.
pub(super) struct T5Reading {
    /// The answer. If every wording was asked, its p is the mean over the wordings.
    pub answer: T5Answer,
    /// p by each wording; empty unless all were asked.
    pub wordings: Vec<ByWording>,
    /// The numbers of the passages in the prompt.
    pub shown: Vec<usize>,
    /// The number of the passage that alone gave the answer, if passages were read apart.
    pub decisive: Option<usize>,
    /// The bytes of the statement that the prompt had room for.
    pub room: usize,
}

impl T5Reading {
    /// Whether no answer word came, in any wording.
    pub(super) fn is_silent(&self) -> bool {
        self.answer.answered_at.is_none() && self.answer.p == T5Answer::SILENT.p
    }
}

impl T5 {
    /// The model, for callers that have it write text.
    ///
    /// # Errors
    /// [`VerifyError::OnePrompt`] for one that was published as a verifier: it cannot write.
    pub(super) fn writer(&self) -> Result<&Seq2Seq, VerifyError> {
        match &self.asked {
            Asked::ByWords { model, .. } => Ok(model),
            Asked::Published(_) => Err(VerifyError::OnePrompt),
        }
    }

    /// Reads pairs with known logits, to find out whether the device computes wrongly.
    ///
    /// # Errors
    /// Those of [`Seq2Seq::warm_up`].
    pub(super) async fn warm_up(&self, pairs: &[WarmUp]) -> Result<(), NnError> {
        match &self.asked {
            Asked::ByWords { model, .. } => model.warm_up(pairs).await,
            Asked::Published(verifier) => verifier.warm_up(pairs).await,
        }
    }

    /// Asks about a claim, with the evidence and in the wordings that the settings name.
    ///
    /// # Errors
    /// Those of [`ask`].
    pub(super) async fn ask(
        &self,
        passages: &[ReadPassage],
        claim: &Claim,
        settings: &Settings,
    ) -> Result<T5Reading, VerifyError> {
        let mut shown = match settings.facts {
            Facts::Passages => (0..passages.len()).collect(),
            Facts::Windows => most_decisive(passages, &claim.statement),
        };
        shown.truncate(settings.max_facts);
        let fact = |&i: &usize| {
            let passage = &passages[i].hit.passage;
            let title = if settings.titles { passage.title.as_str() } else { "" };
            let premise = passages[i].premise.as_ref().filter(|_| settings.facts == Facts::Windows);
            let stretch = premise.map_or(&passage.text[..], |(premise, _)| &passage.text[premise.read.clone()]);
            match (settings.method, premise) {
                (Method::Fid, _) if title.is_empty() => format!("context: {stretch}"),
                (Method::Fid, _) => format!("title: {title} context: {stretch}"),
                (_, Some((premise, _))) if settings.titles => premise.text.clone(),
                _ => with_title(title, stretch),
            }
        };
        let facts: Vec<String> = shown.iter().map(fact).collect();
        let (model, words) = match &self.asked {
            Asked::ByWords { model, words } => (&**model, words),
            Asked::Published(verifier) => return largest(verifier, &facts, shown, claim, settings).await,
        };
        let demonstrations = match settings.method {
            Method::ChainOfThought if settings.demonstrations.is_empty() => Demonstration::paper(),
            _ => settings.demonstrations.clone(),
        };
        let mut room = claim.statement.len();
        let mut ask_in = async |wording| {
            let prompt = Prompt {
                method: settings.method,
                demonstrations: demonstrations.clone(),
                facts: facts.clone(),
                context: claim.context.clone(),
                statement: claim.statement.clone(),
                wording,
            };
            let count = |text: &str| model.tokenizer().count(text);
            let apart = settings.method == Method::Fid && !facts.is_empty();
            let prompts: Vec<Prompt> = match apart {
                true => facts.iter().map(|fact| Prompt { facts: vec![fact.clone()], ..prompt.clone() }).collect(),
                false => vec![prompt],
            };
            let cut = prompts.into_iter().map(|prompt| prompt.cut(settings.max_tokens, count));
            let prompts = cut.collect::<Result<Vec<_>, _>>()?;
            shown.truncate(prompts.iter().map(|prompt| prompt.facts.len()).sum());
            room = prompts.iter().fold(room, |room, prompt| room.min(prompt.statement.len()));
            ask(model, words, &prompts, settings).await
        };
        let mut answer = ask_in(settings.wording).await?;
        let mut wordings = Vec::new();
        if settings.every_wording {
            for wording in Wording::ALL {
                let said = if wording == settings.wording { answer.clone() } else { ask_in(wording).await? };
                wordings.push(ByWording { wording, p_factual: said.p, answered_at: said.answered_at });
            }
            answer.p = wordings.iter().map(|each| each.p_factual).sum::<f64>() / wordings.len() as f64;
            let any = || wordings.iter().find_map(|each| each.answered_at);
            answer.answered_at = answer.answered_at.or_else(any);
        }
        Ok(T5Reading { answer, wordings, shown, decisive: None, room })
    }
}

/// The answer of a published verifier: it reads each of the `facts`, which are from the passages `shown`, by itself,
/// and the largest support is the answer. Without facts there is no answer.
///
/// # Errors
/// Those of [`PublishedVerifier::support`].
async fn largest(
    verifier: &PublishedVerifier,
    facts: &[String],
    shown: Vec<usize>,
    claim: &Claim,
    settings: &Settings,
) -> Result<T5Reading, VerifyError> {
    let mut best: Option<(f64, usize)> = None;
    let mut room = claim.statement.len();
    for (fact, &number) in facts.iter().zip(&shown) {
        let support = verifier.support(fact, &claim.statement, settings.max_tokens).await?;
        room = room.min(support.room);
        if best.is_none_or(|(p, _)| support.p > p) {
            best = Some((support.p, number));
        }
    }
    let hard = |p: f64| if settings.hard { f64::from(u8::from(p > 0.5)) } else { p };
    let answer = best.map_or(T5Answer::SILENT, |(p, _)| T5Answer { p: hard(p), answered_at: Some(0), rationale: None });
    Ok(T5Reading { answer, wordings: Vec::new(), shown, decisive: best.map(|(_, number)| number), room })
}
