//! SciFact (Wadden et al. 2020): claims_{train,dev}.jsonl of allenai/scifact, whose abstracts are in corpus.jsonl
//! beside it. The evidence of a claim is, per document, its rationale sentences in order; a claim without rationales,
//! which has no evidence by its label too, keeps the whole abstracts it cites.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use evident_base::json_lines;
use evident_index::Passage;
use serde::Deserialize;

use crate::error::EvalError;
use crate::rows::formats::WRONG_LAYOUT;
use crate::rows::row::{Label, LabelledRow, passage};

const CORPUS: &str = "corpus.jsonl";

#[derive(Deserialize)]
struct Claim {
    id: u64,
    claim: String,
    /// Missing in the test set.
    evidence: Option<BTreeMap<String, Vec<Rationale>>>,
    #[serde(default)]
    cited_doc_ids: Vec<u64>,
}

#[derive(Deserialize)]
struct Rationale {
    sentences: Vec<usize>,
    label: String,
}

#[derive(Deserialize)]
struct Abstract {
    doc_id: u64,
    title: String,
    #[serde(rename = "abstract")]
    sentences: Vec<String>,
}

pub fn read(path: &Path) -> Result<Vec<LabelledRow>, EvalError> {
    let corpus = path.with_file_name(CORPUS);
    let corpus = if corpus.exists() { json_lines::<Abstract>(&corpus, WRONG_LAYOUT)? } else { Vec::new() };
    let corpus: HashMap<String, Abstract> =
        corpus.into_iter().map(|(_, document)| (document.doc_id.to_string(), document)).collect();
    Ok(json_lines::<Claim>(path, WRONG_LAYOUT)?
        .into_iter()
        .map(|(line, claim)| LabelledRow { line, ..claim.row(&corpus) })
        .collect())
}

impl Claim {
    fn row(self, corpus: &HashMap<String, Abstract>) -> LabelledRow {
        let rationales = self.evidence.as_ref();
        let first = rationales.and_then(|evidence| evidence.values().flatten().next());
        let label = match (rationales, first.map(|rationale| rationale.label.as_str())) {
            (Some(_), Some("SUPPORT")) => Some(Label::Factual),
            (Some(_), Some("CONTRADICT")) => Some(Label::Unfactual),
            (Some(_), None) => Some(Label::NoEvidence),
            _ => None,
        };
        let passages = |id: &String, wanted: Option<BTreeSet<usize>>| -> Option<Passage> {
            let document = corpus.get(id)?;
            let sentences = document.sentences.iter().enumerate();
            let kept = sentences.filter(|(n, _)| wanted.as_ref().is_none_or(|wanted| wanted.contains(n)));
            let text: Vec<&str> = kept.map(|(_, sentence)| sentence.trim()).collect();
            Some(passage(id.clone(), &document.title, text.join(" ")))
        };
        let evidence = match rationales.filter(|evidence| !evidence.is_empty()) {
            Some(evidence) => evidence
                .iter()
                .filter_map(|(id, all)| passages(id, Some(all.iter().flat_map(|one| one.sentences.clone()).collect())))
                .collect(),
            None => self.cited_doc_ids.iter().filter_map(|id| passages(&id.to_string(), None)).collect(),
        };
        LabelledRow { id: self.id.to_string(), statement: self.claim, label, evidence, ..LabelledRow::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;

    const CLAIMS: &str = r#"{"id": 263, "claim": "Nets disrupt the cycle.", "evidence": {"11": [{"sentences": [2, 0], "label": "CONTRADICT"}]}, "cited_doc_ids": [11, 12]}
{"id": 5, "claim": "Cells grow.", "evidence": {}, "cited_doc_ids": [12]}
{"id": 6, "claim": "Cells split.", "cited_doc_ids": [12]}
"#;

    #[test]
    fn rationales_are_evidence_and_without_any_the_cited_abstracts_are() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("claims_dev.jsonl");
        std::fs::write(&path, CLAIMS).unwrap();
        assert!(Format::Scifact.read(&path).unwrap()[0].evidence.is_empty(), "the corpus is not there yet");
        let corpus = r#"{"doc_id": 11, "title": "Nets", "abstract": ["A.\n", "B.\n", "C.\n"], "structured": false}
{"doc_id": 12, "title": "Cells", "abstract": ["D."], "structured": false}"#;
        std::fs::write(directory.path().join(CORPUS), corpus).unwrap();
        let rows = Format::Scifact.read(&path).unwrap();
        assert_eq!(rows[0].evidence, [passage("11", "Nets", "A. C.")]);
        assert_eq!(rows[1].evidence, [passage("12", "Cells", "D.")]);
        let labels: Vec<_> = rows.iter().map(|row| row.label).collect();
        assert_eq!(labels, [Some(Label::Unfactual), Some(Label::NoEvidence), None]);
    }
}
