//! The ways to ask a verifier beside the direct question (guan2024, Sec. 5.2 and App. C.4), and what a generating model does
//! before it is asked: it rewrites a statement (App. C.6) or splits it (Sec. 4.3, FActScore).

mod chain;
mod likert;

use evident_nn::{Seq2Seq, Tokenizer};
use unicode_segmentation::UnicodeSegmentation;

use crate::error::VerifyError;
use crate::judge::answer_words::{AnswerWords, Judgment, judge};
use crate::judge::prompt::Prompt;
use crate::settings::{Method, Settings};

use likert::Ratings;

/// Asks the verifier with a prompt made for the settings' method.
///
/// # Errors
/// [`VerifyError::NoRatings`], [`VerifyError::NotFinite`], and whatever keeps the model from working.
pub(crate) async fn ask(
    seq2seq: &Seq2Seq,
    words: &AnswerWords,
    prompt: &Prompt,
    settings: &Settings,
) -> Result<Judgment, VerifyError> {
    let Settings { max_tokens, max_steps, hard, .. } = *settings;
    let generation = seq2seq.generate(&prompt.to_string(), max_tokens).await?;
    let judgment = match settings.method {
        Method::Direct => judge(generation, max_steps, |step| words.read(step, hard)).await?,
        Method::ChainOfThought => chain::judge(generation, seq2seq.tokenizer(), words, max_steps, hard).await?,
        Method::Likert => {
            let ratings = Ratings::new(seq2seq.tokenizer()).ok_or(VerifyError::NoRatings)?;
            judge(generation, max_steps, |step| ratings.read(step, hard)).await?
        }
    };
    if judgment.p.is_finite() { Ok(judgment) } else { Err(VerifyError::NotFinite { model: "verifier" }) }
}

/// How many tokens to let a model write where about `text` comes back, twice over.
pub(crate) fn room(tokenizer: &Tokenizer, text: &str) -> Result<usize, VerifyError> {
    Ok(2 * tokenizer.count(text)?)
}

/// Whether what a model wrote is still about the statement: it has at least half of its words. A model that cannot write gives
/// something else, or nothing.
pub(crate) fn keeps(statement: &str, written: &str) -> bool {
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
    fn what_lost_most_of_the_statement_is_not_of_it() {
        assert!(keeps("She eats them every day.", "Mary eats pizzas every day."));
        assert!(!keeps("She eats them every day.", "a a a every every"));
        assert!(!keeps("She eats.", "") && !keeps("", ""));
    }
}
