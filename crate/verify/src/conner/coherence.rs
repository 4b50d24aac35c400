//! Paragraph-level coherence: whether the sentences hang together in their order (Eq. 4).

use super::{Conner, Found, Missing, Plain, Step, Watch, lacking, normalised};
use crate::error::VerifyError;
use crate::report::Span;
use crate::text::sentences::Sentence;

impl Conner {
    /// Eq. 4.
    pub(super) async fn coherence(&self, found: &[(Span, Sentence)], watch: &mut impl Watch) -> Found<Plain> {
        let Some(discourse) = self.discourse.as_ref().filter(|_| !found.is_empty()) else {
            return Ok(Err(lacking(&[
                (!found.is_empty(), Missing::Knowledge),
                (self.discourse.is_some(), Missing::DiscourseModel),
            ])));
        };
        watch.step(Step::Coherence).await?;
        let paragraph = found.iter().map(|(_, sentence)| sentence.text.as_str()).collect::<Vec<_>>().join(" ");
        let logits = discourse.model.text_logits(&[paragraph.as_str()]).await?;
        let value = logits.first().and_then(|logits| normalised(logits));
        let value = value.ok_or(VerifyError::NotFinite { model: "discourse" })?;
        Ok(Ok((discourse.name.clone(), Plain { value })))
    }
}
