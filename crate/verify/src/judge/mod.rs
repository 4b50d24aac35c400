//! How a claim is judged by passages, wherever these are from.

pub(crate) mod answer_words;
pub(crate) mod certainty;
pub(crate) mod demonstrations;
mod judged_part;
mod marks;
pub(crate) mod methods;
mod opinion;
mod parts;
pub(crate) mod prompt;
pub(crate) mod published;
pub(crate) mod reading;
pub(crate) mod scale;
pub(crate) mod scores;
mod t5;
#[cfg(test)]
mod tests;
pub(crate) mod verdict;
pub(crate) mod workers;
pub(crate) mod writing;

use std::future::{Future, ready};
use std::ops::Range;
use std::sync::OnceLock;

use evident_index::Passage;
use evident_nn::{Calibration, Device, NnError, Pack, WarmUp};

use crate::error::VerifyError;
use crate::events::{Observer, Stage, VerifyEvent};
#[cfg(not(target_family = "wasm"))]
use crate::evidence::premises::with_title;
use crate::evidence::source::FoundPassage;
use crate::evidence::weigh::{Bearing, support, together};
use crate::judge::answer_words::AnswerWords;
use crate::judge::judged_part::JudgedPart;
use crate::judge::marks::{Marks, marks};
use crate::judge::parts::{decided, report};
use crate::judge::prompt::Prompt;
use crate::judge::published::{PublishedPrompt, PublishedVerifier};
use crate::judge::reading::{ReadPassage, read, read_parts};
use crate::judge::scale::{Answered, Scale, Thresholds};
use crate::judge::t5::{Asked, T5};
use crate::judge::verdict::Decision;
use crate::judge::workers::{Case, JudgedCase, Worker, Workers};
use crate::judge::writing::facts::written_facts;
use crate::judge::writing::restate::restate;
use crate::models::load::RoleError;
#[cfg(not(target_family = "wasm"))]
use crate::models::marks::MarksModel;
use crate::models::nli::NliModel;
use crate::models::role::Role;
use crate::report::{SentenceReport, UnjudgedSentence};
use crate::settings::{Method, Resolver, ScoreBy, Settings};
use crate::text::claim::{Claim, claim_of};
use crate::text::facts::{Fact, atomic_facts};
use crate::text::parts::fitting_parts;
use crate::text::risks::risks;
use crate::text::split::{context, split_text};

/// The models that judge, as far as they were added, and the calibration that turns their probabilities into verdicts.
pub struct Judge {
    nli: OnceLock<NliModel>,
    t5: OnceLock<T5>,
    #[cfg(not(target_family = "wasm"))]
    marks: OnceLock<MarksModel>,
    calibration: Calibration,
}

impl Judge {
    /// A judge without any model.
    #[must_use]
    pub fn new(calibration: Calibration) -> Self {
        Self {
            nli: OnceLock::new(),
            t5: OnceLock::new(),
            #[cfg(not(target_family = "wasm"))]
            marks: OnceLock::new(),
            calibration,
        }
    }

    /// A judge with the NLI model that a pack calls `model`, such as "nli", and its calibration.
    ///
    /// # Errors
    /// Those of [`Judge::load_nli`].
    pub async fn load(pack: &mut Pack, model: &str, device: &Device) -> Result<Self, RoleError> {
        let judge = Self::new(pack.manifest().calibration_of(model).clone());
        judge.load_nli(pack, model, device).await?;
        Ok(judge)
    }

    /// Loads the NLI model that a pack calls `model` and adds it, unless there is one. The judge must have been made
    /// with the calibration of this model.
    ///
    /// # Errors
    /// Those of [`NliModel::load`].
    pub async fn load_nli(&self, pack: &mut Pack, model: &str, device: &Device) -> Result<(), RoleError> {
        let called = format!("{}/{model}", pack.manifest().name());
        Role::Nli.fits(pack, model, &called)?;
        let model = NliModel::load(pack, model, &called, device).await?;
        self.nli.get_or_init(|| model);
        Ok(())
    }

    /// Loads the verifier that a pack calls `model` and adds it, unless there is one: a T5, or a model that was
    /// published as a verifier, of which the pack states the prompt. `of_judge` says whether the pack is the NLI
    /// model's, so that its calibration is for both. If it is not, the verifier has the calibration of its own pack,
    /// and the weight that combines it with the NLI model is not fitted.
    ///
    /// # Errors
    /// Those of [`Role::load`], [`RoleError::Prompt`] and [`RoleError::Architecture`] for a model that was trained on a
    /// prompt that is not known here, or not on this one, and [`RoleError::NoAnswerWords`] for one that cannot answer.
    pub async fn load_t5(
        &self,
        pack: &mut Pack,
        model: &str,
        of_judge: bool,
        device: &Device,
    ) -> Result<(), RoleError> {
        let called = format!("{}/{model}", pack.manifest().name());
        let own = (!of_judge).then(|| pack.manifest().calibration().clone());
        let stated = pack.manifest().prompt_of(model).filter(|&prompt| prompt != Prompt::NAME).map(str::to_owned);
        let asked = match stated {
            Some(name) => {
                let prompt = PublishedPrompt::named(&name).ok_or(RoleError::Prompt(name))?;
                Asked::Published(PublishedVerifier::load(prompt, pack, model, &called, device).await?)
            }
            None => {
                Role::Verifier.fits(pack, model, &called)?;
                let model = Box::new(pack.seq2seq(model, device).await?);
                let words = AnswerWords::new(model.tokenizer()).ok_or(RoleError::NoAnswerWords)?;
                Asked::ByWords { model, words }
            }
        };
        self.t5.get_or_init(|| T5 { asked, own });
        Ok(())
    }

    /// Loads the model that a pack calls `model` and has it mark statements in place of the NLI model, unless there is
    /// one that does.
    ///
    /// # Errors
    /// Those of [`Role::load`].
    #[cfg(not(target_family = "wasm"))]
    pub async fn load_marks(&self, pack: &mut Pack, model: &str, device: &Device) -> Result<(), RoleError> {
        let called = format!("{}/{model}", pack.manifest().name());
        Role::Marks.fits(pack, model, &called)?;
        let model = MarksModel::load(pack, model, &called, device).await?;
        self.marks.get_or_init(|| model);
        Ok(())
    }

    /// The NLI model.
    ///
    /// # Errors
    /// [`VerifyError::NoNli`] if there is none.
    pub fn nli(&self) -> Result<&NliModel, VerifyError> {
        self.nli.get().ok_or(VerifyError::NoNli)
    }

    /// Whether there is a verifier.
    #[must_use]
    pub fn has_verifier(&self) -> bool {
        self.t5.get().is_some()
    }

    /// Has the verifier, if there is one, read pairs for which its pack states the logits, to find out whether the
    /// device computes wrongly.
    ///
    /// # Errors
    /// Those of [`Seq2Seq::warm_up`](evident_nn::Seq2Seq::warm_up).
    pub async fn warm_up_verifier(&self, pairs: &[WarmUp]) -> Result<(), NnError> {
        match self.t5.get() {
            Some(t5) => t5.warm_up(pairs).await,
            None => Ok(()),
        }
    }

    /// Checks that there are the models that these settings ask.
    ///
    /// # Errors
    /// [`VerifyError::NoNli`] and [`VerifyError::NoVerifier`] if there is none, [`VerifyError::OnePrompt`] for a
    /// verifier that cannot be asked so.
    pub fn can(&self, settings: &Settings) -> Result<(), VerifyError> {
        if settings.asks_nli() {
            self.nli()?;
        }
        if settings.asks_verifier() {
            let t5 = self.t5()?;
            if settings.method != Method::Direct || settings.writes() {
                t5.writer()?;
            }
        }
        Ok(())
    }

    /// Judges one statement by given passages, best first, without a search. `text` is judged as it is, after the
    /// question and as many of the last sentences of `context`, what precedes it ("" for nothing), as the settings say.
    /// Given passages have no BM25 scores, so all count the same.
    ///
    /// # Errors
    /// [`VerifyError::Settings`], [`VerifyError::NoVerifier`] and [`VerifyError::QuestionTooLong`] before anything is
    /// computed; [`VerifyError::Cancelled`] if the observer cancels; and any error of the models.
    pub async fn assess(
        &self,
        text: &str,
        context: &str,
        question: Option<&str>,
        passages: Vec<Passage>,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<SentenceReport, VerifyError> {
        settings.validate()?;
        self.can(settings)?;
        let (claim, _) = self.claim_of(text, context, question, settings).await?;
        let hits = passages.into_iter().map(FoundPassage::of).collect();
        let risks = risks(&claim.statement, None);
        Ok(self.judge(Case { claim, hits, bm25_bound: None, risks }, settings, observer).await?.report)
    }

    /// `text` made to stand alone after its `context` and `question` by the settings' resolver, and the resolver that
    /// did it: rules if the model wrote nothing useful.
    ///
    /// # Errors
    /// Any error of the model.
    pub async fn stand_alone(
        &self,
        text: &str,
        context: &str,
        question: Option<&str>,
        settings: &Settings,
    ) -> Result<(String, Resolver), VerifyError> {
        let (claim, by) = self.claim_of(text, context, question, settings).await?;
        Ok((claim.statement, by))
    }

    /// The atomic facts of a statement, as the T5 writes them; `None` if it writes none that is about the statement,
    /// like a model that cannot write.
    ///
    /// # Errors
    /// [`VerifyError::NoVerifier`], and any error of the model.
    pub async fn atomic_facts(&self, statement: &str, settings: &Settings) -> Result<Option<Vec<String>>, VerifyError> {
        match self.t5()?.writer() {
            Ok(model) => written_facts(model, statement, settings.max_tokens).await,
            Err(_) => Ok(None),
        }
    }

    /// The claim of an answer's sentence `number`: a statement that stands alone by the settings' resolver, and its
    /// context.
    ///
    /// # Errors
    /// Any error of the model.
    pub(crate) async fn claim(
        &self,
        sentences: &[UnjudgedSentence],
        number: usize,
        question: Option<&str>,
        settings: &Settings,
    ) -> Result<Claim, VerifyError> {
        let (sentence, before) = (&sentences[number], &sentences[..number]);
        let UnjudgedSentence { span, text, statement, context, .. } = sentence;
        let statement = self.restated(text, question, before, settings).await?.unwrap_or_else(|| statement.clone());
        let (context, question) = (context.clone(), question.map(str::to_owned));
        Ok(Claim { number, span: *span, text: text.clone(), statement, context, question })
    }

    /// The claim of a statement given by itself, and the resolver that made it stand alone.
    ///
    /// # Errors
    /// [`VerifyError::QuestionTooLong`], and any error of the model.
    pub(crate) async fn claim_of(
        &self,
        text: &str,
        context: &str,
        question: Option<&str>,
        settings: &Settings,
    ) -> Result<(Claim, Resolver), VerifyError> {
        settings.take_question(question)?;
        let claim = claim_of(text, context, question, settings);
        let before = split_text(context, question, settings).sentences;
        Ok(match self.restated(text, question, &before, settings).await? {
            Some(statement) => (Claim { statement, ..claim }, Resolver::Model),
            None => (claim, Resolver::Rules),
        })
    }

    /// The statement as the T5 rewrites it after the question and all sentences `before` it; `None` if the settings do
    /// not ask for that, or if it wrote nothing useful.
    async fn restated(
        &self,
        text: &str,
        question: Option<&str>,
        before: &[UnjudgedSentence],
        settings: &Settings,
    ) -> Result<Option<String>, VerifyError> {
        if !settings.writes() {
            return Ok(None);
        }
        let context = context(question, before, usize::MAX);
        restate(self.t5()?.writer()?, &context, text, settings.max_tokens).await
    }

    /// The score and verdict of a statement or part by the passages that were read, and by the T5's answer, if there is
    /// one. `decisive` is the number of the passage that alone gave this answer, if one did.
    fn decide(
        &self,
        Fact { text, span }: Fact,
        passages: Vec<ReadPassage>,
        answered: Option<Answered>,
        decisive: Option<usize>,
        settings: &Settings,
    ) -> JudgedPart {
        let bearing = |(i, passage): (usize, &ReadPassage)| Some((i, passage.bearing(&text)?));
        let (numbers, said): (Vec<usize>, Vec<Bearing>) = passages.iter().enumerate().filter_map(bearing).unzip();
        let said = together(said);
        let scale = self.scale(settings);
        let score = scale.score(answered, support(&self.at_temperature(said.clone(), settings)));
        let decision = if settings.asks_nli() {
            let decided = decision(score, &said, scale.thresholds_of(&text).as_ref());
            Decision { deciding: decided.deciding.iter().map(|&number| numbers[number]).collect(), ..decided }
        } else {
            Decision::by_verifier(score, passages.len(), decisive, scale.thresholds_of(&text).as_ref())
        };
        JudgedPart { text, place: span, passages, score, decision }
    }

    /// The tokens of a claim's statement, each with the probability that none of the passages supports it; `None`
    /// without a model for that, or without passages.
    #[cfg(not(target_family = "wasm"))]
    async fn unsupported(
        &self,
        claim: &Claim,
        hits: &[FoundPassage],
    ) -> Result<Option<Vec<(Range<usize>, f64)>>, VerifyError> {
        let Some(model) = self.marks.get().filter(|_| !hits.is_empty()) else { return Ok(None) };
        let passages: Vec<String> =
            hits.iter().map(|FoundPassage { passage, .. }| with_title(&passage.title, &passage.text)).collect();
        model.unsupported(&passages, claim.question.as_deref(), &claim.statement).await.map(Some)
    }

    fn t5(&self) -> Result<&T5, VerifyError> {
        self.t5.get().ok_or(VerifyError::NoVerifier)
    }

    /// The scale of scores by these settings.
    pub(crate) fn scale(&self, settings: &Settings) -> Scale {
        let own = self.t5.get().and_then(|t5| t5.own.as_ref());
        Scale::of(settings, &self.calibration, own)
    }

    /// What the passages say, without the NLI model's temperature if the settings want no calibration. The premise of
    /// each is still the one that was chosen with it.
    fn at_temperature(&self, said: Vec<Bearing>, settings: &Settings) -> Vec<Bearing> {
        if settings.calibrate { said } else { self.without_temperature(said) }
    }

    fn without_temperature(&self, said: Vec<Bearing>) -> Vec<Bearing> {
        let temperature = self.calibration.nli.temperature;
        let sharpened = |bearing: Bearing| Bearing { nli: bearing.nli.sharpened(temperature), ..bearing };
        said.into_iter().map(sharpened).collect()
    }
}

/// The stretches of a statement, by their bytes. Each takes at most half of the NLI model's positions, which leaves the
/// other half to a premise. Most statements are one stretch.
fn stretches_for(nli: &NliModel, statement: &str) -> Result<Vec<Range<usize>>, VerifyError> {
    let model = nli.classifier();
    let most = model.max_tokens() / 2;
    let mut found = fitting_parts(statement, |part| Ok::<_, VerifyError>(model.pair_tokens("", part)? <= most))?;
    if found.is_empty() {
        found.push(0..statement.len()); // nothing but white space
    }
    Ok(found)
}

/// The facts that a statement is judged by beside the whole; none if it says one thing, or if the T5 alone scores, which
/// reads the whole.
fn facts_of(statement: &str, settings: &Settings) -> Vec<Fact> {
    let by_parts = settings.parts && settings.score_by != ScoreBy::Verifier;
    let facts = if by_parts { atomic_facts(statement) } else { Vec::new() };
    if facts.len() > 1 { facts } else { Vec::new() }
}

/// The verdict by a score and these thresholds.
fn decision(score: f64, said: &[Bearing], thresholds: Option<&Thresholds>) -> Decision {
    match thresholds {
        Some(thresholds) => Decision::of(score, said, thresholds),
        None => Decision::by_score(score, said),
    }
}

impl Worker for Judge {
    async fn judge(
        &self,
        case: Case,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<JudgedCase, VerifyError> {
        let Case { claim, hits, bm25_bound, risks } = case;
        let (sentence, statement) = (claim.number, claim.statement.as_str());
        let nli = if settings.asks_nli() { Some(self.nli()?) } else { None };
        if nli.is_some() {
            observer.observe(VerifyEvent::Stage { sentence, stage: Stage::Nli }.into()).await?;
        }
        let began = observer.now();
        let mut stretches = Vec::new();
        let places: Vec<Range<usize>> = match nli {
            Some(nli) => stretches_for(nli, statement)?,
            None => std::iter::once(0..statement.len()).collect(),
        };
        for place in places {
            let text = statement[place.clone()].to_owned();
            let passages = match nli {
                Some(nli) => read(nli, &hits, &text, settings).await?,
                None => hits.iter().cloned().map(ReadPassage::found).collect(),
            };
            stretches.push((Fact { text, span: place }, passages));
        }
        let facts = if stretches.len() == 1 { facts_of(statement, settings) } else { Vec::new() };
        let of_facts = match nli {
            Some(nli) => read_parts(nli, &stretches[0].1, &facts).await?,
            None => Vec::new(),
        };
        let nli_ms = observer.now() - began;

        let (t5, verify_ms) = match settings.score_by {
            ScoreBy::Nli => (None, 0.0),
            ScoreBy::Verifier | ScoreBy::Both => {
                observer.observe(VerifyEvent::Stage { sentence, stage: Stage::Verify }.into()).await?;
                let began = observer.now();
                let asked = self.t5()?.ask(&stretches[0].1, &claim, settings).await?;
                (Some(asked), observer.now() - began)
            }
        };

        let answered = t5.as_ref().map(|t5| Answered { p: t5.answer.p, silent: t5.is_silent() });
        let decisive = t5.as_ref().and_then(|t5| t5.decisive);
        let decide = |(part, passages)| self.decide(part, passages, answered, decisive, settings);
        let stretches: Vec<JudgedPart> = stretches.into_iter().map(decide).collect();
        let by_nli = Settings { score_by: ScoreBy::Nli, ..settings.clone() }; // the T5 judged only the whole
        let decide = |(fact, passages)| self.decide(fact, passages, None, None, &by_nli);
        let facts: Vec<JudgedPart> = facts.into_iter().zip(of_facts).map(decide).collect();
        let (judged, parts) = decided(stretches, facts);

        let began = observer.now();
        #[cfg(target_family = "wasm")]
        let unsupported = None;
        #[cfg(not(target_family = "wasm"))]
        let unsupported = self
            .unsupported(&claim, &hits[..hits.len().min(settings.read)])
            .await?
            .map(|tokens| Marks::of_unsupported(statement, &tokens, &judged));
        let marks = match (unsupported, nli) {
            (Some(marks), _) => marks,
            (None, Some(nli)) => marks(nli, statement, &judged).await?,
            (None, None) => Marks::default(),
        };
        let nli_ms = nli_ms + observer.now() - began;
        Ok(JudgedCase { report: report(claim, judged, &parts, marks, t5, bm25_bound, risks), nli_ms, verify_ms })
    }
}

/// A judge is one worker. It is never used twice at the same time: a verification judges at most [`Workers::limit`]
/// sentences at once.
impl Workers for Judge {
    type Worker<'a> = &'a Self;

    fn limit(&self) -> usize {
        1
    }

    fn next(&self) -> impl Future<Output = &Self> {
        ready(self)
    }
}
