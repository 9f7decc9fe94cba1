//! Running text: one line, white space squeezed, with the stretches that the source emphasised.
//!
//! Everything invisible or able to disturb a page (controls, bidi overrides, zero-width spaces) is
//! dropped here, once, so that nothing behind this point meets it.

use language::script::is_unspaced;

/// Text of one paragraph, item or cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) text: String,
    /// Byte ranges of marked stretches, in order, not overlapping.
    pub(crate) marks: Vec<Mark>,
}

/// A stretch that is more than its letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: MarkKind,
}

/// What a stretch is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MarkKind {
    Strong,
    Emphasis,
    Code,
    /// LaTeX; the text holds it between dollar signs.
    Formula,
    /// The text of a link, with the address as the source gives it.
    Link(String),
}

impl MarkKind {
    /// Whether the source sets the stretch off because it matters.
    pub(crate) fn is_emphasis(&self) -> bool {
        matches!(self, Self::Strong | Self::Emphasis | Self::Code)
    }
}

impl Passage {
    /// Plain text without marks.
    pub(crate) fn plain(text: &str) -> Self {
        let mut builder = PassageBuilder::default();
        builder.push_str(text);
        builder.finish()
    }

    /// The emphasised stretches that lie in a range of bytes.
    pub(crate) fn marked_in(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = &str> {
        let first = self.marks.partition_point(|mark| mark.start < range.start);
        let inside = self.marks[first..].iter().take_while(move |mark| mark.end <= range.end);
        inside.filter(|mark| mark.kind.is_emphasis()).map(|mark| &self.text[mark.start..mark.end])
    }
}

/// Builds a passage from pieces.
#[derive(Debug, Default)]
pub(crate) struct PassageBuilder {
    passage: Passage,
    gap: Gap,
    open: Option<(Option<usize>, MarkKind, usize)>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
}

impl PassageBuilder {
    pub(crate) fn push_str(&mut self, text: &str) {
        for character in text.chars() {
            self.push(character);
        }
    }

    pub(crate) fn push(&mut self, character: char) {
        if character == '\n' {
            self.gap = Gap::Line;
        } else if character.is_whitespace() {
            self.gap = if self.gap == Gap::Line { Gap::Line } else { Gap::Space };
        } else if !is_invisible(character) {
            self.fill_gap(character);
            if let Some((start @ None, _, _)) = &mut self.open {
                *start = Some(self.passage.text.len());
            }
            self.passage.text.push(character);
        }
    }

    /// Begins an emphasised stretch; inside another one it only counts.
    pub(crate) fn open(&mut self, kind: MarkKind) {
        match &mut self.open {
            Some((_, _, depth)) => *depth += 1,
            none => *none = Some((None, kind, 1)),
        }
    }

    /// Ends the innermost emphasised stretch.
    pub(crate) fn close(&mut self) {
        let Some((start, kind, depth)) = self.open.take() else { return };
        if depth > 1 {
            self.open = Some((start, kind, depth - 1));
        } else if let Some(start) = start {
            let end = self.passage.text.len();
            self.passage.marks.push(Mark { start, end, kind });
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.passage.text.is_empty()
    }

    /// Hands the passage over and starts anew; an open stretch goes on in the next passage.
    pub(crate) fn finish(&mut self) -> Passage {
        let open = self.open.take().map(|(start, kind, depth)| {
            if let Some(start) = start {
                let end = self.passage.text.len();
                self.passage.marks.push(Mark { start, end, kind: kind.clone() });
            }
            (None, kind, depth)
        });
        let passage = std::mem::take(&mut self.passage);
        *self = Self { open, ..Self::default() };
        passage
    }

    /// A line break between two characters of a script without spaces is no space.
    fn fill_gap(&mut self, next: char) {
        let gap = std::mem::take(&mut self.gap);
        let Some(last) = self.passage.text.chars().next_back() else { return };
        let joined = gap == Gap::Line && is_unspaced(last) && is_unspaced(next);
        if gap != Gap::None && !joined {
            self.passage.text.push(' ');
        }
    }
}

/// One line of clean text.
pub(crate) fn squeeze(text: &str) -> String {
    Passage::plain(text).text
}

/// Clean text that keeps its lines and indents, for code.
pub(crate) fn keep_lines(text: &str) -> String {
    let kept: String =
        text.chars().filter(|character| matches!(character, '\n' | '\t') || !is_invisible(*character)).collect();
    kept.trim_matches('\n').trim_end().to_owned()
}

/// Characters that show nothing and can only disturb. Joiners (U+200C, U+200D) stay: Persian, Hindi
/// and emoji need them; so do the plain direction marks.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{AD}' | '\u{200B}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFC}' | '\u{FDD0}'..='\u{FDEF}' | '\u{E0000}'..='\u{E0FFF}'
        )
        || (character as u32) & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squeezes_space_and_drops_what_is_invisible() {
        assert_eq!(squeeze("  a\u{202E}b \n\t c\u{0}  "), "ab c");
        assert_eq!(squeeze("光合\n作用"), "光合作用");
        assert_eq!(squeeze("one\ntwo"), "one two");
    }

    #[test]
    fn marks_cover_the_text_without_outer_space() {
        let mut builder = PassageBuilder::default();
        builder.push_str("The ");
        builder.open(MarkKind::Strong);
        builder.push_str(" cell ");
        builder.close();
        builder.push_str("is");
        let passage = builder.finish();
        assert_eq!(passage.text, "The cell is");
        assert_eq!(passage.marked_in(0..passage.text.len()).collect::<Vec<_>>(), ["cell"]);
    }
}
