//! Whatever an answer is made of, the time that it takes to split it grows with its length and not with its square, and
//! a statement without an end is judged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use evident_index::Passage;
use evident_nn::{Backend, ONLY_MODEL, Pack, open_device};
use evident_verify::{
    About, BackendReport, Block, BlockKind, GivenPassages, Input, Judge, LinkPlace, PackReport, Retriever,
    SentenceKind, Settings, Verifier, split,
};
use futures_lite::future::block_on;

/// The bytes of the texts that are split: by default an answer may have as many characters.
const LENGTH: usize = 20_000;

/// The longest that a text may take without optimisation: most take a twentieth of it. A time quadratic in the length,
/// as of a scan from each full stop to the end, is ten seconds and more.
const MOST: Duration = Duration::from_secs(2);

/// What a text is made of, over and over.
const PARTS: &[&str] = &[
    // marks
    ".",
    ",",
    ";",
    ":",
    "!",
    "?",
    "…",
    "．",
    "。",
    "\"",
    "'",
    "“",
    "”",
    "’",
    "«",
    "»",
    "‚",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "【",
    "】",
    "\\",
    "*",
    "**",
    "_",
    "__",
    "`",
    "``",
    "|",
    "&",
    "#",
    "~",
    "~~",
    "-",
    "–",
    "—",
    "+",
    "=",
    "$",
    "%",
    "@",
    "/",
    "^",
    "•",
    "·",
    "\u{fffc}",
    "()",
    "[]",
    "{}",
    "<>",
    "\"\"",
    "“”",
    ".)",
    ".\"",
    ".'",
    ")(",
    "](",
    // white space and what is not seen
    " ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "\u{a0}",
    "\u{2028}",
    "\u{200b}",
    "\u{200d}",
    "\u{ad}",
    "\u{301}",
    "e\u{301}",
    "\u{fe0f}",
    "\u{7f}",
    "\0",
    "\u{e0049}",
    // letters and digits
    "a",
    "A",
    "1",
    "a1",
    "aA",
    "日",
    "日。",
    "ア",
    "ل",
    "ل. ",
    "🎉",
    "🎉 A",
    "🇦🇺",
    "👩\u{200d}🔬",
    "é",
    "ß",
    "İ",
    "¹",
    "½",
    // words
    "a.",
    "a. ",
    "A. ",
    "A.",
    "a? ",
    "a?",
    "a?b",
    "A!",
    "A!\"",
    "Aa.Bb",
    "Aa.b",
    "1.",
    "1. ",
    "1.1.",
    "1. A ",
    "a) A ",
    "(a) A ",
    ". . ",
    ". .",
    "? ! ",
    "Mr. ",
    "No. ",
    "etc. ",
    "a.m. ",
    "U.S. ",
    "Inc. ",
    "V. ",
    "St. ",
    "Ph.D. ",
    "c. ",
    "he ",
    "it ",
    "He is. ",
    "It is so. ",
    "its ",
    "they ",
    "This metal is. ",
    "and ",
    ", and ",
    "Aa ",
    "Aa, ",
    "Aa of ",
    "Aa is a bb. ",
    "A,",
    "de ",
    "use, ",
    "take, ",
    "be sure, ",
    "never ",
    "please ",
    "sorry, ",
    "I believe ",
    "if ",
    "one: ",
    "Aa: Bb is. ",
    "Mars 🎉 ",
    "\"a\" ",
    "\"Aa.\" ",
    "\"Aa,\" said Bb. ",
    "a \"b. ",
    "said ",
    "(a. ",
    "(a. B) ",
    "“A. ",
    "is ",
    "was. ",
    "Is it? ",
    "No. ",
    "Yes, ",
    "will ",
    "should ",
    "http",
    "http://a",
    ".http://a",
    "www.",
    "https://a.org/)) ",
    "It was built. ",
    "Aa is, it is. ",
    "When she was, ",
    "In 1903, ",
    "- Aa: It is. ",
    "A is B 🎉 ",
    // blocks
    "- ",
    "- a\n",
    "* ",
    "> ",
    ">",
    "> a\n",
    "1. a\n",
    "a\n\n",
    "# ",
    "# a\n",
    "a\n---\n",
    "```\n",
    "```a\n```\n",
    "~~~\n",
    "    a\n\n",
    "\n- ",
    "• A ",
    "a\tb\n",
    "\t-",
    "|a|b|\n",
    "|-",
    "|-|-|\n",
    "(a) b\n",
    "- [ ] a\n",
    "a  \n",
    "***\n",
    // inline marks
    "[1]",
    "[1] ",
    "[^1]",
    "[^1]: a\n\n",
    "[a]: b\n",
    "[a](b)",
    "[1](b)",
    "[a](<b",
    "![a](",
    "[a][",
    "![",
    "[[",
    "]]",
    "**a",
    "*a ",
    "*a* ",
    "_a_",
    "__a",
    "`a",
    "``a`",
    "~a",
    "(~a",
    "~~a",
    "<a",
    "<a>",
    "</a>",
    "<a b=\"",
    "<!--",
    "-->",
    "<?",
    "<![CDATA[",
    "&a;",
    "&#",
    "&amp;",
    "\\a",
    "\\(",
    "\\(a\\)",
    "$a$",
    "$a ",
    "$$",
    "\\[=",
    "\\n",
    "\\\"",
    "([a](b))",
    "([a](b), ",
    "A [1, 2]. ",
    // HTML
    "<br>",
    "<p>",
    "<td>",
    "<tr><td>a",
    "<th>a",
    "<div>\n",
    "<sup>1",
    ".<sup>1</sup>",
    "<s>",
    "</s>",
    "<script>",
    "<li>",
    // chatbots' marks
    "<think>",
    "</think>",
    "<think>a</think>",
    "<think>a</think>\n\nb\n\n",
    "`</think>",
    "[think]",
    "citeturn",
    "citeturn0",
    "\u{e200}",
    "\u{e200}\"",
    "\u{e201}",
    "<|",
    "<|a|>",
    "<grok:",
    ":contentReference[",
    "{index=",
    "({\"attribution\":",
    "[cite: 1",
    "【4†a】",
    "【",
    ".¹",
    "[a†",
    "[web:1]",
    "{\"answer\": \"a b\"}",
    "{\"",
    "A: ",
    "Q: ",
    "H_2OH_2OH_2O",
    "_^",
];

/// What stands before and behind what is repeated, where that makes it another text.
const AROUND: &[(&str, &str, &str)] = &[
    ("Aa ", ". ", "b"),
    ("Aa", ".", " Bb"),
    ("\"Aa ", "b. C ", "\""),
    ("Aa (", "b. C ", ")"),
    ("Aa said \"", "b! C? ", "\" he said."),
    (". ", ")", " A"),
    ("Iron. ", ")", "a"),
    ("Iron.", "\"'", "a"),
    ("<pre>\n", "<a\n\n", "</pre>"),
    ("<div\n", "<a", ""),
    ("<div\n", "<a'", ">"),
    ("a|b\n-|-\n", "a|b\n", ""),
    ("|a|\n|-|\n", "|", ""),
    ("Aa is a bb. ", "It is. ", ""),
    ("Aa and Bb are. ", "They are. ", ""),
    ("{\"answer\": \"", "a\\n", "\"}"),
    ("analysis", "a", "assistantfinal"),
];

/// A text of about `length` bytes that is `part` over and over.
fn repeated(part: &str, length: usize) -> String {
    part.repeat(length / part.len())
}

/// The next of a row of numbers that are always the same, by xorshift.
fn next(seed: &mut u64) -> usize {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 33) as usize
}

/// Texts of about `length` bytes: each part by itself, with something around it, behind a long word, line or head of
/// a table, and with other parts.
fn texts(length: usize) -> Vec<(String, Input)> {
    let mut found: Vec<(String, Input)> = Vec::new();
    let mut add = |name: String, text: String| found.push((name, Input::Markdown(text)));
    for part in PARTS {
        add(format!("{part:?}"), repeated(part, length));
    }
    for (before, part, behind) in AROUND {
        add(format!("{before:?} {part:?} {behind:?}"), [before, &*repeated(part, length), behind].concat());
    }
    let half = length / 2;
    for (name, first, part) in [
        ("spaces before marks", repeated(" ", half), "```\na\n```\n"),
        ("marks before spaces", repeated("a</think>", half), " "),
        ("stops before a word", repeated("? ", half), "a"),
        ("brackets before spaces", repeated("(", half), ") "),
        ("quotes in a quote", repeated("> ", half), "a "),
        ("lists in a list", repeated("- ", half), "a. A "),
        ("breaks before digits", repeated("<br>", half), "1"),
        ("a long name", format!("{} is a metal. ", repeated("Aa", half)), "It is. "),
        ("a long noun", format!("Iron is a {}. ", repeated("b", half)), "It is. "),
        ("many names", repeated("Aa ", half) + "is. ", "It is. "),
        ("a long lead-in", format!("- {}: It is. ", repeated("Aa", half)), "It is. "),
        ("a long column", format!("|a|{}|\n|-|-|\n", repeated("b", half)), "|c|d|\n"),
        ("many columns", format!("{}|\n{}|\n", repeated("|a", half / 2), repeated("|-", half / 2)), "|b|c|\n"),
        ("a long cell", format!("a\t{}\n", repeated("b", half)), "1\t2\n"),
        ("a long head", format!("<table><tr><th>a<th>{}<tr>", repeated("b", half)), "<td>c<td>d<tr>"),
        ("a long address", format!("http://{} ", repeated("a)", half)), "http://a "),
        ("a word of stops", repeated("a?", half), " a? b"),
    ] {
        add(name.to_owned(), first + &repeated(part, half));
    }
    for number in 0..40 {
        let mut seed = 0x9e37_79b9_7f4a_7c15 + number;
        let few: Vec<&str> = (0..2 + number % 7).map(|_| PARTS[next(&mut seed) % PARTS.len()]).collect();
        let mut text = String::new();
        while text.len() < length {
            text.push_str(few[next(&mut seed) % few.len()]);
        }
        add(format!("{few:?}"), text);
    }
    for part in [".", "a ", "\n", "\t", "- ", "[1] ", "1.\n", "• ", "a\tb\n", "(a) b\n"] {
        found.push((format!("plain {part:?}"), Input::Plain(repeated(part, length))));
    }
    for (kind, part) in [
        (BlockKind::Paragraph, "1 "),
        (BlockKind::Paragraph, "1,"),
        (BlockKind::Paragraph, "1"),
        (BlockKind::Item, "a "),
        (BlockKind::Row, "1\t"),
        (BlockKind::Row, "1 "),
    ] {
        let text = repeated(part, length);
        let starts = (0..text.len()).step_by(part.len());
        let links = starts.map(|start| LinkPlace { start, end: start + 1, url: "https://a.org".into() }).collect();
        let block = Block { kind, text, links, ..Block::default() };
        found.push((format!("links in {kind:?} {part:?}"), Input::Blocks(vec![block])));
    }
    found
}

/// The time that this thread has computed. Where the system does not tell, the time that has gone by.
fn worked() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    let began = BEGAN.get_or_init(Instant::now);
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| began.elapsed(), Duration::from_nanos)
}

fn time(input: Input) -> Duration {
    let settings = Settings { max_characters: 1_000_000, ..Settings::default() };
    let began = worked();
    split(input, None, &settings).unwrap();
    worked() - began
}

#[test]
fn no_text_takes_long() {
    for (name, text) in texts(LENGTH) {
        let took = time(text);
        assert!(took < MOST, "{LENGTH} bytes of {name} took {took:?}");
    }
}

/// What is quadratic in the length takes four times as long for twice of it.
#[test]
#[ignore = "takes long, and measures"]
fn twice_the_length_takes_twice_the_time() {
    /// Times below it are not compared.
    const FLOOR: Duration = Duration::from_millis(60);
    let mut slow = Vec::new();
    for ((name, half), (_, whole)) in texts(LENGTH).into_iter().zip(texts(2 * LENGTH)) {
        let least = |input: &Input| (0..3).map(|_| time(input.clone())).min().unwrap_or_default();
        if time(whole.clone()) < FLOOR {
            continue;
        }
        let (half, whole) = (least(&half), least(&whole));
        if whole > FLOOR && whole > half * 5 / 2 {
            slow.push(format!("{name}: {half:?}, then {whole:?}"));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

/// A verifier with random weights and one passage, whose model reads 200 tokens at once.
fn verifier() -> Verifier {
    let (device, name) = block_on(open_device(Backend::Cpu)).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parity/models/golden/mpnet");
    let mut pack = Pack::open(&golden).unwrap();
    let backend = BackendReport { kind: Backend::Cpu, name };
    let about = About { backend, pack: PackReport::of(pack.manifest()), models: BTreeMap::new(), marked_by: None };
    let judge = block_on(Judge::load(&mut pack, ONLY_MODEL, &device)).unwrap();
    let passage = Passage { title: "Iron".into(), text: "Iron is a metal.".into(), ..Passage::default() };
    let source = Rc::new(GivenPassages::new("given", vec![passage]));
    Verifier::new(Arc::new(judge), Retriever::new(vec![source], None), about)
}

#[test]
fn all_of_a_statement_without_an_end_is_judged_or_left_out() {
    let (verifier, settings) = (verifier(), Settings::default());
    let verify = |answer: &str| block_on(verifier.verify(verifier.judge(), answer, None, &settings, &())).unwrap();
    for part in ["iron ", "i", "1, ", "iron and "] {
        let answer = repeated(part, LENGTH);
        let report = verify(&answer);
        let [sentence] = &report.sentences[..] else { panic!("one sentence of {part:?}") };
        let said: String = sentence.parts.iter().map(|part| part.text.as_str()).collect();
        let said = if sentence.parts.is_empty() { &sentence.statement } else { &said };
        let letters = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
        assert!(letters(said) == letters(&answer) && sentence.unread.is_empty(), "{part:?}: {said}");
    }
    let report = verify(&repeated("鉄", LENGTH));
    assert_eq!((report.sentences.len(), report.left_out[0].kind), (0, SentenceKind::Language));
}
