//! A wiki as a source of evidence: replies of a real MediaWiki, which tests/wiki/record.mjs has written down.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde::Deserialize;
use serde_json::Value;

use program::{assert_error, embedded, root, run, stdout};

mod program;

#[derive(Deserialize)]
struct Recorded {
    request: String,
    body: String,
}

/// Serves the recorded replies; gives the address of the wiki's API and what it is asked, without what every request
/// has.
fn wiki() -> (String, Receiver<String>) {
    wiki_that_waits(0)
}

/// The same; so many requests are first answered that they should come again in a second.
fn wiki_that_waits(mut times: usize) -> (String, Receiver<String>) {
    let text = fs::read_to_string(root("tests/wiki/replies.jsonl")).unwrap();
    let recorded = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let replies: BTreeMap<String, String> = recorded.map(|Recorded { request, body }| (request, body)).collect();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/api.php", listener.local_addr().unwrap());
    let (asked, asks) = channel();
    thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let mut lines = BufReader::new(&socket).lines().map(Result::unwrap);
            let first = lines.next().unwrap();
            let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            assert!(headers.iter().all(|header| !header.to_lowercase().starts_with("cookie:")), "{headers:?}");
            if times > 0 {
                times -= 1;
                let head = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                socket.write_all(head.as_bytes()).unwrap();
                continue;
            }
            let query = first.split(' ').nth(1).unwrap().split_once('?').unwrap().1;
            let mut parameters: Vec<&str> = query.split('&').collect();
            parameters.sort_by_key(|parameter| parameter.split('=').next());
            // A browser's parameters write a space as +, and keep a star.
            let request = parameters.join("&").replace("%20", "+").replace("%2A", "*");
            let body = replies.get(&request).unwrap_or_else(|| panic!("{request} was not recorded"));
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            socket.write_all((head + body).as_bytes()).unwrap();
            let usual = ["action=", "format=", "formatversion=", "maxlag=", "origin="];
            parameters.retain(|parameter| !usual.iter().any(|usual| parameter.starts_with(usual)));
            let _ = asked.send(parameters.join("&"));
        }
    });
    (address, asks)
}

fn report(address: &str, answer: &str) -> Value {
    let output = run(&["verify", "--wiki", address, "--pack", &embedded(), "--json", answer]);
    serde_json::from_str(stdout(&output)).unwrap()
}

#[test]
fn an_answer_is_judged_by_the_articles_that_it_names() {
    let (address, asks) = wiki();
    let report = report(&address, "The Ool Bridge was opened on 4 May 1931.");
    let sentence = &report["sentences"][0];
    let passage = &sentence["evidence"][0];
    assert_eq!(passage["title"], "Ool Bridge");
    let host = address.trim_start_matches("http://").trim_end_matches("/api.php");
    assert!(passage["id"].as_str().unwrap().starts_with(host), "{passage}");
    let source = passage["source"].as_str().unwrap();
    assert!(source.starts_with(&address.replace("api.php", "index.php?oldid=")), "{source}");
    assert_eq!((&passage["date"], &passage["license"]), (&"2026-01-15".into(), &"CC BY-SA 4.0".into()));
    let wiki = &report["sources"][0];
    assert_eq!((&wiki["kind"], &wiki["reveals"]["what"]), (&"live".into(), &"claim".into()));
    assert_eq!(wiki["traffic"]["requests"], 1);
    let asked: Vec<String> = asks.try_iter().collect();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].contains("titles=Ool%20Bridge%7CThe%20Ool%20Bridge"), "{asked:?}");
    assert!(asked.iter().all(|asked| !asked.contains("opened")), "only names have left: {asked:?}");
}

#[test]
fn an_article_serves_the_whole_answer() {
    let (address, asks) = wiki();
    let report = report(&address, "The Berlin Wall fell on 9 November 1989. It was built in 1961.");
    for sentence in report["sentences"].as_array().unwrap() {
        assert_eq!(sentence["evidence"][0]["title"], "Berlin Wall", "{sentence}");
    }
    assert_eq!(asks.try_iter().filter(|asked| asked.contains("revisions")).count(), 1);
}

#[test]
fn what_infoboxes_say_is_evidence_and_lists_of_articles_are_not() {
    let (address, _asks) = wiki();
    let planet = report(&address, "Mercury has no moons.");
    let evidence = planet["sentences"][0]["evidence"].as_array().unwrap();
    assert!(evidence.iter().any(|passage| passage["text"].as_str().unwrap().contains("moons: 0")), "{evidence:?}");
    let metal = report(&address, "Mercury is a metal that is liquid at room temperature.");
    let evidence = metal["sentences"][0]["evidence"].as_array().unwrap();
    assert!(evidence.iter().all(|passage| passage["title"] != "Mercury"), "{evidence:?}");
}

#[test]
fn a_name_of_several_articles_is_told_with_these() {
    let (address, _asks) = wiki();
    let statement = "Mercury was praised by nobody.";
    let told = report(&address, statement)["sentences"][0]["ambiguous"][0].clone();
    assert_eq!((&told["name"], &told["articles"][1]["title"]), (&"Mercury".into(), &"Mercury (element)".into()));
    let page = address.replace("api.php", "index.php?title=Mercury");
    assert_eq!(told["source"], page.as_str());
    assert_eq!(told["articles"][0]["source"], format!("{page}%20%28planet%29"));
    let output = run(&["verify", "--wiki", &address, "--pack", &embedded(), statement]);
    let line = format!("Mercury has several articles: Mercury (planet), Mercury (element) ({page})");
    assert!(stdout(&output).contains(&line), "{}", stdout(&output));
}

#[test]
fn ten_claims_have_at_most_twelve_requests_and_the_report_tells_them() {
    let (address, asks) = wiki();
    let statements = fs::read_to_string(root("tests/wiki/statements.txt")).unwrap();
    let report = report(&address, statements.lines().last().unwrap());
    assert_eq!(report["sentences"].as_array().unwrap().len(), 10);
    let asked = asks.try_iter().count();
    assert!(asked <= 12, "{asked}");
    assert_eq!(report["sources"][0]["traffic"]["requests"], asked);
}

#[test]
fn a_wiki_that_asks_to_wait_is_waited_for_and_that_is_said() {
    let (address, asks) = wiki_that_waits(1);
    let output = run(&["verify", "--wiki", &address, "--pack", &embedded(), "Mercury has no moons."]);
    assert!(stdout(&output).contains("Mercury (planet)"), "{}", stdout(&output));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the wiki asked to wait 1 s"), "{said}");
    assert!(asks.try_iter().next().is_some());
}

#[test]
fn redirects_in_a_circle_and_templates_in_templates_end() {
    let (address, _asks) = wiki();
    for answer in ["The Alpha ring is a ring of stone.", "Bomb is a page of templates."] {
        let report = report(&address, answer);
        assert!(report["sources"][0].get("failed").is_none(), "{report}");
        assert_eq!(report["sentences"].as_array().unwrap().len(), 1, "{report}");
    }
}

#[test]
fn a_wiki_that_is_none_is_named() {
    let failed = run(&["verify", "--wiki", "en.wikipedia.org", "--pack", &embedded(), "Iron is a metal."]);
    assert_error(&failed, "bad-settings", "is no wiki: write en or simple");
    let nobody = "http://127.0.0.1:9/api.php";
    let failed = run(&["verify", "--wiki", nobody, "--pack", &embedded(), "Iron is a metal."]);
    assert_error(&failed, "network", "127.0.0.1:9 could not be asked: it cannot be reached");
}
