//! A query's way through the index: what it reads next, and when its best passages are proved.
//!
//! A long list is ordered by what its postings earn, in tiers. After some tiers of each list, a passage that was met
//! scores at least the sum of its postings that were read, and at most that sum plus what the unread rests of the other
//! lists may add. A passage that was not met scores at most the sum of all rests (Fagin et al. 2003, "no random
//! access"). The text of a passage resolves it: its score is computed from its words, bit for bit as from postings.

mod candidates;
pub(crate) mod limits;
pub(crate) mod result;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::analysis::names::Asked;
use crate::error::IndexError;
use crate::format::bucket::{CELL_BITS, bucket_of, term_hash};
use crate::format::directory::PartKind;
use crate::format::passages::Passage;
use crate::format::postings::Posting;
use crate::read::chunks::{Chunk, Chunks};
use crate::read::segments::{ChunkAddress, Opened};
use crate::search::candidates::{Candidate, Met, Standing, best};
use crate::search::limits::{Completeness, FIRST_LISTS, Limits};
use crate::search::result::{Hit, SearchResult};
use crate::storage::Storage;

/// The share of a query's bytes that its lists may take. The rest is for texts, which find more than the same bytes of
/// lists would.
const LISTS_SHARE: f64 = 0.8;

/// If at most this many passages are undecided, fetch their texts instead of more postings.
const FEW: usize = 40;

/// Bounds are raised by this factor, against rounding.
const SLACK: f32 = 1.0001;

/// A query under way.
pub(crate) struct Search<'a> {
    opened: &'a Opened,
    terms: Vec<Term<'a>>,
    k: usize,
    limits: Limits,
    long: Vec<ListProgress>,
    /// The postings that were read, by passage and then by term.
    met: Vec<Met>,
    /// The groups of passages that were read.
    groups: BTreeMap<ChunkAddress, Rc<Chunk>>,
    /// The scores of passages whose text was read.
    resolved: HashMap<u32, f32>,
    /// Bytes of all chunks that were asked for.
    spent: u64,
}

/// A term of the query, or a name.
struct Term<'a> {
    text: &'a str,
    /// How often it stands in the query.
    count: u32,
    /// How many passages hold it.
    passages: usize,
    /// The terms that are a name's words; none for a word.
    words: Vec<usize>,
}

/// How far a term's long list in one segment was read.
struct ListProgress {
    term: usize,
    segment: usize,
    /// The chunk of its first tier.
    first: usize,
    tiers: usize,
    /// The number of tiers that were read.
    read: usize,
    /// The most that a posting of an unread tier earns of the term's weight.
    rest: f32,
}

impl<'a> Search<'a> {
    /// A search for the `k` best passages for a query that asks for these terms and names.
    pub fn new(opened: &'a Opened, asked: &'a BTreeMap<String, Asked>, k: usize, limits: Limits) -> Self {
        let mut long = Vec::new();
        let mut found = Vec::new();
        let numbers: HashMap<&str, usize> = asked.keys().map(String::as_str).zip(0..).collect();
        for (term, (text, Asked { count, words })) in asked.iter().enumerate() {
            let mut passages = 0;
            for (segment, part) in opened.segments.iter().enumerate() {
                let Some(list) = part.directory.long_list(text) else { continue };
                passages += list.count as usize;
                let tiers = part.directory.tiers_of(list);
                long.push(ListProgress { term, segment, first: list.first, tiers, read: 0, rest: 1.0 });
            }
            let words = words.iter().filter_map(|word| numbers.get(word.as_str()).copied()).collect();
            found.push(Term { text, count: *count, passages, words });
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

    /// Reads until the best passages are proved, or the limits are reached.
    pub async fn run<S: Storage>(mut self, chunks: &Chunks<S>) -> Result<SearchResult, IndexError> {
        let mut plan = self.first();
        let mut trip = 1;
        loop {
            self.spent += plan.iter().map(|&address| self.cost(address)).sum::<u64>();
            let read = chunks.read(&self.opened.segments, &plan).await?;
            self.take(read);
            let standing = self.standing();
            plan = self.next(&standing, trip);
            if plan.is_empty() {
                return Ok(self.result(standing));
            }
            trip += 1;
        }
    }

    /// The first round trip: the buckets of all terms that have no long list, and the first tiers of the others.
    fn first(&self) -> BTreeSet<ChunkAddress> {
        let mut plan = BTreeSet::new();
        for term in &self.terms {
            let cell = term_hash(term.text) >> (u32::BITS - CELL_BITS);
            for (number, segment) in self.opened.segments.iter().enumerate() {
                if segment.directory.long_list(term.text).is_none() {
                    let chunk = bucket_of(cell, segment.directory.terms.chunks());
                    plan.insert(ChunkAddress { segment: number, part: PartKind::Terms, chunk });
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

    /// Bytes of lists that round trip number `trip` reads: the trips before the last spend [`Self::lists`].
    fn lists_of(&self, trip: u32) -> u64 {
        let doublings = self.limits.trips.clamp(2, u64::BITS) - 1;
        let first = self.lists() / ((1 << doublings) - 1);
        first.max(FIRST_LISTS).saturating_mul(1 << (trip - 1).min(30))
    }

    /// Unread tiers of long lists for at most `left` bytes, in the order of what their rest may add per byte. `ahead`
    /// tiers of each list are planned already.
    fn tiers(&self, mut left: u64, mut ahead: Vec<usize>) -> BTreeSet<ChunkAddress> {
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

    /// Takes in the chunks of a round trip.
    fn take(&mut self, read: BTreeMap<ChunkAddress, Rc<Chunk>>) {
        let (opened, met) = (self.opened, &mut self.met);
        let mut meet = |segment: usize, term: usize, postings: &[Posting]| {
            let term = term as u32; // a query has few
            let first = opened.segments[segment].first;
            met.extend(postings.iter().map(|posting| Met {
                passage: first + posting.passage,
                term,
                saturation: opened.bm25.saturation(posting.frequency, posting.length),
            }));
        };
        for (address, chunk) in &read {
            if let Chunk::Bucket(bucket) = &**chunk {
                for (number, term) in self.terms.iter_mut().enumerate() {
                    let postings = bucket.postings_of(term.text);
                    term.passages += postings.len();
                    meet(address.segment, number, postings);
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
        self.met.sort_by_key(Met::order); // a stable sort, fast because it merges sorted runs
        self.groups.extend(read.into_iter().filter(|(address, _)| address.part == PartKind::Texts));
    }

    /// The bounds of all passages that were met.
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
            let least = met.iter().fold(0.0, |sum, met| sum + weights[met.term as usize] * met.saturation);
            let unread = |(term, _): &&(usize, f32)| !met.iter().any(|met| met.term as usize == *term);
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

    /// The chunks of the round trip after number `trip`; none when the query is done.
    fn next(&self, standing: &Standing, trip: u32) -> BTreeSet<ChunkAddress> {
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

    /// The unread groups of `candidates`: of the first `k` in any case, of the others as long as all together cost at
    /// most `left` bytes.
    fn texts(&self, candidates: impl IntoIterator<Item = Candidate>, mut left: u64) -> BTreeSet<ChunkAddress> {
        let mut plan = BTreeSet::new();
        for (candidate, rank) in candidates.into_iter().zip(0..) {
            let Some((address, _)) = self.opened.place(candidate.passage) else { continue };
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

    fn result(self, standing: Standing) -> SearchResult {
        let (mut hits, mut numbers) = (Vec::new(), BTreeSet::new());
        let read = self.groups.keys().flat_map(|&group| self.opened.passages_of(group));
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
        let words = || (0..self.terms.len()).filter(|&term| self.terms[term].words.is_empty());
        let share = |term: &Term| (term.text.to_owned(), term.passages as f64 / all);
        let frequencies = words().map(|term| share(&self.terms[term])).collect();
        let ceiling = words().map(|term| self.weight(term)).sum();
        SearchResult { hits, frequencies, ceiling, completeness }
    }

    /// The most that a posting of a term can earn: the term's count in the query times its idf. A name weighs as much
    /// as its words together.
    fn weight(&self, term: usize) -> f32 {
        let Term { count, passages, words, .. } = &self.terms[term];
        let idf = |passages| self.opened.bm25.idf(passages);
        let weight = match &words[..] {
            [] => idf(*passages),
            words => words.iter().fold(0.0, |sum, &word| sum + idf(self.terms[word].passages)),
        };
        *count as f32 * weight
    }

    /// A passage's score from its text, if that was read.
    fn score(&self, passage: u32, weights: &[f32]) -> Option<f32> {
        let Passage { title, text, names, .. } = self.passage(passage)?;
        let (mut frequencies, mut length) = (vec![0; self.terms.len()], 0);
        let analysis = self.opened.analysis;
        let number = |text: &str| self.terms.binary_search_by(|term| term.text.cmp(text));
        for word in analysis.name_terms(title).chain(analysis.terms(text)) {
            length += 1;
            if let Ok(term) = number(&word) {
                frequencies[term] += 1;
            }
        }
        for name in analysis.names(title, names).iter().filter_map(|name| number(name).ok()) {
            frequencies[name] = 1;
        }
        let parts = frequencies.into_iter().zip(weights).filter(|&(frequency, _)| frequency > 0);
        Some(parts.fold(0.0, |sum, (frequency, weight)| sum + weight * self.opened.bm25.saturation(frequency, length)))
    }

    fn passage(&self, number: u32) -> Option<&Passage> {
        let (group, place) = self.opened.place(number)?;
        match &**self.groups.get(&group)? {
            Chunk::Group(passages) => passages.get(place),
            _ => None,
        }
    }

    /// Bytes that reading a chunk costs.
    fn cost(&self, address: ChunkAddress) -> u64 {
        self.opened.segments[address.segment].directory.part(address.part).cost(address.chunk)
    }
}

impl ListProgress {
    /// The tier that is `ahead` places after the next unread one.
    fn tier(&self, ahead: usize) -> ChunkAddress {
        ChunkAddress { segment: self.segment, part: PartKind::Lists, chunk: self.first + self.read + ahead }
    }
}
