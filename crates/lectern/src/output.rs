//! Where text goes: data to stdout, everything else to stderr, colours only to a terminal that wants them.

use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;

use crate::config::Environment;

/// Prints a line of data.
///
/// # Errors
/// When stdout is closed or full.
pub(crate) fn line(text: impl AsRef<str>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{}", text.as_ref())?;
    stdout.flush()
}

/// Prints an object or a list as JSON, indented for people.
///
/// # Errors
/// When stdout is closed or full.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::other)?;
    line(text)
}

/// Tells a person something that is no data. A closed stderr is nobody's loss.
pub(crate) fn note(text: impl AsRef<str>) {
    let _ = writeln!(io::stderr().lock(), "{}", text.as_ref());
}

/// Prints rows under a heading, in columns as wide as their widest cell. Cells are shown as [`plain`] does.
///
/// # Errors
/// When stdout is closed or full.
pub(crate) fn table<const N: usize>(heading: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> io::Result<()> {
    lines_of(heading, rows).iter().try_for_each(line)
}

fn lines_of<const N: usize>(heading: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> Vec<String> {
    let rows = rows.into_iter().map(|row| std::array::from_fn(|column| plain(&row[column])));
    let all: Vec<[String; N]> = std::iter::once(heading.map(str::to_owned)).chain(rows).collect();
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let format = |cells: &[String; N]| {
        let padded: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        padded.join("  ").trim_end().to_owned()
    };
    all.iter().map(format).collect()
}

/// Somebody else's text for a terminal: what would move the cursor, break the line or turn the writing direction
/// is shown as an escape.
pub(crate) fn plain(text: &str) -> String {
    let is_harmful = |char: char| {
        char.is_control() || matches!(char, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let show = |char: char| if is_harmful(char) { char.escape_default().to_string() } else { char.to_string() };
    text.chars().map(show).collect()
}

/// Puts colour on text, or leaves it alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    has_colour: bool,
}

impl Paint {
    /// For what goes to stdout.
    pub(crate) fn stdout(environment: &Environment) -> Self {
        Self { has_colour: io::stdout().is_terminal() && environment.allows_colour() }
    }

    /// For what goes to stderr.
    pub(crate) fn stderr(environment: &Environment) -> Self {
        Self { has_colour: io::stderr().is_terminal() && environment.allows_colour() }
    }

    /// Whether there are colours at all.
    pub(crate) fn has_colour(self) -> bool {
        self.has_colour
    }

    pub(crate) fn bold(self, text: impl AsRef<str>) -> String {
        self.wrap("1", text.as_ref())
    }

    pub(crate) fn dim(self, text: impl AsRef<str>) -> String {
        self.wrap("2", text.as_ref())
    }

    pub(crate) fn green(self, text: impl AsRef<str>) -> String {
        self.wrap("32", text.as_ref())
    }

    pub(crate) fn yellow(self, text: impl AsRef<str>) -> String {
        self.wrap("33", text.as_ref())
    }

    pub(crate) fn red(self, text: impl AsRef<str>) -> String {
        self.wrap("31", text.as_ref())
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.has_colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_keeps_its_lines_whatever_the_names_are() {
        let rows =
            [["1".to_owned(), "Школа 7".to_owned()], ["2".to_owned(), "a\n\u{1b}[2Jb\u{202e}c\u{9b}".to_owned()]];
        let lines = lines_of(["ID", "NAME"], rows);
        assert_eq!(lines, ["ID  NAME", "1   Школа 7", "2   a\\n\\u{1b}[2Jb\\u{202e}c\\u{9b}"]);
    }
}
