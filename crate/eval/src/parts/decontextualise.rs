//! Compares sentences that were made to stand alone, by rules and by the pack's T5, with those that Factcheck-Bench's
//! annotators rewrote by hand.

use std::path::Path;

use evident_base::json_lines;
use evident_verify::{Judge, Resolver, Settings, Stage, VerifyError, VerifyEvent};
use futures_lite::future::block_on;
use serde::Deserialize;

use crate::error::EvalError;
use crate::measures::{exact_match, unigram_f1};
use crate::monitor::Monitor;
use crate::rows::formats::WRONG_LAYOUT;
use crate::table::{percent, table};

/// Answers with their sentences, as they stand and as people made them stand alone.
pub struct Answers(Vec<(usize, Answer)>);

#[derive(Deserialize)]
struct Answer {
    prompt: String,
    sentences: Vec<Sentence>,
}

#[derive(Deserialize)]
struct Sentence {
    text: String,
    decontextualized: String,
}

/// How similar the statements of one method are to the hand-made ones.
#[derive(Default)]
struct Score {
    n: usize,
    exact: usize,
    f1: f64,
}

impl Score {
    fn add(&mut self, made: &str, by_hand: &str) {
        self.n += 1;
        self.exact += usize::from(exact_match(made, by_hand));
        self.f1 += unigram_f1(made, by_hand);
    }

    fn cells(&self) -> [String; 2] {
        let share = |sum: f64| percent((self.n > 0).then(|| sum / self.n as f64));
        [share(self.exact as f64), share(self.f1)]
    }
}

/// Reads Factcheck-Bench's answers.
///
/// # Errors
/// [`EvalError::Unreadable`] and [`EvalError::BadLine`].
pub fn read(file: &Path) -> Result<Answers, EvalError> {
    Ok(json_lines(file, WRONG_LAYOUT).map(Answers)?)
}

/// Makes each sentence stand alone, by rules and by the judge's T5, and returns a table of how similar both are to the
/// hand-made ones.
///
/// # Errors
/// [`EvalError::Verify`].
pub fn measure(judge: &Judge, answers: &Answers, monitor: &mut impl Monitor) -> Result<String, EvalError> {
    Ok(block_on(compare(judge, &answers.0, monitor))?)
}

/// The table: each method over all sentences, and over those that were changed by hand.
async fn compare(
    judge: &Judge,
    answers: &[(usize, Answer)],
    monitor: &mut impl Monitor,
) -> Result<String, VerifyError> {
    let rules = Settings { resolver: Resolver::Rules, ..Settings::default() };
    let model = Settings { resolver: Resolver::Model, ..Settings::default() };
    let mut scores = <[[Score; 2]; 3]>::default();
    let mut written = 0;
    for (number, Answer { prompt, sentences }) in answers {
        monitor.set_label(format!("line {number}: "));
        monitor.observe(VerifyEvent::Stage { sentence: 0, stage: Stage::Verify }.into()).await?;
        let mut context = String::new();
        for Sentence { text, decontextualized } in sentences {
            if !decontextualized.trim().is_empty() {
                let (by_rule, _) = judge.stand_alone(text, &context, Some(prompt), &rules).await?;
                let (by_model, resolver) = judge.stand_alone(text, &context, Some(prompt), &model).await?;
                written += usize::from(resolver == Resolver::Model);
                let changed = !exact_match(text, decontextualized);
                for (score, made) in scores.iter_mut().zip([text, &by_rule, &by_model]) {
                    score[0].add(made, decontextualized);
                    if changed {
                        score[1].add(made, decontextualized);
                    }
                }
            }
            context = format!("{context} {text}").trim().to_owned();
        }
    }
    let [all, changed] = [scores[0][0].n, scores[0][1].n];
    let rows = ["as it stands", "rules", "T5"]
        .iter()
        .zip(&scores)
        .map(|(way, [all, changed])| [vec![(*way).to_owned()], all.cells().into(), changed.cells().into()].concat());
    let table = table(&["made by", "exact", "token F1", "exact where changed", "token F1 where changed"], rows);
    let head = format!("{all} sentences against the hand-made ones, which changed {changed}. In per cent.");
    let note = format!(
        "The T5 wrote {written} of them (guan2024, Tab. 24); where what it wrote had lost half of the sentence, the rules' counts."
    );
    Ok(format!("{head}\n\n{table}\n\n{note}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_match_overlooks_case_articles_and_punctuation() {
        let mut score = Score::default();
        score.add("The iron rusts.", "iron rusts");
        score.add("It rusts.", "Iron rusts.");
        assert_eq!(score.cells(), ["50.0", "75.0"]);
        assert_eq!(Score::default().cells(), ["N/A", "N/A"]);
    }
}
