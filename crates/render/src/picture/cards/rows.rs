//! Cards of rows: lists whose items appear one after another, and tables.

use super::super::Element;
use super::super::art::Art;
use super::super::stage::{Area, Style};
use super::Pen;
use crate::fonts::Weight;
use crate::formula::readable;
use crate::text::{Align, Block};

/// Items in one column of a wide picture; more make two columns.
const ONE_COLUMN: usize = 5;
/// Items that are drawn; the last of more is an ellipsis.
const MOST_ITEMS: usize = 12;
/// Rows and columns of a table that are drawn.
const MOST_ROWS: usize = 9;
const MOST_COLUMNS: usize = 6;

#[expect(clippy::cast_precision_loss, reason = "a card has few rows")]
const fn count(rows: usize) -> f32 {
    rows as f32
}

/// The first of many, then an ellipsis.
fn bounded<T>(all: &[T], most: usize) -> (&[T], bool) {
    if all.len() > most { (&all[..most - 1], true) } else { (all, false) }
}

impl Pen<'_> {
    /// A heading with items on cards.
    pub(super) fn list(&self, heading: Option<&str>, items: &[String]) -> Vec<Element> {
        let (unit, content) = (self.stage.unit, self.stage.content);
        let (shown, is_cut) = bounded(items, MOST_ITEMS);
        let mut texts: Vec<String> = shown.iter().map(|item| readable(item)).collect();
        texts.extend(is_cut.then(|| "…".to_owned()));
        let style = Style { largest: 58.0, smallest: 26.0, lines: 2, weight: Weight::Bold };
        let heading =
            heading.map(|heading| self.stage.fit(heading, Area { height: content.height * 0.3, ..content }, style));
        let above = heading.as_ref().map_or(0.0, |heading| heading.height() + 26.0 * unit);
        let columns = if texts.len() > ONE_COLUMN && self.stage.is_wide() { 2 } else { 1 };
        let rows = texts.len().div_ceil(columns).max(1);
        let gap = if rows > 6 { 10.0 } else { 18.0 } * unit;
        let free = content.height - above - gap * count(rows - 1);
        let height = (free / count(rows)).min(if self.stage.is_wide() { 104.0 } else { 150.0 } * unit);
        let width = (content.width - 24.0 * unit * count(columns - 1)) / count(columns);
        let top = self.centered(above + height * count(rows) + gap * count(rows - 1));
        let place = |at: usize| {
            let (column, row) = (at / rows, at % rows);
            Area {
                x: content.x + (width + 24.0 * unit) * count(column),
                y: top + above + (height + gap) * count(row),
                width,
                height,
            }
        };
        let blocks =
            self.even_blocks(&texts, |_| self.inside(Area { x: 0.0, y: 0.0, width, height }), Weight::Medium, 46.0);
        let mut elements = Vec::new();
        if let Some(heading) = heading {
            let art = self.stage.text(&heading, content, top, Align::Start, self.palette.text);
            elements.push(Element { art, step: 0 });
        }
        for (at, block) in blocks.iter().enumerate() {
            elements.push(Element { art: self.item(block, place(at), at), step: at });
        }
        elements
    }

    /// The part of an item's card that its text may take.
    fn inside(&self, card: Area) -> Area {
        let pad = 40.0 * self.stage.unit;
        Area { x: card.x + pad, width: card.width - 1.6 * pad, height: card.height - 8.0 * self.stage.unit, ..card }
    }

    fn item(&self, block: &Block, card: Area, at: usize) -> Vec<Art> {
        let unit = self.stage.unit;
        let color = self.palette.accent_of(at);
        let mut art = self.raised(card, 18.0);
        let mark = Area {
            x: card.x + 14.0 * unit,
            y: card.y + card.height * 0.24,
            width: 8.0 * unit,
            height: card.height * 0.52,
        };
        art.extend(self.stage.rectangle(mark, 4.0 * unit, color));
        let inside = self.inside(card);
        let y = card.y + (card.height - block.height()) / 2.0;
        art.extend(self.stage.text(block, inside, y, Align::Start, self.palette.text));
        art
    }

    /// A raised card with a soft edge.
    pub(super) fn raised(&self, card: Area, radius: f32) -> Vec<Art> {
        let unit = self.stage.unit;
        let edge = 1.5 * unit;
        let around = Area {
            x: card.x - edge,
            y: card.y - edge,
            width: card.width + 2.0 * edge,
            height: card.height + 3.0 * edge,
        };
        let edge = self.stage.rectangle(around, radius * unit + edge, self.palette.faint);
        edge.into_iter().chain(self.stage.rectangle(card, radius * unit, self.palette.raised)).collect()
    }

    /// Texts in areas, all of the size at which each fits.
    fn even_blocks(&self, texts: &[String], area: impl Fn(usize) -> Area, weight: Weight, largest: f32) -> Vec<Block> {
        let style = Style { largest, smallest: 18.0, lines: 2, weight };
        let fitted = |style: Style| texts.iter().enumerate().map(move |(at, text)| (at, text, style));
        let unit = self.stage.unit;
        let first: Vec<Block> = fitted(style).map(|(at, text, style)| self.stage.fit(text, area(at), style)).collect();
        let smallest = first.iter().map(|block| block.size).fold(largest * unit, f32::min) / unit;
        let style = Style { largest: smallest.max(18.0), ..style };
        fitted(style).map(|(at, text, style)| self.stage.fit(text, area(at), style)).collect()
    }

    /// Rows of cells on one card. Rows appear one after another.
    pub(super) fn table(&self, rows: &[Vec<String>], has_header: bool) -> Vec<Element> {
        let (unit, content) = (self.stage.unit, self.stage.content);
        let (shown, is_cut) = bounded(rows, MOST_ROWS);
        let columns = shown.first().map_or(1, Vec::len).clamp(1, MOST_COLUMNS);
        let mut cells: Vec<Vec<String>> =
            shown.iter().map(|row| row.iter().take(columns).map(|cell| readable(cell)).collect()).collect();
        if is_cut {
            cells.push(vec!["…".to_owned(); columns]);
        }
        let height = (content.height / count(cells.len().max(1))).min(108.0 * unit);
        let top = self.centered(height * count(cells.len()));
        let card = Area { y: top, height: height * count(cells.len()), ..content };
        let widths = self.column_widths(&cells, columns);
        let place = |row: usize, column: usize| {
            let before: f32 = widths[..column].iter().sum();
            Area { x: content.x + before, y: top + height * count(row), width: widths[column], height }
        };
        let pad = 28.0 * unit;
        let flat: Vec<String> = cells.concat();
        let inside = |area: Area| Area {
            x: area.x + pad,
            width: area.width - 2.0 * pad,
            height: area.height - 6.0 * unit,
            ..area
        };
        let blocks = self.even_blocks(&flat, |at| inside(place(at / columns, at % columns)), Weight::Medium, 44.0);
        let mut elements = vec![Element { art: self.raised(card, 22.0), step: 0 }];
        for row in 0..cells.len() {
            let is_header = has_header && row == 0;
            let mut art = Vec::new();
            if row > 0 {
                let below_header = has_header && row == 1;
                let (thick, color) = if below_header { (4.0, self.palette.accent) } else { (2.0, self.palette.faint) };
                let y = top + height * count(row) - thick * unit / 2.0;
                let line = Area { x: content.x + pad, y, width: content.width - 2.0 * pad, height: thick * unit };
                art.extend(self.stage.rectangle(line, 0.0, color));
            }
            for column in 0..columns {
                let block = &blocks[row * columns + column];
                let area = place(row, column);
                let is_term = column == 0 || is_header;
                let color = if is_term { self.palette.accent } else { self.palette.text };
                art.extend(self.stage.text(
                    block,
                    inside(area),
                    area.y + (height - block.height()) / 2.0,
                    Align::Start,
                    color,
                ));
            }
            elements.push(Element { art, step: row.saturating_sub(usize::from(has_header)) });
        }
        elements
    }

    /// Widths by what the cells need, none less than a part of the even width.
    fn column_widths(&self, cells: &[Vec<String>], columns: usize) -> Vec<f32> {
        let needed = |column: usize| {
            let longest = cells.iter().filter_map(|row| row.get(column));
            longest
                .map(|cell| crate::text::shape(cell, &self.stage.language, Weight::Medium).width)
                .fold(3.0, f32::max)
                .min(18.0)
        };
        let needed: Vec<f32> = (0..columns).map(needed).collect();
        let sum: f32 = needed.iter().sum();
        needed.into_iter().map(|width| self.stage.content.width * width / sum).collect()
    }
}
