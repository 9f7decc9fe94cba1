//! This service as a platform sees it: its address, and the keys that verify what it signs.

use lti::{KeySet, ToolKey};
use net::header::HeaderMap;
use net::{OutboundPolicy, StatusCode, Url, UrlRefused};

use super::probe::LIMITS;
use super::{Diagnosis, Doctor};

const ADDRESS: &str = "service address";
const OWN_KEYS: &str = "own key set";
const PATH: &str = "/v1/platform/lti/.well-known/jwks.json";

/// Whether platforms and browsers elsewhere can reach the service.
pub(super) fn address(base_url: &Url) -> Vec<Diagnosis> {
    let policy = OutboundPolicy { allow_http: true, ..OutboundPolicy::default() };
    let is_inside = policy.check_url(base_url.as_str()) == Err(UrlRefused::NotPublic);
    let mut found = Vec::new();
    if base_url.scheme() != "https" {
        let message = format!(
            "{base_url} is plain http: platforms and browsers refuse tools without https. Set LECTERN_BASE_URL to an \
             https address"
        );
        found.push(Diagnosis::warning(ADDRESS, message));
    }
    if is_inside {
        let message = format!(
            "{base_url} leads to this machine or this network only: platforms elsewhere can't reach it. Set \
             LECTERN_BASE_URL to the address that others use"
        );
        found.push(Diagnosis::warning(ADDRESS, message));
    }
    if found.is_empty() {
        found.push(Diagnosis::fine(ADDRESS, format!("{base_url} is a public https address")));
    }
    found
}

impl Doctor {
    /// Reads the service's own key set, as the platform does.
    pub(super) async fn own_keys(&self, signing: &ToolKey) -> Diagnosis {
        let url = format!("{}{PATH}", self.base_url.as_str().trim_end_matches('/'));
        let body = match tokio::time::timeout(self.timeout, self.read_own_keys()).await {
            Ok(Ok(body)) => body,
            Ok(Err(fault)) => return Diagnosis::wrong(OWN_KEYS, format!("{url} {fault}. {ADVICE}")),
            Err(_) => return Diagnosis::wrong(OWN_KEYS, format!("{url} does not answer in time. {ADVICE}")),
        };
        match KeySet::parse(&body) {
            Ok(set) if set.has(signing.id()) => Diagnosis::fine(OWN_KEYS, format!("{url} has the key that signs")),
            Ok(_) => Diagnosis::wrong(
                OWN_KEYS,
                format!(
                    "{url} has not the key that signs ({}): the service there has another database, or something in between \
                     keeps an old copy",
                    signing.id()
                ),
            ),
            Err(_) => Diagnosis::wrong(
                OWN_KEYS,
                format!("{url} answers with something else than a JSON Web Key Set. {ADVICE}"),
            ),
        }
    }

    async fn read_own_keys(&self) -> Result<Vec<u8>, String> {
        let unreachable = |error: net::OutboundError| format!("can't be read ({error})");
        let asked = self.own.get(PATH, HeaderMap::new(), self.timeout, LIMITS.max_response_bytes).await;
        let mut incoming = asked.map_err(unreachable)?;
        if incoming.status() != StatusCode::OK {
            return Err(format!("answers {}", incoming.status()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = incoming.chunk(self.timeout).await.map_err(unreachable)? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

const ADVICE: &str = "Run lectern serve, and let LECTERN_BASE_URL be the address that leads to it: the platform verifies there \
                      what this service signs";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lti::doctor::Severity;

    #[test]
    fn an_address_that_others_can_not_use_is_a_warning() {
        for (url, warnings) in [
            ("https://lectern.example/", 0),
            ("http://lectern.example/", 1),
            ("https://127.0.0.1/", 1),
            ("https://lectern.lan/", 1),
            ("http://localhost:8080/", 2),
            ("http://127.0.0.1:8080/", 2),
        ] {
            let found = address(&Url::parse(url).unwrap());
            assert_eq!(
                found.iter().filter(|one| one.severity == Severity::Warning).count(),
                warnings,
                "{url}: {found:?}"
            );
            assert_eq!(found.len(), warnings.max(1), "{url}");
        }
    }
}
