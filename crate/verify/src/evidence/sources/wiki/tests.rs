//! A wiki of a few articles, whose replies are written as MediaWiki writes them.

use std::cell::RefCell;
use std::collections::VecDeque;

use futures_lite::future::block_on;
use serde_json::{Value, json};

use super::api::LONGEST;
use super::*;

/// 12:00 on 28 November 2026.
const NOW: u64 = 1_795_867_200;
const ADDRESS: &str = "https://wiki.example/w/api.php";
const MERCURY: &str = "'''Mercury''' can mean:\n* [[Mercury (planet)]]\n* [[Mercury (element)]]\n{{disambiguation}}";

/// A host that answers by parts of addresses, and writes down what it is asked.
#[derive(Default)]
struct Replies {
    asked: RefCell<Vec<String>>,
    /// Replies that come first, whatever is asked.
    first: RefCell<VecDeque<WikiReply>>,
    waited: Cell<u64>,
    /// Whether it gives no answer at all.
    is_gone: Cell<bool>,
    /// How many seconds have passed.
    passed: Cell<u64>,
    /// Whether Iron was edited after it was first asked for.
    is_edited: Cell<bool>,
    /// What it keeps.
    kept: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl Replies {
    /// What it was asked since the last call.
    fn take(&self) -> Vec<String> {
        self.asked.take()
    }
}

fn reply(value: &Value) -> WikiReply {
    WikiReply { status: 200, retry_after: None, body: value.to_string().into_bytes() }
}

fn article(id: u64, title: &str, timestamp: &str, text: &str) -> Value {
    let slots = json!({ "main": { "contentmodel": "wikitext", "contentformat": "text/x-wiki", "content": text } });
    let edits = u64::from(timestamp > "2026-11-28T11:00:00Z");
    let revision = json!({ "revid": id * 10 + edits, "parentid": 1, "timestamp": timestamp, "slots": slots });
    json!({ "pageid": id, "ns": 0, "title": title, "revisions": [revision] })
}

impl WikiHost for Rc<Replies> {
    fn get<'a>(&'a self, address: &'a str, _: u64) -> LocalBoxFuture<'a, Result<WikiReply, String>> {
        self.asked.borrow_mut().push(address.to_owned());
        if self.is_gone.get() {
            return Box::pin(async { Err("it did not answer".to_owned()) });
        }
        if let Some(first) = self.first.borrow_mut().pop_front() {
            return Box::pin(async { Ok(first) });
        }
        let site = json!({ "generator": "MediaWiki 1.43.1", "lang": "en", "sitename": "Example" });
        let rights = json!({ "url": "", "text": "CC BY-SA 4.0" });
        let iron = if self.is_edited.get() {
            article(1, "Iron", "2026-11-28T11:30:00Z", "'''Iron''' is the metal of the Iron Age.")
        } else {
            article(1, "Iron", "2026-10-01T00:00:00Z", "'''Iron''' is a metal. It rusts in wet air.")
        };
        let query = if address.contains("rvstart=") {
            json!({ "pages": [article(2, "Tin", "2026-11-01T00:00:00Z", "'''Tin''' is soft.")] })
        } else if address.contains("generator=search") {
            json!({ "pages": [iron] })
        } else {
            let asked = |title: &str| address.contains(title).then_some(());
            let mercury = article(3, "Mercury", "2026-10-01T00:00:00Z", MERCURY);
            let novel = article(4, "Novel", "2026-10-01T00:00:00Z", &"Iron is a gas. ".repeat(LONGEST / 10));
            let pages = [
                asked("Novel").map(|()| novel),
                asked("Ferrum").or(asked("Iron")).map(|()| iron),
                asked("Tin").map(|()| article(2, "Tin", "2026-11-28T11:59:00Z", "'''Tin''' is a gas.")),
                asked("Mercury").map(|()| mercury),
                asked("Unknown").map(|()| json!({ "ns": 0, "title": "Unknown", "missing": true })),
            ];
            json!({
                "general": site, "rightsinfo": rights,
                "normalized": [{ "fromencoded": false, "from": "Ferrum", "to": "ferrum" }],
                "redirects": [{ "from": "ferrum", "to": "Iron" }],
                "pages": without_texts(address, pages.into_iter().flatten().collect()),
            })
        };
        Box::pin(async move { Ok(reply(&json!({ "batchcomplete": true, "query": query }))) })
    }

    fn read(&self, article: &WikiArticle) -> Vec<Passage> {
        let passage = Passage {
            id: format!("{}#1", article.id),
            title: article.title.clone(),
            text: article.wikitext.replace('\'', ""),
            source: Some(article.address.clone()),
            names: article.names.clone(),
            ..Passage::default()
        };
        vec![passage]
    }

    fn wait(&self, seconds: u64) -> LocalBoxFuture<'_, ()> {
        self.waited.set(self.waited.get() + seconds);
        Box::pin(async {})
    }

    fn now(&self) -> u64 {
        NOW + self.passed.get()
    }

    fn kept<'a>(&'a self, address: &'a str) -> LocalBoxFuture<'a, Option<Vec<u8>>> {
        let kept = self.kept.borrow().get(address).cloned();
        Box::pin(async { kept })
    }

    fn keep(&self, address: String, bytes: Vec<u8>) {
        self.kept.borrow_mut().insert(address, bytes);
    }
}

/// The articles of a reply without their texts, if it was asked for that.
fn without_texts(address: &str, mut pages: Vec<Value>) -> Vec<Value> {
    if address.contains("rvprop=ids&") {
        for page in &mut pages {
            page["revisions"] = json!([{ "revid": page["revisions"][0]["revid"], "parentid": 1 }]);
        }
    }
    pages
}

fn find(source: &WikiSource<Rc<Replies>>, statement: &str) -> Result<Found, SourceError> {
    let query = Query { context: "", statement, count: 10, settings: &Settings::default() };
    block_on(source.find(&query))
}

fn wiki() -> (Rc<Replies>, WikiSource<Rc<Replies>>) {
    let replies = Rc::new(Replies::default());
    (replies.clone(), WikiSource::new(replies, ADDRESS).unwrap())
}

#[test]
fn an_article_is_found_by_a_name_that_redirects_to_it_and_read_once() {
    let (replies, wiki) = wiki();
    let found = find(&wiki, "Ferrum is a gas.").unwrap();
    let passage = &found.passages[0];
    assert_eq!(passage.passage.text, "Iron is a metal. It rusts in wet air.");
    assert_eq!(passage.passage.source.as_deref(), Some("https://wiki.example/w/index.php?oldid=10"));
    assert_eq!((passage.date.as_deref(), passage.license.as_deref()), (Some("2026-10-01"), Some("CC BY-SA 4.0")));
    assert_eq!(replies.asked.borrow().len(), 1, "{:?}", replies.asked);
    find(&wiki, "Ferrum rusts.").unwrap();
    assert_eq!(replies.asked.borrow().len(), 1, "it was read before");
    assert_eq!(wiki.traffic().requests, 1);
    assert!(replies.asked.borrow().iter().all(|address| !address.contains("gas")), "only names have left");
}

#[test]
fn a_revision_of_the_last_hour_is_not_read() {
    let (replies, wiki) = wiki();
    let found = find(&wiki, "Iron and Tin are metals.").unwrap();
    let texts: Vec<&str> = found.passages.iter().map(|found| found.passage.text.as_str()).collect();
    assert!(texts.contains(&"Tin is soft."), "{texts:?}");
    assert!(replies.asked.borrow().last().unwrap().contains("rvstart=2026-11-28T11%3A00%3A00Z"));
}

#[test]
fn a_name_of_several_articles_is_offered_and_not_read() {
    let (_, wiki) = wiki();
    let found = find(&wiki, "Mercury is soft.").unwrap();
    assert!(found.passages.iter().all(|found| found.passage.title != "Mercury"), "{:?}", found.passages);
    let page = |title: &str| format!("https://wiki.example/w/index.php?title={title}");
    let listed = |title: &str, escaped: &str| Listed { title: title.to_owned(), source: page(escaped) };
    let articles = vec![
        listed("Mercury (planet)", "Mercury%20%28planet%29"),
        listed("Mercury (element)", "Mercury%20%28element%29"),
    ];
    assert_eq!(found.ambiguous, [Ambiguous { name: "Mercury".to_owned(), source: page("Mercury"), articles }]);
    assert!(find(&wiki, "Iron rusts.").unwrap().ambiguous.is_empty(), "that claim does not name it");
}

#[test]
fn what_has_no_article_of_its_name_is_searched_for() {
    let (replies, wiki) = wiki();
    let found = find(&wiki, "Unknown rusts in wet air.").unwrap();
    assert_eq!(found.passages.len(), 1);
    assert!(replies.asked.borrow()[1].contains("generator=search&gsrwhat=text&gsrsearch="));
    assert!(find(&wiki, "Mercury is a planet.").unwrap().passages.len() <= 1, "a disambiguation is no article");
}

#[test]
fn a_busy_wiki_is_asked_once_more_and_a_wrong_one_is_named() {
    let (replies, wiki) = wiki();
    let busy = WikiReply { status: 429, retry_after: Some(7), body: Vec::new() };
    replies.first.borrow_mut().push_back(busy.clone());
    assert_eq!(find(&wiki, "Iron rusts.").unwrap().passages.len(), 1);
    assert_eq!(replies.waited.get(), 7);

    let (replies, wiki) = self::wiki();
    replies.first.borrow_mut().extend([busy.clone(), busy]);
    let error = find(&wiki, "Iron rusts.").unwrap_err();
    assert_eq!(error.to_string(), "wiki.example could not be asked: it is busy: try again in 7 s");

    let german = json!({ "query": { "general": { "generator": "MediaWiki 1.43.1", "lang": "de" } } });
    for (first, said) in [(reply(&german), "in the language de"), (reply(&json!({})), "is no MediaWiki")] {
        let (replies, wiki) = self::wiki();
        replies.first.borrow_mut().push_back(first);
        let error = find(&wiki, "Iron rusts.").unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn an_article_of_more_than_two_megabytes_is_not_read() {
    let (replies, wiki) = wiki();
    assert!(find(&wiki, "Novel is long.").unwrap().passages.iter().all(|found| found.passage.title != "Novel"));
    replies.take();
    find(&wiki, "Novel is old.").unwrap();
    let asked = replies.take();
    assert!(asked.iter().all(|address| !address.contains("titles=")), "it is not asked for again: {asked:?}");
}

#[test]
fn what_was_read_for_an_answer_serves_later_ones() {
    let (replies, wiki) = wiki();
    let statements = ["Ferrum is a gas.", "Unknown rusts in wet air.", "Mercury is soft."];
    let found: Vec<Found> = statements.iter().map(|statement| find(&wiki, statement).unwrap()).collect();
    assert!(!replies.take().is_empty());

    let later = WikiSource::new(replies.clone(), ADDRESS).unwrap();
    for (statement, before) in statements.iter().zip(&found) {
        assert_eq!(find(&later, statement).unwrap(), *before);
    }
    assert_eq!(replies.take(), [""; 0], "the wiki gave its word within the hour");
    assert_eq!(later.traffic(), Traffic::default());
}

#[test]
fn an_older_article_serves_if_the_wiki_names_its_revision() {
    let (replies, wiki) = wiki();
    let before = find(&wiki, "Ferrum is a gas.").unwrap();
    let requests = || {
        let asked = replies.take();
        asked.iter().map(|address| address.contains("content")).collect::<Vec<_>>()
    };
    assert_eq!(requests(), [true]);

    replies.passed.set(2 * SETTLED);
    let later = WikiSource::new(replies.clone(), ADDRESS).unwrap();
    assert_eq!(find(&later, "Ferrum is a gas.").unwrap(), before);
    assert_eq!(requests(), [false], "the revision is asked for, and not the text");
    assert_eq!(find(&later, "Ferrum is a gas.").unwrap(), before);
    assert_eq!(requests(), [false; 0]);

    replies.passed.set(4 * SETTLED);
    replies.is_edited.set(true);
    let found = find(&later, "Ferrum is a gas.").unwrap();
    assert_eq!(requests(), [false, true]);
    assert_eq!(found.passages.len(), 1, "the older text is gone");
    assert_eq!(found.passages[0].passage.text, "Iron is the metal of the Iron Age.");
    assert_eq!(found.passages[0].passage.names, ["Ferrum"]);

    replies.passed.set(6 * SETTLED);
    find(&later, "Ferrum and Tin are metals.").unwrap();
    assert!(requests()[0], "one request brings what is new and what is old");
}

#[test]
fn what_is_kept_and_cannot_be_read_is_asked_for() {
    let (replies, wiki) = wiki();
    let before = find(&wiki, "Ferrum is a gas.").unwrap();
    for wrong in [&b""[..], b"{}", b"null", b"\xff"] {
        replies.kept.borrow_mut().values_mut().for_each(|bytes| *bytes = wrong.to_vec());
        replies.take();
        let later = WikiSource::new(replies.clone(), ADDRESS).unwrap();
        assert_eq!(find(&later, "Ferrum is a gas.").unwrap(), before);
        assert_eq!(replies.take().len(), 1);
    }
    replies.kept.borrow_mut().retain(|address, _| !address.contains("oldid"));
    let later = WikiSource::new(replies.clone(), ADDRESS).unwrap();
    assert_eq!(find(&later, "Ferrum is a gas.").unwrap(), before);
    assert_eq!(replies.take().len(), 1, "the article itself is no longer kept");
}

#[test]
fn ten_claims_have_at_most_twelve_requests() {
    let (replies, wiki) = wiki();
    for round in 0..3 {
        for number in 0..10 {
            let query = Query {
                context: &format!("Who was Person{round}{number} of Place{round}{number}?"),
                statement: &format!("Stranger{round}{number} lived near Town{round}{number}."),
                count: 10,
                settings: &Settings::default(),
            };
            block_on(wiki.find(&query)).unwrap();
        }
        let requests = replies.take().len();
        assert!((10..=12).contains(&requests), "{requests}");
    }
}

#[test]
fn only_the_address_of_an_api_is_one() {
    assert_eq!(wiki_host(wiki_address("en").unwrap()), "en.wikipedia.org");
    let own = "http://127.0.0.1:8089/wiki/api.php";
    assert_eq!((wiki_address(own), wiki_host(own)), (Ok(own), "127.0.0.1:8089"));
    for wrong in ["en.wikipedia.org", "https://en.wikipedia.org", "ftp://a.org/api.php", "https:///api.php", ""] {
        assert_eq!(wiki_address(wrong), Err(SourceError::NoWiki { name: wrong.to_owned() }));
    }
}

#[test]
fn a_wiki_that_does_not_answer_is_left_alone_for_a_while() {
    let (replies, wiki) = wiki();
    replies.is_gone.set(true);
    for _ in 0..3 {
        assert_eq!(
            find(&wiki, "Iron rusts.").unwrap_err().to_string(),
            "wiki.example could not be asked: it did not answer"
        );
    }
    assert_eq!(replies.asked.borrow().len(), 1);
    replies.is_gone.set(false);
    replies.passed.set(PAUSE);
    assert_eq!(find(&wiki, "Iron rusts.").unwrap().passages.len(), 1);
}
