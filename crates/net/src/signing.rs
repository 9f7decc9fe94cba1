//! Signatures of webhook bodies, and the secrets they are made with.
//!
//! Two forms go out: lower-case hex HMAC-SHA-256 keyed with the secret's own text or with the hex digest of it, and
//! Standard Webhooks `v1,<base64>` keyed with what the text after `whsec_` decodes to. Comparisons look at every byte and
//! never accept a prefix. Nothing here logs, and a secret prints as `[REDACTED]`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use kernel::ambient::Ambient;
use kernel::secret::{ExposeSecret, SecretString, sha256_hex};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const SECRET_PREFIX: &str = "whsec_";
const SIGNATURE_PREFIX: &str = "v1,";

/// The secret that an endpoint's owner was shown, ready to sign.
#[derive(Clone)]
pub struct EndpointSecret {
    text: SecretString,
    decoded: Zeroizing<Vec<u8>>,
}

impl EndpointSecret {
    /// A new secret: `whsec_` and the base64 of 32 random bytes.
    pub fn generate(ambient: &Ambient) -> Self {
        let decoded = Zeroizing::new(ambient.random::<32>().to_vec());
        let text = SecretString::from(format!("{SECRET_PREFIX}{}", STANDARD.encode(&*decoded)));
        Self { text, decoded }
    }

    /// Takes a secret of any form. One that is not `whsec_` and base64 is its own Standard Webhooks key; so is a bare
    /// `whsec_`, for with an empty key anybody could sign.
    pub fn new(text: SecretString) -> Self {
        let shown = text.expose_secret();
        let decoded = shown.strip_prefix(SECRET_PREFIX).and_then(|rest| STANDARD.decode(rest).ok());
        let decoded = decoded.filter(|key| !key.is_empty());
        let decoded = Zeroizing::new(decoded.unwrap_or_else(|| shown.as_bytes().to_vec()));
        Self { text, decoded }
    }

    /// The text that the owner is shown, once.
    pub fn text(&self) -> &SecretString {
        &self.text
    }

    /// Lower-case hex HMAC-SHA-256 of `body`, keyed with the secret's text.
    pub fn hex_signature(&self, body: &[u8]) -> String {
        hex_hmac_sha256(self.text.expose_secret().as_bytes(), body)
    }

    /// Lower-case hex HMAC-SHA-256 of `body`, keyed with the lower-case hex SHA-256 digest of the secret's text.
    pub fn hashed_hex_signature(&self, body: &[u8]) -> String {
        hex_hmac_sha256(sha256_hex(self.text.expose_secret().as_bytes()).as_bytes(), body)
    }

    /// The Standard Webhooks signature of one attempt; `timestamp` in seconds since the epoch.
    pub fn standard_signature(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        standard_webhooks_signature(&self.decoded, id, timestamp, body)
    }

    /// Whether `given` is exactly the hex signature of `body`.
    pub fn verify_hex(&self, body: &[u8], given: &str) -> bool {
        equal(&self.hex_signature(body), given)
    }

    /// Whether one of the space-separated signatures in `given` is exactly the expected one. The caller
    /// checks the age of `timestamp`.
    pub fn verify_standard(&self, id: &str, timestamp: i64, body: &[u8], given: &str) -> bool {
        let expected = self.standard_signature(id, timestamp, body);
        given.split(' ').fold(false, |found, one| found | equal(&expected, one))
    }
}

/// Lower-case hex HMAC-SHA-256 of `body`.
pub fn hex_hmac_sha256(key: &[u8], body: &[u8]) -> String {
    hex::encode(mac(key, &[body]))
}

/// `v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`, as Standard Webhooks says. `key` is the
/// decoded secret.
pub fn standard_webhooks_signature(key: &[u8], id: &str, timestamp: i64, body: &[u8]) -> String {
    let head = format!("{id}.{timestamp}.");
    format!("{SIGNATURE_PREFIX}{}", STANDARD.encode(mac(key, &[head.as_bytes(), body])))
}

/// Lower-case hex HMAC-SHA-256 of `timestamp.body`, as payment processors sign their events; `timestamp` in seconds as the
/// sender wrote it.
pub fn timestamped_signature(key: &[u8], timestamp: &str, body: &[u8]) -> String {
    hex::encode(mac(key, &[timestamp.as_bytes(), b".", body]))
}

/// Whether a given signature is the expected one. How long the answer takes tells nothing about where they differ.
pub fn is_signature(expected: &str, given: &str) -> bool {
    equal(expected, given)
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Compares all bytes in constant time. Texts of different lengths differ, however alike they begin.
fn equal(expected: &str, given: &str) -> bool {
    expected.as_bytes().ct_eq(given.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use kernel::time::Timestamp;

    use super::*;

    const BODY: &[u8] = br#"{"test": 2432232314}"#;

    /// The example of the Standard Webhooks reference libraries.
    fn known() -> EndpointSecret {
        EndpointSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned().into())
    }

    #[test]
    fn known_signatures_are_reproduced() {
        let signature = known().standard_signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, BODY);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        // RFC 4231, test case 2.
        let hex = hex_hmac_sha256(b"Jefe", b"what do ya want for nothing?");
        assert_eq!(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn only_the_whole_signature_verifies() {
        let secret = known();
        let good = secret.standard_signature("id", 1, BODY);
        assert!(secret.verify_standard("id", 1, BODY, &good));
        assert!(secret.verify_standard("id", 1, BODY, &format!("v1,other {good}")));
        for bad in
            ["", "v1", "v1,", " ", &good[..good.len() - 1], &good[3..], &format!("{good}="), &format!("v1a,{good}")]
        {
            assert!(!secret.verify_standard("id", 1, BODY, bad), "{bad:?}");
        }
        assert!(!secret.verify_standard("id", 2, BODY, &good));
        assert!(!secret.verify_standard("ie", 1, BODY, &good));
        assert!(!secret.verify_standard("id", 1, b"{}", &good));

        let hex = secret.hex_signature(BODY);
        assert!(secret.verify_hex(BODY, &hex));
        for bad in ["", &hex[..10], &hex.to_uppercase(), &format!("{hex}0")] {
            assert!(!secret.verify_hex(BODY, bad), "{bad:?}");
        }
    }

    #[test]
    fn the_hex_key_is_the_text_and_the_standard_key_its_decoded_part() {
        let (ambient, _) = Ambient::fixed(Timestamp::from_millis(0), 1);
        let secret = EndpointSecret::generate(&ambient);
        let text = secret.text().expose_secret();
        let decoded = STANDARD.decode(text.strip_prefix("whsec_").expect("prefix")).expect("base64");
        assert_eq!(decoded.len(), 32);
        assert_eq!(secret.hex_signature(BODY), hex_hmac_sha256(text.as_bytes(), BODY));
        assert_eq!(secret.standard_signature("a", 1, BODY), standard_webhooks_signature(&decoded, "a", 1, BODY));
        let again = EndpointSecret::new(text.to_owned().into());
        assert_eq!(again.standard_signature("a", 1, BODY), secret.standard_signature("a", 1, BODY));
    }

    #[test]
    fn the_hashed_key_is_the_hex_digest_of_the_text() {
        let secret = EndpointSecret::new("abc".to_owned().into());
        // FIPS 180-2, example B.1.
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(secret.hashed_hex_signature(BODY), hex_hmac_sha256(digest.as_bytes(), BODY));
        assert_ne!(secret.hashed_hex_signature(BODY), secret.hex_signature(BODY));
    }

    #[test]
    fn a_timestamped_signature_covers_time_and_body() {
        let signature = timestamped_signature(b"Jefe", "what do ya want", b"for nothing?");
        assert_eq!(signature, hex_hmac_sha256(b"Jefe", b"what do ya want.for nothing?"));
        assert!(is_signature(&signature, &signature) && !is_signature(&signature, &signature[1..]));
    }

    #[test]
    fn a_secret_of_another_form_is_its_own_key() {
        for text in ["plain text", "whsec_not base64!", "whsec_"] {
            let secret = EndpointSecret::new(text.to_owned().into());
            assert_eq!(
                secret.standard_signature("a", 1, BODY),
                standard_webhooks_signature(text.as_bytes(), "a", 1, BODY)
            );
        }
    }
}
