//! What is checked: an answer as its chatbot wrote it, or as somebody reads it.

use std::borrow::Cow;

use serde::Deserialize;

/// An answer. All offsets, such as a sentence's, are into its text: the given string, or the texts of its blocks joined
/// by empty lines.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Input {
    /// As chatbots write: Markdown.
    Markdown(String),
    /// Text without markup, such as a text field's. Empty lines separate paragraphs.
    Plain(String),
    /// What a page shows.
    Blocks(Vec<Block>),
}

/// A block of a page: no sentence goes on from one to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its words, as the page shows them: "\n" breaks a line, "\t" separates the cells of a row. Formulas are written
    /// as text, such as "5" or "x^2". "\u{fffc}", Unicode's object replacement character, stands for a formula or
    /// another object that cannot be written as text: a sentence that contains it is not judged.
    pub text: String,
    /// The level of a heading, 1 to 6, or the number of a reference or of an item of a numbered list.
    #[cfg_attr(feature = "types", ts(optional))]
    pub number: Option<u32>,
    /// The names of a row's columns, one for each cell.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(as = "Option<Vec<String>>", optional))]
    pub heads: Vec<String>,
    /// The links in its words, in order.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(as = "Option<Vec<LinkPlace>>", optional))]
    pub links: Vec<LinkPlace>,
}

/// What a block of a page is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum BlockKind {
    /// Words in lines.
    #[default]
    Paragraph,
    /// An item of a list.
    Item,
    /// A heading.
    Heading,
    /// A row of a table, without the row that names the columns.
    Row,
    /// Lines of a program, which are not read.
    Code,
    /// The entry that a citation such as "[2]" refers to: the block's `number` is cited, and its first link is the
    /// source. It is not judged.
    Reference,
}

/// A link within a block.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LinkPlace {
    /// The start of its words in the block's text, in UTF-16 code units.
    pub start: usize,
    /// The end of its words; equal to `start` for a link without words, which is a citation for the words before it.
    pub end: usize,
    /// Its address.
    pub url: String,
}

/// Stands for a formula or another object that cannot be written as text.
pub(crate) const OBJECT: char = '\u{fffc}';

/// What stands between two blocks in the text of an answer.
pub(crate) const GAP: &str = "\n\n";

impl Input {
    /// The text that all offsets refer to. Blocks without text are skipped.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Markdown(text) | Self::Plain(text) => text.into(),
            Self::Blocks(blocks) => {
                let texts: Vec<&str> =
                    blocks.iter().map(|block| block.text.as_str()).filter(|text| !text.is_empty()).collect();
                texts.join(GAP).into()
            }
        }
    }
}

/// Markdown.
impl From<&str> for Input {
    fn from(text: &str) -> Self {
        Self::Markdown(text.to_owned())
    }
}

/// Markdown.
impl From<&String> for Input {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl Block {
    /// A paragraph without links.
    #[must_use]
    pub fn paragraph(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}
