//! What the five kinds of classroom resources have in common: rows, lists, versions, how they are read and changed.
//!
//! A kind is a type that implements [`Resource`] and [`Delete`]. [`get`], [`list`] and [`delete`] are operations of every kind,
//! which `api/kinds.rs` routes and documents. The other operations are thin files in the kind's own folder that call [`create`]
//! and [`change`]. The rules of all kinds stand here and nowhere else:
//!
//! - What another organization or classroom has is not found.
//! - A list is newest first and stable under inserts at the same instant; its total is exact and costs next to nothing,
//!   and so does a far page that somebody walked to before.
//! - Every change makes the version one higher. A client that names another version changes nothing.
//! - A create that is repeated with its idempotency key has one effect and one answer.
//!
//! Nothing here knows what a kind is made of. Where to read next: [`crate::modules`], the simplest kind.

mod delete;
pub(crate) mod fields;
mod kind;
mod positions;
mod read;
mod rows;
mod state;
mod summary;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use delete::{Delete, delete};
pub use kind::Kind;
pub(crate) use positions::Positions;
pub(crate) use read::{get, list};
pub use rows::{Resource, Section, Statements, Transactions, find_by_id};
pub(crate) use rows::{find, load_place, new, read_row, remove, row, statements};
pub(crate) use state::SUCCEEDED;
pub use state::{Failure, Status, Succeeded, Visibility};
pub(crate) use summary::LEFT_OUT;
pub(crate) use write::{Create, Place, Update, change, create, keyed, load, post, stored, update};
