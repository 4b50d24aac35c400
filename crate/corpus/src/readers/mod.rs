//! A kind of corpus in each file: from its files to passages. Wiki markup is read in steps: `markup` makes a tree of
//! it, `wikitext` writes that as text with what `templates`, `units`, `numbers` and `scripts` know, `facts` makes
//! sentences of infoboxes and tables, and `prose` puts the text right.

mod article;
pub(crate) mod dump;
pub(crate) mod enterprise;
mod entities;
mod facts;
pub(crate) mod folder;
mod html;
pub(crate) mod jsonl;
mod markup;
mod numbers;
pub(crate) mod page;
mod prose;
mod redirects;
mod scripts;
mod templates;
mod units;
mod wikitext;
pub(crate) mod zim;
