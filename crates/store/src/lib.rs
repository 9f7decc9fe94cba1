//! Durable state: one SQL text, two engines, synchronous transactions.
//!
//! [`Store::read`] and [`Store::write`] run a plain closure over a [`Tx`] on a thread that owns a
//! connection. SQL is written once with `$1` parameters; only this crate knows whether SQLite or
//! PostgreSQL runs it. Nothing is answered before the commit is durable.
//!
//! What must never happen here: knowledge of HTTP or of the product's rules; I/O other than the
//! database's; a transaction held open across an `await`.
//!
//! Read on in [`Store`] and [`Tx`], then [`jobs`]; the engines are `sqlite/` and `postgres/`.

// So that the derives and `sql!` work in here too.
extern crate self as store;

mod call;
mod column;
mod error;
mod handle;
pub mod jobs;
mod meter;
pub mod migrations;
mod options;
mod postgres;
mod queue;
mod record;
mod row;
mod sqlite;
mod stop;
pub mod supervision;
mod threads;
mod tx;
mod wakeups;

#[doc(hidden)]
pub use column::column_word;
pub use column::{Column, FromColumn, Parameter, ToColumn};
pub use error::{OpenError, StoreError};
pub use handle::Store;
pub use options::{Database, StoreOptions};
pub use record::{Group, Json, KeyedRecord, Record, Statement, Value};
#[doc(hidden)]
pub use record::{joined, length};
pub use row::Row;
pub use store_macros::{Record, Words, sql};
pub use supervision::Supervision;
pub use tx::Tx;
pub use wakeups::{Queue, Wakeups};
