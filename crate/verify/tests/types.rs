//! The npm package has this crate's types in TypeScript: web/package/src/generated, as ts-rs derives them. `./build.sh
//! types` writes the files; this test fails if they are not current.

use std::any::type_name;
use std::fs;
use std::path::Path;

use evident_nn::{Backend, ErrorCode};
use evident_verify::conner::{self, ConnerReport, Outcome, Plain};
use evident_verify::{self as verify, Preset, Settings};
use serde_json::{Value, json};
use ts_rs::{Config, TS};

/// The longest line of a comment, without its indentation.
const WIDTH: usize = 118;

/// A type as TypeScript declares it.
struct Declared {
    name: String,
    text: String,
    /// The names of the types that it names.
    needs: Vec<String>,
}

/// A file of declarations.
struct File {
    name: &'static str,
    about: &'static str,
    types: Vec<Declared>,
    /// The text below the types.
    values: String,
}

impl Declared {
    fn of<T: TS + 'static>(sources: &str) -> Self {
        let config = Config::new().with_large_int("number");
        let (name, declaration) = (T::ident(&config), with_short_arrays(&T::decl(&config)));
        let docs = T::docs().unwrap_or_default() + &variants::<T>(&config, sources);
        let docs = docs.replace(" */\n/**\n", " *\n");
        let body = declaration.strip_prefix(&format!("type {name} = ")).and_then(|body| body.strip_suffix(';'));
        let declaration = match body.filter(|body| is_object(body)) {
            Some(body) => format!("interface {name} {body}"),
            None => declaration,
        };
        // A field that is not serialised if it is `None` is optional, and never null.
        let lines = declaration.lines().map(|line| match line.split_once("?: ") {
            Some((field, rest)) => format!("{field}?: {}\n", rest.replacen(" | null,", ",", 1)),
            None => format!("{line}\n"),
        });
        let text = in_typescript(&format!("{docs}export {}", lines.collect::<String>()));
        let needs = T::dependencies(&config).into_iter().map(|needed| needed.ts_name).collect();
        Self { name, text, needs }
    }

    /// Adds the defaults to the docs of its fields: those of `default`, and of `paper` if they differ.
    fn with_defaults(mut self, default: &Value, paper: Option<&Value>) -> Self {
        for (field, value) in default.as_object().unwrap() {
            let other = paper.map(|paper| &paper[field]).filter(|other| *other != value && field != "preset");
            let other = other.map(|other| format!("; of the preset \"paper\": `{other}`")).unwrap_or_default();
            let end = format!("\n */\n{field}: ");
            assert_eq!(self.text.matches(&end).count(), 1, "{field}");
            self.text = self.text.replace(&end, &format!("\n * @defaultValue `{value}`{other}{end}"));
        }
        self
    }
}

/// The comment that lists what each value of a union means: ts-rs has no docs of variants, so that they are read from
/// the source. Nothing for other types.
fn variants<T: TS>(config: &Config, sources: &str) -> String {
    let name = type_name::<T>().split('<').next().unwrap().rsplit("::").next().unwrap();
    let declared = ["", "<'a>"].iter().find_map(|of| sources.split_once(&format!("\npub enum {name}{of} {{\n")));
    let Some((_, rest)) = declared else { return String::new() };
    let (body, _) = rest.split_once("\n}\n").unwrap();
    let (mut found, mut docs, mut skipped) = (Vec::new(), Vec::new(), false);
    for line in body.lines().filter_map(|line| line.strip_prefix("    ")) {
        match line.strip_prefix("///") {
            Some(doc) => docs.extend(doc.split_whitespace()),
            None if line.starts_with("#[") => skipped |= line.contains("ts(skip)"),
            None if line.starts_with(char::is_uppercase) => {
                let docs = std::mem::take(&mut docs).join(" ");
                if !std::mem::take(&mut skipped) {
                    found.push(docs);
                }
            }
            None => {}
        }
    }
    let inline = T::inline(config);
    let values: Vec<String> = match inline.split_once("\"kind\": ") {
        None => inline.split(" | ").map(str::to_owned).collect(),
        Some((_, kinds)) => {
            kinds.split("\"kind\": ").map(|kind| format!("\"{}\"", kind.split('"').nth(1).unwrap())).collect()
        }
    };
    assert_eq!(found.len(), values.len(), "{name} in {values:?}");
    let items = values.iter().zip(&found).map(|(value, docs)| wrapped(&format!("- {value}: {docs}")));
    format!("/**\n{} */\n", items.collect::<String>())
}

/// The lines of a comment's list item.
fn wrapped(item: &str) -> String {
    let mut lines = vec![String::new()];
    for word in item.split(' ') {
        if lines.last().unwrap().len() + 1 + word.len() + 2 > WIDTH {
            lines.push("  ".to_owned());
        }
        let line = lines.last_mut().unwrap();
        *line += " ";
        *line += word;
    }
    lines.iter().map(|line| format!(" *{line}\n")).collect()
}

/// Whether a type is one object, and not a union or an intersection.
fn is_object(body: &str) -> bool {
    let mut depth = 0;
    let ends = body.char_indices().filter(|(_, letter)| {
        depth += i32::from(*letter == '{') - i32::from(*letter == '}');
        depth == 0
    });
    body.starts_with('{') && ends.map(|(at, _)| at).next() == Some(body.len() - 1)
}

/// `T[]` for `Array<T>`.
fn with_short_arrays(text: &str) -> String {
    let mut parts = text.split("Array<");
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (of, rest) = part.split_once('>').unwrap();
        short += &format!("{of}[]{rest}");
    }
    short
}

/// Rust's comments in TypeScript's words: no links, null for `None`, fields as JSON names them.
fn in_typescript(text: &str) -> String {
    let plain = text.replace("`None`", "null").replace("[`crate::", "`").replace("[`", "`").replace("`]", "`");
    let mut parts: Vec<String> = plain.split('`').map(str::to_owned).collect();
    for name in parts.iter_mut().skip(1).step_by(2) {
        if name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_') {
            let mut words = name.split('_');
            let first = words.next().unwrap_or_default().to_owned();
            *name = first + &words.map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>();
        }
    }
    parts.join("`")
}

/// The text with each comment of one line on one line.
fn with_short_comments(text: &str) -> String {
    let mut parts = text.split("/**\n * ");
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (comment, rest) = part.split_once("\n */\n").unwrap();
        short += &match comment.contains('\n') {
            true => format!("/**\n * {comment}\n */\n{rest}"),
            false => format!("/** {comment} */\n{rest}"),
        };
    }
    short
}

/// All Rust source of a crate.
fn sources(folder: &Path) -> String {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| if path.is_dir() { sources(&path) } else { fs::read_to_string(path).unwrap() })
        .collect()
}

/// The files, each of which may name the types of those before it.
fn files() -> [File; 5] {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let sources: String = ["base", "nn", "verify"].map(|name| sources(&crates.join(name).join("src"))).concat();
    macro_rules! declared {
        ($($type:ty),+ $(,)?) => { vec![$(Declared::of::<$type>(&sources)),+] };
    }
    let [recommended, paper] = [Preset::Recommended, Preset::Paper].map(|preset| json!(Settings::preset(preset)));
    let mut settings = declared![
        verify::Preset,
        verify::Unit,
        verify::Resolver,
        verify::Consult,
        verify::Search,
        verify::ScoreBy,
        verify::Facts,
        verify::Method,
        verify::Wording,
        verify::Demonstration,
    ];
    settings.push(Declared::of::<Settings>(&sources).with_defaults(&recommended, Some(&paper)));
    let presets = json!({"recommended": recommended, "paper": paper});
    let presets =
        format!("/** The settings of each preset. */\nexport const PRESETS: Record<Preset, Settings> = {presets};\n");
    let mut report = declared![
        Backend,
        verify::Span,
        verify::Verdict,
        verify::Confidence,
        verify::Risk,
        verify::SentenceKind,
        verify::Nli,
        verify::Reason,
        verify::PartReport,
        verify::ByWording,
        verify::Evidence,
        verify::Ambiguous,
        verify::Listed,
        verify::Citation,
        verify::SourceState,
        verify::Unread,
        verify::SourceReport,
        verify::UnjudgedSentence,
        verify::LeftOut,
        verify::Align,
        verify::MarkupKind,
        verify::Markup,
        verify::Split,
        verify::SentenceReport,
        verify::Decider,
        verify::Combination,
        verify::Summary,
        verify::BackendReport,
        verify::PackReport,
        verify::SourceKind,
        verify::SearchCost,
        verify::Revealed,
        verify::Reveals,
        verify::SourceInfo,
        verify::SourceFailure,
        verify::RerankKind,
        verify::RerankReport,
        verify::Timings,
        verify::TrafficReport,
        verify::ConsultedSource,
        verify::Report,
        verify::Stage,
        verify::VerifyEvent<'static>,
    ];
    let input = declared![verify::Input, verify::Block, verify::BlockKind, verify::LinkPlace, verify::Certainty];
    // ts-rs writes out the union of a flattened field; its name is shorter.
    let kinds = report.iter().find(|found| found.name == "MarkupKind").unwrap().text.clone();
    let (_, kinds) = kinds.split_once(" = ").unwrap();
    let markup = report.iter_mut().find(|found| found.name == "Markup").unwrap();
    let written = format!("({})", kinds.trim_end().trim_end_matches(';'));
    assert!(markup.text.contains(&written), "{}", markup.text);
    markup.text = markup.text.replace(&written, "MarkupKind");
    let mut scores = declared![
        conner::Item,
        conner::Missing,
        Plain,
        conner::Cut,
        Outcome<Plain>,
        conner::CheckedSentence,
        conner::Factuality,
        conner::ReadSentence,
        conner::Cohesion,
        conner::Coherence,
        conner::Informativeness,
        conner::Helpfulness,
        conner::Validity,
        conner::ScoreName,
        ConnerReport,
    ];
    scores.extend(declared![conner::Aggregate, conner::HelpfulAnswer, conner::ValidityForm]);
    let defaults = json!(conner::Settings::default());
    scores.push(Declared::of::<conner::Settings>(&sources).with_defaults(&defaults, None));
    let defaults = format!(
        "/** The settings if none are chosen. */\nexport const CONNER_DEFAULTS: ConnerSettings = {defaults};\n"
    );
    for score in &mut scores {
        score.text = score.text.replace("type Outcome<T> =", "type Outcome<T extends Score> =");
    }
    [
        File { name: "error-code", about: "What can go wrong.", types: declared![ErrorCode], values: String::new() },
        File { name: "settings", about: "What a caller can choose.", types: settings, values: presets },
        File { name: "input", about: "What is checked.", types: input, values: String::new() },
        File { name: "report", about: "What a verification tells.", types: report, values: String::new() },
        File {
            name: "conner",
            about: "What CONNER scores, and what its scores tell.",
            types: scores,
            values: defaults,
        },
    ]
}

/// The text of a file; `all` are those that it may import from.
fn written(file: &File, all: &[File]) -> String {
    let mut imports: Vec<String> = Vec::new();
    for other in all.iter().filter(|other| other.name != file.name) {
        let needed =
            other.types.iter().filter(|declared| file.types.iter().any(|by| by.needs.contains(&declared.name)));
        let mut needed: Vec<&str> = needed.map(|declared| declared.name.as_str()).collect();
        needed.sort_unstable();
        if !needed.is_empty() {
            imports.push(format!("import type {{ {} }} from \"./{}.js\";\n", needed.join(", "), other.name));
        }
    }
    imports.sort_unstable_by(|a, b| a.rsplit('"').nth(1).cmp(&b.rsplit('"').nth(1)));
    let types: Vec<&str> = file.types.iter().map(|declared| declared.text.as_str()).collect();
    let (about, imports, types) = (file.about, imports.concat(), types.join("\n"));
    with_short_comments(&format!(
        "/** {about} Written by `./build.sh types` from Rust's. */\n\n{imports}\n{types}\n{}",
        file.values
    ))
}

/// A text without the characters that a formatter may add or remove.
fn unformatted(text: &str) -> String {
    text.replace(|letter: char| letter.is_whitespace() || ",;|()\"*".contains(letter), "")
}

#[test]
fn the_packages_types_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/package/src/generated");
    let write = std::env::var("TYPES").is_ok_and(|how| how == "write");
    let all = files();
    for file in &all {
        let (path, text) = (folder.join(format!("{}.ts", file.name)), written(file, &all));
        if write {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        let current = unformatted(&found) == unformatted(&text);
        assert!(current, "{} is not what crate/verify declares: run ./build.sh types", path.display());
    }
}
