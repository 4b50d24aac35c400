//! English: words in lower case without stop words, stemmed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

use super::normal::{begins_with_group, ends_with_group};

/// The analysis's name and version. Any change to the terms is a new version.
pub(super) const NAME: &str = "english/3";

/// Lucene's English stop words (`EnglishAnalyzer`).
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
];

/// The stop words as [`packed`] makes them.
const PACKED_STOP_WORDS: [u64; STOP_WORDS.len()] = {
    let mut all = [0; STOP_WORDS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = packed(STOP_WORDS[at].as_bytes());
        at += 1;
    }
    all
};

/// This many stop words in a row form a term, so that "to be or not to be" can be found.
const RUN: usize = 4;

/// The most letters of the shorter part of a compound that is also written as one word: "Wi-Fi", "e-mail".
const SHORT: usize = 3;

/// The least groups of three digits with plain spaces before them that make one number with the digits before: "1 000
/// 000". A single one may be a number of its own: "in 1990 300 people", "on 5 May 200 men".
const GROUPS: usize = 2;

/// Units that are parted from a number right before them, in capitals or not. Those of one letter are so only behind two
/// digits or more, because "5G" and "3M" are names. The endings of "3D", "1990s" and "2nd" are not among them.
const UNITS: &[&str] = &[
    "am", "bar", "cc", "cl", "cm", "db", "dl", "ev", "ft", "g", "gb", "gbps", "gev", "ghz", "gw", "gwh", "h", "ha",
    "hp", "hpa", "hr", "hrs", "hz", "in", "kb", "kbps", "kcal", "kg", "khz", "kj", "km", "kmh", "kn", "kpa", "kph",
    "kv", "kw", "kwh", "l", "lb", "lbs", "m", "mah", "mb", "mbps", "mev", "mg", "mhz", "mi", "min", "ml", "mm", "mph",
    "ms", "mw", "mwh", "nm", "oz", "pm", "rpm", "tb", "v", "w", "yd", "μg", "μm", "μs",
];

/// Endings of short forms, whose apostrophe stays: "don't", "we've". A genitive's goes with its "s".
const SHORT_FORMS: [&str; 7] = ["d", "ll", "m", "re", "s", "t", "ve"];

/// Plurals that a stemmer does not know, each with its singular.
static PLURALS: LazyLock<HashMap<&str, &str, RandomState>> =
    LazyLock::new(|| include_str!("plurals.txt").lines().skip(1).filter_map(|line| line.split_once(' ')).collect());

/// The stems of British spellings, each with that of the American one.
static SPELLINGS: LazyLock<HashMap<String, String, RandomState>> = LazyLock::new(|| {
    let pairs = include_str!("spellings.txt").lines().skip(1).filter_map(|line| line.split_once(' '));
    pairs.map(|(american, british)| (stem(british).into_owned(), stem(american).into_owned())).collect()
});

/// True for a stop word, in capitals or not. It runs for every word of a text, so it allocates no string.
fn is_stop_word(word: &str) -> bool {
    word.len() < size_of::<u64>() && PACKED_STOP_WORDS.contains(&packed(word.as_bytes()))
}

/// A word of less than eight bytes as one integer, with ASCII's letters in lower case. A 1 before the letters marks the
/// length.
const fn packed(word: &[u8]) -> u64 {
    let (mut packed, mut at) = (1, 0);
    while at < word.len() {
        packed = packed << u8::BITS | word[at].to_ascii_lowercase() as u64;
        at += 1;
    }
    packed
}

/// The stretches of a normalised text that terms are made of, in its order: words by UAX #29, with the signs of "C++"
/// and "C#"; numbers with spaces between their groups of digits, and parted from a unit behind them; compounds of two
/// words, one of them short, after their first word; and every four stop words in a row.
pub(super) fn stretches(text: &str) -> Vec<&str> {
    let words: Vec<(usize, &str)> = text.unicode_word_indices().collect();
    let mut found = Vec::with_capacity(words.len());
    let (mut run, mut read) = (0, 0);
    for (at, &(start, word)) in words.iter().enumerate() {
        if start < read {
            continue; // a group of a number
        }
        let end = start + word.len();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let last = words[at + groups(&text[..end], &text[end..])];
            read = last.0 + last.1.len();
            let (number, unit) = parted(&text[start..read]);
            found.extend([number, unit].into_iter().filter(|part| !part.is_empty()));
            run = 0;
            continue;
        }
        found.push(&text[start..end + signs(word, &text[end..])]);
        if let Some(&(next, second)) = words.get(at + 1)
            && is_compound(word, &text[end..next], second)
            && !text[..start].ends_with('-')
            && !text[next + second.len()..].starts_with('-')
        {
            found.push(&text[start..next + second.len()]);
        }
        run = if is_stop_word(word) { run + 1 } else { 0 };
        if run >= RUN {
            found.push(&text[words[at + 1 - RUN].0..end]);
        }
    }
    found
}

/// How many groups of digits at the beginning of `rest` go on with the number at the end of `before`.
fn groups(before: &str, mut rest: &str) -> usize {
    if !ends_with_group(before) {
        return 0;
    }
    let mut count = 0;
    while let Some(behind) = rest.strip_prefix(' ').filter(|behind| begins_with_group(behind)) {
        rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
        count += 1;
    }
    if count >= GROUPS { count } else { 0 }
}

/// A number and the unit right behind it, which may be squared or cubed; all of `word` and nothing if it has none.
fn parted(word: &str) -> (&str, &str) {
    let (number, rest) = word.split_at(word.find(|c| !matches!(c, '0'..='9' | '.' | ',' | ' ')).unwrap_or(word.len()));
    let unit = rest.trim_end_matches(['2', '3']);
    let is_unit = rest.len() + number.len() > 2 && UNITS.iter().any(|known| known.eq_ignore_ascii_case(unit));
    if is_unit { (number, rest) } else { (word, "") }
}

/// The bytes of the signs that belong to a letter: those of "C++", "C#" and "F#".
fn signs(word: &str, rest: &str) -> usize {
    let length = match rest.as_bytes() {
        [b'+', b'+', ..] => 2,
        [b'#', ..] => 1,
        _ => 0,
    };
    let ends = !rest[length..].starts_with(|c: char| c.is_alphanumeric());
    if word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic()) && ends { length } else { 0 }
}

fn is_compound(first: &str, between: &str, second: &str) -> bool {
    let are_letters = [first, second].iter().all(|word| word.chars().all(char::is_alphabetic));
    matches!(between, "-" | "\u{2010}") && are_letters && first.chars().count().min(second.chars().count()) <= SHORT
}

/// The term of a stretch; `None` for a stop word. Years and decimal numbers stay as they are; the commas of `1,234,567`
/// and the spaces of `1 234 567` are removed, so that both match `1234567`. Other words are stemmed by Snowball's
/// English stemmer (Porter 2).
pub(super) fn term(stretch: &str) -> Option<String> {
    let word = stretch.to_lowercase();
    if word.chars().all(char::is_alphanumeric) {
        return stemmed(&word); // most words
    }
    let word = word.replace('’', "'").replace(',', "");
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return stemmed(&word.replace(' ', ""));
    }
    let words: Vec<&str> = word.unicode_words().collect();
    if words.len() == RUN {
        return Some(words.join(" "));
    }
    if word.ends_with(['+', '#']) {
        return Some(word);
    }
    let joined: String = if is_abbreviation(&word) {
        word.replace('.', "")
    } else {
        word.chars().filter(|c| !matches!(c, '-' | '\u{2010}')).collect()
    };
    stemmed(without_article(&without_okina(&joined)))
}

/// A word in lower case without its ending; `None` for a stop word.
fn stemmed(word: &str) -> Option<String> {
    (!is_stop_word(word)).then(|| {
        let word = word.strip_suffix("'s").unwrap_or(word);
        let word = PLURALS.get(word).copied().unwrap_or(word);
        let stem = stem(word);
        SPELLINGS.get(&*stem).cloned().unwrap_or_else(|| stem.into_owned())
    })
}

/// The stem of a word in lower case, by Snowball's English stemmer.
fn stem(word: &str) -> Cow<'_, str> {
    Stemmer::create(Algorithm::English).stem(word)
}

/// Whether points stand between single letters: "U.S".
fn is_abbreviation(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}

/// A word without what stands for the okina or another sound between its letters: "Hawai'i", "O‘ahu", "Qur'an". The
/// apostrophes behind a single letter ("O'Brien"), behind "qu" and of short forms stay.
fn without_okina(word: &str) -> String {
    let word = word.replace('‘', "");
    let mut parts = word.split('\'');
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if made.chars().count() < 2 || made == "qu" || SHORT_FORMS.contains(&part) {
            made.push('\'');
        }
        made.push_str(part);
    }
    made
}

/// A word without a French article before its apostrophe: "l'Hôpital", "d'Ivoire".
fn without_article(word: &str) -> &str {
    let behind = ["l'", "d'", "qu'"].iter().find_map(|article| word.strip_prefix(article));
    behind.filter(|rest| rest.chars().count() > 1).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::{PLURALS, SPELLINGS, STOP_WORDS, is_stop_word, stem};
    use crate::analysis::Analysis;

    fn terms(text: &str) -> Vec<String> {
        Analysis::ENGLISH.terms(text).collect()
    }

    #[test]
    fn inflections_meet() {
        assert_eq!(terms("connected CONNECTING connection"), ["connect"; 3]);
        assert_eq!(terms("Einstein's Einstein’s Einstein"), ["einstein"; 3]);
        assert_eq!(terms("Geese, mice, children, wolves"), terms("goose mouse child wolf"));
        assert!(PLURALS.len() > 40);
    }

    #[test]
    fn stop_words_go_whatever_their_letters() {
        assert_eq!(terms("It was not"), [""; 0]);
        assert!(STOP_WORDS.iter().all(|word| is_stop_word(word) && is_stop_word(&word.to_uppercase())));
        assert!(
            ["", "thei", "theirs", "hte", "\u{0}a", "it\u{301}", "thethethe"].iter().all(|word| !is_stop_word(word))
        );
    }

    #[test]
    fn four_stop_words_in_a_row_are_a_term() {
        assert_eq!(terms("To be, or not to be"), ["to be or not", "be or not to", "or not to be"]);
        assert_eq!(terms("It is in the house"), ["it is in the", "hous"]);
    }

    #[test]
    fn a_name_of_nothing_but_stop_words_keeps_them() {
        let name = |text| Analysis::ENGLISH.name_terms(text).collect::<Vec<_>>();
        assert_eq!((name("It"), name("The Who")), (vec!["it".into()], vec!["who".into()]));
    }

    #[test]
    fn numbers_and_years_stay() {
        assert_eq!(terms("3.14 in 1999, 12,742 km"), ["3.14", "1999", "12742", "km"]);
        assert_eq!(terms("10³⁰"), terms("10^30"));
    }

    #[test]
    fn a_number_is_parted_from_its_unit() {
        assert_eq!(terms("The race is 42.195km long."), terms("The race is 42.195 km long."));
        assert_eq!(terms("5kg, 1,500m, 100°C, 16GB, 5pm"), terms("5 kg, 1500 m, 100 °C, 16 GB, 5 p.m."));
        assert_eq!(terms("500km² 30m³ 5m² 3µm"), ["500", "km2", "30", "m3", "5", "m2", "3", "μm"]);
        for word in ["1990s", "2nd", "3d", "5g", "3m", "4x4", "h2o", "b52", "5m2m", "5_km"] {
            assert_eq!(terms(word), [word]);
        }
        assert_eq!(terms("747-400"), ["747", "400"]);
    }

    #[test]
    fn a_number_is_read_across_the_spaces_between_its_thousands() {
        for space in ['\u{a0}', '\u{202f}', '\u{2009}', ' ', ','] {
            let number = |number: &str| terms(&number.replace('_', &space.to_string()));
            assert_eq!(number("It made 1_000_000 loaves."), ["made", "1000000", "loaf"]);
            assert_eq!(number("$12_345_678_901.5"), ["12345678901.5"]);
            assert_eq!(number("1_000_000km long"), ["1000000", "km", "long"]);
            assert_eq!(number("in 1990_300 people").len(), if space == ',' { 2 } else { 3 });
        }
        assert_eq!(terms("10\u{a0}000 and 10\u{202f}000\u{a0}km"), ["10000", "10000", "km"]);
        for apart in ["10 000", "1990 300 loud", "1000 000 0000", "007 100 200", "1  000 000", "3.14 159 26"] {
            assert_eq!(terms(apart), apart.split_whitespace().map(stem).collect::<Vec<_>>());
        }
        assert_eq!(terms("1990\u{a0}300, 5\u{a0}2000, 1.5\u{a0}000, A1\u{a0}000").len(), 8);
    }

    #[test]
    fn american_and_british_spellings_meet() {
        assert_eq!(terms("The symbol of aluminum"), terms("The symbol of aluminium"));
        assert_eq!(
            terms("coloured centres organising analysed cataloguing grey ploughs tyres sulphuric traveller modelled"),
            terms("colored centers organizing analyzed cataloging gray plows tires sulfuric traveler modeled")
        );
        assert_eq!(terms("Fœtal anæmia in the encyclopædia"), terms("Fetal anemia in the encyclopedia"));
        assert_ne!(terms("cheque kerb storey draught"), terms("check curb story draft"));
    }

    #[test]
    fn each_line_makes_two_spellings_meet_that_would_not() {
        let lines: Vec<&str> = include_str!("spellings.txt").lines().skip(1).collect();
        assert!(lines.is_sorted());
        assert_eq!(SPELLINGS.len(), lines.len());
        for (american, british) in lines.iter().map(|line| line.split_once(' ').unwrap()) {
            assert_ne!(stem(american), stem(british));
            assert_eq!(terms(american), terms(british));
        }
    }

    #[test]
    fn okinas_and_their_look_alikes_go() {
        for name in ["Hawaiʻi", "Hawaiʼi", "Hawai‘i", "Hawai’i", "Hawai'i", "Hawaiʿi", "Hawaiʾi", "Hawaii"] {
            assert_eq!(terms(name), ["hawaii"]);
        }
        assert_eq!(terms("Oʻahu O‘ahu ʻIolani"), terms("Oahu Oahu Iolani"));
        assert_eq!(terms("Qurʾan Qur’an Qurʼān ʿAlī Shiʿites"), terms("Quran Quran Quran Ali Shiites"));
    }

    #[test]
    fn other_apostrophes_stay() {
        assert_eq!(terms("O'Brien O’Brien OʼBrien"), ["o'brien"; 3]);
        assert_eq!(terms("Einstein's Einstein’s Einsteinʼs"), ["einstein"; 3]);
        assert_eq!(terms("l'Hôpital lʼHôpital"), ["hopit"; 2]);
        assert_eq!(terms("don't we've she'll"), ["don't", "we've", "she'll"].map(stem));
    }

    #[test]
    fn articles_points_hyphens_and_signs_are_read() {
        assert_eq!(terms("l'Hôpital, Côte d’Ivoire"), ["hopit", "cote", "ivoir"]);
        assert_eq!(terms("the U.S. and the US"), ["us", "us"]);
        assert_eq!(terms("Wi-Fi e-mail"), ["wi", "wifi", "fi", "e", "email", "mail"]);
        assert_eq!(terms("long-term state-of-the-art"), ["long", "term", "state", "art"]);
        assert_eq!(terms("C, C++ and C#."), ["c", "c++", "c#"]);
    }

    #[test]
    fn accents_and_compatible_characters_meet_plain_ones() {
        assert_eq!(terms("Dvořák cafe\u{301} H₂O in\u{ad}for\u{ad}mation"), terms("Dvorak café H2O information"));
    }

    #[test]
    fn other_scripts_are_words_and_emoji_are_not() {
        assert_eq!(terms("مرحبا بالعالم"), ["مرحبا", "بالعالم"]);
        assert_eq!(terms("Ærø Москва"), ["aero", "москва"]);
        assert_eq!(terms("🚀🌍 👩‍🚀"), [""; 0]);
    }
}
