//! Server-sent events out of pieces of bytes that may break anywhere.

use crate::failure::Cause;

/// An event's data, at most; the last event of some protocols repeats the whole answer.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// Cuts a stream into events. Only their data counts: every protocol here repeats an event's name in it.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// The last line ended with a carriage return, whose line feed may be still to come.
    ends_with_return: bool,
    has_begun: bool,
}

impl Events {
    /// Takes a piece; calls `on_event` with the data of each event that is whole now.
    ///
    /// # Errors
    /// When an event is too long or not UTF-8, or what `on_event` fails with.
    pub(crate) fn push<E: From<Cause>>(
        &mut self,
        piece: &[u8],
        mut on_event: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = piece;
        while !rest.is_empty() {
            if std::mem::take(&mut self.ends_with_return) && rest[0] == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.keep(rest)?;
                break;
            };
            self.keep(&rest[..at])?;
            self.ends_with_return = rest[at] == b'\r';
            rest = &rest[at + 1..];
            self.end_line(&mut on_event)?;
        }
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), Cause> {
        if self.line.len() + self.data.len() + bytes.len() > MOST_BYTES {
            return Err(Cause::Unreadable);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line<E: From<Cause>>(&mut self, on_event: &mut impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let mut line = self.line.as_slice();
        if !std::mem::replace(&mut self.has_begun, true) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if let Some(value) = line.strip_prefix(b"data:") {
            if std::mem::replace(&mut self.has_data, true) {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
        }
        let ends_event = line.is_empty() && std::mem::take(&mut self.has_data);
        self.line.clear();
        if ends_event {
            let outcome = std::str::from_utf8(&self.data).map_err(|_| E::from(Cause::Unreadable)).and_then(on_event);
            self.data.clear();
            outcome?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events(pieces: &[&[u8]]) -> Result<Vec<String>, Cause> {
        let mut found = Vec::new();
        let mut events = Events::default();
        for piece in pieces {
            events.push(piece, |data| {
                found.push(data.to_owned());
                Ok::<(), Cause>(())
            })?;
        }
        Ok(found)
    }

    #[test]
    fn names_comments_and_unknown_fields_are_passed_over() {
        let stream =
            "\u{feff}: hello\nevent: x\ndata: {\"a\":1}\nid: 7\n\n:ping\n\ndata:b\ndata: c\n\nretry: 5\n\ndata\n\n";
        assert_eq!(events(&[stream.as_bytes()]).unwrap(), ["{\"a\":1}", "b\nc"]);
    }

    #[test]
    fn an_event_without_its_end_is_none() {
        assert_eq!(events(&[b"data: a\n\ndata: b\n"]).unwrap(), ["a"]);
    }

    #[test]
    fn an_event_has_an_end_and_is_text() {
        assert_eq!(events(&[b"data: \xff\n\n"]), Err(Cause::Unreadable));
        let long = vec![b'x'; MOST_BYTES];
        assert_eq!(events(&[b"data: ", &long]), Err(Cause::Unreadable));
        let line = [b"data: ".as_slice(), &vec![b'x'; 1024], b"\n"].concat();
        assert_eq!(events(&vec![line.as_slice(); 4200]), Err(Cause::Unreadable));
    }

    proptest! {
        #[test]
        fn where_pieces_break_and_how_lines_end_does_not_matter(
            texts in prop::collection::vec("[a-zé€ ]{0,12}", 1..6),
            end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
            size in 1_usize..9,
        ) {
            let stream: String = texts.iter().map(|text| format!("data: {text}{end}{end}")).collect();
            // A bare return at the very end may be half of a pair, and still ends the line.
            let pieces: Vec<&[u8]> = stream.as_bytes().chunks(size).collect();
            prop_assert_eq!(events(&pieces).unwrap(), texts);
        }
    }
}
