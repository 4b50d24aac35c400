//! Cuts articles into passages of whole sentences, for every corpus.

use std::collections::VecDeque;

use crate::Passage;

/// The most words of a passage (guan2024, Sec. 4.2). White space separates words.
pub const WORDS: usize = 100;

/// The most words of a paragraph that is a passage by itself rather than cut in two.
const LONG: usize = WORDS + WORDS / 8;

/// A passage of at least this many words ends with its paragraph; a shorter one takes in the next paragraph of its
/// section. Over Simple English Wikipedia, 90 words found more of the passages that decide an answer's sentences than
/// 50 did.
const ENOUGH: usize = 90;

/// The most bytes of a word. What is longer, such as a text without spaces, is cut.
const WORD: usize = 900;

/// The most bytes of a passage, which only words of unusual length reach.
const BYTES: usize = 3_000;

/// The most bytes of a title or a heading, which every passage below it repeats.
const HEADING: usize = 1 << 10;

/// Headings of sections that say nothing of the article's subject: lists of links and of books, in lower case.
const APART: [&str; 8] = [
    "citations",
    "external links",
    "footnotes",
    "further reading",
    "other websites",
    "references",
    "related pages",
    "see also",
];

/// The link of a section of an article; of `None`, the text before the first section.
type Link = dyn Fn(Option<&str>) -> Option<String> + Send;

/// Cuts one article, which it receives block by block, into passages.
///
/// A passage has whole sentences of one section, at most [`WORDS`] words, or an eighth more if they are a paragraph; a
/// longer sentence is cut between words. A line break separates blocks.
///
/// ```
/// let mut cutter = evident_index::Cutter::new("iron.md".into(), "Iron".into(), |_| None);
/// cutter.section(Some("Rust".into()));
/// cutter.block("Iron rusts in wet air.");
/// cutter.end();
/// let passage = cutter.pop().unwrap();
/// assert_eq!((passage.id.as_str(), passage.text.as_str()), ("iron.md#1", "Iron rusts in wet air."));
/// ```
pub struct Cutter {
    id: String,
    title: String,
    names: Vec<String>,
    source: Box<Link>,
    section: Option<String>,
    /// Whether the section is passed over.
    apart: bool,
    /// The sentence being filled.
    sentence: Stretch,
    /// The passage being filled.
    passage: Stretch,
    /// The most words that it may have.
    most: usize,
    /// The number of passages before it.
    cut: usize,
    ready: VecDeque<Passage>,
}

/// Words with what stands between them.
#[derive(Default)]
struct Stretch {
    text: String,
    words: usize,
    /// What separates it from the text before it.
    between: char,
}

impl Stretch {
    fn push(&mut self, text: &str, words: usize, between: char) {
        if self.words == 0 {
            self.between = between;
        } else {
            self.text.push(between);
        }
        self.text.push_str(text);
        self.words += words;
    }

    /// Whether `words` more of `bytes` bytes are too many for a passage of at most `most` words.
    fn is_full_with(&self, words: usize, bytes: usize, most: usize) -> bool {
        self.words > 0 && (self.words + words > most || self.text.len() + 1 + bytes > BYTES)
    }

    fn last_word(&self) -> &str {
        self.text.rsplit([' ', '\n']).next().unwrap_or_default()
    }
}

impl Cutter {
    /// A cutter of the article `title`, whose passages have the ids `<id>#1`, `<id>#2` and so on.
    pub fn new(id: String, title: String, source: impl Fn(Option<&str>) -> Option<String> + Send + 'static) -> Self {
        Self {
            id,
            title: shortened(title),
            names: Vec::new(),
            source: Box::new(source),
            section: None,
            apart: false,
            sentence: Stretch::default(),
            passage: Stretch::default(),
            most: WORDS,
            cut: 0,
            ready: VecDeque::new(),
        }
    }

    /// The title of the article.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The article has these other names.
    #[must_use]
    pub fn named(mut self, names: Vec<String>) -> Self {
        self.names = names.into_iter().map(shortened).collect();
        self
    }

    /// The following text is in the section with this heading. Another section begins another passage. Sections such as
    /// "See also" are passed over.
    pub fn section(&mut self, section: Option<String>) {
        let section = section.map(shortened);
        if section != self.section {
            self.end();
            let is_apart = |heading: &str| APART.contains(&heading.trim().to_lowercase().as_str());
            self.apart = section.as_deref().is_some_and(is_apart);
            self.section = section;
        }
    }

    /// Adds a block, such as a paragraph or a list item.
    pub fn block(&mut self, text: &str) {
        self.end_sentence();
        if self.passage.words >= ENOUGH {
            self.close();
        }
        let words = text.split_whitespace().count();
        let stays_whole = self.passage.words == 0 && (WORDS..=LONG).contains(&words);
        self.most = if stays_whole { words } else { WORDS };
        let mut between = '\n';
        for word in text.split_whitespace() {
            self.word(word, between);
            between = ' ';
        }
    }

    /// Adds words to the last block.
    pub fn line(&mut self, text: &str) {
        text.split_whitespace().for_each(|word| self.word(word, ' '));
    }

    fn word(&mut self, word: &str, between: char) {
        if self.apart {
            return;
        }
        if !word.starts_with(char::is_lowercase) && ends_sentence(self.sentence.last_word()) {
            self.end_sentence();
        }
        let (mut rest, mut between) = (word, between);
        while !rest.is_empty() {
            let (piece, more) = rest.split_at(rest.floor_char_boundary(WORD));
            if self.sentence.is_full_with(1, piece.len(), WORDS) {
                self.end_sentence();
            }
            self.sentence.push(piece, 1, between);
            (rest, between) = (more, ' ');
        }
    }

    /// Ends the sentence, which goes into the passage if there is room.
    fn end_sentence(&mut self) {
        let Stretch { text, words, between } = std::mem::take(&mut self.sentence);
        if words == 0 {
            return;
        }
        if self.passage.is_full_with(words, text.len(), self.most) {
            self.close();
        }
        self.passage.push(&text, words, between);
    }

    fn close(&mut self) {
        let text = std::mem::take(&mut self.passage).text;
        self.cut += 1;
        let (section, names) = (self.section.clone(), self.names.clone());
        let (id, title, source) =
            (format!("{}#{}", self.id, self.cut), self.title.clone(), (self.source)(section.as_deref()));
        self.ready.push_back(Passage { id, title, section, text, source, names });
    }

    /// Ends the article, or a part of it: the next word begins a passage.
    pub fn end(&mut self) {
        self.end_sentence();
        if self.passage.words > 0 {
            self.close();
        }
    }

    /// The next finished passage.
    pub fn pop(&mut self) -> Option<Passage> {
        self.ready.pop_front()
    }
}

/// Words whose full stop does not end a sentence, in lower case.
const ABBREVIATIONS: [&str; 48] = [
    "adm", "al", "approx", "av", "bros", "ca", "capt", "cf", "cmdr", "co", "col", "corp", "dr", "ed", "eds", "esp",
    "est", "etc", "fig", "fl", "ft", "gen", "gov", "hon", "inc", "jr", "lit", "lt", "ltd", "maj", "mr", "mrs", "ms",
    "mt", "no", "nos", "pp", "prof", "rep", "rev", "sen", "sgt", "sr", "st", "viz", "vol", "vols", "vs",
];

/// Whether a word may end a sentence: it ends with a full stop or the like, and is not an abbreviation.
#[must_use]
pub fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches([')', '"', '”', '’', ']', '\'']);
    let Some(stem) = word.strip_suffix('.') else { return word.ends_with(['!', '?', '…', '。', '！', '？']) };
    let stem = stem.trim_start_matches(['(', '"', '“', '[']);
    let initial = stem.chars().count() == 1 && stem.ends_with(char::is_alphabetic);
    !initial && !stem.trim_end_matches('.').contains('.') && !ABBREVIATIONS.contains(&&*stem.to_lowercase())
}

fn shortened(mut heading: String) -> String {
    heading.truncate(heading.floor_char_boundary(HEADING));
    heading
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cutter() -> Cutter {
        Cutter::new("7".into(), "Numbers".into(), |section| Some(format!("numbers/{}", section.unwrap_or("top"))))
    }

    fn passages(mut cutter: Cutter) -> Vec<Passage> {
        cutter.end();
        std::iter::from_fn(|| cutter.pop()).collect()
    }

    fn counts(passages: &[Passage]) -> Vec<usize> {
        passages.iter().map(|passage| passage.text.split_whitespace().count()).collect()
    }

    /// A sentence of `words` words.
    fn sentence(words: usize) -> String {
        format!("{}End. ", "Word ".repeat(words - 1))
    }

    #[test]
    fn a_passage_ends_where_a_sentence_ends() {
        let mut cutter = cutter();
        cutter.block(&sentence(40).repeat(4));
        let passages = passages(cutter);
        assert_eq!(counts(&passages), [80, 80]);
        assert!(passages.iter().all(|passage| passage.text.ends_with("End.")));
        assert_eq!(passages.iter().map(|passage| passage.id.as_str()).collect::<Vec<_>>(), ["7#1", "7#2"]);
    }

    #[test]
    fn short_paragraphs_share_a_passage_and_long_ones_end_theirs() {
        let mut cutter = cutter();
        for words in [40, 55, 30, 90, 10] {
            cutter.block(&sentence(words));
        }
        let passages = passages(cutter);
        assert_eq!(counts(&passages), [95, 30, 90, 10]);
        let mut cutter = self::cutter();
        for sentences in [10, 11, 9] {
            cutter.block(&sentence(10).repeat(sentences));
        }
        assert_eq!(counts(&self::passages(cutter)), [100, 110, 90], "a paragraph that is a little longer is not cut");
        assert!(passages[0].text.contains("End.\nWord"), "{}", passages[0].text);
    }

    #[test]
    fn a_section_begins_a_passage() {
        let mut cutter = cutter();
        cutter.block(&sentence(10));
        cutter.section(Some("More".into()));
        cutter.block(&sentence(10));
        cutter.section(Some("More".into()));
        cutter.block(&sentence(10));
        let passages = passages(cutter);
        assert_eq!(counts(&passages), [10, 20]);
        let sections: Vec<_> = passages.iter().map(|passage| passage.section.as_deref()).collect();
        assert_eq!(sections, [None, Some("More")]);
        assert_eq!(passages[1].source.as_deref(), Some("numbers/More"));
    }

    #[test]
    fn a_list_of_links_is_no_passage() {
        let mut cutter = cutter();
        for (section, text) in [("History", "It began."), ("See also", "Another list."), ("Today", "It goes on.")] {
            cutter.section(Some(section.into()));
            cutter.block(text);
        }
        let passages = passages(cutter);
        assert_eq!(
            passages.iter().map(|passage| passage.text.as_str()).collect::<Vec<_>>(),
            ["It began.", "It goes on."]
        );
    }

    #[test]
    fn a_sentence_that_is_too_long_is_cut_between_words_and_a_word_within() {
        let mut cutter = cutter();
        cutter.block(&sentence(150));
        cutter.section(Some("Long".into()));
        cutter.block(&"字".repeat(2_000));
        let passages = passages(cutter);
        assert_eq!(counts(&passages)[..2], [WORDS, 50]);
        assert!(passages.iter().all(|passage| passage.text.len() <= BYTES));
        let cut: String = passages[2..].iter().map(|passage| passage.text.replace(' ', "")).collect();
        assert_eq!(cut.chars().count(), 2_000);
    }

    #[test]
    fn abbreviations_initials_and_numbers_end_no_sentence() {
        for word in ["Dr.", "J.", "U.S.", "e.g.", "3.5", "St."] {
            assert!(!ends_sentence(word), "{word}");
        }
        for word in ["end.", "1900.", "end.)", "why?", "end.\"", "終。"] {
            assert!(ends_sentence(word), "{word}");
        }
    }

    #[test]
    fn a_line_goes_on_with_the_sentence_of_the_line_before() {
        let mut cutter = cutter();
        cutter.block("One sentence that");
        cutter.line("goes on here.");
        assert_eq!(passages(cutter)[0].text, "One sentence that goes on here.");
    }

    #[test]
    fn a_heading_that_is_no_heading_is_not_repeated_whole() {
        let mut cutter = Cutter::new("7".into(), "a".repeat(1 << 20), |_| None);
        cutter.section(Some("a".repeat(1 << 20)));
        cutter.block(&"word ".repeat(100 * 1000));
        let passage = cutter.pop().unwrap();
        assert_eq!((passage.title.len(), passage.section.unwrap().len()), (HEADING, HEADING));
    }

    #[test]
    fn an_article_without_words_has_no_passages() {
        let mut cutter = cutter();
        cutter.block(" \n\t");
        assert_eq!(passages(cutter), []);
    }
}
