//! Which words of a statement no passage supports, by a classifier of tokens: LettuceDetect (Kovács and Recski 2025,
//! "LettuceDetect: A Hallucination Detection Framework for RAG Applications") and its smaller TinyLettuce.

use std::ops::Range;

use evident_nn::TokenClassifier;

use crate::error::{VerifyError, WrongModel};
use crate::models::relevance::normalised;

/// The most tokens that LettuceDetect was trained on and reads (`max_length` of its `TransformerDetector`).
const MOST_TOKENS: usize = 4096;

/// A classifier of tokens with two labels: supported, and not. Clones are the same model.
#[derive(Clone)]
pub struct MarksModel {
    classifier: TokenClassifier,
}

impl MarksModel {
    /// The model of this classifier. Published ones call their labels otherwise or not at all, so it is the second that
    /// says "not supported".
    ///
    /// # Errors
    /// [`WrongModel`], which calls the model `name`, for a classifier with other than two labels.
    pub fn new(name: &str, classifier: TokenClassifier) -> Result<Self, WrongModel> {
        let wanted = "a model that marks words: choose one with two labels, supported and not";
        match classifier.labels() {
            [_, _] => Ok(Self { classifier }),
            labels => Err(WrongModel { model: name.into(), labels: labels.to_vec(), wanted }),
        }
    }

    /// For each token of a statement its bytes and the probability that none of the passages supports it. As many
    /// passages are read, from the first on, as there is room for; the first may lose its end.
    ///
    /// # Errors
    /// [`VerifyError::NotFinite`], and any error of the model.
    pub(crate) async fn unsupported(
        &self,
        passages: &[String],
        question: Option<&str>,
        statement: &str,
    ) -> Result<Vec<(Range<usize>, f64)>, VerifyError> {
        let most = self.classifier.max_tokens().min(MOST_TOKENS);
        let mut count = passages.len();
        while count > 1 && self.classifier.pair_tokens(&prompt(&passages[..count], question), statement)? > most {
            count -= 1;
        }
        let tokens = self.classifier.logits(&prompt(&passages[..count], question), statement).await?;
        let marks = tokens.into_iter().map(|(token, logits)| Some((token, normalised(&logits)?)));
        marks.collect::<Option<_>>().ok_or(VerifyError::NotFinite { model: "marks" })
    }
}

/// What LettuceDetect reads before an answer: the question and the passages as its `PromptUtils.format_context` writes
/// them, by `qa_prompt_en.txt`, or by `summary_prompt_en.txt` without a question (github.com/KRLabsOrg/LettuceDetect).
/// They are RAGTruth's prompts (Niu et al. 2024), on which it was trained.
fn prompt(passages: &[String], question: Option<&str>) -> String {
    let numbered = passages.iter().zip(1..).map(|(passage, number)| format!("passage {number}: {passage}"));
    let context = numbered.collect::<Vec<_>>().join("\n");
    match question.map(str::trim).filter(|question| !question.is_empty()) {
        Some(question) => format!(
            "Briefly answer the following question:\n{question}\nBear in mind that your response should be strictly \
             based on the following {} passages:\n{context}\nIn case the passages do not contain the necessary \
             information to answer the question, please reply with: \"Unable to answer based on given \
             passages.\"\noutput:",
            passages.len()
        ),
        None => format!("Summarize the following text:\n{context}\noutput:"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by `PromptUtils.format_context` of lettucedetect.
    #[test]
    fn prompts_are_those_of_lettucedetect() {
        let passages = ["Iron. It rusts.".to_owned(), "Tin.".to_owned()];
        let with_question = "Briefly answer the following question:\nWhat rusts?\nBear in mind that your response should \
            be strictly based on the following 2 passages:\npassage 1: Iron. It rusts.\npassage 2: Tin.\nIn case the \
            passages do not contain the necessary information to answer the question, please reply with: \"Unable to \
            answer based on given passages.\"\noutput:";
        assert_eq!(prompt(&passages, Some("What rusts? ")), with_question);
        let without = "Summarize the following text:\npassage 1: Iron. It rusts.\npassage 2: Tin.\noutput:";
        assert_eq!([prompt(&passages, None), prompt(&passages, Some(" "))], [without, without]);
    }
}
