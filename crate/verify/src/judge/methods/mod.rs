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

/// Asks the T5 with prompts for the settings' method: one, but for fusion in the decoder, which has one for each fact.
///
/// # Errors
/// [`VerifyError::NoRatings`], [`VerifyError::NotFinite`], and any error of the model.
pub(crate) async fn ask(
    writer: &impl Writer,
    words: &AnswerWords,
    prompts: &[Prompt],
    settings: &Settings,
) -> Result<T5Answer, VerifyError> {
    let Settings { max_tokens, max_steps, hard, .. } = *settings;
    let prompts: Vec<String> = prompts.iter().map(Prompt::to_string).collect();
    let answer = writer.begin(&prompts.iter().map(String::as_str).collect::<Vec<_>>(), max_tokens).await?;
    let answer = match settings.method {
        Method::Direct | Method::Fid => decode_answer(answer, max_steps, |step| words.read(step, hard)).await?,
        Method::ChainOfThought => decode_conclusion(answer, writer.tokenizer(), words, max_steps, hard).await?,
        Method::Likert => {
            let ratings = Ratings::new(writer.tokenizer()).ok_or(VerifyError::NoRatings)?;
            decode_answer(answer, max_steps, |step| ratings.read(step, hard)).await?
        }
    };
    if answer.p.is_finite() { Ok(answer) } else { Err(VerifyError::NotFinite { model: "verifier" }) }
}
