//! The T5 that is prompted as a fact verifier (guan2024).

use evident_nn::{Calibration, Seq2Seq};

use crate::error::VerifyError;
use crate::evidence::premises::with_title;
use crate::judge::answer_words::{AnswerWords, T5Answer};
use crate::judge::methods::ask;
use crate::judge::prompt::Prompt;
use crate::judge::reading::{ReadPassage, most_decisive};
use crate::report::ByWording;
use crate::settings::{Demonstration, Facts, Method, Settings, Wording};
use crate::text::claim::Claim;

/// A T5 and the answer words of its vocabulary.
pub(super) struct T5 {
    pub model: Seq2Seq,
    pub words: AnswerWords,
    /// The calibration of its pack, if that is another than the NLI model's.
    pub own: Option<Calibration>,
}

/// The T5's answer on a claim, and what was in its prompt.
pub(super) struct T5Reading {
    /// The answer; with every wording p is their mean.
    pub answer: T5Answer,
    /// p by each wording; empty unless all were asked.
    pub wordings: Vec<ByWording>,
    /// The numbers of the passages in the prompt.
    pub shown: Vec<usize>,
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
            let count = |text: &str| self.model.tokenizer().count(text);
            let apart = settings.method == Method::Fid && !facts.is_empty();
            let prompts: Vec<Prompt> = match apart {
                true => facts.iter().map(|fact| Prompt { facts: vec![fact.clone()], ..prompt.clone() }).collect(),
                false => vec![prompt],
            };
            let cut = prompts.into_iter().map(|prompt| prompt.cut(settings.max_tokens, count));
            let prompts = cut.collect::<Result<Vec<_>, _>>()?;
            shown.truncate(prompts.iter().map(|prompt| prompt.facts.len()).sum());
            room = prompts.iter().fold(room, |room, prompt| room.min(prompt.statement.len()));
            ask(&self.model, &self.words, &prompts, settings).await
        };
        let mut answer = ask_in(settings.wording).await?;
        let mut wordings = Vec::new();
        if settings.every_wording {
            for wording in Wording::ALL {
                let p_factual = if wording == settings.wording { answer.p } else { ask_in(wording).await?.p };
                wordings.push(ByWording { wording, p_factual });
            }
            answer.p = wordings.iter().map(|each| each.p_factual).sum::<f64>() / wordings.len() as f64;
        }
        Ok(T5Reading { answer, wordings, shown, room })
    }
}
