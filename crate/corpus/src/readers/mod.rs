//! A kind of corpus each: from its files to passages.

pub(crate) mod dump;
pub(crate) mod folder;
pub(crate) mod wikitext;
