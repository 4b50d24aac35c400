//! The pages that an answer cites, as evidence: each sentence beside what its own sources say.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt};

use crate::error::VerifyError;
use crate::events::{Observer, VerifyEvent};
use crate::evidence::retrieve::Retriever;
use crate::judge::workers::{Case, Worker, Workers};
use crate::report::{SentenceReport, SourceReport, SourceState, Unread};
use crate::settings::Settings;
use crate::text::claim::Claim;

/// Cited pages by their addresses: what finds the passages of each, or why it cannot be read.
pub type Sources = BTreeMap<String, Result<Retriever, Unread>>;

/// Judges each of these sentences of a report by every page that it cites, as it was judged by the sources, and writes
/// what they say to its `sources`. Its own verdict stays. `settings` are those of the report. An address is looked for
/// as it is cited, then without what follows its "#".
///
/// # Errors
/// [`VerifyError::Cancelled`] if the observer cancels, and the failure of a page, and any error of the models.
pub async fn check_sources(
    workers: &impl Workers,
    sentences: &mut [SentenceReport],
    sources: &Sources,
    settings: &Settings,
    observer: &impl Observer,
) -> Result<(), VerifyError> {
    let cited: Vec<(usize, String)> = sentences
        .iter()
        .enumerate()
        .flat_map(|(number, sentence)| addresses(sentence).into_iter().map(move |address| (number, address)))
        .collect();
    let read = &*sentences;
    let mut checked = stream::iter(&cited)
        .map(async |(number, address)| {
            let retriever = match source(sources, address) {
                Ok(retriever) => retriever,
                Err(reason) => return Ok(unread(address, reason)),
            };
            let worker = workers.next().await;
            let case = Case::by_source(*number, &read[*number], retriever, settings, observer).await?;
            let judged = worker.judge(case, settings, observer).await?.report;
            let state = judged.sure_verdict().into();
            let evidence = judged.evidence.into_iter().filter(|passage| passage.decisive).collect();
            Ok::<_, VerifyError>(SourceReport { address: address.clone(), state, reason: None, evidence })
        })
        .buffered(workers.limit());
    let mut found = Vec::with_capacity(cited.len());
    while let Some(source) = checked.next().await {
        let source = source?;
        let (index, _) = cited[found.len()];
        observer.observe(VerifyEvent::Source { index, source: &source }.into()).await?;
        found.push(source);
    }
    drop(checked);
    sentences.iter_mut().for_each(|sentence| sentence.sources.clear());
    for ((index, _), source) in cited.into_iter().zip(found) {
        sentences[index].sources.push(source);
    }
    Ok(())
}

/// The addresses that a sentence cites, each once, in order.
fn addresses(sentence: &SentenceReport) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for address in sentence.citations.iter().filter_map(|citation| citation.address.as_ref()) {
        if !found.contains(address) {
            found.push(address.clone());
        }
    }
    found
}

fn source<'a>(sources: &'a Sources, address: &str) -> Result<&'a Retriever, Unread> {
    let page = || address.split('#').next().and_then(|page| sources.get(page));
    sources.get(address).or_else(page).ok_or(Unread::NotGiven)?.as_ref().map_err(|&reason| reason)
}

fn unread(address: &str, reason: Unread) -> SourceReport {
    SourceReport { address: address.to_owned(), state: SourceState::Unread, reason: Some(reason), evidence: Vec::new() }
}

impl Case {
    /// A sentence of a report with what a page has on it, for the settings of the report. `number` is the sentence's.
    ///
    /// # Errors
    /// [`VerifyError::Cancelled`] if the observer cancels, the failure of the page, and any error of the model that
    /// re-ranks.
    async fn by_source(
        number: usize,
        sentence: &SentenceReport,
        page: &Retriever,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<Self, VerifyError> {
        let claim = Claim { number, ..Self::again(sentence).claim };
        let settings = Settings { evidence: settings.evidence.max(settings.read), ..settings.clone() };
        let mut case = Self::find(&mut page.search(&settings), claim, observer).await?.0;
        case.hits.iter_mut().for_each(|passage| passage.from = None); // it is of no source of the report
        Ok(case)
    }
}
