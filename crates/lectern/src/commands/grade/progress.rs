//! A progress bar on a terminal, and nothing anywhere else.

use indicatif::{ProgressBar, ProgressStyle};

const TEMPLATE: &str = "{bar:30} {percent:>3} %  {elapsed} of about {duration}";

/// How far a file is read.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of a file of so many bytes. It draws on stderr, where that is a terminal.
    pub(super) fn of_bytes(length: u64) -> Self {
        let style = ProgressStyle::with_template(TEMPLATE).expect("the template is one");
        Self { bar: ProgressBar::new(length).with_style(style) }
    }

    /// Moves on by so many bytes.
    pub(super) fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Prints with the bar out of the way, so that lines on the same terminal stay whole.
    pub(super) fn hidden_while<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
