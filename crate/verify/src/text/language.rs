//! Whether a sentence is English, which is all that the models read.
//!
//! The commonest short words of English are counted against the short words of other languages and against words with
//! letters that English lacks. A sentence in doubt, such as one of names, counts as English.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{COMMON, LOANS};

/// Short words of other languages. After its first line, the file has a language per line: "German: das und ist".
static OTHERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lists = include_str!("languages.txt").lines().skip(1).filter_map(|line| line.split_once(": "));
    lists.flat_map(|(_, words)| words.split(' ')).collect()
});

/// Short words that stand in names too: "Leonardo da Vinci", "Rio de Janeiro".
const PARTICLES: [&str; 26] = [
    "al", "da", "dal", "de", "dei", "del", "della", "dello", "den", "der", "des", "di", "do", "dos", "du", "e", "el",
    "la", "las", "le", "lo", "los", "ter", "von", "y", "zu",
];

/// What is elided before an apostrophe: "l'eau", "dell'acqua".
const ELIDED: [&str; 11] = ["all", "c", "d", "dell", "j", "l", "n", "nell", "qu", "s", "un"];

/// Common words of English that other languages have too. Two of them are a sign of English, and an "a" directly after
/// one counts as another.
const SHARED: [&str; 5] = ["an", "for", "is", "to", "was"];

/// The fewest letters of another script by which a sentence can count as written in it.
const FEW_LETTERS: usize = 2;

/// The fewest words of a sentence in which a single word can show its language.
const FEW_WORDS: usize = 3;

/// Which of an answer's sentences are in another language than English. If most of an answer is in another language, a
/// sentence of it counts as English only if it has a word of English.
pub(crate) fn are_foreign<'a>(sentences: impl Iterator<Item = &'a str>) -> Vec<bool> {
    let counts: Vec<Counts> = sentences.map(Counts::of).collect();
    let foreign = counts.iter().filter(|counts| counts.is_foreign()).count();
    let english = counts.iter().filter(|counts| !counts.is_foreign() && counts.english > 0).count();
    let is_answer_foreign = foreign > english;
    counts.iter().map(|counts| counts.is_foreign() || is_answer_foreign && counts.english == 0).collect()
}

/// The words of a sentence that tell its language.
struct Counts {
    words: usize,
    english: usize,
    shared: usize,
    other: usize,
    /// Whether most of its letters are of another script than the Latin one.
    is_in_another_script: bool,
}

impl Counts {
    fn of(sentence: &str) -> Self {
        let letters = sentence.chars().filter(|c| c.is_alphabetic());
        let (latin, foreign): (Vec<char>, Vec<char>) = letters.partition(|&c| is_latin(c));
        let words: Vec<&str> = sentence.unicode_words().filter(|word| word.starts_with(char::is_alphabetic)).collect();
        let mut counts = Self {
            words: words.len(),
            english: 0,
            shared: 0,
            other: 0,
            is_in_another_script: foreign.len() >= FEW_LETTERS && foreign.len() > latin.len(),
        };
        let mut is_named = false; // whether a name follows, perhaps after particles
        for (i, word) in words.iter().enumerate().rev() {
            let is_particle = PARTICLES.contains(word);
            if !is_particle {
                is_named = word.starts_with(char::is_uppercase);
            }
            let is_name = i > 0 && word.starts_with(char::is_uppercase);
            let lower = word.to_lowercase();
            let start = lower.split(['\'', '’']).next().unwrap_or_default();
            let is_abbreviation = words.get(i + 1) == Some(&"al"); // "et al."
            if is_name || is_abbreviation {
                continue;
            }
            if COMMON.has(start) {
                counts.english += 1;
            } else if SHARED.contains(&start) || start == "a" && i > 0 && SHARED.contains(&words[i - 1]) {
                counts.shared += 1;
            } else if is_of_another_language(word, &lower, start) && !(is_particle && is_named) {
                counts.other += 1;
            }
        }
        counts
    }

    fn is_foreign(&self) -> bool {
        let english = if self.english == 0 { 0 } else { self.english + self.shared };
        let one_word_tells = self.english == 0 && self.shared < 2 && self.words >= FEW_WORDS;
        self.is_in_another_script || self.other > english && (self.other > 1 || one_word_tells)
    }
}

/// True if a word shows another language. An accent alone does not show it in a capitalised word, which may be a name,
/// nor in a loanword.
fn is_of_another_language(word: &str, lower: &str, start: &str) -> bool {
    let is_elided = start.len() < lower.len() && ELIDED.contains(&start);
    let is_marked = !lower.is_ascii() && lower.chars().nth(1).is_some();
    OTHERS.contains(lower) || is_elided || is_marked && !word.starts_with(char::is_uppercase) && !LOANS.has(start)
}

/// Whether `c` is a Latin letter, with or without marks, or a phonetic one.
fn is_latin(c: char) -> bool {
    matches!(c, '\0'..='\u{2af}' | '\u{1d00}'..='\u{1eff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(answer: &[&str]) -> Vec<bool> {
        are_foreign(answer.iter().copied())
    }

    #[test]
    fn sentences_in_other_languages_are_told_from_english_ones() {
        for sentence in [
            "Der Rhein entspringt in den Schweizer Alpen.",
            "L'eau bout à cent degrés.",
            "Los pingüinos no pueden volar.",
            "Il cuore ha quattro cavità.",
            "A água ferve a cem graus.",
            "Het hart heeft vier kamers.",
            "Kraków leży nad Wisłą.",
            "Ön är känd för sina klippor.",
            "Это неправда.",
            "光は音よりも速く進みます。",
        ] {
            assert_eq!(foreign(&[sentence]), [true], "{sentence}");
        }
    }

    #[test]
    fn english_with_foreign_names_and_words_is_english() {
        for sentence in [
            "Miguel de Cervantes wrote Don Quixote de la Mancha.",
            "Rafael van der Vaart is a Dutch footballer.",
            "Rio de Janeiro is not the capital.",
            "Zhou et al. found four.",
            "\"Je pense, donc je suis\" is what the philosopher René Descartes is best known for having said.",
            "Antonín Dvořák was a Czech composer.",
            "Akan is a Kwa language.",
            "6 CO₂ + 6 H₂O → C₆H₁₂O₆ + 6 O₂",
            "α, β and γ are Greek letters.",
            "Paris",
            "El Niño",
        ] {
            assert_eq!(foreign(&[sentence]), [false], "{sentence}");
        }
    }

    #[test]
    fn a_word_spelt_as_in_another_language_or_with_a_mark_is_no_sign_of_it() {
        for sentence in [
            "Norway won ten medals.",
            "Bach's son wrote operas.",
            "Caesar met Cleopatra.",
            "Cows ate hay.",
            "A hat covers heads.",
            "Pelé scored 1,281 goals.",
            "Kraków became Poland's capital.",
            "Simón Bolívar liberated Peru.",
            "Cafés serve crème brûlée.",
        ] {
            assert_eq!(foreign(&[sentence]), [false], "{sentence}");
        }
    }

    #[test]
    fn a_sentence_in_doubt_is_in_the_language_of_its_answer() {
        let doubtful = "Rembrandt schilderde de Nachtwacht in 1642.";
        assert_eq!(foreign(&[doubtful]), [false]);
        assert_eq!(foreign(&[doubtful, "Het hangt in het Rijksmuseum."]), [true, true]);
        assert_eq!(foreign(&["Het hangt in het Rijksmuseum.", "That means it hangs there."]), [true, false]);
    }
}
