//! LTI 1.3 and LTI Advantage from the tool's side: texts and JSON of a platform (the LMS) in, decisions and texts for it out.
//!
//! A pure library: it must never touch a store, a network or a clock. Where to read next, in the order of a launch:
//! [`LoginRequest`] begins one, [`IdToken`] judges what comes back and gives a [`Launch`], and every way to fail is a
//! [`Reason`]. A launch may offer services: [`ags`] for grades, [`nrps`] for the roster, [`deep_linking`] for links that a
//! teacher picks. They are called with an access token ([`access_token`]), which a [`ToolKey`] asks for.
//! [`dynamic_registration`] makes a platform known without typing.
//!
//! The rules are those of the 1EdTech Security Framework 1.0, LTI Core 1.3, Assignment and Grade Services 2.0, Deep Linking
//! 2.0, Names and Role Provisioning Services 2.0 and Dynamic Registration 1.0.

pub mod access_token;
pub mod ags;
pub mod claims;
pub mod deep_linking;
pub mod dynamic_registration;
mod key_set;
mod launch;
mod login;
pub mod nrps;
mod pages;
mod refusal;
pub mod roles;
mod token;
mod tool_key;

pub use key_set::{KeySet, NotAKeySet};
pub use launch::{Context, LONGEST_ID, Launch, Message, ResourceLink};
pub use login::{AuthenticationRequest, LoginRequest};
pub use pages::{NextPageElsewhere, next_page};
pub use refusal::{Reason, Refusal};
pub use token::{Expected, IdToken, LEEWAY, SignedToken};
pub use tool_key::{NotAToolKey, ToolKey};
