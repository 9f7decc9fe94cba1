//! The program: configuration, commands, and the composition of the crates into a service.
//!
//! Start at [`app`], which puts the service together; [`cli`] lists the commands and [`commands`] carries
//! them out. Rules of the product live in the crates below, never here.

pub mod app;
pub mod assembly;
pub mod cli;
mod commands;
pub mod config;
mod demo;
mod first_run;
mod lock;
mod master_key;
mod output;
pub mod rendering;
mod setup;
mod telemetry;

pub use commands::run;
