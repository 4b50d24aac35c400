//! Reads what chatbots write, mostly Markdown, as plain text in which every character still knows where it stood.
//!
//! Line marks (headings, list bullets and numbers, quotes, rules) and inline marks (emphasis, code ticks, the target of
//! a link, citations such as `[1]`) are left out; fenced code is no prose and is left out whole.

use std::ops::Range;

/// A heading, a list item or a paragraph: a stretch of prose that no sentence crosses.
#[derive(Debug)]
pub(crate) struct Block {
    text: String,
    /// For each byte of `text`, the offset in the source of the character it belongs to.
    origin: Vec<usize>,
    heading: bool,
}

impl Block {
    /// The prose without its marks; runs of white space are one space, or one line break where they held one.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is a heading.
    pub(crate) fn heading(&self) -> bool {
        self.heading
    }

    /// The bytes of the source from the first to the last character of a non-empty `span` of [`Block::text`].
    pub(crate) fn source(&self, span: Range<usize>) -> Range<usize> {
        let last = self.text[span.clone()].chars().next_back().map_or(0, char::len_utf8);
        self.origin[span.start]..self.origin[span.end - last] + last
    }

    fn read(source: &[(usize, char)], heading: bool) -> Option<Self> {
        let marks = inline_marks(source);
        let mut block = Self { text: String::new(), origin: Vec::new(), heading };
        let mut space: Option<(usize, char)> = None;
        for (&(at, c), mark) in source.iter().zip(marks) {
            if mark {
                continue;
            }
            if c.is_whitespace() {
                let kind = if is_line_break(c) || space.is_some_and(|(_, s)| s == '\n') { '\n' } else { ' ' };
                space = Some((at, kind));
                continue;
            }
            if let Some((at, kind)) = space.take()
                && !block.text.is_empty()
            {
                block.push(at, kind);
            }
            block.push(at, c);
        }
        (!block.text.is_empty()).then_some(block)
    }

    fn push(&mut self, at: usize, c: char) {
        self.text.push(c);
        self.origin.extend(std::iter::repeat_n(at, c.len_utf8()));
    }
}

/// The blocks of a text, in order.
pub(crate) fn blocks(source: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut in_code = false;
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let mark = line_mark(line);
        let fence = line.trim_start().starts_with("```");
        if fence || in_code || mark.bytes > 0 || line.trim().is_empty() {
            blocks.extend(Block::read(&open, false));
            open.clear();
        }
        if !fence && !in_code {
            open.extend(line[mark.bytes..].char_indices().map(|(i, c)| (start + mark.bytes + i, c)));
        }
        if mark.heading {
            blocks.extend(Block::read(&open, true));
            open.clear();
        }
        in_code ^= fence;
        start += line.len();
    }
    blocks.extend(Block::read(&open, false));
    blocks
}

#[derive(Default)]
struct LineMark {
    bytes: usize,
    heading: bool,
}

/// What stands before a line's prose; all of a line that is a rule.
fn line_mark(line: &str) -> LineMark {
    let is_rule = |text: &str| {
        text.chars().filter(|c| !c.is_whitespace()).count() >= 3
            && text.chars().all(|c| "-*_=|:".contains(c) || c.is_whitespace())
    };
    let mut mark = LineMark::default();
    loop {
        let rest = line[mark.bytes..].trim_start();
        if is_rule(rest) {
            return LineMark { bytes: line.len(), ..mark };
        }
        let Some(bytes) = first_mark(rest) else { return mark };
        mark.heading |= rest.starts_with('#');
        mark.bytes = line.len() - rest.len() + bytes;
    }
}

/// The bytes of the mark that `rest` starts with: `>`, `|`, `#`, a task box, a bullet, or a number with `.` or `)`.
fn first_mark(rest: &str) -> Option<usize> {
    let run = |of: fn(char) -> bool| rest.len() - rest.trim_start_matches(of).len();
    match rest.chars().next()? {
        '>' | '|' => Some(1),
        '#' => Some(run(|c| c == '#')).filter(|&hashes| hashes <= 6 && ends_word(&rest[hashes..])),
        '[' => ["[ ]", "[x]", "[X]"].iter().any(|task| rest.strip_prefix(task).is_some_and(ends_word)).then_some(3),
        '0'..='9' => {
            let digits = run(|c| c.is_ascii_digit());
            let after = rest[digits..].strip_prefix(['.', ')'])?;
            (digits <= 3 && (ends_word(after) || after.starts_with(char::is_alphabetic))).then_some(digits + 1)
        }
        c if "-*+•◦‣▪·–—".contains(c) => Some(c.len_utf8()).filter(|&bytes| ends_word(&rest[bytes..])),
        _ => None,
    }
}

fn ends_word(rest: &str) -> bool {
    rest.chars().next().is_none_or(char::is_whitespace)
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// For each character, whether it is a mark rather than prose.
fn inline_marks(source: &[(usize, char)]) -> Vec<bool> {
    let mut marks = vec![false; source.len()];
    let char_at = |i: usize| source.get(i).map(|&(_, c)| c);
    let mut i = 0;
    while let Some(c) = char_at(i) {
        match c {
            '`' => marks[i] = true,
            '*' | '_' => {
                let end = (i..source.len()).find(|&j| char_at(j) != Some(c)).unwrap_or(source.len());
                let before = i.checked_sub(1).and_then(char_at);
                let after = char_at(end);
                let both = |test: fn(char) -> bool, edge: bool| before.map_or(edge, test) && after.map_or(edge, test);
                // `5 * 3`, `5*3` and `snake_case` are prose; `**bold**` within a word is not.
                let prose = both(char::is_whitespace, true)
                    || (both(char::is_alphanumeric, false) && !(c == '*' && end - i > 1));
                if !prose {
                    marks[i..end].fill(true);
                }
                i = end;
                continue;
            }
            '[' | '【' => {
                if let Some(mark) = Bracket::read(source, i) {
                    mark.fill(source, &mut marks);
                }
            }
            _ => {}
        }
        i += 1;
    }
    marks
}

/// A bracket that is a link or a citation.
struct Bracket {
    open: usize,
    close: usize,
    /// The end of a link's target.
    end: usize,
    citation: bool,
}

impl Bracket {
    fn read(source: &[(usize, char)], open: usize) -> Option<Self> {
        let cjk = source[open].1 == '【';
        let close = source
            .iter()
            .skip(open + 1)
            .position(|&(_, c)| is_line_break(c) || c == '[' || c == if cjk { '】' } else { ']' })?
            + open
            + 1;
        if !matches!(source[close].1, ']' | '】') {
            return None;
        }
        let inner: String = source[open + 1..close].iter().map(|&(_, c)| c).collect();
        let citation = cjk
            || inner
                .trim_start_matches('^')
                .split([',', '-', '–'])
                .all(|n| (1..=3).contains(&n.trim().len()) && n.trim().bytes().all(|b| b.is_ascii_digit()));
        let target = source[close + 1..]
            .iter()
            .take_while(|&&(_, c)| !is_line_break(c) && c != ' ')
            .position(|&(_, c)| c == ')');
        let end = match target {
            Some(length) if source[close + 1].1 == '(' => close + 2 + length,
            _ if citation => close + 1,
            _ => return None,
        };
        Some(Self { open, close, end, citation })
    }

    fn fill(&self, source: &[(usize, char)], marks: &mut [bool]) {
        marks[self.close..self.end].fill(true);
        marks[self.open] = true;
        let before = source[..self.open].iter().rev();
        if self.citation {
            marks[self.open..self.end].fill(true);
            let spaces = before.take_while(|&&(_, c)| c == ' ').count();
            marks[self.open - spaces..self.open].fill(true);
        } else if before.take(1).any(|&(_, c)| c == '!') {
            marks[self.open - 1] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(source: &str) -> Vec<String> {
        blocks(source).into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn line_marks_open_a_block_and_are_left_out() {
        assert_eq!(
            prose("# Iron\nIron is a metal.\n\n- hard\n* [x] grey\n1. old\n2)New\n> quoted\n---\n"),
            ["Iron", "Iron is a metal.", "hard", "grey", "old", "New", "quoted"]
        );
    }

    #[test]
    fn numbers_and_dashes_within_prose_are_no_marks() {
        assert_eq!(prose("1990. A year"), ["1990. A year"]);
        assert_eq!(prose("-5 degrees"), ["-5 degrees"]);
        assert_eq!(prose("1.5 million"), ["1.5 million"]);
        assert_eq!(prose("#hashtag"), ["#hashtag"]);
    }

    #[test]
    fn inline_marks_are_left_out() {
        assert_eq!(prose("**Paris** is *the* `capital` of __France__."), ["Paris is the capital of France."]);
        assert_eq!(prose("See [the page](https://example.org/a_b) ![map](m.png)."), ["See the page map."]);
        assert_eq!(prose("It is old [1][2, 3], they say【4†source】."), ["It is old, they say."]);
    }

    #[test]
    fn stars_and_bars_that_mean_something_stay() {
        assert_eq!(prose("5 * 3 is 5*3, a snake_case and [sic] stay"), ["5 * 3 is 5*3, a snake_case and [sic] stay"]);
    }

    #[test]
    fn fenced_code_is_no_prose() {
        assert_eq!(prose("Run:\n```sh\nls -l\n```\nThat lists files."), ["Run:", "That lists files."]);
        assert_eq!(prose("Run:\n```\nnever closed"), ["Run:"]);
    }

    #[test]
    fn every_character_knows_where_it_stood() {
        let source = "- **Länder:**  Österreich [1].";
        let [block] = &blocks(source)[..] else { panic!("one block") };
        assert_eq!(block.text(), "Länder: Österreich.");
        let word = block.text().find("Österreich").unwrap();
        assert_eq!(&source[block.source(word..word + "Österreich".len())], "Österreich");
        assert_eq!(&source[block.source(0..block.text().len())], "Länder:**  Österreich [1].");
    }
}
