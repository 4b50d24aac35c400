//! Verifiers that were published with a prompt of their own: each reads one document and a claim.

use evident_nn::{Classifier, Device, NnError, Pack, Seq2Seq, Tokenizer, WarmUp};

use crate::error::{VerifyError, WrongModel};
use crate::judge::answer_words::masses;
use crate::judge::prompt::longest;
use crate::models::load::RoleError;
use crate::models::relevance::normalised;

/// A published prompt.
pub(super) struct PublishedPrompt {
    /// What a pack, or `--models verifier=NAME:DIR`, calls it.
    pub name: &'static str,
    /// `model_type` in the config.json of the models that were trained on it: one of these.
    architectures: &'static [&'static str],
    /// The text, in which `{document}` and `{claim}` stand for what is read. `</s>` is the token between two texts.
    text: &'static str,
    /// Where the answer stands.
    answer: PublishedAnswer,
    /// The most tokens that the published code reads.
    max_tokens: usize,
}

/// Where a model says whether the document supports the claim.
#[derive(Clone, Copy)]
enum PublishedAnswer {
    /// In the first token that it writes: one of these two.
    Token { no: u32, yes: u32 },
    /// In its second class of two.
    Class,
}

/// The prompts that are known here.
const PROMPTS: [PublishedPrompt; 3] = [
    // Tang et al. 2024, "MiniCheck": lytang/MiniCheck-Flan-T5-Large, by minicheck/inference.py of Liyan06/MiniCheck.
    PublishedPrompt {
        name: "minicheck",
        architectures: &["t5"],
        text: "predict: {document}</s>{claim}",
        answer: PublishedAnswer::Token { no: 3, yes: 209 },
        max_tokens: 2048,
    },
    // Lei et al. 2025, "FactCG": yaxili96/FactCG-DeBERTa-v3-Large, by factcg/utils.py and inference.py of
    // derenlei/FactCG.
    PublishedPrompt {
        name: "factcg",
        architectures: &["deberta-v2"],
        text: "{document}\n\nChoose your answer: based on the paragraph above can we conclude that \"{claim}\"?\n\n\
               OPTIONS:\n- Yes\n- No\nI think the answer is ",
        answer: PublishedAnswer::Class,
        max_tokens: 2048,
    },
    // HHEM-2.1-Open: vectara/hallucination_evaluation_model, by its configuration_hhem_v2.py and modeling_hhem_v2.py.
    // The "<pad> " that begins the published text is a token, which the model puts there itself.
    PublishedPrompt {
        name: "hhem",
        architectures: &["HHEMv2", "HHEMv2Config"],
        text: "Determine if the hypothesis is true given the premise?\n\nPremise: {document}\n\nHypothesis: {claim}",
        answer: PublishedAnswer::Class,
        max_tokens: 2048,
    },
];

/// The names of the prompts that published verifiers have of their own.
pub fn published_prompts() -> impl Iterator<Item = &'static str> {
    PROMPTS.iter().map(|prompt| prompt.name)
}

impl PublishedPrompt {
    /// The prompt of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PROMPTS.iter().find(|prompt| prompt.name == name)
    }

    /// What the model reads: one text, or two.
    fn fill(&self, document: &str, claim: &str) -> (String, Option<String>) {
        // The template is split at {document} before {claim} is replaced, so a placeholder inside either text is not
        // replaced.
        let fill = |text: &str| {
            let parts = text.split("{document}").map(|part| part.replace("{claim}", claim));
            parts.collect::<Vec<_>>().join(document)
        };
        match self.text.split_once("</s>") {
            Some((first, second)) => (fill(first), Some(fill(second))),
            None => (fill(self.text), None),
        }
    }
}

/// A model with its prompt.
pub(super) struct PublishedVerifier {
    prompt: &'static PublishedPrompt,
    model: PublishedModel,
}

enum PublishedModel {
    Writes { model: Box<Seq2Seq>, no: u32, yes: u32 },
    Sorts(Classifier),
}

/// What a verifier says of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Support {
    /// The probability that it supports the claim.
    pub p: f64,
    /// The bytes of the claim that the model had room for.
    pub room: usize,
}

impl PublishedVerifier {
    /// Loads the model that a pack calls `model`; errors call it `called`.
    ///
    /// # Errors
    /// [`RoleError::Architecture`] for a model that was not trained on this prompt, [`RoleError::Wrong`] and
    /// [`RoleError::NoAnswerWords`] for one that cannot answer, and [`RoleError::Pack`].
    pub async fn load(
        prompt: &'static PublishedPrompt,
        pack: &mut Pack,
        model: &str,
        called: &str,
        device: &Device,
    ) -> Result<Self, RoleError> {
        let found = pack.model(model)?.architecture;
        if !prompt.architectures.contains(&found.as_str()) {
            let (prompt, wanted) = (prompt.name, prompt.architectures[0]);
            return Err(RoleError::Architecture { model: called.to_owned(), found, prompt, wanted });
        }
        let model = match prompt.answer {
            PublishedAnswer::Token { no, yes } => {
                let model = pack.seq2seq(model, device).await?;
                if no.max(yes) as usize >= model.vocabulary() {
                    return Err(RoleError::NoAnswerWords);
                }
                PublishedModel::Writes { model: model.into(), no, yes }
            }
            PublishedAnswer::Class => {
                let model = pack.classifier(model, device).await?;
                if model.labels().len() != 2 {
                    let wanted =
                        "a verifier: choose one with two labels, of which the second says that it is supported";
                    return Err(WrongModel { model: called.to_owned(), labels: model.labels().to_vec(), wanted }.into());
                }
                PublishedModel::Sorts(model)
            }
        };
        Ok(Self { prompt, model })
    }

    /// How far a document supports a claim. What has no room in `max_tokens` tokens is left out: the end of the
    /// document, and once nothing of it is left, that of the claim.
    ///
    /// # Errors
    /// [`VerifyError::NotFinite`], and any error of the model.
    pub async fn support(&self, document: &str, claim: &str, max_tokens: usize) -> Result<Support, VerifyError> {
        let most = max_tokens.min(self.prompt.max_tokens);
        let fits = |document: &str, claim: &str| Ok::<_, VerifyError>(self.count(document, claim)? <= most);
        let read = longest(document.len(), |bytes| fits(start(document, bytes), claim))?;
        let document = start(document, read);
        let room = longest(claim.len(), |bytes| fits(document, start(claim, bytes)))?;
        let (first, second) = self.prompt.fill(document, start(claim, room));
        let p = match &self.model {
            PublishedModel::Writes { model, no, yes } => {
                let logits = model.first_logits(&first, &second.unwrap_or_default(), most).await?;
                let [no, yes] = masses(&logits, [&[*no], &[*yes]]);
                Some(yes / (no + yes)).filter(|p| p.is_finite())
            }
            PublishedModel::Sorts(model) => {
                let logits = model.text_logits_within(&[&first], most).await?;
                normalised(logits.first().map_or(&[], Vec::as_slice))
            }
        };
        Ok(Support { p: p.ok_or(VerifyError::NotFinite { model: "verifier" })?, room })
    }

    /// Reads pairs with known logits, to find out whether the device computes wrongly.
    ///
    /// # Errors
    /// Those of [`Seq2Seq::warm_up`].
    pub async fn warm_up(&self, pairs: &[WarmUp]) -> Result<(), NnError> {
        match &self.model {
            PublishedModel::Writes { model, .. } => model.warm_up(pairs).await,
            PublishedModel::Sorts(model) => model.warm_up(pairs).await,
        }
    }

    /// The tokens of document and claim in the prompt.
    fn count(&self, document: &str, claim: &str) -> Result<usize, VerifyError> {
        let tokenizer = self.tokenizer();
        Ok(match self.prompt.fill(document, claim) {
            (first, Some(second)) => tokenizer.count_pair(&first, &second)?,
            (text, None) => tokenizer.count(&text)?,
        })
    }

    fn tokenizer(&self) -> &Tokenizer {
        match &self.model {
            PublishedModel::Writes { model, .. } => model.tokenizer(),
            PublishedModel::Sorts(model) => model.tokenizer(),
        }
    }
}

/// The first bytes of a text, in whole characters.
fn start(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_filled_once_whatever_its_texts_spell() {
        let fill = |name: &str| PublishedPrompt::named(name).unwrap().fill("It {claim} {document}.", "so {document}");
        assert_eq!(fill("minicheck"), ("predict: It {claim} {document}.".into(), Some("so {document}".into())));
        assert_eq!(
            fill("factcg").0,
            "It {claim} {document}.\n\nChoose your answer: based on the paragraph above can we conclude that \
             \"so {document}\"?\n\nOPTIONS:\n- Yes\n- No\nI think the answer is "
        );
        assert_eq!(
            fill("hhem").0,
            "Determine if the hypothesis is true given the premise?\n\nPremise: It {claim} {document}.\n\n\
             Hypothesis: so {document}"
        );
        assert!(PublishedPrompt::named("guan2024").is_none());
    }
}
