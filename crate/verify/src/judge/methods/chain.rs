//! Chain of thought (guan2024, App. C.4): the verifier gives reasons first, and its answer is read off their conclusion.

use evident_nn::{Generation, NnError, Tokenizer};

use crate::judge::answer_words::{AnswerWords, Judgment};

/// What the answer comes after in the demonstrations of Tab. 20.
const CONCLUSION: &str = "the answer is";

/// Decodes greedily for at most `max_steps` steps and reads p at the first answer word that directly follows the conclusion:
/// before it an "a" is an article. The judgment's rationale is the text up to there; without a conclusion p is 0.5.
pub(super) async fn judge(
    mut generation: Generation<'_>,
    tokenizer: &Tokenizer,
    words: &AnswerWords,
    max_steps: usize,
    hard: bool,
) -> Result<Judgment, NnError> {
    let (mut said, mut text) = (Vec::new(), String::new());
    for at in 0..max_steps {
        let Some(step) = generation.step().await? else { break };
        if concluded(&text)
            && let Some(p) = words.read(&step, hard)
        {
            return Ok(Judgment { p, answered_at: Some(at), rationale: Some(text) });
        }
        said.push(step.token);
        text = tokenizer.decode(&said)?;
    }
    Ok(Judgment { rationale: Some(text), ..Judgment::SILENT })
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
