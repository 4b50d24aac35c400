//! De-contextualisation by a model that can write (guan2024, Sec. 5.3 and App. C.6).

use crate::error::VerifyError;
use crate::judge::writing::writer::Writer;
use crate::judge::writing::{keeps, room};

/// The tokens that names in place of pronouns may take, beside [`room`].
const NAMES: usize = 32;

/// The prompt of Tab. 24.
fn prompt(context: &str, statement: &str) -> String {
    format!(
        "Task: Given a statement following its context, find all coreferences to the context in the statement, and replace them \
         with words that they refer to. Be careful not to change the original word order as much as possible.\n\
         For example, if the context is \"Mary loves pizzas.\", and the statement following the context is \"She eats them every \
         day.\", you should output \"Mary eats pizzas every day.\"\n\
         Now finish the following task:\n\
         Context: {context}\n\
         Statement following the context: {statement}\n\
         Output:"
    )
}

/// The statement as the model rewrites it to stand alone. `None` if there is no context, if the prompt is longer than
/// `max_tokens`, or if what the model wrote is no longer about the statement.
///
/// # Errors
/// Any error of the model.
pub(crate) async fn restate(
    writer: &impl Writer,
    context: &str,
    statement: &str,
    max_tokens: usize,
) -> Result<Option<String>, VerifyError> {
    let prompt = prompt(context, statement);
    if context.is_empty() || writer.tokenizer().count(&prompt)? > max_tokens {
        return Ok(None);
    }
    let steps = room(writer.tokenizer(), statement)? + NAMES;
    let written = writer.write(&prompt, max_tokens, steps).await?;
    let written = written.trim().trim_matches('"');
    Ok(keeps(statement, written).then(|| written.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::prompt;

    #[test]
    fn the_prompt_is_that_of_table_24() {
        assert_eq!(
            prompt("Iron is a metal.", "It rusts."),
            r#"Task: Given a statement following its context, find all coreferences to the context in the statement, and replace them with words that they refer to. Be careful not to change the original word order as much as possible.
For example, if the context is "Mary loves pizzas.", and the statement following the context is "She eats them every day.", you should output "Mary eats pizzas every day."
Now finish the following task:
Context: Iron is a metal.
Statement following the context: It rusts.
Output:"#
        );
    }
}
