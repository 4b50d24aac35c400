//! Passages in JSONL: one object per line, with `id`, `title`, `text`, and if wanted `section`, `source` and `names`;
//! or with fields of other names.

use std::path::PathBuf;

use evident_index::{BuildError, Cutter, Passage, parse_line};

use crate::error::CorpusError;
use crate::fields::Fields;
use crate::lines::Lines;

/// The passages of the file at `path`, whose text is `lines`; with `cut`, of the articles that its lines are.
pub(crate) fn passages(
    path: PathBuf,
    lines: Lines,
    fields: Option<Fields>,
    cut: bool,
) -> Box<dyn Iterator<Item = Result<Passage, CorpusError>> + Send> {
    let lines = of_lines(path, lines, fields);
    if !cut {
        return Box::new(lines);
    }
    Box::new(lines.flat_map(|line| {
        let (article, error) = match line {
            Ok(article) => (Some(article), None),
            Err(error) => (None, Some(Err(error))),
        };
        article.map(passages_of).into_iter().flatten().map(Ok).chain(error)
    }))
}

fn of_lines(
    path: PathBuf,
    mut lines: Lines,
    fields: Option<Fields>,
) -> impl Iterator<Item = Result<Passage, CorpusError>> + Send {
    let mut text = Vec::new();
    std::iter::from_fn(move || {
        let line = match lines.next_line(&mut text) {
            Ok(line) => line?,
            Err(source) => return Some(Err(lines.failed(&path, source))),
        };
        let passage = match &fields {
            Some(fields) => fields.passage(&text, line),
            None => parse_line(&text, line).map_err(|error| match error {
                BuildError::NotAPassage { reason, .. } => reason,
                error => error.to_string(),
            }),
        };
        Some(passage.map_err(|reason| CorpusError::NotAPassage { path: path.clone(), line, reason }))
    })
}

/// The passages of an article that stands in one line.
fn passages_of(article: Passage) -> impl Iterator<Item = Passage> {
    let Passage { id, title, section, text, source, names } = article;
    let mut cutter = Cutter::new(id, title, move |_| source.clone()).named(names);
    cutter.section(section);
    for line in text.lines().map(str::trim) {
        match line.strip_prefix("==").and_then(|line| line.strip_suffix("==")) {
            Some(heading) => {
                let heading = heading.trim_matches('=').trim();
                cutter.section(Some(heading.to_owned()).filter(|heading| !heading.is_empty()));
            }
            None => cutter.block(line),
        }
    }
    cutter.end();
    std::iter::from_fn(move || cutter.pop())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_in_a_line_is_cut_at_its_headings() {
        let text = "Iron is a metal.\n== Uses ==\nSteel is made of iron.\n== See also ==\nSteel".into();
        let article = Passage { id: "7".into(), title: "Iron".into(), text, ..Passage::default() };
        let passages: Vec<_> = passages_of(article).collect();
        let told: Vec<_> = passages.iter().map(|p| (p.id.as_str(), p.section.as_deref(), p.text.as_str())).collect();
        assert_eq!(told, [("7#1", None, "Iron is a metal."), ("7#2", Some("Uses"), "Steel is made of iron.")]);
    }
}
