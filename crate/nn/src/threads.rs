//! Threads that a pass over texts borrows while they are idle. Most of a layer computes each token independently, and
//! attention each text and head, so these are distributed over the threads. The results do not depend on the
//! distribution.
//!
//! WebAssembly has no threads of its own: a page starts workers that share a module's memory, and gives them to
//! [`Threads::started_by`].

use std::cell::{Cell, RefCell};
use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::thread;
use std::{io, iter};

use evident_base::ErrorCode;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::kernels::simd;

/// Parts for each thread. With several, a fast core takes over parts from a slow one. Burn's products pack the weights
/// again for each part, which costs more than it gains.
const PARTS: usize = if simd::FAST || cfg!(test) { 4 } else { 1 };

/// How often a waiting thread yields before it sleeps. Parts finish at about the same time, and waking a thread takes
/// longer than yielding. In WebAssembly, which cannot yield, a turn is an instruction or two.
const TURNS: usize = if cfg!(target_family = "wasm") { 1_000_000 } else { 10_000 };

/// How often an idle helper looks for work before it sleeps. During a pass the next parts follow at once, and a system
/// may wake a thread on the very core of the thread that wakes it, which is busy.
const LOOKS: usize = 20_000;

/// Whether threads can share memory on this target.
const SHARED_MEMORY: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

thread_local! {
    /// The threads that passes on this thread may borrow.
    static HELPERS: RefCell<Option<Arc<Helpers>>> = const { RefCell::new(None) };
    /// Whether this thread [stays awake](stay_awake).
    static AWAKE: Cell<bool> = const { Cell::new(false) };
}

/// Threads to run models on: the callers' own, and helpers that wait to be borrowed.
pub struct Threads(Arc<Helpers>);

struct Helpers {
    /// One thread fewer than `count`, for a caller always computes too.
    pool: ThreadPool,
    /// The threads that are idle. Below zero while more callers compute than there are threads.
    spare: AtomicIsize,
}

/// Threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("{count} threads could not be started ({source}): ask for fewer with --threads")]
pub struct ThreadsError {
    /// How many were asked for.
    pub count: usize,
    /// What the system said.
    pub source: io::Error,
}

impl ThreadsError {
    /// The stable code of this error.
    pub fn code(&self) -> ErrorCode {
        ErrorCode::BadSettings
    }
}

/// What a thread does from its start to its end.
pub type ThreadBody = Box<dyn FnOnce() + Send>;

impl Threads {
    /// `count` threads, the caller's included.
    ///
    /// # Errors
    /// The system's error if it refuses to start so many.
    pub fn new(count: NonZero<usize>) -> io::Result<Self> {
        // Rayon would start a thread for each core if it were asked for none.
        let helpers = (count.get() - 1).max(1);
        let pool = ThreadPoolBuilder::new().num_threads(helpers).build().map_err(io::Error::other)?;
        let spare = AtomicIsize::new(1 + pool.current_num_threads().min(count.get() - 1) as isize);
        Ok(Self(Arc::new(Helpers { pool, spare })))
    }

    /// `count` threads, the caller's included, but no more than there are cores, and at least one.
    ///
    /// # Errors
    /// [`ThreadsError`]
    pub fn on_cores(count: usize) -> Result<Self, ThreadsError> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let count = NonZero::new(count.min(cores)).unwrap_or(NonZero::<usize>::MIN);
        Self::new(count).map_err(|source| ThreadsError { count: count.get(), source })
    }

    /// `count` threads that `start` starts, on a target that cannot start threads itself. Work waits until they run.
    /// The caller's thread is not among them: [spawn](Self::spawn) what computes.
    ///
    /// # Errors
    /// The error of `start`.
    pub fn started_by(count: NonZero<usize>, mut start: impl FnMut(ThreadBody) -> io::Result<()>) -> io::Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(count.get());
        let pool = pool.spawn_handler(|thread| start(Box::new(|| thread.run()))).build().map_err(io::Error::other)?;
        Ok(Self(Arc::new(Helpers { pool, spare: AtomicIsize::new(count.get() as isize) })))
    }

    /// Runs `work` on one of the helpers, as [`Self::run`] does.
    pub fn spawn(self: &Arc<Self>, work: impl FnOnce() + Send + 'static) {
        let threads = self.clone();
        self.0.pool.spawn(move || threads.run(work));
    }

    /// Calls `f` on this thread and returns its result. The models that it runs borrow the threads that are idle.
    pub fn run<T>(&self, f: impl FnOnce() -> T) -> T {
        self.0.spare.fetch_sub(1, Ordering::Relaxed);
        let _busy = Taken { helpers: self.0.clone(), count: 1 };
        let _reset = Reset(HELPERS.replace(Some(self.0.clone())));
        f()
    }
}

/// Restores, when dropped, what passes on this thread could borrow before.
struct Reset(Option<Arc<Helpers>>);

impl Drop for Reset {
    fn drop(&mut self) {
        HELPERS.set(self.0.take());
    }
}

/// Threads that are busy until this is dropped.
struct Taken {
    helpers: Arc<Helpers>,
    count: isize,
}

impl Taken {
    /// Borrows the idle threads for this one, at most `most`; `None` if there are none.
    fn borrow(most: usize) -> Option<Self> {
        let helpers = HELPERS.with_borrow(Clone::clone)?;
        let most = isize::try_from(most).unwrap_or(isize::MAX);
        let count = |spare: isize| Some(spare.min(most)).filter(|&count| count > 0);
        let before =
            helpers.spare.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |spare| Some(spare - count(spare)?));
        let count = count(before.ok()?)?;
        Some(Self { helpers, count })
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.helpers.spare.fetch_add(self.count, Ordering::Relaxed);
    }
}

/// Runs the work that waits for a helper, and looks for more for a while.
fn stay_awake() {
    // A thread that waits for its own parts must not begin to wait for others.
    if AWAKE.get() || HELPERS.with_borrow(Option::is_some) {
        return;
    }
    AWAKE.set(true);
    let mut looks = 0;
    while looks < LOOKS {
        looks = if rayon::yield_now() == Some(rayon::Yield::Executed) { 0 } else { looks + 1 };
    }
    AWAKE.set(false);
}

/// Whether this thread could borrow another now.
pub(crate) fn any_spare() -> bool {
    HELPERS.with_borrow(|helpers| helpers.as_ref().is_some_and(|helpers| helpers.spare.load(Ordering::Relaxed) > 0))
}

/// Cuts `0..count` into at most `most` ranges, calls `f` with each on this thread and the idle ones, and returns the
/// results in order. A thread takes the next range when it is done with one, so that none waits long for a slower one.
pub(crate) fn share_out<T: Send>(count: usize, most: usize, f: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let most = most.min(count);
    let borrowed = Taken::borrow(most.saturating_sub(1));
    let Some(Taken { helpers, count: borrowed }) = borrowed.as_ref().filter(|_| SHARED_MEMORY) else {
        return vec![f(0..count)];
    };
    let mut by_others: Vec<Vec<(usize, T)>> = (0..*borrowed).map(|_| Vec::new()).collect();
    let parts = most.min((1 + by_others.len()) * PARTS);
    let next = &AtomicUsize::new(0);
    let some = || {
        let number = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let part = |number| (number, f(number * count / parts..(number + 1) * count / parts));
        number.take_while(|number| *number < parts).map(part).collect()
    };
    let unfinished = &AtomicUsize::new(by_others.len());
    let mut all: Vec<(usize, T)> = helpers.pool.in_place_scope(|scope| {
        for done in &mut by_others {
            scope.spawn(|_| {
                *done = some();
                unfinished.fetch_sub(1, Ordering::Relaxed);
                if !AWAKE.get() {
                    rayon::spawn(stay_awake);
                }
            });
        }
        let own = some();
        for _ in 0..TURNS {
            if unfinished.load(Ordering::Relaxed) == 0 {
                break;
            }
            thread::yield_now();
        }
        own
    });
    all.extend(by_others.into_iter().flatten());
    all.sort_unstable_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, done)| done).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn threads(count: usize) -> Threads {
        Threads::new(NonZero::new(count).unwrap()).unwrap()
    }

    #[test]
    fn a_range_is_shared_out_whole_and_in_order() {
        for (count, of, most) in [(1, 10, 10), (3, 10, 10), (3, 100, 40), (3, 10, 2), (8, 5, 8), (4, 1, 4), (2, 0, 0)] {
            let threads = threads(count);
            let parts = threads.run(|| share_out(of, most, |range| range));
            let most_parts = if count == 1 { 1 } else { count * PARTS };
            assert_eq!(parts.len(), most_parts.min(most.max(1)).min(of.max(1)), "{of} on {count} threads");
            assert_eq!(parts.into_iter().flatten().collect::<Vec<_>>(), Vec::from_iter(0..of));
            assert_eq!(threads.0.spare.load(Ordering::Relaxed), count as isize);
        }
    }

    /// Waits until `count` have come here.
    fn meet(here: &AtomicUsize, count: usize) {
        here.fetch_add(1, Ordering::SeqCst);
        let began = Instant::now();
        while here.load(Ordering::SeqCst) < count {
            assert!(began.elapsed() < Duration::from_secs(60), "the others have not come");
            thread::yield_now();
        }
    }

    #[test]
    fn a_thread_that_is_held_up_leaves_the_rest_to_the_others() {
        let done = AtomicUsize::new(0);
        let by = threads(2).run(|| {
            share_out(2 * PARTS, 2 * PARTS, |range| {
                meet(&done, if range.start == 0 { 2 * PARTS } else { 0 });
                thread::current().id()
            })
        });
        assert_eq!(by.len(), 2 * PARTS);
        assert!(by[1..].iter().all(|id| *id != by[0]), "{by:?}");
    }

    #[test]
    fn a_helper_stays_awake_between_parts_and_then_sleeps() {
        let threads = threads(2);
        let is_awake = || threads.0.pool.install(|| AWAKE.get());
        let wait_until = |awake: bool| {
            let began = Instant::now();
            while is_awake() != awake {
                assert!(began.elapsed() < Duration::from_secs(60), "awake: {}", !awake);
                if awake {
                    let here = AtomicUsize::new(0);
                    threads.run(|| share_out(2, 2, |_| meet(&here, 2)));
                } else {
                    thread::sleep(Duration::from_millis(200)); // each query keeps it awake
                }
            }
        };
        wait_until(true);
        wait_until(false);
        wait_until(true);
        assert!(!AWAKE.get());
    }

    #[test]
    fn threads_at_work_are_not_borrowed() {
        let three = threads(3);
        let parts = || share_out(100, 100, |range| range.len()).len();
        assert_eq!(three.run(parts), 3 * PARTS);
        assert_eq!(three.run(|| three.run(parts)), 2 * PARTS);
        assert_eq!(three.run(|| three.run(|| three.run(parts))), 1);
        assert_eq!(three.run(|| threads(2).run(parts)), 2 * PARTS);
        assert_eq!(parts(), 1, "on a thread that runs nothing");
    }

    #[test]
    fn threads_that_were_started_elsewhere_do_what_is_spawned_and_borrow_each_other() {
        let count = NonZero::new(3).unwrap();
        let start = |body: ThreadBody| thread::Builder::new().spawn(body).map(drop);
        let threads = Arc::new(Threads::started_by(count, start).unwrap());
        let (send, receive) = std::sync::mpsc::channel();
        threads.spawn(move || {
            let here = AtomicUsize::new(0);
            let id = |_| {
                meet(&here, 3);
                thread::current().id()
            };
            send.send(share_out(3, 3, id)).unwrap();
        });
        let ids = receive.recv().unwrap();
        assert_eq!(ids.len(), 3);
        assert!(
            ids.iter().enumerate().all(|(i, id)| !ids[..i].contains(id) && *id != thread::current().id()),
            "{ids:?}"
        );
        // The spawned work counts as running for a moment after it sent its result.
        while threads.0.spare.load(Ordering::Relaxed) < 3 {
            thread::yield_now();
        }
        assert_eq!(threads.run(|| share_out(100, 100, |range| range.len()).len()), 3 * PARTS);
    }
}
