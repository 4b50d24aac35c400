//! A storage that counts what is asked of it, as a host would see it.

use std::cell::Cell;
use std::future::poll_fn;
use std::ops::Range;
use std::task::Poll;

use evident_index::{Ranged, Storage, StorageError};

/// Counts the reads of another storage.
pub struct Counting<S> {
    inner: S,
    counts: Cell<Counts>,
    /// Reads that have begun and not ended.
    open: Cell<u32>,
}

/// The unit of padding, if answers were padded to whole ones (FORMAT.md, "Sizes").
const PADDING: u64 = 4 << 10;

/// What was read.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub requests: u32,
    pub bytes: u64,
    /// The bytes if each answer were padded to whole [`PADDING`]s.
    pub padded: u64,
    /// Waves of reads, of which each begins when none is open any more.
    pub round_trips: u32,
}

impl<S> Counting<S> {
    pub fn new(inner: S) -> Self {
        Self { inner, counts: Cell::default(), open: Cell::default() }
    }

    /// What was read since this was asked last.
    pub fn take(&self) -> Counts {
        self.counts.take()
    }
}

impl<S> Counting<S> {
    /// Counts a read that gives something of so many bytes.
    async fn counted<T>(
        &self,
        read: impl Future<Output = Result<T, StorageError>>,
        bytes: impl Fn(&T) -> usize,
    ) -> Result<T, StorageError> {
        let mut counts = self.counts.get();
        counts.requests += 1;
        counts.round_trips += u32::from(self.open.get() == 0);
        self.counts.set(counts);
        self.open.set(self.open.get() + 1);
        pause().await;
        let read = read.await;
        let mut counts = self.counts.get();
        let bytes = read.as_ref().map_or(0, bytes) as u64;
        counts.bytes += bytes;
        counts.padded += bytes.next_multiple_of(PADDING);
        self.counts.set(counts);
        self.open.set(self.open.get() - 1);
        read
    }
}

impl<S: Storage> Storage for Counting<S> {
    fn read(&self, path: &str, most: u64) -> impl Future<Output = Result<Vec<u8>, StorageError>> {
        self.counted(self.inner.read(path, most), Vec::len)
    }

    fn read_range(
        &self,
        path: &str,
        range: Range<u64>,
        most: u64,
    ) -> impl Future<Output = Result<Ranged, StorageError>> {
        self.counted(self.inner.read_range(path, range, most), |answer| match answer {
            Ranged::Part(bytes) | Ranged::Whole(bytes) => bytes.len(),
            Ranged::Refused => 0,
        })
    }

    fn evict(&self, path: &str) -> impl Future<Output = ()> {
        self.inner.evict(path)
    }
}

/// Lets all reads of one wave begin before the first ends, though files are read at once.
async fn pause() {
    let mut paused = false;
    poll_fn(|context| {
        if paused {
            return Poll::Ready(());
        }
        paused = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
