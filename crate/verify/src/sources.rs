//! The pages that an answer cites, as evidence: each sentence beside what its own sources say.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt};

use crate::error::VerifyError;
use crate::events::{Observer, VerifyEvent};
use crate::evidence::retrieve::Retriever;
use crate::judge::workers::{Case, Worker, Workers};
use crate::report::{Evidence, SentenceReport, SourceReport, SourceState, Unread};
use crate::settings::Settings;
use crate::text::claim::Claim;

/// Cited pages by their addresses: what finds the passages of each, or why it cannot be read.
pub type Sources = BTreeMap<String, Result<Retriever, Unread>>;

/// Judges each of these sentences of a report against every page that it cites, in the way in which it was judged
/// against the sources of evidence, and writes the results to its `sources`. Its verdict is unchanged. `settings` are
/// those of the report. An address is looked up as it is cited, and then without its fragment, from "#" on.
///
/// # Errors
/// [`VerifyError::Cancelled`] if the observer cancels, the failure of a search in a page, and any error of the models.
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
            let state = SourceState::of(&judged);
            let decides = |passage: &Evidence| passage.decisive && state != SourceState::NotInIt;
            let evidence = judged.evidence.into_iter().filter(decides).collect();
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
    /// The case of a report's sentence and the passages that a page has on it. `number` is the sentence's, and
    /// `settings` are the report's.
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
        case.hits.iter_mut().for_each(|passage| passage.from = None); // the page is not among the report's sources
        Ok(case)
    }
}
