//! The HTML dump of a wiki (Wikimedia Enterprise): NDJSON, an article a line, alone or in an archive.
//!
//! <https://enterprise.wikimedia.com/docs/data-dictionary/> names the fields. A dump may have an article more than once,
//! of which the one with the highest `version.identifier` counts
//! (<https://enterprise.wikimedia.com/docs/snapshot/>); so it is read twice, the versions first.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use evident_index::{Cutter, Passage};
use serde::{Deserialize, Deserializer};

use crate::error::CorpusError;
use crate::lines::Lines;
use crate::options::Facts;
use crate::readers::article::anchored;
use crate::readers::html;

/// The fields of a line that tell which version of an article is the newest.
#[derive(Deserialize)]
struct Version {
    identifier: u64,
    #[serde(default, deserialize_with = "or_default")]
    namespace: Identified,
    #[serde(default, deserialize_with = "or_default")]
    version: Identified,
}

/// A line.
#[derive(Deserialize)]
struct Line {
    name: String,
    url: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    redirects: Vec<Redirect>,
    article_body: Body,
}

#[derive(Default, Deserialize)]
struct Identified {
    identifier: u64,
}

#[derive(Deserialize)]
struct Redirect {
    name: String,
}

#[derive(Deserialize)]
struct Body {
    html: String,
}

/// A field that may be `null`.
fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The passages of the dump at `path`, whose text is each of `lines`; with `facts` those of its infoboxes and tables
/// too.
pub(crate) fn passages(
    path: PathBuf,
    [mut first, mut second]: [Lines; 2],
    facts: Facts,
) -> impl Iterator<Item = Result<Passage, CorpusError>> {
    let mut newest: Option<HashMap<u64, u64>> = None;
    let mut cutter: Option<Cutter> = None;
    let mut text = Vec::new();
    std::iter::from_fn(move || {
        let newest = match &mut newest {
            Some(newest) => newest,
            None => match versions(&mut first) {
                Ok(found) => newest.insert(found),
                Err(source) => return Some(Err(first.failed(&path, source))),
            },
        };
        loop {
            if let Some(passage) = cutter.as_mut().and_then(Cutter::pop) {
                return Some(Ok(passage));
            }
            let line = match second.next_line(&mut text) {
                Ok(line) => line?,
                Err(source) => return Some(Err(second.failed(&path, source))),
            };
            match article(&text, newest, facts) {
                Ok(article) => cutter = article,
                Err(error) => {
                    let (path, reason) = (path.clone(), error.to_string());
                    return Some(Err(CorpusError::NotAnArticle { path, line, reason }));
                }
            }
        }
    })
}

/// The newest version of each article. A line that is not an article is reported when the articles are read.
fn versions(lines: &mut Lines) -> io::Result<HashMap<u64, u64>> {
    let (mut newest, mut text) = (HashMap::<u64, u64>::new(), Vec::new());
    while lines.next_line(&mut text)?.is_some() {
        if let Ok(Version { identifier, version, .. }) = serde_json::from_slice(&text) {
            let known = newest.entry(identifier).or_default();
            *known = version.identifier.max(*known);
        }
    }
    Ok(newest)
}

/// The article in a line, unless a newer version of it stands elsewhere. `newest` has the articles that were not yet
/// returned.
fn article(line: &[u8], newest: &mut HashMap<u64, u64>, facts: Facts) -> serde_json::Result<Option<Cutter>> {
    let Version { identifier, namespace, version } = serde_json::from_slice(line)?;
    if namespace.identifier != 0 || newest.get(&identifier) != Some(&version.identifier) {
        return Ok(None);
    }
    let Line { name, url, redirects, article_body } = serde_json::from_slice(line)?;
    newest.remove(&identifier);
    let article = html::read(&name, &article_body.html);
    let cutter = Cutter::new(identifier.to_string(), name, anchored(url));
    Ok(Some(article.cut(cutter, redirects.iter().map(|redirect| redirect.name.as_str()), facts)))
}
