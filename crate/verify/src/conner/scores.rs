//! The table of CONNER's scores. A score is a method of [`Conner`] in a file of its own, and a row here.

use evident_index::Storage;
use serde::{Deserialize, Serialize};

use crate::conner::coherence::Coherence;
use crate::conner::cohesion::Cohesion;
use crate::conner::factuality::Factuality;
use crate::conner::helpfulness::Helpfulness;
use crate::conner::informativeness::Informativeness;
use crate::conner::item::{Given, Item, Sources};
use crate::conner::outcome::{Missing, Outcome, Plain};
use crate::conner::quality::overall;
use crate::conner::scorer::Conner;
use crate::conner::settings::Settings;
use crate::conner::steps::Steps;
use crate::conner::validity::Validity;
use crate::error::VerifyError;
use crate::events::Observer;

/// `method / Name: type` for each score, in the order in which they are computed.
macro_rules! scores {
    ($($(#[$doc:meta])* $score:ident / $Name:ident: $type:ty),+ $(,)?) => {
        /// The name of a score.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "types", derive(ts_rs::TS))]
        #[serde(rename_all = "camelCase")]
        pub enum ScoreName {
            $($(#[$doc])* $Name,)+
            /// Q_know, the overall quality of the knowledge (Eq. 9).
            Quality,
        }

        impl ScoreName {
            /// All names, in the report's order.
            pub const ALL: &'static [Self] = &[$(Self::$Name,)+ Self::Quality];

            /// The name in JSON.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$Name => stringify!($score),)+
                    Self::Quality => "quality",
                }
            }
        }

        /// The scores of one item. In JSON a score is an object that has either `value` and `model`, or `missing`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "types", derive(ts_rs::TS))]
        #[serde(rename_all = "camelCase")]
        pub struct ConnerReport {
            $($(#[$doc])* pub $score: Outcome<$type>,)+
            /// Q_know, the overall quality of the knowledge (Eq. 9).
            pub quality: Outcome<Plain>,
        }

        impl ConnerReport {
            /// The number of a score; `None` if there is none.
            #[must_use]
            pub fn value(&self, name: ScoreName) -> Option<f64> {
                match name {
                    $(ScoreName::$Name => self.$score.value(),)+
                    ScoreName::Quality => self.quality.value(),
                }
            }

            /// What a score lacks; nothing if there is a score.
            #[must_use]
            pub fn missing(&self, name: ScoreName) -> &[Missing] {
                match name {
                    $(ScoreName::$Name => self.$score.missing(),)+
                    ScoreName::Quality => self.quality.missing(),
                }
            }
        }

        impl Conner {
            /// All scores of an item. The same item, sources, settings and models give the same report.
            ///
            /// # Errors
            /// [`VerifyError::Settings`] before anything is computed; [`VerifyError::Cancelled`] if the observer
            /// cancels; and any error of the index or the models.
            pub async fn score<S: Storage>(
                &self,
                item: &Item,
                sources: &Sources<'_, S>,
                settings: &Settings,
                observer: &impl Observer,
            ) -> Result<ConnerReport, VerifyError> {
                settings.validate()?;
                let given = Given::of(item, sources, settings);
                let mut report = ConnerReport {
                    $($score: self.$score(&given, &Steps::of(stringify!($score), observer)).await?,)+
                    quality: Outcome::Missing { missing: Vec::new() },
                };
                let ConnerReport { factuality, relevance, coherence, informativeness, .. } = &report;
                report.quality = overall(factuality, relevance, coherence, informativeness, settings.gamma);
                Ok(report)
            }
        }
    };
}

scores! {
    /// Whether evidence supports the knowledge (Eq. 1).
    factuality / Factuality: Factuality,
    /// Whether the knowledge is about the question (Eq. 2).
    relevance / Relevance: Plain,
    /// Whether each sentence reads as natural language (Eq. 3).
    cohesion / Cohesion: Cohesion,
    /// Whether the sentences make a coherent paragraph in their order (Eq. 4).
    coherence / Coherence: Coherence,
    /// Whether the knowledge is new to a language model that knows the question (Eq. 5).
    informativeness / Informativeness: Informativeness,
    /// Whether the knowledge makes the right answer more probable than random passages do (Eq. 6).
    helpfulness / Helpfulness: Helpfulness,
    /// Whether the answer is right (Eq. 7 or 8).
    validity / Validity: Validity,
}
