//! Cards: what is seen of a scene, as shapes at their places, and the pictures of it.
//!
//! A card is laid out once. Pictures of it differ in which parts have appeared and which caption is shown. Everything but the
//! backdrop lies in the safe area, and all of it is the same each time.

mod art;
mod backdrop;
mod caption;
mod cards;
mod palette;
mod stage;

use tiny_skia::{Color, Pixmap, Transform};

use crate::layout::Layout;
use crate::storyboard::Storyboard;
use art::Art;
use palette::Palette;
use stage::Stage;

/// A part of a card that appears at once.
struct Element {
    art: Vec<Art>,
    /// The step with which it appears. Those of step 0 come with the scene.
    step: usize,
}

/// A scene as shapes.
pub(crate) struct Card {
    size: (u32, u32),
    palette: Palette,
    /// The ground of the scene before.
    from: Color,
    backdrop: Vec<Art>,
    elements: Vec<Element>,
    stage: Stage,
    steps: usize,
    parts: Vec<String>,
}

/// How far a part has appeared: 0 not at all, 1 wholly.
pub(crate) type Appearance = f32;

/// How far a part moves up while it appears, in 720ths of the shorter side.
const RISE: f32 = 18.0;

impl Card {
    /// The card of a scene.
    pub(crate) fn of(board: &Storyboard, index: usize) -> Self {
        let layout = Layout::of(board, index);
        let stage = Stage::new(board);
        let palette = Palette::of(board, index, &layout);
        let backdrop = backdrop::draw(board, index, &layout, &stage, &palette);
        let elements = cards::draw(board, index, &layout, &stage, &palette);
        let before = index.saturating_sub(1);
        let from = Palette::of(board, before, &Layout::of(board, before)).ground;
        let steps = elements.iter().map(|element| element.step + 1).max().unwrap_or(1);
        Self { size: board.size(), palette, from, backdrop, elements, stage, steps, parts: layout.parts() }
    }

    /// How many parts appear one after another, one at least.
    pub(crate) const fn steps(&self) -> usize {
        self.steps
    }

    /// The texts of the parts that appear one after another.
    pub(crate) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The picture with each step as far as it has appeared, and a caption.
    pub(crate) fn picture(&self, appearance: &dyn Fn(usize) -> Appearance, caption: Option<&str>) -> Pixmap {
        let mut pixmap = Pixmap::new(self.size.0, self.size.1).expect("sizes are bounded and not zero");
        let arrived = appearance(0).clamp(0.0, 1.0);
        pixmap.fill(palette::between(self.from, self.palette.ground, arrived));
        for art in &self.backdrop {
            art.draw(&mut pixmap, arrived, Transform::identity());
        }
        for element in &self.elements {
            let shown = appearance(element.step).clamp(0.0, 1.0);
            let shift = Transform::from_translate(0.0, (1.0 - shown) * RISE * self.stage.unit);
            if shown > 0.0 {
                element.art.iter().for_each(|art| art.draw(&mut pixmap, shown, shift));
            }
        }
        for art in caption.map(|caption| caption::draw(caption, &self.stage)).unwrap_or_default() {
            art.draw(&mut pixmap, 1.0, Transform::identity());
        }
        pixmap
    }

    /// The bounds of all parts, for tests: left, top, right, bottom.
    #[cfg(test)]
    fn bounds(&self) -> Option<tiny_skia::Rect> {
        let all = self.elements.iter().flat_map(|element| &element.art).filter_map(Art::bounds);
        all.reduce(|one, other| {
            let (left, top) = (one.left().min(other.left()), one.top().min(other.top()));
            let (right, bottom) = (one.right().max(other.right()), one.bottom().max(other.bottom()));
            tiny_skia::Rect::from_ltrb(left, top, right, bottom).unwrap()
        })
    }
}

#[cfg(test)]
mod tests;
