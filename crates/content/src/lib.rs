//! The content surface, `/v1/content`: a customer's source JSON becomes classroom content.
//!
//! One folder a noun, one file a verb: a file holds an operation's request, rules, transaction, answer and
//! tests. Start at [`expansions`], the main job, and at [`resources`], what all kinds of content have in common;
//! [`api`] lists every operation.

pub mod api;
pub mod audit_log;
pub mod catalog;
pub mod classrooms;
pub mod courses;
pub mod exchange;
pub mod expansions;
pub mod generation;
pub mod jobs;
pub mod keys;
pub mod links;
pub mod modules;
pub mod organizations;
pub mod page_grading;
mod questions;
pub mod resources;
pub mod slides;
mod slug;
#[cfg(test)]
mod testing;
pub mod tests;
pub mod videos;
pub mod webhooks;

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use edge::admins::Admin;
use edge::cursor::Cursors;
use edge::door::{Door, KeyCaller};
use edge::keys::{KeyRules, KeySurface, KnownKey, PresentedKey};
use edge::problem::Problem;
use kernel::id::{ClassroomId, OrganizationId};
use kernel::secret::{MasterKey, Sealer};
use net::OutboundClient;
use store::Tx;
use url::Url;

use crate::exchange::Desk;
use crate::generation::Drafter;
use crate::links::Links;
use crate::resources::Positions;

/// The built-in generator's name in manifests and metadata.
const BUILTIN: &str = "builtin";

/// What the operations of this surface need, behind one pointer: a request clones it several times.
#[derive(Clone)]
pub struct Content(Arc<Parts>);

/// What a [`Content`] leads to.
pub struct Parts {
    /// The way into the store.
    pub door: Door,
    /// Judges webhook addresses.
    pub outbound: OutboundClient,
    /// Encrypts webhook secrets at rest.
    pub webhook_secrets: Sealer,
    /// Where people look at resources.
    pub links: Links,
    /// Where lists of jobs go on.
    cursors: Cursors,
    /// Where far pages of lists begin.
    positions: Positions,
    /// Where packages are written and read.
    desk: Desk,
    /// Drafts single parts of resources, while a request waits.
    drafter: Drafter,
}

impl Content {
    /// The surface on a door; links lead below `base_url`, the service's public address.
    pub fn new(door: Door, outbound: OutboundClient, master: &MasterKey, base_url: &Url) -> Self {
        let webhook_secrets = master.sealer(events::WEBHOOK_SECRETS);
        let (links, positions, desk) = (Links::new(base_url, master), Positions::default(), Desk::default());
        let cursors = Cursors::new(master);
        let drafter = Drafter::new(Arc::new(engine::Builtin), BUILTIN);
        Self(Arc::new(Parts { door, outbound, webhook_secrets, links, cursors, positions, desk, drafter }))
    }

    /// The same surface with another drafter than the built-in one, before anybody else has it.
    ///
    /// # Panics
    /// Where somebody has a clone of it.
    #[must_use]
    pub fn drafting_by(self, drafter: Drafter) -> Self {
        let mut parts = Arc::into_inner(self.0).expect("a new surface has one owner");
        parts.drafter = drafter;
        Self(Arc::new(parts))
    }
}

impl Deref for Content {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl FromRef<Content> for Door {
    fn from_ref(content: &Content) -> Self {
        content.door.clone()
    }
}

/// Keys that start with `svc_content_` (content-api section 5). An admin's session stands in the place of a key where the
/// header `Lectern-Organization` names an organization whose content the admin may edit: the console works by it.
pub struct ContentKeys;

impl KeySurface for ContentKeys {
    const NAME: &'static str = "content";
    const PREFIX: &'static str = "svc_content_";
    const INVALID_KEY: &'static str = "The content integration key is invalid or missing.";
    const ACTING_HEADER: Option<&'static str> = Some("lectern-organization");

    fn authenticate(tx: &mut Tx<'_>, token_hash: &str, _: KeyRules) -> Result<KnownKey, Problem> {
        edge::keys::authenticate_alone::<Self>(tx, token_hash)
    }

    fn acting_for(tx: &mut Tx<'_>, admin: &Admin, organization: &str) -> Result<String, Problem> {
        Ok(admin.teaches(tx, organization)?.to_string())
    }
}

/// The credential of every content-key operation.
pub type ContentKey = PresentedKey<ContentKeys>;

/// The organization whose key the caller holds.
fn organization_of(caller: &KeyCaller) -> Result<OrganizationId, Problem> {
    caller.owner_id.parse().map_err(Problem::unexpected)
}

/// The classroom that a path names: 400 when it is no id.
fn classroom_param(text: &str) -> Result<ClassroomId, Problem> {
    text.parse().map_err(|_| Problem::field("classroomId", "must be a UUID"))
}
