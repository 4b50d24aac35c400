//! What is checked: an answer as its chatbot wrote it, or as somebody reads it.

use std::borrow::Cow;

use serde::Deserialize;

/// An answer. All places in it, such as a sentence's, are in its text: what is given, or the texts of its blocks with an
/// empty line between each two.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Input {
    /// As chatbots write: Markdown.
    Markdown(String),
    /// Words in which nothing is a mark, such as a text field's. Empty lines part paragraphs.
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
    /// Its words, as the page shows them: "\n" breaks a line, "\t" parts the cells of a row. Formulas are among them as
    /// words, such as "5" or "x^2". "\u{fffc}", Unicode's object replacement character, stands for a formula or another
    /// object that cannot be told in words: the sentence that has it is not judged.
    pub text: String,
    /// Of a heading its level, 1 to 6, and of an item of a numbered list its number.
    #[cfg_attr(feature = "types", ts(optional))]
    pub number: Option<u32>,
    /// Of a row the names of its columns, one for each cell.
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
    /// What a number stands for that words cite, such as "[2]": the block's `number`, and its first link. It is not
    /// read.
    Reference,
}

/// A link within a block.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LinkPlace {
    /// Where the UTF-16 code units of its words begin in the block's text.
    pub start: usize,
    /// Where they end; `start` for a link without words, which cites for the words before it.
    pub end: usize,
    /// Its address.
    pub url: String,
}

/// Stands for what cannot be told in words.
pub(crate) const OBJECT: char = '\u{fffc}';

/// What stands between two blocks in the text of an answer.
pub(crate) const GAP: &str = "\n\n";

impl Input {
    /// The text in which all places are. Blocks without text are passed over.
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
