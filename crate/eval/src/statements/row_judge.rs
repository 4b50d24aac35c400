//! Judges a row, by an index or by the passages that come with it.

use std::path::Path;
use std::sync::Arc;

use evident_index::{FileStorage, Index};
use evident_verify::{
    About, IndexReport, Judge, Observer, RerankReport, Reranker, Retriever, SentenceReport, Settings, Verifier,
    VerifyError,
};

use crate::error::EvalError;
use crate::rows::row::LabelledRow;

/// The models that all threads share.
pub struct SharedModels {
    /// Those that judge.
    pub judge: Arc<Judge>,
    /// The one that puts the best passages of BM25 in order, if there is one.
    pub reranker: Option<Arc<Reranker>>,
    /// The pack that they are from, and what they are computed on.
    pub about: About,
}

impl SharedModels {
    /// What re-ranks; `None` for BM25 alone.
    pub(crate) fn rerank(&self) -> Option<RerankReport> {
        self.reranker.as_deref().map(Reranker::report).cloned()
    }
}

/// The judge of one thread.
pub(crate) enum RowJudge {
    /// By what it retrieves.
    Retrieved(Box<Verifier<FileStorage>>),
    /// By the row's own passages.
    Given(Arc<Judge>),
}

impl RowJudge {
    /// A judge that retrieves from the index at `index`; without one, a judge by the rows' own passages.
    pub async fn open(index: Option<&Path>, models: &SharedModels) -> Result<Self, EvalError> {
        let Some(index) = index else { return Ok(Self::Given(models.judge.clone())) };
        let retriever = Retriever::new(Index::open(FileStorage::new(index)).await?, models.reranker.clone());
        Ok(Self::Retrieved(Verifier::new(models.judge.clone(), retriever, models.about.clone()).into()))
    }

    /// The index; `None` without one.
    pub fn index(&self) -> Option<IndexReport> {
        let Self::Retrieved(verifier) = self else { return None };
        Some(index_report(verifier.index()))
    }

    /// Judges the statement of a row.
    pub async fn judge(
        &self,
        row: &LabelledRow,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<SentenceReport, VerifyError> {
        let (text, context, question) = (&row.statement, &row.context, row.question.as_deref());
        match self {
            Self::Retrieved(verifier) => verifier.verify_statement(text, context, question, settings, observer).await,
            Self::Given(judge) => judge.assess(text, context, question, row.evidence.clone(), settings, observer).await,
        }
    }
}

/// An index, as reports name it.
pub(crate) fn index_report(index: &Index<FileStorage>) -> IndexReport {
    let manifest = index.manifest();
    IndexReport { passages: manifest.passages, hash: manifest.checksum.to_string() }
}
