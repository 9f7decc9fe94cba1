//! x402, payment by HTTP request, from the seller's side: what is asked for a request, how a payment for it is read and judged,
//! and what facilitators and nodes are asked. Versions 1 and 2, scheme `exact`, tokens with EIP-3009 such as USDC.
//!
//! A pure library: it never touches a store, a network or a clock. Where to read next: an [`Offer`] is what a 402 says,
//! a [`Payment`] is what comes back, [`Payment::check`] judges it, [`facilitator`] has it verified and settled, and [`chain`] finds
//! out whether a settlement of unknown outcome has happened.

mod address;
pub mod chain;
pub mod facilitator;
mod fault;
mod header;
mod network;
mod offer;
mod payment;
mod signature;
#[cfg(test)]
mod vectors;

pub use address::{Address, NotAnAddress};
pub use fault::Fault;
pub use header::{HEADERS, Version, decode, encode};
pub use network::{Network, NotANetwork, Token};
pub use offer::Offer;
pub use payment::{Authorization, Judged, Payment};
