//! The grading platform, `/v1/platform`: learners' answers are graded, for workspaces that pay in credits.
//!
//! One folder a noun, one file a verb: a file holds an operation's request, rules, transaction, answer and tests. Start
//! at [`evaluations`], the main job; [`callers`] says who may do what; [`api`] lists every operation.

pub mod api;
pub mod callers;
pub mod credentials;
pub mod evaluations;
pub mod keys;
pub mod learners;
mod named;
mod number;
#[cfg(test)]
mod testing;
pub mod workspaces;

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use edge::door::Door;
use kernel::secret::{MasterKey, Sealer};
use net::OutboundClient;
use url::Url;

use crate::evaluations::Graders;
use crate::evaluations::work::Grading;

/// What the operations of this surface need, behind one pointer: a request clones it several times.
#[derive(Clone)]
pub struct Platform(Arc<Parts>);

/// What a [`Platform`] leads to.
pub struct Parts {
    /// The way into the store.
    pub door: Door,
    /// Judges webhook addresses.
    pub outbound: OutboundClient,
    /// Encrypts webhook secrets at rest.
    pub webhook_secrets: Sealer,
    /// The service's public address, without a slash at its end.
    pub base_url: String,
    /// Who grades.
    graders: Arc<Graders>,
    /// Grades what requests wait for.
    pub grading: Grading,
}

impl Platform {
    /// The surface on a door; links lead below `base_url`, the service's public address.
    pub fn new(door: Door, outbound: OutboundClient, master: &MasterKey, base_url: &Url, graders: Graders) -> Self {
        let webhook_secrets = master.sealer(events::WEBHOOK_SECRETS);
        let base_url = base_url.as_str().trim_end_matches('/').to_owned();
        let graders = Arc::new(graders);
        let grading = Grading::new(door.store.clone(), door.ambient.clone(), graders.clone());
        Self(Arc::new(Parts { door, outbound, webhook_secrets, base_url, graders, grading }))
    }
}

impl Deref for Platform {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl FromRef<Platform> for Door {
    fn from_ref(platform: &Platform) -> Self {
        platform.door.clone()
    }
}
