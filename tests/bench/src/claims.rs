//! Queries drawn from a corpus so that they are to it what the claims of FM2 (Eisenschlos et al. 2021) are to
//! Wikipedia: counted on its 1,169 development claims after analysis, in terms. A thousand drawn from
//! ../shared/data/corpus have 8.9 terms (FM2: 9.2), whose lists hold 0.147 postings a passage of the corpus (0.166).
//! Words so drawn stand by themselves, where those of a real claim belong together: queries that are a passage's own
//! sentence, with a third of its words left out, are beside them for that.

use std::fmt;
use std::path::Path;

use evident_index::{Passage, analyse};
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use unicode_segmentation::UnicodeSegmentation;

use crate::Failure;
use crate::corpus::Corpus;

/// A query, and what it was drawn from.
pub struct Claim {
    pub text: String,
    /// The id of the passage whose words it shares, where it was drawn from one.
    pub passage: Option<String>,
}

/// The median number of distinct terms in a claim, and the spread of its logarithm (quartiles 6 and 11).
const TERMS: f64 = 8.0;
const SPREAD: f64 = 0.45;
/// The share of a claim's terms that stand in the passage it is drawn from, or its title; the others are as frequent as
/// any.
const SHARED: f64 = 0.42;

/// The words that a sentence has which is taken for a query, and the share of them that stay.
const WORDS: std::ops::RangeInclusive<usize> = 8..=25;
const KEPT: f64 = 2.0 / 3.0;
/// Passages that are looked at for one such sentence: not all have one.
const TRIED: usize = 8;

impl Claim {
    /// The claims of a file, one a line, each followed by a tab and its passage's id where it has one.
    pub fn read(path: &Path) -> Result<Vec<Self>, Failure> {
        let claim = |line: &str| match line.split_once('\t') {
            Some((text, passage)) => Self { text: text.into(), passage: Some(passage.into()) },
            None => Self { text: line.into(), passage: None },
        };
        Ok(std::fs::read_to_string(path)?.lines().map(claim).collect())
    }
}

impl fmt::Display for Claim {
    /// As [`Claim::read`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.passage {
            Some(passage) => write!(f, "{}\t{passage}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// `count` claims, each drawn from a passage of its own.
pub fn draw(corpus: Corpus, count: usize, seed: u64) -> Result<Vec<Claim>, Failure> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let passages: Vec<_> =
        sample(corpus, count, &mut random)?.into_iter().map(|passage| (words(&passage), passage.id)).collect();
    let all: Vec<&String> = passages.iter().flat_map(|(words, _)| words).collect();
    let claims = passages.iter().map(|(passage, id)| {
        // Four uniform draws are near enough to a normal one.
        let normal = ((0..4).map(|_| random.random::<f64>()).sum::<f64>() - 2.0) * 3.0_f64.sqrt();
        let terms = (TERMS * (SPREAD * normal).exp()).round().max(1.0) as usize;
        let shared = (0..terms).filter(|_| random.random_bool(SHARED)).count();
        let own = passage.sample(&mut random, shared.min(passage.len())).cloned().collect::<Vec<_>>();
        let others =
            (own.len()..terms).filter_map(|_| all.choose(&mut random)).map(|word| (*word).clone()).collect::<Vec<_>>();
        let mut claim = [own, others].concat();
        claim.shuffle(&mut random);
        Claim { text: claim.join(" "), passage: Some(id.clone()) }
    });
    Ok(claims.collect())
}

/// `count` sentences, or as many as are found, each of a passage of its own, in order but with some words left out.
pub fn sentences(corpus: Corpus, count: usize, seed: u64) -> Result<Vec<Claim>, Failure> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let passages = sample(corpus, count * TRIED, &mut random)?;
    let claims = passages.into_iter().filter_map(|passage| {
        let whole = |sentence: &&str| {
            WORDS.contains(&sentence.split_whitespace().count())
                && sentence.trim_end().ends_with(['.', '!', '?'])
                && sentence.starts_with(char::is_uppercase)
        };
        let sentences: Vec<_> = passage.text.unicode_sentences().filter(whole).collect();
        let kept: Vec<_> =
            sentences.choose(&mut random)?.split_whitespace().filter(|_| random.random_bool(KEPT)).collect();
        Some(Claim { text: kept.join(" "), passage: Some(passage.id) })
    });
    Ok(claims.take(count).collect())
}

/// `count` passages, each as likely as any other, in one pass (Vitter's algorithm R).
fn sample(corpus: Corpus, count: usize, random: &mut ChaCha8Rng) -> Result<Vec<Passage>, Failure> {
    let mut sample = Vec::with_capacity(count);
    for (number, passage) in corpus.passages()?.enumerate() {
        let passage = passage?;
        if sample.len() < count {
            sample.push(passage);
        } else if let Some(place) = Some(random.random_range(0..=number)).filter(|&place| place < count) {
            sample[place] = passage;
        }
    }
    Ok(sample)
}

/// The words of a passage and its title that make terms.
fn words(passage: &Passage) -> Vec<String> {
    let words = passage.title.split_whitespace().chain(passage.text.split_whitespace());
    words.filter(|word| analyse(word).count() == 1).map(String::from).collect()
}
