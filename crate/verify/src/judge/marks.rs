//! What is wrong in a contradicted statement: the words that the deciding passage contradicts, and what it says
//! instead. With a model for it, the words of any statement that no passage supports.

use std::ops::Range;

use evident_index::Passage;
use unicode_segmentation::UnicodeSegmentation;

use crate::error::VerifyError;
use crate::evidence::premises::Premise;
use crate::judge::judged_part::JudgedPart;
use crate::models::nli::NliModel;
use crate::report::Verdict;
use crate::text::differences::Differences;

/// The probability from which a word counts as wrong. The head was trained on statements with several wrong words; a
/// threshold above its 0.5 marks fewer words besides the one that decides (tests/data/minimal_pairs.jsonl).
const WRONG_FROM: f64 = 0.8;

/// The probability from which a word counts as unsupported: that of a token's likelier class, as in LettuceDetect.
#[cfg(not(target_family = "wasm"))]
const UNSUPPORTED_FROM: f64 = 0.5;

/// The wrong words of a statement.
#[derive(Default)]
pub(super) struct Marks {
    /// Their bytes in the statement, in order.
    pub words: Vec<Range<usize>>,
    /// The number of the deciding passage, the bytes of the wrongest words in the statement, and those of what the
    /// passage says instead in its text.
    pub instead: Option<(usize, Range<usize>, Range<usize>)>,
}

/// The wrong words of a part of `statement`; none if nothing contradicts it. The model marks them if it has a head for
/// that, else rules do.
///
/// # Errors
/// Any error of the model.
pub(super) async fn marks(nli: &NliModel, statement: &str, part: &JudgedPart) -> Result<Marks, VerifyError> {
    let Some(Contradiction { number, passage, premise }) = Contradiction::of(part) else {
        return Ok(Marks::default());
    };
    let said = part.text.as_str();
    let differences = differences(said, passage, premise);
    let words = match nli.marks(&premise.text, said).await? {
        Some(tokens) => wrong_words(said, &tokens, WRONG_FROM, true),
        None => differences.by_rule().into_iter().map(|word| (word, 1.0)).collect(),
    };
    let in_statement = |range: &Range<usize>| place_in(statement, &part.place, said, range);
    let instead = |word: &Range<usize>| Some((number, in_statement(word)?, differences.instead(word)?));
    Ok(Marks::of(words, in_statement, instead))
}

impl Marks {
    /// The words of `statement` that no passage supports. Each of `tokens` is a stretch of it with the probability that
    /// it is unsupported. `instead` is from the passage that contradicts `part`.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn of_unsupported(statement: &str, tokens: &[(Range<usize>, f64)], part: &JudgedPart) -> Self {
        let words = wrong_words(statement, tokens, UNSUPPORTED_FROM, false);
        let contradiction = Contradiction::of(part)
            .map(|Contradiction { number, passage, premise }| (number, differences(statement, passage, premise)));
        let instead = |word: &Range<usize>| {
            let (number, differences) = contradiction.as_ref()?;
            Some((*number, word.clone(), differences.instead(word)?))
        };
        Self::of(words, |word| Some(word.clone()), instead)
    }

    /// Words with the probability of each. `place` finds one in the statement, and `instead` says what a passage has in
    /// the place of the wrongest.
    fn of(
        mut words: Vec<(Range<usize>, f64)>,
        place: impl Fn(&Range<usize>) -> Option<Range<usize>>,
        instead: impl Fn(&Range<usize>) -> Option<(usize, Range<usize>, Range<usize>)>,
    ) -> Self {
        words.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let instead = words.first().and_then(|(word, _)| instead(word));
        let mut words: Vec<Range<usize>> = words.iter().filter_map(|(word, _)| place(word)).collect();
        words.sort_by_key(|word| word.start);
        Self { words, instead }
    }
}

/// What contradicts a part.
struct Contradiction<'a> {
    /// The number of the passage.
    number: usize,
    passage: &'a Passage,
    premise: &'a Premise,
}

impl<'a> Contradiction<'a> {
    /// `None` if nothing contradicts the part, or the T5 alone says that it is wrong.
    fn of(part: &'a JudgedPart) -> Option<Self> {
        let is_contradicted = matches!(part.decision.verdict, Verdict::Unfactual | Verdict::Mixed);
        let number = part.decision.deciding.last().filter(|_| is_contradicted).copied()?;
        let passage = part.passages.get(number)?;
        let (premise, triple) = passage.premise.as_ref()?;
        (!triple.entails()).then_some(Self { number, passage: &passage.hit.passage, premise })
    }
}

fn differences(said: &str, passage: &Passage, premise: &Premise) -> Differences {
    Differences::of(said, &passage.title, &passage.text, premise.read.clone(), premise.sentence.clone())
}

/// The place in `statement` of the words `range` of a part. A fact ends with the statement's words at `place` and a
/// full stop. Its subject comes before them and is looked for by word. `None` for words that the statement lacks.
fn place_in(statement: &str, place: &Range<usize>, part: &str, range: &Range<usize>) -> Option<Range<usize>> {
    if statement[place.clone()] == *part {
        return Some(place.start + range.start..place.start + range.end);
    }
    let end = part.len() - 1;
    let subject = end.checked_sub(place.len())?;
    let (from, to) = (range.start.max(subject), range.end.min(end));
    if from < to {
        return Some(place.start + from - subject..place.start + to - subject);
    }
    let word = statement.unicode_word_indices().find(|(_, word)| word.eq_ignore_ascii_case(&part[range.clone()]));
    word.map(|(start, word)| start..start + word.len())
}

/// The words that have a token with a probability of `from` or more, each with its highest probability; neighbours are
/// joined. If there are none and `one` is set, the word with the highest probability. `tokens` are stretches of `said`
/// with their probabilities, in order.
fn wrong_words(said: &str, tokens: &[(Range<usize>, f64)], from: f64, one: bool) -> Vec<(Range<usize>, f64)> {
    let of_word = |(start, word): (usize, &str)| {
        let range = start..start + word.len();
        let touches = |token: &Range<usize>| token.start < range.end && range.start < token.end;
        let most = tokens.iter().filter(|(token, _)| touches(token)).map(|(_, p)| *p).reduce(f64::max)?;
        Some((range, most))
    };
    let mut words: Vec<(Range<usize>, f64)> = said.unicode_word_indices().filter_map(of_word).collect();
    let most = words.iter().map(|(_, p)| *p).fold(0.0, f64::max);
    let from = if one { from.min(most) } else { from };
    words.retain(|(_, p)| *p >= from);
    let mut joined: Vec<(Range<usize>, f64)> = Vec::new();
    for (word, p) in words {
        match joined.last_mut() {
            Some((last, most)) if &said[last.end..word.start] == " " => {
                last.end = word.end;
                *most = most.max(p);
            }
            _ => joined.push((word, p)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_facts_words_are_found_where_the_statement_says_them() {
        let statement = "Alan Turing, a mathematician, was painted in 1938 and died in 1954.";
        let found = |fact: &str, said: &str, words: &str| {
            let (at, start) = (statement.find(said).unwrap(), fact.find(words).unwrap());
            let place = place_in(statement, &(at..at + said.len()), fact, &(start..start + words.len()));
            place.map(|place| (place.start, &statement[place]))
        };
        let died = "Alan Turing died in 1954.";
        assert_eq!(found(died, "died in 1954", "in 1954"), Some((59, "in 1954")));
        assert_eq!(found(died, "died in 1954", "Turing"), Some((5, "Turing")));
        let was = "Alan Turing was a mathematician.";
        assert_eq!(found(was, "a mathematician", "was a mathematician"), Some((13, "a mathematician")));
    }

    #[test]
    fn tokens_become_words_and_neighbours_one_stretch() {
        let said = "James Joyce wrote Dracula.";
        let tokens = [(0..5, 0.9), (6..9, 0.4), (9..11, 0.8), (12..17, 0.1), (18..25, 0.2), (25..26, 0.9)];
        let wrong_words = |said: &str, tokens: &[_]| wrong_words(said, tokens, WRONG_FROM, true);
        assert_eq!(wrong_words(said, &tokens), [(0..11, 0.9)]);
        let weak = tokens.map(|(token, p)| (token, p / 10.0));
        assert_eq!(wrong_words(said, &weak), [(0..5, 0.09)]);
        assert_eq!(wrong_words("8,120 km", &[(0..1, 0.9), (1..2, 0.1), (2..5, 0.2)]), [(0..5, 0.9)]);
        assert_eq!(wrong_words(said, &[]), []);
        assert_eq!(super::wrong_words(said, &weak, UNSUPPORTED_FROM, false), []);
    }
}
