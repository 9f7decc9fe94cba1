//! Exchange with other systems: resources go out as packages of their formats and come in again.
//!
//! Which bytes a format has is the business of [`interchange`]; here stands who may ask, which rows a package is made
//! of ([`export`]) and what is stored of one ([`import`]). Three rules hold for both ways:
//!
//! - Packing and unpacking compute: they happen on a thread of their own, in a turn of the [`Desk`], with no
//!   transaction open.
//! - What could not be kept is told ([`report`]), never dropped in silence.
//! - What comes in passes the checks of the operations that create, and is stored whole or not at all.
//!
//! A course here is made of modules. Tests and links of a course are modules that refer to them ([`references`]).

mod desk;
mod download;
pub mod export;
pub mod import;
mod references;
mod report;
#[cfg(test)]
mod tests;

pub(crate) use desk::Desk;
pub(crate) use references::named_test;
pub use references::test_of;

/// As much text as a package is made of or makes, in bytes: a course that came in can go out again.
const MOST_TEXT_BYTES: usize = 64 << 20;
