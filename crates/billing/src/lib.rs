//! Money and usage: what an evaluation costs, who has paid how much, and what was done for whom.
//!
//! Functions take the caller's transaction, so that work and its payment are one commit. Amounts are
//! [`kernel::money::MicroUsd`]. Nothing here knows of HTTP, of evaluations' rows, or of what a shortage is answered with.
//!
//! What changes a balance changes one row of its workspace, so callers run it by `Store::claim`: on PostgreSQL a writer
//! then waits for the one before it, where under `Store::write` it would be run again. Both are correct.
//!
//! Read on in [`ledger`], then [`usage`]; [`catalog`] has the prices, [`caps`] limit what is spent, [`invoices`] say what a month came to, and [`reconcile`] proves the books.

pub mod caps;
pub mod catalog;
pub mod invoices;
pub mod ledger;
pub mod reconcile;
pub mod usage;
