//! Cards of words: titles, statements, definitions and quotes.

use super::super::Element;
use super::super::art::Art;
use super::super::stage::{Area, Style};
use super::Pen;
use crate::fonts::Weight;
use crate::text::{Align, Block, shape};

impl Pen<'_> {
    /// A large title with a bar above.
    pub(super) fn title(&self, title: &str) -> Vec<Element> {
        let (unit, content) = (self.stage.unit, self.stage.content);
        let width = if self.stage.is_wide() { content.width * 0.74 } else { content.width };
        let area = Area { width, height: content.height - 60.0 * unit, ..content };
        let lines = if self.stage.is_wide() { 5 } else { 8 };
        let block = self.stage.fit(title, area, Style { largest: 92.0, smallest: 30.0, lines, weight: Weight::Bold });
        let y = self.centered(block.height() + 46.0 * unit);
        let bar = Area { x: content.x, y, width: 104.0 * unit, height: 12.0 * unit };
        let mut art: Vec<Art> = self.stage.rectangle(bar, 6.0 * unit, self.palette.accent).into_iter().collect();
        art.extend(self.stage.text(&block, area, y + 46.0 * unit, Align::Start, self.palette.text));
        vec![Element { art, step: 0 }]
    }

    /// A statement with a bar beside.
    pub(super) fn statement(&self, text: &str) -> Vec<Element> {
        let (unit, content) = (self.stage.unit, self.stage.content);
        let indent = 44.0 * unit;
        let area = Area { x: content.x + indent, width: (content.width - indent) * 0.94, ..content };
        let lines = if self.stage.is_wide() { 7 } else { 11 };
        let block = self.stage.fit(text, area, Style { largest: 84.0, smallest: 26.0, lines, weight: Weight::Bold });
        let y = self.centered(block.height());
        let bar = Area {
            x: content.x,
            y: y + 0.12 * block.size,
            width: 12.0 * unit,
            height: block.height() - 0.2 * block.size,
        };
        let mut art: Vec<Art> = self.stage.rectangle(bar, 6.0 * unit, self.palette.accent).into_iter().collect();
        art.extend(self.stage.text(&block, area, y, Align::Start, self.palette.text));
        vec![Element { art, step: 0 }]
    }

    /// A term, a line, and what the term means.
    pub(super) fn definition(&self, term: &str, meaning: &str) -> Vec<Element> {
        let (unit, content) = (self.stage.unit, self.stage.content);
        let upper = Area { height: content.height * 0.42, ..content };
        let term = self.stage.fit(term, upper, Style { largest: 88.0, smallest: 30.0, lines: 2, weight: Weight::Bold });
        let gap = 34.0 * unit;
        let lower = Area { height: content.height - term.height() - 2.0 * gap, width: content.width * 0.9, ..content };
        let meaning =
            self.stage.fit(meaning, lower, Style { largest: 48.0, smallest: 24.0, lines: 7, weight: Weight::Medium });
        let y = self.centered(term.height() + meaning.height() + 2.0 * gap);
        let mut art = self.stage.text(&term, upper, y, Align::Start, self.palette.accent);
        let line = Area { x: content.x, y: y + term.height() + gap * 0.7, width: 104.0 * unit, height: 6.0 * unit };
        art.extend(self.stage.rectangle(line, 3.0 * unit, self.palette.faint));
        let y = y + term.height() + 2.0 * gap;
        art.extend(self.stage.text(&meaning, lower, y, Align::Start, self.palette.text));
        vec![Element { art, step: 0 }]
    }

    /// Words of somebody below a large mark.
    pub(super) fn quote(&self, text: &str, source: Option<&str>) -> Vec<Element> {
        let (unit, content) = (self.stage.unit, self.stage.content);
        let mark_height = 96.0 * unit;
        let style = Style { largest: 36.0, smallest: 22.0, lines: 2, weight: Weight::Medium };
        let source: Option<Block> =
            source.map(|source| self.stage.fit(source, Area { width: content.width - 60.0 * unit, ..content }, style));
        let below = source.as_ref().map_or(0.0, |source| source.height() + 34.0 * unit);
        let area = Area { height: content.height - mark_height - below, width: content.width * 0.94, ..content };
        let lines = if self.stage.is_wide() { 9 } else { 14 };
        let block = self.stage.fit(text, area, Style { largest: 62.0, smallest: 24.0, lines, weight: Weight::Bold });
        let y = self.centered(mark_height + block.height() + below);
        let mark = shape("“", "en", Weight::Bold);
        let size = 230.0 * unit;
        let left = self.stage.left(content.x - 0.04 * size, mark.width * size);
        let mut art = Art::glyphs(&mark.glyphs, left, y + 0.72 * size, size, self.palette.accent);
        art.extend(self.stage.text(&block, area, y + mark_height, Align::Start, self.palette.text));
        if let Some(source) = source {
            let y = y + mark_height + block.height() + 34.0 * unit;
            let line = Area {
                x: content.x,
                y: y + source.baseline(0) - 0.36 * source.size,
                width: 40.0 * unit,
                height: 4.0 * unit,
            };
            art.extend(self.stage.rectangle(line, 2.0 * unit, self.palette.accent));
            let area = Area { x: content.x + 60.0 * unit, ..content };
            let area = Area { width: content.width - 60.0 * unit, ..area };
            art.extend(self.stage.text(&source, area, y, Align::Start, self.palette.muted));
        }
        vec![Element { art, step: 0 }]
    }

    /// The upper edge of something of a height in the middle of the content.
    pub(super) fn centered(&self, height: f32) -> f32 {
        self.stage.content.y + ((self.stage.content.height - height) / 2.0).max(0.0)
    }
}
