//! Fills in templates, and cuts text to the words that a model has room for.

use evident_nn::NnError;

/// The template with its placeholders, such as `{question}`, replaced by their `values`. Placeholders inside a value
/// are not replaced.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        filled += &rest[..at];
        rest = &rest[at..];
        match values.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, value)) => {
                filled += value;
                rest = &rest[name.len()..];
            }
            None => {
                filled.push('{');
                rest = &rest[1..];
            }
        }
    }
    filled + rest
}

/// The first `words` words of `text` (all of them if `words` is 0), cut to the most whole words that have at most
/// `room` tokens by `measure`. One word always stays; the model cuts it if it is too long.
///
/// # Errors
/// Those of `measure`.
pub(super) fn fit(
    text: &str,
    words: usize,
    room: usize,
    measure: impl Fn(&str) -> Result<usize, NnError>,
) -> Result<&str, NnError> {
    let mut ends = word_ends(text);
    if words > 0 {
        ends.truncate(words);
    }
    let Some(&whole) = ends.last() else { return Ok("") };
    if ends.len() == 1 || measure(&text[..whole])? <= room {
        return Ok(&text[..whole]);
    }
    // Bisection, between a number of words that fits (or is 1) and one that is too long.
    let (mut fits, mut too_long) = (1, ends.len());
    while too_long - fits > 1 {
        let middle = usize::midpoint(fits, too_long);
        if measure(&text[..ends[middle - 1]])? <= room {
            fits = middle;
        } else {
            too_long = middle;
        }
    }
    Ok(&text[..ends[fits - 1]])
}

/// A text to follow a prompt: with a space before it, unless the prompt is empty or ends with white space.
pub(super) fn after(prompt: &str, text: &str) -> String {
    if prompt.is_empty() || prompt.ends_with(char::is_whitespace) { text.to_owned() } else { format!(" {text}") }
}

/// The log-probabilities of a text's own tokens. A seq2seq model gives one more, of its end token.
pub(super) fn without_end(mut tokens: Vec<f32>) -> Vec<f32> {
    tokens.pop();
    tokens
}

/// The end of each word, in bytes.
fn word_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut inside = false;
    for (at, char) in text.char_indices() {
        if inside && char.is_whitespace() {
            ends.push(at);
        }
        inside = !char.is_whitespace();
    }
    if inside {
        ends.push(text.len());
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_read_again() {
        let values = [("{question}", "Why {knowledge}?"), ("{knowledge}", "{question}")];
        assert_eq!(fill("{{knowledge} {x} {question}{", &values), "{{question} {x} Why {knowledge}?{");
    }

    #[test]
    fn a_prompt_and_what_follows_are_parted_once() {
        assert_eq!((after("Answer:", "Iron"), after("Answer:\n", "Iron")), (" Iron".into(), "Iron".into()));
        assert_eq!(after("", "Iron"), "Iron");
    }

    #[test]
    fn text_is_cut_to_whole_words_until_it_fits() {
        let letters = |text: &str| Ok(text.chars().count());
        assert_eq!(fit(" one two  three ", 0, 99, letters).unwrap(), " one two  three");
        assert_eq!(fit("one two three", 2, 99, letters).unwrap(), "one two");
        assert_eq!(fit("one two three", 0, 8, letters).unwrap(), "one two");
        assert_eq!(fit("one two three", 0, 0, letters).unwrap(), "one");
        assert_eq!(fit("", 0, 5, letters).unwrap(), "");
        assert_eq!(fit("日本 é", 1, 5, letters).unwrap(), "日本");
    }
}
