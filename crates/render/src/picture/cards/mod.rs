//! The content of each layout at its place.
//!
//! `words` draws titles, statements, definitions and quotes, `rows` lists and tables, `numbers` figures and formulas.

mod numbers;
mod rows;
mod words;

use super::Element;
use super::palette::Palette;
use super::stage::Stage;
use crate::formula::readable;
use crate::layout::Layout;
use crate::storyboard::Storyboard;

/// The elements of a scene.
pub(super) fn draw(
    board: &Storyboard,
    index: usize,
    layout: &Layout,
    stage: &Stage,
    palette: &Palette,
) -> Vec<Element> {
    let or_none = |text: &Option<String>| text.as_deref().map(readable).filter(|text| !text.is_empty());
    let heading = board.scenes.get(index).and_then(|scene| scene.title.as_deref()).map(crate::text::clean);
    let pen = Pen { stage, palette };
    match layout {
        Layout::Title { title } => pen.title(&readable(title)),
        Layout::Text { text } => pen.statement(&readable(text)),
        Layout::Definition { term, meaning } => pen.definition(&readable(term), &readable(meaning)),
        Layout::Quote { text, source } => pen.quote(&readable(text), or_none(source).as_deref()),
        Layout::List { heading: own, items } => pen.list(or_none(own).or(heading).as_deref(), items),
        Layout::Table { rows, has_header } => pen.table(rows, *has_header),
        Layout::Figure { number, label } => pen.figure(number, or_none(label).as_deref()),
        Layout::Formula { formula, label } => pen.formula(formula, or_none(label).as_deref()),
    }
}

/// Draws on a stage with the colours of a scene.
struct Pen<'a> {
    stage: &'a Stage,
    palette: &'a Palette,
}
