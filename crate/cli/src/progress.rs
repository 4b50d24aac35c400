//! Follows long work on a terminal's standard error, and stops it on Ctrl-C.

use std::cell::Cell;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use evident_base::plain_line;
use evident_eval::Monitor;
use evident_verify::{Cancelled, Event, Observer, ScoreStep, VerifyEvent};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit status of a program that Ctrl-C ended, by the convention of shells.
const INTERRUPT_STATUS: i32 = 130;

/// A line on standard error that says how far the work is; nothing where that is no terminal.
pub struct Progress {
    began: Instant,
    shown: bool,
    /// What is being verified, such as "answer 3".
    pub label: String,
    sentences: Cell<usize>,
    /// When a share was last shown.
    last: Option<Instant>,
}

/// The least time between two updates of a share.
const PAUSE: Duration = Duration::from_millis(100);

impl Progress {
    /// Starts the clock. From now on Ctrl-C stops the work at its next stage, and a second one at once.
    pub fn new() -> Self {
        // If no handler can be set, Ctrl-C ends the program at once.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPT_STATUS);
            }
        });
        Self {
            began: Instant::now(),
            shown: stderr().is_terminal(),
            label: String::new(),
            sentences: Cell::new(0),
            last: None,
        }
    }

    /// For one of several threads: shows nothing, and stops the work on Ctrl-C as the others do.
    pub fn quiet() -> Self {
        Self { began: Instant::now(), shown: false, label: String::new(), sentences: Cell::new(0), last: None }
    }

    /// Shows what is going on.
    pub fn show(&self, text: &str) {
        if self.shown {
            eprint!("\r\x1b[K{}", plain_line(&format!("{}{text}", self.label)));
        }
    }

    /// Shows how many of the rows are done, with the time that is left, estimated from the time of the `done` rows.
    pub fn show_row(&self, row: usize, of: usize, done: usize) {
        let left = (of - row) as f64 * self.began.elapsed().as_secs_f64() / 60.0 / done.max(1) as f64;
        self.show(&format!("row {row} of {of}, {left:.0} min left"));
    }

    /// Shows a text that changes all the time, at most once in each [`PAUSE`].
    pub fn show_often(&mut self, text: impl FnOnce() -> String) {
        if self.shown && self.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            self.last = Some(Instant::now());
            self.show(&text());
        }
    }

    /// Shows how much of `of` bytes is done, with the time that is left, estimated from the time of the `done` bytes.
    pub fn show_share(&mut self, what: &str, done: u64, of: u64) {
        let elapsed = self.began.elapsed().as_secs_f64();
        self.show_often(|| {
            let (done, of) = (done.max(1) as f64, of.max(1) as f64);
            let left = (of - done).max(0.0) / done * elapsed;
            let left = if left < 90.0 { format!("{left:.0} s") } else { format!("{:.0} min", left / 60.0) };
            format!("{what}: {:.0} %, {left} left", 100.0 * done / of)
        });
    }

    /// Whether Ctrl-C was pressed.
    ///
    /// # Errors
    /// [`Cancelled`] if it was.
    pub fn interrupted(&self) -> Result<(), Cancelled> {
        if INTERRUPTED.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

impl Monitor for Progress {
    fn quiet() -> Self {
        Self::quiet()
    }

    fn show(&self, text: &str) {
        self.show(text);
    }

    fn set_label(&mut self, label: String) {
        self.label = label;
    }

    fn show_row(&self, row: usize, of: usize, done: usize) {
        self.show_row(row, of, done);
    }

    fn check(&self) -> Result<(), Cancelled> {
        self.interrupted()
    }
}

impl Observer for Progress {
    async fn observe(&self, event: Event<'_>) -> Result<(), Cancelled> {
        match event {
            Event::Verify(VerifyEvent::Sentences { sentences, .. }) => self.sentences.set(sentences.len()),
            Event::Verify(VerifyEvent::Stage { stage, .. }) if self.sentences.get() == 0 => {
                self.show(&format!("{stage:?}"));
            }
            Event::Verify(VerifyEvent::Stage { sentence, stage }) => {
                self.show(&format!("sentence {} of {}: {stage:?}", sentence + 1, self.sentences.get()));
            }
            Event::Verify(VerifyEvent::Sentence { .. } | VerifyEvent::Source { .. }) => {}
            Event::Score(ScoreStep { score, sentence: Some(at) }) => {
                self.show(&format!("{score}, sentence {} of {}", at.sentence + 1, at.of));
            }
            Event::Score(ScoreStep { score, .. }) => self.show(score),
        }
        self.interrupted()
    }

    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64() * 1e3
    }
}

impl Drop for Progress {
    /// Clears the line.
    fn drop(&mut self) {
        self.label.clear();
        self.show("");
    }
}
