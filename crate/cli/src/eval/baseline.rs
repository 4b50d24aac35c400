//! Baselines that need no model (guan2024, Sec. 4.3).

use evident_verify::conner::unigram_f1;

/// What Constant says of every statement (guan2024, Tab. 5).
pub const CONSTANT: f64 = 1.0;

/// Knowledge F1: the mean, over pieces of evidence, of the F1 of the statement's words and theirs (Shuster et al. 2021; guan2024,
/// Sec. 4.3); 0 without evidence. Words are counted in lower case, without punctuation and articles.
pub fn knowledge_f1<'a>(statement: &str, evidence: impl IntoIterator<Item = &'a str>) -> f64 {
    let each: Vec<f64> = evidence.into_iter().map(|text| unigram_f1(statement, text)).collect();
    if each.is_empty() { 0.0 } else { each.iter().sum::<f64>() / each.len() as f64 }
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
