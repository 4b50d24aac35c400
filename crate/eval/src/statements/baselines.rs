//! The baselines of guan2024: Constant and knowledge F1, which need no model, NLI and FActScore (Sec. 4.3), and the
//! perplexity of App. C.8.

use std::collections::BTreeMap;

use evident_index::Passage;
use evident_nn::CausalLm;
use evident_verify::conner::perplexity;
use evident_verify::{Judge, Nli, Observer, SentenceReport, Settings, VerifyError, atomic_facts};

use crate::measures::unigram_f1;
use crate::rows::row::LabelledRow;
use crate::statements::row_judge::RowJudge;
use crate::statements::scorer::Scorer;

/// Sentences in a window of the NLI baseline where the settings' own window is the whole passage.
const WINDOW: usize = 2;

/// Knowledge F1: the mean, over pieces of evidence, of the F1 of the statement's words and theirs (Shuster et al. 2021;
/// guan2024, Sec. 4.3); 0 without evidence. Words are counted in lower case, without punctuation and articles.
pub fn knowledge_f1<'a>(statement: &str, evidence: impl IntoIterator<Item = &'a str>) -> f64 {
    let each: Vec<f64> = evidence.into_iter().map(|text| unigram_f1(statement, text)).collect();
    if each.is_empty() { 0.0 } else { each.iter().sum::<f64>() / each.len() as f64 }
}

/// The scores of the baselines that need models, for a row that was judged. NLI is the entailment of the statement by
/// whole passages, their sentences, and windows of sentences, each with the maximum and the mean; 0 without evidence.
/// FActScore is the share of the statement's atomic facts that score above 0.5 when each is judged as a row of its own:
/// facts split by rule, and by the T5 where it is asked and what it writes is about the statement. Perplexity is the
/// inverse of that of the statement under `lm`.
///
/// # Errors
/// Those of the models.
pub(super) async fn scores(
    row_judge: &RowJudge,
    judge: &Judge,
    lm: Option<&CausalLm>,
    row: &LabelledRow,
    judged: &SentenceReport,
    settings: &Settings,
    observer: &impl Observer,
) -> Result<BTreeMap<Scorer, f64>, VerifyError> {
    let mut found = BTreeMap::new();
    let passages: Vec<Passage> = judged.evidence.iter().map(passage).collect();
    let window = if settings.window == 0 { WINDOW } else { settings.window };
    for (size, most, mean) in [
        (0, Scorer::NliPassagesMax, Scorer::NliPassagesMean),
        (1, Scorer::NliSentencesMax, Scorer::NliSentencesMean),
        (window, Scorer::NliWindowsMax, Scorer::NliWindowsMean),
    ] {
        let read = judge.entailments(&judged.statement, &passages, size).await?;
        found.insert(most, read.iter().map(entailment).fold(0.0, f64::max));
        found.insert(mean, read.iter().map(entailment).sum::<f64>() / read.len().max(1) as f64);
    }

    let facts: Vec<String> = atomic_facts(&judged.statement).into_iter().map(|fact| fact.text).collect();
    found.insert(Scorer::FactScoreRules, precision(row_judge, &facts, row, judged, settings, observer).await?);
    let written = match settings.asks_verifier() {
        true => judge.atomic_facts(&judged.statement, settings).await?,
        false => None,
    };
    if let Some(facts) = written {
        found.insert(Scorer::FactScoreModel, precision(row_judge, &facts, row, judged, settings, observer).await?);
    }

    if let Some(lm) = lm {
        let tokens = lm.log_probabilities(&[&judged.statement]).await?.pop().unwrap_or_default();
        // A statement of one token has no perplexity; its score is 0.
        found.insert(Scorer::Perplexity, perplexity(&tokens).map_or(0.0, |perplexity| 1.0 / perplexity));
    }
    Ok(found)
}

/// The share of the facts that score above 0.5.
async fn precision(
    row_judge: &RowJudge,
    facts: &[String],
    row: &LabelledRow,
    judged: &SentenceReport,
    settings: &Settings,
    observer: &impl Observer,
) -> Result<f64, VerifyError> {
    let mut supported = 0;
    for fact in facts {
        let score = if *fact == judged.statement {
            judged.score
        } else {
            let row = LabelledRow { statement: fact.clone(), context: String::new(), question: None, ..row.clone() };
            row_judge.judge(&row, settings, observer).await?.score
        };
        supported += usize::from(score > 0.5);
    }
    Ok(supported as f64 / facts.len().max(1) as f64)
}

fn entailment(nli: &Nli) -> f64 {
    nli.entailment
}

/// The passage of a piece of evidence.
fn passage(evidence: &evident_verify::Evidence) -> Passage {
    crate::rows::row::passage(&evidence.id, &evidence.title, &evidence.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_counts_the_same_and_none_is_nothing() {
        assert_eq!(knowledge_f1("iron rusts", ["iron rusts", "tin"]), 0.5);
        assert_eq!(knowledge_f1("iron", []), 0.0);
        assert_eq!(knowledge_f1("", [""]), 0.0);
    }
}
