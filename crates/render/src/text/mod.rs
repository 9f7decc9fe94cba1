//! Text on pictures: cleaned, shaped, broken into lines and fitted into boxes.
//!
//! Shaped text is measured in ems, so that one shaping serves every size. No text leaves its box: [`fit()`] makes the text
//! smaller, and at last cuts it at a word.

mod breaks;
mod clean;
mod fit;
mod hyphens;
mod shape;

pub(crate) use breaks::pieces;
pub(crate) use clean::{clean, clean_lines};
pub(crate) use fit::{Align, Block, Frame, fit};
pub(crate) use shape::{Glyph, shape};
