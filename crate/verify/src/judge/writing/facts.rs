//! Atomic facts as a model writes them, for FActScore (guan2024, Sec. 4.3; Min et al. 2023).

use crate::error::VerifyError;
use crate::judge::writing::writer::Writer;
use crate::judge::writing::{keeps, room};
use crate::text::sentences::sentences_of_prose;

/// The prompt, which is our own, for the paper gives none.
fn prompt(statement: &str) -> String {
    format!(
        "Task: Given a statement, write down every single fact that it states, each as one short sentence that can be understood \
         alone.\nStatement: {statement}\nOutput:"
    )
}

/// The facts of a statement, as the model writes them; `None` if it wrote none that is about the statement.
///
/// # Errors
/// Any error of the model.
pub(crate) async fn written_facts(
    writer: &impl Writer,
    statement: &str,
    max_tokens: usize,
) -> Result<Option<Vec<String>>, VerifyError> {
    let steps = 2 * room(writer.tokenizer(), statement)?;
    let written = writer.write(&prompt(statement), max_tokens, steps).await?;
    let facts = sentences_of_prose(&written).into_iter().map(|sentence| sentence.text);
    let facts: Vec<String> = facts.filter(|fact| keeps(fact, statement)).collect();
    Ok((!facts.is_empty()).then_some(facts))
}
