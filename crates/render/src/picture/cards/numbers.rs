//! Cards of a figure or a formula.

use super::super::Element;
use super::super::art::Art;
use super::super::stage::{Area, Style};
use super::Pen;
use crate::fonts::Weight;
use crate::formula::{as_text, typeset};
use crate::layout::Formula;
use crate::text::Align;

/// The size, in units, below which a formula is set in two lines.
const SMALLEST_FORMULA: f32 = 54.0;

impl Pen<'_> {
    /// A number as large as can be, with what is counted below. A percentage has a ring beside.
    pub(super) fn figure(&self, number: &str, label: Option<&str>) -> Vec<Element> {
        let (unit, content) = (self.stage.unit, self.stage.content);
        let part = share(number).filter(|_| self.stage.is_wide());
        let ring_room = if part.is_some() { 0.36 } else { 0.0 };
        let area = Area { width: content.width * (1.0 - ring_room), height: content.height * 0.66, ..content };
        let number =
            self.stage.fit(number, area, Style { largest: 230.0, smallest: 60.0, lines: 1, weight: Weight::Bold });
        let style = Style { largest: 50.0, smallest: 24.0, lines: 3, weight: Weight::Medium };
        let room = Area { height: content.height - number.height(), width: area.width * 0.98, ..content };
        let label = label.map(|label| self.stage.fit(label, room, style));
        let y = self.centered(number.height() + label.as_ref().map_or(0.0, |label| label.height()));
        let mut art = self.stage.text(&number, area, y, Align::Start, self.palette.accent);
        if let Some(label) = label {
            art.extend(self.stage.text(&label, room, y + number.height(), Align::Start, self.palette.text));
        }
        if let Some(part) = part {
            let radius = (content.height * 0.34).min(content.width * 0.15);
            let (x, y) = (
                self.stage.left(content.x + content.width - radius - 22.0 * unit, 0.0),
                content.y + content.height / 2.0,
            );
            let clockwise = !self.stage.is_rtl;
            art.extend(Art::ring(x, y, radius, 40.0 * unit, 1.0, clockwise, self.palette.faint));
            art.extend(Art::ring(x, y, radius, 40.0 * unit, part, clockwise, self.palette.accent));
        }
        vec![Element { art, step: 0 }]
    }

    /// A formula on a card, with what the formula is about above.
    pub(super) fn formula(&self, formula: &Formula, label: Option<&str>) -> Vec<Element> {
        let (unit, content) = (self.stage.unit, self.stage.content);
        let pad = (if self.stage.is_wide() { 64.0 } else { 36.0 } * unit, 44.0 * unit);
        let most_ems = (content.width - 2.0 * pad.0) / (SMALLEST_FORMULA * unit);
        let Some(boxed) = typeset(formula, &self.stage.language, most_ems) else {
            let text = as_text(formula);
            return match label {
                Some(label) => self.definition(label, &text),
                None => self.statement(&text),
            };
        };
        let style = Style { largest: 54.0, smallest: 24.0, lines: 2, weight: Weight::Bold };
        let label = label.map(|label| self.stage.fit(label, Area { height: content.height * 0.3, ..content }, style));
        let above = label.as_ref().map_or(0.0, |label| label.height() + 26.0 * unit);
        let room = (content.width - 2.0 * pad.0, content.height - above - 2.0 * pad.1);
        let tall = boxed.ascent + boxed.descent;
        let size = (128.0 * unit).min(room.0 / boxed.width).min(room.1 / tall);
        let height =
            (tall * size + 2.0 * pad.1).max((content.height * 0.5).min(300.0 * unit)).min(content.height - above);
        let top = self.centered(above + height);
        let card = Area { y: top + above, height, ..content };
        let mut art = self.raised(card, 26.0);
        if let Some(label) = label {
            art.extend(self.stage.text(&label, content, top, Align::Start, self.palette.text));
        }
        // Formulas are read from the left in all languages.
        let x = self.stage.left(card.x, card.width) + (card.width - boxed.width * size) / 2.0;
        let baseline = card.y + (height + tall * size) / 2.0 - boxed.descent * size;
        art.extend(Art::formula(&boxed, x, baseline, size, self.palette.text));
        vec![Element { art, step: 0 }]
    }
}

/// The part of the whole that a percentage is.
fn share(number: &str) -> Option<f32> {
    let digits: String = number
        .trim_end_matches(['%', '٪', ' ', '\u{A0}', '\u{202F}'])
        .chars()
        .map(|digit| if digit == ',' || digit == '٫' { '.' } else { digit })
        .collect();
    let percent = digits.parse::<f32>().ok().filter(|percent| (0.0..=100.0).contains(percent))?;
    number.contains(['%', '٪']).then_some(percent / 100.0)
}
