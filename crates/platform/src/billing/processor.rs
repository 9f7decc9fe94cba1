//! The client of the payment processor: whoever speaks Stripe's protocol at the address that the operator names.
//!
//! It guarantees that a call which changes something carries an `Idempotency-Key`, that every call ends in time, and that an
//! error says whether the processor may have acted. It must never be called inside a transaction, and never logs or returns a
//! secret. [`calls`] has the operations, [`error`] what can go wrong.

pub mod calls;
pub mod error;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{HeaderMap, HeaderName, StatusCode};
use kernel::ambient::Ambient;
use kernel::secret::{ExposeSecret as _, SecretString};
use kernel::time::Timestamp;
use net::{Incoming, OpenOperatorClientError, OperatorClient, OperatorServer};
use serde_json::Value;
use url::{Url, form_urlencoded};

pub use error::ProcessorError;

/// How long one attempt of a call may take, its answer included.
const ATTEMPT: Duration = Duration::from_secs(20);
const LONGEST_ANSWER_BYTES: usize = 1024 * 1024;
/// Waits between the attempts of a call that somebody waits for.
const RETRY_WAITS: [Duration; 2] = [Duration::from_millis(300), Duration::from_millis(1200)];
/// A call that somebody waits for is not put off for longer, whatever the processor asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// A processor that asks for more time than this is asked again nevertheless.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(3600);
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const LONGEST_REFERENCE: usize = 255;

/// How the processor is reached, as the operator configured it.
#[derive(Clone)]
pub struct ProcessorOptions {
    /// Under which its paths begin with `v1`.
    pub base_url: Url,
    /// Proves who asks.
    pub secret_key: SecretString,
    /// The secrets that sign its events; several while one is replaced by another.
    pub webhook_secrets: Vec<SecretString>,
    /// Where its page leads when it is done, unless a request says otherwise.
    pub success_url: Url,
    /// Where its page leads when it is left.
    pub cancel_url: Url,
    /// The meter that usage is reported to; `{tier}` in it stands for the tier.
    pub meter_event_name: String,
    /// Trusted besides the system's certificates.
    pub extra_ca_pem: Option<Vec<u8>>,
}

impl fmt::Debug for ProcessorOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessorOptions").field("base_url", &self.base_url.as_str()).finish_non_exhaustive()
    }
}

/// The client of the processor. Cheap to clone.
#[derive(Clone)]
pub struct Processor {
    client: OperatorClient,
    options: Arc<ProcessorOptions>,
    ambient: Ambient,
}

impl fmt::Debug for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.options.fmt(f)
    }
}

/// How often a call is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    /// Once: whoever calls tries again later.
    Once,
    /// A few times within seconds: somebody waits.
    Short,
}

/// A call that changes something.
struct Post {
    path: String,
    form: Vec<(String, String)>,
    /// The same for each attempt, so that the processor acts once.
    idempotency_key: String,
    patience: Patience,
}

impl Processor {
    /// A client with so many connections kept for the next calls.
    ///
    /// # Errors
    /// When the certificates can't be read, or the secret can't be sent in a header.
    pub fn new(
        options: ProcessorOptions,
        ambient: Ambient,
        connections: usize,
    ) -> Result<Self, OpenOperatorClientError> {
        let bearer = SecretString::from(format!("Bearer {}", options.secret_key.expose_secret()));
        let client = OperatorClient::new(&OperatorServer {
            base: options.base_url.clone(),
            secret: Some((AUTHORIZATION, bearer.expose_secret())),
            extra_ca_pem: options.extra_ca_pem.as_deref(),
            connections,
        })?;
        Ok(Self { client, options: Arc::new(options), ambient })
    }

    /// How it is configured.
    pub fn options(&self) -> &ProcessorOptions {
        &self.options
    }

    /// Whether events of real money are expected; `None` when the key does not say.
    pub fn is_live(&self) -> Option<bool> {
        let mode = self.options.secret_key.expose_secret().split('_').nth(1)?;
        match mode {
            "live" => Some(true),
            "test" => Some(false),
            _ => None,
        }
    }

    async fn post(&self, post: &Post) -> Result<Value, ProcessorError> {
        let mut waits = RETRY_WAITS.iter();
        loop {
            let error = match self.post_once(post).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let wait = waits.next().filter(|_| post.patience == Patience::Short && error.is_transient());
            let Some(wait) = wait.copied() else { return Err(error) };
            let wait = error.retry_after().unwrap_or(wait);
            if wait > LONGEST_WAIT {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
        }
    }

    async fn post_once(&self, post: &Post) -> Result<Value, ProcessorError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let key = HeaderValue::try_from(&post.idempotency_key).map_err(|_| ProcessorError::Reference)?;
        headers.insert(IDEMPOTENCY_KEY, key);
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&post.form).finish();
        let incoming = self.client.post(&post.path, headers, body.into_bytes(), ATTEMPT, LONGEST_ANSWER_BYTES).await?;
        self.answer(incoming).await
    }

    async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Value, ProcessorError> {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        let incoming = self.client.get_with(path, &query, HeaderMap::new(), ATTEMPT, LONGEST_ANSWER_BYTES).await?;
        self.answer(incoming).await
    }

    async fn answer(&self, mut incoming: Incoming) -> Result<Value, ProcessorError> {
        let status = incoming.status();
        let retry_after = retry_after(incoming.headers(), self.ambient.now());
        let mut body = Vec::new();
        while let Some(chunk) = incoming.chunk(ATTEMPT).await? {
            body.extend_from_slice(&chunk);
        }
        let read = serde_json::from_slice::<Value>(&body).ok().filter(Value::is_object);
        match status {
            _ if status.is_success() => read.ok_or(ProcessorError::Unreadable),
            StatusCode::TOO_MANY_REQUESTS => Err(ProcessorError::Busy { retry_after }),
            // 409: a request with the same idempotency key is under way, or the thing is locked.
            StatusCode::REQUEST_TIMEOUT | StatusCode::CONFLICT => {
                Err(ProcessorError::Unavailable { status: status.as_u16(), retry_after })
            }
            _ if status.is_server_error() => Err(ProcessorError::Unavailable { status: status.as_u16(), retry_after }),
            _ => Err(ProcessorError::refused(status.as_u16(), read.as_ref())),
        }
    }
}

/// Whether a text may be the processor's name of something: it becomes part of a path.
pub(super) fn is_reference(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (1..=LONGEST_REFERENCE).contains(&text.len()) && text.bytes().all(is_plain)
}

/// What `Retry-After` says: seconds, or a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => Timestamp::parse_http_date(text)?.duration_since(now),
    };
    Some(wait.min(LONGEST_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_one_segment_of_a_path() {
        assert!(is_reference("cus_Ab-9") && is_reference(&"x".repeat(255)));
        for wrong in ["", ".", "..", "a/b", "a?b", "a b", "ä", "a%2fb", &"x".repeat(256)] {
            assert!(!is_reference(wrong), "{wrong}");
        }
    }

    #[test]
    fn waits_are_seconds_or_dates_and_never_endless() {
        let wait = |text: &'static str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(text))]);
            retry_after(&headers, Timestamp::parse_rfc3339("2026-11-25T12:00:00Z").unwrap())
        };
        assert_eq!(wait("7"), Some(Duration::from_secs(7)));
        assert_eq!(wait("999999999"), Some(LONGEST_RETRY_AFTER));
        assert_eq!(wait("Wed, 25 Nov 2026 12:01:00 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(wait("soon"), None);
    }
}
