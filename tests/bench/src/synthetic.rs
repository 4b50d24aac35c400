//! Passages of no meaning that cost an index what English ones do.
//!
//! A term's rank r is drawn from a Zipf-Mandelbrot law with the second regime that large corpora show (Mandelbrot 1953;
//! Ferrer i Cancho and Solé 2001): p(r) ~ (r + q)^-s (1 + r/K)^-(t - s). An article keeps to its subject: with
//! probability [`REPEATED`] a term is one that it has used shortly before (after Simon 1955), and with probability
//! [`TITLED`] one of its title, which makes terms bursty and an article's passages alike. A title is a name of a few
//! terms, rarer ones than a text's, and where an earlier article has the name, a parenthesis. The numbers were fitted to
//! the 37,058 passages of ../shared/data/corpus after analysis. What `evident-bench fit` says of these and of 112,351
//! passages with the articles and introductions of ../shared/data/paragraphs: the vocabulary grows within 5 and 12 % of
//! the real one, document frequencies by rank (1 to 30,000) are within 26 and 36 %, and 89 and 87 % of a passage's terms
//! are distinct for 87 and 84 %.
//!
//! Two things that Wikipedia has are missing: redirects, and names that are known better than others.

use std::io::{BufWriter, Write};

use evident_index::Passage;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::Failure;

/// s, the exponent of frequent terms.
const FREQUENT: f64 = 0.558;
/// q, Mandelbrot's offset.
const OFFSET: f64 = 2.13;
/// K, the rank about which the exponent changes.
const KNEE: f64 = 1994.0;
/// t, the exponent of rare terms; the vocabulary grows as the corpus to the power 1/t.
const RARE: f64 = 1.919;
/// Ranks that are told apart. What lies beyond has less than a hundred-thousandth of all terms.
const VOCABULARY: usize = 1 << 23;
/// The share of terms that repeat one of the [`RECENT`] terms before them in their article.
const REPEATED: f64 = 0.15;
const RECENT: usize = 40;
/// The share of words that are stop words.
const STOPPED: f64 = 0.306;
/// Words in a passage (guan2024, Sec. 4.2).
const WORDS: usize = 100;
/// The mean number of words in an article, so that it has 3.2 passages: 21 million in 6.5 million articles of English
/// Wikipedia.
const ARTICLE: f64 = 270.0;
/// The spread of its logarithm: a passage's article has 23 on average. SQuAD's articles, well-known ones, have 43.
const ARTICLE_SPREAD: f64 = 1.6;
/// The most passages of an article.
const LONGEST: usize = 300;

/// Of so many titles, how many have 1, 2 ... 6 terms or more before a parenthesis: those of 8,287 articles of Wikipedia
/// (../shared/data/paragraphs/mind_wiki_intros).
const TITLE_TERMS: [u32; 6] = [933, 3849, 1851, 882, 441, 331];
/// The ranks of a title's terms are 7/2 of those of a text's: so Wikipedia has them, at all deciles.
const TITLE_RARER: u32 = 7;
const TITLE_RARER_IN: u32 = 2;
/// The share of those titles that end with a parenthesis, since another article has the name.
const SHARED_NAME: f64 = 0.19;
/// The number of kinds that parentheses name.
const KINDS: f64 = 200.0;
/// The share of a text's terms that are its title's: 0.093 in those introductions, 0.035 in SQuAD's passages.
const TITLED: f64 = 0.053;

/// English stop words, as english/3 drops them; the first are drawn more often.
const STOP_WORDS: [&str; 32] = [
    "the", "of", "and", "in", "a", "to", "was", "is", "as", "for", "on", "by", "with", "that", "at", "it", "an", "are",
    "be", "or", "not", "this", "but", "they", "their", "into", "will", "such", "if", "there", "then", "no",
];

/// The law that terms are drawn from.
pub struct Law {
    /// The probability of a rank up to and with each.
    cumulative: Vec<f64>,
}

impl Law {
    pub fn new() -> Self {
        let weight = |rank: usize| {
            let rank = rank as f64;
            (rank + OFFSET).powf(-FREQUENT) * (1.0 + rank / KNEE).powf(FREQUENT - RARE)
        };
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = (1..=VOCABULARY)
            .map(|rank| {
                sum += weight(rank);
                sum
            })
            .collect();
        cumulative.iter_mut().for_each(|share| *share /= sum);
        Self { cumulative }
    }

    /// A rank, from 0.
    fn draw(&self, random: &mut ChaCha8Rng) -> u32 {
        let at: f64 = random.random();
        self.cumulative.partition_point(|&share| share < at).min(VOCABULARY - 1) as u32
    }
}

/// Articles by the ranks of their terms, without end.
pub struct Articles {
    law: Law,
    random: ChaCha8Rng,
    /// The terms of all names so far, and where each ends.
    names: Vec<u32>,
    ends: Vec<usize>,
}

/// An article by the ranks of its terms.
pub struct Article {
    /// The title before its parenthesis.
    name: Vec<u32>,
    /// The word in the parenthesis, where another article has the name.
    kind: Option<u32>,
    /// The terms of each passage.
    pub passages: Vec<Vec<u32>>,
}

impl Article {
    /// The title, its words with capitals.
    pub fn title(&self) -> String {
        let name: Vec<String> = self.name.iter().map(|&rank| capital(&word(rank))).collect();
        let kind = self.kind.map(|kind| format!(" ({})", word(kind))).unwrap_or_default();
        name.join(" ") + &kind
    }
}

impl Articles {
    pub fn new(seed: u64) -> Self {
        Self { law: Law::new(), random: ChaCha8Rng::seed_from_u64(seed), names: Vec::new(), ends: vec![0] }
    }

    /// An article whose passages have `lengths` terms each.
    pub fn article(&mut self, lengths: &[usize]) -> Article {
        let (name, kind) = self.title();
        let mut used = Vec::new();
        let mut term = || {
            let repeats = !used.is_empty() && self.random.random_bool(REPEATED);
            let recent = used.len().saturating_sub(RECENT)..used.len();
            let term = if repeats {
                used[self.random.random_range(recent)]
            } else if self.random.random_bool(TITLED) {
                name[self.random.random_range(0..name.len())]
            } else {
                self.law.draw(&mut self.random)
            };
            used.push(term);
            term
        };
        let passages = lengths.iter().map(|&length| (0..length).map(|_| term()).collect()).collect();
        Article { name, kind, passages }
    }

    /// A name, and what tells it apart from an earlier article's, which it then is. So names that have many articles get
    /// the more (Simon 1955).
    fn title(&mut self) -> (Vec<u32>, Option<u32>) {
        let earlier = self.ends.len() - 1;
        let random = &mut self.random;
        let (name, kind) = if earlier > 0 && random.random_bool(SHARED_NAME) {
            let number = random.random_range(0..earlier);
            let name = self.names[self.ends[number]..self.ends[number + 1]].to_vec();
            (name, Some(rank_of_zipf(KINDS, random) as u32))
        } else {
            let mut at = random.random_range(0..TITLE_TERMS.iter().sum());
            let fewer = |&&titles: &&u32| {
                let is_fewer = at >= titles;
                at = at.saturating_sub(titles);
                is_fewer
            };
            let terms = 1 + TITLE_TERMS.iter().take_while(fewer).count();
            let mut term = || {
                let within = random.random_range(0..TITLE_RARER);
                (self.law.draw(random) * TITLE_RARER + within) / TITLE_RARER_IN
            };
            ((0..terms).map(|_| term()).collect(), None)
        };
        self.names.extend(&name);
        self.ends.push(self.names.len());
        (name, kind)
    }

    /// The numbers of words of an article's passages: all full but the last.
    fn lengths(&mut self) -> Vec<usize> {
        let spread = ARTICLE_SPREAD * normal(&mut self.random);
        let words = (ARTICLE * (spread - ARTICLE_SPREAD * ARTICLE_SPREAD / 2.0).exp()).ceil() as usize;
        let words = words.clamp(1, LONGEST * WORDS);
        let mut lengths = vec![WORDS; words.div_ceil(WORDS) - 1];
        lengths.push(words - WORDS * lengths.len());
        lengths
    }
}

/// `count` passages; the same seed gives the same.
pub struct Passages {
    articles: Articles,
    left: u32,
    article: u32,
    /// What is left of the article, last passage first.
    open: Vec<Passage>,
}

impl Passages {
    pub fn new(count: u32, seed: u64) -> Self {
        Self { articles: Articles::new(seed), left: count, article: 0, open: Vec::new() }
    }

    fn next_article(&mut self) {
        self.article += 1;
        let lengths = self.articles.lengths();
        let random = &mut self.articles.random;
        // Which words are stop words is drawn first, so that terms are those of `article`.
        let stopped: Vec<Vec<bool>> =
            lengths.iter().map(|&words| (0..words).map(|_| random.random_bool(STOPPED)).collect()).collect();
        let terms: Vec<usize> = stopped.iter().map(|words| words.iter().filter(|&&stopped| !stopped).count()).collect();
        let article = self.articles.article(&terms);
        let title = article.title();
        for (number, (terms, stopped)) in article.passages.into_iter().zip(stopped).enumerate() {
            let mut terms = terms.into_iter().map(word);
            let words = stopped.into_iter().map(|stopped| match stopped {
                true => stop_word(&mut self.articles.random).into(),
                false => terms.next().unwrap_or_default(),
            });
            let text = words.collect::<Vec<String>>().join(" ");
            let (id, title) = (format!("{}#{}", self.article, number + 1), title.clone());
            self.open.push(Passage { id, title, text, ..Passage::default() });
        }
        self.open.reverse();
    }
}

impl Iterator for Passages {
    type Item = Passage;

    fn next(&mut self) -> Option<Passage> {
        self.left = self.left.checked_sub(1)?;
        if self.open.is_empty() {
            self.next_article();
        }
        self.open.pop()
    }
}

/// Writes `count` passages as JSONL.
pub fn write(count: u32, seed: u64, out: impl Write) -> Result<(), Failure> {
    let mut out = BufWriter::new(out);
    for passage in Passages::new(count, seed) {
        writeln!(out, "{}", serde_json::to_string(&passage)?)?;
    }
    Ok(out.flush()?)
}

/// A stop word; the n-th has a share of about 1/n.
fn stop_word(random: &mut ChaCha8Rng) -> &'static str {
    STOP_WORDS[rank_of_zipf(STOP_WORDS.len() as f64, random)]
}

/// A rank from 0, below `most`; the n-th has a share of about 1/n.
fn rank_of_zipf(most: f64, random: &mut ChaCha8Rng) -> usize {
    ((random.random::<f64>() * most.ln()).exp() as usize).saturating_sub(1).min(most as usize - 1)
}

/// A number drawn from the normal law, by the polar form of Box and Muller's method.
pub fn normal(random: &mut ChaCha8Rng) -> f64 {
    loop {
        let (x, y) = (random.random_range(-1.0..1.0), random.random_range(-1.0..1.0_f64));
        let square: f64 = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

/// A word as a name has it.
pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

const CONSONANTS: &[u8; 20] = b"bcdfghjklmnpqrstvwxz";
const VOWELS: &[u8; 5] = b"aeiou";

/// The word of a rank: syllables, fewer for frequent ones, and a `k`, after which no rule of the stemmer takes anything
/// off.
pub fn word(rank: u32) -> String {
    let mut word = String::new();
    let mut rest = rank as usize;
    loop {
        word.push(char::from(CONSONANTS[rest % 20]));
        word.push(char::from(VOWELS[rest / 20 % 5]));
        rest /= 100;
        if rest == 0 {
            break;
        }
        rest -= 1;
    }
    word.push('k');
    word
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use evident_index::analyse;

    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_passages() {
        let passages = |seed| Passages::new(50, seed).collect::<Vec<_>>();
        assert_eq!(passages(1), passages(1));
        assert_ne!(passages(1), passages(2));
        assert_eq!(passages(1).len(), 50);
    }

    #[test]
    fn titles_are_as_long_and_as_often_told_apart_as_wikipedias() {
        let mut articles = Articles::new(1);
        let titles: Vec<String> = (0..20_000).map(|_| articles.article(&[]).title()).collect();
        let apart = titles.iter().filter(|title| title.ends_with(')')).count() as f64 / titles.len() as f64;
        assert!((apart - SHARED_NAME).abs() < 0.01, "{apart}");
        let two = titles.iter().filter(|title| title.split(' ').count() == 2 && !title.ends_with(')')).count() as f64;
        let share = two / titles.len() as f64 / (1.0 - apart);
        assert!((share - 0.464).abs() < 0.01, "{share}");
    }

    #[test]
    fn each_rank_has_a_word_of_its_own_that_analysis_leaves_alone() {
        let words: HashSet<String> = (0..30_000).chain(999_990..1_010_101).map(word).collect();
        assert_eq!(words.len(), 30_000 + 10_111);
        assert!(words.iter().all(|word| analyse(word).eq([word.clone()])));
    }

    #[test]
    fn a_passage_has_as_many_terms_as_english_ones() {
        let passages: Vec<Passage> = Passages::new(2000, 1).collect();
        let (mut terms, mut words) = (0, 0);
        for Passage { text, .. } in &passages {
            terms += analyse(text).count();
            words += text.split(' ').count();
        }
        let share = terms as f64 / words as f64;
        assert!((share - (1.0 - STOPPED)).abs() < 0.01, "{share}");
    }
}
