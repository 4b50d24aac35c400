//! What each sentence of an answer cites: links, bare addresses, footnotes, and numbers such as "[1]" whose addresses a
//! list of references has.

use std::collections::BTreeMap;

use crate::report::{Citation, LeftOut, SentenceKind, Span, UnjudgedSentence};
use crate::text::markup::{Markup, MarkupKind};
use crate::text::prose::{Letter, Numbers, citations, labels, plain_digit, plain_digits};

/// Adds to each sentence its citations. A citation within a sentence or directly after it belongs to that sentence: "It
/// rusts.[1]", "It rusts. ([NASA](https://...))". One before the first sentence of its paragraph, item or row belongs
/// to that sentence. `references` are those of the `blocks`, and `numbers` says which numbers in brackets are
/// citations.
pub(crate) fn cite(
    sentences: &mut [UnjudgedSentence],
    left_out: &[LeftOut],
    blocks: &[Markup],
    references: &BTreeMap<String, String>,
    numbers: Numbers,
) {
    let judged = sentences.iter().enumerate().map(|(number, sentence)| (sentence.span, Some(number)));
    let others = left_out.iter().filter(|other| other.kind != SentenceKind::Fragment).map(|other| (other.span, None));
    let mut all: Vec<(Span, Option<usize>)> = judged.chain(others).collect();
    all.sort_unstable_by_key(|(span, _)| span.start);
    let mut reader = Reader { references, numbers, sentences: all, within: Vec::new(), cited: Vec::new() };
    reader.read(blocks);
    for (number, citation) in reader.cited {
        sentences[number].citations.push(citation);
    }
}

/// The address that each citation label of these blocks stands for. It is taken from footnotes, from lines that begin
/// with "[1]", from links on the number between the brackets of "[1]", and from numbered lists in which every item has
/// an address.
pub(crate) fn references(blocks: &[Markup]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    blocks.iter().for_each(|block| refer(block, &mut found));
    found
}

fn refer(block: &Markup, references: &mut BTreeMap<String, String>) {
    match &block.kind {
        MarkupKind::Footnote { label } => {
            if let Some(address) = address_in(&block.children) {
                references.insert(label.clone(), address);
            }
            return;
        }
        MarkupKind::Paragraph | MarkupKind::Item { .. } => {
            let is_break = |node: &Markup| matches!(&node.kind, MarkupKind::Text { text } if text == "\n");
            for line in block.children.split(is_break) {
                if let Some(label) = line.first().and_then(label_before)
                    && let Some(address) = address_in(line)
                {
                    references.insert(label, address);
                }
            }
        }
        MarkupKind::List { first: Some(first) } => {
            let addresses: Option<Vec<String>> = block.children.iter().map(|item| address_in(&item.children)).collect();
            for (number, address) in (*first..).zip(addresses.unwrap_or_default()) {
                references.entry(number.to_string()).or_insert(address);
            }
        }
        _ => {}
    }
    for pair in block.children.windows(2) {
        let (MarkupKind::Text { text }, MarkupKind::Link { url }) = (&pair[0].kind, &pair[1].kind) else { continue };
        let label = words(&pair[1].children);
        if let Some(address) = address_of(url).filter(|_| text.ends_with(['[', ',', '-', '–', ' ']) && is_label(&label))
            && text.rsplit(']').next().is_some_and(|open| open.contains('['))
        {
            references.entry(label).or_insert(address);
        }
    }
    block.children.iter().for_each(|child| refer(child, references));
}

struct Reader<'a> {
    /// The addresses of footnotes and references by their labels.
    references: &'a BTreeMap<String, String>,
    numbers: Numbers<'a>,
    /// All sentences but fragments, in order, each with its number if it is judged.
    sentences: Vec<(Span, Option<usize>)>,
    /// The paragraphs, items and rows that are open.
    within: Vec<Span>,
    /// The citations found, each with the number of its sentence.
    cited: Vec<(usize, Citation)>,
}

impl Reader<'_> {
    /// Finds the citations in these nodes and their children.
    fn read(&mut self, nodes: &[Markup]) {
        for node in nodes {
            match &node.kind {
                MarkupKind::Text { text } => self.read_text(text, node.span.start),
                MarkupKind::Link { url } => {
                    if let Some(address) = address_of(url) {
                        let label = words(&node.children);
                        let label = label.trim().trim_matches(['[', ']']).to_owned();
                        let at = node.children.first().map_or(node.span, |child| child.span).start;
                        self.add(at, Citation { span: node.span, label, address: Some(address) });
                    }
                }
                MarkupKind::FootnoteReference { label } => self.add_label(label.clone(), node.span),
                MarkupKind::Paragraph | MarkupKind::Item { .. } | MarkupKind::Row { .. } => {
                    self.within.push(node.span);
                    self.read(&node.children);
                    self.within.pop();
                }
                MarkupKind::Footnote { .. }
                | MarkupKind::CodeBlock { .. }
                | MarkupKind::Code
                | MarkupKind::Image
                | MarkupKind::Reasoning => {}
                _ => self.read(&node.children),
            }
        }
    }

    /// Finds the citation numbers and the bare addresses in a text that begins at `start`, in UTF-16 units.
    fn read_text(&mut self, text: &str, start: usize) {
        let mut end = start;
        let letters: Vec<Letter> = text
            .chars()
            .map(|c| {
                let at = end;
                end += c.len_utf16();
                Letter::at(c, at..end)
            })
            .collect();
        for range in citations(&letters, self.numbers) {
            let mark = &letters[range];
            let span = Span { start: mark[0].start, end: mark[mark.len() - 1].end };
            for label in labels(&mark.iter().map(|letter| letter.c).collect::<String>()) {
                self.add_label(label, span);
            }
        }
        let (mut byte, mut unit) = (0, start);
        for (at, address) in addresses(text) {
            unit += text[byte..at].encode_utf16().count();
            byte = at;
            let span = Span { start: unit, end: unit + address.encode_utf16().count() };
            self.add(unit, Citation { span, label: address.to_owned(), address: Some(address.to_owned()) });
        }
    }

    fn add_label(&mut self, label: String, span: Span) {
        let address = self.references.get(&label).cloned();
        self.add(span.start, Citation { span, label, address });
    }

    /// Adds a citation at the place `at` to its sentence, if that is judged.
    fn add(&mut self, at: usize, citation: Citation) {
        let after = self.sentences.partition_point(|(span, _)| span.start <= at);
        let (before, next) = (after.checked_sub(1).map(|number| self.sentences[number]), self.sentences.get(after));
        // The sentence before or, failing that, the next one must begin in the same block. Inner blocks are tried
        // first.
        let of = self.within.iter().rev().find_map(|block| {
            let is_in = |(span, _): &(Span, _)| block.start <= span.start && span.start < block.end;
            before.filter(is_in).or(next.copied().filter(is_in))
        });
        if let Some((_, Some(number))) = of {
            self.cited.push((number, citation));
        }
    }
}

/// The label that a line of references begins with, as in "[1] Title, https://..." or "¹ https://...".
fn label_before(first: &Markup) -> Option<String> {
    let MarkupKind::Text { text } = &first.kind else { return None };
    let line = text.trim_start();
    let label = match line.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0.to_owned(),
        None => plain_digits(line.split(|c: char| plain_digit(c).is_none()).next()?),
    };
    let label = label.trim_start_matches('^').trim();
    is_label(label).then(|| label.to_owned())
}

/// Whether a label is a citation number: one to three digits.
fn is_label(label: &str) -> bool {
    (1..=3).contains(&label.len()) && label.bytes().all(|b| b.is_ascii_digit())
}

/// The first address in these stretches.
fn address_in(nodes: &[Markup]) -> Option<String> {
    nodes.iter().find_map(|node| match &node.kind {
        MarkupKind::Link { url } => address_of(url),
        MarkupKind::Text { text } => addresses(text).next().map(|(_, address)| address.to_owned()),
        _ => address_in(&node.children),
    })
}

/// `url` without white space around it, if it is a web address.
fn address_of(url: &str) -> Option<String> {
    let url = url.trim();
    is_web(url).then(|| url.to_owned())
}

/// Whether a text begins with "http://" or "https://" and goes on.
fn is_web(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)) && text.len() > scheme.len()
    })
}

/// The bare web addresses in a text, each with its byte offset, without the punctuation that ends a sentence or a
/// bracket after them.
fn addresses(text: &str) -> impl Iterator<Item = (usize, &str)> {
    const LONGEST: usize = 2_000; // browsers and servers take no longer ones
    text.match_indices("http").filter_map(|(at, _)| {
        let is_apart = !text[..at].ends_with(|c: char| c.is_alphanumeric() || "/=?&%".contains(c));
        if !is_apart || !is_web(&text[at..]) {
            return None;
        }
        let near = &text[at..text.ceil_char_boundary(at + LONGEST + 1)];
        let rest = near.split([' ', '\n', '\t', '<', '>', '"', '”', '】', '|']).next()?;
        let mut unopened = rest.matches(')').count().saturating_sub(rest.matches('(').count());
        let mut address = rest;
        loop {
            let shorter = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '\'', ']']);
            match shorter.strip_suffix(')') {
                Some(inner) if unopened > 0 => (address, unopened) = (inner, unopened - 1),
                _ if shorter.len() < address.len() => address = shorter,
                _ => break,
            }
        }
        (rest.len() <= LONGEST && is_web(address)).then_some((at, address))
    })
}

/// The text of these nodes, without its markup.
pub(crate) fn words(nodes: &[Markup]) -> String {
    nodes
        .iter()
        .map(|node| match &node.kind {
            MarkupKind::Text { text } => text.clone(),
            _ => words(&node.children),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::settings::Settings;
    use crate::text::split::split;

    /// Each judged sentence with its citations, as "label=address".
    fn cited(answer: &str) -> Vec<(String, Vec<String>)> {
        let units: Vec<u16> = answer.encode_utf16().collect();
        let found = split(answer, None, &Settings::default()).unwrap();
        let one = |sentence: crate::report::UnjudgedSentence| {
            let citations = sentence.citations.into_iter().map(|citation| {
                let mark = String::from_utf16(&units[citation.span.start..citation.span.end]).unwrap();
                assert!(
                    mark.contains(&citation.label) || "¹【[".contains(&mark[..mark.ceil_char_boundary(1)]),
                    "{mark}"
                );
                format!("{}={}", citation.label, citation.address.as_deref().unwrap_or("?"))
            });
            (sentence.text, citations.collect())
        };
        found.sentences.into_iter().map(one).collect()
    }

    #[track_caller]
    fn check(answer: &str, expected: &[(&str, &[&str])]) {
        let found = cited(answer);
        let found: Vec<(&str, Vec<&str>)> =
            found.iter().map(|(text, marks)| (text.as_str(), marks.iter().map(String::as_str).collect())).collect();
        let expected: Vec<(&str, Vec<&str>)> = expected.iter().map(|(text, marks)| (*text, marks.to_vec())).collect();
        assert_eq!(found, expected, "{answer}");
    }

    #[test]
    fn a_link_is_of_the_sentence_that_it_stands_in_or_behind() {
        check(
            "🪐 Mars has [two moons](https://a.org/m \"Moons\"). [Iron](https://a.org/i) is a metal.",
            &[
                ("🪐 Mars has two moons.", &["two moons=https://a.org/m"]),
                ("Iron is a metal.", &["Iron=https://a.org/i"]),
            ],
        );
        check(
            "Mars has two moons. ([NASA](https://nasa.gov/m), [ESA](http://esa.int)) Tin is a metal ([T](https://a.org/t)).",
            &[
                ("Mars has two moons.", &["NASA=https://nasa.gov/m", "ESA=http://esa.int"]),
                ("Tin is a metal.", &["T=https://a.org/t"]),
            ],
        );
        check(
            "Mars has two moons. Source: [NASA](https://nasa.gov/m). Iron is a metal[1](https://a.org/i).",
            &[("Mars has two moons.", &["NASA=https://nasa.gov/m"]), ("Iron is a metal.", &["1=https://a.org/i"])],
        );
        check("Mars has two moons [[1]](https://a.org/m).", &[("Mars has two moons.", &["1=https://a.org/m"])]);
    }

    #[test]
    fn an_address_of_no_page_cites_nothing() {
        check(
            "Mars has [two](javascript:x) [moons](mailto:a@b.c) ![map](https://a.org/m.png) `[1]`.",
            &[("Mars has two moons map [1].", &[])],
        );
    }

    #[test]
    fn an_address_ends_before_a_bracket_that_it_does_not_open_and_has_a_greatest_length() {
        check(
            "Tin is soft (see https://a.org/t_(metal)).",
            &[("Tin is soft (see https://a.org/t_(metal)).", &["https://a.org/t_(metal)=https://a.org/t_(metal)"])],
        );
        let cites = |length: usize| {
            let answer = format!("Tin is soft: https://a.org/{}.", "t".repeat(length - "https://a.org/.".len()));
            cited(&answer)[0].1.len()
        };
        assert_eq!((cites(2_000), cites(2_001)), (1, 0));
    }

    #[test]
    fn reference_links_and_footnotes_have_the_address_that_stands_elsewhere() {
        check(
            "Mars has two moons [1]. Iron is a metal [there][i].\n\n[1]: https://a.org/m\n[i]: <https://a.org/i>",
            &[("Mars has two moons.", &["1=https://a.org/m"]), ("Iron is a metal there.", &["there=https://a.org/i"])],
        );
        check(
            "Mars has two moons.[^1] Iron is a metal.[^b]\n\n[^1]: NASA, *Moons*, https://a.org/m.\n[^b]: [I](https://a.org/i)",
            &[("Mars has two moons.", &["1=https://a.org/m"]), ("Iron is a metal.", &["b=https://a.org/i"])],
        );
        check("Iron is a metal.[^1]\n\n[^1]: Smith, 1999", &[("Iron is a metal.", &["1=?"])]);
    }

    #[test]
    fn numbers_have_the_addresses_of_a_list_of_references() {
        check(
            "Mars has two moons [1]. Iron is a metal [2, 3]. Tin is soft【4†source】. Gold is a metal [9].\n\n\
             [1] NASA: https://a.org/m.\n[2] [I](https://a.org/i)\n[3] none\n[4]: Tin (https://a.org/t_(metal)) 1999",
            &[
                ("Mars has two moons.", &["1=https://a.org/m"]),
                ("Iron is a metal.", &["2=https://a.org/i", "3=?"]),
                ("Tin is soft.", &["4=https://a.org/t_(metal)"]),
                ("Gold is a metal.", &["9=?"]),
            ],
        );
        check(
            "Mars has two moons.[1-2] Iron is a metal.¹\n\n## References\n\n1. [Moons](https://a.org/m)\n2. <https://a.org/n>",
            &[
                ("Mars has two moons.", &["1=https://a.org/m", "2=https://a.org/n"]),
                ("Iron is a metal.", &["1=https://a.org/m"]),
            ],
        );
    }

    #[test]
    fn a_list_in_a_list_and_a_row_of_a_table_cite_for_themselves() {
        check(
            "- Mars has two moons. [N](https://a.org/m)\n  - Iron is a metal: https://a.org/i\n    - [T](https://a.org/t)\n\
             - Tin is soft.\n\n  ([S](https://a.org/s))\n\n[All](https://a.org/all)",
            &[
                ("Mars has two moons.", &["N=https://a.org/m"]),
                ("Iron is a metal: https://a.org/i", &["https://a.org/i=https://a.org/i", "T=https://a.org/t"]),
                ("Tin is soft.", &["S=https://a.org/s"]),
            ],
        );
        check(
            "| Planet | Moons |\n|---|---|\n| [Mars](https://a.org/m) | 2 [1] |\n| Venus | 0 |\n\n> Tin is soft.[1]\n\n[1] https://a.org/n",
            &[
                ("Mars: Moons 2", &["Mars=https://a.org/m", "1=https://a.org/n"]),
                ("Venus: Moons 0", &[]),
                ("Tin is soft.", &["1=https://a.org/n"]),
            ],
        );
    }

    #[test]
    fn a_mark_behind_what_is_not_judged_is_nobodys_and_one_before_a_sentence_is_its() {
        check(
            "Iron is a metal. I love iron! [1](https://a.org/i)\n\n[2](https://a.org/t) Tin is soft.",
            &[("Iron is a metal.", &[]), ("Tin is soft.", &["2=https://a.org/t"])],
        );
    }

    /// With a running time quadratic in the length, this would take hours.
    #[test]
    fn hostile_answers_are_read() {
        for answer in ["[1] ".repeat(200_000), "Iron is a metal.[1-999] ".repeat(20_000), "https://a ".repeat(80_000)] {
            let settings = Settings { max_characters: 1_000_000, ..Settings::default() };
            split(&answer, None, &settings).unwrap();
        }
    }
}
