//! Which words of a statement no passage supports, by a classifier of tokens: LettuceDetect (Kovács and Recski 2025,
//! "LettuceDetect: A Hallucination Detection Framework for RAG Applications") and its smaller TinyLettuce.

use std::ops::Range;

use evident_nn::TokenClassifier;

use crate::error::{VerifyError, WrongModel};
use crate::models::relevance::normalised;
use crate::text::parts::fitting_parts;

/// The most tokens that LettuceDetect was trained on and reads (`max_length` of its `TransformerDetector`).
const MOST_TOKENS: usize = 4096;

/// A classifier of tokens with two labels: supported, and not. Clones are the same model.
#[derive(Clone)]
pub struct MarksModel {
    classifier: TokenClassifier,
}

impl MarksModel {
    /// The model of this classifier. Published models name their labels differently or not at all, so the second class
    /// is taken as "not supported".
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

    /// For each token of a statement, its bytes and the probability that none of the passages supports it. If they do
    /// not fit into one prompt, the statement is split into stretches and the passages into groups. Each stretch is
    /// read with each group, and a token's probability is the minimum over the groups. A question that takes more than
    /// three quarters of the room is then left out.
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
        let count = |passages: &[String], question, part: &str| {
            Ok::<_, VerifyError>(self.classifier.pair_tokens(&prompt(passages, question), part)?)
        };
        if count(passages, question, statement)? <= most {
            return self.read(&prompt(passages, question), statement).await;
        }
        let question = if count(&[], question, "")? <= most / 4 * 3 { question } else { None };
        let mut marks = Vec::new();
        for place in fitting_parts(statement, |part| Ok::<_, VerifyError>(count(&[], question, part)? <= most / 8 * 7))?
        {
            let stretch = &statement[place.clone()];
            let mut tokens: Vec<(Range<usize>, f64)> = Vec::new();
            for group in groups(passages, |group| Ok(count(group, question, stretch)? <= most))? {
                let by_group = self.read(&prompt(&group, question), stretch).await?;
                if tokens.is_empty() {
                    tokens = by_group;
                } else {
                    tokens.iter_mut().zip(by_group).for_each(|((_, least), (_, p))| *least = least.min(p));
                }
            }
            let in_statement = |token: Range<usize>| place.start + token.start..place.start + token.end;
            marks.extend(tokens.into_iter().map(|(token, p)| (in_statement(token), p)));
        }
        Ok(marks)
    }

    /// For each token of a stretch its bytes and the probability that it is not supported by what the prompt has.
    async fn read(&self, prompt: &str, stretch: &str) -> Result<Vec<(Range<usize>, f64)>, VerifyError> {
        let tokens = self.classifier.logits(prompt, stretch).await?.into_iter();
        let marks = tokens.map(|(token, logits)| Some((token, normalised(&logits)?)));
        marks.collect::<Option<_>>().ok_or(VerifyError::NotFinite { model: "marks" })
    }
}

/// The passages in groups that fit, in order. A passage that does not fit alone is split into pieces.
///
/// # Errors
/// Those of `fits`.
fn groups(
    passages: &[String],
    fits: impl Fn(&[String]) -> Result<bool, VerifyError>,
) -> Result<Vec<Vec<String>>, VerifyError> {
    if fits(passages)? {
        return Ok(vec![passages.to_vec()]);
    }
    let mut groups: Vec<Vec<String>> = Vec::new();
    for passage in passages {
        for piece in fitting_parts(passage, |piece| fits(&[piece.to_owned()]))? {
            let piece = passage[piece].to_owned();
            if let Some(last) = groups.last_mut() {
                last.push(piece.clone());
                if fits(last)? {
                    continue;
                }
                last.pop();
            }
            groups.push(vec![piece]);
        }
    }
    Ok(groups)
}

/// The prompt that LettuceDetect reads before an answer: the question and the passages as its
/// `PromptUtils.format_context` writes them, by `qa_prompt_en.txt`, or by `summary_prompt_en.txt` without a question
/// (github.com/KRLabsOrg/LettuceDetect). They are RAGTruth's prompts (Niu et al. 2024), on which it was trained.
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
    use std::path::Path;

    use evident_nn::{Backend, ONLY_MODEL, Pack, open_device};
    use futures_lite::future::block_on;

    use super::*;

    fn model() -> MarksModel {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden/modernbert-tokens");
        let (device, _) = block_on(open_device(Backend::Cpu)).unwrap();
        block_on(MarksModel::load(&mut Pack::open(&folder).unwrap(), ONLY_MODEL, "marks", &device)).unwrap()
    }

    #[test]
    fn every_token_of_a_long_statement_is_read() {
        let model = model();
        let statement = "Iron is a metal, and it rusts in wet air. ".repeat(20);
        let statement = statement.trim();
        assert!(model.classifier.pair_tokens("", statement).unwrap() > model.classifier.max_tokens());
        let found = block_on(model.unsupported(&["Iron rusts.".into()], None, statement)).unwrap();
        let is_read = |at: usize| found.iter().any(|(token, _)| token.contains(&at));
        assert!(statement.char_indices().all(|(at, char)| char.is_whitespace() || is_read(at)));
        assert!(found.is_sorted_by_key(|(token, _)| token.start));
    }

    #[test]
    fn a_question_that_has_no_room_is_left_out() {
        let (model, passages, statement) = (model(), ["Tin.".to_owned()], "Tin is blue.");
        let question = "What is tin? ".repeat(50);
        let found = block_on(model.unsupported(&passages, Some(&question), statement)).unwrap();
        assert_eq!(found, block_on(model.read(&prompt(&passages, None), statement)).unwrap());
    }

    #[test]
    fn of_passages_that_have_no_room_together_the_one_that_supports_a_token_most_counts() {
        let model = model();
        let read = |passages: &[String]| block_on(model.unsupported(passages, None, "Tin is blue.")).unwrap();
        let most = model.classifier.max_tokens();
        let long = |words: &str| {
            let count =
                |n: usize| model.classifier.pair_tokens(&prompt(&[words.repeat(n)], None), "Tin is blue.").unwrap();
            let n = (1..).find(|&n| count(n) > most / 4 * 3).unwrap();
            assert!(count(n) <= most);
            words.repeat(n).trim().to_owned()
        };
        let [first, second] = ["Iron is grey. ", "The sea is blue. "].map(long);
        let [alone, other] = [&first, &second].map(|passage| read(std::slice::from_ref(passage)));
        let least: Vec<f64> = alone.iter().zip(&other).map(|((_, a), (_, b))| a.min(*b)).collect();
        let both = |passages: &[String]| read(passages).into_iter().map(|(_, p)| p).collect::<Vec<_>>();
        assert_eq!(both(&[first.clone(), second.clone()]), least);
        // One passage of both has no room either.
        assert!(both(&[format!("{first} {second}")]).iter().all(|p| p.is_finite()));
    }

    #[test]
    fn passages_are_grouped_in_their_order_and_one_that_is_too_long_is_parted() {
        let most_letters =
            |most: usize| move |group: &[String]| Ok(group.iter().map(String::len).sum::<usize>() <= most);
        let passages = ["aaaa", "bb", "cc", "one two three"].map(str::to_owned);
        assert_eq!(groups(&passages, most_letters(99)).unwrap(), [passages.to_vec()]);
        let found = groups(&passages, most_letters(7)).unwrap();
        assert_eq!(found, [vec!["aaaa", "bb"], vec!["cc"], vec!["one two"], vec!["three"]]);
    }

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
