//! Knowledge that the seq2seq model writes of each item: several pieces by top-p sampling, of which one is then chosen
//! (chen2023, Sec. 5, "Knowledge Selection").

use evident_nn::{NnError, Seq2Seq};
use evident_verify::SplitMix;
use evident_verify::conner::{Item, Settings};
use futures_lite::future::block_on;
use serde_json::{Map, Value};

use crate::conner::items::ScoredItem;
use crate::conner::models::ConnerModels;
use crate::conner::templates::Template;
use crate::error::EvalError;
use crate::monitor::Monitor;

/// The most tokens of a piece of knowledge, about as many as a passage of the paper has words.
const MOST_STEPS: usize = 200;

/// How knowledge is written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// How many pieces for each item: r of Sec. 5. A single piece is written greedily, as the paper's other knowledge
    /// is.
    pub pieces: usize,
    /// The p of top-p sampling: tokens are drawn from the most probable ones, which together have this probability.
    pub top_p: f64,
    /// The prompt, without demonstrations.
    pub template: &'static Template,
}

impl Written {
    /// What the written knowledge depends on, besides the model and the settings' seed.
    pub(crate) fn name(&self) -> String {
        let Self { pieces, top_p, template } = self;
        format!("{pieces} by {} with top-p {top_p}", template.name)
    }

    /// Each item once for each piece, with the piece as its knowledge and without an answer, since its answer was given
    /// by other knowledge. The ids of several pieces are numbered. The same seed gives the same pieces.
    ///
    /// # Errors
    /// [`EvalError::Unusable`] without a seq2seq model, and any error of it.
    pub(crate) fn items(
        &self,
        items: &[ScoredItem],
        models: &ConnerModels,
        settings: &Settings,
        monitor: &mut impl Monitor,
    ) -> Result<Vec<ScoredItem>, EvalError> {
        let Some(model) = models.conner().seq2seq() else {
            let why = "there is no model that writes: give one with --models seq2seq=DIR";
            return Err(EvalError::Unusable { path: "--write".into(), why });
        };
        let mut random = SplitMix(settings.seed);
        let mut written = Vec::with_capacity(items.len() * self.pieces);
        for (number, item) in items.iter().enumerate() {
            monitor.check().map_err(evident_verify::VerifyError::from)?;
            monitor.show_row(number + 1, items.len(), number + 1);
            let prompt = self.template.compose(&[], &item.item);
            for piece in 1..=self.pieces {
                let draw = || if self.pieces > 1 { random.share() } else { 0.0 };
                let of_line = |source: NnError| EvalError::Row { line: item.line, source: source.into() };
                let knowledge =
                    block_on(write(model, &prompt, settings.max_tokens, self.top_p, draw)).map_err(of_line)?;
                let id = if self.pieces > 1 { format!("{}#{piece}", item.id) } else { item.id.clone() };
                let of = Item { knowledge: Some(knowledge), answer: None, ..item.item.clone() };
                let text = line(&id, &of, item);
                written.push(ScoredItem { id, item: of, text, ..item.clone() });
            }
        }
        Ok(written)
    }
}

/// An item as a line of JSON.
fn line(id: &str, item: &Item, from: &ScoredItem) -> String {
    let Item { topic, question, knowledge, answer, reference } = item;
    let groups = from.groups.iter().map(|(name, value)| (name.clone(), value.clone().into()));
    let mut members: Map<String, Value> = groups.collect();
    members.insert("id".into(), id.into());
    for (name, text) in [("topic", topic), ("question", question), ("knowledge", knowledge)] {
        members.extend(text.clone().map(|text| (name.to_owned(), text.into())));
    }
    for (name, text) in
        [("answer", answer), ("reference", reference), ("referenceKnowledge", &from.reference_knowledge)]
    {
        members.extend(text.clone().map(|text| (name.to_owned(), text.into())));
    }
    Value::Object(members).to_string()
}

/// The answer to a prompt. Each step's token is drawn from its nucleus; a draw of 0 gives the most probable token.
async fn write(
    model: &Seq2Seq,
    prompt: &str,
    max_tokens: usize,
    top_p: f64,
    mut draw: impl FnMut() -> f64,
) -> Result<String, NnError> {
    let mut answer = model.generate(prompt, max_tokens).await?;
    let mut tokens = Vec::new();
    while tokens.len() < MOST_STEPS
        && let Some(step) = answer.sample(top_p, draw()).await?
    {
        tokens.push(step.token);
    }
    model.tokenizer().decode(&tokens)
}
