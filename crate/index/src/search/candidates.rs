//! The passages that a query has met, with the bounds of their scores.

/// Where an unresolved passage's score is guessed to lie, from its least (0) to its most (1).
const GUESS: f32 = 0.3;

/// A posting that was read.
#[derive(Clone, Copy)]
pub(super) struct Met {
    pub passage: u32,
    /// The term's number in the query.
    pub term: u32,
    /// What the posting earns of the term's weight.
    pub saturation: f32,
}

impl Met {
    /// Ascends by passage, and within one by term.
    pub fn order(&self) -> u64 {
        u64::from(self.passage) << u32::BITS | u64::from(self.term)
    }
}

/// A passage that was met, with the least and the most that its score can be. They are equal once it is resolved.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub passage: u32,
    pub least: f32,
    pub most: f32,
}

impl Candidate {
    pub fn is_resolved(&self) -> bool {
        self.least == self.most
    }

    /// Whether it is unresolved and may still be among the best, which score at least `bar`.
    pub fn is_open(&self, bar: f32) -> bool {
        !self.is_resolved() && self.most >= bar
    }

    /// A guess at its score, by which its text is read earlier or later.
    pub fn guess(&self) -> f32 {
        self.least + GUESS * (self.most - self.least)
    }
}

/// How far a query is after a round trip.
pub(super) struct Standing {
    /// By ascending passage.
    pub candidates: Vec<Candidate>,
    /// The score that a passage needs in order to be among the best.
    pub bar: f32,
    /// The most that a passage can score which was not met.
    pub unmet: f32,
    /// The number of open candidates.
    pub open: usize,
}

impl Standing {
    /// Whether no other passage can be among the best.
    pub fn is_settled(&self) -> bool {
        self.open == 0 && (self.unmet == 0.0 || self.unmet < self.bar)
    }
}

/// The `k` resolved candidates with the highest scores, best first and ties by passage number.
pub(super) fn best<'a>(candidates: impl IntoIterator<Item = &'a Candidate>, k: usize) -> Vec<Candidate> {
    let mut resolved: Vec<_> = candidates.into_iter().copied().filter(Candidate::is_resolved).collect();
    let order = |a: &Candidate, b: &Candidate| b.least.total_cmp(&a.least).then(a.passage.cmp(&b.passage));
    if k < resolved.len() {
        resolved.select_nth_unstable_by(k, order);
        resolved.truncate(k);
    }
    resolved.sort_unstable_by(order);
    resolved
}
