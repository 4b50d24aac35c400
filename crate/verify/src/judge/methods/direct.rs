//! The direct question: the first answer word decides (guan2024, Sec. 4.2).

use evident_nn::{DecodingStep, NnError};

use crate::judge::answer_words::T5Answer;
use crate::judge::writing::writer::Steps;

/// Decodes greedily, at most `max_steps` steps, until `read` gives the p of a step.
///
/// # Errors
/// Any error of the model.
pub(super) async fn decode_answer(
    mut answer: impl Steps,
    max_steps: usize,
    read: impl Fn(&DecodingStep) -> Option<f64>,
) -> Result<T5Answer, NnError> {
    for at in 0..max_steps {
        let Some(step) = answer.step().await? else { break };
        if let Some(p) = read(&step) {
            return Ok(T5Answer { p, answered_at: Some(at), rationale: None });
        }
    }
    Ok(T5Answer::SILENT)
}
