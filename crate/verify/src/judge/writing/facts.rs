//! Atomic facts as a model writes them, for FActScore (guan2024, Sec. 4.3; Min et al. 2023).

use evident_nn::Seq2Seq;

use crate::error::VerifyError;
use crate::judge::writing::{keeps, room};
use crate::text::sentences::sentences;

/// The facts of a statement, as the model writes them; `None` if it wrote none that is about the statement. The prompt
/// is our own, for the paper gives none.
///
/// # Errors
/// Any error of the model.
pub(crate) async fn written_facts(
    seq2seq: &Seq2Seq,
    statement: &str,
    max_tokens: usize,
) -> Result<Option<Vec<String>>, VerifyError> {
    let prompt = format!(
        "Task: Given a statement, write down every single fact that it states, each as one short sentence that can be understood \
         alone.\nStatement: {statement}\nOutput:"
    );
    let steps = 2 * room(seq2seq.tokenizer(), statement)?;
    let written = seq2seq.write(&prompt, max_tokens, steps).await?;
    let facts = sentences(&written).into_iter().map(|sentence| sentence.text);
    let facts: Vec<String> = facts.filter(|fact| keeps(fact, statement)).collect();
    Ok((!facts.is_empty()).then_some(facts))
}
