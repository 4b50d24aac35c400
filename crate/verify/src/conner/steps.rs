//! The events before each step of a score.

use crate::error::Cancelled;
use crate::events::{Event, Observer, ScoreStep, SentenceNumber};

/// The observer of one score's steps.
pub(super) struct Steps<'a, O> {
    score: &'static str,
    observer: &'a O,
}

impl<'a, O: Observer> Steps<'a, O> {
    /// The steps of the score with this name in JSON.
    pub(super) fn of(score: &'static str, observer: &'a O) -> Self {
        Self { score, observer }
    }

    /// Announces a step.
    pub(super) async fn begin(&self) -> Result<(), Cancelled> {
        self.observer.observe(Event::Score(ScoreStep { score: self.score, sentence: None })).await
    }

    /// Announces a step about one sentence of `of`.
    pub(super) async fn begin_sentence(&self, sentence: usize, of: usize) -> Result<(), Cancelled> {
        let sentence = Some(SentenceNumber { sentence, of });
        self.observer.observe(Event::Score(ScoreStep { score: self.score, sentence })).await
    }
}
