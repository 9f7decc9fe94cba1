//! Where parts of a card stand: margins, units, and the mirror for languages from the right to the left.

use tiny_skia::Color;

use super::art::Art;
use crate::fonts::Weight;
use crate::storyboard::Storyboard;
use crate::text::{Align, Block, Frame, fit};

/// A rectangle in pixels. `x` is counted from the side at which lines begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// The measures of a video's pictures.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) width: f32,
    pub(super) height: f32,
    /// A 720th of the shorter side.
    pub(super) unit: f32,
    /// Where the content of a card may be.
    pub(super) content: Area,
    pub(super) is_rtl: bool,
    pub(super) language: String,
}

/// How a text may look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) largest: f32,
    pub(super) smallest: f32,
    pub(super) lines: usize,
    pub(super) weight: Weight,
}

/// What captions take of the height, in units.
pub(super) const CAPTION_HEIGHT: f32 = 124.0;
/// From the lower edge to the progress bar, in units.
pub(super) const PROGRESS_BOTTOM: f32 = 40.0;

impl Stage {
    #[expect(clippy::cast_precision_loss, reason = "pictures have few pixels")]
    pub(super) fn new(board: &Storyboard) -> Self {
        let (width, height) = (board.size().0 as f32, board.size().1 as f32);
        let unit = width.min(height) / 720.0;
        let margin = if width > height { 0.075 * width } else { 0.085 * width };
        let (top, bottom) =
            (104.0 * unit, 84.0 * unit + if board.burns_captions { CAPTION_HEIGHT * unit } else { 0.0 });
        let content = Area { x: margin, y: top, width: width - 2.0 * margin, height: height - top - bottom };
        Self { width, height, unit, content, is_rtl: board.is_rtl(), language: board.language.clone() }
    }

    /// Whether pictures are wider than high.
    pub(super) fn is_wide(&self) -> bool {
        self.width > 1.2 * self.height
    }

    /// The left edge of something that stands at `x` from where lines begin.
    pub(super) fn left(&self, x: f32, width: f32) -> f32 {
        if self.is_rtl { self.width - x - width } else { x }
    }

    /// A rectangle with round corners, mirrored where lines are.
    pub(super) fn rectangle(&self, area: Area, radius: f32, color: Color) -> Option<Art> {
        Art::rectangle(self.left(area.x, area.width), area.y, area.width, area.height, radius, color)
    }

    /// Fits a text into an area. Sizes are in units.
    pub(super) fn fit(&self, text: &str, area: Area, style: Style) -> Block {
        // Devanagari, Arabic and Thai have marks above and below.
        let leading = match language::primary_subtag(&self.language).as_str() {
            "hi" | "mr" | "ne" | "ar" | "fa" | "ur" | "th" => 1.42,
            _ => 1.24,
        };
        let frame = Frame {
            width: area.width,
            height: area.height,
            largest: style.largest * self.unit,
            smallest: style.smallest * self.unit,
            lines: style.lines,
            weight: style.weight,
            leading,
        };
        fit(text, &self.language, &frame)
    }

    /// A fitted text with its upper edge at `y`, in the width of an area.
    pub(super) fn text(&self, block: &Block, area: Area, y: f32, align: Align, color: Color) -> Vec<Art> {
        let left = self.left(area.x, area.width);
        let lines = block.lines.iter().enumerate().flat_map(|(at, line)| {
            let width = line.width * block.size;
            let x = match (align, self.is_rtl) {
                (Align::Center, _) => left + (area.width - width) / 2.0,
                (Align::Start, false) => left,
                (Align::Start, true) => left + area.width - width,
            };
            Art::glyphs(&line.glyphs, x, y + block.baseline(at), block.size, color)
        });
        lines.collect()
    }
}
