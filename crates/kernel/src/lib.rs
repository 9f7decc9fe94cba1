//! The words that every other crate speaks: typed ids, time, money, randomness, secrets, ordered JSON, language tags, turns, and
//! the trait of a language model.
//!
//! Nothing here does I/O, and nothing here knows of HTTP or SQL. Start at [`ambient::Ambient`], the
//! program's only source of time and chance.

pub mod ambient;
pub mod id;
pub mod json;
pub mod language;
pub mod model;
pub mod money;
mod schemas;
pub mod secret;
pub mod slots;
pub mod time;
pub mod turns;
