//! Text in a box: the largest size at which its lines fit, else its begin with an ellipsis.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;

use super::breaks::pieces;
use super::hyphens::{Piece, hyphenated};
use super::shape::{Line, shape};
use crate::fonts::Weight;

/// The side of a box that lines stand at. `Start` is the left one, in languages from the right to the left the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Start,
    Center,
}

/// What a text may take up, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) largest: f32,
    pub(crate) smallest: f32,
    pub(crate) lines: usize,
    pub(crate) weight: Weight,
    /// From one baseline to the next, in ems.
    pub(crate) leading: f32,
}

/// Lines of one size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) lines: Vec<Line>,
    /// The size of an em in pixels.
    pub(crate) size: f32,
    /// From one baseline to the next, in pixels.
    pub(crate) step: f32,
    /// Whether the end of the text is not there.
    pub(crate) is_cut: bool,
}

/// The height of a line above and below its baseline, in ems, for all scripts.
const ASCENT: f32 = 0.98;
const DESCENT: f32 = 0.28;
/// The size, as a part of the largest, below which long words are not made smaller but parted.
const COMFORTABLE: f32 = 0.55;
/// How much smaller the next size is that is tried.
const SHRINK: f32 = 0.95;

impl Block {
    /// The height that the lines take, in pixels.
    pub(crate) fn height(&self) -> f32 {
        height_of(self.lines.len(), self.size, self.step)
    }

    /// The width of the longest line, in pixels.
    pub(crate) fn width(&self) -> f32 {
        self.lines.iter().map(|line| line.width).fold(0.0, f32::max) * self.size
    }

    /// From the top to the baseline of a line, in pixels.
    pub(crate) fn baseline(&self, line: usize) -> f32 {
        ASCENT * self.size + self.step * count(line)
    }
}

fn height_of(lines: usize, size: f32, step: f32) -> f32 {
    if lines == 0 { 0.0 } else { (ASCENT + DESCENT) * size + step * count(lines - 1) }
}

#[expect(clippy::cast_precision_loss, reason = "a box has few lines")]
const fn count(lines: usize) -> f32 {
    lines as f32
}

/// Fits a cleaned text.
pub(crate) fn fit(text: &str, language: &str, frame: &Frame) -> Block {
    let measure = |text: &str| shape(text, language, frame.weight).width;
    // A word so long that the text would become small is parted with hyphens.
    let room = frame.width / (frame.largest * COMFORTABLE).max(frame.smallest);
    let whole = |text| Piece::new(Cow::Borrowed(text), false, &measure);
    let measured: Vec<Piece<'_>> =
        pieces(text).into_iter().map(whole).flat_map(|piece| hyphenated(piece, room, &measure)).collect();
    let longest = measured.iter().map(|piece| piece.width).fold(0.0, f32::max);
    let mut size = frame.largest;
    while size > frame.smallest {
        if longest * size <= frame.width
            && let Some(lines) = lines_at(&measured, size, frame)
        {
            return block(&lines, language, size, frame, false);
        }
        size = (size * SHRINK).max(frame.smallest);
    }
    smallest(&measured, language, frame)
}

/// The lines at a size, of even lengths; `None` where they do not fit.
fn lines_at(pieces: &[Piece<'_>], size: f32, frame: &Frame) -> Option<Vec<String>> {
    let room = frame.width / size;
    let lines = greedy(pieces, room);
    if lines.len() > most_lines(size, frame) {
        return None;
    }
    // The narrowest room for as many lines makes them even.
    let (mut narrow, mut wide) = (room * 0.5, room);
    for _ in 0..8 {
        let middle = f32::midpoint(narrow, wide);
        if greedy(pieces, middle).len() <= lines.len() && pieces.iter().all(|piece| piece.width <= middle) {
            wide = middle;
        } else {
            narrow = middle;
        }
    }
    Some(greedy(pieces, wide))
}

/// How many lines of a size a box takes: one at least.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a box has few lines")]
fn most_lines(size: f32, frame: &Frame) -> usize {
    let below = (frame.height - (ASCENT + DESCENT) * size) / (frame.leading * size);
    frame.lines.min(below.max(0.0) as usize + 1).max(1)
}

/// Lines that each take as many pieces as they can.
fn greedy(pieces: &[Piece<'_>], room: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = f32::INFINITY;
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if used + piece.width <= room => {
                line.push_str(&piece.text);
                used += piece.advance;
            }
            _ => {
                lines.push(piece.text.to_string());
                used = piece.advance;
            }
        }
        if piece.ends_line {
            used = f32::INFINITY;
        }
    }
    lines
}

/// The lines at the smallest size: long words are parted, and what does not fit is cut.
fn smallest(pieces: &[Piece<'_>], language: &str, frame: &Frame) -> Block {
    let size = frame.smallest;
    let room = frame.width / size;
    let measure = |text: &str| shape(text, language, frame.weight).width;
    let measured: Vec<Piece<'_>> = pieces
        .iter()
        .flat_map(|piece| {
            parts(piece, room, &measure).into_iter().map(|part| (part, piece.ends_line && piece.text.ends_with(part)))
        })
        .map(|(part, ends_line)| Piece::new(Cow::Borrowed(part), ends_line, &measure))
        .collect();
    let mut lines = greedy(&measured, room);
    let most = most_lines(size, frame);
    let is_cut = lines.len() > most;
    if is_cut {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = ellipsis(last, room, &measure);
        }
    }
    block(&lines, language, size, frame, is_cut)
}

/// A piece in parts that fit the room, parted between letters.
fn parts<'p>(piece: &'p Piece<'_>, room: f32, measure: &impl Fn(&str) -> f32) -> Vec<&'p str> {
    if piece.width <= room {
        return vec![&piece.text];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    let mut used = 0.0;
    for (at, letter) in piece.text.grapheme_indices(true) {
        // Some room is left for what joining changes.
        let width = measure(letter) * 1.02;
        if used + width > room && start < at {
            parts.push(&piece.text[start..at]);
            (start, used) = (at, 0.0);
        }
        used += width;
    }
    parts.push(&piece.text[start..]);
    parts
}

/// The begin of a line with an ellipsis, cut at a word where there is one.
fn ellipsis(line: &str, room: f32, measure: &impl Fn(&str) -> f32) -> String {
    let cut = |end: &str| format!("{}…", end.trim_end_matches([' ', ',', '，', '、', ';', ':', '.', '。']));
    let fits = |end: &str| measure(&cut(end)) <= room;
    let line = line.trim_end();
    if fits(line) {
        return cut(line);
    }
    let words = pieces(line);
    let mut length = line.len();
    for word in words.iter().rev().take(words.len().saturating_sub(1)) {
        length -= word.len();
        if fits(&line[..length]) {
            return cut(&line[..length]);
        }
    }
    let letters = line.grapheme_indices(true).map(|(at, _)| at).rev().find(|at| fits(&line[..*at]));
    cut(&line[..letters.unwrap_or_default()])
}

fn block(lines: &[String], language: &str, size: f32, frame: &Frame, is_cut: bool) -> Block {
    let lines = lines.iter().map(|line| shape(line.trim_end(), language, frame.weight)).collect();
    Block { lines, size, step: frame.leading * size, is_cut }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FRAME: Frame = Frame {
        width: 600.0,
        height: 200.0,
        largest: 80.0,
        smallest: 24.0,
        lines: 3,
        weight: Weight::Bold,
        leading: 1.25,
    };

    fn fits(block: &Block, frame: &Frame) -> bool {
        block.width() <= frame.width * 1.001 && block.height() <= frame.height && block.lines.len() <= frame.lines
    }

    #[test]
    fn short_texts_are_large_and_long_ones_small() {
        let short = fit("Plants", "en", &FRAME);
        assert!((short.size - 80.0).abs() < 0.1 && short.lines.len() == 1);
        let longer = fit("Why are so many plants of this earth green?", "en", &FRAME);
        assert!(longer.size < 80.0 && longer.lines.len() > 1 && !longer.is_cut && fits(&longer, &FRAME));
        let widths: Vec<f32> = longer.lines.iter().map(|line| line.width).collect();
        assert!(widths.iter().copied().fold(f32::MAX, f32::min) > 0.5 * longer.width() / longer.size, "{widths:?}");
    }

    #[test]
    fn the_longest_texts_are_cut_at_a_word() {
        let block = fit(&"green plants ".repeat(100), "en", &FRAME);
        assert!(block.is_cut && fits(&block, &FRAME));
        let measure = |text: &str| shape(text, "en", Weight::Bold).width;
        assert_eq!(ellipsis("many green plants", measure("many green…") + 0.1, &measure), "many green…");
        assert_eq!(ellipsis("so, what", measure("so…") + 0.1, &measure), "so…");
        assert_eq!(ellipsis("greenhouses", measure("green…") + 0.1, &measure), "green…");
        let word = fit(&"Donaudampfschifffahrt".repeat(3), "de", &FRAME);
        assert!(fits(&word, &FRAME) && !word.is_cut);
    }

    #[test]
    fn a_long_word_stays_large() {
        let block = fit("Grundstücksverkehrsgenehmigungszuständigkeit", "de", &FRAME);
        assert!(fits(&block, &FRAME) && block.size > 40.0 && block.lines.len() > 1, "{}", block.size);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
        #[test]
        fn no_text_leaves_its_box(text in "\\PC{0,300}", width in 60.0_f32..900.0, lines in 1_usize..5) {
            let frame = Frame { width, lines, ..FRAME };
            for language in ["en", "ar", "ja"] {
                let block = fit(&crate::text::clean(&text), language, &frame);
                prop_assert!(fits(&block, &frame), "{} of {width}", block.width());
            }
        }
    }
}
