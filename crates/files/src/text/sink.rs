//! Where readers put the text: it keeps the beginning and counts the rest.

use super::outcome::{Extracted, FileText, Unread};

/// Text on its way out of a file. Control characters other than tabs and line ends don't get in.
#[derive(Debug)]
pub(super) struct Sink {
    text: String,
    kept: usize,
    omitted: usize,
    room: usize,
    last: char,
    hides_text: bool,
}

impl Sink {
    /// Keeps `room` characters.
    pub(super) fn new(room: usize) -> Self {
        Self { text: String::new(), kept: 0, omitted: 0, room, last: '\n', hides_text: false }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        text.chars().for_each(|c| self.push(c));
    }

    pub(super) fn push(&mut self, c: char) {
        // Of two characters that end a line together, one.
        let (last, c) = (std::mem::replace(&mut self.last, c), if c == '\r' { '\n' } else { c });
        if (c.is_control() && !matches!(c, '\n' | '\t')) || (last == '\r' && self.last == '\n') {
            return;
        }
        if self.kept < self.room {
            self.text.push(c);
            self.kept += 1;
        } else {
            self.omitted += 1;
        }
    }

    /// Text that nobody sees stays out. That it was there is said, unless it is white space.
    pub(super) fn hide(&mut self, text: &str) {
        self.hides_text |= text.contains(|c: char| !c.is_whitespace() && !c.is_control());
    }

    /// What follows stands on a line of its own.
    pub(super) fn line(&mut self) {
        if !matches!(self.last, '\n' | '\r') {
            self.push('\n');
        }
    }

    /// What follows is another word.
    pub(super) fn space(&mut self) {
        if !self.last.is_whitespace() {
            self.push(' ');
        }
    }

    /// What was found.
    pub(super) fn finish(self) -> Extracted {
        Extracted { hides_text: self.hides_text, text: self.shown() }
    }

    /// White space at the end goes; of what has no letter, digit or sign in it there is no text.
    fn shown(mut self) -> FileText {
        let is_nothing = |c: char| c.is_whitespace() || c == char::REPLACEMENT_CHARACTER;
        if self.text.chars().all(is_nothing) {
            return FileText::Unread(Unread::NoText);
        }
        if self.omitted > 0 {
            return FileText::Cut { text: self.text, omitted_characters: self.omitted };
        }
        self.text.truncate(self.text.trim_end().len());
        FileText::Whole(self.text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sunk(text: &str, room: usize) -> FileText {
        let mut sink = Sink::new(room);
        sink.push_str(text);
        sink.finish().text
    }

    #[test]
    fn that_something_was_hidden_is_said_even_where_nothing_is_shown() {
        let mut sink = Sink::new(9);
        sink.hide(" \n\0");
        sink.push('a');
        assert_eq!(sink.finish(), Extracted { text: FileText::Whole("a".to_owned()), hides_text: false });
        let mut sink = Sink::new(9);
        sink.hide("x");
        assert_eq!(sink.finish(), Extracted { text: FileText::Unread(Unread::NoText), hides_text: true });
    }

    #[test]
    fn control_characters_go_and_lines_end_alike() {
        let text = sunk("a\0b\u{1b}[1m\u{85}c\r\nd\re\n\tf\u{7f} \n", 100);
        assert_eq!(text, FileText::Whole("ab[1mc\nd\ne\n\tf".to_owned()));
    }

    #[test]
    fn what_is_cut_is_counted() {
        assert_eq!(sunk("äöü", 3), FileText::Whole("äöü".to_owned()));
        assert_eq!(sunk("äöü€é", 3), FileText::Cut { text: "äöü".to_owned(), omitted_characters: 2 });
    }

    #[test]
    fn white_space_and_stand_ins_are_no_text() {
        for nothing in ["", " \n\t", "\u{fffd} \u{fffd}", "\0"] {
            assert_eq!(sunk(nothing, 9), FileText::Unread(Unread::NoText), "{nothing:?}");
        }
    }

    proptest! {
        #[test]
        fn no_character_is_lost_uncounted(text in "[a-z \\n]{0,60}", room in 1..30_usize) {
            let shown = match sunk(&format!("x{text}y"), room) {
                FileText::Whole(text) => text.chars().count(),
                FileText::Cut { text, omitted_characters } => text.chars().count() + omitted_characters,
                FileText::Unread(_) => 0,
            };
            prop_assert_eq!(shown, text.chars().count() + 2);
        }
    }
}
