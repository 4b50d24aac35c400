//! The prompt that makes a language model a fact verifier (guan2024, Tab. 4), and its question's wordings (App. C.5).

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the question at the end of the prompt is put (guan2024, Tab. 4 and App. C.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Wording {
    /// "Based on the given facts, is the statement correct?" (Tab. 4)
    Correct,
    /// "Is the statement entailed by the given facts?"
    Entailed,
    /// "Based on the given facts, judge whether the statement is factually correct."
    Judge,
    /// "Can the given facts support the statement?"
    Support,
}

impl Wording {
    /// The question as printed.
    #[must_use]
    pub fn question(self) -> &'static str {
        match self {
            Self::Correct => {
                "Based on the given facts, is the statement correct? (A) Yes. (B) No. Please answer A or B:"
            }
            Self::Entailed => "Is the statement entailed by the given facts? (A) Yes. (B) No. Please answer A or B:",
            Self::Judge => {
                "Based on the given facts, judge whether the statement is factually correct. Please answer Yes or No:"
            }
            Self::Support => "Can the given facts support the statement? Please answer Yes or No:",
        }
    }
}

/// The prompt for one statement; its text is what [`fmt::Display`] writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The evidence e_1 ... e_M; where there is none the heading "Facts:" goes too.
    pub facts: Vec<String>,
    /// What precedes the statement, c; "" where there is nothing.
    pub context: String,
    /// The statement s.
    pub statement: String,
    /// How the question is put.
    pub wording: Wording,
}

impl Prompt {
    /// Cuts the prompt to `max_tokens` as counted by `count` (guan2024, Sec. 4.3: 4,000, there by GPT's tokenizer).
    ///
    /// Facts go first, from the last, down to one; then the context, farthest words first; then that fact; then the
    /// statement's end. The question is never cut.
    pub(crate) fn cut<E>(mut self, max_tokens: usize, count: impl Fn(&str) -> Result<usize, E>) -> Result<Self, E> {
        while count(&self.to_string())? > max_tokens {
            if self.facts.len() > 1 {
                self.facts.pop();
            } else if !self.context.is_empty() {
                let half = self.context.ceil_char_boundary(self.context.len().div_ceil(2));
                self.context.drain(..half);
            } else if self.facts.pop().is_none() {
                if self.statement.is_empty() {
                    break;
                }
                self.statement.truncate(self.statement.floor_char_boundary(self.statement.len() / 2));
            }
        }
        Ok(self)
    }
}

impl fmt::Display for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Answer the following question:")?;
        if !self.facts.is_empty() {
            writeln!(f, "Facts:")?;
        }
        for (fact, number) in self.facts.iter().zip(1..) {
            writeln!(f, "{number}. {fact}")?;
        }
        if self.context.is_empty() {
            writeln!(f, "Statement: {}", self.statement)?;
        } else {
            writeln!(f, "Context: {}\nStatement following the context: {}", self.context, self.statement)?;
        }
        f.write_str(self.wording.question())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn prompt(facts: &[&str], context: &str) -> Prompt {
        let facts = facts.iter().map(ToString::to_string).collect();
        Prompt { facts, context: context.into(), statement: "It is a metal.".into(), wording: Wording::Correct }
    }

    fn words(text: &str) -> Result<usize, Infallible> {
        Ok(text.split_whitespace().count())
    }

    #[test]
    fn the_prompt_is_that_of_table_4() {
        assert_eq!(
            prompt(&["Iron. Iron is a metal.", "Tin. Tin is soft."], "").to_string(),
            "Answer the following question:\nFacts:\n1. Iron. Iron is a metal.\n2. Tin. Tin is soft.\nStatement: It is a metal.\n\
             Based on the given facts, is the statement correct? (A) Yes. (B) No. Please answer A or B:"
        );
    }

    #[test]
    fn a_context_comes_before_the_statement() {
        let text = prompt(&["Iron is a metal."], "Iron rusts.").to_string();
        assert!(text.contains(
            "1. Iron is a metal.\nContext: Iron rusts.\nStatement following the context: It is a metal.\nBased on"
        ));
    }

    #[test]
    fn without_facts_their_heading_goes() {
        assert!(prompt(&[], "").to_string().starts_with("Answer the following question:\nStatement: It is a metal.\n"));
    }

    #[test]
    fn the_question_has_four_wordings() {
        let questions = [Wording::Correct, Wording::Entailed, Wording::Judge, Wording::Support].map(Wording::question);
        assert!(questions[..2].iter().all(|q| q.ends_with("? (A) Yes. (B) No. Please answer A or B:")));
        assert!(questions[2..].iter().all(|q| q.ends_with(" Please answer Yes or No:")));
    }

    #[test]
    fn cutting_drops_the_last_facts_first() {
        let whole = prompt(&["one two three", "four five six"], "so it is");
        let all = words(&whole.to_string()).unwrap();
        let cut = whole.clone().cut(all - 1, words).unwrap();
        assert_eq!(cut.facts, ["one two three"]);
        assert_eq!(cut.context, "so it is");
        assert_eq!(whole.clone().cut(all, words).unwrap(), whole);
    }

    #[test]
    fn cutting_never_touches_the_question() {
        let cut = prompt(&["Fe 🧲 ".repeat(9).as_str()], "é ".repeat(99).as_str()).cut(3, words).unwrap();
        assert!(cut.facts.is_empty() && cut.context.is_empty() && cut.statement.is_empty());
        assert!(cut.to_string().ends_with(Wording::Correct.question()));
    }
}
