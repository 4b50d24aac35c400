//! Cuts articles into passages of 100 words.

use std::collections::VecDeque;

use evident_index::Passage;

/// Words in a passage, the last of an article aside (guan2024, Sec. 4.2). A word is what white space parts.
pub const WORDS: usize = 100;

/// The link for a section of an article, or for what stands before the first.
type Link = dyn Fn(Option<&str>) -> Option<String> + Send;

/// Takes one article, a block of text after the other, and gives its passages. Blocks are kept apart by a line break.
pub(crate) struct Cutter {
    id: String,
    title: String,
    source: Box<Link>,
    /// The section of the next word.
    section: Option<String>,
    /// The passage that is being filled; its section is that of its first word.
    open: Passage,
    words: usize,
    cut: usize,
    ready: VecDeque<Passage>,
}

impl Cutter {
    /// For the article `title`, whose passages get the ids `<id>#1`, `<id>#2` and so on.
    pub fn new(id: String, title: String, source: impl Fn(Option<&str>) -> Option<String> + Send + 'static) -> Self {
        let open =
            Passage { id: String::new(), title: String::new(), section: None, text: String::new(), source: None };
        let source = Box::new(source);
        Self { id, title, source, section: None, open, words: 0, cut: 0, ready: VecDeque::new() }
    }

    /// What follows stands under the heading `section`.
    pub fn section(&mut self, section: Option<String>) {
        self.section = section;
    }

    /// Adds a block: a paragraph, a list item.
    pub fn block(&mut self, text: &str) {
        let mut between = '\n';
        for word in text.split_whitespace() {
            self.word(word, between);
            between = ' ';
        }
    }

    /// Adds words that go on in the same block.
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
        let (id, title) = (format!("{}#{}", self.id, self.cut), self.title.clone());
        self.ready.push_back(Passage { id, title, section, text, source });
    }

    /// Ends the article.
    pub fn end(&mut self) {
        if self.words > 0 {
            self.close();
        }
    }

    /// The next passage that is whole.
    pub fn pop(&mut self) -> Option<Passage> {
        self.ready.pop_front()
    }
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
    fn an_article_without_words_has_no_passages() {
        let mut cutter = cutter();
        cutter.block(" \n\t");
        cutter.end();
        assert_eq!(cutter.pop(), None);
    }
}
