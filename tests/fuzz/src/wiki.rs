//! Any bytes as the replies of a wiki that is asked about a claim, and as what is kept of it. Each reply ends at a byte
//! 0, and its first byte says with which status it came, or that it was kept.

use std::cell::RefCell;
use std::future::ready;

use evident_corpus::WikitextArticle;
use evident_index::Passage;
use evident_verify::{EvidenceSource, LocalBoxFuture, Query, Settings, WikiArticle, WikiHost, WikiReply, WikiSource};
use futures_lite::future::block_on;

/// 2026-11-28T12:00:00Z.
const NOW: u64 = 1_795_867_200;

/// What the first byte of a reply stands for, and how long the wiki then says to wait; any other byte is 200.
const STATUSES: [(u8, u16, Option<u64>); 3] = [(b'b', 503, Some(2)), (b'g', 410, None), (b'l', 429, Some(u64::MAX))];

/// The first byte of what was kept.
const KEPT: u8 = b'k';

/// The replies that are to come.
struct Host<'a>(RefCell<std::vec::IntoIter<&'a [u8]>>);

impl WikiHost for Host<'_> {
    fn get<'a>(&'a self, _: &'a str, _: u64) -> LocalBoxFuture<'a, Result<WikiReply, String>> {
        let reply = self.0.borrow_mut().next().map(|reply| {
            let (first, body) = reply.split_first().unwrap_or((&b' ', &[]));
            let known = STATUSES.iter().find(|(byte, ..)| byte == first);
            let (status, retry_after) = known.map_or((200, None), |(_, status, wait)| (*status, *wait));
            WikiReply { status, retry_after, body: body.to_vec() }
        });
        Box::pin(async { reply.ok_or_else(|| "it did not answer".to_owned()) })
    }

    fn read(&self, article: &WikiArticle) -> Vec<Passage> {
        let WikiArticle { id, title, names, address, wikitext } = article;
        WikitextArticle { id, title, names, address, wikitext }.passages()
    }

    fn wait(&self, _: u64) -> LocalBoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn now(&self) -> u64 {
        NOW
    }

    fn kept<'a>(&'a self, _: &'a str) -> LocalBoxFuture<'a, Option<Vec<u8>>> {
        let mut replies = self.0.borrow_mut();
        let is_kept = replies.as_slice().first().is_some_and(|reply| reply.first() == Some(&KEPT));
        let kept = is_kept.then(|| replies.next()).flatten().map(|reply| reply[1..].to_vec());
        Box::pin(ready(kept))
    }
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let settings = Settings::default();
    let replies: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
    let host = Host(replies.into_iter().into());
    let source = WikiSource::new(host, "en").expect("the name of a wiki");
    for statement in ["Iron is a metal that rusts.", "Tin melts at 232 °C.", "It is soft."] {
        let query = Query { context: "What is iron?", statement, count: 3, settings: &settings };
        if let Ok(found) = block_on(source.find(&query)) {
            assert!(found.passages.len() <= query.count);
        }
    }
}
