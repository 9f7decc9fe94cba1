//! Facts told to the outside: the event outbox, webhook endpoints, and the deliveries of one to the other.
//!
//! [`record`] writes an event and its deliveries inside the caller's transaction, so that a fact and the
//! telling of it are one commit. [`Deliverer`] tells it afterwards, at least once, with no transaction
//! open while it talks. Nothing here knows what an event means or who may act for an owner. The crate knows the names of the
//! platform's events ([`platform`]), which every crate that records one shares, and what both APIs let an owner do with
//! its endpoints ([`owned`], [`requests`], [`views`]) and document of deliveries ([`document`]).
//! Where to read next: [`record`], [`endpoints`], then `deliveries/deliverer.rs`.

pub mod deliveries;
pub mod document;
pub mod endpoints;
pub mod owned;
pub mod platform;
mod record;
pub mod requests;
mod surface;
pub mod views;

pub use deliveries::{Deliverer, DelivererOptions, RetrySchedule, lapse_all};
pub use record::{NewEvent, forget_fields, note, record};
pub use surface::Surface;

/// The purpose for which endpoint secrets are sealed (`kernel::secret::MasterKey::sealer`).
pub const WEBHOOK_SECRETS: &str = "webhook secrets";
