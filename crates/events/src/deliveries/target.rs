//! Where a delivery goes, ready to use: the checked URL and the opened secret.
//!
//! Both are kept in memory by what they were made from, so that a busy endpoint's secret is opened once.
//! Neither is ever logged.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::id::EndpointId;
use kernel::secret::Sealer;
use net::signing::EndpointSecret;
use net::{OutboundClient, Url};

use super::scan::ClaimedEndpoint;

const KEPT_TARGETS: usize = 1024;

/// An endpoint that can be sent to.
pub(super) struct Target {
    pub(super) url: Url,
    pub(super) secret: EndpointSecret,
    url_text: String,
    sealed_secret: String,
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
        let plain = self.sealer.open(&endpoint.id.to_string(), &endpoint.sealed_secret);
        let plain = plain.map_err(|_| TargetError::Secret)?;
        let text = std::str::from_utf8(&plain).map_err(|_| TargetError::Secret)?;
        let secret = EndpointSecret::new(text.to_owned().into());
        Ok(Target { url, secret, url_text: endpoint.url.clone(), sealed_secret: endpoint.sealed_secret.clone() })
    }
}
