//! A labelled statement, whatever layout it was published in.

use std::collections::BTreeMap;

use evident_index::Passage;
use serde::{Deserialize, Serialize};

/// People's label of a statement (guan2024, Sec. 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Label {
    Factual,
    Unfactual,
    NoEvidence,
}

impl Label {
    pub const ALL: [Self; 3] = [Self::Factual, Self::Unfactual, Self::NoEvidence];

    /// The label that FEVER and similar data sets write; `None` for any other, such as DISPUTED.
    pub fn of_fever(label: &str) -> Option<Self> {
        match label {
            "SUPPORTS" => Some(Self::Factual),
            "REFUTES" => Some(Self::Unfactual),
            "NOT ENOUGH INFO" | "NOT_ENOUGH_INFO" => Some(Self::NoEvidence),
            _ => None,
        }
    }

    pub fn of_truth(factual: bool) -> Self {
        if factual { Self::Factual } else { Self::Unfactual }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Factual => "factual",
            Self::Unfactual => "unfactual",
            Self::NoEvidence => "no evidence",
        }
    }
}

/// One statement to judge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelledRow {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its own id, or else a number.
    pub id: String,
    /// What is judged.
    pub statement: String,
    /// What precedes it in its answer; "" for nothing.
    pub context: String,
    /// What was asked, if that is known.
    pub question: Option<String>,
    /// `None` for a row without one of the three labels, which is left out.
    pub label: Option<Label>,
    /// Passages that come with the row.
    pub evidence: Vec<Passage>,
    /// Whether these are parts of one document, each of which is read by itself: the largest score counts.
    pub apart: bool,
    /// A false sentence, written as misleading evidence for the statement (guan2024, Tab. 9, "Adv"), if it has one.
    pub adversarial: Option<String>,
    /// The paragraph whose sentence it is, where its sentences are rows of their own.
    pub paragraph: Option<String>,
    /// The share of it that is factual, where its sentences were rows of their own.
    pub share: Option<f64>,
    /// The labels that several people gave it, if they are known.
    pub labels: Vec<Label>,
    /// Its other properties, by which the measures are broken down.
    pub groups: BTreeMap<String, String>,
}

/// A passage of a row's own.
pub fn passage(id: impl Into<String>, title: impl Into<String>, text: impl Into<String>) -> Passage {
    Passage { id: id.into(), title: title.into(), text: text.into(), ..Passage::default() }
}

/// One group.
pub fn group(name: &str, value: impl ToString) -> BTreeMap<String, String> {
    BTreeMap::from([(name.to_owned(), value.to_string())])
}

/// Undoes Penn Treebank spacing ("It rusts , -LRB- slowly -RRB- ."), in which some sets are published, and puts text on
/// one line.
pub fn tidy(text: &str) -> String {
    const WRITTEN: [(&str, &str); 20] = [
        ("-LRB- ", "("),
        (" -RRB-", ")"),
        ("-LRB-", "("),
        ("-RRB-", ")"),
        ("-LSB- ", "["),
        (" -RSB-", "]"),
        ("`` ", "\""),
        (" ''", "\""),
        ("``", "\""),
        ("''", "\""),
        (" ,", ","),
        (" .", "."),
        (" ;", ";"),
        (" :", ":"),
        (" 's", "'s"),
        (" n't", "n't"),
        (" %", "%"),
        (" -- ", " - "),
        ("( ", "("),
        (" )", ")"),
    ];
    let text = WRITTEN.iter().fold(text.to_owned(), |text, (spaced, plain)| text.replace(spaced, plain));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_is_undone() {
        assert_eq!(
            tidy("The film -LRB- 1999 -RRB- was n't `` good '' , said\nhe ."),
            "The film (1999) wasn't \"good\", said he."
        );
        assert_eq!(tidy("It is plain."), "It is plain.");
    }
}
