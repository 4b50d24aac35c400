//! A second opinion: a sentence that was judged is judged again by the T5, over the same evidence.

use evident_index::Passage;

use crate::error::VerifyError;
use crate::events::Observer;
use crate::evidence::source::FoundPassage;
use crate::judge::Judge;
use crate::judge::workers::{Case, Worker, Workers};
use crate::report::{Evidence, Risk, SentenceReport, Span};
use crate::settings::{Method, ScoreBy, Settings};
use crate::text::claim::Claim;

impl Settings {
    /// These settings for a second opinion: the T5 alone scores. The direct question is asked in all four wordings, so
    /// that their spread tells how much the answer depends on the wording (guan2024, Sec. 5.2).
    #[must_use]
    pub fn second_opinion(&self) -> Self {
        Self { score_by: ScoreBy::Verifier, every_wording: self.method == Method::Direct, ..self.clone() }
    }
}

impl Case {
    /// The case of a sentence that was judged: the same statement and context, and the passages of its report.
    #[must_use]
    pub fn again(report: &SentenceReport) -> Self {
        let hit = |evidence: &Evidence| {
            let Evidence { id, title, text, source, from, date, license, bm25, .. } = evidence.clone();
            let passage = Passage { id, title, text, source, ..Passage::default() };
            FoundPassage { passage, score: bm25, from, date, license }
        };
        let SentenceReport { start, end, text, statement, context, bm25_bound, .. } = report.clone();
        Self {
            claim: Claim { number: 0, span: Span { start, end }, text, statement, context, question: None },
            hits: report.evidence.iter().map(hit).collect(),
            bm25_bound,
            risks: report.risks.iter().copied().filter(|&risk| risk != Risk::Wording).collect(),
        }
    }
}

impl Judge {
    /// Judges a sentence again, by [`Settings::second_opinion`] of the `settings` that it was judged by. Nothing is
    /// retrieved: the T5 reads the passages of the report. One of the `workers` is asked, of which this judge is one.
    ///
    /// # Errors
    /// [`VerifyError::Settings`] and [`VerifyError::NoVerifier`] before anything is computed;
    /// [`VerifyError::Cancelled`] if the observer cancels; and any error of the models.
    pub async fn second_opinion(
        &self,
        workers: &impl Workers,
        report: &SentenceReport,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<SentenceReport, VerifyError> {
        let settings = settings.second_opinion();
        settings.validate()?;
        self.can(&settings)?;
        let worker = workers.next().await;
        Ok(worker.judge(Case::again(report), &settings, observer).await?.report)
    }
}
