//! Text analysis by rules, without a model: the sentences of a text, which of them are claims, and what these name.

pub(crate) mod assertion;
pub(crate) mod citations;
pub(crate) mod claim;
pub(crate) mod differences;
pub(crate) mod english;
pub(crate) mod entities;
pub(crate) mod facts;
pub(crate) mod kinds;
pub(crate) mod language;
mod markdown;
pub(crate) mod markup;
mod names;
mod page;
mod parser;
pub(crate) mod parts;
pub(crate) mod pronouns;
mod prose;
pub(crate) mod quantities;
mod question;
mod readable;
pub(crate) mod risks;
pub(crate) mod sentences;
pub(crate) mod split;
pub(crate) mod titles;
mod units;
mod verbs;
mod words;
