//! One call of a platform, what it came to, and what its answer says of the platform's clock.

use std::time::Duration;

use kernel::time::Timestamp;
use net::header::{AGE, DATE, LOCATION};
use net::{Answer, Limits, OutboundError};

use super::clock::Skew;
use super::{Diagnosis, Doctor};

/// What is read of an answer.
pub(super) const LIMITS: Limits = Limits { timeout: Duration::from_secs(10), max_response_bytes: 256 * 1024 };

/// What was found at an endpoint.
#[derive(Default)]
pub(super) struct Examined {
    pub(super) found: Vec<Diagnosis>,
    pub(super) skew: Option<Skew>,
}

impl Examined {
    pub(super) fn one(diagnosis: Diagnosis, skew: Option<Skew>) -> Self {
        Self { found: vec![diagnosis], skew }
    }
}

/// A call that is over.
pub(super) struct Probe {
    pub(super) result: Result<Answer, OutboundError>,
    pub(super) skew: Option<Skew>,
}

impl Doctor {
    /// Makes a call, within the doctor's patience.
    pub(super) async fn probe(&self, call: impl Future<Output = Result<Answer, OutboundError>>) -> Probe {
        let asked_at = self.ambient.now();
        let result = tokio::time::timeout(self.timeout, call).await.unwrap_or(Err(OutboundError::Timeout));
        let skew = result.as_ref().ok().and_then(|answer| skew(answer, asked_at, self.ambient.now()));
        Probe { result, skew }
    }
}

fn skew(answer: &Answer, asked_at: Timestamp, answered_at: Timestamp) -> Option<Skew> {
    // The date of a copy that something in between kept is that of the original.
    if answer.headers.contains_key(AGE) {
        return None;
    }
    let date = answer.headers.get(DATE)?.to_str().ok().and_then(Timestamp::parse_http_date)?;
    Some(Skew::between(asked_at, answered_at, date))
}

/// What it means that there was no answer, and what to do.
pub(super) fn silence(error: OutboundError) -> &'static str {
    match error {
        OutboundError::Refused => {
            "may not be called: it must be a public https address. LECTERN_OUTBOUND_ALLOW_NETWORKS and \
             LECTERN_OUTBOUND_ALLOW_HTTP allow others"
        }
        OutboundError::Dns => "has a host name that is not known: compare it with the platform's",
        OutboundError::Connect => {
            "takes no connection from here: a firewall may be in between, or the platform is down"
        }
        OutboundError::Tls => {
            "has no certificate that is trusted and its own: compare the host name, and name a private authority in \
             LECTERN_OUTBOUND_EXTRA_CA_FILE"
        }
        OutboundError::Timeout => {
            "does not answer in time: a firewall may be in between, or the platform is overloaded"
        }
        OutboundError::TooLarge => "answers with far too much: compare the address with the platform's",
        OutboundError::Protocol => {
            "closes the connection, or answers with something that is not HTTP: compare the address with the platform's"
        }
    }
}

/// An answer with another status than it should have.
pub(super) fn status(answer: &Answer) -> String {
    let status = answer.status;
    match answer.headers.get(LOCATION).and_then(|location| location.to_str().ok()) {
        Some(location) if status.is_redirection() => {
            let location: String = location.chars().take(300).collect();
            format!(
                "answers {status}, which leads to {location}. Redirects are not followed: register the final address"
            )
        }
        _ if status.is_server_error() => format!("answers {status}: look into the platform's log"),
        _ => format!("answers {status}: compare the address with the platform's"),
    }
}

/// Whether a body is a web page.
pub(super) fn is_page(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
}
