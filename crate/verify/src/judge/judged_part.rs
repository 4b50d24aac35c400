//! A statement or a part of one, judged.

use std::ops::Range;

use crate::judge::reading::ReadPassage;
use crate::judge::verdict::Decision;
use crate::report::{PartReport, Span};

/// A statement or a part of one, with its verdict.
#[derive(Clone)]
pub(super) struct JudgedPart {
    /// Its words; those of a fact also name its subject.
    pub text: String,
    /// Its bytes in the statement.
    pub place: Range<usize>,
    pub passages: Vec<ReadPassage>,
    pub score: f64,
    pub decision: Decision,
}

impl JudgedPart {
    /// Whether its verdict is worse than that of `other`, or the same with a lower score.
    pub fn is_worse_than(&self, other: &Self) -> bool {
        let (bad, worst) = (self.decision.verdict.badness(), other.decision.verdict.badness());
        bad > worst || bad == worst && self.score < other.score
    }

    /// Whether no passage was read for it.
    pub fn is_unread(&self) -> bool {
        self.passages.iter().all(|passage| passage.premise.is_none())
    }

    pub fn report(&self, statement: &str) -> PartReport {
        PartReport {
            span: Span::utf16(statement, self.place.clone()),
            text: self.text.clone(),
            verdict: self.decision.verdict,
            confidence: self.decision.confidence,
            score: self.score,
        }
    }
}
