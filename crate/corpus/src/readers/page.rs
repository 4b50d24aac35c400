//! One article of a wiki, as its API has it.

use evident_index::Passage;

use crate::options::Facts;
use crate::readers::wikitext::{self, Hidden};

/// The wikitext of one article.
#[derive(Clone, Copy, Debug)]
pub struct WikitextArticle<'a> {
    /// The beginning of the ids of its passages.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Other names, which lead to it.
    pub names: &'a [String],
    /// Its address, the source of its passages.
    pub address: &'a str,
    /// Its text.
    pub wikitext: &'a str,
}

impl WikitextArticle<'_> {
    /// The passages of the article, those of its infoboxes and tables last; none of a redirect.
    ///
    /// ```
    /// use evident_corpus::WikitextArticle;
    ///
    /// let article = WikitextArticle {
    ///     id: "7",
    ///     title: "Iron",
    ///     names: &["Fe".to_owned()],
    ///     address: "https://example.org/w/index.php?oldid=9",
    ///     wikitext: "'''Iron''' is a [[metal]].<ref>A book.</ref> It rusts.",
    /// };
    /// let passages = article.passages();
    /// assert_eq!((passages[0].id.as_str(), passages[0].text.as_str()), ("7#1", "Iron is a metal. It rusts."));
    /// ```
    #[must_use]
    pub fn passages(&self) -> Vec<Passage> {
        let Self { id, title, names, address, wikitext } = *self;
        if wikitext::is_redirect(wikitext) {
            return Vec::new();
        }
        let article = wikitext::read(title, wikitext, &Hidden::default());
        let address = address.to_owned();
        let cutter = evident_index::Cutter::new(id.to_owned(), title.to_owned(), move |_| Some(address.clone()));
        let mut cut = article.cut(cutter, names.iter().map(String::as_str), Facts::Read);
        std::iter::from_fn(|| cut.pop()).collect()
    }
}
