//! Retrieval: BM25, and a model that re-ranks its best passages if there is one (guan2024, App. C.2).

use std::sync::Arc;

use evident_index::{Index, SearchResult, Storage};

use crate::error::{Cancelled, VerifyError};
use crate::evidence::rerank::Reranker;
use crate::report::RerankReport;
use crate::settings::Settings;

/// Finds the passages about a statement.
pub struct Retriever<S> {
    index: Index<S>,
    reranker: Option<Arc<Reranker>>,
}

impl<S: Storage> Retriever<S> {
    /// A retriever by BM25, and by a model that re-ranks if there is one.
    pub fn new(index: Index<S>, reranker: Option<Arc<Reranker>>) -> Self {
        Self { index, reranker }
    }

    /// A retriever of another index, such as that of a cited page, by the same model.
    pub fn over<T: Storage>(&self, index: Index<T>) -> Retriever<T> {
        Retriever::new(index, self.reranker.clone())
    }

    /// The index that is searched.
    pub fn index(&self) -> &Index<S> {
        &self.index
    }

    /// The model that re-ranks, if there is one.
    pub fn reranker(&self) -> Option<&RerankReport> {
        self.reranker.as_deref().map(Reranker::report)
    }

    /// The passages about `statement` after its `context`, best first, as many as the settings say, and how common the
    /// words of both are. The query repeats the statement as the settings say; a model reads it once. `ranking` is
    /// called before a model re-ranks.
    ///
    /// # Errors
    /// Any error of the index or the model, and [`VerifyError::Cancelled`] if `ranking` cancels.
    pub async fn retrieve(
        &self,
        context: &str,
        statement: &str,
        settings: &Settings,
        ranking: impl AsyncFnOnce() -> Result<(), Cancelled>,
    ) -> Result<SearchResult, VerifyError> {
        let (k, limits) = (settings.evidence, settings.search.limits());
        let candidates = self.reranker().map_or(k, |report| report.candidates.max(k));
        let mut found =
            self.index.find(&query(context, statement, settings.statement_weight), candidates, limits).await?;
        if let Some(reranker) = &self.reranker {
            ranking().await?;
            found.hits = reranker.best(&query(context, statement, 1), found.hits, k).await?;
        }
        Ok(found)
    }
}

/// Context and statement in one query (guan2024, Sec. 4), with the statement `weight` times; without a context, once.
fn query(context: &str, statement: &str, weight: usize) -> String {
    if context.is_empty() {
        statement.to_owned()
    } else {
        format!("{context}{}", format!(" {statement}").repeat(weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_weighs_more_than_its_context_and_stands_alone_once() {
        assert_eq!(query("Why?", "It rusts.", 2), "Why? It rusts. It rusts.");
        assert_eq!(query("", "It rusts.", 2), "It rusts.");
    }
}
