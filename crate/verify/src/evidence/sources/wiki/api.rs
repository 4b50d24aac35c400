//! MediaWiki's action API: the addresses of requests, and the parts of replies.
//! <https://www.mediawiki.org/wiki/API:Query>

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

/// An answer of HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WikiReply {
    /// The status.
    pub status: u16,
    /// The seconds of `Retry-After`, if that is there.
    pub retry_after: Option<u64>,
    /// The body.
    pub body: Vec<u8>,
}

/// The wait in seconds where a busy wiki names none.
const USUAL_WAIT: u64 = 5;

/// The lag of a wiki's replicas, in seconds, above which it refuses a request.
/// <https://www.mediawiki.org/wiki/Manual:Maxlag_parameter>
const MOST_LAG: u32 = 5;

/// The most bytes of an article's wikitext. A longer one is not read.
pub(super) const LONGEST: usize = 2 << 20;

/// The `api.php` of a wiki.
pub(super) struct Api(String);

impl Api {
    /// The one at this address of http or https, which ends with "/api.php".
    pub fn at(address: &str) -> Self {
        Self(address.to_owned())
    }

    pub fn address(&self) -> &str {
        &self.0
    }

    pub fn host(&self) -> &str {
        wiki_host(&self.0)
    }

    /// Asks for the articles with these titles or with redirects of these titles, and for the wiki's language and
    /// licence if `site` says so.
    pub fn articles(&self, titles: &[&str], site: bool) -> String {
        let titles = titles.join("|");
        let mut parameters = vec![("redirects", "1")];
        if site {
            parameters.extend([("meta", "siteinfo"), ("siprop", "general|rightsinfo")]);
        }
        if !titles.is_empty() {
            parameters.extend(CONTENT);
            parameters.push(("titles", &titles));
        }
        self.query(&parameters)
    }

    /// Asks for the newest revisions of the articles with these titles, without their text.
    pub fn newest(&self, titles: &[&str]) -> String {
        let titles = titles.join("|");
        self.query(&[("redirects", "1"), ("prop", "revisions"), ("rvprop", "ids"), ("titles", &titles)])
    }

    /// Searches for articles with all these words.
    pub fn search(&self, words: &str, most: usize) -> String {
        let most = most.to_string();
        // The search of a wiki without Elasticsearch looks at titles alone unless it is told.
        let search = [("generator", "search"), ("gsrwhat", "text"), ("gsrsearch", words), ("gsrlimit", &most)];
        self.query(&[search.as_slice(), &CONTENT].concat())
    }

    /// Asks for the last revision of a page that is not younger than `timestamp`.
    pub fn revision_before(&self, page: u64, timestamp: &str) -> String {
        let page = page.to_string();
        let last = [("pageids", page.as_str()), ("rvlimit", "1"), ("rvdir", "older"), ("rvstart", timestamp)];
        self.query(&[last.as_slice(), &CONTENT].concat())
    }

    /// With `origin` a wiki answers pages of other sites.
    fn query(&self, parameters: &[(&str, &str)]) -> String {
        let lag = MOST_LAG.to_string();
        let usual =
            [("action", "query"), ("format", "json"), ("formatversion", "2"), ("origin", "*"), ("maxlag", &lag)];
        let written = usual
            .iter()
            .chain(parameters)
            .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, ESCAPED)));
        format!("{}?{}", self.0, written.collect::<Vec<_>>().join("&"))
    }

    /// The address of a revision, for readers.
    pub fn revision(&self, id: u64) -> String {
        self.shown("oldid", &id.to_string())
    }

    /// The address of a page, for readers.
    pub fn page(&self, title: &str) -> String {
        self.shown("title", title)
    }

    /// The address of what a search finds, for readers.
    pub fn results(&self, words: &str) -> String {
        self.shown("search", words)
    }

    fn shown(&self, name: &str, value: &str) -> String {
        let folder = self.0.trim_end_matches("api.php");
        format!("{folder}index.php?{name}={}", utf8_percent_encode(value, ESCAPED))
    }
}

/// Asks for the text of each page, and whether it is a disambiguation.
const CONTENT: [(&str, &str); 4] = [
    ("prop", "revisions|pageprops"),
    ("rvprop", "ids|timestamp|content"),
    ("rvslots", "main"),
    ("ppprop", "disambiguation"),
];

/// The characters that are escaped in a parameter: all but the unreserved ones of RFC 3986, Sec. 2.3.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The host of an address of http or https, with its port if it has one: the name of a wiki.
#[must_use]
pub fn wiki_host(address: &str) -> &str {
    address.split('/').nth(2).unwrap_or_default()
}

/// A wiki's language and licence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Site {
    /// The code of its language.
    pub language: String,
    /// The licence of its texts, if it names one.
    pub license: Option<String>,
}

impl Site {
    /// Tells English, Simple English included, from other languages.
    pub fn is_english(&self) -> bool {
        self.language == "en" || self.language.starts_with("en-") || self.language == "simple"
    }
}

/// A revision of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Version {
    /// The page's id.
    pub page: u64,
    /// The revision's id.
    pub revision: u64,
}

/// A revision of an article.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Revision {
    /// The page and the revision.
    pub version: Version,
    /// The page's title.
    pub title: String,
    /// When it was saved, as in "2026-11-28T12:00:00Z".
    pub timestamp: String,
    /// Its text.
    pub wikitext: String,
    /// True if the wiki says that its page only lists articles.
    pub is_list: bool,
}

impl Revision {
    /// True if it is short enough.
    pub fn is_readable(&self) -> bool {
        self.wikitext.len() <= LONGEST
    }
}

/// Why a reply is of no use.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The wiki is busy; it may be asked again after so many seconds.
    Busy(u64),
    /// It answered with this status.
    Status(u16),
    /// It is not what MediaWiki answers.
    NotMediaWiki,
    /// MediaWiki's error.
    Error(String),
}

impl Fault {
    /// The fault as a clause, and what to do.
    pub fn reason(&self) -> String {
        match self {
            Self::Busy(seconds) => format!("it is busy: try again in {seconds} s"),
            Self::Status(status) => format!("it answered with HTTP {status}: check the address of its api.php"),
            Self::NotMediaWiki => "its answer is not that of a MediaWiki: check the address of its api.php".to_owned(),
            Self::Error(info) => format!("it answered with an error ({info}): try again later"),
        }
    }
}

/// MediaWiki's answer to a query.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Outcome {
    #[serde(default)]
    query: Results,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Results {
    normalized: Vec<Step>,
    redirects: Vec<Step>,
    pages: Vec<Page>,
    general: Option<General>,
    rightsinfo: Option<Rights>,
}

/// A title that stands for another.
#[derive(Debug, Deserialize)]
struct Step {
    from: String,
    to: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Page {
    pageid: Option<u64>,
    ns: i64,
    title: String,
    pageprops: BTreeMap<String, serde::de::IgnoredAny>,
    revisions: Vec<Saved>,
}

#[derive(Debug, Deserialize)]
struct Saved {
    revid: u64,
    #[serde(default)]
    timestamp: String,
    #[serde(default)]
    slots: BTreeMap<String, Slot>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Slot {
    contentmodel: String,
    content: String,
}

#[derive(Debug, Deserialize)]
struct General {
    generator: String,
    lang: String,
}

#[derive(Debug, Deserialize)]
struct Rights {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: RefusalReason,
}

#[derive(Deserialize)]
struct RefusalReason {
    code: String,
    #[serde(default)]
    info: String,
}

/// Reads a reply.
pub(super) fn outcome(reply: &WikiReply) -> Result<Outcome, Fault> {
    let busy = || Fault::Busy(reply.retry_after.unwrap_or(USUAL_WAIT));
    match reply.status {
        200 => {}
        429 | 503 => return Err(busy()),
        status => return Err(Fault::Status(status)),
    }
    if let Ok(Refusal { error }) = serde_json::from_slice(&reply.body) {
        return Err(match error.code.as_str() {
            "maxlag" | "ratelimited" | "readonly" => busy(),
            _ => Fault::Error(error.info),
        });
    }
    serde_json::from_slice(&reply.body).map_err(|_| Fault::NotMediaWiki)
}

impl Outcome {
    /// The wiki's language and licence, if they were asked for.
    pub fn site(&self) -> Option<Site> {
        let general = self.query.general.as_ref().filter(|general| general.generator.starts_with("MediaWiki"))?;
        let license = self.query.rightsinfo.as_ref().map(|rights| rights.text.clone());
        Some(Site { language: general.lang.clone(), license: license.filter(|license| !license.is_empty()) })
    }

    /// For each title that was asked for the page that has it; `None` if there is none.
    pub fn titles(&self, asked: &[&str]) -> BTreeMap<String, Option<u64>> {
        let steps = |steps: &'_ [Step], title: String| {
            steps.iter().find(|step| step.from == title).map_or(title, |step| step.to.clone())
        };
        let page_of = |title: &str| {
            let title = steps(&self.query.redirects, steps(&self.query.normalized, title.to_owned()));
            self.query.pages.iter().find(|page| page.title == title && page.ns == 0)?.pageid
        };
        asked.iter().map(|title| ((*title).to_owned(), page_of(title))).collect()
    }

    /// The revision of a page, if it was asked for.
    pub fn version(&self, page: u64) -> Option<Version> {
        let found = self.query.pages.iter().find(|found| found.pageid == Some(page))?;
        found.revisions.first().map(|saved| Version { page, revision: saved.revid })
    }

    /// The articles in wikitext, and the pages that list articles.
    pub fn revisions(self) -> Vec<Revision> {
        let pages = self.query.pages.into_iter();
        let revision = |Page { pageid, ns, title, pageprops, revisions }: Page| {
            let Saved { revid, timestamp, mut slots } = revisions.into_iter().next()?;
            let Slot { contentmodel, content } = slots.remove("main")?;
            let is_article = ns == 0 && matches!(contentmodel.as_str(), "" | "wikitext");
            let version = Version { page: pageid.filter(|_| is_article)?, revision: revid };
            let is_list = pageprops.contains_key("disambiguation");
            Some(Revision { version, title, timestamp, wikitext: content, is_list })
        };
        pages.filter_map(revision).collect()
    }
}

/// A time in seconds since 1970 as MediaWiki writes it: "2026-11-28T12:00:00Z".
pub(super) fn timestamp(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Howard Hinnant's days-to-civil algorithm: years begin in March, in eras of 400.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", year + era * 400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped() {
        let address = Api::at("http://127.0.0.1:8/api.php").search("Kraków & \"rivers\"", 3);
        assert!(address.contains("&gsrsearch=Krak%C3%B3w%20%26%20%22rivers%22&gsrlimit=3"), "{address}");
    }

    #[test]
    fn times_are_written_as_the_wiki_does() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(timestamp(1_795_867_199), "2026-11-28T11:59:59Z");
    }

    #[test]
    fn what_is_no_answer_of_a_wiki_is_a_fault() {
        let reply = |status, body: &str| WikiReply { status, retry_after: None, body: body.into() };
        let lag = r#"{"error": {"code": "maxlag", "info": "Waiting for a database server", "lag": 9}}"#;
        let wrong = r#"{"error": {"code": "badvalue", "info": "Unrecognized value"}}"#;
        assert_eq!(outcome(&reply(200, lag)).unwrap_err(), Fault::Busy(USUAL_WAIT));
        assert_eq!(outcome(&reply(429, "")).unwrap_err(), Fault::Busy(USUAL_WAIT));
        assert_eq!(outcome(&reply(404, "")).unwrap_err(), Fault::Status(404));
        assert_eq!(outcome(&reply(200, "<html>")).unwrap_err(), Fault::NotMediaWiki);
        assert_eq!(outcome(&reply(200, wrong)).unwrap_err(), Fault::Error("Unrecognized value".into()));
    }
}
