//! Signatures as a receiver computes them, with nothing of the program under test.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::receiver::Received;

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

/// The signature header's value when the secret itself is the key.
pub(crate) fn plain(secret: &str, request: &Received) -> String {
    hex::encode(hmac(secret.as_bytes(), &request.body))
}

/// The same when the key is the secret's digest in lower-case hex.
pub(crate) fn hashed(secret: &str, request: &Received) -> String {
    let digest = hex::encode(Sha256::digest(secret.as_bytes()));
    hex::encode(hmac(digest.as_bytes(), &request.body))
}

/// A signature of Standard Webhooks: keyed with what follows `whsec_`, decoded, else with the text.
pub(crate) fn standard(secret: &str, request: &Received) -> String {
    let decoded = secret.strip_prefix("whsec_").map(|rest| STANDARD.decode(rest).unwrap());
    let key = decoded.unwrap_or_else(|| secret.as_bytes().to_vec());
    let (id, time) = (request.header("webhook-id"), request.header("webhook-timestamp"));
    let message = [format!("{id}.{time}.").as_bytes(), &request.body].concat();
    format!("v1,{}", STANDARD.encode(hmac(&key, &message)))
}

/// Whether one of the signatures of Standard Webhooks is by this secret.
pub(crate) fn has_standard(secret: &str, request: &Received) -> bool {
    request.header("webhook-signature").split(' ').any(|one| one == standard(secret, request))
}
