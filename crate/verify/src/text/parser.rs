//! The Markdown parser, with the extensions that chatbots write.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

/// The parser's events over a text, each with its place.
pub(crate) fn events(readable: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(readable, options).into_offset_iter()
}
