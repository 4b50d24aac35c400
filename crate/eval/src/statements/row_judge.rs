//! Judges a row, by an index or by the passages that come with it.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use evident_index::{FileStorage, Index};
use evident_verify::{
    IndexReport, IndexSource, Judge, Observer, SentenceReport, Settings, SharedModels, Verifier, VerifyError,
};

use crate::error::EvalError;
use crate::rows::row::LabelledRow;

/// The judge of one thread.
pub(crate) enum RowJudge {
    /// By what it retrieves from an index.
    Retrieved(Box<Verifier>, IndexReport),
    /// By the row's own passages.
    Given(Arc<Judge>),
}

impl RowJudge {
    /// A judge that retrieves from the index at `index`; without one, a judge by the rows' own passages.
    pub async fn open(index: Option<&Path>, models: &SharedModels) -> Result<Self, EvalError> {
        let Some(index) = index else { return Ok(Self::Given(models.judge.clone())) };
        let opened = Index::open(FileStorage::new(index)).await?;
        let report = IndexReport::of(&opened.manifest());
        let source = Rc::new(IndexSource::in_folder(opened, index.display().to_string()));
        Ok(Self::Retrieved(models.verifier(vec![source]).into(), report))
    }

    /// The index; `None` without one.
    pub fn index(&self) -> Option<IndexReport> {
        let Self::Retrieved(_, report) = self else { return None };
        Some(report.clone())
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
            Self::Retrieved(verifier, _) => {
                verifier.verify_statement(text, context, question, settings, observer).await
            }
            Self::Given(judge) => judge.assess(text, context, question, row.evidence.clone(), settings, observer).await,
        }
    }
}
