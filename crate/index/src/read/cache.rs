//! The chunks that were used last, verified and decoded: the sentences of one answer share most of their terms.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

/// Chunks by their address. Together they have at most `capacity` bytes: the least recently used leave first.
#[derive(Debug)]
pub(crate) struct ChunkCache<A, T> {
    capacity: usize,
    bytes: usize,
    clock: u64,
    entries: HashMap<A, Entry<T>>,
}

#[derive(Debug)]
struct Entry<T> {
    chunk: Rc<T>,
    bytes: usize,
    used: u64,
}

impl<A: Copy + Eq + Hash, T> ChunkCache<A, T> {
    pub fn new(capacity: usize) -> Self {
        Self { capacity, bytes: 0, clock: 0, entries: HashMap::new() }
    }

    pub fn get(&mut self, address: A) -> Option<Rc<T>> {
        self.clock += 1;
        let entry = self.entries.get_mut(&address)?;
        entry.used = self.clock;
        Some(entry.chunk.clone())
    }

    /// Keeps `chunk`, which has `bytes` bytes in its file.
    pub fn insert(&mut self, address: A, chunk: Rc<T>, bytes: usize) {
        self.clock += 1;
        self.remove(address);
        self.bytes += bytes;
        self.entries.insert(address, Entry { chunk, bytes, used: self.clock });
        while self.bytes > self.capacity {
            let Some((&oldest, _)) = self.entries.iter().min_by_key(|(_, entry)| entry.used) else { break };
            self.remove(oldest);
        }
    }

    fn remove(&mut self, address: A) {
        if let Some(entry) = self.entries.remove(&address) {
            self.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chunk_used_least_recently_leaves_first() {
        let mut cache = ChunkCache::new(20);
        cache.insert(1, Rc::new("one"), 10);
        cache.insert(2, Rc::new("two"), 10);
        assert!(cache.get(1).is_some());
        cache.insert(3, Rc::new("three"), 10);
        assert_eq!([1, 2, 3].map(|address| cache.get(address).is_some()), [true, false, true]);
        assert_eq!(cache.bytes, 20);
    }

    #[test]
    fn a_chunk_beyond_the_capacity_is_not_kept() {
        let mut cache = ChunkCache::new(20);
        cache.insert(1, Rc::new("large"), 21);
        assert!(cache.get(1).is_none());
        assert_eq!(cache.bytes, 0);
    }
}
