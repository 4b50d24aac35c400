//! What a T5 that can write text is asked for: a statement that stands alone, or its atomic facts.

pub(crate) mod facts;
pub(crate) mod restate;
pub(crate) mod writer;

use evident_nn::Tokenizer;
use unicode_segmentation::UnicodeSegmentation;

use crate::error::VerifyError;

/// The most tokens that a model may write for a rewritten `text`: twice its own.
pub(super) fn room(tokenizer: &Tokenizer, text: &str) -> Result<usize, VerifyError> {
    Ok(2 * tokenizer.count(text)?)
}

/// Whether what a model wrote is still about the statement: it has at least half of its words. A model that cannot
/// write gives something else, or nothing.
pub(super) fn keeps(statement: &str, written: &str) -> bool {
    let written: Vec<String> = written.unicode_words().map(str::to_lowercase).collect();
    let (mut kept, mut all) = (0, 0);
    for word in statement.unicode_words() {
        all += 1;
        kept += usize::from(written.contains(&word.to_lowercase()));
    }
    !written.is_empty() && 2 * kept >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_most_of_the_statement_is_not_about_it() {
        assert!(keeps("She eats them every day.", "Mary eats pizzas every day."));
        assert!(!keeps("She eats them every day.", "a a a every every"));
        assert!(!keeps("She eats.", "") && !keeps("", ""));
    }
}
