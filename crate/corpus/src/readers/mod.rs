//! A kind of corpus in each file: from its files to passages.

pub(crate) mod dump;
pub(crate) mod folder;
pub(crate) mod jsonl;
mod wikitext;
