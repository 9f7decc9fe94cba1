//! The public keys of a platform (RFC 7517).

use std::collections::BTreeMap;

use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, KeyAlgorithm, PublicKeyUse};
use serde::Deserialize;
use serde_json::Value;

/// Keys of a set that are kept: a platform has two or three, more over a rotation.
const MOST_KEYS: usize = 100;

/// The keys of a platform that may sign tokens, by their ids.
#[derive(Clone, Debug, Default)]
pub struct KeySet(BTreeMap<String, DecodingKey>);

/// The text is no JSON Web Key Set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a JSON Web Key Set")]
pub struct NotAKeySet;

#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads a key set. Keys that can't verify RS256 are left out, and of several with one id all but the first.
    ///
    /// # Errors
    /// [`NotAKeySet`] when it is not JSON of that form.
    pub fn parse(text: &[u8]) -> Result<Self, NotAKeySet> {
        let Document { keys } = serde_json::from_slice(text).map_err(|_| NotAKeySet)?;
        let mut set = BTreeMap::new();
        for (id, key) in keys.into_iter().filter_map(usable) {
            if set.len() < MOST_KEYS {
                set.entry(id).or_insert(key);
            }
        }
        Ok(Self(set))
    }

    /// The key with an id.
    pub(crate) fn find(&self, id: &str) -> Option<&DecodingKey> {
        self.0.get(id)
    }

    /// Whether there is a key with this id.
    pub fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// The ids of all keys.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// A key that verifies RS256, with its id. Only RSA keys become one, so that a token can't choose a public key as the
/// secret of a MAC.
fn usable(key: Value) -> Option<(String, DecodingKey)> {
    let key: Jwk = serde_json::from_value(key).ok()?;
    let signs = matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let is_rs256 = matches!(key.common.key_algorithm, None | Some(KeyAlgorithm::RS256));
    let is_rsa = matches!(key.algorithm, AlgorithmParameters::RSA(_));
    let verifying = DecodingKey::from_jwk(&key).ok().filter(|_| signs && is_rs256 && is_rsa)?;
    Some((key.common.key_id?, verifying))
}
