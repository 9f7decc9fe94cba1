//! A formula's parts at their places.
//!
//! Lengths are ems of the formula's size, x grows to the right and y upwards from the baseline. Proportions follow the
//! rules of TeX, rounded to what a card needs.

use rustybuzz::ttf_parser::GlyphId;

use super::spacing::{effective, space};
use super::tree::{Class, Node};
use crate::fonts::{Family, Weight};
use crate::text::{Glyph, shape};

/// The height of the line of a fraction above the baseline.
pub(super) const AXIS: f32 = 0.27;
/// How thick lines are.
const RULE: f32 = 0.055;
/// The size of a script beside its base, and the smallest size.
const SCRIPT: f32 = 0.7;
const SMALLEST: f32 = 0.48;
/// Sizes without space around relations and operators.
const TIGHT: f32 = 0.8;
/// The size of large operators.
const LARGE: f32 = 1.5;

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ink {
    /// A glyph; its place is in the glyph. It is stretched by these factors.
    Glyph { glyph: Glyph, size: (f32, f32) },
    /// A filled polygon.
    Shape(Vec<(f32, f32)>),
}

/// A part with its size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Boxed {
    pub(crate) width: f32,
    pub(crate) ascent: f32,
    pub(crate) descent: f32,
    pub(crate) inks: Vec<Ink>,
}

impl Boxed {
    /// Draws another part at a place.
    pub(super) fn put(&mut self, other: Self, x: f32, y: f32) {
        self.ascent = self.ascent.max(other.ascent + y);
        self.descent = self.descent.max(other.descent - y);
        self.width = self.width.max(x + other.width);
        self.inks.extend(other.inks.into_iter().map(|ink| match ink {
            Ink::Glyph { glyph, size } => Ink::Glyph { glyph: Glyph { x: glyph.x + x, y: glyph.y + y, ..glyph }, size },
            Ink::Shape(points) => Ink::Shape(points.into_iter().map(|(px, py)| (px + x, py + y)).collect()),
        }));
    }

    fn rule(&mut self, x: f32, y: f32, width: f32, height: f32) {
        let points = vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        self.inks.push(Ink::Shape(points));
    }
}

/// The places of a formula in display style.
pub(super) fn place(tree: &Node, language: &str) -> Boxed {
    Placer { language }.node(tree, 1.0)
}

pub(super) struct Placer<'l> {
    language: &'l str,
}

impl Placer<'_> {
    pub(super) fn node(&self, node: &Node, size: f32) -> Boxed {
        match node {
            Node::Row(nodes) => self.row(nodes, size),
            Node::Atom { text, class: Class::Large } => self.large(text, size),
            Node::Atom { text, .. } => self.glyphs(text, size, Family::Math),
            Node::Text(text) => self.glyphs(text, size, Family::Sans),
            Node::Space(width) => Boxed { width: width * size, ..Boxed::default() },
            Node::Fraction { over, under, has_line } => self.fraction(over, under, *has_line, size),
            Node::Root { radicand, index } => self.root(radicand, index.as_deref(), size),
            Node::Scripts { base, sub, sup, is_stacked: true } => {
                self.stacked(base, sub.as_deref(), sup.as_deref(), size)
            }
            Node::Scripts { base, sub, sup, .. } => self.scripts(base, sub.as_deref(), sup.as_deref(), size),
            Node::Fenced { open, inside, close } => self.fenced(*open, inside, *close, size),
            Node::Grid { rows, columns } => self.grid(rows, *columns, size),
        }
    }

    fn row(&self, nodes: &[Node], size: f32) -> Boxed {
        let mut row = Boxed::default();
        let mut before = None;
        for (at, node) in nodes.iter().enumerate() {
            let class = effective(node, before, nodes.get(at + 1));
            // Scripts are set tight.
            row.width += if size < TIGHT { 0.0 } else { space(before, class) * size };
            let x = row.width;
            row.put(self.node(node, size), x, 0.0);
            before = if matches!(node, Node::Space(_)) { before } else { Some(class) };
        }
        row
    }

    /// Glyphs of a text. The mathematical font has most signs; what it lacks comes from the fonts of text.
    fn glyphs(&self, text: &str, size: f32, family: Family) -> Boxed {
        let mut boxed = Boxed::default();
        let face = family.face(Weight::Medium);
        let has_all = text.chars().all(|character| face.glyph_index(character).is_some());
        if family == Family::Math && has_all {
            for character in text.chars() {
                let id = face.glyph_index(character).unwrap_or_default();
                self.put_glyph(&mut boxed, family, id, (size, size));
            }
            return boxed;
        }
        let line = shape(text, self.language, Weight::Medium);
        for glyph in line.glyphs {
            let (top, bottom) = extent(glyph.family, glyph.id);
            boxed.ascent = boxed.ascent.max((top + glyph.y) * size);
            boxed.descent = boxed.descent.max(-(bottom + glyph.y) * size);
            let glyph = Glyph { x: glyph.x * size, y: glyph.y * size, ..glyph };
            boxed.inks.push(Ink::Glyph { glyph, size: (size, size) });
        }
        boxed.width = line.width * size;
        boxed
    }

    pub(super) fn put_glyph(&self, boxed: &mut Boxed, family: Family, id: GlyphId, size: (f32, f32)) {
        let (top, bottom) = extent(family, id);
        let glyph = Glyph { family, weight: Weight::Medium, id, x: boxed.width, y: 0.0 };
        boxed.ascent = boxed.ascent.max(top * size.1);
        boxed.descent = boxed.descent.max(-bottom * size.1);
        boxed.width += advance(family, id) * size.0;
        boxed.inks.push(Ink::Glyph { glyph, size });
    }

    /// A large operator stands around the axis.
    fn large(&self, text: &str, size: f32) -> Boxed {
        let glyph = self.glyphs(text, size * LARGE, Family::Math);
        let shift = AXIS * size - f32::midpoint(glyph.ascent, -glyph.descent);
        let mut boxed = Boxed::default();
        boxed.put(glyph, 0.0, shift);
        boxed
    }

    fn fraction(&self, over: &Node, under: &Node, has_line: bool, size: f32) -> Boxed {
        let (over, under) = (self.node(over, size), self.node(under, size));
        let (gap, pad) = (0.16 * size, 0.12 * size);
        let inner = over.width.max(under.width);
        let mut boxed = Boxed { width: inner + 2.0 * pad, ..Boxed::default() };
        let axis = AXIS * size;
        let (over_x, under_x) = (pad + (inner - over.width) / 2.0, pad + (inner - under.width) / 2.0);
        let (up, down) = (axis + gap + over.descent, axis - gap - under.ascent);
        boxed.put(over, over_x, up);
        boxed.put(under, under_x, down);
        if has_line {
            boxed.rule(pad * 0.4, axis - RULE * size / 2.0, inner + pad * 1.2, RULE * size);
        }
        boxed
    }

    fn root(&self, radicand: &Node, index: Option<&Node>, size: f32) -> Boxed {
        let inside = self.node(radicand, size);
        let rule = RULE * size;
        let (top, bottom) =
            ((inside.ascent + 0.18 * size).max(0.85 * size), inside.descent.max(0.05 * size) + 0.06 * size);
        let (sign, pad) = (0.55 * size, 0.08 * size);
        let index = index.map(|index| self.node(index, (size * 0.6).max(SMALLEST)));
        let left = index.as_ref().map_or(0.0, |index| (index.width - sign * 0.35).max(0.0));
        let width = inside.width;
        let mut boxed =
            Boxed { width: left + sign + width + 2.0 * pad, ascent: top + rule, descent: bottom, inks: Vec::new() };
        // The sign: a short rise, a thick fall, a thin rise and the line.
        let height = top + bottom;
        let at = |x: f32, y: f32| (left + x * sign, y * height - bottom);
        let thick = 1.9 * rule / sign;
        let thin = rule / sign;
        let points = vec![
            at(0.02, 0.50),
            at(0.28, 0.58),
            at(0.56, 0.16),
            at(1.0 - thin * 0.4, 1.0 + rule / height),
            (left + sign + width + 2.0 * pad, top + rule),
            (left + sign + width + 2.0 * pad, top),
            at(1.0 + thin * 0.5, 1.0),
            at(0.60, 0.0),
            at(0.48, 0.0),
            at(0.28 - thick * 0.45, 0.50),
            at(0.05, 0.44),
        ];
        boxed.inks.push(Ink::Shape(points));
        boxed.put(inside, left + sign + pad, 0.0);
        if let Some(index) = index {
            let (x, y) = ((left + sign * 0.35 - index.width).max(0.0), 0.62 * height - bottom + index.descent);
            boxed.put(index, x, y);
        }
        boxed
    }

    fn scripts(&self, base: &Node, sub: Option<&Node>, sup: Option<&Node>, size: f32) -> Boxed {
        let base = self.node(base, size);
        let small = (size * SCRIPT).max(SMALLEST);
        let (ascent, descent, x) = (base.ascent, base.descent, base.width + 0.04 * size);
        let mut boxed = Boxed::default();
        boxed.put(base, 0.0, 0.0);
        let sup = sup.map(|sup| self.node(sup, small));
        let sub = sub.map(|sub| self.node(sub, small));
        let mut rise = (ascent - 0.32 * size).max(0.38 * size);
        if let Some(sup) = &sup {
            rise = rise.max(0.12 * size + sup.descent);
        }
        let mut fall = (descent + 0.12 * size).max(0.18 * size);
        if let (Some(sup), Some(sub)) = (&sup, &sub) {
            // Both stay apart.
            fall = fall.max(sub.ascent - (rise - sup.descent) + 0.1 * size);
        }
        for (script, y) in [(sup, rise), (sub, -fall)] {
            if let Some(script) = script {
                boxed.put(script, x, y);
            }
        }
        boxed.width += 0.05 * size;
        boxed
    }

    fn stacked(&self, base: &Node, sub: Option<&Node>, sup: Option<&Node>, size: f32) -> Boxed {
        let base = self.node(base, size);
        let small = (size * SCRIPT).max(SMALLEST);
        let sup = sup.map(|sup| self.node(sup, small));
        let sub = sub.map(|sub| self.node(sub, small));
        let wide = [&sup, &sub].into_iter().flatten().map(|script| script.width).fold(base.width, f32::max);
        let (ascent, descent, gap) = (base.ascent, base.descent, 0.12 * size);
        let mut boxed = Boxed { width: wide, ..Boxed::default() };
        let x = (wide - base.width) / 2.0;
        boxed.put(base, x, 0.0);
        if let Some(sup) = sup {
            let (x, y) = ((wide - sup.width) / 2.0, ascent + gap + sup.descent);
            boxed.put(sup, x, y);
        }
        if let Some(sub) = sub {
            let (x, y) = ((wide - sub.width) / 2.0, -(descent + gap + sub.ascent));
            boxed.put(sub, x, y);
        }
        boxed
    }
}

pub(super) fn extent(family: Family, id: GlyphId) -> (f32, f32) {
    let face = family.face(Weight::Medium);
    let em = family.em(Weight::Medium);
    face.glyph_bounding_box(id)
        .map_or((0.0, 0.0), |bounds| (f32::from(bounds.y_max) / em, f32::from(bounds.y_min) / em))
}

fn advance(family: Family, id: GlyphId) -> f32 {
    let face = family.face(Weight::Medium);
    f32::from(face.glyph_hor_advance(id).unwrap_or_default()) / family.em(Weight::Medium)
}

#[cfg(test)]
mod tests {
    use super::super::tree::read;
    use super::*;

    fn boxed(latex: &str) -> Boxed {
        place(&read(latex).unwrap(), "en")
    }

    #[test]
    fn parts_stand_where_mathematics_puts_them() {
        let plain = boxed("x");
        let raised = boxed("x^2");
        assert!(raised.ascent > plain.ascent && raised.width > plain.width);
        assert!(boxed("x_2").descent > plain.descent);
        let fraction = boxed(r"\frac{a}{b}");
        assert!(fraction.ascent > 0.7 && fraction.descent > 0.2 && fraction.inks.len() == 3);
        assert!(boxed(r"\left(\frac{a}{b}\right)").width > fraction.width);
        let limits = boxed(r"\sum_{i=1}^{n} i");
        assert!(limits.ascent > 1.2 && limits.descent > 0.7, "{limits:?}");
    }

    #[test]
    fn all_ink_is_inside_of_the_box() {
        for latex in
            [r"\sqrt[3]{\frac{x^2_i}{y}} + \int_0^\infty e^{-t}\,dt", r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}"]
        {
            let boxed = boxed(latex);
            for ink in &boxed.inks {
                let points = match ink {
                    Ink::Glyph { glyph, .. } => vec![(glyph.x, glyph.y)],
                    Ink::Shape(points) => points.clone(),
                };
                for (x, y) in points {
                    assert!(x >= -0.01 && x <= boxed.width + 0.01, "{latex}: {x} of {}", boxed.width);
                    assert!(y <= boxed.ascent + 0.01 && y >= -boxed.descent - 0.01, "{latex}: {y}");
                }
            }
        }
    }
}
