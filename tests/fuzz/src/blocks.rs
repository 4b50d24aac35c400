//! Any text as the blocks that a page shows, and as plain text.
//!
//! Blocks end at a byte 0. The first character of a block says what it is, and digits behind it are its number. A byte 1
//! ends each of a row's heads. A byte 2 is a link: the next two characters say where it starts and how long it is, and
//! the rest of the line is its address.

use evident_verify::{Block, BlockKind, Input, LinkPlace, Settings, split};

use crate::claims::utf16;
use crate::markdown::check;

/// What the first character of a block stands for; any other is a paragraph.
const KINDS: [(char, BlockKind); 5] = [
    ('i', BlockKind::Item),
    ('h', BlockKind::Heading),
    ('r', BlockKind::Row),
    ('c', BlockKind::Code),
    ('f', BlockKind::Reference),
];

fn block(written: &str) -> Block {
    let mut characters = written.chars();
    let first = characters.next().unwrap_or_default();
    let kind = KINDS.iter().find(|(c, _)| *c == first).map_or(BlockKind::Paragraph, |(_, kind)| *kind);
    let rest = characters.as_str();
    let words = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = rest[..rest.len() - words.len()].parse().ok();
    let mut heads: Vec<String> = words.split('\u{1}').map(str::to_owned).collect();
    let words = heads.pop().unwrap_or_default();
    let mut parts = words.split('\u{2}');
    let (mut text, mut links) = (parts.next().unwrap_or_default().to_owned(), Vec::new());
    for part in parts {
        let mut place = part.chars();
        let (Some(start), Some(length)) = (place.next(), place.next()) else { continue };
        let (url, rest) = place.as_str().split_once('\n').unwrap_or((place.as_str(), ""));
        let start = u32::from(start) as usize;
        links.push(LinkPlace { start, end: start + u32::from(length) as usize, url: url.to_owned() });
        text.push_str(rest);
    }
    Block { kind, text, number, heads, links }
}

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let written = String::from_utf8_lossy(bytes);
    let blocks = Input::Blocks(written.split('\0').map(block).collect());
    for input in [blocks, Input::Plain(written.into_owned())] {
        let text = input.text().into_owned();
        let Ok(found) = split(input, None, &Settings::default()) else { continue };
        check(&found.blocks, 0, text.encode_utf16().count(), 0);
        let mut after = 0;
        for sentence in &found.sentences {
            let (start, end) = (sentence.span.start, sentence.span.end);
            assert!(after <= start && start < end && !utf16(&text, start, end).trim().is_empty());
            assert!(!sentence.statement.trim().is_empty());
            after = end;
        }
        for left_out in &found.left_out {
            utf16(&text, left_out.span.start, left_out.span.end);
        }
    }
}
