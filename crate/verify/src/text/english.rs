//! The English words that the rules know.

/// Openings of pleasantries, in lower case.
pub(crate) const PLEASANTRIES: &[&str] = &[
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

/// Marks of an opinion, in lower case.
pub(crate) const OPINIONS: &[&str] = &[
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
pub(crate) const ADVICE: &[&str] =
    &["be sure to", "do not", "don't", "if you", "make sure", "you should", "you will need", "you'll"];

/// Verbs that begin an instruction. A noun spelt the same is followed by a verb or "of".
pub(crate) const IMPERATIVES: &[&str] = &[
    "add", "apply", "ask", "avoid", "bring", "check", "choose", "click", "combine", "compare", "consider", "contact",
    "consult", "cook", "cut", "discuss", "drink", "eat", "ensure", "enter", "explore", "find", "follow", "get", "give",
    "go", "heat", "imagine", "install", "keep", "learn", "leave", "let", "listen", "look", "make", "mix", "open",
    "plan", "please", "pour", "practice", "practise", "press", "provide", "put", "read", "refer", "remember", "remove",
    "repeat", "replace", "run", "save", "see", "seek", "select", "serve", "set", "share", "start", "stay", "stir",
    "stop", "take", "talk", "tell", "think", "try", "turn", "type", "use", "visit", "wait", "wash", "watch", "write",
];

/// Finite verbs: the words before one are the subject.
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

/// Remarks before a statement that add nothing to it, in lower case with their space.
pub(crate) const REMARKS: &[&str] = &[
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

/// Words that begin an introduction before a comma ("In 1903, "), in lower case; those that can be part of a word have
/// a space.
pub(crate) const INTRODUCTIONS: &[&str] =
    &["after ", "as ", "at ", "by ", "during ", "from ", "in ", "on ", "since ", "today", "when ", "while "];
/// Words at the start of a sentence that name nothing which a pronoun could stand for, in lower case.
pub(crate) const NO_NAMES: &[&str] = &[
    "a", "an", "all", "another", "any", "both", "but", "each", "every", "few", "he", "her", "his", "here", "i", "if",
    "in", "it", "its", "many", "most", "my", "no", "one", "on", "other", "others", "our", "she", "so", "some", "such",
    "that", "their", "there", "these", "they", "this", "those", "today", "we", "what", "when", "where", "which", "who",
    "you", "your", "and", "as", "at", "by", "for", "from", "to", "with", "while", "after", "before", "because",
    "although",
];
/// Words of a question before the name that it is about.
pub(crate) const ABOUT: &[&str] = &["is", "was", "are", "were", "about", "did", "does"];
/// What a pronoun can stand for.
pub(crate) enum Of {
    Person,
    Thing,
    Several,
}

/// A pronoun that can begin a sentence.
pub(crate) struct Pronoun {
    /// The word with the space after it.
    pub word: &'static str,
    pub of: Of,
    pub possessive: bool,
}

/// The pronouns that can begin a sentence, in lower case.
pub(crate) const PRONOUNS: &[Pronoun] = &[
    Pronoun { word: "he ", of: Of::Person, possessive: false },
    Pronoun { word: "she ", of: Of::Person, possessive: false },
    Pronoun { word: "his ", of: Of::Person, possessive: true },
    Pronoun { word: "her ", of: Of::Person, possessive: true },
    Pronoun { word: "it ", of: Of::Thing, possessive: false },
    Pronoun { word: "its ", of: Of::Thing, possessive: true },
    Pronoun { word: "they ", of: Of::Several, possessive: false },
    Pronoun { word: "their ", of: Of::Several, possessive: true },
];

/// Connectors between two predicates of one subject, or between two sentences in one. One that ends with another comes
/// first.
pub(crate) const CONNECTORS: [&str; 5] = ["; ", ", and ", ", but ", " and ", " but "];

/// Verbs that a participle after "and" shares: "was designed and built".
pub(crate) const AUXILIARIES: [&str; 7] = ["is", "are", "was", "were", "has", "have", "had"];

/// Pronouns for the subject in a later part of a sentence, with their space.
pub(crate) const SUBJECT_PRONOUNS: [&str; 4] = ["he ", "she ", "it ", "they "];

/// Pronouns and demonstratives that refer to something said before, in lower case.
pub(crate) const POINTERS: &[&str] = &[
    "he", "she", "it", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs", "this", "that", "these",
    "those", "such", "former", "latter",
];

/// The English months, in lower case.
pub const MONTHS: &[&str] = &[
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
/// The weekdays, in lower case.
pub(crate) const WEEKDAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Number words, in lower case.
pub(crate) const CARDINALS: &[&str] = &[
    "zero",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "trillion",
    "dozen",
    "dozens",
];
/// Ordinal words, in lower case.
pub(crate) const ORDINALS: &[&str] = &[
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];
/// Titles before a person's name, in lower case.
pub(crate) const TITLES: &[&str] = &[
    "captain",
    "dr",
    "emperor",
    "empress",
    "general",
    "king",
    "lord",
    "mr",
    "mrs",
    "ms",
    "pope",
    "president",
    "prince",
    "princess",
    "professor",
    "queen",
    "saint",
    "senator",
    "sir",
];
/// Words in the names of organisations, in lower case.
pub(crate) const ORGANISATIONS: &[&str] = &[
    "academy",
    "agency",
    "army",
    "association",
    "bank",
    "band",
    "bureau",
    "club",
    "college",
    "commission",
    "committee",
    "company",
    "congress",
    "corporation",
    "council",
    "court",
    "department",
    "fc",
    "foundation",
    "group",
    "inc",
    "industries",
    "institute",
    "institution",
    "league",
    "ltd",
    "ministry",
    "museum",
    "navy",
    "orchestra",
    "organisation",
    "organization",
    "parliament",
    "party",
    "records",
    "school",
    "senate",
    "society",
    "studios",
    "team",
    "union",
    "university",
];
/// Words in the names of places, in lower case.
pub(crate) const PLACES: &[&str] = &[
    "airport",
    "avenue",
    "bay",
    "beach",
    "bridge",
    "canyon",
    "castle",
    "cathedral",
    "church",
    "city",
    "coast",
    "county",
    "desert",
    "forest",
    "gulf",
    "hill",
    "hills",
    "island",
    "islands",
    "kingdom",
    "lake",
    "mount",
    "mountain",
    "mountains",
    "ocean",
    "palace",
    "park",
    "peninsula",
    "province",
    "republic",
    "river",
    "road",
    "sea",
    "square",
    "state",
    "states",
    "street",
    "temple",
    "tower",
    "town",
    "valley",
    "village",
];
/// Words in names of two and more words that are not a person's.
pub(crate) const OTHERS: &[&str] = &[
    "act",
    "award",
    "awards",
    "battle",
    "championship",
    "crisis",
    "cup",
    "day",
    "empire",
    "festival",
    "film",
    "games",
    "grand",
    "olympics",
    "prix",
    "prize",
    "revolution",
    "series",
    "treaty",
    "war",
    "world",
];
/// Words before a place.
pub(crate) const WHERE: &[&str] = &["across", "at", "in", "near", "throughout"];
/// Small words inside a name.
pub(crate) const INSIDE: &[&str] = &["de", "del", "der", "la", "of", "the", "van", "von"];
