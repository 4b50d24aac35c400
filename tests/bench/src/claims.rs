//! Queries drawn from a corpus so that they are to it what the claims of FM2 (Eisenschlos et al. 2021) are to
//! Wikipedia: counted on its 1,146 development claims whose evidence ../shared/data/corpus has, after analysis, in
//! terms. `evident-bench fit CORPUS CLAIMS` says how near they are. Words so drawn stand by themselves, where those of a
//! real claim belong together: queries that are a passage's own sentence, with a third of its words left out, are beside
//! them for that.

use std::fmt;
use std::path::Path;

use evident_index::{Passage, analyse};
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use unicode_segmentation::UnicodeSegmentation;

use crate::Failure;
use crate::corpus::Corpus;
use crate::synthetic::{capital, normal};

/// A query, and what settles it.
pub struct Claim {
    pub text: String,
    /// The ids of the passages any of which settles it: that which it was drawn from.
    pub passages: Vec<String>,
}

/// The share of claims that have the name of their article, as it stands before a parenthesis of its title.
const NAMED: f64 = 0.77;
/// The median number of a claim's distinct terms beside its article's name, and the spread of their logarithm.
const TERMS: f64 = 6.4;
const SPREAD: f64 = 0.5;
/// The share of these that stand in the passage that settles it; the others are as frequent as any.
const SHARED: f64 = 0.22;
/// The share of these with a capital.
const CAPITALS: f64 = 0.2;

/// The words that a sentence has which is taken for a query, and the share of them that stay.
const WORDS: std::ops::RangeInclusive<usize> = 8..=25;
const KEPT: f64 = 2.0 / 3.0;
/// Passages that are looked at for one such sentence: not all have one.
const TRIED: usize = 8;

impl Claim {
    /// The claims of a file, one a line, each followed by the ids of its passages, tabs between.
    pub fn read(path: &Path) -> Result<Vec<Self>, Failure> {
        let claim = |line: &str| {
            let mut fields = line.split('\t').map(String::from);
            Self { text: fields.next().unwrap_or_default(), passages: fields.collect() }
        };
        Ok(std::fs::read_to_string(path)?.lines().map(claim).collect())
    }
}

impl fmt::Display for Claim {
    /// As [`Claim::read`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)?;
        self.passages.iter().try_for_each(|passage| write!(f, "\t{passage}"))
    }
}

/// `count` claims, each drawn from a passage of its own.
pub fn draw(corpus: Corpus, count: usize, seed: u64) -> Result<Vec<Claim>, Failure> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let passages = sample(corpus, count, &mut random)?;
    let texts: Vec<Vec<String>> = passages.iter().map(words).collect();
    let all: Vec<&String> = texts.iter().flatten().collect();
    let claims = passages.into_iter().zip(&texts).map(|(passage, own)| {
        let terms = (TERMS * (SPREAD * normal(&mut random)).exp()).round().max(1.0) as usize;
        let shared = (0..terms).filter(|_| random.random_bool(SHARED)).count();
        let own = own.sample(&mut random, shared.min(own.len())).cloned().collect::<Vec<_>>();
        let others = (own.len()..terms).filter_map(|_| all.choose(&mut random)).map(|word| word.to_string());
        let mut claim: Vec<String> = others.chain(own.iter().cloned()).collect();
        claim.iter_mut().filter(|_| random.random_bool(CAPITALS)).for_each(|word| *word = capital(word));
        claim.shuffle(&mut random);
        if random.random_bool(NAMED) {
            claim.insert(random.random_range(0..=claim.len()), bare(&passage.title).into());
        }
        Claim { text: claim.join(" "), passages: vec![passage.id] }
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
        Some(Claim { text: kept.join(" "), passages: vec![passage.id] })
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

/// The words of a passage that make terms, in lower case.
fn words(passage: &Passage) -> Vec<String> {
    passage.text.split_whitespace().filter(|word| analyse(word).count() == 1).map(str::to_lowercase).collect()
}

/// A title without the parenthesis that ends it.
pub fn bare(title: &str) -> &str {
    title.trim_end().strip_suffix(')').and_then(|title| title.rsplit_once('(')).map_or(title, |(name, _)| name).trim()
}
