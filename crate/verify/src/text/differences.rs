//! In which words a statement and the passage that contradicts it differ, and what the passage says instead.
//!
//! Dates, numbers and names are compared by their kind and by the words around them. Any other word is compared with
//! what stands between the same two neighbours in the passage.

use std::collections::HashSet;
use std::ops::Range;

use evident_index::Analysis;
use unicode_segmentation::UnicodeSegmentation;

use crate::text::english::MONTHS;
use crate::text::entities::{EntityKind, entities};
use crate::text::sentences::{Sentence, sentences_of_prose};

/// How many pieces on each side of a piece are compared to find its counterpart in the other text.
const AROUND: usize = 5;

/// The most words of a passage that are taken to stand in place of words of the statement.
const MOST_INSTEAD: usize = 3;

/// Words that deny.
const NEGATIONS: [&str; 9] = ["not", "no", "never", "none", "neither", "nor", "without", "cannot", "nothing"];

/// What a stretch of words is. Only stretches of one kind are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Year,
    Month,
    /// A day of a month, a decade or a century.
    Time,
    Number,
    Name,
    Word,
}

/// A number, a name, a part of a date, or any other word.
#[derive(Debug)]
struct Piece {
    kind: Kind,
    /// The number of its sentence.
    sentence: usize,
    /// Its bytes in the text.
    span: Range<usize>,
    /// Its words as index terms, which are stemmed; a stop word is kept, in lower case.
    terms: Vec<String>,
    /// Whether it is more than a stop word.
    is_content: bool,
}

impl Piece {
    fn is_in(&self, terms: &HashSet<&str>) -> bool {
        self.terms.iter().all(|term| terms.contains(term.as_str()))
    }
}

/// The pieces of a text, in order. No name crosses the end of a sentence.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (number, Sentence { span: sentence, .. }) in sentences_of_prose(text).into_iter().enumerate() {
        let entities = entities(&text[sentence.clone()]);
        for (start, word) in text[sentence.clone()].unicode_word_indices() {
            let span = sentence.start + start..sentence.start + start + word.len();
            let entity = entities.iter().find(|entity| entity.span.start <= start && start < entity.span.end);
            let kind = entity.map_or(Kind::Word, |entity| kind_of(entity.kind, word));
            let indexed = Analysis::ENGLISH.terms(word).next();
            let is_content = kind != Kind::Word || indexed.is_some();
            let term = indexed.unwrap_or_else(|| word.to_lowercase());
            match (kind, pieces.last_mut()) {
                (Kind::Number, Some(last)) if last.kind == kind && &text[last.span.end..span.start] == " " => {
                    last.add(span, term);
                }
                (Kind::Name, Some(last))
                    if entity.is_some_and(|entity| sentence.start + entity.span.start <= last.span.start) =>
                {
                    last.add(span, term);
                }
                _ => pieces.push(Piece { kind, sentence: number, span, terms: vec![term], is_content }),
            }
        }
    }
    pieces
}

impl Piece {
    fn add(&mut self, word: Range<usize>, term: String) {
        self.span.end = word.end;
        self.terms.push(term);
    }
}

fn kind_of(kind: EntityKind, word: &str) -> Kind {
    match kind {
        EntityKind::Date if word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()) => Kind::Year,
        EntityKind::Date if MONTHS.contains(&word.to_lowercase().as_str()) => Kind::Month,
        EntityKind::Date => Kind::Time,
        EntityKind::Cardinal | EntityKind::Ordinal => Kind::Number,
        EntityKind::Person | EntityKind::Place | EntityKind::Organisation | EntityKind::Other => Kind::Name,
    }
}

/// A statement beside the passage that contradicts it.
pub(crate) struct Differences {
    /// The bytes of the passage's sentence that is nearest to the statement.
    sentence: Range<usize>,
    said: Vec<Piece>,
    /// The pieces of the stretch of the passage that was read.
    read: Vec<Piece>,
    title: HashSet<String>,
}

impl Differences {
    /// Compares `statement` with the stretch `read` of `passage`, whose nearest sentence is `sentence`.
    pub fn of(statement: &str, title: &str, passage: &str, read: Range<usize>, sentence: Range<usize>) -> Self {
        let mut found = pieces(&passage[read.clone()]);
        for piece in &mut found {
            piece.span = piece.span.start + read.start..piece.span.end + read.start;
        }
        let title = Analysis::ENGLISH.terms(title).collect();
        Self { sentence, said: pieces(statement), read: found, title }
    }

    /// The byte ranges of the words of the statement that the passage contradicts, from the first rule that finds any:
    /// dates, numbers and names that the passage lacks and has a counterpart of; those that it lacks; other words that
    /// it lacks and has a counterpart of; negations in the statement, if the nearest sentence of the passage has none.
    pub fn by_rule(&self) -> Vec<Range<usize>> {
        let known: HashSet<&str> =
            self.read.iter().flat_map(|piece| &piece.terms).chain(&self.title).map(String::as_str).collect();
        let lacking: Vec<&Piece> = self.said.iter().filter(|piece| piece.is_content && !piece.is_in(&known)).collect();
        let chosen = |choose: &dyn Fn(&Piece) -> bool| -> Vec<Range<usize>> {
            lacking.iter().filter(|piece| choose(piece)).map(|piece| piece.span.clone()).collect()
        };
        let mut choices = [
            chosen(&|piece| piece.kind != Kind::Word && self.instead(&piece.span).is_some()),
            chosen(&|piece| piece.kind != Kind::Word),
            chosen(&|piece| self.instead(&piece.span).is_some()),
            self.denials(),
        ]
        .into_iter();
        choices.find(|marks| !marks.is_empty()).unwrap_or_default()
    }

    /// The negations of the statement, if the nearest sentence of the passage has none.
    fn denials(&self) -> Vec<Range<usize>> {
        let denies =
            |piece: &&Piece| piece.terms.iter().any(|term| NEGATIONS.contains(&term.as_str()) || term.ends_with("n't"));
        let denied = self.near().any(|piece| denies(&piece));
        if denied { Vec::new() } else { self.said.iter().filter(denies).map(|piece| piece.span.clone()).collect() }
    }

    fn near(&self) -> impl Iterator<Item = &Piece> {
        self.read.iter().filter(|piece| self.is_near(piece))
    }

    fn is_near(&self, piece: &Piece) -> bool {
        self.sentence.start <= piece.span.start && piece.span.end <= self.sentence.end
    }

    /// The byte range of what the passage says in place of the words `said` of the statement; `None` if rules cannot
    /// tell.
    pub fn instead(&self, said: &Range<usize>) -> Option<Range<usize>> {
        let touches = |piece: &Piece| piece.span.start < said.end && said.start < piece.span.end;
        let first = self.said.iter().position(touches)?;
        let last = self.said.iter().rposition(touches)?;
        let content = || self.said[first..=last].iter().filter(|piece| piece.is_content);
        let kinds = [Kind::Year, Kind::Month, Kind::Name, Kind::Number, Kind::Time];
        let kind = kinds.into_iter().find(|&kind| content().any(|piece| piece.kind == kind));
        match kind.filter(|_| content().all(|piece| piece.kind != Kind::Word)) {
            Some(kind) => self.of_its_kind(kind, first, last),
            None => self.between_the_same(first, last),
        }
    }

    /// The piece of the passage of this kind that is in neither the statement nor the title and whose surroundings are
    /// most like those of the statement's pieces `first..=last` ([`Self::nearness`]); `None` if there is none, if none
    /// has surroundings in common, or if two different ones are equally near.
    fn of_its_kind(&self, kind: Kind, first: usize, last: usize) -> Option<Range<usize>> {
        let said: HashSet<&str> = self.said.iter().flat_map(|piece| &piece.terms).map(String::as_str).collect();
        let is_new = |piece: &Piece| {
            piece.kind == kind && !piece.is_in(&said) && !piece.terms.iter().all(|term| self.title.contains(term))
        };
        let mut found: Vec<(usize, &Piece)> = (0..self.read.len())
            .filter(|&at| is_new(&self.read[at]))
            .map(|at| (self.nearness(first, last, at), &self.read[at]))
            .collect();
        found.sort_by_key(|(nearness, _)| std::cmp::Reverse(*nearness));
        match found.as_slice() {
            [(0, _), ..] | [] => None,
            [(best, piece), (next, other), ..] if best == next && piece.terms != other.terms => None,
            [(_, piece), ..] => Some(piece.span.clone()),
        }
    }

    /// How much the surroundings of the passage's piece `at` and of the statement's pieces `first..=last` have in
    /// common. Each content word that both have counts up to [`AROUND`] points, more if it is nearer to `at`.
    /// [`AROUND`] points are added if the words before are the same, if the words after are the same, and if `at` is in
    /// the passage's nearest sentence.
    fn nearness(&self, first: usize, last: usize, at: usize) -> usize {
        let said =
            self.said[first.saturating_sub(AROUND)..first].iter().chain(self.said[last + 1..].iter().take(AROUND));
        let said: HashSet<&String> = said.filter(|piece| piece.is_content).flat_map(|piece| &piece.terms).collect();
        let beside = |other: usize| {
            let piece = &self.read[other];
            let is_said =
                piece.sentence == self.read[at].sentence && piece.terms.iter().any(|term| said.contains(term));
            if other != at && is_said { AROUND + 1 - other.abs_diff(at) } else { 0 }
        };
        let around = at.saturating_sub(AROUND)..(at + AROUND + 1).min(self.read.len());
        let shared: usize = around.map(beside).sum();
        let same = |ours: Option<&String>, theirs: Option<&String>| ours.is_some() && ours == theirs;
        let before =
            |pieces: &[Piece], at: usize| pieces.get(at.wrapping_sub(1)).and_then(|piece| piece.terms.last().cloned());
        let after = |pieces: &[Piece], at: usize| pieces.get(at + 1).and_then(|piece| piece.terms.first().cloned());
        let bonuses = [
            same(before(&self.said, first).as_ref(), before(&self.read, at).as_ref()),
            same(after(&self.said, last).as_ref(), after(&self.read, at).as_ref()),
            self.is_near(&self.read[at]),
        ];
        shared + AROUND * bonuses.into_iter().filter(|&bonus| bonus).count()
    }

    /// The words of the passage's nearest sentence that stand between the same two neighbours as the statement's pieces
    /// `first..=last`, if they are [`MOST_INSTEAD`] pieces at most and differ from these.
    fn between_the_same(&self, first: usize, last: usize) -> Option<Range<usize>> {
        let (before, after) = (&self.said[first.checked_sub(1)?].terms, &self.said.get(last + 1)?.terms);
        let near: Vec<&Piece> = self.near().collect();
        let said: Vec<&[String]> = self.said[first..=last].iter().map(|piece| piece.terms.as_slice()).collect();
        (0..near.len()).filter(|&start| near[start].terms.last() == before.last()).find_map(|start| {
            let length = (1..=MOST_INSTEAD)
                .find(|n| near.get(start + n + 1).is_some_and(|end| end.terms.first() == after.first()))?;
            let found = &near[start + 1..=start + length];
            let first = found.iter().position(|piece| piece.is_content)?;
            let found = &found[first..=found.iter().rposition(|piece| piece.is_content)?];
            let differs = !found.iter().map(|piece| piece.terms.as_slice()).eq(said.iter().copied());
            differs.then(|| found[0].span.start..found[found.len() - 1].span.end)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A statement with its marked words in brackets, and what the passage says instead of the first of them.
    fn marked(statement: &str, title: &str, passage: &str) -> (String, Option<String>) {
        let found = Differences::of(statement, title, passage, 0..passage.len(), 0..passage.len());
        let marks = found.by_rule();
        let instead = marks.first().and_then(|mark| found.instead(mark)).map(|span| passage[span].to_owned());
        let mut shown = statement.to_owned();
        for mark in marks.iter().rev() {
            shown.replace_range(mark.clone(), &format!("[{}]", &statement[mark.clone()]));
        }
        (shown, instead)
    }

    #[test]
    fn another_date_number_or_name_is_named() {
        for (statement, title, passage, shown, instead) in [
            (
                "The Wall fell on 9 November 1991.",
                "Berlin Wall",
                "Built in 1961, the Wall fell on 9 November 1989.",
                "The Wall fell on 9 November [1991].",
                Some("1989"),
            ),
            (
                "The atomic number of carbon is 8.",
                "Carbon",
                "Carbon has symbol C and atomic number 6. It makes four bonds.",
                "The atomic number of carbon is [8].",
                Some("6"),
            ),
            (
                "Dracula was written by the Irish author James Joyce.",
                "Dracula",
                "Dracula is a novel of 1897 by the Irish author Bram Stoker, set in Transylvania.",
                "Dracula was written by the Irish author [James Joyce].",
                Some("Bram Stoker"),
            ),
            (
                "Angel Falls is 1,640 metres high.",
                "Angel Falls",
                "Angel Falls is 979 metres high.",
                "Angel Falls is [1,640] metres high.",
                Some("979"),
            ),
        ] {
            let (marks, found) = marked(statement, title, passage);
            assert_eq!((marks.as_str(), found.as_deref()), (shown, instead));
        }
    }

    #[test]
    fn a_word_between_the_same_neighbours_is_named() {
        let passage = "The bee hummingbird is the smallest bird in the world.";
        let (marks, found) =
            marked("The bee hummingbird is the largest bird in the world.", "Bee hummingbird", passage);
        assert_eq!(marks, "The bee hummingbird is the [largest] bird in the world.");
        assert_eq!(found.as_deref(), Some("smallest"));
        let severn = "The Severn is the longer of two rivers.";
        assert_eq!(marked("The Severn is shorter of two rivers.", "Severn", severn).1.as_deref(), Some("longer"));
    }

    #[test]
    fn a_denial_that_the_passage_lacks_is_marked() {
        let (marks, found) = marked("Readers cannot edit Wikipedia.", "Wikipedia", "Readers can edit Wikipedia.");
        assert_eq!((marks.as_str(), found.as_deref()), ("Readers [cannot] edit Wikipedia.", Some("can")));
        assert_eq!(marked("Iron rusts.", "Iron", "Iron rusts."), ("Iron rusts.".to_owned(), None));
    }

    #[test]
    fn of_two_that_are_equally_near_neither_is_named() {
        let (_, found) = marked("It weighs 9 kg.", "", "One weighs 4 kg. One weighs 5 kg.");
        assert_eq!(found, None);
    }
}
