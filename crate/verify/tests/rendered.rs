//! What a page shows is read as the Markdown that it was made of: tests/data/rendered.jsonl has twenty answers as
//! Markdown, as HTML and as the blocks that the page's reader makes of that HTML. tests/e2e/page-text.test.mjs checks
//! the blocks against the HTML.

use evident_verify::{Block, Input, Settings, Split, split};
use serde::Deserialize;

const ANSWERS: &str = include_str!("../../../tests/data/rendered.jsonl");

#[derive(Deserialize)]
struct Answer {
    markdown: String,
    blocks: Vec<Block>,
}

fn read(input: Input) -> Split {
    split(input, None, &Settings::default()).unwrap()
}

#[test]
fn a_rendered_answer_makes_the_statements_of_its_markdown() {
    let answers: Vec<Answer> = ANSWERS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 20);
    for Answer { markdown, blocks } in answers {
        let blocks = Input::Blocks(blocks);
        let shown = blocks.text().into_owned();
        let [written, rendered] = [Input::Markdown(markdown.clone()), blocks].map(read);
        let statements = |found: &Split| -> Vec<(String, Vec<Option<String>>)> {
            let cited = |sentence: &evident_verify::UnjudgedSentence| {
                sentence.citations.iter().map(|citation| citation.address.clone()).collect()
            };
            found.sentences.iter().map(|sentence| (sentence.statement.clone(), cited(sentence))).collect()
        };
        assert_eq!(statements(&rendered), statements(&written), "{markdown}");
        let left_out =
            |found: &Split| -> Vec<_> { found.left_out.iter().map(|out| (out.text.clone(), out.kind)).collect() };
        assert_eq!(left_out(&rendered), left_out(&written), "{markdown}");
        for sentence in rendered.sentences {
            let stands = sentence.span.of(&shown).replace(['\n', '\t'], " ");
            let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).next().map(str::to_owned);
            assert_eq!(words(&stands), words(&sentence.text), "where it stands in {shown}");
        }
    }
}
