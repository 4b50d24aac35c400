//! How well synthetic passages and claims resemble real ones: by what an index's size and a query's bytes hang on.

use std::collections::{HashMap, HashSet};

use evident_index::{Analysis, Passage, analyse};
use serde::Serialize;

use crate::claims::{self, Claim, bare};
use crate::corpus::Corpus;
use crate::process::quantile;
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
    titles: Titles,
}

/// Titles beside the passages below them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Titles {
    articles: usize,
    /// The share of titles that end with a parenthesis.
    parenthesis: f64,
    /// How many terms stand before it, on average.
    terms: f64,
    /// Of the passages' terms, the share that are terms of their title.
    titled: f64,
    /// The share of passages that have all terms of their title.
    whole: f64,
    /// The rank of a title's term among those of the texts: quartiles.
    ranks: Vec<f64>,
}

/// A title and the terms of the passages below it.
struct Article {
    title: String,
    passages: Vec<Vec<String>>,
}

/// Compares a corpus with as many synthetic passages of the same lengths. Passages of one title that follow one another
/// are an article.
pub fn compare(corpus: Corpus) -> Result<Comparison, Failure> {
    let mut real: Vec<Article> = Vec::new();
    for passage in corpus.passages()? {
        let Passage { title, text, .. } = passage?;
        let terms: Vec<String> = analyse(&text).collect();
        match real.last_mut() {
            Some(article) if article.title == title => article.passages.push(terms),
            _ => real.push(Article { title, passages: vec![terms] }),
        }
    }
    let mut source = Articles::new(SEED);
    let made = real.iter().map(|article| {
        let made = source.article(&article.passages.iter().map(Vec::len).collect::<Vec<_>>());
        let title = made.title();
        Article {
            title,
            passages: made.passages.into_iter().map(|terms| terms.into_iter().map(word).collect()).collect(),
        }
    });
    let made: Vec<Article> = made.collect();
    let (real, synthetic) = (Figures::of(&real), Figures::of(&made));
    let ratio = |a: f64, b: f64| (a / b).max(b / a);
    let worst = |pairs: Vec<(f64, f64)>| pairs.into_iter().map(|(a, b)| ratio(a, b)).fold(1.0, f64::max);
    let growth = real.growth.iter().zip(&synthetic.growth).map(|(a, b)| (a.1 as f64, b.1 as f64)).collect();
    let frequency = real.frequencies.iter().zip(&synthetic.frequencies).map(|(a, b)| (a.1, b.1)).collect();
    Ok(Comparison { worst_vocabulary: worst(growth), worst_frequency: worst(frequency), real, synthetic })
}

impl Figures {
    fn of(articles: &[Article]) -> Self {
        let passages: Vec<&Vec<String>> = articles.iter().flat_map(|article| &article.passages).collect();
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
        let titles = Titles::of(articles, &frequencies);
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
            titles,
        }
    }
}

impl Titles {
    /// Of the articles that have titles.
    fn of(articles: &[Article], frequencies: &HashMap<&str, usize>) -> Self {
        let mut by_rank: Vec<(&str, usize)> = frequencies.iter().map(|(&term, &count)| (term, count)).collect();
        by_rank.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let rank_of: HashMap<&str, usize> = by_rank.iter().zip(1..).map(|(&(term, _), rank)| (term, rank)).collect();
        let titled: Vec<&Article> = articles.iter().filter(|article| !article.title.is_empty()).collect();
        let (mut own, mut terms, mut whole, mut passages, mut ranks) = (0, 0, 0, 0, Vec::new());
        for article in &titled {
            let name: HashSet<String> = analyse(bare(&article.title)).collect();
            ranks.extend(name.iter().map(|term| *rank_of.get(term.as_str()).unwrap_or(&by_rank.len()) as f64));
            for passage in &article.passages {
                let held: HashSet<&String> = passage.iter().collect();
                own += passage.iter().filter(|term| name.contains(*term)).count();
                terms += passage.len();
                whole += usize::from(name.iter().all(|term| held.contains(term)));
                passages += 1;
            }
        }
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        Self {
            articles: titled.len(),
            parenthesis: share(
                titled.iter().filter(|article| bare(&article.title) != article.title).count(),
                titled.len(),
            ),
            terms: share(ranks.len(), titled.len()),
            titled: share(own, terms),
            whole: share(whole, passages),
            ranks: [0.25, 0.5, 0.75].map(|at| quantile(&mut ranks, at)).into(),
        }
    }
}

/// The figures of real claims over the corpus that settles them, and of as many drawn from as many synthetic passages.
#[derive(Serialize)]
pub struct Claims {
    real: ClaimFigures,
    synthetic: ClaimFigures,
}

/// Claims beside an index.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClaimFigures {
    claims: usize,
    /// The number of distinct terms, on average.
    terms: f64,
    /// The share of them that stand in the passage that settles the claim, or its title.
    shared: f64,
    /// The postings of a claim's terms by passage of the corpus, on average.
    postings: f64,
    /// The share of claims that have the name of that passage's article.
    named: f64,
    /// The share of claims whose query asks for it.
    asked: f64,
}

/// Compares claims with those drawn from synthetic passages.
pub fn compare_claims(corpus: Corpus, claims: &[Claim]) -> Result<Claims, Failure> {
    let real: Vec<Passage> = corpus.passages()?.collect::<Result<_, _>>()?;
    let made = Corpus::Synthetic(u32::try_from(real.len())?);
    let drawn = claims::draw(made, claims.len(), SEED)?;
    let synthetic: Vec<Passage> = made.passages()?.collect::<Result<_, _>>()?;
    Ok(Claims { real: ClaimFigures::of(&real, claims), synthetic: ClaimFigures::of(&synthetic, &drawn) })
}

impl ClaimFigures {
    fn of(passages: &[Passage], claims: &[Claim]) -> Self {
        let mut frequencies = HashMap::<String, usize>::new();
        for passage in passages {
            terms_of(passage).into_iter().for_each(|term| *frequencies.entry(term).or_default() += 1);
        }
        let by_id: HashMap<&str, &Passage> = passages.iter().map(|passage| (passage.id.as_str(), passage)).collect();
        let (mut terms, mut shared, mut postings, mut named, mut asked) = (0, 0, 0, 0, 0);
        let mut count = 0;
        for claim in claims {
            let Some(passage) = claim.passages.first().and_then(|id| by_id.get(id.as_str())) else { continue };
            count += 1;
            let (words, own): (Vec<String>, _) = (analyse(&claim.text).collect(), terms_of(passage));
            let distinct: HashSet<&String> = words.iter().collect();
            terms += distinct.len();
            shared += distinct.iter().filter(|term| own.contains(**term)).count();
            postings += distinct.iter().filter_map(|term| frequencies.get(*term)).sum::<usize>();
            let name: Vec<String> = analyse(bare(&passage.title)).collect();
            named += usize::from(!name.is_empty() && words.windows(name.len()).any(|run| run == name));
            let names = Analysis::ENGLISH.names(&passage.title, &passage.names);
            asked += usize::from(Analysis::ENGLISH.query_names(&claim.text).iter().any(|name| names.contains(name)));
        }
        let mean = |sum: usize| sum as f64 / count.max(1) as f64;
        Self {
            claims: count,
            terms: mean(terms),
            shared: shared as f64 / terms.max(1) as f64,
            postings: mean(postings) / passages.len().max(1) as f64,
            named: mean(named),
            asked: mean(asked),
        }
    }
}

/// The distinct terms of a passage and its title.
fn terms_of(passage: &Passage) -> HashSet<String> {
    analyse(&passage.title).chain(analyse(&passage.text)).collect()
}
