//! Blanks out what is in an answer but not part of its words: reasoning, fences, scripts, the JSON around it. All else
//! keeps its byte offset.

use std::cell::OnceCell;
use std::iter;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use crate::input::OBJECT;
use crate::text::parser::events;

/// What reasoning begins and ends with, in lower case.
const REASONING: [(&str, &str); 9] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
];

/// The start and end of HTML that is not shown or is struck out, in lower case.
const UNSAID: [(&str, &str); 6] = [
    ("<!--", "-->"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<del>", "</del>"),
    ("<s>", "</s>"),
    ("<strike>", "</strike>"),
];

/// Fields of JSON that an answer may stand in.
const FIELDS: [&str; 6] = ["answer", "content", "message", "output", "response", "text"];

/// A filler of one byte, which prose leaves out.
const NOTHING: char = '\u{7f}';

/// The answer as it is shown: reasoning, such as `<think>...</think>`, and fences around prose are white space. Also
/// where the reasoning is, in order.
pub(crate) fn shown(answer: &str) -> (String, Vec<Range<usize>>) {
    let reasoning = reasoning(answer);
    let mut text = answer.to_owned();
    for place in &reasoning {
        blank_out(&mut text, place.clone());
    }
    for line in fences_of_prose(&text) {
        fill(&mut text, line, '\n');
    }
    (text, reasoning)
}

/// The answer as it is read: as it is shown, but without HTML that says nothing and JSON around it, and with formulas
/// as words.
pub(crate) fn read(answer: &str) -> String {
    let (mut text, _) = shown(answer);
    open_envelope(&mut text);
    for place in unsaid(&text) {
        blank_out(&mut text, place);
    }
    spell_formulas(&mut text);
    text
}

/// A text in which marks are looked for.
struct Marked<'a> {
    text: &'a str,
    lower: String,
    /// Where its code is, and whether it stands within a line.
    code: OnceCell<Vec<(Range<usize>, bool)>>,
}

impl<'a> Marked<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, lower: text.to_ascii_lowercase(), code: OnceCell::new() }
    }

    /// Where a mark stands, except in inline code.
    fn places(&self, mark: &str) -> Vec<usize> {
        let is_whole = |at: usize| {
            let behind = &self.lower[at + mark.len()..];
            mark.ends_with(|c: char| !c.is_alphabetic()) || behind.starts_with(|c: char| c == '>' || c.is_whitespace())
        };
        let found = self.lower.match_indices(mark).map(|(at, _)| at);
        found.filter(|&at| is_whole(at) && !self.code_at(at).is_some_and(|is_in_line| is_in_line)).collect()
    }

    fn is_code(&self, at: usize) -> bool {
        self.code_at(at).is_some()
    }

    fn code_at(&self, at: usize) -> Option<bool> {
        let code = self.code.get_or_init(|| {
            let is_in_line = |event: &Event| match event {
                Event::Code(_) => Some(true),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => Some(false),
                _ => None,
            };
            events(self.text).filter_map(|(event, place)| Some((place, is_in_line(&event)?))).collect()
        });
        let after = code.partition_point(|(place, _)| place.start <= at);
        let (place, is_in_line) = code.get(after.checked_sub(1)?)?;
        (at < place.end).then_some(*is_in_line)
    }
}

/// The stretches from an opening mark to the closing one behind it, in order.
fn pairs(opens: &[usize], closes: &[usize], closing: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut closes = closes.iter().peekable();
    for &start in opens {
        if found.last().is_some_and(|last| start < last.end) {
            continue;
        }
        while closes.next_if(|&&close| close < start).is_some() {}
        let Some(close) = closes.next() else { break };
        found.push(start..close + closing.len());
    }
    found
}

/// These stretches in order; those that overlap are one.
fn merged(mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_unstable_by_key(|place| place.start);
    let mut found: Vec<Range<usize>> = Vec::new();
    for place in places {
        match found.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            _ => found.push(place),
        }
    }
    found
}

/// Where a model reasons. The mark that opens it may stand in the model's prompt, and the one that closes it may be cut
/// off.
fn reasoning(answer: &str) -> Vec<Range<usize>> {
    const BARE: &str = "assistantfinal"; // what remains of the channel marks if a server drops their brackets
    let marked = Marked::new(answer);
    let mut all = Vec::new();
    if marked.lower.starts_with("analysis")
        && let Some(at) = marked.lower.find(BARE)
    {
        all.push(0..at + BARE.len());
    }
    for (open, close) in REASONING {
        let (mut opens, closes) = (marked.places(open), marked.places(close));
        opens.retain(|&at| !marked.is_code(at));
        let found = pairs(&opens, &closes, close);
        let mut pairs = found.iter().peekable();
        let mut start = 0;
        for at in closes {
            let end = at + close.len();
            while let Some(pair) = pairs.next_if(|pair| pair.end <= end) {
                start = pair.end;
            }
            let is_alone = start <= at && pairs.peek().is_none_or(|pair| end <= pair.start);
            if is_alone && !marked.is_code(at) && is_end(answer, at..end) {
                all.push(start..end);
                start = end;
            }
        }
        let last = found.last().map_or(0, |pair| pair.end);
        if let Some(&start) = opens.iter().find(|&&at| at >= last) {
            all.extend(unclosed(answer, start));
        }
        all.extend(found);
    }
    merged(all)
}

/// Whether a closing mark without an opening one ends reasoning: an answer follows it, and not the rest of a sentence
/// that mentions the mark.
fn is_end(answer: &str, mark: Range<usize>) -> bool {
    let behind = answer[mark.end..].trim_start_matches([' ', '\t']);
    let goes_on = behind.starts_with(|c: char| c.is_lowercase() || ".,;:)\"'”’`".contains(c));
    !behind.trim_start().is_empty() && (begins_line(answer, mark.start) || !goes_on)
}

/// The reasoning that begins at `start` and is never closed: all of the rest if nothing stands before it, the rest of
/// the paragraph if it begins a line; `None` elsewhere, where the mark is only mentioned.
fn unclosed(answer: &str, start: usize) -> Option<Range<usize>> {
    let end = match answer[..start].trim().is_empty() {
        true => answer.len(),
        false if begins_line(answer, start) => answer[start..].find("\n\n").map_or(answer.len(), |at| start + at),
        false => return None,
    };
    Some(start..end)
}

fn begins_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with('\n')
}

/// Turns a place into white space that Markdown does not take for an indent, which would make what follows code: form
/// feeds within a paragraph, line ends elsewhere.
fn blank_out(text: &mut String, place: Range<usize>) {
    let space = [' ', '\t', '\r'];
    let after = text[place.end..].trim_start_matches(space);
    let before = text[..place.start].trim_end_matches(space);
    let line_before = before.strip_suffix('\n').map(|lines| lines.trim_end_matches(space));
    let follows_a_gap = before.is_empty() || line_before.is_some_and(|line| line.is_empty() || line.ends_with('\n'));
    let fills_lines = line_before.is_some() && (after.is_empty() || after.starts_with('\n'));
    let parts = follows_a_gap || fills_lines;
    let (blank, end) = if parts { ('\n', text.len() - after.len()) } else { ('\u{c}', place.end) };
    fill(text, place.start..end, blank);
}

/// Turns every byte of a place but line breaks into a character of one byte.
fn fill(text: &mut String, place: Range<usize>, with: char) {
    let white: String = text[place.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { with }).collect();
    text.replace_range(place, &white);
}

/// The fences around prose: those of blocks marked as Markdown, and those of blocks without a language or marked as
/// text that read as prose or are the whole answer.
fn fences_of_prose(text: &str) -> Vec<Range<usize>> {
    struct Fence<'a> {
        line: Range<usize>,
        mark: char,
        length: usize,
        language: &'a str,
        /// How many fences are open in it, itself included.
        depth: usize,
    }
    let mut found = Vec::new();
    let mut open: Option<Fence> = None;
    let said = text.len() - text.trim_start().len()..text.trim_end().len();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let place = at..at + line.trim_end().len();
        at += line.len();
        let line = line.trim();
        let Some(mark) = line.chars().next().filter(|c| "`~".contains(*c)) else { continue };
        let behind = line.trim_start_matches(mark);
        let length = line.len() - behind.len();
        if length < 3 || behind.contains('`') {
            continue;
        }
        let Some(fence) = &mut open else {
            let language = behind.split_whitespace().next().unwrap_or_default();
            open = Some(Fence { line: place, mark, length, language, depth: 1 });
            continue;
        };
        let is_markdown = is_markdown(fence.language);
        match behind.is_empty() {
            _ if fence.mark != mark || length < fence.length => {}
            true => fence.depth -= 1,
            false => fence.depth += usize::from(is_markdown),
        }
        if fence.depth == 0 {
            let is_all = fence.line.start <= said.start && said.end <= place.end;
            let is_text = ["", "plaintext", "text", "txt"].iter().any(|name| fence.language.eq_ignore_ascii_case(name));
            if is_markdown || is_text && (is_all || is_prose(&text[fence.line.end..place.start])) {
                found.extend([fence.line.clone(), place]);
            }
            open = None;
        }
    }
    found.extend(open.filter(|fence| is_markdown(fence.language)).map(|fence| fence.line));
    found
}

fn is_markdown(language: &str) -> bool {
    ["markdown", "md"].iter().any(|name| language.eq_ignore_ascii_case(name))
}

/// Whether what stands in a fence reads as prose.
fn is_prose(text: &str) -> bool {
    let said = text.trim();
    said.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase)
        && said.trim_end_matches(['"', '”', '*', '_', ')']).ends_with(['.', '!', '?'])
        && !said.contains(['{', '}', '=', '<', '>', '$', '\\'])
}

/// If the answer is a JSON object that holds a text, keeps only that text, with its escapes decoded. In any other
/// answer of one line, escaped line breaks are decoded.
fn open_envelope(text: &mut String) {
    let place = enveloped(text);
    if let Some(place) = place {
        let said = unescaped(&text[place.clone()], |_| true);
        text.replace_range(place.clone(), &said);
        fill(text, place.end..text.len(), '\n');
        fill(text, 0..place.start, '\n');
    } else if text.contains("\\n") && !text.trim().contains('\n') {
        *text = unescaped(text, |escape| escape.starts_with("\\n") && !escape[2..].starts_with(char::is_lowercase));
    }
}

/// The place of the text in an answer that is a JSON object: its only string with a name of [`FIELDS`] or, if none has
/// one, its only string. Strings within a field and strings without a space do not count.
fn enveloped(text: &str) -> Option<Range<usize>> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    let around = [text[..start].trim(), text.get(end + 1..)?.trim()];
    if around != ["", ""] && around != ["```json", "```"] {
        return None;
    }
    let mut named: Vec<(&str, Range<usize>)> = Vec::new();
    let (mut depth, mut before, mut key, mut at) = (0_usize, b' ', "", start);
    while at < end {
        let byte = text.as_bytes()[at];
        match byte {
            b'"' => {
                let open = at + 1;
                at = open;
                while text.as_bytes().get(at).is_some_and(|&byte| byte != b'"') {
                    at += if text.as_bytes()[at] == b'\\' { 2 } else { 1 };
                }
                let string = text.get(open..at)?;
                match before {
                    b':' if depth == 1 && string.contains(' ') => named.push((key, open..at)),
                    _ => key = string,
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = if byte.is_ascii_whitespace() { before } else { byte };
        at += 1;
    }
    let said: Vec<_> = named.iter().filter(|(name, _)| FIELDS.contains(name)).collect();
    match (&said[..], &named[..]) {
        ([(_, place)], _) | ([], [(_, place)]) => Some(place.clone()),
        _ => None,
    }
}

/// The text with those escapes of JSON decoded for which `is_one` holds. Fillers before each decoded character keep the
/// text as long as it was.
fn unescaped(text: &str, is_one: impl Fn(&str) -> bool) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..];
        let number = escape.get(2..6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let (c, length) = match (escape.as_bytes().get(1), number) {
            _ if !is_one(escape) => ('\\', 1),
            (Some(b'n'), _) => ('\n', 2),
            (Some(b't'), _) => (' ', 2),
            (Some(&mark @ (b'"' | b'/' | b'\\')), _) => (char::from(mark), 2),
            (Some(b'u'), Some(number)) => (char::from_u32(number).unwrap_or(NOTHING), 6),
            _ => ('\\', 1),
        };
        found.push_str(&rest[..at]);
        let nothing = if c == '\n' { ' ' } else { NOTHING }; // so that a blank line is still only white space
        found.extend(iter::repeat_n(nothing, length - c.len_utf8()));
        found.push(c);
        rest = &escape[length..];
    }
    found + rest
}

/// Where HTML is not shown or is struck out, in order. An `<s>` that begins an answer is a model's mark and strikes
/// nothing.
fn unsaid(text: &str) -> Vec<Range<usize>> {
    let marked = Marked::new(text);
    let first = text.len() - text.trim_start().len();
    let found = UNSAID.iter().flat_map(|(open, close)| {
        let mut opens = marked.places(open);
        opens.retain(|&at| !marked.is_code(at) && (at > first || *open != "<s>"));
        pairs(&opens, &marked.places(close), close)
    });
    merged(found.collect())
}

/// The most bytes of a formula.
const LONGEST: usize = 400;

/// Replaces TeX, such as `\(H_2O\)` and `$10^{30}$`, by words, or by [`OBJECT`] if words cannot express it.
fn spell_formulas(text: &mut String) {
    if !text.contains(['\\', '$']) {
        return;
    }
    let nothing = |length: usize| String::from(NOTHING).repeat(length);
    let marked = Marked::new(text);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(['\\', '$']).map(|at| from + at) {
        let rest = &text[start..];
        // An escaped mark opens nothing.
        from = start + 1 + usize::from(rest.starts_with("\\$") || rest.starts_with("\\\\"));
        let marks = [("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")];
        let Some((open, close)) = marks.into_iter().find(|(open, _)| rest.starts_with(open)) else { continue };
        let inner = &rest[open.len()..rest.floor_char_boundary(LONGEST)];
        let Some(tex) = inner.find(close).map(|end| &inner[..end]) else { continue };
        let end = start + open.len() + tex.len() + close.len();
        if !is_tex(open, tex, &text[end..]) || marked.is_code(start) {
            continue;
        }
        let words = match spelled(tex) {
            Some(words) => [nothing(open.len()), words, nothing(close.len())].concat(),
            None if tex.is_ascii() => OBJECT.to_string() + &nothing(end - start - OBJECT.len_utf8()),
            None => continue,
        };
        found.push((start..end, words));
        from = end;
    }
    for (place, words) in found {
        text.replace_range(place, &words);
    }
}

/// Whether `tex`, between the mark `open` and its closing mark, is TeX and not money or an escaped bracket. `behind` is
/// what follows the closing mark.
fn is_tex(open: &str, tex: &str, behind: &str) -> bool {
    let has_marks = tex.contains(['\\', '^', '_', '=', '+', '{']);
    let is_word = has_marks || !tex.contains(' ');
    let is_one = match open {
        "$" => is_word && tex.trim() == tex && !behind.starts_with(char::is_alphanumeric),
        "\\(" => is_word,
        "\\[" => has_marks,
        _ => true,
    };
    is_one && !tex.is_empty() && !tex.contains("\n\n")
}

/// TeX as words of as many bytes; `None` if words cannot express it.
fn spelled(tex: &str) -> Option<String> {
    const PLAIN: [&str; 8] = ["left", "mathbf", "mathit", "mathrm", "mathsf", "operatorname", "right", "text"];
    const SIGNS: [(&str, char); 5] = [("approx", '≈'), ("cdot", '·'), ("pi", 'π'), ("pm", '±'), ("times", '×')];
    let mut found = String::with_capacity(tex.len());
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        let behind = &rest[c.len_utf8()..];
        let name = &behind[..behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len()];
        let (length, kept) = match (c, behind.chars().next()) {
            ('\\', Some(space)) if " ,:;".contains(space) => (2, ' '),
            ('\\', Some(mark)) if "%$&#{}!".contains(mark) => (2, mark),
            ('\\', _) if PLAIN.contains(&name) => (1 + name.len(), NOTHING),
            ('\\', _) => (1 + name.len(), SIGNS.iter().find(|(sign, _)| *sign == name)?.1),
            ('{' | '}' | '_', _) => (1, NOTHING),
            ('~', _) => (1, ' '),
            _ => (c.len_utf8(), c),
        };
        found.extend(iter::repeat_n(NOTHING, length - kept.len_utf8()));
        found.push(kept);
        rest = &rest[length..];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::sentences::sentences;

    /// The sentences of an answer. Asserts that each is at its place.
    #[track_caller]
    fn said(answer: &str) -> Vec<String> {
        let found = sentences(answer);
        for sentence in &found {
            let first = |text: &str| text.chars().find(|c| c.is_alphanumeric());
            assert_eq!(first(&answer[sentence.span.clone()]), first(&sentence.text), "{sentence:?} in {answer}");
        }
        found.into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn reasoning_has_many_spellings() {
        for answer in [
            "Five, I guess.\nLet me see.\n</think>\n\nIt has four.",
            "Five, I guess.</think>It has four.",
            "<seed:think>Five?</seed:think>It has four.",
            "[THINK]Five?[/THINK]It has four.",
            "◁think▷Five?◁/think▷ It has four.",
            "<|begin_of_thought|>\nFive?\n\nNo.\n<|end_of_thought|>\n\nIt has four.",
            "<think>The user names `</think>`, so:\n```\nunclosed\n</think>\nIt has four.",
            "<think>Five?</think>\n\nSix, then.\n</think>\n\nIt has four.",
            "<thinking>Five? <think>Six?</think></thinking>It has four.",
            "<|channel|>analysis<|message|>Five?<|end|><|start|>assistant<|channel|>final<|message|>It has four.<|return|>",
            "<|channel|>analysis<|message|>A<|end|><|channel|>commentary<|message|>B<|end|><|channel|>final<|message|>It has four.",
            "analysisMaybe five.assistantfinalIt has four.",
        ] {
            assert_eq!(said(answer), ["It has four."], "{answer}");
        }
        assert_eq!(said("<think>Five?\n\nOr four"), [""; 0]);
    }

    #[test]
    fn a_mark_of_reasoning_that_is_spoken_of_hides_nothing() {
        assert_eq!(
            said("A.\n\nThe `<think>` tag marks it.\n\nIt has five."),
            ["A.", "The <think> tag marks it.", "It has five."]
        );
        assert_eq!(said("The `</think>` tag ends it. It has five."), ["The </think> tag ends it.", "It has five."]);
        assert_eq!(said("It opens with <think> here.\n\nIt has five."), ["It opens with here.", "It has five."]);
        assert_eq!(said("It ends with </think> they say."), ["It ends with they say."]);
        assert_eq!(said("It has five.\n</think>"), ["It has five."]);
        assert_eq!(said("See:\n```\n<think>\nA\n```\nIt has five."), ["See:", "It has five."]);
        assert_eq!(said("It has five.\n\n<think>\nOr four?\n\nYes, five."), ["It has five.", "Yes, five."]);
    }

    #[test]
    fn what_html_does_not_say_is_left_out() {
        assert_eq!(
            said("<script>\nalert('No.')\n\nB.</script>\n<style type=\"a\">p{color:red}</style>\nGold is a metal."),
            ["Gold is a metal."]
        );
        assert_eq!(said("Gold <!-- no.\nNo. --> is <del>not</del> a <script>x()</script>metal."), ["Gold is a metal."]);
        assert_eq!(said("<s>Gold is a metal.</s>"), ["Gold is a metal."]);
        assert_eq!(said("Gold is <s>no</s> a metal."), ["Gold is a metal."]);
        assert_eq!(
            said("The `<style>` and <style> tags. Gold is a metal."),
            ["The <style> and tags.", "Gold is a metal."]
        );
    }

    #[test]
    fn prose_in_a_fence_is_read() {
        for answer in [
            "```markdown\n# On it\n\nIt *has* four.\n```",
            "```\n# On it\n\nIt has four.\n```\n",
            "~~~ md\n# On it\n\n```py\nA = 1\n```\n\nIt has four.\n~~~",
            "```md\n# On it\n\n```py\nA = 1\n```\n\nIt has four.\n```",
            "```text\n# On it\n\nIt has four",
        ] {
            let found = said(answer);
            assert_eq!(
                found,
                if answer.starts_with("```text") { &[][..] } else { &["On it", "It has four."] },
                "{answer}"
            );
        }
        assert_eq!(said("Here:\n\n```markdown\nIt has four"), ["Here:", "It has four"]);
        assert_eq!(said("Here:\n```\nIt has four.\n```\nBye."), ["Here:", "It has four.", "Bye."]);
        assert_eq!(said("Here:\n```text\nx = 4.\n```\nBye."), ["Here:", "Bye."]);
        assert_eq!(said("```python\nIt()\n```"), [""; 0]);
        assert_eq!(said("```\na b\n```\nSo.\n```\nls -l\n```"), ["So."]);
    }

    #[test]
    fn of_json_the_answer_is_read() {
        assert_eq!(said(r#"{"answer": "Mars has \"two\" moons.", "sure": 0.9}"#), ["Mars has \"two\" moons."]);
        assert_eq!(
            said(
                "```json\n{\n  \"id\": {\"text\": \"a b\"},\n  \"said\": \"# M\\u00e4rs\\n\\n- It is red.\\n- It is far.\"\n}\n```"
            ),
            ["Märs", "It is red.", "It is far."]
        );
        assert_eq!(said(r#"{"question": "How many moons?", "answer": "Mars has two."}"#), ["Mars has two."]);
        for other in
            [r#"{"a": "Mars is red.", "b": "Mars is far."}"#, "{Mars} is {red}", "{\"a", "}{", r#"{"a": "b\"}"#]
        {
            let _ = said(other);
            assert_eq!(enveloped(other), None);
        }
        assert_eq!(
            said(r"Mars is red.\n\n- It is far.\n- It is C:\new."),
            ["Mars is red.", "It is far.", "It is C:\\new."]
        );
    }

    #[test]
    fn formulas_are_words_or_objects() {
        assert_eq!(said(r"The formula of water is \(H_2O\)."), ["The formula of water is H2O."]);
        assert_eq!(
            said(r"Gold has $79$ protons and \(1.9 \times 10^{30}\,\text{kg}\), or $m_e$."),
            ["Gold has 79 protons and 1.9 × 10^30 kg, or me."]
        );
        assert_eq!(said(r"It is \[\frac{1}{2}\] of it."), ["It is \u{fffc} of it."]);
        for money in ["It costs $5 and $10.", "It costs $5-$10.", "It is $5 (=$4).", r"It is \(as ever\) old."] {
            assert_eq!(said(money), [money.replace('\\', "")]);
        }
        assert_eq!(said(r"Write `\(H_2O\)` or `$x$`."), [r"Write \(H_2O\) or $x$."]);
    }

    /// With a running time quadratic in the length, this would take hours.
    #[test]
    fn hostile_texts_are_read() {
        for part in [
            "</think>",
            "`</think>",
            "a</think>B ",
            "<think>`",
            "[think]",
            "<script>",
            "</script>",
            "<!--",
            "```\n",
            "```md\n",
            "{\"",
            "\\(",
            "$",
            "$a ",
            "\\\"",
            "\\n",
            "\\[=",
            "<s>",
        ] {
            for text in [part.repeat(50_000), format!("{{{}}}", part.repeat(50_000))] {
                assert_eq!(read(&text).len(), text.len());
            }
        }
    }

    proptest! {
        #[test]
        fn every_byte_keeps_its_place(
            parts in proptest::collection::vec(
                prop_oneof![
                    proptest::sample::select(vec![
                        "<think>", "</think>", "```", "\n", "\n\n", "md", "`", "<!--", "-->", "{\"answer\": \"", "\"}", "\\n",
                        "\\u00e9", "\\(", "\\)", "$", "\\frac", "<del>", "</del>", "A b. ", "é", "\u{e200}", "[cite: 1]", "|",
                        "\t", "~~", "~", "<table>", "<tr>", "<td>", "</td>", "<sup>", "1",
                    ]).prop_map(str::to_owned),
                    "[a-zA-Z .<>\"'{}\\\\$é🪐-]{0,6}",
                ],
                0..24,
            ),
        ) {
            let answer = parts.concat();
            prop_assert_eq!(read(&answer).len(), answer.len());
            let mut after = 0;
            for sentence in sentences(&answer) {
                prop_assert!(answer.get(sentence.span.clone()).is_some());
                prop_assert!(after <= sentence.span.start);
                after = sentence.span.end;
            }
        }
    }
}
