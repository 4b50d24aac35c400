//! Reads passages beside a statement: which of them, by which premises, and what the NLI model makes of each.

use std::ops::Range;

use evident_index::Hit;

use crate::error::VerifyError;
use crate::evidence::premises::{Premise, fitting_premises};
use crate::judge::opposition::opposes;
use crate::judge::verdict::{Bearing, weights};
use crate::models::nli::NliModel;
use crate::report::{Evidence, Nli, SentenceReport, Span};
use crate::settings::Settings;

/// A retrieved passage and, where it was read, its most decisive premise and what that says.
pub(crate) struct Reading {
    pub hit: Hit,
    pub premise: Option<(Premise, Nli)>,
}

/// Sets the best passages against a statement, as many as the settings say; the others are passed on unread.
pub(crate) async fn read(
    nli: &NliModel,
    hits: &[Hit],
    statement: &str,
    settings: &Settings,
) -> Result<Vec<Reading>, VerifyError> {
    let mut premises = Vec::new();
    for hit in hits.iter().take(settings.read) {
        let fits = |premise: &str| nli.reads_whole(premise, statement);
        premises.push(fitting_premises(&hit.passage, statement, settings.window, settings.windows, fits)?);
    }
    let pairs: Vec<(&str, &str)> =
        premises.iter().flatten().map(|premise| (premise.text.as_str(), statement)).collect();
    let mut triples = nli.triples(&pairs).await?.into_iter();
    let mut premises = premises.into_iter();
    let reading = |hit: &Hit| {
        let each = premises.next().unwrap_or_default().into_iter().zip(&mut triples);
        let premise = each.reduce(|best, next| if next.1.decides_more(&best.1) { next } else { best });
        Reading { hit: hit.clone(), premise }
    };
    Ok(hits.iter().map(reading).collect())
}

impl Reading {
    /// What its premise says; `None` where it was not read.
    pub fn nli(&self) -> Option<Nli> {
        self.premise.as_ref().map(|(_, nli)| *nli)
    }

    /// How it bears on the statement; `None` where it was not read.
    pub fn bearing(&self, statement: &str) -> Option<Bearing> {
        let (premise, nli) = self.premise.as_ref()?;
        let passage = &self.hit.passage;
        let opposes = opposes(statement, &passage.title, &passage.text[premise.read.clone()]);
        Some(Bearing { nli: *nli, bm25: self.hit.score, opposes })
    }

    pub fn report(self, decisive: bool, in_prompt: bool) -> Evidence {
        let passage = self.hit.passage;
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
            bm25: self.hit.score,
            decisive,
            in_prompt,
        }
    }
}

/// The readings' numbers, those with the most weight first and those that were not read last; among equals the better by BM25.
pub(crate) fn most_decisive(readings: &[Reading], statement: &str) -> Vec<usize> {
    let said: Vec<Bearing> = readings.iter().map_while(|reading| reading.bearing(statement)).collect();
    let mut weights = weights(&said);
    weights.resize(readings.len(), -1.0);
    let mut order: Vec<usize> = (0..readings.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    order
}

/// How the passages that were read bear on a statement that was reported on.
pub(crate) fn bearings(report: &SentenceReport) -> Vec<Bearing> {
    let bearing = |evidence: &Evidence| {
        let (nli, read) = (evidence.nli?, evidence.read?);
        let opposes = opposes(&report.statement, &evidence.title, &read.of(&evidence.text));
        Some(Bearing { nli, bm25: evidence.bm25, opposes })
    };
    report.evidence.iter().filter_map(bearing).collect()
}
