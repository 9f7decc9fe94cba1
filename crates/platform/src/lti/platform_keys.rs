//! The public keys of platforms: read when a launch needs them, kept in memory, and never asked for more often than a
//! platform can bear, whatever keys the tokens of strangers name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use lti::{KeySet, Reason, Refusal};
use net::header::{ACCEPT, HeaderMap, HeaderValue};
use net::{Limits, OutboundClient, StatusCode, Url};

/// How long a set is believed without asking again: a key that the platform took back is refused after that.
const BELIEVED: Duration = Duration::from_secs(3600);
/// How long a set is believed while the platform can't be reached.
const BELIEVED_IN_NEED: Duration = Duration::from_secs(24 * 3600);
/// The least time between two requests to one endpoint.
const INTERVAL: Duration = Duration::from_secs(30);
const LIMITS: Limits = Limits { timeout: Duration::from_secs(5), max_response_bytes: 256 * 1024 };
/// Endpoints whose sets are kept at a time.
const MOST_ENDPOINTS: usize = 1000;

/// The key sets of platforms.
pub struct PlatformKeys {
    outbound: OutboundClient,
    ambient: Ambient,
    endpoints: Mutex<HashMap<String, Arc<Endpoint>>>,
}

#[derive(Default)]
struct Endpoint {
    known: Mutex<Known>,
    /// Held by the one who asks; the others wait for the answer.
    asking: Arc<tokio::sync::Mutex<()>>,
}

/// What is known of an endpoint.
#[derive(Clone, Default)]
struct Known {
    set: Option<Arc<KeySet>>,
    read_at: Option<Timestamp>,
    asked_at: Option<Timestamp>,
    /// Why the last request brought no set.
    failure: Option<String>,
}

impl PlatformKeys {
    pub(crate) fn new(outbound: OutboundClient, ambient: Ambient) -> Self {
        Self { outbound, ambient, endpoints: Mutex::default() }
    }

    /// The key set of an endpoint, as new as it has to be to have a key of this id.
    ///
    /// # Errors
    /// [`Reason::NoKeySet`].
    pub(crate) async fn with(&self, endpoint: &str, key_id: &str) -> Result<Arc<KeySet>, Refusal> {
        self.find(endpoint, |known, now| known.usable(key_id, now)).await
    }

    /// A newer key set than one whose key did not verify: some platforms replace a key under its id. `None` where there is none
    /// yet.
    pub(crate) async fn newer_than(&self, endpoint: &str, former: &Arc<KeySet>) -> Option<Arc<KeySet>> {
        let is_newer = |set: &Arc<KeySet>| !Arc::ptr_eq(set, former);
        let found = self.find(endpoint, |known, _| known.set.clone().filter(is_newer)).await;
        found.ok().filter(is_newer)
    }

    /// The set that will do, be it that it has to be asked for; else the best there is.
    async fn find(
        &self,
        endpoint: &str,
        will_do: impl Fn(&Known, Timestamp) -> Option<Arc<KeySet>>,
    ) -> Result<Arc<KeySet>, Refusal> {
        let entry = self.entry(endpoint);
        if let Some(set) = will_do(&entry.known(), self.ambient.now()) {
            return Ok(set);
        }
        let turn = entry.asking.clone().lock_owned().await;
        let known = entry.known();
        if let Some(set) = will_do(&known, self.ambient.now()) {
            return Ok(set);
        }
        if known.asked_at.is_none_or(|asked| asked.plus(INTERVAL) <= self.ambient.now()) {
            let (entry, outbound, ambient) = (entry.clone(), self.outbound.clone(), self.ambient.clone());
            let url = endpoint.to_owned();
            // It goes on when the launch that needs it breaks off: others wait for it.
            let asking = tokio::spawn(async move {
                let _turn = turn;
                let read = read(&outbound, &url).await;
                entry.note(read, ambient.now());
            });
            asking.await.map_err(|_| Reason::NoKeySet)?;
        }
        entry.known().best(self.ambient.now())
    }

    fn entry(&self, endpoint: &str) -> Arc<Endpoint> {
        let mut endpoints = self.endpoints.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = endpoints.get(endpoint) {
            return entry.clone();
        }
        if endpoints.len() >= MOST_ENDPOINTS {
            let oldest = endpoints.iter().min_by_key(|(_, entry)| entry.known().asked_at).map(|(url, _)| url.clone());
            oldest.and_then(|url| endpoints.remove(&url));
        }
        endpoints.entry(endpoint.to_owned()).or_default().clone()
    }
}

/// Asks the platform. The error says what came instead of a key set.
async fn read(outbound: &OutboundClient, endpoint: &str) -> Result<KeySet, String> {
    let url = Url::parse(endpoint).map_err(|_| "the address is no URL".to_owned())?;
    let accept = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
    let answer = outbound.get(&url, accept, LIMITS).await.map_err(|error| error.to_string())?;
    if answer.status != StatusCode::OK {
        return Err(format!("it answered {}", answer.status.as_u16()));
    }
    KeySet::parse(&answer.body).map_err(|error| format!("the answer {error}"))
}

impl Endpoint {
    fn known(&self) -> Known {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, read: Result<KeySet, String>, now: Timestamp) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.asked_at = Some(now);
        match read {
            Ok(set) => (known.set, known.read_at, known.failure) = (Some(Arc::new(set)), Some(now), None),
            Err(failure) => known.failure = Some(failure),
        }
    }
}

impl Known {
    /// The set, where nothing speaks for asking again.
    fn usable(&self, key_id: &str, now: Timestamp) -> Option<Arc<KeySet>> {
        self.set.clone().filter(|set| self.is_younger(BELIEVED, now) && set.has(key_id))
    }

    /// The set, where it was not asked for now: there is no better one.
    fn best(&self, now: Timestamp) -> Result<Arc<KeySet>, Refusal> {
        let failure = || self.failure.clone().unwrap_or_default();
        let set = self.set.clone().filter(|_| self.is_younger(BELIEVED_IN_NEED, now));
        set.ok_or_else(|| Refusal::of(Reason::NoKeySet, failure()))
    }

    fn is_younger(&self, age: Duration, now: Timestamp) -> bool {
        self.read_at.is_some_and(|read| now < read.plus(age))
    }
}
