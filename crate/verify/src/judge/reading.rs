//! Reads passages: which premises of them the NLI model reads, and what it says of the statement.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use evident_index::analyse;

use crate::error::VerifyError;
use crate::evidence::overlap::{Overlap, is_near};
use crate::evidence::premises::{Premise, fitting_premises};
use crate::evidence::source::FoundPassage;
use crate::evidence::weigh::{Bearing, together, weights};
use crate::models::nli::NliModel;
use crate::report::{Evidence, Nli, SentenceReport, Span};
use crate::settings::Settings;
use crate::text::facts::Fact;

/// A retrieved passage with its most decisive premise and the triple of that; `None` if it was not read, or asserts
/// nothing on the statement.
#[derive(Clone)]
pub(crate) struct ReadPassage {
    pub hit: FoundPassage,
    pub premise: Option<(Premise, Nli)>,
}

/// Reads the best passages beside a statement, as many as the settings say. The others are returned unread.
///
/// # Errors
/// Any error of the model.
pub(crate) async fn read(
    nli: &NliModel,
    hits: &[FoundPassage],
    statement: &str,
    settings: &Settings,
) -> Result<Vec<ReadPassage>, VerifyError> {
    let mut premises = Vec::new();
    for hit in hits.iter().take(settings.read) {
        let fits = |premise: &str| nli.reads_whole(premise, statement);
        premises.push(fitting_premises(&hit.passage, statement, settings.window, settings.windows, fits)?);
    }
    let pairs: Vec<(&str, &str)> =
        premises.iter().flatten().map(|premise| (premise.text.as_str(), statement)).collect();
    let mut triples = nli.triples(&pairs).await?.into_iter();
    let mut premises = premises.into_iter();
    let read_passage = |hit: &FoundPassage| {
        let each = premises.next().unwrap_or_default().into_iter().zip(&mut triples);
        let premise = each.reduce(|best, next| if next.1.decides_more(&best.1) { next } else { best });
        ReadPassage { hit: hit.clone(), premise }
    };
    Ok(hits.iter().map(read_passage).collect())
}

/// The most parts of a statement that are read: more would take too long.
const MOST_PARTS: usize = 16;

/// Reads each part of a statement beside one of the premises that were read for the whole: the one with most of the
/// part's words, the first of equals. For each part all passages are returned, of which only that premise's is read. No
/// passage is read if the model has no room for part and premise, or for a part behind the first [`MOST_PARTS`].
///
/// # Errors
/// Any error of the model.
pub(crate) async fn read_parts(
    nli: &NliModel,
    whole: &[ReadPassage],
    parts: &[Fact],
) -> Result<Vec<Vec<ReadPassage>>, VerifyError> {
    let mut chosen: Vec<Option<(usize, Premise)>> = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let best = premise_for(&part.text, whole).filter(|_| number < MOST_PARTS);
        let fits = best.as_ref().map_or(Ok(false), |(_, premise)| nli.reads_whole(&premise.text, &part.text))?;
        chosen.push(best.filter(|_| fits));
    }
    let fitting = chosen.iter().zip(parts).filter_map(|(chosen, part)| Some((&chosen.as_ref()?.1, part)));
    let pairs: Vec<(&str, &str)> = fitting.map(|(premise, part)| (premise.text.as_str(), part.text.as_str())).collect();
    let mut triples = nli.triples(&pairs).await?.into_iter();
    let read = |chosen: Option<(usize, Premise)>| {
        let mut passages: Vec<ReadPassage> = whole.iter().map(ReadPassage::unread).collect();
        if let Some((number, premise)) = chosen {
            passages[number].premise = triples.next().map(|triple| (premise, triple));
        }
        passages
    };
    Ok(chosen.into_iter().map(read).collect())
}

/// Of the premises of read passages the one with most words of `part`, with the number of its passage.
fn premise_for(part: &str, passages: &[ReadPassage]) -> Option<(usize, Premise)> {
    let said: HashSet<String> = analyse(part).collect();
    let shared = |premise: &Premise| analyse(&premise.text).collect::<HashSet<_>>().intersection(&said).count();
    let premises = passages.iter().enumerate().filter_map(|(i, passage)| Some((i, &passage.premise.as_ref()?.0)));
    let (number, premise) = premises.max_by_key(|(i, premise)| (shared(premise), Reverse(*i)))?;
    Some((number, premise.beside(part, &passages[number].hit.passage)))
}

impl ReadPassage {
    /// A passage that is not read.
    pub(crate) fn found(hit: FoundPassage) -> Self {
        Self { hit, premise: None }
    }

    /// The same passage, as one that is not read.
    pub(crate) fn unread(&self) -> Self {
        Self { premise: None, ..self.clone() }
    }

    /// The triple of its premise; `None` if it was not read.
    pub(crate) fn nli(&self) -> Option<Nli> {
        self.premise.as_ref().map(|(_, nli)| *nli)
    }

    /// What it says of the statement; `None` if it was not read.
    pub(crate) fn bearing(&self, statement: &str) -> Option<Bearing> {
        let (premise, nli) = self.premise.as_ref()?;
        let passage = &self.hit.passage;
        let overlap = Overlap::of(statement, &passage.title, &passage.text[premise.read.clone()]);
        let is_near = is_near(statement, &passage.title, &passage.text[premise.sentence.clone()]);
        Some(Bearing { nli: *nli, bm25: self.hit.score, overlap, is_near })
    }

    /// The evidence of a report.
    pub(crate) fn report(self, decisive: bool, in_prompt: bool) -> Evidence {
        let FoundPassage { passage, score, from, date, license } = self.hit;
        let place = |range: Range<usize>| Span::utf16(&passage.text, range);
        let (nli, read, sentence) = match self.premise {
            Some((premise, nli)) => (Some(nli), Some(place(premise.read)), Some(place(premise.sentence))),
            None => (None, None, None),
        };
        Evidence {
            nli,
            read,
            sentence,
            id: passage.id,
            title: passage.title,
            text: passage.text,
            source: passage.source,
            from,
            date,
            license,
            bm25: score,
            decisive,
            in_prompt,
        }
    }
}

/// The passages' numbers, most weight first and unread ones last; equals stay in BM25's order.
pub(crate) fn most_decisive(passages: &[ReadPassage], statement: &str) -> Vec<usize> {
    let bearings: Vec<Option<Bearing>> = passages.iter().map(|passage| passage.bearing(statement)).collect();
    let mut of_read = weights(&together(bearings.iter().flatten().copied().collect())).into_iter();
    let weight = |bearing: &Option<Bearing>| bearing.and_then(|_| of_read.next()).unwrap_or(-1.0);
    let weights: Vec<f64> = bearings.iter().map(weight).collect();
    let mut order: Vec<usize> = (0..passages.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    order
}

/// What the passages of a finished report say of its statement, without those that were not read.
pub(crate) fn bearings(report: &SentenceReport) -> Vec<Bearing> {
    let bearing = |evidence: &Evidence| {
        let (nli, read) = (evidence.nli?, evidence.read?);
        let overlap = Overlap::of(&report.statement, &evidence.title, &read.of(&evidence.text));
        let nearest = evidence.sentence.map_or_else(String::new, |sentence| sentence.of(&evidence.text));
        let is_near = is_near(&report.statement, &evidence.title, &nearest);
        Some(Bearing { nli, bm25: evidence.bm25, overlap, is_near })
    };
    together(report.evidence.iter().filter_map(bearing).collect())
}
