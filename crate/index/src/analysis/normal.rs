//! One spelling for what is written in several ways: Unicode's compatible characters, accents, invisible characters.

use std::borrow::Cow;

use unicode_normalization_alignments::char::decompose_compatible;

/// The accents of Latin, Greek and Cyrillic letters.
const ACCENTS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// Syllables that stay whole: they are no letter with an accent.
const HANGUL: std::ops::RangeInclusive<char> = '\u{ac00}'..='\u{d7a3}';

/// `text` in Unicode's compatible decomposition (NFKD's mappings), without the accents of Latin, Greek and Cyrillic
/// letters, without soft hyphens and other invisible characters, and with letters such as ø and ß written as others. A
/// `^` is put between a digit and a superscript, because 10³⁰ is not 1030. No-break and thin spaces between the
/// thousands of a number become commas.
pub(crate) fn normalised(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut made = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            _ if c.is_ascii() || HANGUL.contains(&c) => made.push(c),
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            '\u{a0}' | '\u{202f}' | '\u{2009}'
                if ends_with_group(&made) && begins_with_group(&text[at + c.len_utf8()..]) =>
            {
                made.push(',');
            }
            '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '⁻' | '⁺' => {
                if made.ends_with(|last: char| last.is_ascii_digit()) && !in_superscript(&made) {
                    made.push('^');
                }
                decompose_compatible(c, |c| made.push(c));
            }
            _ => decompose_compatible(c, |c| match written_as(c) {
                Some(letters) => made.push_str(letters),
                None => made.extend((!ACCENTS.contains(&c)).then_some(c)),
            }),
        }
    }
    Cow::Owned(made)
}

/// Whether `text` ends with digits that a group of three more may follow: one to three, the first not 0, or three
/// behind a comma.
pub(super) fn ends_with_group(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &text[before.len()..];
    if before.ends_with(',') {
        return digits.len() == 3;
    }
    (1..=3).contains(&digits.len())
        && !digits.starts_with('0')
        && !before.ends_with(|c: char| c == '.' || c.is_alphanumeric())
}

/// Whether `text` begins with just three digits.
pub(super) fn begins_with_group(text: &str) -> bool {
    text.bytes().take_while(u8::is_ascii_digit).take(4).count() == 3
}

/// Whether the digits at the end of `made` follow a `^` already.
fn in_superscript(made: &str) -> bool {
    made.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('^')
}

/// Letters that Unicode does not decompose, as English texts write them: mostly without the okina and its like.
fn written_as(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' => "ae",
        'Æ' => "Ae",
        'œ' => "oe",
        'Œ' => "Oe",
        'ø' => "o",
        'Ø' => "O",
        'ł' => "l",
        'Ł' => "L",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'þ' => "th",
        'Þ' => "Th",
        'ı' => "i",
        'ħ' => "h",
        'Ħ' => "H",
        'ʻ' | 'ʾ' | 'ʿ' => "",
        'ʼ' => "'",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_word_meet() {
        for (text, normal) in [
            ("Antonín Dvořák", "Antonin Dvorak"),
            ("cafe\u{301} café", "cafe cafe"),
            ("in\u{ad}for\u{ad}ma\u{ad}tion", "information"),
            ("ｆｕｌｌ ﬁne H₂O", "full fine H2O"),
            ("Łódź Ærø Straße ꟸ", "Lodz Aero Strasse H"),
            ("10³⁰ km²", "10^30 km2"),
            ("한국 日本", "한국 日本"),
            ("Hawaiʻi Qurʾan ʿAlī OʼBrien", "Hawaii Quran Ali O'Brien"),
            ("1\u{a0}234\u{202f}567\u{a0}km in 1990\u{a0}300", "1,234,567 km in 1990 300"),
            ("plain", "plain"),
        ] {
            assert_eq!(normalised(text), normal);
        }
    }
}
