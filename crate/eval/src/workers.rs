//! Work on numbered rows by several threads, with the results in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use evident_nn::Threads;

use crate::error::EvalError;

/// Calls `work` for every number on one of `count` threads, each with its own result of `open`, and `done` on this
/// thread with the results, in the order of the numbers. After an error no further number is begun. Threads without a
/// number help the models compute.
///
/// # Errors
/// The first, by number, of `open`, `work` or `done`; [`EvalError::Threads`].
pub(crate) fn in_order<W, T: Send>(
    numbers: Range<usize>,
    count: usize,
    open: impl Fn() -> Result<W, EvalError> + Sync,
    work: impl Fn(&W, usize) -> Result<T, EvalError> + Sync,
    mut done: impl FnMut(usize, T) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    let pool = Threads::on_cores(count)?;
    let (next, end) = (AtomicUsize::new(numbers.start), numbers.end);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < end);
    let (send, results) = mpsc::channel();
    let labour = |send: mpsc::Sender<_>| {
        let opened = open();
        while let Some(number) = take() {
            let result = match &opened {
                Ok(worker) => work(worker, number),
                Err(_) => break,
            };
            let failed = result.is_err();
            if send.send((number, result)).is_err() || failed {
                return;
            }
        }
        if let Err(error) = opened {
            let _ = send.send((end, Err(error)));
        }
    };
    thread::scope(|scope| {
        for _ in 0..count.clamp(1, numbers.len().max(1)) {
            let send = send.clone();
            scope.spawn(|| pool.run(|| labour(send)));
        }
        drop(send);
        let (mut waiting, mut expected) = (BTreeMap::new(), numbers.start);
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&expected) {
                done(expected, result?)?;
                expected += 1;
            }
        }
        waiting.into_values().try_for_each(|result| result.map(|_| ()))
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;

    fn failure(path: impl Into<PathBuf>) -> EvalError {
        EvalError::Unusable { path: path.into(), why: "a test" }
    }

    #[test]
    fn results_come_in_order_whatever_takes_longest() {
        for count in [0, 1, 3, 50] {
            let mut found = Vec::new();
            let work = |(): &(), number: usize| {
                thread::sleep(Duration::from_millis(if number.is_multiple_of(3) { 5 } else { 0 }));
                Ok(number * number)
            };
            let done = |number, square| {
                found.push((number, square));
                Ok(())
            };
            in_order(2..20, count, || Ok(()), work, done).unwrap();
            assert_eq!(found, (2..20).map(|number| (number, number * number)).collect::<Vec<_>>());
        }
        in_order(4..4, 2, || Ok(()), |(), _| Ok(()), |_, ()| Ok(())).unwrap();
    }

    #[test]
    fn an_error_ends_the_work_after_the_rows_before_it() {
        let mut found = Vec::new();
        let work = |(): &(), number: usize| if number == 5 { Err(failure("five")) } else { Ok(number) };
        let done = |_, number| {
            found.push(number);
            Ok(())
        };
        let error = in_order(0..1000, 3, || Ok(()), work, done).unwrap_err();
        assert!(error.to_string().starts_with("five") && found == [0, 1, 2, 3, 4]);
        let closed = in_order(0..9, 2, || Err(failure("closed")), |(), _| Ok(()), |_, ()| Ok(()));
        assert!(closed.unwrap_err().to_string().starts_with("closed"));
        assert!(in_order(0..9, 2, || Ok(()), |(), _| Ok(()), |_, ()| Err(failure("full"))).is_err());
    }
}
