//! Sentences judged at the same time, by workers that get them as JSON, give the report of one sentence after the
//! other.

use std::cell::{Cell, RefCell};
use std::time::Instant;

use evident_index::{BuildOptions, Passage, build};
use evident_verify::{
    Cancelled, Case, Event, Judge, JudgedCase, Observer, Report, Risk, Settings, Timings, Verdict, Verifier,
    VerifyError, VerifyEvent, Worker, Workers,
};
use futures_lite::future::{block_on, yield_now};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use crate::embedded;

const PASSAGES: [(&str, &str); 3] = [
    ("Iron", "Iron is a metal with the symbol Fe. Its atomic number is 26. It rusts in wet air."),
    ("Tin", "Tin is a soft metal with the symbol Sn. Its atomic number is 50."),
    ("Mars", "Mars is the fourth planet from the Sun. It has two moons."),
];

const ANSWER: &str =
    "Iron is a metal. Its atomic number is 12. Tin is soft. Mars has two moons. It is the ninth planet.";

fn open() -> (TempDir, Verifier) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let passages = PASSAGES.map(|(title, text)| {
        Ok(Passage { id: title.into(), title: title.into(), text: text.into(), ..Passage::default() })
    });
    build(passages, &path, &BuildOptions::default()).unwrap();
    let verifier = block_on(embedded::verifier(&path));
    (directory, verifier)
}

/// Workers that send their cases away as JSON. An earlier sentence takes longer.
struct Distant<'a> {
    judge: &'a Judge,
    free: Cell<usize>,
    /// The most workers that were busy at the same time.
    busiest: Cell<usize>,
    busy: Cell<usize>,
}

struct DistantWorker<'a>(&'a Distant<'a>);

impl Workers for Distant<'_> {
    type Worker<'a>
        = DistantWorker<'a>
    where
        Self: 'a;

    fn limit(&self) -> usize {
        4
    }

    async fn next(&self) -> DistantWorker<'_> {
        while self.free.get() == 0 {
            yield_now().await;
        }
        self.free.set(self.free.get() - 1);
        self.busy.set(self.busy.get() + 1);
        self.busiest.set(self.busiest.get().max(self.busy.get()));
        DistantWorker(self)
    }
}

impl Drop for DistantWorker<'_> {
    fn drop(&mut self) {
        self.0.free.set(self.0.free.get() + 1);
        self.0.busy.set(self.0.busy.get() - 1);
    }
}

impl Worker for DistantWorker<'_> {
    async fn judge(
        &self,
        case: Case,
        settings: &Settings,
        observer: &impl Observer,
    ) -> Result<JudgedCase, VerifyError> {
        for _ in 0..20 * (9 - case.claim.number) {
            yield_now().await;
        }
        let judged = self.0.judge.judge(sent(&case), &sent(settings), observer).await?;
        Ok(sent(&judged))
    }
}

/// A value, written as JSON and read again.
fn sent<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_value(serde_json::to_value(value).unwrap()).unwrap()
}

/// Records the numbers of finished sentences, and cancels after `patience` events.
struct Log {
    began: Instant,
    done: RefCell<Vec<usize>>,
    patience: Cell<usize>,
}

impl Observer for Log {
    async fn observe(&self, event: Event<'_>) -> Result<(), Cancelled> {
        if let Event::Verify(VerifyEvent::Sentence { index, .. }) = event {
            self.done.borrow_mut().push(index);
        }
        self.patience.set(self.patience.get().checked_sub(1).ok_or(Cancelled)?);
        Ok(())
    }

    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64() * 1e3
    }
}

fn log(patience: usize) -> Log {
    Log { began: Instant::now(), done: RefCell::default(), patience: patience.into() }
}

fn distant(verifier: &Verifier, workers: usize) -> Distant<'_> {
    Distant { judge: verifier.judge(), free: workers.into(), busiest: 0.into(), busy: 0.into() }
}

fn untimed(report: Report) -> Report {
    Report { timings: Timings::default(), ..report }
}

#[test]
fn sentences_judged_at_once_give_the_report_of_one_after_the_other() {
    let (_directory, verifier) = open();
    let settings = Settings::default();
    let alone = untimed(block_on(verifier.verify(verifier.judge(), ANSWER, None, &settings, &log(99))).unwrap());
    assert_eq!(alone.sentences[1].verdict, Verdict::Unfactual);
    let flagged = |report: &Report| -> Vec<bool> {
        report.sentences.iter().map(|sentence| sentence.risks.contains(&Risk::AfterUnfactual)).collect()
    };
    assert_eq!(flagged(&alone), [false, false, true, true, true]);
    for workers in [1, 2, 3, 7] {
        let (distant, log) = (distant(&verifier, workers), log(99));
        let together = untimed(block_on(verifier.verify(&distant, ANSWER, None, &settings, &log)).unwrap());
        // Two sentences may read the same passage, which is then fetched once.
        let (traffic, sources) = (alone.traffic, alone.sources.clone());
        assert_eq!(Report { traffic, sources, ..together }, alone, "by {workers} workers");
        assert_eq!(log.done.into_inner(), [0, 1, 2, 3, 4]);
        assert_eq!(distant.busiest.get(), workers.min(distant.limit()));
        assert_eq!((distant.free.get(), distant.busy.get()), (workers, 0), "every worker is given back");
    }
}

#[test]
fn cancelling_gives_every_worker_back() {
    let (_directory, verifier) = open();
    for patience in 0..16 {
        let distant = distant(&verifier, 3);
        let stopped = block_on(verifier.verify(&distant, ANSWER, None, &Settings::default(), &log(patience)));
        assert_eq!(stopped.unwrap_err().code(), "cancelled", "after {patience} events");
        assert_eq!((distant.free.get(), distant.busy.get()), (3, 0));
    }
}
