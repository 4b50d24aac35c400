//! Factcheck-Bench (Wang et al. 2023): answers with their sentences, claims and web passages, a line each, as gathered
//! from yuxiaw/Factcheck-GPT. A row is a claim, with the answer's prompt as its question. Opinions and claims of
//! unknown truth have no label.

use serde::Deserialize;
use serde_json::Value;

use crate::rows::formats::LineFormat;
use crate::rows::row::{Label, LabelledRow, group, passage};

#[derive(Deserialize)]
pub struct Answer {
    prompt: String,
    sentences: Vec<Sentence>,
}

#[derive(Deserialize)]
struct Sentence {
    claims: Vec<Claim>,
}

#[derive(Deserialize)]
struct Claim {
    claim: String,
    kind: String,
    /// true, false or "unknown".
    factual: Value,
    evidence: Vec<WebPassage>,
}

#[derive(Deserialize)]
struct WebPassage {
    text: String,
    #[serde(default)]
    url: Option<String>,
}

impl LineFormat for Answer {
    fn rows(self, line: usize) -> Result<Vec<LabelledRow>, String> {
        let prompt = self.prompt;
        let row = |sentence: usize, number: usize, claim: Claim| {
            let evidence = (1..).zip(claim.evidence).map(|(n, WebPassage { text, url })| {
                let mut found = passage(format!("{n}"), "", text);
                found.source = url;
                found
            });
            LabelledRow {
                id: format!("{line}.{sentence}.{number}"),
                statement: claim.claim,
                question: Some(prompt.clone()),
                label: claim.factual.as_bool().filter(|_| claim.kind == "factual").map(Label::of_truth),
                evidence: evidence.collect(),
                groups: group("position", sentence),
                ..LabelledRow::default()
            }
        };
        let claims =
            (1..).zip(self.sentences).flat_map(|(n, sentence)| (1..).zip(sentence.claims).map(move |c| (n, c)));
        Ok(claims.map(|(sentence, (number, claim))| row(sentence, number, claim)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::formats::Format;
    use crate::rows::formats::tests::read;

    #[test]
    fn every_claim_is_a_row_with_its_web_passages() {
        let rows = read(
            Format::FactcheckBench,
            r#"{"prompt": "Who ruled?", "response": "Four did. It is good.", "factual": false, "sentences": [{"text": "Four did.", "decontextualized": "Four ruled.", "kind": "yes", "factual": false, "claims": [{"claim": "Four ruled.", "kind": "factual", "factual": false, "evidence": [{"text": "None did.", "url": "https://example.org/a", "stance": "refute"}]}]}, {"text": "It is good.", "decontextualized": "", "kind": "opinion", "factual": "NA", "claims": [{"claim": "It is good.", "kind": "opinion", "factual": "unknown", "evidence": []}]}]}"#,
        )
        .unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].id.as_str(), rows[0].label), ("1.1.1", Some(Label::Unfactual)));
        assert_eq!(rows[0].question.as_deref(), Some("Who ruled?"));
        assert_eq!(rows[0].evidence[0].source.as_deref(), Some("https://example.org/a"));
        assert_eq!((rows[1].id.as_str(), rows[1].label), ("1.2.1", None));
        assert_eq!(rows[1].groups["position"], "2");
    }
}
