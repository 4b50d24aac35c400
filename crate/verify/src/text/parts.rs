//! Splits a statement that is too long for a model into parts that are not, so that all of it is judged.

use std::ops::Range;

use crate::text::sentences::sentences_of_prose;

/// The parts of `text`, by their bytes and in order, each of which `fits`, unless it is a single character. Only white
/// space is left out.
///
/// A text that does not fit is split at the end of a sentence, else at a semicolon, at a comma, at a space, or between
/// two characters: at the place of that kind that is nearest to the middle.
///
/// # Errors
/// Those of `fits`.
pub(crate) fn fitting_parts<E>(text: &str, fits: impl Fn(&str) -> Result<bool, E>) -> Result<Vec<Range<usize>>, E> {
    let mut parts = Vec::new();
    let mut rest = vec![trimmed(text, 0..text.len())];
    while let Some(part) = rest.pop() {
        let middle = match fits(&text[part.clone()])? {
            true => None,
            false => break_near_the_middle(&text[part.clone()]),
        };
        match middle {
            Some(middle) => {
                let middle = part.start + middle;
                rest.push(trimmed(text, middle..part.end));
                rest.push(trimmed(text, part.start..middle));
            }
            None if part.is_empty() => {}
            None => parts.push(part),
        }
    }
    Ok(parts)
}

/// The place to split a text into two parts, neither of them empty; `None` for a single character.
fn break_near_the_middle(text: &str) -> Option<usize> {
    let nearest = |places: &mut dyn Iterator<Item = usize>| {
        let inside = places.filter(|&place| 0 < place && !text[place..].trim().is_empty());
        inside.min_by_key(|place| place.abs_diff(text.len() / 2))
    };
    let after = |mark: char| text.match_indices(mark).map(move |(at, _)| at + mark.len_utf8());
    nearest(&mut sentences_of_prose(text).into_iter().map(|sentence| sentence.span.end))
        .or_else(|| nearest(&mut after(';')))
        .or_else(|| nearest(&mut after(',')))
        .or_else(|| nearest(&mut text.match_indices(char::is_whitespace).map(|(at, _)| at)))
        .or_else(|| nearest(&mut text.char_indices().map(|(at, _)| at)))
}

/// A stretch of `text`, without the white space at its ends.
fn trimmed(text: &str, Range { start, end }: Range<usize>) -> Range<usize> {
    let part = &text[start..end];
    let start = start + part.len() - part.trim_start().len();
    start..(start + part.trim().len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(text: &str, most: usize) -> Vec<&str> {
        let fits = |part: &str| Ok::<_, ()>(part.chars().count() <= most);
        fitting_parts(text, fits).unwrap().into_iter().map(|part| &text[part]).collect()
    }

    #[test]
    fn a_text_is_split_at_sentences_then_at_marks_then_at_words() {
        assert_eq!(parts("Iron rusts.", 20), ["Iron rusts."]);
        assert_eq!(parts("Iron rusts. Tin does not.", 20), ["Iron rusts.", "Tin does not."]);
        assert_eq!(parts("iron rusts, tin shines", 20), ["iron rusts,", "tin shines"]);
        assert_eq!(parts("one two three four", 10), ["one two", "three four"]);
        assert_eq!(parts("eeeeeeee", 4), ["eeee", "eeee"]);
        assert!(parts("  ", 4).is_empty());
    }

    proptest! {
        #[test]
        fn all_of_a_text_is_in_its_parts_and_each_fits(text in "[a-c,;. é🪐]{0,80}", most in 1_usize..20) {
            let found = parts(&text, most);
            prop_assert!(found.iter().all(|part| part.chars().count() <= most));
            let words = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(words(&found.concat()), words(&text));
        }
    }
}
