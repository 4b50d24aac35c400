//! The English words that the rules know, in lower case. Each file is one list, after a line that describes it, with a
//! phrase per line or with words between spaces.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A list of words and phrases.
pub(crate) struct Phrases {
    all: HashSet<&'static str>,
    /// The most words that a phrase has.
    longest: usize,
}

impl Phrases {
    fn of(phrases: impl Iterator<Item = &'static str>) -> Self {
        let all: HashSet<&str> = phrases.collect();
        let longest = all.iter().map(|phrase| phrase.split(' ').count()).max().unwrap_or(0);
        Self { all, longest }
    }

    pub(crate) fn has(&self, phrase: &str) -> bool {
        self.all.contains(phrase)
    }

    /// The number of words of the longest phrase that `words` begin with; 0 if they begin with none.
    pub(crate) fn opening<'a>(&self, words: impl Iterator<Item = &'a str>) -> usize {
        let (mut said, mut length) = (String::new(), 0);
        for (i, word) in words.take(self.longest).enumerate() {
            if i > 0 {
                said.push(' ');
            }
            said.push_str(word);
            if self.has(&said) {
                length = i + 1;
            }
        }
        length
    }
}

/// The lines of a list but for the first, which says what it is.
pub(crate) fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().skip(1)
}

macro_rules! phrases {
    ($($name:ident $file:literal $split:expr;)*) => {
        $(pub(crate) static $name: LazyLock<Phrases> = LazyLock::new(|| {
            Phrases::of(lines(include_str!(concat!("english/", $file, ".txt"))).flat_map($split))
        });)*
    };
}

fn whole(line: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::once(line)
}

phrases! {
    ADVERBS "adverbs" whole;
    AFFIRMATIONS "affirmations" whole;
    AHEAD "ahead" whole;
    APOLOGIES "apologies" whole;
    APPROXIMATIONS "approximations" whole;
    ASPECTS "aspects" whole;
    AT_LEAST "at_least" whole;
    AT_MOST "at_most" whole;
    AUXILIARIES "auxiliaries" whole;
    BELIEFS "beliefs" whole;
    BETWEEN "between" whole;
    CARDINALS "cardinals" whole;
    CLAUSES "clauses" whole;
    COMMON "common" whole;
    COMPARATIVES "comparatives" whole;
    COPULAS "copulas" whole;
    COURTESIES "courtesies" whole;
    DEEDS "deeds" whole;
    DEGREES "degrees" whole;
    DENIALS "denials" whole;
    DETERMINERS "determiners" whole;
    DOUBTED "doubted" whole;
    EXPECTED "expected" whole;
    FICTIONS "fictions" whole;
    FORETOLD "foretold" whole;
    HE "he" str::split_whitespace;
    INSIDE "inside" whole;
    INTRANSITIVE "intransitive" str::split_whitespace;
    INTRODUCTIONS "introductions" whole;
    IRREGULAR "irregular" str::split_whitespace;
    LIKED "liked" whole;
    LINKS "links" whole;
    LOANS "loans" str::split_whitespace;
    MEASURES "measures" whole;
    MEN "men" str::split_whitespace;
    MINE "mine" whole;
    MORAL "moral" whole;
    NAMED_ORDERS "named_orders" whole;
    NAMELESS "nameless" whole;
    NEARLY "nearly" whole;
    NOUNS_IN_LY "nouns_in_ly" whole;
    OBJECTS "objects" whole;
    OFFERS "offers" whole;
    OFFICES "offices" whole;
    OPENINGS "openings" whole;
    ORDINALS "ordinals" whole;
    ORGANISATIONS "organisations" whole;
    OTHERS "others" whole;
    PARTICIPLES "participles" str::split_whitespace;
    PERSONS "persons" str::split_whitespace;
    PLACES "places" whole;
    PLURALS "plurals" whole;
    POINTING "pointing" whole;
    PREPOSITIONS "prepositions" whole;
    PRESENT "present" whole;
    PROPERTIES "properties" str::split_whitespace;
    QUALITIES "qualities" whole;
    RANKED "ranked" whole;
    REMARKS "remarks" whole;
    REPORTED "reported" whole;
    ROUGHLY "roughly" whole;
    SCOPES "scopes" whole;
    SELF "self" whole;
    SHE "she" str::split_whitespace;
    SILENCES "silences" whole;
    SOURCES "sources" whole;
    STAGED "staged" whole;
    TASTE "taste" whole;
    THINKING "thinking" whole;
    TITLES "titles" whole;
    VERBS "verbs" str::split_whitespace;
    VIEWS "views" whole;
    WEEKDAYS "weekdays" whole;
    WHERE "where" whole;
    WISHED "wished" whole;
    WOMEN "women" str::split_whitespace;
}

/// The past of each irregular verb.
pub(crate) static PASTS: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| lines(include_str!("english/pasts.txt")).filter_map(|line| line.split_once(' ')).collect());

/// Connectors between two predicates of one subject, or between two sentences in one. A longer one, such as ", and ",
/// comes before one that it ends with, such as " and ".
pub(crate) const CONNECTORS: [&str; 7] = ["; ", ", and ", ", but ", ", while ", ", whereas ", " and ", " but "];

/// Pronouns for the subject in a later part of a sentence, with the space after them.
pub(crate) const SUBJECT_PRONOUNS: [&str; 4] = ["he ", "she ", "it ", "they "];

/// Words that an apposition begins with.
pub(crate) const NOUN_PHRASES: [&str; 5] = ["a ", "an ", "the ", "another ", "one of "];

/// Pronouns of a relative clause after a comma.
pub(crate) const RELATIVE: [&str; 3] = [", who ", ", which ", ", where "];

/// Words that begin a subordinate clause in a predicate. A verb after a bare "and" may belong to that clause.
pub(crate) const SUBORDINATING: [&str; 12] = [
    " that ",
    " which ",
    " who ",
    " whose ",
    " where ",
    " when ",
    " because ",
    " if ",
    " whether ",
    " how ",
    " while ",
    " although ",
];

/// Pronouns and demonstratives that refer to something said before, in lower case.
pub(crate) const POINTERS: &[&str] = &[
    "he", "she", "it", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "this", "that", "these",
    "those", "such", "former", "latter",
];

/// The English months, in lower case.
pub(crate) const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
