//! One line of text as glyphs in the order in which they are seen.
//!
//! The line is parted by direction (UAX #9), font and script; each part is shaped by itself.

use rustybuzz::ttf_parser::{GlyphId, Tag};
use rustybuzz::{Direction, UnicodeBuffer};
use unicode_bidi::{BidiInfo, Level};
use unicode_script::{Script, UnicodeScript as _};

use crate::fonts::{Family, Weight};

/// A glyph at its place, in ems from the line's begin on the baseline; y grows upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glyph {
    pub(crate) family: Family,
    pub(crate) weight: Weight,
    pub(crate) id: GlyphId,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// A shaped line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    pub(crate) glyphs: Vec<Glyph>,
    /// In ems.
    pub(crate) width: f32,
}

/// A stretch of one font and script.
struct Run {
    start: usize,
    end: usize,
    family: Family,
    script: Script,
}

/// Shapes a cleaned text as one line.
pub(crate) fn shape(text: &str, language: &str, weight: Weight) -> Line {
    let is_rtl = language::script::direction(language) == "rtl";
    let level = if is_rtl { Level::rtl() } else { Level::ltr() };
    let bidi = BidiInfo::new(text, Some(level));
    let mut line = Line::default();
    // A cleaned text is one paragraph.
    let Some(paragraph) = bidi.paragraphs.first() else { return line };
    let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
    for run in runs {
        let is_backwards = levels.get(run.start).is_some_and(Level::is_rtl);
        let mut parts = itemize(text, run.start, run.end, language);
        if is_backwards {
            parts.reverse();
        }
        for part in parts {
            let direction = if is_backwards { Direction::RightToLeft } else { Direction::LeftToRight };
            push(&mut line, &text[part.start..part.end], &part, direction, language, weight);
        }
    }
    line
}

/// The runs of a stretch of text in the order of the text. Characters without a glyph are in none.
fn itemize(text: &str, start: usize, end: usize, language: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, character) in text[start..end].char_indices() {
        let (from, to) = (start + at, start + at + character.len_utf8());
        let script = character.script();
        let is_shared = matches!(script, Script::Common | Script::Inherited | Script::Unknown);
        // Marks and joiners stay with their letter, and spaces with the word before.
        if let Some(last) = runs.last_mut().filter(|last| last.end == from)
            && (script == Script::Inherited || matches!(character, ' ' | '\u{200C}' | '\u{200D}'))
        {
            last.end = to;
            continue;
        }
        let Some(family) = Family::of(character, language) else { continue };
        match runs.last_mut() {
            Some(last) if last.end == from && last.family == family && (is_shared || last.script == script) => {
                last.end = to;
            }
            Some(last) if last.end == from && last.family == family && last.script == Script::Common => {
                (last.end, last.script) = (to, script);
            }
            _ => {
                runs.push(Run {
                    start: from,
                    end: to,
                    family,
                    script: if is_shared { Script::Common } else { script },
                });
            }
        }
    }
    runs
}

fn push(line: &mut Line, text: &str, run: &Run, direction: Direction, language: &str, weight: Weight) {
    let face = run.family.face(weight);
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.set_direction(direction);
    let tag = Tag::from_bytes_lossy(run.script.short_name().as_bytes());
    if let Some(script) = rustybuzz::Script::from_iso15924_tag(tag).filter(|_| run.script != Script::Common) {
        buffer.set_script(script);
    }
    if let Ok(language) = language.parse() {
        buffer.set_language(language);
    }
    buffer.guess_segment_properties();
    let shaped = rustybuzz::shape(face, &[], buffer);
    let em = run.family.em(weight);
    for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
        let id = GlyphId(u16::try_from(info.glyph_id).unwrap_or_default());
        let x = line.width + units(position.x_offset) / em;
        line.glyphs.push(Glyph { family: run.family, weight, id, x, y: units(position.y_offset) / em });
        line.width += units(position.x_advance) / em;
    }
}

#[expect(clippy::cast_precision_loss, reason = "units of a font are small")]
const fn units(value: i32) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_fonts() {
        let narrow = shape("ill", "en", Weight::Medium).width;
        let wide = shape("WWW", "en", Weight::Medium).width;
        assert!(narrow > 0.5 && wide > 2.0 * narrow);
        assert!((shape("植物", "zh", Weight::Medium).width - 2.0).abs() < 0.01);
        assert_eq!(shape("", "en", Weight::Medium), Line::default());
        assert_eq!(shape("\u{E000}", "en", Weight::Medium), Line::default());
    }

    #[test]
    fn arabic_is_seen_from_the_right_and_joined() {
        let line = shape("باب 12", "ar", Weight::Medium);
        // The number stands last, so at the left, and is read from the left.
        let digits: Vec<f32> =
            line.glyphs.iter().filter(|glyph| glyph.family != Family::Arabic).map(|glyph| glyph.x).collect();
        assert!(digits[0] < digits[1] && digits[1] < line.width / 2.0);
        let alone = ["ب", "ا", "ب"].map(|letter| shape(letter, "ar", Weight::Medium).width).iter().sum::<f32>();
        assert!(shape("باب", "ar", Weight::Medium).width < 0.95 * alone);
    }

    #[test]
    fn devanagari_signs_move_before_their_letter_beside_latin() {
        let mixed = shape("DNA कि", "hi", Weight::Medium);
        let alone = shape("कि", "hi", Weight::Medium);
        let ids = |line: &Line| line.glyphs.iter().map(|glyph| glyph.id).collect::<Vec<_>>();
        assert!(ids(&mixed).ends_with(&ids(&alone)));
    }
}
