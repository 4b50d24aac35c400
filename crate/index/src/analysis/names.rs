//! Names: what a passage's title says as a whole. A query that has a title's words side by side is probably about that
//! article, so a name is a term of its own. The words of a title count in the text beside it as well.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::analysis::{Analysis, normalised};

/// Stands before a name's words, so that no word is mistaken for a name.
pub(crate) const MARK: char = '=';

/// The most words of a name.
const LONGEST: usize = 5;

/// The most names that a query asks for, as each may cost a bucket. Twelve names found no more passages (FORMAT.md).
const MOST: usize = 4;

/// A full stop after a word of at most this many letters does not end a sentence: "St. Louis", "Mrs. Dalloway".
const ABBREVIATED: usize = 3;

/// A common multiple of the lengths of runs, 1 to [`LONGEST`]: in parts of this, every share of a run's words is a
/// whole number.
const SHARES: usize = 60;

/// A term that a query asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// How often it stands in the query.
    pub count: u32,
    /// The distinct words of a name, sorted; none for a word.
    pub words: Vec<String>,
}

/// A word of a text, in its order.
struct Word {
    term: String,
    /// Whether it begins with a capital or a digit, as words of names do.
    is_capital: bool,
    /// Whether a sentence ends before it.
    begins: bool,
}

impl Analysis {
    /// The names of a passage with this title: all its words, and those before a parenthesis that ends it. A name has
    /// at most five words.
    ///
    /// ```
    /// use evident_index::Analysis;
    ///
    /// assert_eq!(Analysis::ENGLISH.title_names("Gandhi (film)"), ["=gandhi film", "=gandhi"]);
    /// ```
    pub fn title_names(&self, title: &str) -> Vec<String> {
        let bare = title.trim_end().strip_suffix(')').and_then(|title| Some(title.rsplit_once('(')?.0));
        let mut names = Vec::new();
        for title in std::iter::once(title).chain(bare) {
            let words: Vec<String> = self.name_terms(title).collect();
            let name = joined(words.iter().map(String::as_str));
            if (1..=LONGEST).contains(&words.len()) && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The names of a passage with this title and these other names of its article, each once.
    pub fn names(&self, title: &str, others: &[String]) -> Vec<String> {
        let mut names = self.title_names(title);
        for name in others.iter().flat_map(|other| self.title_names(other)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// What a query asks for: its terms, as [`Analysis::name_terms`] yields them, and the names that it may mention.
    pub(crate) fn asked(&self, query: &str) -> BTreeMap<String, Asked> {
        let mut asked = BTreeMap::<String, Asked>::new();
        let words = self.words(query);
        for word in &words {
            asked.entry(word.term.clone()).or_default().count += 1;
        }
        for run in likeliest_names(&words) {
            let name = asked.entry(joined(run.iter().map(|word| word.term.as_str()))).or_default();
            name.count = words.windows(run.len()).filter(|window| has_terms(window, run)).count() as u32;
            name.words = run.iter().map(|word| word.term.clone()).collect();
            name.words.sort_unstable();
            name.words.dedup();
        }
        asked
    }

    /// The names that a query asks for, each as often as it stands in the query.
    pub fn query_names(&self, query: &str) -> Vec<String> {
        let names = self.asked(query).into_iter().filter(|(_, asked)| !asked.words.is_empty());
        names.flat_map(|(name, asked)| vec![name; asked.count as usize]).collect()
    }

    fn words(&self, query: &str) -> Vec<Word> {
        let text = normalised(query);
        let stretches = (self.stretches)(&text);
        let (mut words, mut begins, mut end) = (Vec::new(), true, 0);
        for &stretch in &stretches {
            let start = stretch.as_ptr() as usize - text.as_ptr() as usize;
            let before = text[..end].chars().rev().take_while(|c| c.is_alphabetic()).count();
            let between = text.get(end..start).unwrap_or_default();
            begins |= between.contains(['!', '?']) || between.contains('.') && before > ABBREVIATED;
            if let Some(term) = (self.term)(stretch) {
                let is_capital = stretch.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
                words.push(Word { term, is_capital, begins });
                begins = false;
            }
            end = end.max(start + stretch.len());
        }
        if words.is_empty() {
            let word = |stretch: &&str| Word { term: stretch.to_lowercase(), is_capital: false, begins: false };
            words = stretches.iter().map(word).collect();
        }
        words
    }
}

/// A name of these words.
fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut name = String::from(MARK);
    for word in words {
        if name.len() > MARK.len_utf8() {
            name.push(' ');
        }
        name.push_str(word);
    }
    name
}

fn has_terms(one: &[Word], other: &[Word]) -> bool {
    one.iter().map(|word| &word.term).eq(other.iter().map(|word| &word.term))
}

/// The distinct runs of words within sentences that are most likely names. Runs of only capitalised words come first,
/// those without a capitalised neighbour before the others and longer before shorter ones. Then come the other runs, by
/// their share of capitalised words and shorter before longer ones. Of equal ones the later in the query is first,
/// because a context precedes the question.
fn likeliest_names(words: &[Word]) -> Vec<&[Word]> {
    let mut runs = Vec::new();
    for start in 0..words.len() {
        for end in start + 1..=words.len().min(start + LONGEST) {
            let run = &words[start..end];
            if run[1..].iter().any(|word| word.begins) {
                break;
            }
            let capitals = run.iter().filter(|word| word.is_capital).count();
            let adjoins = start > 0 && !run[0].begins && words[start - 1].is_capital
                || words.get(end).is_some_and(|next| !next.begins && next.is_capital);
            let order = if capitals == run.len() {
                (0, usize::from(adjoins), LONGEST - run.len())
            } else {
                (1, SHARES - SHARES * capitals / run.len(), run.len())
            };
            runs.push((order, Reverse(start), run));
        }
    }
    runs.sort_by_key(|&(order, start, _)| (order, start));
    let mut chosen: Vec<&[Word]> = Vec::new();
    for (_, _, run) in runs {
        if chosen.len() == MOST {
            break;
        }
        if !chosen.iter().any(|other| has_terms(other, run)) {
            chosen.push(run);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use crate::analysis::Analysis;

    fn names(query: &str) -> Vec<String> {
        Analysis::ENGLISH.query_names(query)
    }

    #[test]
    fn a_title_is_a_name_with_and_without_what_tells_it_apart() {
        let names = |title| Analysis::ENGLISH.title_names(title);
        assert_eq!(names("The Lord of the Rings"), ["=lord ring"]);
        assert_eq!(names("Mercury (planet) "), ["=mercuri planet", "=mercuri"]);
        assert_eq!(names("It"), ["=it"]);
        assert_eq!(names("(What's the Story) Morning Glory?"), ["=what stori morn glori"]);
        assert_eq!(names("One two three four five six"), [""; 0]);
        assert_eq!(names("One two three four five (six)"), ["=one two three four five"]);
        assert_eq!(names(""), [""; 0]);
        assert_eq!(names("()"), [""; 0]);
    }

    #[test]
    fn capitals_are_asked_for_before_other_words() {
        let asked = names("when did Willie Stargell of the Pittsburgh Pirates retire from baseball");
        for name in ["=willi stargel pittsburgh pirat", "=stargel pittsburgh pirat", "=willi stargel pittsburgh"] {
            assert!(asked.contains(&name.to_owned()), "{name} {asked:?}");
        }
        assert_eq!(names("the Beatles split in 1970"), ["=1970", "=beatl", "=beatl split 1970", "=split 1970"]);
        assert_eq!(names("Dublin lies in Ireland"), ["=dublin", "=dublin lie ireland", "=ireland", "=lie ireland"]);
    }

    #[test]
    fn a_query_without_capitals_asks_for_its_words() {
        assert_eq!(names("iron rusts"), ["=iron", "=iron rust", "=rust"]);
        assert_eq!(names("It"), ["=it"]);
        assert_eq!(names("!?"), [""; 0]);
    }

    #[test]
    fn a_name_stays_within_its_sentence_and_the_last_sentence_comes_first() {
        let asked = names("He met Anna. Bob Hope left St. Louis. Carl Orff saw Eve Mode. Dan Daye met Fay Wray.");
        assert_eq!(asked, ["=carl orff", "=dan day", "=eve mode", "=fay wray"]);
        assert!(names("He lived in St. Louis.").contains(&"=st loui".to_owned()));
    }

    #[test]
    fn a_name_counts_as_often_as_it_stands_in_the_query() {
        let asked = Analysis::ENGLISH.asked("Bob Hope sang. Bob Hope sang.");
        assert_eq!((asked["=bob hope"].count, asked["hope"].count), (2, 2));
        assert_eq!(asked["=bob hope"].words, ["bob", "hope"]);
        assert!(asked["bob"].words.is_empty());
    }
}
