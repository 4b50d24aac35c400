//! Cuts articles into passages of 100 words.

use std::collections::VecDeque;

use evident_index::Passage;

/// The number of words in a passage (guan2024, Sec. 4.2); the last passage of an article may have fewer. White space
/// separates words.
pub const WORDS: usize = 100;

/// The most bytes of a title or a heading, which every passage below it repeats.
const HEADING: usize = 1 << 10;

/// The link of a section of an article; of `None`, the text before the first section.
type Link = dyn Fn(Option<&str>) -> Option<String> + Send;

/// Cuts one article, which it receives block by block, into passages. A line break separates blocks.
pub(crate) struct Cutter {
    id: String,
    title: String,
    names: Vec<String>,
    source: Box<Link>,
    /// The section of the next word.
    section: Option<String>,
    /// The passage being filled. Its section is that of its first word.
    open: Passage,
    /// The number of its words.
    words: usize,
    /// The number of passages before it.
    cut: usize,
    ready: VecDeque<Passage>,
}

impl Cutter {
    /// A cutter of the article `title`, whose passages have the ids `<id>#1`, `<id>#2` and so on.
    pub fn new(id: String, title: String, source: impl Fn(Option<&str>) -> Option<String> + Send + 'static) -> Self {
        let (names, ready) = Default::default();
        let (title, source, open) = (shortened(title), Box::new(source), Passage::default());
        Self { id, title, names, source, section: None, open, words: 0, cut: 0, ready }
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    /// The article has these other names.
    pub fn named(mut self, names: Vec<String>) -> Self {
        self.names = names.into_iter().map(shortened).collect();
        self
    }

    /// The following text is in the section with this heading.
    pub fn section(&mut self, section: Option<String>) {
        self.section = section.map(shortened);
    }

    /// Adds a block, such as a paragraph or a list item.
    pub fn block(&mut self, text: &str) {
        let mut between = '\n';
        for word in text.split_whitespace() {
            self.word(word, between);
            between = ' ';
        }
    }

    /// Adds a block that is not cut in two, unless it has more words than a passage.
    pub fn whole(&mut self, text: &str) {
        if self.words + text.split_whitespace().count() > WORDS {
            self.end();
        }
        self.block(text);
    }

    /// Adds words to the last block.
    pub fn line(&mut self, text: &str) {
        text.split_whitespace().for_each(|word| self.word(word, ' '));
    }

    fn word(&mut self, word: &str, between: char) {
        if self.words == 0 {
            self.open.section.clone_from(&self.section);
        } else {
            self.open.text.push(between);
        }
        self.open.text.push_str(word);
        self.words += 1;
        if self.words == WORDS {
            self.close();
        }
    }

    fn close(&mut self) {
        self.cut += 1;
        self.words = 0;
        let (section, text) = (self.open.section.take(), std::mem::take(&mut self.open.text));
        let source = (self.source)(section.as_deref());
        let (id, title, names) = (format!("{}#{}", self.id, self.cut), self.title.clone(), self.names.clone());
        self.ready.push_back(Passage { id, title, section, text, source, names });
    }

    /// Ends the article, or a part of it: the next word begins a passage.
    pub fn end(&mut self) {
        if self.words > 0 {
            self.close();
        }
    }

    /// The next finished passage.
    pub fn pop(&mut self) -> Option<Passage> {
        self.ready.pop_front()
    }
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

    #[test]
    fn passages_have_a_hundred_words_and_the_section_they_begin_in() {
        let mut cutter = cutter();
        let words = |from: usize, to: usize| (from..to).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        cutter.block(&words(0, 150));
        cutter.section(Some("More".into()));
        cutter.block(&words(150, 230));
        cutter.end();
        let passages: Vec<_> = std::iter::from_fn(|| cutter.pop()).collect();
        let counts: Vec<_> = passages.iter().map(|passage| passage.text.split_whitespace().count()).collect();
        assert_eq!(counts, [WORDS, WORDS, 30]);
        assert_eq!(passages.iter().map(|passage| passage.id.as_str()).collect::<Vec<_>>(), ["7#1", "7#2", "7#3"]);
        assert_eq!(
            passages.iter().map(|passage| passage.section.as_deref()).collect::<Vec<_>>(),
            [None, None, Some("More")]
        );
        assert!(passages[1].text.contains("149\n150"), "{}", passages[1].text);
        assert_eq!(passages[2].source.as_deref(), Some("numbers/More"));
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
    fn a_whole_block_is_in_one_passage() {
        let mut cutter = cutter();
        cutter.block(&"word ".repeat(WORDS - 2));
        cutter.whole("one two three.");
        cutter.whole(&"word ".repeat(WORDS + 1));
        cutter.end();
        let counts: Vec<_> = std::iter::from_fn(|| cutter.pop()).map(|p| p.text.split_whitespace().count()).collect();
        assert_eq!(counts, [WORDS - 2, 3, WORDS, 1]);
    }

    #[test]
    fn an_article_without_words_has_no_passages() {
        let mut cutter = cutter();
        cutter.block(" \n\t");
        cutter.end();
        assert_eq!(cutter.pop(), None);
    }
}
