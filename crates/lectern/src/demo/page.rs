//! How the tour looks: numbered steps, ticks and indented excerpts on 80 columns, calm without colours too.

use std::io;

use crate::output::{self, Paint};

const COLUMNS: usize = 80;
const INDENT: &str = "   ";

/// Prints the tour. Every function fails when stdout is closed or full.
pub(super) struct Page {
    paint: Paint,
    steps: usize,
}

impl Page {
    pub(super) const fn new(paint: Paint) -> Self {
        Self { paint, steps: 0 }
    }

    /// The first line, and what the whole is about.
    pub(super) fn title(&self, title: &str, about: &str) -> io::Result<()> {
        output::line("")?;
        output::line(self.paint.bold(title))?;
        wrap(about, COLUMNS).iter().try_for_each(|line| output::line(self.paint.dim(line)))
    }

    /// A step that begins.
    pub(super) fn step(&mut self, title: &str) -> io::Result<()> {
        self.steps += 1;
        output::line("")?;
        output::line(self.paint.bold(format!("{:>2} {title}", self.steps)))
    }

    /// Something that worked.
    pub(super) fn done(&self, text: &str) -> io::Result<()> {
        marked(&self.paint.green("✓"), text)
    }

    /// What failed, and why.
    pub(super) fn failed(&self, why: &str) -> io::Result<()> {
        marked(&self.paint.red("✗"), why)
    }

    /// A remark.
    pub(super) fn remark(&self, text: &str) -> io::Result<()> {
        let lines = wrap(text, COLUMNS - INDENT.len() - 2);
        lines.iter().try_for_each(|line| output::line(format!("{INDENT}  {}", self.paint.dim(line))))
    }

    /// A heading within a step.
    pub(super) fn heading(&self, text: &str) -> io::Result<()> {
        output::line("")?;
        wrap(text, COLUMNS - INDENT.len())
            .iter()
            .try_for_each(|line| output::line(format!("{INDENT}{}", self.paint.bold(line))))
    }

    /// A piece of what was made: `mark` in front of the first line, the others below its text.
    pub(super) fn excerpt(&self, mark: &str, text: &str) -> io::Result<()> {
        let space = " ".repeat(mark.chars().count());
        let lines = wrap(text, COLUMNS - INDENT.len() - 3 - space.len());
        lines.iter().enumerate().try_for_each(|(index, line)| {
            let front = if index == 0 { mark } else { &space };
            output::line(format!("{INDENT}{} {front} {line}", self.paint.dim("│")).trim_end())
        })
    }

    /// A line to be pasted into a shell: never wrapped.
    pub(super) fn shell(&self, line: &str) -> io::Result<()> {
        output::line(format!("{INDENT}{line}"))
    }

    /// An empty line.
    pub(super) fn gap(&self) -> io::Result<()> {
        output::line("")
    }

    /// Something else to stand out.
    pub(super) fn bold(&self, text: &str) -> io::Result<()> {
        output::line(format!("{INDENT}{}", self.paint.bold(text)))
    }
}

/// Text behind a mark of one character, its further lines below the first.
fn marked(mark: &str, text: &str) -> io::Result<()> {
    wrap(text, COLUMNS - INDENT.len() - 2).iter().enumerate().try_for_each(|(index, line)| {
        let front = if index == 0 { mark } else { " " };
        output::line(format!("{INDENT}{front} {line}"))
    })
}

/// Breaks text at spaces; a word longer than a line has a line of its own.
fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        let used = line.chars().count();
        if used > 0 && used + 1 + word.chars().count() > columns {
            lines.push(word.to_owned());
        } else {
            if used > 0 {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// The start of a text, at most this many characters, ended by an ellipsis where it is cut.
pub(super) fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most).collect();
    let whole_words = start.rsplit_once(' ').map_or(start.as_str(), |(words, _)| words);
    format!("{} …", whole_words.trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_spaces() {
        assert_eq!(wrap("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrap("a verylongword b", 5), ["a", "verylongword", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn text_is_cut_between_words() {
        assert_eq!(shorten("one two", 7), "one two");
        assert_eq!(shorten("one, two three", 6), "one …");
    }
}
