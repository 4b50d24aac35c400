//! A query's way through the index: what is read next, and when its best passages are proved.
//!
//! A long list is ordered by what its postings earn, in tiers. After some tiers of each list, a passage that was met has at
//! least the sum of its postings that were read, and at most that and what the unread rest of the other lists may give it; a
//! passage that was not met has at most the sum of all rests (Fagin et al. 2003, "no random access"). The text of a passage
//! resolves it: its score is computed from its words, bit for bit as from postings.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::format::bucket::{CELL_BITS, bucket_of, term_hash};
use crate::format::directory::Kind;
use crate::format::passages::Passage;
use crate::format::postings::Posting;
use crate::index::Opened;
use crate::read::chunks::{Address, Chunk, Chunks};
use crate::{Hit, IndexError, Storage, analyse};

/// Bytes of lists that the first round trip reads at least; each later one reads twice as many as the one before.
const FIRST_LISTS: u64 = 100_000;

/// The share of a query's bytes that its lists may take. What is left for texts finds more than lists read deeper would.
const LISTS_SHARE: f64 = 0.8;

/// With so many passages unresolved at most, their texts are read rather than more of the lists.
const FEW: usize = 40;

/// Where an unresolved passage's score is guessed to lie between the least and the most it can be.
const GUESS: f32 = 0.3;

/// Bounds are raised by so much, against rounding.
const SLACK: f32 = 1.0001;

/// What one query may cost. The buckets of its words and the texts of its hits are read in any case, so that one of many rare
/// words may cost more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the chunks that it needs, cached or not. From a host without byte ranges whole files are read, and cost more.
    pub bytes: u64,
    /// Round trips of concurrent reads, at least 2.
    pub trips: u32,
}

impl Limits {
    /// What a query over a corpus of any size may cost a reader on the web: 100 KB in two round trips.
    pub const WEB: Self = Self::within(100_000);

    /// Limits of so many bytes, and of the round trips that suit them: two, and one more for each time that 100 KB are doubled.
    #[must_use]
    pub const fn within(bytes: u64) -> Self {
        let doublings = match (bytes / FIRST_LISTS).checked_ilog2() {
            Some(doublings) => doublings,
            None => 0,
        };
        Self { bytes, trips: 2 + doublings }
    }
}

impl Default for Limits {
    /// None: every query goes on until its hits are proved.
    fn default() -> Self {
        Self { bytes: u64::MAX, trips: u32::MAX }
    }
}

/// Whether a query's hits are the best passages there are.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Completeness {
    /// They are what a search of every passage gives.
    #[default]
    Exact,
    /// The limits came first. Each hit's score is right; a passage that is not among them scores at most this.
    Bound(f32),
}

impl Completeness {
    /// The most that a passage which is not among the hits can score; `None` where these are proved.
    pub fn bound(self) -> Option<f32> {
        match self {
            Self::Exact => None,
            Self::Bound(bound) => Some(bound),
        }
    }
}

/// What a search finds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The best passages, best first.
    pub hits: Vec<Hit>,
    /// The query's terms, each with the share of the index's passages that hold it: 0 for a term that it does not know.
    pub frequencies: BTreeMap<String, f64>,
    /// Whether there may be better ones.
    pub completeness: Completeness,
}

/// A query under way.
pub(crate) struct Search<'a> {
    opened: &'a Opened,
    terms: Vec<Term<'a>>,
    k: usize,
    limits: Limits,
    long: Vec<LongList>,
    /// What is known of each passage that was met, by passage and then by term.
    met: Vec<Met>,
    groups: BTreeMap<Address, Rc<Chunk>>,
    resolved: HashMap<u32, f32>,
    spent: u64,
}

struct Term<'a> {
    text: &'a str,
    /// How often it stands in the query.
    count: u32,
    /// How many passages hold it.
    passages: usize,
}

/// A term's long list in one segment.
struct LongList {
    term: usize,
    segment: usize,
    first: usize,
    tiers: usize,
    /// How many tiers were read.
    read: usize,
    /// The most that a posting in the tiers that were not read earns of the term's weight.
    rest: f32,
}

/// A posting that was read.
#[derive(Clone, Copy)]
struct Met {
    passage: u32,
    term: usize,
    saturation: f32,
}

/// A passage that was met: the least and the most its score can be. They are the same once it is resolved.
#[derive(Clone, Copy)]
struct Candidate {
    passage: u32,
    least: f32,
    most: f32,
}

/// Where the query stands after a round trip.
struct Standing {
    candidates: Vec<Candidate>,
    /// The score that a passage needs in order to be among the best.
    bar: f32,
    /// The most that a passage can have which was not met.
    unmet: f32,
    /// How many passages are unresolved and may be among the best.
    open: usize,
}

impl Standing {
    fn is_settled(&self) -> bool {
        self.open == 0 && (self.unmet == 0.0 || self.unmet < self.bar)
    }
}

impl Candidate {
    fn is_resolved(&self) -> bool {
        self.least == self.most
    }

    /// Whether it is unresolved and may be among the best, which have `bar` at least.
    fn is_open(&self, bar: f32) -> bool {
        !self.is_resolved() && self.most >= bar
    }

    fn guess(&self) -> f32 {
        self.least + GUESS * (self.most - self.least)
    }
}

impl<'a> Search<'a> {
    /// A search for the `k` best passages; `terms` says how often each term stands in the query.
    pub fn new(opened: &'a Opened, terms: &'a BTreeMap<String, u32>, k: usize, limits: Limits) -> Self {
        let mut long = Vec::new();
        let mut found = Vec::new();
        for (term, (text, &count)) in terms.iter().enumerate() {
            let mut passages = 0;
            for (segment, part) in opened.segments.iter().enumerate() {
                let Some(list) = part.directory.long_list(text) else { continue };
                passages += list.count as usize;
                let tiers = part.directory.tiers_of(list);
                long.push(LongList { term, segment, first: list.first, tiers, read: 0, rest: 1.0 });
            }
            found.push(Term { text, count, passages });
        }
        Self {
            opened,
            terms: found,
            k,
            limits,
            long,
            met: Vec::new(),
            groups: BTreeMap::new(),
            resolved: HashMap::new(),
            spent: 0,
        }
    }

    pub async fn run<S: Storage>(mut self, chunks: &Chunks<S>) -> Result<Found, IndexError> {
        let mut plan = self.first();
        let mut trip = 1;
        loop {
            self.spent += plan.iter().map(|&address| self.cost(address)).sum::<u64>();
            let read = chunks.read(&self.opened.segments, &plan).await?;
            self.take(read);
            let standing = self.standing();
            plan = self.next(&standing, trip);
            if plan.is_empty() {
                return Ok(self.found(standing));
            }
            trip += 1;
        }
    }

    /// The first round trip: the buckets of all terms that have no long list, and the first tiers of the others.
    fn first(&self) -> BTreeSet<Address> {
        let mut plan = BTreeSet::new();
        for term in &self.terms {
            let cell = term_hash(term.text) >> (u32::BITS - CELL_BITS);
            for (number, segment) in self.opened.segments.iter().enumerate() {
                if segment.directory.long_list(term.text).is_none() {
                    plan.insert((number, Kind::Terms, bucket_of(cell, segment.directory.terms.chunks())));
                }
            }
        }
        let buckets: u64 = plan.iter().map(|&address| self.cost(address)).sum();
        let mut left = self.lists_of(1).min(self.lists()).saturating_sub(buckets);
        let mut by_rarity: Vec<_> = (0..self.long.len()).collect();
        by_rarity.sort_by_key(|&list| self.terms[self.long[list].term].passages);
        let mut ahead = vec![0; self.long.len()];
        for list in by_rarity {
            let address = self.long[list].tier(0);
            if let Some(rest) = left.checked_sub(self.cost(address)) {
                left = rest;
                ahead[list] = 1;
                plan.insert(address);
            }
        }
        plan.extend(self.tiers(left, ahead));
        plan
    }

    /// Bytes that may be spent on lists; the rest is for texts.
    fn lists(&self) -> u64 {
        (self.limits.bytes as f64 * LISTS_SHARE) as u64
    }

    /// Bytes of lists that round trip number `trip` reads, so that the last but one comes to the end of [`Self::lists`].
    fn lists_of(&self, trip: u32) -> u64 {
        let doublings = self.limits.trips.clamp(2, u64::BITS) - 1;
        let first = self.lists() / ((1 << doublings) - 1);
        first.max(FIRST_LISTS).saturating_mul(1 << (trip - 1).min(30))
    }

    /// Unread tiers of long lists that cost `left` bytes at most, those first whose rest weighs most for their bytes; `ahead`
    /// tiers of each list are planned already.
    fn tiers(&self, mut left: u64, mut ahead: Vec<usize>) -> BTreeSet<Address> {
        let mut plan = BTreeSet::new();
        loop {
            let affordable = self.long.iter().enumerate().filter_map(|(number, list)| {
                let address = list.tier(ahead[number]);
                let cost = self.cost(address);
                let there = list.read + ahead[number] < list.tiers && cost <= left;
                there.then(|| (self.weight(list.term) * list.rest / cost as f32, number, address, cost))
            });
            let Some((_, number, address, cost)) = affordable.max_by(|a, b| a.0.total_cmp(&b.0)) else { return plan };
            left -= cost;
            ahead[number] += 1;
            plan.insert(address);
        }
    }

    /// Takes in what was read.
    fn take(&mut self, read: BTreeMap<Address, Rc<Chunk>>) {
        let (opened, met) = (self.opened, &mut self.met);
        let mut meet = |segment: usize, term, postings: &[Posting]| {
            let first = opened.segments[segment].first;
            met.extend(postings.iter().map(|posting| Met {
                passage: first + posting.passage,
                term,
                saturation: opened.bm25.saturation(posting.frequency, posting.length),
            }));
        };
        for (&(segment, ..), chunk) in &read {
            if let Chunk::Bucket(bucket) = &**chunk {
                for (number, term) in self.terms.iter_mut().enumerate() {
                    let postings = bucket.postings_of(term.text);
                    term.passages += postings.len();
                    meet(segment, number, postings);
                }
            }
        }
        for list in &mut self.long {
            while let Some(chunk) = read.get(&list.tier(0)).filter(|_| list.read < list.tiers)
                && let Chunk::Tier(postings) = &**chunk
            {
                meet(list.segment, list.term, postings);
                list.read += 1;
                let built = &opened.segments[list.segment].built;
                let earned = postings.iter().map(|posting| built.saturation(posting.frequency, posting.length));
                let least = earned.fold(1.0, f32::min);
                list.rest = if list.read < list.tiers { opened.bm25.bound(least, built) * SLACK } else { 0.0 };
            }
        }
        self.met.sort_by_key(|met| (met.passage, met.term)); // stable: what each list gave, and what was here, is in order already
        self.groups.extend(read.into_iter().filter(|((_, kind, _), _)| *kind == Kind::Texts));
    }

    fn standing(&mut self) -> Standing {
        let weights: Vec<f32> = (0..self.terms.len()).map(|term| self.weight(term)).collect();
        let mut rests = vec![Vec::new(); self.opened.segments.len()];
        for list in self.long.iter().filter(|list| list.rest > 0.0) {
            rests[list.segment].push((list.term, weights[list.term] * list.rest));
        }
        let mut candidates = Vec::new();
        let mut segment = 0;
        for met in self.met.chunk_by(|one, next| one.passage == next.passage) {
            let passage = met[0].passage;
            while self.opened.segments.get(segment + 1).is_some_and(|next| next.first <= passage) {
                segment += 1;
            }
            let least = met.iter().fold(0.0, |sum, met| sum + weights[met.term] * met.saturation);
            let unread = |(term, _): &&(usize, f32)| !met.iter().any(|met| met.term == *term);
            let rest: f32 = rests[segment].iter().filter(unread).map(|&(_, rest)| rest).sum();
            candidates.push(Candidate {
                passage,
                least,
                most: if rest > 0.0 { (least + rest) * SLACK } else { least },
            });
        }
        for candidate in candidates.iter_mut().filter(|candidate| !candidate.is_resolved()) {
            let resolved = self.resolved.get(&candidate.passage).copied();
            let Some(score) = resolved.or_else(|| self.score(candidate.passage, &weights)) else { continue };
            self.resolved.insert(candidate.passage, score);
            (candidate.least, candidate.most) = (score, score);
        }
        let unmet =
            rests.iter().map(|rests| rests.iter().map(|&(_, rest)| rest).sum::<f32>() * SLACK).fold(0.0, f32::max);
        let mut least: Vec<f32> = candidates.iter().map(|candidate| candidate.least).collect();
        let bar = match least.len().checked_sub(self.k) {
            Some(below) => *least.select_nth_unstable_by(below, f32::total_cmp).1,
            None => 0.0,
        };
        let open = candidates.iter().filter(|candidate| candidate.is_open(bar)).count();
        Standing { candidates, bar, unmet, open }
    }

    /// What the round trip after number `trip` reads: nothing when the query is done.
    fn next(&self, standing: &Standing, trip: u32) -> BTreeSet<Address> {
        if trip >= self.limits.trips.max(2) {
            return BTreeSet::new();
        }
        if standing.is_settled() {
            return self.texts(best(&standing.candidates, self.k), 0);
        }
        let last = trip + 1 >= self.limits.trips;
        if !last && (standing.open > FEW || standing.unmet >= standing.bar) {
            let cheapest = self.long.iter().filter(|list| list.rest > 0.0).map(|list| self.cost(list.tier(0))).min();
            let allowance = self.lists_of(trip + 1).max(cheapest.unwrap_or(0));
            let left = self.lists().saturating_sub(self.spent);
            let plan = self.tiers(allowance.min(left), vec![0; self.long.len()]);
            if !plan.is_empty() {
                return plan;
            }
        }
        let mut candidates = best(&standing.candidates, self.k);
        candidates.extend(standing.candidates.iter().filter(|candidate| candidate.is_open(standing.bar)));
        candidates.sort_unstable_by(|a, b| b.guess().total_cmp(&a.guess()).then(a.passage.cmp(&b.passage)));
        self.texts(candidates, self.limits.bytes.saturating_sub(self.spent))
    }

    /// The groups of `candidates` that were not read: of the first k in any case, of the others while they cost `left` bytes
    /// at most together with these.
    fn texts(&self, candidates: impl IntoIterator<Item = Candidate>, mut left: u64) -> BTreeSet<Address> {
        let mut plan = BTreeSet::new();
        for (candidate, rank) in candidates.into_iter().zip(0..) {
            let Some((segment, group, _)) = self.opened.place(candidate.passage) else { continue };
            let address = (segment, Kind::Texts, group);
            if self.groups.contains_key(&address) || plan.contains(&address) {
                continue;
            }
            let cost = self.cost(address);
            if rank >= self.k && cost > left {
                break;
            }
            left = left.saturating_sub(cost);
            plan.insert(address);
        }
        plan
    }

    fn found(self, standing: Standing) -> Found {
        let (mut hits, mut numbers) = (Vec::new(), BTreeSet::new());
        let read = self.groups.keys().flat_map(|&(segment, _, group)| self.opened.passages_of(segment, group));
        let read = read.filter_map(|passage| {
            let place = standing.candidates.binary_search_by_key(&passage, |candidate| candidate.passage).ok()?;
            Some(&standing.candidates[place])
        });
        for candidate in best(read, self.k) {
            if let Some(passage) = self.passage(candidate.passage) {
                hits.push(Hit { passage: passage.clone(), score: candidate.least });
                numbers.insert(candidate.passage);
            }
        }
        let left_out = |bound: f32, candidate: &Candidate| {
            if candidate.most > bound && !numbers.contains(&candidate.passage) { candidate.most } else { bound }
        };
        let bound = standing.candidates.iter().fold(standing.unmet, left_out);
        let last = hits.last().filter(|_| hits.len() == self.k).map_or(0.0, |hit| hit.score);
        let all_read = best(&standing.candidates, self.k).iter().all(|best| numbers.contains(&best.passage));
        let exact = bound < last || standing.is_settled() && all_read;
        let completeness = if exact { Completeness::Exact } else { Completeness::Bound(bound) };
        let all = f64::from(self.opened.bm25.passages.max(1));
        let frequencies = self.terms.iter().map(|term| (term.text.to_owned(), term.passages as f64 / all)).collect();
        Found { hits, frequencies, completeness }
    }

    /// What a posting of a term can earn: how often it stands in the query, times its rarity.
    fn weight(&self, term: usize) -> f32 {
        let Term { count, passages, .. } = self.terms[term];
        count as f32 * self.opened.bm25.idf(passages)
    }

    /// A passage's score by its text, if that was read.
    fn score(&self, passage: u32, weights: &[f32]) -> Option<f32> {
        let Passage { title, text, .. } = self.passage(passage)?;
        let (mut frequencies, mut length) = (vec![0; self.terms.len()], 0);
        for word in analyse(title).chain(analyse(text)) {
            length += 1;
            if let Ok(term) = self.terms.binary_search_by(|term| term.text.cmp(&word)) {
                frequencies[term] += 1;
            }
        }
        let parts = frequencies.into_iter().zip(weights).filter(|&(frequency, _)| frequency > 0);
        Some(parts.fold(0.0, |sum, (frequency, weight)| sum + weight * self.opened.bm25.saturation(frequency, length)))
    }

    fn passage(&self, number: u32) -> Option<&Passage> {
        let (segment, group, place) = self.opened.place(number)?;
        match &**self.groups.get(&(segment, Kind::Texts, group))? {
            Chunk::Group(passages) => passages.get(place),
            _ => None,
        }
    }

    fn cost(&self, (segment, kind, number): Address) -> u64 {
        self.opened.segments[segment].directory.part(kind).cost(number)
    }
}

impl LongList {
    /// The address of the tier `ahead` of the next to be read.
    fn tier(&self, ahead: usize) -> Address {
        (self.segment, Kind::Lists, self.first + self.read + ahead)
    }
}

/// The `k` resolved ones of `candidates` with the highest scores, best first, ties by passage number.
fn best<'a>(candidates: impl IntoIterator<Item = &'a Candidate>, k: usize) -> Vec<Candidate> {
    let mut resolved: Vec<_> = candidates.into_iter().copied().filter(Candidate::is_resolved).collect();
    let order = |a: &Candidate, b: &Candidate| b.least.total_cmp(&a.least).then(a.passage.cmp(&b.passage));
    if k < resolved.len() {
        resolved.select_nth_unstable_by(k, order);
        resolved.truncate(k);
    }
    resolved.sort_unstable_by(order);
    resolved
}
