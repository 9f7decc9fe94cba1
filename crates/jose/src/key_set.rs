//! The public keys of an issuer (RFC 7517).

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

/// Keys of a set that are kept: an issuer has two or three, more over a rotation.
const MOST_KEYS: usize = 100;

/// The keys of an issuer that may sign tokens.
#[derive(Clone, Debug, Default)]
pub struct KeySet(Vec<Key>);

/// A key that verifies signatures.
#[derive(Clone, Debug)]
pub struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    pub(crate) decoding: DecodingKey,
}

/// The text is no JSON Web Key Set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a JSON Web Key Set")]
pub struct NotAKeySet;

#[derive(Deserialize)]
struct Document {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads a key set. Keys that can't verify one of the `allowed` algorithms are left out, and of several with one id all but
    /// the first.
    ///
    /// # Errors
    /// [`NotAKeySet`] when it is not JSON of that form.
    pub fn parse(text: &[u8], allowed: &[Algorithm]) -> Result<Self, NotAKeySet> {
        let Document { keys } = serde_json::from_slice(text).map_err(|_| NotAKeySet)?;
        let mut set: Vec<Key> = Vec::new();
        for key in keys.into_iter().filter_map(|key| usable(key, allowed)) {
            let is_known = key.id.is_some() && set.iter().any(|other| other.id == key.id);
            if set.len() < MOST_KEYS && !is_known {
                set.push(key);
            }
        }
        Ok(Self(set))
    }

    /// The key with an id that verifies an algorithm. Without an id, the only key that does.
    pub fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<&Key> {
        let mut fitting = self.0.iter().filter(|key| key.algorithms.contains(&algorithm));
        match id {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)),
            None => fitting.next().filter(|_| fitting.next().is_none()),
        }
    }

    /// The ids of all keys that have one, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let mut ids: Vec<_> = self.0.iter().filter_map(|key| key.id.as_deref()).collect();
        ids.sort_unstable();
        ids.into_iter()
    }
}

/// A key that verifies one of the algorithms. A symmetric key never does, so that a token can't choose a public key as the
/// secret of a MAC.
fn usable(key: Value, allowed: &[Algorithm]) -> Option<Key> {
    let key: Jwk = serde_json::from_value(key).ok()?;
    if !matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature)) {
        return None;
    }
    let may = |algorithm: &Algorithm| allowed.contains(algorithm) && is_declared(&key, *algorithm);
    let algorithms: Vec<_> = of_its_type(&key.algorithm).iter().copied().filter(may).collect();
    let decoding = DecodingKey::from_jwk(&key).ok().filter(|_| !algorithms.is_empty())?;
    Some(Key { id: key.common.key_id, algorithms, decoding })
}

const fn of_its_type(parameters: &AlgorithmParameters) -> &'static [Algorithm] {
    match parameters {
        AlgorithmParameters::RSA(_) => &[
            Algorithm::RS256,
            Algorithm::RS384,
            Algorithm::RS512,
            Algorithm::PS256,
            Algorithm::PS384,
            Algorithm::PS512,
        ],
        AlgorithmParameters::EllipticCurve(key) => match key.curve {
            EllipticCurve::P256 => &[Algorithm::ES256],
            EllipticCurve::P384 => &[Algorithm::ES384],
            _ => &[],
        },
        AlgorithmParameters::OctetKeyPair(key) => match key.curve {
            EllipticCurve::Ed25519 => &[Algorithm::EdDSA],
            _ => &[],
        },
        _ => &[],
    }
}

/// Whether the key says that it is for the algorithm, or says nothing.
fn is_declared(key: &Jwk, algorithm: Algorithm) -> bool {
    let declared = match key.common.key_algorithm {
        None => return true,
        Some(KeyAlgorithm::RS256) => Algorithm::RS256,
        Some(KeyAlgorithm::RS384) => Algorithm::RS384,
        Some(KeyAlgorithm::RS512) => Algorithm::RS512,
        Some(KeyAlgorithm::PS256) => Algorithm::PS256,
        Some(KeyAlgorithm::PS384) => Algorithm::PS384,
        Some(KeyAlgorithm::PS512) => Algorithm::PS512,
        Some(KeyAlgorithm::ES256) => Algorithm::ES256,
        Some(KeyAlgorithm::ES384) => Algorithm::ES384,
        Some(KeyAlgorithm::EdDSA) => Algorithm::EdDSA,
        Some(_) => return false,
    };
    declared == algorithm
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use serde_json::json;

    use super::*;

    fn elliptic(id: &str) -> Value {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let point = pair.public_key().as_ref();
        let [x, y] = [&point[1..33], &point[33..65]].map(|half| URL_SAFE_NO_PAD.encode(half));
        json!({ "kty": "EC", "crv": "P-256", "kid": id, "x": x, "y": y })
    }

    fn set(keys: &[Value], allowed: &[Algorithm]) -> KeySet {
        KeySet::parse(json!({ "keys": keys }).to_string().as_bytes(), allowed).unwrap()
    }

    #[test]
    fn a_key_is_found_for_the_algorithms_of_its_type_that_are_allowed() {
        let both = set(&[elliptic("a"), elliptic("b"), elliptic("a")], &[Algorithm::ES256, Algorithm::RS256]);
        assert_eq!(both.ids().collect::<Vec<_>>(), ["a", "b"]);
        assert!(both.find(Some("a"), Algorithm::ES256).is_some());
        assert!(both.find(Some("a"), Algorithm::RS256).is_none());
        assert!(both.find(None, Algorithm::ES256).is_none(), "two may have signed");
        assert!(set(&[elliptic("a")], &[Algorithm::ES256]).find(None, Algorithm::ES256).is_some());
        assert_eq!(set(&[elliptic("a")], &[Algorithm::RS256]).ids().count(), 0);
    }

    #[test]
    fn keys_for_other_things_and_secrets_are_left_out() {
        let mut encrypting = elliptic("a");
        encrypting["use"] = json!("enc");
        let mut other = elliptic("b");
        other["alg"] = json!("ES384");
        let secret = json!({ "kty": "oct", "kid": "c", "k": "c2VjcmV0" });
        assert_eq!(set(&[encrypting, other, secret, json!(1)], &[Algorithm::ES256, Algorithm::HS256]).ids().count(), 0);
        assert_eq!(KeySet::parse(b"{}", &[]).err(), Some(NotAKeySet));
    }
}
