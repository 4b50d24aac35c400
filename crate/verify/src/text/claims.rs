//! Claims: which sentences of an answer say what evidence could bear out, and what each says when it is read alone.
//!
//! Two rule-based steps over English chatbot prose. [`SentenceKind::of`] tells claims from questions, advice, opinions,
//! pleasantries and fragments, and is careful: what fits no rule is a claim. [`Reader`] makes a statement stand alone
//! (guan2024, Sec. 5.3 and App. C.6, de-contextualisation) where that is plain: the pronoun that a sentence begins with becomes the
//! subject last named, and a list's lead-in ("Alan Turing: He ...") its item's subject.

use unicode_segmentation::UnicodeSegmentation;

use crate::report::SentenceKind;
use crate::text::sentences::Sentence;

/// Openings of pleasantries, in lower case.
const PLEASANTRIES: &[&str] = &[
    "absolutely",
    "as a language model",
    "as an ai",
    "certainly",
    "feel free",
    "good question",
    "great question",
    "happy to",
    "hello",
    "here are",
    "here is",
    "here's",
    "hi",
    "hope this",
    "hope that helps",
    "i am an ai",
    "i am happy to",
    "i am sorry",
    "i apologise",
    "i apologize",
    "i can help",
    "i can't",
    "i cannot",
    "i don't have",
    "i do not have",
    "i hope",
    "i'd be happy",
    "i'll",
    "i'm an ai",
    "i'm happy to",
    "i'm sorry",
    "let me",
    "let us know",
    "let's",
    "of course",
    "please let",
    "sorry",
    "sure",
    "thank you",
    "thanks",
    "that's a great",
    "you're welcome",
];

/// What marks an opinion, in lower case.
const OPINIONS: &[&str] = &[
    "i believe",
    "i feel",
    "i find",
    "i recommend",
    "i suggest",
    "i think",
    "i would recommend",
    "i would say",
    "i'd recommend",
    "i'd say",
    "in my opinion",
    "in my view",
    "my advice",
    "my favorite",
    "my favourite",
    "my recommendation",
    "personally",
];

/// Openings of advice, in lower case.
const ADVICE: &[&str] =
    &["be sure to", "do not", "don't", "if you", "make sure", "you should", "you will need", "you'll"];

/// Verbs that open an instruction; a noun spelt the same is followed by a verb or "of".
const IMPERATIVES: &[&str] = &[
    "add", "apply", "ask", "avoid", "bring", "check", "choose", "click", "combine", "compare", "consider", "contact",
    "consult", "cook", "cut", "discuss", "drink", "eat", "ensure", "enter", "explore", "find", "follow", "get", "give",
    "go", "heat", "imagine", "install", "keep", "learn", "leave", "let", "listen", "look", "make", "mix", "open",
    "plan", "please", "pour", "practice", "practise", "press", "provide", "put", "read", "refer", "remember", "remove",
    "repeat", "replace", "run", "save", "see", "seek", "select", "serve", "set", "share", "start", "stay", "stir",
    "stop", "take", "talk", "tell", "think", "try", "turn", "type", "use", "visit", "wait", "wash", "watch", "write",
];

/// Finite verbs that say that what precedes them is a subject.
pub(crate) const VERBS: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "can",
    "could",
    "will",
    "would",
    "may",
    "might",
    "must",
    "should",
    "do",
    "does",
    "did",
    "became",
    "becomes",
    "began",
    "begins",
    "came",
    "comes",
    "contains",
    "covers",
    "died",
    "developed",
    "discovered",
    "founded",
    "gave",
    "gives",
    "grew",
    "helped",
    "invented",
    "lies",
    "lived",
    "lives",
    "made",
    "makes",
    "means",
    "moved",
    "orbits",
    "painted",
    "played",
    "plays",
    "published",
    "received",
    "rose",
    "runs",
    "served",
    "shares",
    "stands",
    "took",
    "won",
    "worked",
    "wrote",
];

/// Remarks before a statement that say nothing of it, in lower case.
const REMARKS: &[&str] = &[
    "note that ",
    "remember that ",
    "keep in mind that ",
    "it is worth noting that ",
    "it's worth noting that ",
    "it is important to note that ",
    "however, ",
    "additionally, ",
    "furthermore, ",
    "moreover, ",
    "in addition, ",
    "in fact, ",
    "also, ",
    "overall, ",
    "in conclusion, ",
    "in summary, ",
    "for example, ",
    "for instance, ",
    "interestingly, ",
    "unfortunately, ",
    "yes, ",
    "no, ",
];

impl SentenceKind {
    /// The kind of one sentence.
    #[must_use]
    pub fn of(sentence: &Sentence) -> Self {
        let text = sentence.text.trim_matches(|c: char| c.is_whitespace() || "\"'“”‘’()*".contains(c));
        let lower = text.to_lowercase().replace('’', "'");
        let opens = |openings: &[&str]| openings.iter().any(|opening| opens_with(&lower, opening));
        let ending = text.chars().next_back();
        if ending.is_some_and(|c| "?？؟".contains(c)) {
            Self::Question
        } else if sentence.heading || ending.is_some_and(|c| ":：".contains(c)) || is_fragment(text) {
            Self::Fragment
        } else if opens(PLEASANTRIES) {
            Self::Pleasantry
        } else if OPINIONS
            .iter()
            .any(|mark| lower.match_indices(mark).any(|(at, _)| stands_alone(&lower, at, mark.len())))
        {
            Self::Opinion
        } else if opens(ADVICE) || is_instruction(&lower) {
            Self::Instruction
        } else {
            Self::Claim
        }
    }
}

fn opens_with(text: &str, opening: &str) -> bool {
    text.starts_with(opening) && stands_alone(text, 0, opening.len())
}

fn stands_alone(text: &str, at: usize, length: usize) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    edge(text[..at].chars().next_back()) && edge(text[at + length..].chars().next())
}

/// A few words without a full stop and without a verb.
fn is_fragment(text: &str) -> bool {
    let words: Vec<&str> = text.unicode_words().collect();
    let stopped = text.chars().next_back().is_some_and(|c| ".!…。！।۔".contains(c));
    let verb = |word: &&str| {
        VERBS.contains(word) || (word.len() > 4 && word.ends_with("ed") && word.starts_with(char::is_lowercase))
    };
    !stopped && words.len() <= 8 && !words.iter().any(verb)
}

fn is_instruction(lower: &str) -> bool {
    let mut words = lower.unicode_words();
    let (Some(first), second) = (words.next(), words.next().unwrap_or_default()) else { return false };
    IMPERATIVES.contains(&first) && !VERBS.contains(&second) && !["of", "and", "or", "that"].contains(&second)
}

/// Reads the sentences of an answer in order, and knows whom its pronouns speak of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    /// The subject last named.
    subject: Option<String>,
    /// Whether a sentence about something else has come since: "he" may still mean the subject then, "it" seldom does.
    left: bool,
}

impl Reader {
    /// A reader who has read the question.
    pub(crate) fn new(question: Option<&str>) -> Self {
        Self { subject: question.and_then(asked_about), left: false }
    }

    /// What the next sentence of the answer says when it is read alone.
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

    /// Remembers what a sentence is about. "The symbol" is about the subject there is, "The Louvre" about another.
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

    /// The sentence with the subject for the pronoun that it begins with, alone or after an introduction ("In 1903, she").
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

/// What a pronoun can stand for.
enum Of {
    Person,
    Thing,
    Several,
}

struct Pronoun {
    /// With the space after it.
    word: &'static str,
    of: Of,
    possessive: bool,
}

const PRONOUNS: &[Pronoun] = &[
    Pronoun { word: "he ", of: Of::Person, possessive: false },
    Pronoun { word: "she ", of: Of::Person, possessive: false },
    Pronoun { word: "his ", of: Of::Person, possessive: true },
    Pronoun { word: "her ", of: Of::Person, possessive: true },
    Pronoun { word: "it ", of: Of::Thing, possessive: false },
    Pronoun { word: "its ", of: Of::Thing, possessive: true },
    Pronoun { word: "they ", of: Of::Several, possessive: false },
    Pronoun { word: "their ", of: Of::Several, possessive: true },
];

/// Whether the "it" before `rest` stands for nothing named, as in "It is known that", "It takes an hour to".
fn says_nothing(rest: &str) -> bool {
    let words: Vec<&str> = rest.unicode_words().take(6).collect();
    let at = |i: usize| words.get(i).copied().unwrap_or_default();
    let plain = |word: &str| !word.ends_with("ed") && !matches!(word, "home" | "known" | "close" | "able" | "next");
    matches!(at(0), "takes" | "took" | "seems" | "appears" | "depends" | "turns")
        || words.iter().skip(2).any(|&word| matches!(word, "that" | "whether"))
        || matches!(at(0), "is" | "was") && at(2) == "to" && plain(at(1))
}

/// `text` after `prefix`, which is in lower case.
fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    (head.to_lowercase() == prefix).then(|| &text[prefix.len()..])
}

/// A sentence's introduction with its comma and space ("In 1903, "), and the rest.
fn introduced(text: &str) -> (&str, &str) {
    const OPENERS: &[&str] =
        &["after ", "as ", "at ", "by ", "during ", "from ", "in ", "on ", "since ", "today", "when ", "while "];
    if OPENERS.iter().any(|opener| strip(text, opener).is_some())
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

/// What a sentence is about: the few words before its first verb, if they name something.
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

/// Whether words before a verb can stand for a pronoun later: not pronouns themselves, nor led by one.
fn names(subject: &str) -> bool {
    const NOT: &[&str] = &[
        "a", "an", "all", "another", "any", "both", "but", "each", "every", "few", "he", "her", "his", "here", "i",
        "if", "in", "it", "its", "many", "most", "my", "no", "one", "on", "other", "others", "our", "she", "so",
        "some", "such", "that", "their", "there", "these", "they", "this", "those", "today", "we", "what", "when",
        "where", "which", "who", "you", "your", "and", "as", "at", "by", "for", "from", "to", "with", "while", "after",
        "before", "because", "although",
    ];
    let first = subject.unicode_words().next().unwrap_or_default().to_lowercase();
    !first.is_empty() && !NOT.contains(&first.as_str()) && !subject.contains("'s") && !subject.contains("’s")
}

/// The name that a question is about ("Who was Alan Turing?"), which a first "he" or "it" speaks of.
fn asked_about(question: &str) -> Option<String> {
    const ABOUT: [&str; 7] = ["is", "was", "are", "were", "about", "did", "does"];
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

    fn kind(text: &str) -> SentenceKind {
        SentenceKind::of(&sentences(text)[0])
    }

    fn read(question: Option<&str>, answer: &str) -> Vec<String> {
        let mut reader = Reader::new(question);
        sentences(answer).iter().map(|sentence| reader.read(&sentence.text)).collect()
    }

    #[test]
    fn what_says_that_something_is_so_is_a_claim() {
        for text in [
            "Iron is a metal.",
            "Use of iron began early.",
            "Hydrogen has one proton",
            "I, Claudius is a novel.",
            "You are what you eat.",
            "東京は首都。",
            "Paris.",
        ] {
            assert_eq!(kind(text), SentenceKind::Claim, "{text}");
        }
    }

    #[test]
    fn the_other_kinds_are_told_apart() {
        assert_eq!(kind("Did you know that?"), SentenceKind::Question);
        assert_eq!(kind("Make sure that the iron is cold."), SentenceKind::Instruction);
        assert_eq!(kind("Try the local bread first."), SentenceKind::Instruction);
        assert_eq!(kind("I think that Lyon is prettier."), SentenceKind::Opinion);
        assert_eq!(kind("Paris, in my opinion, is overrated."), SentenceKind::Opinion);
        assert_eq!(kind("I hope this helps!"), SentenceKind::Pleasantry);
        assert_eq!(kind("Here are three facts about Mars."), SentenceKind::Pleasantry);
        assert_eq!(kind("# Mars is red"), SentenceKind::Fragment);
        assert_eq!(kind("The three largest are:"), SentenceKind::Fragment);
        assert_eq!(kind("- Liquid mercury"), SentenceKind::Fragment);
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
            let mut reader = Reader::new(Some(&question));
            for sentence in sentences(&text) {
                let _ = SentenceKind::of(&sentence);
                prop_assert!(!reader.read(&sentence.text).trim().is_empty());
            }
        }
    }
}
