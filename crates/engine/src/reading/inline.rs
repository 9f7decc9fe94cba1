//! Running text: one line, white space squeezed, with the stretches that the source emphasised.
//!
//! Everything invisible or able to disturb a page (controls, bidi overrides, zero-width spaces) is
//! dropped here, once, so that nothing behind this point meets it.

use language::script::{is_thai, is_unspaced};

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

/// Deepest nesting of marked stretches; what is deeper is not marked.
const DEEPEST: usize = 16;

/// Builds a passage from pieces.
#[derive(Debug, Default)]
pub(crate) struct PassageBuilder {
    passage: Passage,
    gap: Gap,
    /// The stretches that are open, the innermost last.
    open: Vec<MarkKind>,
    /// Where the stretch that is being marked begins.
    start: Option<usize>,
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
            if !self.open.is_empty() && self.start.is_none() {
                self.start = Some(self.passage.text.len());
            }
            self.passage.text.push(character);
        }
    }

    /// Begins a marked stretch. Inside another one, what is more than emphasis takes its place.
    pub(crate) fn open(&mut self, kind: MarkKind) {
        if self.open.len() < DEEPEST {
            self.mark();
            self.open.push(kind);
        }
    }

    /// Ends the innermost marked stretch.
    pub(crate) fn close(&mut self) {
        self.close_where(|_| true);
    }

    /// Ends the innermost marked stretch of a kind, where one is open.
    pub(crate) fn close_where(&mut self, is_meant: impl Fn(&MarkKind) -> bool) {
        if let Some(at) = self.open.iter().rposition(is_meant) {
            self.mark();
            self.open.remove(at);
        }
    }

    /// A formula: LaTeX without delimiters.
    pub(crate) fn formula(&mut self, latex: &str) {
        self.open(MarkKind::Formula);
        self.push_str(&format!("${latex}$"));
        self.close_where(|kind| *kind == MarkKind::Formula);
    }

    /// A passage that was built elsewhere.
    pub(crate) fn passage(&mut self, passage: &Passage) {
        let mut at = 0;
        for mark in &passage.marks {
            self.push_str(&passage.text[at..mark.start]);
            self.open(mark.kind.clone());
            self.push_str(&passage.text[mark.start..mark.end]);
            self.close();
            at = mark.end;
        }
        self.push_str(&passage.text[at..]);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.passage.text.is_empty()
    }

    pub(crate) fn text(&self) -> &str {
        &self.passage.text
    }

    /// Hands the passage over and starts anew; an open stretch goes on in the next passage.
    pub(crate) fn finish(&mut self) -> Passage {
        self.mark();
        let passage = std::mem::take(&mut self.passage);
        *self = Self { open: std::mem::take(&mut self.open), ..Self::default() };
        passage
    }

    /// Marks the stretch up to here by what is open.
    fn mark(&mut self) {
        let Some(start) = self.start.take() else { return };
        let more = self.open.iter().rev().find(|kind| !matches!(kind, MarkKind::Strong | MarkKind::Emphasis));
        if let Some(kind) = more.or(self.open.first()) {
            self.passage.marks.push(Mark { start, end: self.passage.text.len(), kind: kind.clone() });
        }
    }

    /// A line break between two characters of a script without spaces is no space. Thai parts its clauses by spaces.
    fn fill_gap(&mut self, next: char) {
        let gap = std::mem::take(&mut self.gap);
        let Some(last) = self.passage.text.chars().next_back() else { return };
        let joined = gap == Gap::Line && is_unspaced(last) && is_unspaced(next) && !is_thai(last);
        if gap != Gap::None && !joined {
            self.passage.text.push(' ');
        }
    }
}

impl Passage {
    /// The part behind the first `at` bytes, without the space in front of it.
    pub(crate) fn behind(&self, at: usize) -> Self {
        let rest = &self.text[at..];
        let at = at + rest.len() - rest.trim_start().len();
        let inside = self.marks.iter().filter(|mark| mark.start >= at);
        let marks = inside.map(|mark| Mark { start: mark.start - at, end: mark.end - at, kind: mark.kind.clone() });
        Self { text: self.text[at..].to_owned(), marks: marks.collect() }
    }

    /// The first `at` bytes, without the space behind them.
    pub(crate) fn before(&self, at: usize) -> Self {
        let text = self.text[..at].trim_end().to_owned();
        let marks = self.marks.iter().filter(|mark| mark.end <= text.len()).cloned().collect();
        Self { text, marks }
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

    #[test]
    fn a_link_inside_of_emphasis_is_a_link() {
        let mut builder = PassageBuilder::default();
        builder.open(MarkKind::Strong);
        builder.push_str("see ");
        builder.open(MarkKind::Link("https://x.y".to_owned()));
        builder.push_str("this");
        builder.close();
        builder.push_str(" page");
        builder.close();
        let passage = builder.finish();
        let marks: Vec<&str> = passage.marks.iter().map(|mark| &passage.text[mark.start..mark.end]).collect();
        assert_eq!(marks, ["see", "this", "page"]);
        assert!(matches!(passage.marks[1].kind, MarkKind::Link(_)));
    }

    #[test]
    fn a_passage_is_cut_with_its_marks() {
        let mut builder = PassageBuilder::default();
        builder.push_str("Example: a ");
        builder.open(MarkKind::Strong);
        builder.push_str("cell");
        builder.close();
        let passage = builder.finish();
        let (before, behind) = (passage.before(8), passage.behind(8));
        assert_eq!((before.text.as_str(), before.marks.len()), ("Example:", 0));
        assert_eq!(behind.marked_in(0..behind.text.len()).collect::<Vec<_>>(), ["cell"]);
    }
}
