//! The shards read last, decoded and verified: the sentences of one answer share most of their terms.

use std::collections::HashMap;
use std::rc::Rc;

/// Shards of one kind by number; those used least recently leave when their files would exceed `capacity` bytes together.
#[derive(Debug)]
pub(crate) struct ShardCache<T> {
    capacity: usize,
    bytes: usize,
    clock: u64,
    entries: HashMap<usize, Entry<T>>,
}

#[derive(Debug)]
struct Entry<T> {
    shard: Rc<T>,
    bytes: usize,
    used: u64,
}

impl<T> ShardCache<T> {
    pub fn new(capacity: usize) -> Self {
        Self { capacity, bytes: 0, clock: 0, entries: HashMap::new() }
    }

    pub fn get(&mut self, number: usize) -> Option<Rc<T>> {
        self.clock += 1;
        let entry = self.entries.get_mut(&number)?;
        entry.used = self.clock;
        Some(entry.shard.clone())
    }

    /// Keeps `shard`, whose file has `bytes` bytes.
    pub fn insert(&mut self, number: usize, shard: Rc<T>, bytes: usize) {
        self.clock += 1;
        self.remove(number);
        self.bytes += bytes;
        self.entries.insert(number, Entry { shard, bytes, used: self.clock });
        while self.bytes > self.capacity {
            let Some((&oldest, _)) = self.entries.iter().min_by_key(|(_, entry)| entry.used) else { break };
            self.remove(oldest);
        }
    }

    fn remove(&mut self, number: usize) {
        if let Some(entry) = self.entries.remove(&number) {
            self.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shard_used_least_recently_leaves_first() {
        let mut cache = ShardCache::new(20);
        cache.insert(1, Rc::new("one"), 10);
        cache.insert(2, Rc::new("two"), 10);
        assert!(cache.get(1).is_some());
        cache.insert(3, Rc::new("three"), 10);
        assert_eq!([1, 2, 3].map(|number| cache.get(number).is_some()), [true, false, true]);
        assert_eq!(cache.bytes, 20);
    }

    #[test]
    fn a_shard_beyond_the_capacity_is_not_kept() {
        let mut cache = ShardCache::new(20);
        cache.insert(1, Rc::new("large"), 21);
        assert!(cache.get(1).is_none());
        assert_eq!(cache.bytes, 0);
    }
}
