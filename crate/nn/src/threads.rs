//! Threads that a pass over texts borrows while they have nothing else to do: most of a layer treats each row of activations by
//! itself, and attention each text and head, so that these can be shared out. No number depends on it.
//!
//! WebAssembly has none of its own: a page starts workers that share a module's memory, and gives them to [`Threads::started_by`].

use std::cell::{Cell, RefCell};
use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::thread;
use std::{io, iter};

use burn::tensor::Tensor;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::kernels::simd;
use crate::kernels::tiles::ROWS;
use crate::ops::cpu;

/// Below this many rows a thread is not worth the call of it.
const LEAST_ROWS: usize = 32;

/// Parts for each thread: several, so that a fast core does what a slow one leaves. Where products are Burn's, each part packs the
/// weights anew, which costs more than it gains.
const PARTS: usize = if simd::FAST || cfg!(test) { 4 } else { 1 };

/// Turns that a thread gives to others while it waits for them, before it sleeps: parts end at about the same time, and to be
/// woken takes longer. In WebAssembly, where nothing can be given, a turn is an instruction or two.
const TURNS: usize = if cfg!(target_family = "wasm") { 1_000_000 } else { 10_000 };

/// Times that a helper looks for more to do before it sleeps: the next parts follow at once, as long as a pass goes on, and a
/// system may wake a thread on the core of the one that wakes it, which is at work.
const LOOKS: usize = 20_000;

/// Whether threads can have a memory in common.
const SHARED_MEMORY: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

thread_local! {
    /// What the passes of this thread may borrow.
    static HELPERS: RefCell<Option<Arc<Helpers>>> = const { RefCell::new(None) };
    /// Whether this thread [stays awake](stay_awake).
    static AWAKE: Cell<bool> = const { Cell::new(false) };
}

/// Threads to run models on: those of the caller, and helpers that wait to be borrowed.
pub struct Threads(Arc<Helpers>);

struct Helpers {
    /// One fewer than there are threads, for one of those that call is always at work.
    pool: ThreadPool,
    /// Threads that are neither at work nor borrowed; below zero while more of them call than there are to be.
    spare: AtomicIsize,
}

/// What a thread does from its start to its end.
pub type ThreadBody = Box<dyn FnOnce() + Send>;

impl Threads {
    /// # Errors
    /// Where the system refuses to start so many.
    pub fn new(count: NonZero<usize>) -> io::Result<Self> {
        // A pool of none would be one for each core.
        let helpers = (count.get() - 1).max(1);
        let pool = ThreadPoolBuilder::new().num_threads(helpers).build().map_err(io::Error::other)?;
        let spare = AtomicIsize::new(1 + pool.current_num_threads().min(count.get() - 1) as isize);
        Ok(Self(Arc::new(Helpers { pool, spare })))
    }

    /// `count` threads that `start` starts, where the system itself has none to give; work that comes before they have begun waits
    /// for them. Those of the caller do not count: what computes is to be [spawned](Self::spawn).
    ///
    /// # Errors
    /// What `start` fails with.
    pub fn started_by(count: NonZero<usize>, mut start: impl FnMut(ThreadBody) -> io::Result<()>) -> io::Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(count.get());
        let pool = pool.spawn_handler(|thread| start(Box::new(|| thread.run()))).build().map_err(io::Error::other)?;
        Ok(Self(Arc::new(Helpers { pool, spare: AtomicIsize::new(count.get() as isize) })))
    }

    /// Has `work` done on one of the threads that wait to be borrowed, as [`Self::run`] does it.
    pub fn spawn(self: &Arc<Self>, work: impl FnOnce() + Send + 'static) {
        let threads = self.clone();
        self.0.pool.spawn(move || threads.run(work));
    }

    /// What `f` returns, which is called here and now; as long as fewer than `count` threads run something, the models that they
    /// run borrow the others.
    pub fn run<T>(&self, f: impl FnOnce() -> T) -> T {
        self.0.spare.fetch_sub(1, Ordering::Relaxed);
        let _at_work = Taken { helpers: self.0.clone(), count: 1 };
        let _reset = Reset(HELPERS.replace(Some(self.0.clone())));
        f()
    }
}

/// Puts back what the passes of this thread could borrow before.
struct Reset(Option<Arc<Helpers>>);

impl Drop for Reset {
    fn drop(&mut self) {
        HELPERS.set(self.0.take());
    }
}

/// Threads that are at work or borrowed, until it is dropped.
struct Taken {
    helpers: Arc<Helpers>,
    count: isize,
}

impl Taken {
    /// As many as there are to spare for this thread, `most` at the most.
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

/// Does what there is to do for a helper, and looks for more for a while.
fn stay_awake() {
    // A thread that waits for its own parts must not wait for others too.
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

fn any_spare() -> bool {
    HELPERS.with_borrow(|helpers| helpers.as_ref().is_some_and(|helpers| helpers.spare.load(Ordering::Relaxed) > 0))
}

/// `f` of all rows, which makes of each a row by itself: on as many threads as there are to spare, and on this one.
pub(crate) fn by_rows<const N: usize>(x: [Tensor<2>; N], f: impl Fn([Tensor<2>; N]) -> Tensor<2> + Sync) -> Tensor<2> {
    if !cpu::holds(&x[0]) || !any_spare() {
        return f(x);
    }
    let rows = x[0].dims()[0];
    let part = |groups: Range<usize>| {
        let (start, end) = (groups.start * ROWS, rows.min(groups.end * ROWS));
        f(x.each_ref().map(|x| x.clone().narrow(0, start, end - start)))
    };
    joined(share_out(rows.div_ceil(ROWS), rows / LEAST_ROWS, part), 0)
}

/// Parts in one.
pub(crate) fn joined(mut parts: Vec<Tensor<2>>, dimension: usize) -> Tensor<2> {
    if parts.len() == 1 { parts.remove(0) } else { Tensor::cat(parts, dimension) }
}

/// `f` of ranges that make up `0..count`, in their order: `most` of them at the most, fewer where fewer threads are to spare. Each
/// thread takes the next range when it is done with one, so that none waits for long for a slower one.
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
    let under_way = &AtomicUsize::new(by_others.len());
    let mut all: Vec<(usize, T)> = helpers.pool.in_place_scope(|scope| {
        for done in &mut by_others {
            scope.spawn(|_| {
                *done = some();
                under_way.fetch_sub(1, Ordering::Relaxed);
                if !AWAKE.get() {
                    rayon::spawn(stay_awake);
                }
            });
        }
        let own = some();
        for _ in 0..TURNS {
            if under_way.load(Ordering::Relaxed) == 0 {
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
                    thread::sleep(Duration::from_millis(200)); // to be asked keeps it awake
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
        // What was spawned is at work for a moment after it sent its result.
        while threads.0.spare.load(Ordering::Relaxed) < 3 {
            thread::yield_now();
        }
        assert_eq!(threads.run(|| share_out(100, 100, |range| range.len()).len()), 3 * PARTS);
    }
}
