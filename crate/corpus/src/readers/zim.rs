//! A ZIM archive, in which Kiwix offers wikis and other sites: its articles, in the order in which it stores them.
//!
//! <https://openzim.org/wiki/ZIM_file_format> describes it. Older archives keep articles in the namespace `A` and
//! compress by LZMA2; newer ones keep all content in `C`, list the articles and compress by Zstandard. The main page is
//! left out: it is no article.

use evident_index::{Cutter, Passage};

use crate::error::CorpusError;
use crate::options::Facts;
use crate::readers::article::{Article, anchored};
use crate::readers::html;
pub(crate) use archive::Archive;
use archive::Item;

mod archive;
mod checksum;
mod cluster;
mod file;

/// What is in every page of a wiki that mwoffliner wrote.
const WIKI: &str = "mw-content-text";

/// The passages of an archive; with `facts` those of its infoboxes and tables too.
pub(crate) fn passages(
    mut archive: Archive,
    facts: Facts,
) -> impl Iterator<Item = Result<Passage, CorpusError>> + Send {
    let mut cutter: Option<Cutter> = None;
    std::iter::from_fn(move || {
        loop {
            if let Some(passage) = cutter.as_mut().and_then(Cutter::pop) {
                return Some(Ok(passage));
            }
            match archive.next_article() {
                Ok(article) => cutter = Some(cut(article?, facts)),
                Err(error) => return Some(Err(error)),
            }
        }
    })
}

/// The most bytes of a page's own link: browsers do not accept longer ones.
const LONGEST_LINK: usize = 2048;

fn cut(Item { path, title, redirects, html }: Item, facts: Facts) -> Cutter {
    let title = title.replace(char::is_control, " "); // readers mark text with such characters
    let article = html::read(&title, &html);
    // What is bold names an article of a wiki; in another page it names nothing.
    let article = if html.contains(WIKI) { article } else { Article { names: Vec::new(), ..article } };
    // Every passage repeats the link, so a page's own must not be too long.
    let link = html::canonical(&html).filter(|link| link.len() <= LONGEST_LINK).unwrap_or_else(|| path.clone());
    let redirects = redirects.iter().map(String::as_str);
    article.cut(Cutter::new(path, title, anchored(Some(link))), redirects, facts)
}
