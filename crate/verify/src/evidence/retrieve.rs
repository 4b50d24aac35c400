//! Retrieval: asks sources about a claim, and has a model re-rank what they find if there is one (guan2024, App. C.2).

use std::rc::Rc;
use std::sync::Arc;

use futures_util::future::join_all;

use crate::error::{Cancelled, SourceError, VerifyError};
use crate::evidence::merge::Merged;
use crate::evidence::rerank::Reranker;
use crate::evidence::source::{EvidenceSource, Found, Query};
use crate::report::{Ambiguous, RerankReport};
use crate::settings::{Consult, Settings};

/// An ordered list of sources, and what re-ranks the passages that they find.
#[derive(Clone)]
pub struct Retriever {
    sources: Vec<Rc<dyn EvidenceSource>>,
    reranker: Option<Arc<Reranker>>,
}

impl Retriever {
    /// A retriever of these sources, which are asked in this order, and a model that re-ranks if there is one.
    pub fn new(sources: Vec<Rc<dyn EvidenceSource>>, reranker: Option<Arc<Reranker>>) -> Self {
        Self { sources, reranker }
    }

    /// A retriever of another source alone, such as a cited page, by the same model.
    pub fn over(&self, source: impl EvidenceSource + 'static) -> Self {
        Self::new(vec![Rc::new(source)], self.reranker.clone())
    }

    /// The sources, in the order in which they are asked.
    pub fn sources(&self) -> &[Rc<dyn EvidenceSource>] {
        &self.sources
    }

    /// The model that re-ranks, if there is one.
    pub fn reranker(&self) -> Option<&RerankReport> {
        self.reranker.as_deref().map(Reranker::report)
    }

    /// A new search for evidence, in which no source has been asked. Without sources, or if the settings want no
    /// evidence, it is already at its end.
    pub fn search<'a>(&'a self, settings: &'a Settings) -> EvidenceSearch<'a> {
        let sources = if settings.evidence == 0 { &[] } else { self.sources.as_slice() };
        EvidenceSearch { retriever: self, settings, sources, asked: 0, found: Vec::new(), failures: Vec::new() }
    }
}

/// A search for evidence about one claim, source by source.
pub struct EvidenceSearch<'a> {
    retriever: &'a Retriever,
    settings: &'a Settings,
    sources: &'a [Rc<dyn EvidenceSource>],
    /// How many of the sources were asked.
    asked: usize,
    /// What they have found. The latest answers come first.
    found: Vec<Found>,
    failures: Vec<(usize, SourceError)>,
}

impl EvidenceSearch<'_> {
    /// How many of the sources were asked, from the first on.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// The sources that could not be searched, by their numbers, and why not.
    #[must_use]
    pub fn failures(&self) -> &[(usize, SourceError)] {
        &self.failures
    }

    /// The names in the claim that stand for several articles of a source that was asked.
    #[must_use]
    pub fn ambiguous(&self) -> Vec<Ambiguous> {
        self.found.iter().flat_map(|found| &found.ambiguous).cloned().collect()
    }

    /// Whether every source was asked.
    #[must_use]
    pub fn is_at_its_end(&self) -> bool {
        self.asked == self.sources.len()
    }

    /// Asks the sources about `statement`, which follows its `context`. By the settings these are all sources at once,
    /// or the next one, and further ones until a passage is found. A source that fails is skipped. Returns the best
    /// passages of all sources that were asked so far, as many as the settings say. `ranking` is called before a model
    /// re-ranks.
    ///
    /// # Errors
    /// The first failure if every source that was asked has failed; any error of the model; [`VerifyError::Cancelled`]
    /// if `ranking` cancels.
    pub async fn ask(
        &mut self,
        context: &str,
        statement: &str,
        ranking: impl AsyncFnOnce() -> Result<(), Cancelled>,
    ) -> Result<Merged, VerifyError> {
        let (count, reranker) = (self.settings.evidence, self.retriever.reranker.as_deref());
        let candidates = reranker.map_or(count, |reranker| reranker.report().candidates.max(count));
        let query = Query { context, statement, count: candidates, settings: self.settings };
        while !self.is_at_its_end() {
            let next = match self.settings.consult {
                Consult::All => self.asked..self.sources.len(),
                Consult::UntilSettled => self.asked..self.asked + 1,
            };
            self.asked = next.end;
            let answers = join_all(self.sources[next.clone()].iter().map(|source| source.find(&query))).await;
            let mut newest = Vec::new();
            for (number, answer) in next.zip(answers) {
                match answer {
                    Ok(mut found) => {
                        found.passages.iter_mut().for_each(|passage| passage.from = Some(number));
                        newest.push(found);
                    }
                    Err(error) => self.failures.push((number, error)),
                }
            }
            let any = newest.iter().any(|found| !found.passages.is_empty());
            self.found.splice(0..0, newest);
            if any {
                break;
            }
        }
        if let [(_, error), ..] = &self.failures[..]
            && self.found.is_empty()
        {
            return Err(error.clone().into());
        }
        let mut merged = Merged::of(self.found.clone(), candidates);
        if let Some(reranker) = reranker.filter(|_| !merged.passages.is_empty()) {
            ranking().await?;
            merged.passages = reranker.best(&query.text(), merged.passages, count).await?;
        }
        Ok(merged)
    }
}
