//! Makes a statement stand alone, by rule (guan2024, Sec. 5.3 and App. C.6, de-contextualisation), where that is plain:
//! the subject last named replaces the pronoun that a sentence begins with, and a list item's lead-in is the subject of
//! its item ("Alan Turing: He ...").

use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::{ABOUT, INTRODUCTIONS, NO_NAMES, Of, PRONOUNS, REMARKS, VERBS};

/// Reads the sentences of an answer in order and remembers what its pronouns stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct PronounResolver {
    /// The subject last named.
    subject: Option<String>,
    /// Whether a sentence about something else came after it. "He" may still mean the subject then; "it" seldom does.
    left: bool,
}

impl PronounResolver {
    /// A resolver that has read the question.
    pub(crate) fn new(question: Option<&str>) -> Self {
        Self { subject: question.and_then(asked_about), left: false }
    }

    /// The next sentence of the answer, made to stand alone.
    pub(crate) fn read(&mut self, sentence: &str) -> String {
        let mut text = sentence.trim();
        while let Some(rest) = REMARKS.iter().find_map(|remark| strip(text, remark)) {
            text = rest;
        }
        if let Some((lead_in, rest)) = lead_in(text) {
            if PRONOUNS.iter().any(|pronoun| strip(rest, pronoun.word).is_some()) {
                (self.subject, self.left) = (Some(lead_in.to_owned()), false);
                text = rest;
            } else if subject(rest).is_some() {
                text = rest;
            }
        }
        let resolved = self.resolve(text);
        if resolved.is_none() {
            self.note(introduced(text).1);
        }
        let mut statement = resolved.unwrap_or_else(|| text.to_owned());
        if let Some(first) = statement.chars().next() {
            statement.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
        }
        statement
    }

    /// Remembers the subject of a sentence. "The symbol" goes on about the last subject; "The Louvre" is another.
    fn note(&mut self, text: &str) {
        match subject(text) {
            Some(named)
                if self.subject.is_none()
                    || strip(named, "the ").is_none_or(|name| name.starts_with(char::is_uppercase)) =>
            {
                (self.subject, self.left) = (Some(named.to_owned()), false);
            }
            Some(_) => {}
            None => self.left = true,
        }
    }

    /// The sentence with the subject in place of the pronoun that it begins with, or that follows an introduction ("In
    /// 1903, she").
    fn resolve(&self, text: &str) -> Option<String> {
        let name = self.subject.as_deref()?;
        let (introduction, rest) = introduced(text);
        let (rest, pronoun) = PRONOUNS.iter().find_map(|pronoun| Some((strip(rest, pronoun.word)?, pronoun)))?;
        let several = name.ends_with('s') || name.contains(" and ");
        let fits = match pronoun.of {
            Of::Person => true,
            Of::Thing => !self.left && (pronoun.possessive || !says_nothing(rest)),
            Of::Several => !self.left && several,
        };
        let owner = if pronoun.possessive { "'s" } else { "" };
        fits.then(|| format!("{introduction}{name}{owner} {rest}"))
    }
}

/// Whether the "it" before `rest` stands for nothing, as in "It is known that" and "It takes an hour to".
fn says_nothing(rest: &str) -> bool {
    let words: Vec<&str> = rest.unicode_words().take(6).collect();
    let at = |i: usize| words.get(i).copied().unwrap_or_default();
    let plain = |word: &str| !word.ends_with("ed") && !matches!(word, "home" | "known" | "close" | "able" | "next");
    matches!(at(0), "takes" | "took" | "seems" | "appears" | "depends" | "turns")
        || words.iter().skip(2).any(|&word| matches!(word, "that" | "whether"))
        || matches!(at(0), "is" | "was") && at(2) == "to" && plain(at(1))
}

/// `text` without `prefix`, which is in lower case; `None` if it does not begin with it in any case.
fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    (head.to_lowercase() == prefix).then(|| &text[prefix.len()..])
}

/// A sentence's introduction with its comma and space ("In 1903, "), and the rest.
fn introduced(text: &str) -> (&str, &str) {
    if INTRODUCTIONS.iter().any(|opener| strip(text, opener).is_some())
        && let Some(comma) = text.find(", ")
        && text[..comma].split_whitespace().count() <= 8
    {
        return text.split_at(comma + 2);
    }
    ("", text)
}

/// A list item's lead-in and what follows its colon: "Alan Turing" and "He ..." of "Alan Turing: He ...".
fn lead_in(text: &str) -> Option<(&str, &str)> {
    let (head, rest) = text.split_once(": ")?;
    let rest = rest.trim_start();
    let words: Vec<&str> = head.split_whitespace().collect();
    let plain =
        words.len() <= 6 && !head.contains(['.', ',', ';', '"', '“']) && !words.iter().any(|word| VERBS.contains(word));
    (plain && rest.starts_with(char::is_uppercase)).then_some((head.trim(), rest))
}

/// The subject of a sentence: the few words before its first verb, if they name something.
pub(crate) fn subject(text: &str) -> Option<&str> {
    let mut end = 0;
    let mut last_capital = false;
    for (count, (at, word)) in
        text.split_word_bound_indices().filter(|(_, w)| w.starts_with(char::is_alphanumeric)).enumerate()
    {
        let capital = word.starts_with(char::is_uppercase);
        let verb = VERBS.contains(&word)
            || (last_capital && !capital && word.len() > 3 && (word.ends_with("ed") || word.ends_with('s')));
        if verb {
            let name = text[..at].trim();
            return names(name).then_some(name);
        }
        if count >= 7 || text[end..at].contains([',', '(', ':', ';']) {
            let name = text[..end].trim();
            let apposed = last_capital && text[end..at].contains([',', '(']) && names(name);
            return apposed.then_some(name);
        }
        end = at + word.len();
        last_capital = capital;
    }
    None
}

/// Whether the words before a verb can replace a pronoun later. They cannot if they begin with a pronoun themselves.
fn names(subject: &str) -> bool {
    let first = subject.unicode_words().next().unwrap_or_default().to_lowercase();
    !first.is_empty() && !NO_NAMES.contains(&first.as_str()) && !subject.contains("'s") && !subject.contains("’s")
}

/// The name that a question is about ("Who was Alan Turing?"). A "he" or "it" at the start of the answer stands for it.
fn asked_about(question: &str) -> Option<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let start = words.iter().position(|word| ABOUT.contains(word))? + 1;
    let start = start + usize::from(words.get(start) == Some(&"the"));
    let mut name: Vec<&str> = Vec::new();
    for word in words.get(start..)? {
        if !(word.starts_with(char::is_uppercase)
            || !name.is_empty() && matches!(*word, "of" | "the" | "de" | "von" | "van"))
        {
            break;
        }
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        name.push(bare);
        if bare != *word {
            break;
        }
    }
    while name.last().is_some_and(|word| word.starts_with(char::is_lowercase)) {
        name.pop();
    }
    (!name.is_empty()).then(|| name.join(" "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::sentences::sentences;

    fn read(question: Option<&str>, answer: &str) -> Vec<String> {
        let mut resolver = PronounResolver::new(question);
        sentences(answer).iter().map(|sentence| resolver.read(&sentence.text)).collect()
    }

    #[test]
    fn a_pronoun_at_the_start_becomes_the_subject_last_named() {
        assert_eq!(
            read(
                None,
                "Marie Curie was born in Warsaw. In 1903, she won a Nobel Prize. Her husband was French. She died in 1934."
            ),
            [
                "Marie Curie was born in Warsaw.",
                "In 1903, Marie Curie won a Nobel Prize.",
                "Marie Curie's husband was French.",
                "Marie Curie died in 1934."
            ]
        );
        assert_eq!(
            read(None, "The Eiffel Tower is in Paris. It is named after its builder. The Louvre is old. It is large."),
            [
                "The Eiffel Tower is in Paris.",
                "The Eiffel Tower is named after its builder.",
                "The Louvre is old.",
                "The Louvre is large."
            ]
        );
        assert_eq!(read(None, "Jupiter orbits the Sun. It has rings.")[1], "Jupiter has rings.");
    }

    #[test]
    fn another_subject_between_leaves_an_it_alone() {
        assert_eq!(
            read(
                None,
                "The Eiffel Tower is tall. From there one sees the Louvre, where the Mona Lisa hangs. It is by Leonardo."
            )[2],
            "It is by Leonardo."
        );
        assert_eq!(read(None, "Gold is a metal. The symbol is Au. It is soft.")[2], "Gold is soft.");
        assert_eq!(read(None, "C# is a language. It is old. They are old.")[1..], ["C# is old.", "They are old."]);
    }

    #[test]
    fn the_question_names_the_first_subject() {
        assert_eq!(read(Some("Who was Alan Turing?"), "He was a mathematician."), ["Alan Turing was a mathematician."]);
        assert_eq!(read(Some("What is the Bay of Biscay?"), "It is a gulf."), ["Bay of Biscay is a gulf."]);
        assert_eq!(read(Some("Which water is the best in Israel?"), "It is old."), ["It is old."]);
    }

    #[test]
    fn a_lead_in_is_its_items_subject() {
        assert_eq!(
            read(
                None,
                "- **Alan Turing**: He broke codes. He ran.\n- Discovery: Radium was found in 1898.\n- Capital: Paris"
            ),
            ["Alan Turing broke codes.", "Alan Turing ran.", "Radium was found in 1898.", "Capital: Paris"]
        );
    }

    #[test]
    fn a_remark_before_a_statement_is_dropped() {
        assert_eq!(read(None, "However, iron rusts. Note that tin does not."), ["Iron rusts.", "Tin does not."]);
    }

    #[test]
    fn an_it_that_stands_for_nothing_stays() {
        for text in [
            "It is known that iron rusts.",
            "It is widely believed that it rusts.",
            "It is important to sleep.",
            "It takes a year.",
        ] {
            assert_eq!(read(None, &format!("Iron is a metal. {text}"))[1], text);
        }
        assert_eq!(read(None, "Iron is a metal. It is used to build ships.")[1], "Iron is used to build ships.");
        assert_eq!(read(None, "It is old."), ["It is old."]);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(question in "\\PC{0,40}", text in r#"([a-zA-Z0-9 .,:!?'"\n*-]|It |He |In 1903, |\PC){0,80}"#) {
            let mut resolver = PronounResolver::new(Some(&question));
            for sentence in sentences(&text) {
                prop_assert!(!resolver.read(&sentence.text).trim().is_empty());
            }
        }
    }
}
