//! Shapes of one colour: rectangles, circles, rings, text and formulas.

use rustybuzz::ttf_parser::OutlineBuilder;
use tiny_skia::{Color, FillRule, LineCap, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use crate::fonts::Weight;
use crate::formula::{Boxed, Ink};
use crate::text::Glyph;

/// How much thicker a bold letter is drawn of a font that has none, in ems.
const THICKENING: f32 = 0.035;
/// The part of a circle's radius that makes a curve nearly round.
const ROUND: f32 = 0.552_285;

/// A shape of one colour.
#[derive(Clone, Debug)]
pub(super) struct Art {
    path: Path,
    color: Color,
    /// The width of the line along the path; `None` fills the path.
    line: Option<f32>,
    is_filled: bool,
}

impl Art {
    /// Draws the shape more or less transparent, and moved.
    pub(super) fn draw(&self, pixmap: &mut Pixmap, opacity: f32, transform: Transform) {
        let mut color = self.color;
        color.apply_opacity(opacity);
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(color);
        if self.is_filled {
            pixmap.fill_path(&self.path, &paint, FillRule::Winding, transform, None);
        }
        if let Some(width) = self.line {
            let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
            pixmap.stroke_path(&self.path, &paint, &stroke, transform, None);
        }
    }

    #[cfg(test)]
    pub(super) fn bounds(&self) -> Option<tiny_skia::Rect> {
        let half = self.line.unwrap_or_default() / 2.0;
        self.path.bounds().outset(half, half)
    }

    fn filled(path: Option<Path>, color: Color) -> Option<Self> {
        path.map(|path| Self { path, color, line: None, is_filled: true })
    }

    /// A rectangle with round corners.
    pub(super) fn rectangle(x: f32, y: f32, width: f32, height: f32, radius: f32, color: Color) -> Option<Self> {
        let radius = radius.min(width / 2.0).min(height / 2.0).max(0.0);
        let (right, bottom, curve) = (x + width, y + height, radius * (1.0 - ROUND));
        let mut path = PathBuilder::new();
        path.move_to(x + radius, y);
        path.line_to(right - radius, y);
        path.cubic_to(right - curve, y, right, y + curve, right, y + radius);
        path.line_to(right, bottom - radius);
        path.cubic_to(right, bottom - curve, right - curve, bottom, right - radius, bottom);
        path.line_to(x + radius, bottom);
        path.cubic_to(x + curve, bottom, x, bottom - curve, x, bottom - radius);
        path.line_to(x, y + radius);
        path.cubic_to(x, y + curve, x + curve, y, x + radius, y);
        path.close();
        Self::filled(path.finish(), color)
    }

    /// A disc.
    pub(super) fn disc(x: f32, y: f32, radius: f32, color: Color) -> Option<Self> {
        Self::filled(PathBuilder::from_circle(x, y, radius), color)
    }

    /// A ring, or the part of one that begins at the top and runs clockwise, or the other way round.
    pub(super) fn ring(
        x: f32,
        y: f32,
        radius: f32,
        line: f32,
        part: f32,
        is_clockwise: bool,
        color: Color,
    ) -> Option<Self> {
        const STEPS: u8 = 96;
        let mut path = PathBuilder::new();
        for step in 0..=STEPS {
            let angle = f32::from(step) / f32::from(STEPS) * part.clamp(0.0, 1.0) * std::f32::consts::TAU;
            let across = if is_clockwise { angle.sin() } else { -angle.sin() };
            let (px, py) = (x + radius * across, y - radius * angle.cos());
            if step == 0 { path.move_to(px, py) } else { path.line_to(px, py) }
        }
        path.finish().map(|path| Self { path, color, line: Some(line), is_filled: false })
    }

    /// Glyphs of a size, from a place on the baseline.
    pub(super) fn glyphs(glyphs: &[Glyph], x: f32, baseline: f32, size: f32, color: Color) -> Vec<Self> {
        let (mut plain, mut thick) = (PathBuilder::new(), PathBuilder::new());
        for glyph in glyphs {
            let is_thick = glyph.weight == Weight::Bold && glyph.family.has_one_weight();
            let path = if is_thick { &mut thick } else { &mut plain };
            outline(glyph, (x + glyph.x * size, baseline - glyph.y * size), (size, size), path);
        }
        let thick = thick.finish().map(|path| Self { path, color, line: Some(THICKENING * size), is_filled: true });
        Self::filled(plain.finish(), color).into_iter().chain(thick).collect()
    }

    /// A formula of a size, from a place on the baseline.
    pub(super) fn formula(formula: &Boxed, x: f32, baseline: f32, size: f32, color: Color) -> Option<Self> {
        let mut path = PathBuilder::new();
        for ink in &formula.inks {
            match ink {
                Ink::Glyph { glyph, size: scale } => {
                    let place = (x + glyph.x * size, baseline - glyph.y * size);
                    outline(glyph, place, (scale.0 * size, scale.1 * size), &mut path);
                }
                Ink::Shape(points) => {
                    for (at, (px, py)) in points.iter().enumerate() {
                        let (px, py) = (x + px * size, baseline - py * size);
                        if at == 0 { path.move_to(px, py) } else { path.line_to(px, py) }
                    }
                    path.close();
                }
            }
        }
        Self::filled(path.finish(), color)
    }
}

/// Adds the outline of a glyph to a path.
fn outline(glyph: &Glyph, place: (f32, f32), size: (f32, f32), path: &mut PathBuilder) {
    let face = glyph.family.face(glyph.weight);
    let em = glyph.family.em(glyph.weight);
    let mut pen = Pen { path, place, scale: (size.0 / em, size.1 / em) };
    // A glyph without an outline is a space.
    let _ = face.outline_glyph(glyph.id, &mut pen);
}

struct Pen<'p> {
    path: &'p mut PathBuilder,
    place: (f32, f32),
    scale: (f32, f32),
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.place.0 + x * self.scale.0, self.place.1 - y * self.scale.1)
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
