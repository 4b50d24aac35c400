//! Queries drawn from a corpus so that they are to it what the claims of FM2 (Eisenschlos et al. 2021) are to Wikipedia: counted on its
//! 1,169 development claims after analysis, in terms. A thousand drawn from ../shared/data/corpus have 8.9 terms (FM2: 9.2), whose lists
//! hold 0.147 postings a passage of the corpus (0.166).

use evident_index::{Passage, analyse};
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use crate::Failure;
use crate::corpus::Corpus;

/// The median number of distinct terms in a claim, and the spread of its logarithm (quartiles 6 and 11).
const TERMS: f64 = 8.0;
const SPREAD: f64 = 0.45;
/// The share of a claim's terms that stand in the passage it is drawn from, or its title; the others are as frequent as any.
const SHARED: f64 = 0.42;

/// `count` claims, each drawn from a passage of its own.
pub fn draw(corpus: Corpus, count: usize, seed: u64) -> Result<Vec<String>, Failure> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let passages: Vec<Vec<String>> = sample(corpus, count, &mut random)?.iter().map(words).collect();
    let all: Vec<&String> = passages.iter().flatten().collect();
    let claims = passages.iter().map(|passage| {
        // Four uniform draws are near enough to a normal one.
        let normal = ((0..4).map(|_| random.random::<f64>()).sum::<f64>() - 2.0) * 3.0_f64.sqrt();
        let terms = (TERMS * (SPREAD * normal).exp()).round().max(1.0) as usize;
        let shared = (0..terms).filter(|_| random.random_bool(SHARED)).count();
        let own = passage.sample(&mut random, shared.min(passage.len())).cloned().collect::<Vec<_>>();
        let others =
            (own.len()..terms).filter_map(|_| all.choose(&mut random)).map(|word| (*word).clone()).collect::<Vec<_>>();
        let mut claim = [own, others].concat();
        claim.shuffle(&mut random);
        claim.join(" ")
    });
    Ok(claims.collect())
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
