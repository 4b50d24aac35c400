//! A wiki as a source of evidence, asked by this program.

use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use evident_corpus::WikitextArticle;
use evident_fetch::Client;
use evident_index::Passage;
use evident_verify::{LocalBoxFuture, SourceError, WikiArticle, WikiHost, WikiReply, WikiSource};

/// A wiki by its name.
///
/// # Errors
/// Those of [`WikiSource::new`].
pub fn open(name: &str) -> Result<WikiSource<Asking>, SourceError> {
    WikiSource::new(Asking::default(), name)
}

/// Asks a wiki over HTTP, one request after the other.
#[derive(Default)]
pub struct Asking {
    client: Client,
}

impl WikiHost for Asking {
    fn get<'a>(&'a self, address: &'a str, most: u64) -> LocalBoxFuture<'a, Result<WikiReply, String>> {
        Box::pin(async move {
            let answer = self.client.get(address, most).map_err(|error| error.to_string())?;
            Ok(WikiReply { status: answer.status, retry_after: answer.retry_after, body: answer.body })
        })
    }

    fn read(&self, article: &WikiArticle) -> Vec<Passage> {
        let WikiArticle { id, title, names, address, wikitext } = article;
        WikitextArticle { id, title, names, address, wikitext }.passages()
    }

    fn wait(&self, seconds: u64) -> LocalBoxFuture<'_, ()> {
        eprintln!("the wiki asked to wait {seconds} s: the sentences that it is asked about wait");
        Box::pin(async move { sleep(Duration::from_secs(seconds)) })
    }

    fn now(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }
}
