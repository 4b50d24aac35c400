//! The ways to ask a T5: the direct question, a chain of thought, a rating (guan2024, Sec. 4.2 and App. C.4).

mod chain;
mod direct;
mod likert;

use crate::error::VerifyError;
use crate::judge::answer_words::{AnswerWords, T5Answer};
use crate::judge::methods::chain::decode_conclusion;
use crate::judge::methods::direct::decode_answer;
use crate::judge::methods::likert::Ratings;
use crate::judge::prompt::Prompt;
use crate::judge::writing::writer::Writer;
use crate::settings::{Method, Settings};

/// Asks the T5 with a prompt for the settings' method.
///
/// # Errors
/// [`VerifyError::NoRatings`], [`VerifyError::NotFinite`], and any error of the model.
pub(crate) async fn ask(
    writer: &impl Writer,
    words: &AnswerWords,
    prompt: &Prompt,
    settings: &Settings,
) -> Result<T5Answer, VerifyError> {
    let Settings { max_tokens, max_steps, hard, .. } = *settings;
    let answer = writer.begin(&prompt.to_string(), max_tokens).await?;
    let answer = match settings.method {
        Method::Direct => decode_answer(answer, max_steps, |step| words.read(step, hard)).await?,
        Method::ChainOfThought => decode_conclusion(answer, writer.tokenizer(), words, max_steps, hard).await?,
        Method::Likert => {
            let ratings = Ratings::new(writer.tokenizer()).ok_or(VerifyError::NoRatings)?;
            decode_answer(answer, max_steps, |step| ratings.read(step, hard)).await?
        }
    };
    if answer.p.is_finite() { Ok(answer) } else { Err(VerifyError::NotFinite { model: "verifier" }) }
}
