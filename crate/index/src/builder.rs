//! From passages to the files of an index. The same passages and options give the same bytes.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::bm25::{B, K1};
use crate::manifest::{Hash, spread};
use crate::passages::PassageShard;
use crate::terms::{Posting, TermShard};
use crate::{ANALYSIS, FORMAT, MANIFEST, Manifest, Passage, Shard, analyse};

/// How to build an index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BuildOptions {
    /// BM25's saturation of term frequency; 0 or more.
    pub k1: f32,
    /// BM25's weight of length; from 0 to 1.
    pub b: f32,
    /// The size in bytes that shards aim at; above 0.
    pub shard_bytes: usize,
    /// The fewest terms a term shard has on average, above 0: a request for one of many says little about the query.
    pub shard_terms: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        // On the demo's corpus a cold query costs 40 % fewer bytes than with shards of 16 KiB, and 10 requests for 9.
        Self { k1: K1, b: B, shard_bytes: 8 << 10, shard_terms: 256 }
    }
}

/// What was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildSummary {
    /// Number of passages.
    pub passages: u32,
    /// Number of distinct terms.
    pub terms: u32,
    /// Number of terms in all passages together.
    pub tokens: u64,
    /// Number of files, the manifest included.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The manifest's checksum, which names this index.
    pub checksum: Hash,
}

/// Why an index could not be built. Passages are numbered from 1 here, as the lines of their file.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The file of passages could not be read.
    #[error("{} could not be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is not a passage.
    #[error("line {line} is not a passage ({reason}): write one JSON object per line, with id, title and text")]
    NotAPassage {
        /// Its number.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A passage has no text.
    #[error("line {line}: the passage {id:?} has no text: fill it or leave it out")]
    EmptyText {
        /// The passage's number.
        line: usize,
        /// The passage's id.
        id: String,
    },
    /// Two passages share an id.
    #[error("line {line}: the id {id:?} is already that of line {first}: give each passage its own")]
    DuplicateId {
        /// The later passage's number.
        line: usize,
        /// The earlier passage's number.
        first: usize,
        /// Their id.
        id: String,
    },
    /// There is nothing to index.
    #[error("there are no passages to index")]
    NoPassages,
    /// There is more to index than the format's 32-bit numbers can count.
    #[error("there are more passages, or longer ones, than one index can hold: build several")]
    TooLarge,
    /// An option is out of its range.
    #[error("k1 must be 0 or more, b from 0 to 1, and a shard's bytes and terms above 0")]
    BadOptions,
    /// The place for the index is taken by something else.
    #[error("{} is there already and is not an index: choose another place or remove it", path.display())]
    Occupied {
        /// The place.
        path: PathBuf,
    },
    /// The index could not be written. What was at its place before is still there.
    #[error("{} could not be written: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl BuildError {
    /// The stable name of this kind of error, for callers that branch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadOptions => "bad-settings",
            Self::Write { .. } | Self::Occupied { .. } => "index-unwritable",
            _ => "bad-passages",
        }
    }
}

/// The passages of a JSONL file, one object per line: `id`, `title`, `text`, and where wanted `section` and `source`.
/// Errors name the line.
pub fn read_jsonl(path: &Path) -> impl Iterator<Item = Result<Passage, BuildError>> + use<> {
    let path = path.to_path_buf();
    let (lines, unopened) = match File::open(&path) {
        Ok(file) => (Some(BufReader::new(file).split(b'\n')), None),
        Err(source) => (None, Some(Err(BuildError::Read { path: path.clone(), source }))),
    };
    let passages = lines.into_iter().flatten().zip(1..).map(move |(text, line)| {
        let text = text.map_err(|source| BuildError::Read { path: path.clone(), source })?;
        parse_line(&text, line)
    });
    unopened.into_iter().chain(passages)
}

/// The passage in one line of a JSONL file, its line number `line` counted from 1.
///
/// # Errors
/// [`BuildError::NotAPassage`].
pub fn parse_line(text: &[u8], line: usize) -> Result<Passage, BuildError> {
    serde_json::from_slice(text).map_err(|error| {
        // The parser ends its message with a place inside this one line.
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        BuildError::NotAPassage { line, reason: format!("{reason}, column {}", error.column()) }
    })
}

/// Builds an index of `passages` at `out`, a directory. An index that is there already is replaced once the new one is whole;
/// a build that fails or is killed leaves it as it was. All passages are held in memory.
///
/// # Errors
/// The first error among `passages`, or a [`BuildError`] that says what to mend.
pub fn build(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    out: &Path,
    options: &BuildOptions,
) -> Result<BuildSummary, BuildError> {
    let (manifest, files) = assemble(passages, options)?;
    replace(out, &files)?;
    Ok(BuildSummary {
        passages: manifest.passages,
        terms: manifest.terms,
        tokens: manifest.tokens,
        files: files.len(),
        bytes: files.values().map(|bytes| bytes.len() as u64).sum(),
        checksum: manifest.checksum,
    })
}

/// Files by name.
type Files = BTreeMap<String, Vec<u8>>;

/// The index of `passages` in memory: its manifest, and all its files by name, that of the manifest among them. [`build`]
/// writes these.
///
/// # Errors
/// The first error among `passages`, or a [`BuildError`] that says what to mend.
pub fn assemble(
    passages: impl IntoIterator<Item = Result<Passage, BuildError>>,
    options: &BuildOptions,
) -> Result<(Manifest, BTreeMap<String, Vec<u8>>), BuildError> {
    let &BuildOptions { k1, b, shard_bytes, shard_terms } = options;
    if !(k1 >= 0.0 && k1.is_finite() && (0.0..=1.0).contains(&b) && shard_bytes > 0 && shard_terms > 0) {
        return Err(BuildError::BadOptions);
    }
    let passages = collect(passages)?;
    let (lists, tokens) = invert(&passages)?;

    let mut files = Files::new();
    let mut write = |bytes: Vec<u8>| {
        let shard = Shard::of(&bytes);
        files.insert(shard.path(), bytes);
        shard
    };
    let term_shards = split_terms(&lists, shard_bytes, shard_terms).into_iter().map(&mut write).collect();
    let (passage_shards, passages_per_shard) = split_passages(&passages, shard_bytes);
    let mut manifest = Manifest {
        format: FORMAT,
        analysis: ANALYSIS.into(),
        k1,
        b,
        passages: short(passages.len())?,
        terms: short(lists.len())?,
        tokens,
        passages_per_shard: short(passages_per_shard)?,
        term_shards,
        passage_shards: passage_shards.into_iter().map(&mut write).collect(),
        checksum: Hash::of(&[]),
    };
    files.insert(MANIFEST.into(), manifest.seal());
    Ok((manifest, files))
}

/// The passages, each with an id of its own and some text.
fn collect(passages: impl IntoIterator<Item = Result<Passage, BuildError>>) -> Result<Vec<Passage>, BuildError> {
    let mut lines = HashMap::new();
    let mut collected = Vec::new();
    for (passage, line) in passages.into_iter().zip(1..) {
        let passage = passage?;
        let id = passage.id.clone();
        if passage.text.trim().is_empty() {
            return Err(BuildError::EmptyText { line, id });
        }
        if let Some(first) = lines.insert(id.clone(), line) {
            return Err(BuildError::DuplicateId { line, first, id });
        }
        collected.push(passage);
    }
    if collected.is_empty() { Err(BuildError::NoPassages) } else { Ok(collected) }
}

/// Each term's postings, and the number of terms in all passages together.
fn invert(passages: &[Passage]) -> Result<(BTreeMap<String, Vec<Posting>>, u64), BuildError> {
    let mut lists = BTreeMap::<String, Vec<Posting>>::new();
    let mut tokens = 0;
    for (number, passage) in passages.iter().enumerate() {
        let mut frequencies = BTreeMap::<String, u32>::new();
        let mut length = 0_usize;
        for term in analyse(&passage.title).chain(analyse(&passage.text)) {
            *frequencies.entry(term).or_default() += 1;
            length += 1;
        }
        let (number, length) = (short(number)?, short(length)?);
        tokens += u64::from(length);
        for (term, frequency) in frequencies {
            lists.entry(term).or_default().push(Posting { passage: number, frequency, length });
        }
    }
    Ok((lists, tokens))
}

/// Term shards of about `shard_bytes` bytes and at least about `shard_terms` terms.
fn split_terms(lists: &BTreeMap<String, Vec<Posting>>, shard_bytes: usize, shard_terms: usize) -> Vec<Vec<u8>> {
    let lists: Vec<_> = lists.iter().map(|(term, postings)| (term.as_str(), postings.as_slice())).collect();
    let whole = TermShard::encode(&lists).len();
    let count = whole.div_ceil(shard_bytes).min(lists.len() / shard_terms).max(1);
    let mut parts = vec![Vec::new(); count];
    for list in lists {
        parts[spread(list.0, count)].push(list);
    }
    parts.iter().map(|part| TermShard::encode(part)).collect()
}

/// Passage shards of about `shard_bytes` bytes, and the number of passages in each.
fn split_passages(passages: &[Passage], shard_bytes: usize) -> (Vec<Vec<u8>>, usize) {
    let whole = PassageShard::encode(passages).len();
    let count = whole.div_ceil(shard_bytes).min(passages.len());
    let per_shard = passages.len().div_ceil(count);
    (passages.chunks(per_shard).map(PassageShard::encode).collect(), per_shard)
}

fn short(number: usize) -> Result<u32, BuildError> {
    u32::try_from(number).map_err(|_| BuildError::TooLarge)
}

/// Puts a directory of `files` in the place of the index at `out`, if there is one. The files are written beside it and moved
/// when they are whole; an old index that a killed move left aside is put back first.
fn replace(out: &Path, files: &Files) -> Result<(), BuildError> {
    let beside = |what: &str| {
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        out.with_file_name(format!(".{name}.evident-{what}"))
    };
    let (new, old) = (beside("new"), beside("old"));

    if old.exists() && !out.exists() {
        fs::rename(&old, out).map_err(unwritable(out))?;
    }
    let replaces = out.join(MANIFEST).exists();
    let empty = || out.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    if out.exists() && !replaces && !empty() {
        return Err(BuildError::Occupied { path: out.into() });
    }
    for left_over in [&new, &old].into_iter().filter(|path| path.exists()) {
        fs::remove_dir_all(left_over).map_err(unwritable(left_over))?;
    }
    write(&new, files).inspect_err(|_| _ = fs::remove_dir_all(&new))?;
    if replaces {
        fs::rename(out, &old).map_err(unwritable(&old))?;
    }
    if let Err(source) = fs::rename(&new, out) {
        if replaces {
            fs::rename(&old, out).map_err(unwritable(out))?;
        }
        return Err(unwritable(out)(source));
    }
    if replaces {
        fs::remove_dir_all(&old).map_err(unwritable(&old))?;
    }
    Ok(())
}

fn write(directory: &Path, files: &Files) -> Result<(), BuildError> {
    fs::create_dir_all(directory).map_err(unwritable(directory))?;
    files.iter().try_for_each(|(name, bytes)| {
        let path = directory.join(name);
        fs::write(&path, bytes).map_err(unwritable(&path))
    })
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> BuildError + use<> {
    let path = path.to_path_buf();
    move |source| BuildError::Write { path: path.clone(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    fn passage(id: &str, text: &str) -> Result<Passage, BuildError> {
        Ok(Passage { id: id.into(), title: "Title".into(), section: None, text: text.into(), source: None })
    }

    fn written(directory: &Path) -> Files {
        let entries = directory.read_dir().unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
    }

    fn jsonl(lines: &str) -> Result<Vec<Passage>, BuildError> {
        let directory = tempdir().unwrap();
        let path = directory.path().join("passages.jsonl");
        fs::write(&path, lines).unwrap();
        read_jsonl(&path).collect()
    }

    #[test]
    fn the_same_passages_give_the_same_bytes() {
        let directory = tempdir().unwrap();
        let passages = || (0..500).map(|n| passage(&n.to_string(), &format!("word{n} word{} of many", n / 3)));
        let [one, two] = ["one", "two"].map(|name| directory.path().join(name));
        let summary = build(passages(), &one, &BuildOptions::default()).unwrap();
        assert_eq!(build(passages(), &two, &BuildOptions::default()).unwrap(), summary);
        assert_eq!(written(&one), written(&two));
        assert_eq!((summary.passages, summary.files), (500, written(&one).len()));
    }

    #[test]
    fn an_index_is_replaced_whole_and_nothing_is_left_beside_it() {
        let directory = tempdir().unwrap();
        let out = directory.path().join("index");
        build([passage("a", "old text")], &out, &BuildOptions::default()).unwrap();
        let old = written(&out);
        build([passage("a", "new text")], &out, &BuildOptions::default()).unwrap();
        assert_ne!(written(&out), old);
        assert_eq!(directory.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_build_that_fails_leaves_the_old_index() {
        let directory = tempdir().unwrap();
        let out = directory.path().join("index");
        build([passage("a", "old text")], &out, &BuildOptions::default()).unwrap();
        let old = written(&out);
        build([passage("a", "new text"), passage("b", " ")], &out, &BuildOptions::default()).unwrap_err();
        assert_eq!(written(&out), old);
    }

    #[test]
    fn a_build_after_a_killed_one_mends_what_it_left() {
        let directory = tempdir().unwrap();
        let (out, old) = (directory.path().join("index"), directory.path().join(".index.evident-old"));
        fs::create_dir(directory.path().join(".index.evident-new")).unwrap();
        build([passage("a", "old text")], &old, &BuildOptions::default()).unwrap();
        build([passage("a", "new text")], &out, &BuildOptions::default()).unwrap();
        assert_eq!(directory.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_directory_that_is_not_an_index_is_never_replaced() {
        let directory = tempdir().unwrap();
        fs::write(directory.path().join("letters.txt"), "dear").unwrap();
        let built = build([passage("a", "text")], directory.path(), &BuildOptions::default());
        assert!(matches!(built, Err(BuildError::Occupied { .. })));
        assert_eq!(written(directory.path()).len(), 1);
    }

    #[test]
    fn a_passage_without_text_or_with_a_used_id_is_named_by_its_line() {
        let assembled = |passages: [_; 3]| assemble(passages, &BuildOptions::default()).unwrap_err().to_string();
        let duplicate = assembled([passage("a", "one"), passage("b", "two"), passage("a", "three")]);
        assert_eq!(duplicate, "line 3: the id \"a\" is already that of line 1: give each passage its own");
        let empty = assembled([passage("a", "one"), passage("b", " \n"), passage("c", "three")]);
        assert_eq!(empty, "line 2: the passage \"b\" has no text: fill it or leave it out");
    }

    #[test]
    fn nothing_to_index_and_options_out_of_range_are_errors() {
        let with = |options| assemble([passage("a", "text")], &options).unwrap_err();
        assert!(matches!(assemble([], &BuildOptions::default()), Err(BuildError::NoPassages)));
        assert!(matches!(with(BuildOptions { k1: f32::NAN, ..Default::default() }), BuildError::BadOptions));
        assert!(matches!(with(BuildOptions { b: 1.1, ..Default::default() }), BuildError::BadOptions));
        assert!(matches!(with(BuildOptions { shard_bytes: 0, ..Default::default() }), BuildError::BadOptions));
    }

    #[test]
    fn a_line_of_json_is_a_passage() {
        let lines = r#"{"id":7,"title":"T","text":"x","extra":true}
{"id":"b","title":"T","text":"y","section":"S","source":"https://example.org"}
"#;
        let passages = jsonl(lines).unwrap();
        assert_eq!(passages[0].id, "7");
        assert_eq!(passages[1].section.as_deref(), Some("S"));
    }

    #[test]
    fn a_line_that_is_not_a_passage_is_named() {
        let error = jsonl("{\"id\":1,\"title\":\"T\",\"text\":\"x\"}\n{\"id\":2}\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2 is not a passage (missing field `title`, column 8)"), "{error}");
        let missing = read_jsonl(Path::new("nowhere.jsonl")).next();
        assert!(matches!(missing, Some(Err(BuildError::Read { .. }))));
    }
}
