//! Tests, courses and modules in the formats of other systems: QTI, Common Cartridge, standalone HTML.
//!
//! A pure library: bytes in, bytes out. It must never touch a store, a network or a clock. Start at
//! [`model`], which says what is exchanged, then [`export_test`] and [`import`].
//!
//! Nothing is lost silently: what a format can't hold, or what an import does not understand, is in a
//! [`Report`]. What could hurt (ZIP bombs, paths that lead out of the package, document type
//! declarations) refuses the whole upload with an [`ImportError`]; [`limits`] has the figures.

mod archive;
mod cartridge;
mod error;
mod export;
mod import;
pub mod limits;
mod lom;
mod manifest;
pub mod model;
mod page;
mod qti;
mod report;
mod text;
mod upload;
mod xml;

pub use error::ImportError;
pub use export::{COURSE_FILE, Package, TestFormat, export_course, export_module, export_test, write_course};
pub use import::{Imported, import};
pub use report::{Finding, Loss, Report};
