//! What a caller can choose about a verification, and the two presets.

use evident_index::Limits;
use serde::{Deserialize, Serialize};

use crate::error::VerifyError;

/// A starting point for [`Settings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Preset {
    /// What measured best with the embedded models.
    #[default]
    Recommended,
    /// As in guan2024 and chen2023.
    ///
    /// Everything before a statement is its context, the prompt has ten whole passages without titles, the T5's p is
    /// the score, and 0.5 separates the verdicts.
    Paper,
}

/// The unit of an answer that is judged at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Unit {
    /// Each sentence.
    ///
    /// By itself: the better way by guan2024's Tab. 7.
    Sentence,
    /// All of the answer.
    Paragraph,
}

/// What makes a statement stand alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Resolver {
    /// Rules for pronouns and for lead-ins of list items.
    Rules,
    /// The T5, with the prompt of guan2024's Tab. 24; rules if what it writes is useless. It needs a model that can
    /// write text, such as FLAN-T5; the embedded one cannot.
    Model,
}

/// How far the index is searched for each statement; in JSON a number of bytes, or `"exact"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", expecting = "search is a number of bytes or \"exact\"")]
pub enum Search {
    /// Until the passages are proved to be the best.
    Exact,
    /// Until this many bytes are read, 1,000 to 1,000,000,000. There are two round trips, and one more for each
    /// doubling from 100,000 bytes to this limit. The report says if a better passage may be missing.
    #[serde(untagged)]
    Within(usize),
}

/// Which of several sources of evidence are asked about a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Consult {
    /// One after the other, until there is a verdict.
    ///
    /// A later source costs nothing, and learns nothing, where those before it settle the statement.
    UntilSettled,
    /// All at once.
    All,
}

/// The models that the score comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ScoreBy {
    /// The NLI model.
    ///
    /// No T5 is loaded or run.
    Nli,
    /// The T5 (guan2024).
    ///
    /// Its p alone (Sec. 4.2), calibrated unless the preset is paper. No NLI model is loaded or run, unless the windows
    /// of passages are to be chosen by it.
    Verifier,
    /// Both, by the pack's weight.
    ///
    /// Half and half if it has none for the two.
    Both,
}

/// Which evidence goes into the T5's prompt. More is not always better (guan2024, conclusion III).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Facts {
    /// The passages that BM25 ranks highest, whole.
    Passages,
    /// The window of each passage that decides most by NLI, the most decisive first.
    Windows,
}

/// How the T5 is asked (guan2024, Sec. 4.2 and App. C.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Method {
    /// The direct question: A or B (guan2024, Tab. 4).
    ///
    /// The simplest, and the best of the three by the paper's Tab. 21.
    #[default]
    Direct,
    /// A chain of thought: reasons, and then Yes or No (Tab. 20).
    ChainOfThought,
    /// A rating of 1 to 5 (Tab. 20).
    ///
    /// Rescaled to 0 to 1.
    Likert,
    /// Fusion in the decoder: the encoder reads each passage by itself (guan2024, Sec. 4.3, FiD).
    ///
    /// Only for a T5 that was trained so.
    Fid,
}

/// The wording of the direct question at the end of the prompt (guan2024, Tab. 4 and App. C.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Wording {
    /// "Based on the given facts, is the statement correct?" (Tab. 4)
    Correct,
    /// "Is the statement entailed by the given facts?"
    Entailed,
    /// "Based on the given facts, judge whether the statement is factually correct."
    Judge,
    /// "Can the given facts support the statement?"
    Support,
}

/// A judged statement that a prompt shows before the one to judge (guan2024, Sec. 5.2 and Tab. 20).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Demonstration {
    /// Its evidence.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<Vec<String>>"))]
    pub facts: Vec<String>,
    /// What precedes the statement; "" for nothing.
    #[serde(default)]
    #[cfg_attr(feature = "types", ts(optional, as = "Option<String>"))]
    pub context: String,
    /// The statement.
    pub statement: String,
    /// Whether it is factual.
    pub factual: bool,
    /// The reasons, for a chain of thought. The prompt adds the conclusion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
}

/// The settings of one verification. A caller may leave out any; the preset fills it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", from = "SettingsPatch")]
pub struct Settings {
    /// The preset that fills in the fields that were not chosen.
    pub preset: Preset,
    /// Whether sentences that are no claims are left out.
    pub claims_only: bool,
    /// Whether statements are made to stand alone before they are judged: names replace pronouns (guan2024, Sec. 5.3).
    pub decontextualise: bool,
    /// What makes them stand alone.
    pub resolver: Resolver,
    /// The unit of an answer that is judged at once.
    pub unit: Unit,
    /// The number of passages retrieved for each sentence, 0 to 100; 0 judges without evidence.
    pub evidence: usize,
    /// Which sources they are retrieved from, where there are several.
    pub consult: Consult,
    /// How far the index is searched for them.
    pub search: Search,
    /// The most preceding sentences that go with a statement; 0 for none. If there are any, the question goes first.
    pub context: usize,
    /// How often the statement is repeated in its query, 1 to 10, so that its words weigh more than those of its
    /// context. Without a context it stands there once.
    pub statement_weight: usize,
    /// The models that the score comes from.
    pub score_by: ScoreBy,
    /// Whether scores and verdicts use the pack's calibration: its temperatures, bias and thresholds. Without it the
    /// T5's p is its score, and 0.5 separates factual from unfactual (guan2024, Sec. 4.2 and 4.3). With `hard`, or with
    /// another method than direct, p is never calibrated, because the calibration was not fitted on it.
    pub calibrate: bool,
    /// The number of passages that NLI reads, best first, 1 to 100. The others are reported unread.
    pub read: usize,
    /// The number of sentences in each premise that NLI reads, 0 to 100; 0 for the whole passage.
    pub window: usize,
    /// The number of premises that NLI reads of each passage, 1 to 100: those that share most words with the statement.
    pub windows: usize,
    /// Whether a compound statement is judged by its parts too, each beside the premise that fits it best.
    pub parts: bool,
    /// Which evidence goes into the prompt. With `scoreBy` "verifier" it is "passages" unless it is chosen, so that no
    /// NLI model is fetched, loaded or run.
    pub facts: Facts,
    /// Whether each piece of evidence in the prompt stands after its title.
    pub titles: bool,
    /// The most pieces of evidence in the prompt, 0 to 100.
    pub max_facts: usize,
    /// How the T5 is asked.
    pub method: Method,
    /// The wording of the direct question.
    pub wording: Wording,
    /// Whether the direct question is asked in all four wordings; p is their mean (guan2024, Sec. 5.2).
    pub every_wording: bool,
    /// Whether p is 1 or 0 by the T5's answer (guan2024, Tab. 18), in place of its probability.
    pub hard: bool,
    /// Judged statements to show first (guan2024, Sec. 5.2), at most 20. A chain of thought without any shows the
    /// paper's two.
    pub demonstrations: Vec<Demonstration>,
    /// The most tokens in the prompt, 64 to 4,000.
    pub max_tokens: usize,
    /// The most decoding steps before an answer word must come, 1 to 1,000. A chain of thought has 256 if none are
    /// chosen.
    pub max_steps: usize,
    /// The most characters in the answer, and in the question, 1 to 1,000,000.
    pub max_characters: usize,
}

/// More preceding sentences than any answer has.
const ALL: usize = 1_000_000;

/// The decoding steps of a chain of thought: enough for reasons and a conclusion.
const REASONING_STEPS: usize = 256;

impl Search {
    /// The bytes and round trips that one query may take.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self {
            Self::Within(bytes) => Limits::within(bytes as u64),
            Self::Exact => Limits::default(),
        }
    }

    /// # Errors
    /// [`VerifyError::Settings`] if the number of bytes is out of its range.
    pub(crate) fn validate(self) -> Result<(), VerifyError> {
        let (least, most) = (1_000, 1_000_000_000);
        match self {
            Self::Within(value) if !(least..=most).contains(&value) => {
                Err(VerifyError::Settings { field: "search", value, least, most })
            }
            _ => Ok(()),
        }
    }
}

impl Default for Search {
    /// [`Limits::WEB`]: the cost of a statement does not grow with the index.
    fn default() -> Self {
        Self::Within(200_000)
    }
}

impl Wording {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Correct, Self::Entailed, Self::Judge, Self::Support];
}

impl Settings {
    /// The settings of a preset. In JSON they fill in what is left out:
    ///
    /// ```
    /// use evident_verify::{Preset, Settings};
    ///
    /// let settings: Settings = serde_json::from_str(r#"{ "preset": "paper", "evidence": 5 }"#)?;
    /// assert_eq!(settings, Settings { evidence: 5, ..Settings::preset(Preset::Paper) });
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let recommended = Self {
            preset,
            claims_only: true,
            decontextualise: true,
            resolver: Resolver::Rules,
            unit: Unit::Sentence,
            evidence: 10, // guan2024, Sec. 4.3
            consult: Consult::UntilSettled,
            search: Search::default(),
            context: 2,
            statement_weight: 2, // at 1, a context about something else drowned one statement in six
            score_by: ScoreBy::Nli,
            calibrate: true,
            read: 3,
            window: 0,
            windows: 1,
            parts: true,
            facts: Facts::Windows,
            titles: true,
            max_facts: 3,
            method: Method::Direct,
            wording: Wording::Correct,
            every_wording: false,
            hard: false,
            demonstrations: Vec::new(),
            max_tokens: 4000, // guan2024, Sec. 4.3
            max_steps: 8,
            max_characters: 20_000,
        };
        match preset {
            Preset::Recommended => recommended,
            Preset::Paper => Self {
                claims_only: false,
                decontextualise: false,
                search: Search::Exact,
                context: ALL,
                statement_weight: 1,
                score_by: ScoreBy::Verifier,
                calibrate: false,
                read: 100,
                parts: false,
                facts: Facts::Passages,
                titles: false,
                max_facts: 10,
                ..recommended
            },
        }
    }

    /// Whether a sentence that speaks of something unnamed is left out. It is kept if a model makes the statements, if
    /// sentences are read together, or if everything is judged.
    pub(crate) fn needs_names(&self) -> bool {
        self.claims_only && self.unit == Unit::Sentence && self.resolver == Resolver::Rules
    }

    /// Whether the T5 is needed, to score or to make statements stand alone.
    #[must_use]
    pub fn asks_verifier(&self) -> bool {
        self.score_by != ScoreBy::Nli || self.resolver == Resolver::Model
    }

    /// Whether the NLI model is needed: to score, or to choose the evidence that the T5 is shown. Where it is not, it
    /// reads no passage and marks no word as wrong.
    #[must_use]
    pub fn asks_nli(&self) -> bool {
        self.score_by != ScoreBy::Verifier || self.facts == Facts::Windows
    }

    /// Whether the T5 is asked to write statements that stand alone.
    pub(crate) fn writes(&self) -> bool {
        self.decontextualise && self.resolver == Resolver::Model
    }

    /// Checks that the question, if there is one, is not longer than the settings allow.
    ///
    /// # Errors
    /// [`VerifyError::QuestionTooLong`].
    pub(crate) fn take_question(&self, question: Option<&str>) -> Result<(), VerifyError> {
        let (characters, most) = (question.map_or(0, |question| question.chars().count()), self.max_characters);
        if characters > most { Err(VerifyError::QuestionTooLong { characters, most }) } else { Ok(()) }
    }

    /// Checks that every field is in its range, and that no two contradict each other.
    ///
    /// # Errors
    /// [`VerifyError::Settings`] for the first field out of its range, else [`VerifyError::Together`].
    pub fn validate(&self) -> Result<(), VerifyError> {
        let ranges = [
            ("evidence", self.evidence, 0..=100),
            ("context", self.context, 0..=ALL),
            ("statementWeight", self.statement_weight, 1..=10),
            ("read", self.read, 1..=100),
            ("window", self.window, 0..=100),
            ("windows", self.windows, 1..=100),
            ("maxFacts", self.max_facts, 0..=100),
            ("maxTokens", self.max_tokens, 64..=4000),
            ("maxSteps", self.max_steps, 1..=1000),
            ("demonstrations", self.demonstrations.len(), 0..=20),
            ("maxCharacters", self.max_characters, 1..=1_000_000),
        ];
        if let Some((field, value, range)) = ranges.into_iter().find(|(_, value, range)| !range.contains(value)) {
            return Err(VerifyError::Settings { field, value, least: *range.start(), most: *range.end() });
        }
        self.search.validate()?;
        let direct = self.method == Method::Direct;
        let without_reasons = self.demonstrations.iter().any(|shown| shown.rationale.is_none());
        let asked = !direct || self.every_wording || self.hard || !self.demonstrations.is_empty();
        let contradictions = [
            (
                asked && self.score_by == ScoreBy::Nli,
                "method, everyWording, hard and demonstrations are for the T5: set scoreBy to verifier or both",
            ),
            (self.every_wording && !direct, "everyWording is for the method direct: the others have no wordings"),
            (
                matches!(self.method, Method::Likert | Method::Fid) && !self.demonstrations.is_empty(),
                "the methods likert and fid have no demonstrations: leave them out, or choose another",
            ),
            (
                self.method == Method::ChainOfThought && without_reasons,
                "the method chainOfThought needs a rationale in each of the demonstrations",
            ),
            (
                self.resolver == Resolver::Model && !self.decontextualise,
                "the resolver model has nothing to do while decontextualise is false",
            ),
        ];
        match contradictions.into_iter().find(|(wrong, _)| *wrong) {
            Some((_, why)) => Err(VerifyError::Together { why }),
            None => Ok(()),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::preset(Preset::default())
    }
}

/// [`SettingsPatch`] of these fields: each is optional, and replaces that of a preset if it was chosen.
macro_rules! settings_patch {
    ($($field:ident: $type:ty),+ $(,)?) => {
        /// [`Settings`] as a caller writes them: only the fields that were chosen.
        #[derive(Default, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "camelCase")]
        struct SettingsPatch {
            preset: Preset,
            $($field: Option<$type>,)+
        }

        impl SettingsPatch {
            /// The settings with the chosen fields in place of their own.
            fn apply(self, mut settings: Settings) -> Settings {
                $(if let Some(chosen) = self.$field {
                    settings.$field = chosen;
                })+
                settings
            }
        }
    };
}

settings_patch! {
    claims_only: bool,
    decontextualise: bool,
    resolver: Resolver,
    unit: Unit,
    evidence: usize,
    consult: Consult,
    search: Search,
    context: usize,
    statement_weight: usize,
    score_by: ScoreBy,
    calibrate: bool,
    read: usize,
    window: usize,
    windows: usize,
    parts: bool,
    facts: Facts,
    titles: bool,
    max_facts: usize,
    method: Method,
    wording: Wording,
    every_wording: bool,
    hard: bool,
    demonstrations: Vec<Demonstration>,
    max_tokens: usize,
    max_steps: usize,
    max_characters: usize,
}

impl From<SettingsPatch> for Settings {
    fn from(patch: SettingsPatch) -> Self {
        let mut settings = Self::preset(patch.preset);
        match patch.method {
            Some(Method::ChainOfThought) => settings.max_steps = REASONING_STEPS,
            // What Izacard and Grave (2021) read apart: ten whole passages with their titles.
            Some(Method::Fid) => settings = Self { facts: Facts::Passages, titles: true, max_facts: 10, ..settings },
            _ => {}
        }
        if patch.score_by == Some(ScoreBy::Verifier) {
            settings.facts = Facts::Passages;
        }
        patch.apply(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Settings, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn no_choice_is_the_recommended_preset() {
        assert_eq!(read("{}").unwrap(), Settings::default());
        Settings::default().validate().unwrap();
        Settings::preset(Preset::Paper).validate().unwrap();
    }

    #[test]
    fn the_preset_fills_in_what_is_not_chosen() {
        let settings = read(r#"{ "preset": "paper", "maxFacts": 4 }"#).unwrap();
        assert_eq!(settings, Settings { max_facts: 4, ..Settings::preset(Preset::Paper) });
    }

    #[test]
    fn settings_survive_json() {
        let settings = Settings { wording: Wording::Judge, ..Settings::preset(Preset::Paper) };
        assert_eq!(read(&serde_json::to_string(&settings).unwrap()).unwrap(), settings);
    }

    #[test]
    fn the_guide_has_each_setting_as_both_presets_have_it() {
        let [recommended, paper] =
            [Preset::Recommended, Preset::Paper].map(|preset| serde_json::json!(Settings::preset(preset)));
        for (name, value) in recommended.as_object().unwrap() {
            let row = format!("\n| `{name}` | {value} | {} | ", paper[name]);
            assert!(include_str!("../REPORT.md").contains(&row), "{row}");
        }
    }

    #[test]
    fn an_unknown_field_is_refused_by_name() {
        assert!(read(r#"{ "evidenec": 5 }"#).unwrap_err().to_string().contains("evidenec"));
        assert!(read(r#"{ "facts": "all" }"#).is_err());
    }

    #[test]
    fn a_value_out_of_range_is_refused_by_name() {
        let error = Settings { evidence: 101, ..Settings::default() }.validate().unwrap_err();
        assert_eq!(error.code(), "bad-settings");
        assert_eq!(error.to_string(), "the setting evidence is 101: choose 0 to 100");
    }

    #[test]
    fn the_index_is_searched_within_some_bytes_or_to_the_end() {
        assert_eq!(Settings::default().search.limits(), Limits::WEB);
        assert_eq!(read(r#"{ "search": "exact" }"#).unwrap().search.limits(), Limits::default());
        let within = read(r#"{ "preset": "paper", "search": 1000000 }"#).unwrap();
        assert_eq!(within.search.limits(), Limits { bytes: 1_000_000, trips: 5 });
        assert_eq!(read(&serde_json::to_string(&within).unwrap()).unwrap(), within);
        let error = read(r#"{ "search": 999 }"#).unwrap().validate().unwrap_err();
        assert_eq!(error.to_string(), "the setting search is 999: choose 1000 to 1000000000");
        for wrong in [r#""all""#, "-1", "1.5", "{}"] {
            let error = read(&format!(r#"{{ "search": {wrong} }}"#)).unwrap_err();
            assert!(error.to_string().contains("a number of bytes or \"exact\""), "{error}");
        }
    }

    #[test]
    fn a_chain_of_thought_has_room_to_reason() {
        assert_eq!(read(r#"{ "method": "chainOfThought" }"#).unwrap().max_steps, REASONING_STEPS);
        assert_eq!(read(r#"{ "method": "chainOfThought", "maxSteps": 9 }"#).unwrap().max_steps, 9);
        assert_eq!(read(r#"{ "method": "likert" }"#).unwrap().max_steps, Settings::default().max_steps);
    }

    #[test]
    fn fusion_in_the_decoder_reads_ten_passages_with_their_titles() {
        let read = |json: &str| {
            let Settings { facts, titles, max_facts, .. } = read(json).unwrap();
            (facts, titles, max_facts)
        };
        assert_eq!(read(r#"{ "method": "fid" }"#), (Facts::Passages, true, 10));
        assert_eq!(read(r#"{ "method": "fid", "preset": "paper" }"#), (Facts::Passages, true, 10));
        assert_eq!(read(r#"{ "method": "fid", "maxFacts": 5, "titles": false }"#), (Facts::Passages, false, 5));
    }

    #[test]
    fn the_verifier_alone_needs_no_nli_model_unless_that_chooses_its_windows() {
        let asks = |json: &str| read(json).unwrap().asks_nli();
        assert!(asks("{}") && asks(r#"{ "scoreBy": "both" }"#) && asks(r#"{ "facts": "passages" }"#));
        assert!(!asks(r#"{ "scoreBy": "verifier" }"#) && !asks(r#"{ "preset": "paper" }"#));
        assert!(asks(r#"{ "scoreBy": "verifier", "facts": "windows" }"#));
    }

    #[test]
    fn what_does_not_go_together_is_refused_and_says_why() {
        for (json, says) in [
            (
                r#"{ "scoreBy": "both", "method": "likert", "everyWording": true }"#,
                "everyWording is for the method direct",
            ),
            (
                r#"{ "scoreBy": "both", "method": "likert", "demonstrations": [{"statement": "s", "factual": true}] }"#,
                "no demonstrations",
            ),
            (r#"{ "method": "likert" }"#, "set scoreBy to verifier or both"),
            (
                r#"{ "preset": "paper", "method": "chainOfThought", "demonstrations": [{"statement": "s", "factual": true}] }"#,
                "needs a rationale",
            ),
            (r#"{ "preset": "paper", "resolver": "model" }"#, "decontextualise is false"),
        ] {
            let error = read(json).unwrap().validate().unwrap_err();
            assert_eq!(error.code(), "bad-settings");
            assert!(error.to_string().contains(says), "{error}");
        }
        read(r#"{ "scoreBy": "both", "demonstrations": [{"statement": "s", "factual": true}], "everyWording": true }"#)
            .unwrap()
            .validate()
            .unwrap();
    }
}
