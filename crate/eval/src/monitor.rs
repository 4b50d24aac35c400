//! Follows a measurement.

use evident_verify::{Cancelled, Observer};

/// Shows how far a measurement is, and can stop it.
pub trait Monitor: Observer {
    /// A monitor for another thread. It shows nothing, and stops the work when this one does.
    fn quiet() -> Self;

    /// Shows this text until the next one.
    fn show(&self, text: &str);

    /// Puts `label` before all that is shown from now on.
    fn set_label(&mut self, label: String);

    /// Shows that row `row` of `of` is done. The time left is estimated from the `done` rows of this run.
    fn show_row(&self, row: usize, of: usize, done: usize);

    /// Returns an error if the work is to stop.
    ///
    /// # Errors
    /// [`Cancelled`] if the work is to stop.
    fn check(&self) -> Result<(), Cancelled>;
}
