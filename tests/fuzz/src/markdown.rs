//! Any text as the Markdown of an answer, whose tree must lie in it, and as a file of a corpus.

use evident_verify::{Markup, MarkupKind, Settings, split};

use crate::corpus_file::read;

/// The deepest tree that whoever shows an answer must walk.
const DEEPEST: usize = 64;

/// Checks that blocks stand one after the other within `start` to `end`, and so what stands in each. Reasoning may
/// stand within the block before it or after it.
pub fn check(blocks: &[Markup], start: usize, end: usize, depth: usize) {
    assert!(depth <= DEEPEST, "a tree that is too deep");
    let mut after = start;
    for block in blocks {
        let (from, to) = (block.span.start, block.span.end);
        let is_reasoning = block.kind == MarkupKind::Reasoning;
        let least = if is_reasoning { start } else { after };
        assert!(least <= from && from <= to && to <= end, "{from}..{to} after {least} within {start}..{end}");
        check(&block.children, from, to, depth + 1);
        after = if is_reasoning { after } else { to };
    }
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(found) = split(&*text, None, &Settings::default()) else { return };
    check(&found.blocks, 0, text.encode_utf16().count(), 0);
    read("answer.md", text.as_bytes());
}
