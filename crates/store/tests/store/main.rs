//! The store as its users see it, on both engines.

mod additions;
mod job_model;
mod jobs;
mod lost_database;
mod migrations;
mod records;
mod supervision;
mod test_job;
mod totals;
mod transactions;
mod versions;
mod words;
