//! Fills templates in, and cuts text to whole words so that what matters more still fits into a model.

use evident_nn::NnError;

/// The template with each `{name}` of `values` replaced, in one pass: what is filled in is never read as a template.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
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

/// The first `words` words of `text` (all of them where `words` is 0), and of these as many as `measure` finds no longer
/// than `room` tokens, but one at least: a model cuts what then still is too long.
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
    // By halving, between a count of words that is kept in any case and one that is known to be too long.
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

/// Text that goes on after a prompt: a space parts the two where the prompt does not end with one.
pub(super) fn after(prompt: &str, text: &str) -> String {
    if prompt.is_empty() || prompt.ends_with(char::is_whitespace) { text.to_owned() } else { format!(" {text}") }
}

/// The text's own tokens: the last that a seq2seq model gives a probability for is the end token.
pub(super) fn without_end(mut tokens: Vec<f32>) -> Vec<f32> {
    tokens.pop();
    tokens
}

/// Where each word ends, in bytes.
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
