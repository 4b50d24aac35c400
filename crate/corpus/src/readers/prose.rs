//! Cleans running text: it removes the apostrophes of italics and bold and the sentences with holes, and corrects
//! spaces and brackets. Private marks in the text carry what a plain string cannot.

/// Something that cannot be written as text stood here: its sentence is left out.
pub(crate) const HOLE: char = '\u{0}';
/// Something that a sentence can do without stood here, such as a pronunciation in brackets.
pub(crate) const GAP: char = '\u{1}';
/// The line that begins here is text, whatever its first character.
pub(crate) const LITERAL: char = '\u{2}';
/// An apostrophe that is no markup.
pub(crate) const APOSTROPHE: char = '\u{3}';

/// The longest aside in brackets that is kept in part, in bytes.
const ASIDE: usize = 500;

/// One line without the apostrophes of italics and bold, by the rules of MediaWiki: where both are left open, one of
/// the three apostrophes is a letter (`L'''amour''`). So is one between the end of italics and a possessive `s`,
/// wherever this occurs.
pub(crate) fn without_quotes(line: &str) -> String {
    if !line.contains("''") {
        return line.to_owned();
    }
    let mut runs = runs(line);
    let mut italics = false;
    for run in &mut runs {
        let (before, after) = (&line[..run.at], &line[run.at + run.length..]);
        let possessive = after.strip_prefix('s').is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        if run.marks == 3 && italics && possessive && before.ends_with(char::is_alphanumeric) {
            run.marks = 2;
        }
        italics ^= run.marks != 3;
    }
    let odd = |marks: usize| runs.iter().filter(|run| run.marks == marks || run.marks == 5).count() % 2 == 1;
    if odd(2) && odd(3) {
        let bold = || runs.iter().enumerate().filter(|(_, run)| run.marks == 3);
        let rank = |run: &Run| {
            let mut before = line[..run.at + run.length - run.marks].chars().rev();
            match (before.next(), before.next()) {
                (Some(' '), _) => 2,
                (_, Some(' ')) => 0,
                _ => 1,
            }
        };
        if let Some((index, _)) = bold().min_by_key(|(_, run)| rank(run)) {
            runs[index].marks = 2;
        }
    }
    let (mut out, mut from) = (String::with_capacity(line.len()), 0);
    for run in runs {
        out.push_str(&line[from..run.at]);
        out.extend(std::iter::repeat_n('\'', run.length - run.marks));
        from = run.at + run.length;
    }
    out + &line[from..]
}

/// What is bold in the first sentence of a line.
pub(crate) fn bold(line: &str) -> Vec<&str> {
    let (mut bold, mut open, mut from) = (Vec::new(), None, 0);
    for run in runs(line).into_iter().filter(|run| run.marks != 2) {
        let end = run.at + run.length;
        match open.take() {
            Some(start) => bold.push(&line[start..run.at]),
            // Words in bold are names, whose full stops end nothing.
            None if line[from..run.at].split_whitespace().any(ends_sentence) => break,
            None => open = Some(end),
        }
        from = end;
    }
    bold
}

/// Two or more apostrophes.
struct Run {
    at: usize,
    length: usize,
    /// How many of them are markup: 2 for italics, 3 for bold, 5 for both. The others are letters.
    marks: usize,
}

fn runs(line: &str) -> Vec<Run> {
    let (mut runs, mut at) = (Vec::new(), 0);
    while let Some(found) = line[at..].find("''") {
        at += found;
        let length = line[at..].bytes().take_while(|&byte| byte == b'\'').count();
        let marks = match length {
            2 => 2,
            3 | 4 => 3,
            _ => 5,
        };
        runs.push(Run { at, length, marks });
        at += length;
    }
    runs
}

/// A paragraph as it is read: without the sentences that have a hole, with single spaces, without empty brackets and
/// spaces before punctuation.
pub(crate) fn mended(text: &str) -> String {
    let marked = text.contains([HOLE, GAP]);
    tidy(&if marked { without_holes(&without_gaps(&asides(text))) } else { text.to_owned() })
}

/// Text whose asides in brackets are whole: an aside with a hole is left out, and of one with a gap the piece that it
/// stood in.
fn asides(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Of each open bracket, where it stands and the numbers of holes and gaps before it.
    let (mut open, mut holes, mut gaps) = (Vec::new(), 0, 0);
    for c in text.chars() {
        match c {
            HOLE => holes += 1,
            GAP => gaps += 1,
            '(' => open.push((out.len(), holes, gaps)),
            ')' => {
                if let Some((at, holes_before, gaps_before)) = open.pop() {
                    let whole = if holes > holes_before || gaps > gaps_before && out.len() - at > ASIDE {
                        Some(String::new())
                    } else {
                        (gaps > gaps_before).then(|| pieces(&out[at + 1..]))
                    };
                    (holes, gaps) = (holes_before, gaps_before);
                    if let Some(whole) = whole {
                        out.truncate(at);
                        if whole.is_empty() {
                            out.truncate(out.trim_end_matches(' ').len());
                        } else {
                            out.push('(');
                            out.push_str(&whole);
                            out.push(')');
                        }
                        continue;
                    }
                }
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

/// The pieces of an aside that have no gap.
fn pieces(aside: &str) -> String {
    let of = |text: &str, between: char, glue: &str| {
        let whole = text.split(between).filter(|piece| !piece.contains(GAP) && !piece.trim().is_empty());
        whole.map(str::trim).collect::<Vec<_>>().join(glue)
    };
    let parts = aside.split(';').map(|part| if part.contains(GAP) { of(part, ',', ", ") } else { part.trim().into() });
    parts.filter(|part: &String| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Text without gaps outside brackets: a gap after a name or a sentence was an aside and is dropped, one after any
/// other word becomes a hole.
fn without_gaps(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = "";
    for (index, piece) in text.split(GAP).enumerate() {
        let is_aside = word.is_empty() || ends_sentence(word) || word.starts_with(|c: char| !c.is_lowercase());
        if index > 0 && !is_aside {
            out.push(HOLE);
        }
        out.push_str(piece);
        word = piece.split_whitespace().next_back().unwrap_or(word);
    }
    out
}

/// Text without the sentences that have a hole. A hole after the end of a sentence does not belong to it.
fn without_holes(text: &str) -> String {
    if !text.contains(HOLE) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let (mut from, mut whole) = (0, true);
    let mut words = text.split_inclusive([' ', '\n', '。', '！', '？']).scan(0, |end, word| {
        *end += word.len();
        Some((word, *end))
    });
    let mut next = words.next();
    while let Some((word, end)) = next {
        next = words.next();
        let bare = word.trim_end();
        let inner = bare.trim_end_matches(HOLE);
        let lower_follows = next.is_some_and(|(word, _)| word.starts_with(char::is_lowercase));
        let ends = next.is_none() || ends_sentence(inner) && !lower_follows;
        whole &= !if ends && ends_sentence(inner) { inner.contains(HOLE) } else { bare.contains(HOLE) };
        if ends {
            if whole {
                out.extend(text[from..end].chars().filter(|&c| c != HOLE));
            }
            (from, whole) = (end, true);
        }
    }
    out
}

/// A line without the holes at its end, if a sentence ends before them.
pub(crate) fn without_last_hole(line: &str) -> &str {
    let before = line.trim_end_matches([HOLE, GAP, ' ']);
    let word = before.rsplit(' ').next().unwrap_or_default();
    if ends_sentence(word) { before } else { line }
}

/// Whether a word may end a sentence, apostrophes of the markup among its closing marks.
fn ends_sentence(word: &str) -> bool {
    evident_index::ends_sentence(word.trim_end_matches([')', '"', '”', '’', ']', APOSTROPHE, '\'']))
}

/// Text with single spaces and without private marks, invisible characters, empty brackets, and spaces before
/// punctuation.
pub(crate) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in word.chars() {
            match c {
                APOSTROPHE => out.push('\''),
                HOLE | GAP | LITERAL | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => {}
                c => out.push(c),
            }
        }
    }
    if !out.contains([',', ';', '.', ')']) {
        return out.trim().to_owned();
    }
    let mut tidy = String::with_capacity(out.len());
    let mut chars = out.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' if tidy.is_empty() || tidy.ends_with(' ') => {
                while chars.next_if(|c| matches!(c, ' ' | ',' | ';')).is_some() {}
                if chars.next_if_eq(&')').is_none() {
                    tidy.push('(');
                } else {
                    tidy.pop();
                }
            }
            ')' => {
                tidy.truncate(tidy.trim_end_matches([' ', ';', ',']).len());
                tidy.push(c);
            }
            ',' | '.' | ';' if tidy.ends_with(' ') && chars.peek().is_none_or(|next| *next == ' ') => {
                tidy.pop();
                tidy.push(c);
            }
            ' ' if tidy.ends_with(' ') => {}
            c => tidy.push(c),
        }
    }
    tidy.trim().to_owned()
}
