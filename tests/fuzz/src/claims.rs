//! Any text as an answer, after a question that ends at the first byte 0: its sentences, what they claim, and what is
//! made of them by rule.

use evident_verify::{Settings, Unit, atomic_facts, entities, risks, sentences, split, stand_alone};

/// The text from one UTF-16 unit to another.
pub fn utf16(text: &str, start: usize, end: usize) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[start..end]).expect("a span parts no character")
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (question, answer) = match text.split_once('\0') {
        Some((question, answer)) => (Some(question), answer),
        None => (None, &*text),
    };
    for sentence in sentences(answer) {
        assert!(!answer[sentence.span.clone()].is_empty() && !sentence.text.trim().is_empty());
    }
    let whole = Settings { claims_only: false, decontextualise: false, ..Settings::default() };
    let paragraph = Settings { unit: Unit::Paragraph, ..Settings::default() };
    for settings in [Settings::default(), whole, paragraph] {
        let Ok(found) = split(answer, question, &settings) else { return };
        let mut after = 0;
        for sentence in &found.sentences {
            let (start, end) = (sentence.span.start, sentence.span.end);
            assert!(after <= start && start < end && !utf16(answer, start, end).trim().is_empty());
            assert!(!sentence.statement.trim().is_empty());
            after = end;
            if settings.unit == Unit::Sentence {
                let _ = (atomic_facts(&sentence.statement), risks(&sentence.statement, None));
                let _ = entities(&sentence.statement);
            }
        }
        for left_out in &found.left_out {
            utf16(answer, left_out.span.start, left_out.span.end);
        }
    }
    let _ = stand_alone(answer, question.unwrap_or_default(), question, &Settings::default());
}
