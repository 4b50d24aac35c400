//! What a caller can choose about CONNER's scores. The paper gives no value for gamma or u, and its released code cuts
//! and caps where the paper does not. Each such number is a setting here; "Released" is its value in that code.

use serde::{Deserialize, Serialize};

use crate::conner::formulas::Aggregate;
use crate::error::VerifyError;
use crate::settings::Search;

/// The largest value of a setting that is not a whole number: with a larger one, scores could overflow.
const MOST_NUMBER: f64 = 1e9;

/// Which equation gives validity, 7 or 8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ValidityForm {
    /// Eq. 7 if there is a reference, else Eq. 8.
    #[default]
    Auto,
    /// Eq. 7: the answer is a span, read against the reference.
    Span,
    /// Eq. 8: the answer is open-ended, read against evidence.
    Open,
}

/// Which answer the knowledge is to help with (a of Eq. 6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum HelpfulAnswer {
    /// The known right one, as in the paper.
    #[default]
    Reference,
    /// The one that was given with the knowledge.
    Generated,
}

/// The settings of one scoring. A caller may leave out any; it then has its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ConnerSettings"))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// How the factuality scores of sentences are aggregated (Eq. 1): by the minimum, as printed. Released: max.
    pub aggregate: Aggregate,
    /// The number of passages retrieved for each sentence (l of Eq. 1) and for an open-ended answer (Eq. 8), 1 to 100.
    pub evidence: usize,
    /// How far the index is searched for them.
    pub search: Search,
    /// The number of sentences in each premise that NLI reads, 0 to 100; 0 for the whole passage, as in the paper.
    pub window: usize,
    /// The number of premises that NLI reads of each passage, 1 to 100: those that share most words with the sentence.
    pub windows: usize,
    /// The most tokens of question and knowledge together for relevance (Eq. 2), 16 to 4,000. Longer knowledge loses
    /// its end. Released: 512.
    pub relevance_tokens: usize,
    /// The most tokens of a sentence that count for its perplexity (Eq. 3); 0 for all that fit into the model.
    /// Released: 500, the default.
    pub cohesion_tokens: usize,
    /// The cap of a sentence's perplexity (Eq. 3), 1 or more; `None` for no cap. Released: 200.
    pub perplexity_cap: Option<f64>,
    /// The prompt before k (Eq. 5), a template with {question} and {topic}: q alone. Released: "Generate a Wikipedia to
    /// answer the given question.\nTopic: {topic}.\nQuestion: {question}\nWikipedia: ", with a question mark.
    pub informativeness_prompt: String,
    /// The most words of k that count for informativeness (Eq. 5); 0 for all. Released: 300, the default.
    pub informativeness_words: usize,
    /// The answer that helpfulness is about: the right one. Released: the same.
    pub helpfulness_answer: HelpfulAnswer,
    /// The prompt before the answer (Eq. 6), a template with {knowledge}, {question} and {topic}. The released code
    /// puts up to 1,800 words of demonstrations of this form before it: to do the same, write them into the template.
    pub helpfulness_prompt: String,
    /// The most words of k, and of each random passage, in that prompt, 1 or more; fewer if the model has no room.
    /// Released: 500.
    pub helpfulness_words: usize,
    /// The number of random passages that k is compared with (u of Eq. 6), 1 to 100. Released: 1.
    pub random_passages: usize,
    /// The seed of the random passages. The same seed and question give the same passages.
    pub seed: u64,
    /// The most tokens of a prompt that a seq2seq model reads, 64 to 4,000.
    pub max_tokens: usize,
    /// Which equation gives validity, 7 or 8.
    pub validity: ValidityForm,
    /// The text between question and answer in the premise and hypothesis of Eq. 7. Released: a tab.
    pub validity_separator: String,
    /// Eq. 9's coefficients of factuality, relevance, paragraph coherence and informativeness.
    pub gamma: [f64; 4],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            aggregate: Aggregate::Min,
            evidence: 10, // with ten or more, a reference among them no longer matters (App. B)
            search: Search::default(),
            window: 0,
            windows: 1,
            relevance_tokens: 512,
            cohesion_tokens: 500,
            perplexity_cap: None,
            informativeness_prompt: "{question}".into(),
            informativeness_words: 300,
            helpfulness_answer: HelpfulAnswer::Reference,
            helpfulness_prompt: "Passage: {knowledge}\nQuery: {question}\nAnswer:".into(), // Tab. 13, released
            helpfulness_words: 500,
            random_passages: 5,
            seed: 0,
            max_tokens: 1024,
            validity: ValidityForm::Auto,
            validity_separator: " ".into(),
            gamma: [0.25; 4], // so that Q_know is in [0, 1] too
        }
    }
}

impl Settings {
    /// Checks that every field is in its range.
    ///
    /// # Errors
    /// [`VerifyError::Settings`] or [`VerifyError::Number`] for the first that is not.
    pub fn validate(&self) -> Result<(), VerifyError> {
        let most = 1_000_000;
        let ranges = [
            ("evidence", self.evidence, 1..=100),
            ("window", self.window, 0..=100),
            ("windows", self.windows, 1..=100),
            ("relevanceTokens", self.relevance_tokens, 16..=4000),
            ("cohesionTokens", self.cohesion_tokens, 0..=most),
            ("informativenessWords", self.informativeness_words, 0..=most),
            ("helpfulnessWords", self.helpfulness_words, 1..=most),
            ("randomPassages", self.random_passages, 1..=100),
            ("maxTokens", self.max_tokens, 64..=4000),
        ];
        let number = |field, value, least| Err(VerifyError::Number { field, value, least, most: MOST_NUMBER });
        if let Some(cap) = self.perplexity_cap.filter(|cap| !(1.0..=MOST_NUMBER).contains(cap)) {
            return number("perplexityCap", cap, 1.0);
        }
        if let Some(&gamma) = self.gamma.iter().find(|gamma| !(-MOST_NUMBER..=MOST_NUMBER).contains(*gamma)) {
            return number("gamma", gamma, -MOST_NUMBER);
        }
        match ranges.into_iter().find(|(_, value, range)| !range.contains(value)) {
            None => self.search.validate(),
            Some((field, value, range)) => {
                Err(VerifyError::Settings { field, value, least: *range.start(), most: *range.end() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_chosen_is_the_default_and_an_unknown_field_is_refused() {
        let read = |json: &str| serde_json::from_str::<Settings>(json);
        assert_eq!(read("{}").unwrap(), Settings::default());
        let chosen = read(r#"{"aggregate": "max", "perplexityCap": 200, "randomPassages": 1}"#).unwrap();
        assert_eq!((chosen.aggregate, chosen.perplexity_cap, chosen.random_passages), (Aggregate::Max, Some(200.0), 1));
        assert_eq!(read(&serde_json::to_string(&chosen).unwrap()).unwrap(), chosen);
        assert!(read(r#"{"gama": [1, 1, 1, 1]}"#).unwrap_err().to_string().contains("gama"));
        Settings::default().validate().unwrap();
        let says = |settings: Settings| settings.validate().unwrap_err().to_string();
        for cap in [0.5, f64::NAN, f64::INFINITY, -3.0] {
            let error = says(Settings { perplexity_cap: Some(cap), ..Settings::default() });
            assert_eq!(error, format!("the setting perplexityCap is {cap}: choose 1 to 1000000000"));
        }
        let gamma = [0.25, f64::NAN, 0.25, 0.25];
        let error = says(Settings { gamma, ..Settings::default() });
        assert_eq!(error, "the setting gamma is NaN: choose -1000000000 to 1000000000");
        Settings { perplexity_cap: Some(1.0), gamma: [-1.0; 4], ..Settings::default() }.validate().unwrap();
        let error = Settings { random_passages: 0, ..Settings::default() }.validate().unwrap_err();
        assert_eq!(error.to_string(), "the setting randomPassages is 0: choose 1 to 100");
    }
}
