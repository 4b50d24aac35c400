//! The items to score: Evident's JSON lines, or the TSV that chen2023's samples are published in.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

use evident_index::Passage;
use evident_verify::conner::Item;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::{EvalError, unreadable};
use crate::lines::{GivenPassage, plain};

/// The separator of the turns of a dialogue in chen2023's files.
const TURN: &str = "[SEP]";

/// The sides, the aspects that are scored and rated, as Tab. 17 names them.
pub const SIDES: [&str; 6] = ["factuality", "relevance", "coherence", "informative", "helpfulness", "validity"];

/// The rating of each side, 0 to 2; the mean where several people rated it.
pub type Ratings = [Option<f64>; SIDES.len()];

/// One item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoredItem {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its own id, or else the line.
    pub id: String,
    pub item: Item,
    /// Knowledge that is known to be right, k*, which only the baselines read.
    pub reference_knowledge: Option<String>,
    /// Passages that come with it, to be read in place of what an index finds.
    pub evidence: Vec<Passage>,
    /// Its other properties, by which the scores are broken down.
    pub groups: BTreeMap<String, String>,
    /// How well known its topic is.
    pub frequency: Option<f64>,
    /// People's ratings of it.
    pub ratings: Ratings,
    /// For each side, the rating of each rater.
    pub raters: [BTreeMap<String, u8>; SIDES.len()],
    /// The line itself.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    topic: Option<String>,
    #[serde(default, alias = "query")]
    question: Option<String>,
    #[serde(default)]
    knowledge: Option<String>,
    #[serde(default)]
    answer: Option<String>,
    #[serde(default)]
    reference: Option<String>,
    #[serde(default)]
    reference_knowledge: Option<String>,
    #[serde(default)]
    evidence: Vec<GivenPassage>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// Every item of a file, in order; blank lines are passed over.
///
/// # Errors
/// [`EvalError::Unreadable`], and [`EvalError::BadLine`] with the line that is not in the layout.
pub fn read(path: &Path) -> Result<Vec<ScoredItem>, EvalError> {
    let text = read_to_string(path).map_err(unreadable(path))?;
    let parse =
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv")) { tsv } else { json };
    let filled = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let row = |(line, number): (&str, usize)| match parse(line, number) {
        Ok(row) => Ok(ScoredItem { text: line.to_owned(), ..row }),
        Err(why) => Err(EvalError::BadLine { path: path.into(), line: number, why }),
    };
    filled.map(row).collect()
}

fn json(line: &str, number: usize) -> Result<ScoredItem, String> {
    let found: Line = serde_json::from_str(line)
        .map_err(|error| format!("not an item ({error}): write one JSON object a line, see CONNER.md"))?;
    let id = found.id.as_ref().and_then(plain).unwrap_or_else(|| number.to_string());
    let passage = |(place, GivenPassage { title, text }): (usize, GivenPassage)| Passage {
        id: format!("{id}#{}", place + 1),
        title,
        text,
        ..Passage::default()
    };
    let evidence = found.evidence.into_iter().enumerate().map(passage).collect();
    let groups = found.others.iter().filter_map(|(name, value)| Some((name.clone(), plain(value)?))).collect();
    let item = Item {
        topic: found.topic,
        question: found.question,
        knowledge: found.knowledge,
        answer: found.answer,
        reference: found.reference,
    };
    Ok(ScoredItem {
        line: number,
        id,
        item,
        reference_knowledge: found.reference_knowledge,
        evidence,
        groups,
        ..ScoredItem::default()
    })
}

/// Parses topic, query, knowledge and answer. The answer, a*, and the knowledge are the data set's own (Sec. 4.2). The
/// question of a dialogue is its last turn, as in chen2023's prompts (App. F).
fn tsv(line: &str, number: usize) -> Result<ScoredItem, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [topic, query, knowledge, answer] = fields.as_slice() else {
        return Err(format!("{} fields in place of topic, query, knowledge and answer, parted by tabs", fields.len()));
    };
    let question = query.rsplit(TURN).map(str::trim).find(|turn| !turn.is_empty()).unwrap_or_default();
    let text = |text: &str| Some(text.to_owned());
    let item = Item {
        topic: text(topic),
        question: text(question),
        knowledge: text(knowledge),
        answer: None,
        reference: text(answer),
    };
    Ok(ScoredItem { line: number, id: number.to_string(), item, ..ScoredItem::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_an_item_with_its_groups_and_passages() {
        let row = json(
            r#"{"id": 7, "query": "What is iron?", "knowledge": "A metal.", "model": "a", "size": 3, "referenceKnowledge": "k", "evidence": [{"text": "Iron is a metal."}], "x": null}"#,
            4,
        )
        .unwrap();
        assert_eq!((row.line, row.id.as_str(), row.item.question.as_deref()), (4, "7", Some("What is iron?")));
        assert_eq!((row.item.answer, row.item.knowledge.as_deref()), (None, Some("A metal.")));
        assert_eq!((row.evidence[0].id.as_str(), row.evidence[0].text.as_str()), ("7#1", "Iron is a metal."));
        assert_eq!(row.reference_knowledge.as_deref(), Some("k"));
        let groups: Vec<_> = row.groups.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(groups, ["model=a", "size=3"]);
        assert!(json("[1]", 1).is_err() && json(r#"{"question": 5}"#, 1).unwrap_err().contains("not an item"));
    }

    #[test]
    fn a_dialogues_last_turn_is_the_question() {
        let row = tsv("Beard\tI like beards. [SEP] Who grows them?\tMen do.\tMen.", 2).unwrap();
        assert_eq!(row.item.question.as_deref(), Some("Who grows them?"));
        assert_eq!((row.item.topic.as_deref(), row.item.reference.as_deref()), (Some("Beard"), Some("Men.")));
        assert_eq!(row.item.answer, None, "the layout has no answer that a model gave");
        assert!(tsv("a\tb", 1).unwrap_err().starts_with("2 fields"));
    }

    #[test]
    #[ignore = "needs CONNER's rows (ChanLiang/CONNER) in ../shared/data/conner"]
    fn published_files_in_shared_data_are_read_whole() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/conner");
        for file in ["nq.tsv", "wow_seen.tsv"] {
            let rows = read(&data.join(file)).unwrap();
            assert_eq!(rows.len(), 500, "{file}");
            assert!(rows.iter().all(|row| row.item.question.as_ref().is_some_and(|q| !q.is_empty())), "{file}");
        }
    }
}
