//! The redirects of a dump: further titles of its articles.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The titles that lead to each article. They take some 40 bytes each: 0.4 GB for the English Wikipedia's.
#[derive(Debug, Default)]
pub(crate) struct Redirects {
    /// The titles, each with a line break after it.
    titles: String,
    /// The hash of the article's title, and where the title that leads to it begins. The probability that any two of
    /// ten million titles have the same hash is about 1 in 300,000.
    places: Vec<(u64, usize)>,
}

impl Redirects {
    /// Notes that `title` leads to the article `target`.
    pub fn add(&mut self, title: &str, target: &str) {
        self.places.push((hash(target), self.titles.len()));
        self.titles.extend(title.lines());
        self.titles.push('\n');
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        (self.titles.capacity() + self.places.capacity() * size_of::<(u64, usize)>()) as u64
    }

    /// Sorts the redirects. [`Self::to`] needs this after the last [`Self::add`].
    pub fn sort(&mut self) {
        self.places.sort_unstable();
    }

    /// The titles that lead to `article`, in the order of the dump.
    pub fn to<'a>(&'a self, article: &str) -> impl Iterator<Item = &'a str> {
        let hash = hash(article);
        let first = self.places.partition_point(|&(other, _)| other < hash);
        let places = self.places[first..].iter().take_while(move |&&(other, _)| other == hash);
        places.filter_map(|&(_, start)| self.titles[start..].lines().next())
    }
}

fn hash(title: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    title.hash(&mut hasher);
    hasher.finish()
}
