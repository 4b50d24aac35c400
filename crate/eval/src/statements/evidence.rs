//! The evidence that a statement is judged by: the conditions of guan2024's Tab. 9.

use std::path::Path;

use evident_index::{FileStorage, Index, IndexError, Passage};
use evident_verify::IndexReport;
use evident_verify::conner::random_passages;
use serde::{Deserialize, Serialize};

use crate::error::EvalError;
use crate::rows::row::{Label, LabelledRow, passage};

/// Which evidence, by the names of `--evidence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceMode {
    /// What retrieval finds (needs --index)
    Retrieved,
    /// Nothing
    None,
    /// The statement's own passages
    Gold,
    /// Passages drawn at random (needs --index)
    Random,
    /// Its own passages, and random ones up to the same number (needs --index)
    RandomGold,
    /// A sentence that says the opposite of what is so
    Adversarial,
    /// That sentence, and its own passages
    AdversarialGold,
}

impl EvidenceMode {
    /// Whether it comes from an index.
    pub fn needs_index(self) -> bool {
        matches!(self, Self::Retrieved | Self::Random | Self::RandomGold)
    }

    /// Whether it has the statement's own passages in it.
    pub fn needs_gold(self) -> bool {
        matches!(self, Self::Gold | Self::RandomGold | Self::AdversarialGold)
    }

    /// Whether this evidence is at hand for these rows of `file`.
    ///
    /// # Errors
    /// [`EvalError::Unusable`] for a missing index, an index that is not used, and rows without passages where these
    /// are needed.
    pub(crate) fn check(self, index: Option<&Path>, file: &Path, rows: &[LabelledRow]) -> Result<(), EvalError> {
        let unusable = |path: &Path, why| Err(EvalError::Unusable { path: path.into(), why });
        match index {
            None if self.needs_index() => {
                unusable(file, "this evidence comes from an index: give --index DIR, or choose another --evidence")
            }
            Some(index) if !self.needs_index() => unusable(
                index,
                "this evidence does not come from an index: leave --index out, or choose another --evidence",
            ),
            _ if self.needs_gold() && rows.iter().all(|row| row.evidence.is_empty()) => unusable(
                file,
                "no statement comes with evidence of its own: give --index DIR, or choose another --evidence than gold",
            ),
            _ => Ok(()),
        }
    }

    /// As a report says it, after "statements with".
    pub fn describe(self, index: Option<&IndexReport>) -> String {
        let index = index.map_or_else(String::new, |index| format!("an index of {} passages", index.passages));
        match self {
            Self::Retrieved => format!("evidence from {index}"),
            Self::None => "no evidence".into(),
            Self::Gold => "their own evidence".into(),
            Self::Random => format!("random evidence from {index}"),
            Self::RandomGold => format!("their own evidence and random evidence from {index}"),
            Self::Adversarial => "adversarial evidence".into(),
            Self::AdversarialGold => "adversarial evidence and their own".into(),
        }
    }

    /// The passages to judge a row by where they are not retrieved. Random passages fill them up to `count`; they come
    /// after the row's own, because a prompt that is too long loses the end of its evidence.
    pub async fn of(
        self,
        row: &LabelledRow,
        index: Option<&Index<FileStorage>>,
        count: usize,
        seed: u64,
    ) -> Result<Vec<Passage>, IndexError> {
        let gold = if self.needs_gold() { row.evidence.as_slice() } else { &[] };
        let random = match (self, index) {
            (Self::Random | Self::RandomGold, Some(index)) => {
                random_passages(index, &row.statement, "", count.saturating_sub(gold.len()), seed).await?
            }
            _ => Vec::new(),
        };
        let adversarial = matches!(self, Self::Adversarial | Self::AdversarialGold);
        let adversarial = adversarial.then(|| passage("adversarial", "", adversarial_sentence(row)));
        Ok(adversarial.into_iter().chain(gold.iter().cloned()).chain(random).collect())
    }
}

/// The row's own adversarial sentence or, by rule, the statement's antonym where it is factual and the statement
/// itself, the nearest of synonyms, where it is not. (The paper has ChatGPT write both.)
fn adversarial_sentence(row: &LabelledRow) -> String {
    match (&row.adversarial, row.label) {
        (Some(sentence), _) => sentence.clone(),
        (None, Some(Label::Factual)) => antonym(&row.statement),
        (None, _) => row.statement.clone(),
    }
}

/// Verbs that "not" follows.
const AUXILIARIES: [&str; 15] = [
    "is", "are", "was", "were", "can", "could", "will", "would", "may", "might", "must", "should", "do", "does", "did",
];

/// The statement with its first auxiliary negated, or with that negation taken out.
fn antonym(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let Some(at) = words.iter().position(|word| AUXILIARIES.contains(word)) else {
        return format!("It is not true that {statement}");
    };
    let negated = words.get(at + 1).is_some_and(|next| ["not", "never"].contains(next));
    let rest = &words[at + 1 + usize::from(negated)..];
    let not: &[&str] = if negated { &[] } else { &["not"] };
    [&words[..=at], not, rest].concat().join(" ")
}

#[cfg(test)]
mod tests {
    use evident_index::{BuildOptions, build};
    use futures_lite::future::block_on;

    use super::*;

    fn row(label: Label) -> LabelledRow {
        let evidence = vec![passage("gold", "Iron", "Iron is a metal.")];
        LabelledRow { statement: "Iron is a metal.".into(), label: Some(label), evidence, ..LabelledRow::default() }
    }

    fn ids(passages: &[Passage]) -> Vec<&str> {
        passages.iter().map(|passage| passage.id.as_str()).collect()
    }

    #[test]
    fn the_antonym_of_a_statement_denies_it() {
        assert_eq!(antonym("Iron is a metal."), "Iron is not a metal.");
        assert_eq!(antonym("Iron was never a gas."), "Iron was a gas.");
        assert_eq!(antonym("Iron rusts."), "It is not true that Iron rusts.");
    }

    #[test]
    fn evidence_without_an_index_is_that_of_table_9() {
        let of = |evidence: EvidenceMode, label| block_on(evidence.of(&row(label), None, 10, 0)).unwrap();
        assert!(of(EvidenceMode::None, Label::Factual).is_empty());
        assert_eq!(ids(&of(EvidenceMode::Gold, Label::Factual)), ["gold"]);
        assert_eq!(of(EvidenceMode::Adversarial, Label::Factual)[0].text, "Iron is not a metal.");
        assert_eq!(of(EvidenceMode::Adversarial, Label::Unfactual)[0].text, "Iron is a metal.");
        assert_eq!(ids(&of(EvidenceMode::AdversarialGold, Label::Factual)), ["adversarial", "gold"]);
        let own = LabelledRow { adversarial: Some("Iron is a gas.".into()), ..row(Label::Factual) };
        assert_eq!(block_on(EvidenceMode::Adversarial.of(&own, None, 10, 0)).unwrap()[0].text, "Iron is a gas.");
    }

    #[test]
    fn random_evidence_is_the_same_for_a_seed_and_fills_up_what_gold_leaves() {
        let folder = tempfile::tempdir().unwrap();
        let passages = (0..40).map(|n| Ok(passage(n.to_string(), "", format!("Passage number {n}."))));
        build(passages, folder.path(), &BuildOptions::default()).unwrap();
        let index = block_on(Index::open(FileStorage::new(folder.path()))).unwrap();
        let of =
            |evidence: EvidenceMode, seed| block_on(evidence.of(&row(Label::Factual), Some(&index), 10, seed)).unwrap();
        assert_eq!(of(EvidenceMode::Random, 1).len(), 10);
        assert_eq!(of(EvidenceMode::Random, 1), of(EvidenceMode::Random, 1));
        assert_ne!(of(EvidenceMode::Random, 1), of(EvidenceMode::Random, 2));
        let filled = of(EvidenceMode::RandomGold, 1);
        assert_eq!((filled.len(), filled[0].id.as_str()), (10, "gold"));
    }
}
