//! Billing on both stores: the rules of the ledger, rivals, what the tables refuse, reconciliation, usage.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod books;
mod caps;
mod entries;
mod invoices;
mod ledger;
mod ledger_model;
mod reconcile;
mod rivals;
mod tables;
mod usage;
