//! Retrieval (guan2024, App. C.2): BM25, and models that put its best candidates in another order.
//!
//! The paper sets BM25 beside Contriever, a bi-encoder over the whole of Wikipedia. A static index has no vectors, so here
//! a bi-encoder in Contriever's role, or a cross-encoder, reads the passages that BM25 ranks highest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use evident_index::{Found, Hit, Index, Storage};
use evident_nn::{Classifier, Device, Embedder, Manifest, ONLY_MODEL, Pack, PackError};
use serde::{Deserialize, Serialize};

use crate::conner::formulas::normalised;
use crate::error::VerifyError;
use crate::events::Cancelled;
use crate::evidence::premises::titled;
use crate::models::role::Role;
use crate::report::PackReport;
use crate::settings::Settings;

/// How many of BM25's best passages a model puts in order.
const CANDIDATES: usize = 100;

/// How many passages' vectors are kept: the sentences of one answer, and the claims on one page, share many.
const KEPT_VECTORS: usize = 20_000;

/// What a [`Reranker`] is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RerankReport {
    /// How it reads.
    pub kind: RerankKind,
    /// How many of BM25's best passages it reads.
    pub candidates: usize,
    /// Where its model comes from.
    pub pack: PackReport,
}

/// How a [`Reranker`] reads a query and a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RerankKind {
    /// Each alone, as a vector; their cosine decides.
    BiEncoder,
    /// Both together; the logit decides.
    CrossEncoder,
}

/// A pack's model for re-ranking.
pub enum Ranker {
    /// One that reads texts alone.
    BiEncoder(Box<Embedder>),
    /// One that reads pairs: one logit, or two classes of which the second is "relevant".
    CrossEncoder(Classifier),
}

impl Ranker {
    /// The names that it has in a pack, a cross-encoder's before a bi-encoder's, and in a plain folder.
    const NAMES: [&str; 3] = [Role::Relevance.name(), Role::Embedder.name(), ONLY_MODEL];

    /// Which of a pack's models it is.
    ///
    /// # Errors
    /// [`PackError::ModelMissing`] for a pack without one.
    pub fn name(manifest: &Manifest) -> Result<&'static str, PackError> {
        let known: Vec<String> = manifest.models().map(str::to_owned).collect();
        let found = Self::NAMES.into_iter().find(|&name| known.iter().any(|model| model == name));
        found.ok_or_else(|| PackError::ModelMissing { name: Role::Relevance.name().to_owned(), known })
    }

    /// The pack's model of this name: a bi-encoder where it is called one or has no head.
    ///
    /// # Errors
    /// Those of [`Pack::classifier`] and [`Pack::embedder`].
    pub fn load(pack: &mut Pack, name: &str, device: &Device) -> Result<Self, PackError> {
        let bi_encoder = |pack: &mut Pack| Ok(Self::BiEncoder(pack.embedder(name, device)?.into()));
        if name == Role::Embedder.name() {
            return bi_encoder(pack);
        }
        match pack.classifier(name, device) {
            Err(PackError::TensorMissing { .. }) => bi_encoder(pack),
            classifier => Ok(Self::CrossEncoder(classifier?)),
        }
    }
}

/// A model that puts passages in the order in which they bear on a query.
pub struct Reranker {
    model: Ranker,
    report: RerankReport,
    /// A bi-encoder's vectors of passages.
    vectors: Mutex<HashMap<String, Vec<f32>>>,
}

impl Reranker {
    /// By this model of this pack.
    ///
    /// # Errors
    /// [`VerifyError::NoRanker`] for a classifier of more than two labels.
    pub fn new(model: Ranker, pack: PackReport) -> Result<Self, VerifyError> {
        let kind = match &model {
            Ranker::BiEncoder(_) => RerankKind::BiEncoder,
            Ranker::CrossEncoder(model) if (1..=2).contains(&model.labels().len()) => RerankKind::CrossEncoder,
            Ranker::CrossEncoder(model) => return Err(VerifyError::NoRanker { labels: model.labels().to_vec() }),
        };
        let report = RerankReport { kind, candidates: CANDIDATES, pack };
        Ok(Self { model, report, vectors: Mutex::default() })
    }

    /// What it is.
    #[must_use]
    pub fn report(&self) -> &RerankReport {
        &self.report
    }

    /// The `k` of the hits that bear most on `query`, best first, and equals as they were. Their scores stay BM25's.
    async fn best(&self, query: &str, hits: Vec<Hit>, k: usize) -> Result<Vec<Hit>, VerifyError> {
        let texts: Vec<String> = hits.iter().map(|hit| titled(&hit.passage.title, &hit.passage.text)).collect();
        let scores = match &self.model {
            Ranker::BiEncoder(model) => cosines(model, &self.vectors, query, &texts).await?,
            Ranker::CrossEncoder(model) => {
                let pairs: Vec<(&str, &str)> = texts.iter().map(|text| (query, text.as_str())).collect();
                let relevance = |logits: Vec<f32>| normalised(&logits).unwrap_or(f64::NAN);
                model.logits(&pairs).await?.into_iter().map(relevance).collect()
            }
        };
        if scores.iter().any(|score| !score.is_finite()) {
            return Err(VerifyError::NotFinite { model: "re-ranking" });
        }
        let mut ranked: Vec<(Hit, f64)> = hits.into_iter().zip(scores).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(ranked.into_iter().take(k).map(|(hit, _)| hit).collect())
    }
}

/// The cosine of the query and each text. Vectors of texts are kept, for the next query often meets them again.
async fn cosines(
    model: &Embedder,
    kept: &Mutex<HashMap<String, Vec<f32>>>,
    query: &str,
    texts: &[String],
) -> Result<Vec<f64>, VerifyError> {
    let unread: Vec<&str> = {
        let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        texts.iter().map(String::as_str).filter(|&text| !kept.contains_key(text)).collect()
    };
    let mut read = model.embed(&[&[query], unread.as_slice()].concat()).await?;
    let query = read.remove(0);
    let read: HashMap<&str, Vec<f32>> = unread.into_iter().zip(read).collect();
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    let each =
        |text: &String| read.get(text.as_str()).or_else(|| kept.get(text)).map_or(f64::NAN, |v| cosine(&query, v));
    let cosines = texts.iter().map(each).collect();
    let room = KEPT_VECTORS.saturating_sub(kept.len());
    kept.extend(read.into_iter().take(room).map(|(text, vector)| (text.to_owned(), vector)));
    Ok(cosines)
}

/// Finds the passages that bear on a statement.
pub struct Retriever<S> {
    index: Index<S>,
    reranker: Option<Arc<Reranker>>,
}

impl<S: Storage> Retriever<S> {
    /// A retriever by BM25 and, where there is one, a model that puts its candidates in order.
    pub fn new(index: Index<S>, reranker: Option<Arc<Reranker>>) -> Self {
        Self { index, reranker }
    }

    /// Where the passages are.
    pub fn index(&self) -> &Index<S> {
        &self.index
    }

    /// What puts BM25's candidates in order, if anything does.
    pub fn reranker(&self) -> Option<&RerankReport> {
        self.reranker.as_deref().map(Reranker::report)
    }

    /// The passages that bear most on `statement` after its `context`, best first, as many as the settings say; BM25 reads the
    /// statement as often as they say, a model once. With them, how common the words of both are. `ranking` is told before a
    /// model reads.
    ///
    /// # Errors
    /// Whatever keeps the index or the model from working, and [`VerifyError::Cancelled`] where `ranking` says so.
    pub async fn retrieve(
        &self,
        context: &str,
        statement: &str,
        settings: &Settings,
        ranking: impl AsyncFnOnce() -> Result<(), Cancelled>,
    ) -> Result<Found, VerifyError> {
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

/// Context and statement in one query (guan2024, Sec. 4), the statement `weight` times.
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
