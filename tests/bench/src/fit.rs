//! How well synthetic passages resemble real ones: by what an index's size and a query's bytes hang on.

use std::collections::{HashMap, HashSet};

use evident_index::{Passage, analyse};
use serde::Serialize;

use crate::corpus::Corpus;
use crate::synthetic::{Articles, word};
use crate::{Failure, SEED};

/// The same figures of both.
#[derive(Serialize)]
pub struct Comparison {
    real: Figures,
    synthetic: Figures,
    /// The largest ratio, above 1, of a figure of one to that of the other.
    worst_vocabulary: f64,
    worst_frequency: f64,
}

/// What a corpus is to an index.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    passages: usize,
    terms: u64,
    vocabulary: usize,
    /// The share of a passage's terms that are distinct.
    distinct: f64,
    /// Number of distinct terms after so many terms.
    growth: Vec<(u64, usize)>,
    /// The share of passages that hold the term of a rank by document frequency.
    frequencies: Vec<(usize, f64)>,
    /// The share of terms that one passage alone holds.
    once: f64,
}

/// Compares a corpus with as many synthetic passages of the same lengths. Passages of one title that follow one another
/// are an article.
pub fn compare(corpus: Corpus) -> Result<Comparison, Failure> {
    let mut real: Vec<Vec<String>> = Vec::new();
    let mut articles: Vec<Vec<usize>> = Vec::new();
    let mut title = None;
    for passage in corpus.passages()? {
        let Passage { title: of, text, .. } = passage?;
        let terms: Vec<String> = analyse(&text).collect();
        match articles.last_mut() {
            Some(article) if title.as_ref() == Some(&of) => article.push(terms.len()),
            _ => articles.push(vec![terms.len()]),
        }
        title = Some(of);
        real.push(terms);
    }
    let mut source = Articles::new(SEED);
    let made =
        articles.iter().flat_map(|lengths| source.article(lengths)).map(|terms| terms.into_iter().map(word).collect());
    let made: Vec<Vec<String>> = made.collect();
    let (real, synthetic) = (Figures::of(&real), Figures::of(&made));
    let ratio = |a: f64, b: f64| (a / b).max(b / a);
    let worst = |pairs: Vec<(f64, f64)>| pairs.into_iter().map(|(a, b)| ratio(a, b)).fold(1.0, f64::max);
    let growth = real.growth.iter().zip(&synthetic.growth).map(|(a, b)| (a.1 as f64, b.1 as f64)).collect();
    let frequency = real.frequencies.iter().zip(&synthetic.frequencies).map(|(a, b)| (a.1, b.1)).collect();
    Ok(Comparison { worst_vocabulary: worst(growth), worst_frequency: worst(frequency), real, synthetic })
}

impl Figures {
    fn of(passages: &[Vec<String>]) -> Self {
        let (mut terms, mut distinct, mut next) = (0, 0, 1000);
        let (mut growth, mut frequencies) = (Vec::new(), HashMap::<&str, usize>::new());
        // In a stride over the corpus, whose neighbours are alike.
        let stride = (0..97).flat_map(|start| passages.iter().skip(start).step_by(97));
        for passage in stride {
            let held: HashSet<&str> = passage.iter().map(String::as_str).collect();
            terms += passage.len() as u64;
            distinct += held.len() as u64;
            held.into_iter().for_each(|term| *frequencies.entry(term).or_default() += 1);
            if terms >= next {
                growth.push((terms, frequencies.len()));
                next *= 3;
            }
        }
        let mut counts: Vec<usize> = frequencies.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let share = |rank: usize| Some((rank, *counts.get(rank - 1)? as f64 / passages.len() as f64));
        Self {
            passages: passages.len(),
            terms,
            vocabulary: counts.len(),
            distinct: distinct as f64 / terms.max(1) as f64,
            growth,
            frequencies: [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]
                .into_iter()
                .filter_map(share)
                .collect(),
            once: counts.iter().filter(|&&count| count == 1).count() as f64 / counts.len().max(1) as f64,
        }
    }
}
