//! Keys that acted a moment ago, so that the small bodies of their requests are read without a look-up first.
//!
//! Nothing here authorizes: every request is authenticated in its own transaction. A key is forgotten when it is refused, and
//! all are when this process revokes one, so that no body of a revoked key is read. A key that another process revokes is
//! found out by its next request.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::HeaderMap;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};

use crate::rate::RateSubject;

/// A body up to this length costs less to read than its key costs to look up, in bytes.
const SMALL_BODY_BYTES: u64 = 16 * 1024;
/// More keys than this are not remembered; then all are looked up again.
const MOST_KEYS: usize = 10_000;

/// What the head of a request says of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SendsBody {
    /// Nothing, or something short.
    Small,
    /// More, or nobody knows how much.
    Large,
}

impl SendsBody {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let length = match headers.get(CONTENT_LENGTH) {
            Some(value) => value.to_str().ok().and_then(|text| text.parse::<u64>().ok()),
            None => (!headers.contains_key(TRANSFER_ENCODING)).then_some(0),
        };
        if length.is_some_and(|length| length <= SMALL_BODY_BYTES) { Self::Small } else { Self::Large }
    }
}

/// The keys that acted lately, by the digest of their raw text, with the subject that each is counted as.
#[derive(Default)]
pub(super) struct KnownKeys(Mutex<HashMap<String, RateSubject>>);

impl KnownKeys {
    pub(super) fn find(&self, token_hash: &str) -> Option<RateSubject> {
        self.keys().get(token_hash).copied()
    }

    pub(super) fn remember(&self, token_hash: &str, subject: RateSubject) {
        let mut keys = self.keys();
        if let Some(known) = keys.get_mut(token_hash) {
            *known = subject;
            return;
        }
        if keys.len() >= MOST_KEYS {
            keys.clear();
        }
        keys.insert(token_hash.to_owned(), subject);
    }

    pub(super) fn forget(&self, token_hash: &str) {
        self.keys().remove(token_hash);
    }

    pub(super) fn forget_all(&self) {
        self.keys().clear();
    }

    fn keys(&self) -> MutexGuard<'_, HashMap<String, RateSubject>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_body_is_small_only_where_its_head_says_so() {
        let of = |name, value| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            SendsBody::of(&headers)
        };
        assert_eq!(SendsBody::of(&HeaderMap::new()), SendsBody::Small);
        assert_eq!(of(CONTENT_LENGTH, "16384"), SendsBody::Small);
        for (name, value) in [(CONTENT_LENGTH, "16385"), (CONTENT_LENGTH, "x"), (TRANSFER_ENCODING, "chunked")] {
            assert_eq!(of(name.clone(), value), SendsBody::Large, "{name}: {value}");
        }
    }
}
