//! Signed tokens of others (RFC 7515, 7517, 7519): their key sets, their headers, and what a key has signed.
//!
//! A pure library: it must never touch a store, a network or a clock. It believes nothing but signatures; what claims have to
//! say is judged by who asks: `lti` for launches, `identity` for sign-in. Where to read next: [`KeySet`] and [`Token`].

mod key_set;
mod token;

pub use jsonwebtoken::Algorithm;
pub use key_set::{Key, KeySet, NotAKeySet};
pub use token::{Claims, HeaderError, SignatureError, SignedToken, Token, numeric_date};
