//! A document in chunks of whole sentences, as MiniCheck's code makes them for its T5 (Tang et al. 2024;
//! Liyan06/MiniCheck, minicheck/inference.py).

use evident_verify::sentences_of_prose;

/// The most words of a chunk, unless a single sentence has more.
const WORDS: usize = 500;

/// The chunks of a document. Sentences are split by our own rules, in the published code by NLTK.
pub fn chunks(document: &str) -> Vec<String> {
    let line = |line: &str| sentences_of_prose(line).into_iter().map(|it| line[it.span].to_owned()).collect();
    packed(&document.split('\n').map(line).collect::<Vec<_>>(), WORDS)
}

/// The sentences of a document's `lines`, packed in order into chunks of at most `words` words. Line breaks between
/// sentences are kept.
fn packed(lines: &[Vec<String>], words: usize) -> Vec<String> {
    let mut chunks: Vec<String> = Vec::new();
    let (mut open, mut count) = (Vec::new(), 0);
    let mut close = |open: &mut Vec<&str>| {
        let chunk = open.join(" ").replace(" \n ", "\n");
        if !chunk.trim().is_empty() {
            chunks.push(chunk.trim().to_owned());
        }
        open.clear();
    };
    for (number, line) in lines.iter().enumerate() {
        let line_break = (number > 0).then_some("\n");
        for piece in line_break.into_iter().chain(line.iter().map(String::as_str)) {
            let size = piece.split_whitespace().count();
            if count + size > words {
                close(&mut open);
                count = 0;
            }
            open.push(piece);
            count += size;
        }
    }
    close(&mut open);
    chunks
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Golden {
        lines: Vec<Vec<String>>,
        words: usize,
        chunks: Vec<String>,
    }

    #[test]
    fn sentences_are_packed_as_the_published_code_does() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/aggrefact/chunks.json");
        let golden: Vec<Golden> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert!(golden.len() > 20);
        for Golden { lines, words, chunks } in golden {
            assert_eq!(packed(&lines, words), chunks, "{lines:?} by {words}");
        }
    }

    #[test]
    fn a_document_is_parted_between_its_sentences() {
        let document = "Iron rusts. Tin does not.\nDr. Curie did.";
        assert_eq!(chunks(document), [document]);
        let long = format!("{}end. ", "word ".repeat(299)).repeat(3);
        let found: Vec<usize> = chunks(&long).iter().map(|chunk| chunk.split_whitespace().count()).collect();
        assert_eq!(found, [300, 300, 300]);
        assert!(chunks(" \n ").is_empty());
    }
}
