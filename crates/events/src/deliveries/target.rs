//! Where a delivery goes, ready to use: the checked URL and the opened secrets.
//!
//! They are kept in memory by what they were made from, so that a busy endpoint's secrets are opened once.
//! Neither is ever logged.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::id::EndpointId;
use kernel::secret::Sealer;
use kernel::time::Timestamp;
use net::signing::EndpointSecret;
use net::{OutboundClient, Url};

use super::request::Signers;
use crate::endpoints::ClaimedEndpoint;
use crate::endpoints::secrets::read_former;

const KEPT_TARGETS: usize = 1024;

/// An endpoint that can be sent to.
pub(super) struct Target {
    pub(super) url: Url,
    secret: EndpointSecret,
    /// What was replaced, the latest first, with the end of its time.
    former: Vec<(Timestamp, EndpointSecret)>,
    url_text: String,
    sealed_secret: String,
    former_secrets: String,
}

impl Target {
    /// The secrets that sign at a time.
    pub(super) fn signers(&self, now: Timestamp) -> Signers<'_> {
        let former = self.former.iter().filter(|(signs_until, _)| *signs_until > now).map(|(_, secret)| secret);
        std::iter::once(&self.secret).chain(former).collect()
    }
}

/// Why an endpoint can't be sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetError {
    /// The policy does not allow the URL (any more).
    Refused,
    /// The secret can't be opened with the configured key.
    Secret,
}

pub(super) struct Targets {
    client: OutboundClient,
    sealer: Sealer,
    opened: Mutex<HashMap<EndpointId, Arc<Target>>>,
}

impl Targets {
    pub(super) fn new(client: OutboundClient, sealer: Sealer) -> Self {
        Self { client, sealer, opened: Mutex::default() }
    }

    pub(super) fn open(&self, endpoint: &ClaimedEndpoint) -> Result<Arc<Target>, TargetError> {
        let known = self.opened.lock().unwrap_or_else(PoisonError::into_inner).get(&endpoint.id).cloned();
        if let Some(target) = known
            && target.url_text == endpoint.url
            && target.sealed_secret == endpoint.sealed_secret
            && target.former_secrets == endpoint.former_secrets
        {
            return Ok(target);
        }
        let target = Arc::new(self.open_anew(endpoint)?);
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.len() >= KEPT_TARGETS {
            opened.clear();
        }
        opened.insert(endpoint.id, target.clone());
        Ok(target)
    }

    fn open_anew(&self, endpoint: &ClaimedEndpoint) -> Result<Target, TargetError> {
        let url = self.client.check_url(&endpoint.url).map_err(|_| TargetError::Refused)?;
        let secret = self.open_secret(endpoint, &endpoint.sealed_secret).ok_or(TargetError::Secret)?;
        // One that can't be opened any more only ends its overlap early.
        let former = read_former(&endpoint.former_secrets);
        let former =
            former.into_iter().filter_map(|one| Some((one.signs_until, self.open_secret(endpoint, &one.sealed)?)));
        Ok(Target {
            url,
            secret,
            former: former.collect(),
            url_text: endpoint.url.clone(),
            sealed_secret: endpoint.sealed_secret.clone(),
            former_secrets: endpoint.former_secrets.clone(),
        })
    }

    fn open_secret(&self, endpoint: &ClaimedEndpoint, sealed: &str) -> Option<EndpointSecret> {
        let plain = self.sealer.open(&endpoint.id.to_string(), sealed).ok()?;
        let text = std::str::from_utf8(&plain).ok()?;
        Some(EndpointSecret::new(text.to_owned().into()))
    }
}
