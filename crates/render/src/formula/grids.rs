//! Formulas in tall delimiters, and in rows and columns.

use super::boxes::{AXIS, Boxed, Placer, extent};
use super::tree::{Columns, Node};
use crate::fonts::{Family, Weight};

impl Placer<'_> {
    /// Delimiters as high as what they enclose.
    pub(super) fn fenced(&self, open: Option<char>, inside: &Node, close: Option<char>, size: f32) -> Boxed {
        let inside = self.node(inside, size);
        let axis = AXIS * size;
        let half = (inside.ascent - axis).max(inside.descent + axis).max(0.5 * size) + 0.04 * size;
        let mut boxed = Boxed::default();
        for (delimiter, is_open) in [(open, true), (close, false)] {
            if let Some(delimiter) = delimiter.filter(|delimiter| *delimiter != '.') {
                let x = boxed.width + if is_open { 0.0 } else { 0.04 * size };
                boxed.put(self.stretched(delimiter, 2.0 * half, size), x, axis);
            }
            if is_open {
                let x = boxed.width + 0.04 * size;
                boxed.put(inside.clone(), x, 0.0);
            }
        }
        boxed
    }

    /// A sign of a height, around the baseline.
    fn stretched(&self, delimiter: char, height: f32, size: f32) -> Boxed {
        let id = Family::Math.face(Weight::Medium).glyph_index(delimiter).unwrap_or_default();
        let (top, bottom) = extent(Family::Math, id);
        let scale = (height / (top - bottom).max(0.1)).max(size);
        // Tall signs are a little wider, not as much as they are higher.
        let wide = size * (scale / size).powf(0.25);
        let mut glyph = Boxed::default();
        self.put_glyph(&mut glyph, Family::Math, id, (wide, scale));
        let shift = -f32::midpoint(top, bottom) * scale;
        let mut boxed = Boxed::default();
        boxed.put(glyph, 0.0, shift);
        boxed
    }

    pub(super) fn grid(&self, rows: &[Vec<Node>], columns: Columns, size: f32) -> Boxed {
        let cells: Vec<Vec<Boxed>> =
            rows.iter().map(|row| row.iter().map(|cell| self.node(cell, size)).collect()).collect();
        let count = cells.iter().map(Vec::len).max().unwrap_or_default();
        let widths: Vec<f32> = (0..count)
            .map(|column| cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.width).fold(0.0, f32::max))
            .collect();
        let (column_gap, row_gap) = (if columns == Columns::Aligned { 0.3 } else { 0.8 } * size, 0.3 * size);
        let mut grid = Boxed::default();
        let mut y = 0.0;
        let mut tall = 0.0;
        for row in cells {
            let ascent = row.iter().map(|cell| cell.ascent).fold(0.55 * size, f32::max);
            let descent = row.iter().map(|cell| cell.descent).fold(0.2 * size, f32::max);
            y -= ascent;
            let mut x = 0.0;
            for (column, cell) in row.into_iter().enumerate() {
                let free = widths[column] - cell.width;
                // In aligned equations, what stands before the mark is at the right.
                let indent = match columns {
                    Columns::Centered => free / 2.0,
                    Columns::Aligned if column % 2 == 0 && count > 1 => free,
                    Columns::Aligned | Columns::Left => 0.0,
                };
                grid.put(cell, x + indent, y);
                x += widths[column] + column_gap;
            }
            y -= descent;
            tall = -y;
            y -= row_gap;
        }
        let mut boxed = Boxed::default();
        boxed.put(grid, 0.0, tall / 2.0 + AXIS * size);
        boxed
    }
}
