//! Baselines that need no model (guan2024, Sec. 4.3).

use std::collections::HashMap;

/// What Constant says of every statement (guan2024, Tab. 5).
pub const CONSTANT: f64 = 1.0;

/// Knowledge F1: the mean, over pieces of evidence, of the F1 of the statement's words and theirs (Shuster et al. 2021; guan2024,
/// Sec. 4.3); 0 without evidence. Words are counted in lower case, without punctuation and articles.
pub fn knowledge_f1<'a>(statement: &str, evidence: impl IntoIterator<Item = &'a str>) -> f64 {
    let statement = words(statement);
    let each: Vec<f64> = evidence.into_iter().map(|text| f1(&statement, &words(text))).collect();
    if each.is_empty() { 0.0 } else { each.iter().sum::<f64>() / each.len() as f64 }
}

fn f1(a: &[String], b: &[String]) -> f64 {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in b {
        *left.entry(word).or_default() += 1;
    }
    let mut shared = 0;
    for word in a {
        if let Some(count) = left.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    // 2 P R / (P + R) with P = shared / |a| and R = shared / |b|
    if shared == 0 { 0.0 } else { 2.0 * f64::from(shared) / (a.len() + b.len()) as f64 }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.filter(|word| !["a", "an", "the"].contains(&word.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_are_counted_as_often_as_both_have_them() {
        assert_eq!(knowledge_f1("Iron is a metal.", ["The iron is metal!"]), 1.0);
        assert_eq!(knowledge_f1("iron iron", ["iron"]), 2.0 / 3.0);
        assert_eq!(knowledge_f1("iron", ["tin"]), 0.0);
    }

    #[test]
    fn every_piece_counts_the_same_and_none_is_nothing() {
        assert_eq!(knowledge_f1("iron rusts", ["iron rusts", "tin"]), 0.5);
        assert_eq!(knowledge_f1("iron", []), 0.0);
        assert_eq!(knowledge_f1("", [""]), 0.0);
    }
}
