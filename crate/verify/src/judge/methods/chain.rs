//! Chain of thought (guan2024, App. C.4): the T5 gives reasons first, and their conclusion is its answer.

use evident_nn::{NnError, Tokenizer};

use crate::judge::answer_words::{AnswerWords, T5Answer};
use crate::judge::writing::writer::Steps;

/// The words before the answer in the demonstrations of Tab. 20.
const CONCLUSION: &str = "the answer is";

/// Decodes greedily, at most `max_steps` steps, and reads p at the first answer word that directly follows the
/// conclusion: an "a" before it is an article. The rationale is the text before that word; without a conclusion p is
/// 0.5.
///
/// # Errors
/// Any error of the model.
pub(super) async fn decode_conclusion(
    mut answer: impl Steps,
    tokenizer: &Tokenizer,
    words: &AnswerWords,
    max_steps: usize,
    hard: bool,
) -> Result<T5Answer, NnError> {
    let (mut said, mut text) = (Vec::new(), String::new());
    for at in 0..max_steps {
        let Some(step) = answer.step().await? else { break };
        if concluded(&text)
            && let Some(p) = words.read(&step, hard)
        {
            return Ok(T5Answer { p, answered_at: Some(at), rationale: Some(text) });
        }
        said.push(step.token);
        text = tokenizer.decode(&said)?;
    }
    Ok(T5Answer { rationale: Some(text), ..T5Answer::SILENT })
}

/// Whether the answer comes next.
fn concluded(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.rsplit_once(CONCLUSION).is_some_and(|(_, rest)| !rest.contains(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::concluded;

    #[test]
    fn the_answer_comes_right_after_the_conclusion() {
        assert!(concluded("Iron rusts. So the statement is correct; the answer is"));
        assert!(concluded("So The Answer is: \""));
        assert!(!concluded("Iron is a metal, so"));
        assert!(!concluded("The answer is not plain, for"));
        assert!(!concluded(""));
    }
}
