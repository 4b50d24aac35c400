//! Re-ranking: a model puts BM25's best passages in another order (guan2024, App. C.2).
//!
//! The paper compares BM25 with Contriever, a bi-encoder over the whole of Wikipedia. A static index has no vectors, so
//! here a bi-encoder in Contriever's role, or a cross-encoder, reads only the passages that BM25 ranks highest.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use evident_nn::{Device, Embedder, Pack};

use crate::error::VerifyError;
use crate::evidence::premises::with_title;
use crate::evidence::source::FoundPassage;
use crate::models::load::RoleError;
use crate::models::relevance::{RelevanceModel, normalised};
use crate::models::role::reranking_model;
use crate::report::{PackReport, RerankKind, RerankReport};

/// The number of BM25's best passages that a model puts in order.
const CANDIDATES: usize = 100;

/// The most vectors of passages that are kept. The sentences of one answer, and the claims on one page, share many
/// passages.
const KEPT_VECTORS: usize = 20_000;

/// A model that orders passages by their relevance to a query.
pub struct Reranker {
    model: RelevanceModel,
    report: RerankReport,
    /// A bi-encoder's vectors, by the passages' texts.
    vectors: Mutex<HashMap<String, Vec<f32>>>,
}

impl Reranker {
    /// A reranker with this model, which is from this pack.
    #[must_use]
    pub fn new(model: RelevanceModel, pack: PackReport) -> Self {
        let kind = match &model {
            RelevanceModel::BiEncoder(_) => RerankKind::BiEncoder,
            RelevanceModel::CrossEncoder(_) => RerankKind::CrossEncoder,
        };
        let report = RerankReport { kind, candidates: CANDIDATES, pack };
        Self { model, report, vectors: Mutex::default() }
    }

    /// Loads the model that re-ranks from a pack or a plain folder: see [`reranking_model`].
    ///
    /// # Errors
    /// [`RoleError`] if there is none or it cannot be loaded.
    pub async fn load(pack: &mut Pack, device: &Device) -> Result<Self, RoleError> {
        let name = reranking_model(pack.manifest())?;
        let report = PackReport::of(pack.manifest());
        let called = format!("{}/{name}", report.name);
        Ok(Self::new(RelevanceModel::load(pack, name, &called, device).await?, report))
    }

    /// The model, as reports name it.
    #[must_use]
    pub fn report(&self) -> &RerankReport {
        &self.report
    }

    /// The `k` passages that are most relevant to `query`, best first; equals keep their order. Their scores stay as
    /// they are.
    ///
    /// # Errors
    /// [`VerifyError::NotFinite`], and any error of the model.
    pub(crate) async fn best(
        &self,
        query: &str,
        found: Vec<FoundPassage>,
        k: usize,
    ) -> Result<Vec<FoundPassage>, VerifyError> {
        let texts: Vec<String> =
            found.iter().map(|FoundPassage { passage, .. }| with_title(&passage.title, &passage.text)).collect();
        let scores = match &self.model {
            RelevanceModel::BiEncoder(model) => cosines(model, &self.vectors, query, &texts).await?,
            RelevanceModel::CrossEncoder(model) => {
                let pairs: Vec<(&str, &str)> = texts.iter().map(|text| (query, text.as_str())).collect();
                let relevance = |logits: Vec<f32>| normalised(&logits).unwrap_or(f64::NAN);
                model.logits(&pairs).await?.into_iter().map(relevance).collect()
            }
        };
        if scores.iter().any(|score| !score.is_finite()) {
            return Err(VerifyError::NotFinite { model: "re-ranking" });
        }
        let mut ranked: Vec<(FoundPassage, f64)> = found.into_iter().zip(scores).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(ranked.into_iter().take(k).map(|(passage, _)| passage).collect())
    }
}

/// The cosine of the query and each text. The texts' vectors are kept, because the next query often finds the same
/// passages.
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
