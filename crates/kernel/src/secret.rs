//! Secrets: digests of what is only compared, encryption of what must be read again.
//!
//! A raw secret is a [`SecretString`], which prints as `[REDACTED]`. Where to read next: API keys are
//! made and checked in `edge::keys`, webhook secrets in `events::endpoints`, preview links in
//! `content::links`.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use aws_lc_rs::hmac::{self, HMAC_SHA256};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

pub use secrecy::{ExposeSecret, SecretString};

use crate::ambient::Ambient;

const NONCE_BYTES: usize = 12;

/// Lower-case hex SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut text = [0; 64];
    hex::encode_to_slice(Sha256::digest(bytes), &mut text).expect("two digits for each of 32 bytes");
    std::str::from_utf8(&text).expect("hexadecimal digits are ASCII").to_owned()
}

/// 256 random bits as 43 URL-safe characters: an API key's or session token's body.
pub fn random_token(ambient: &Ambient) -> String {
    URL_SAFE_NO_PAD.encode(ambient.random::<32>())
}

/// The operator's secret (`LECTERN_SECRET_KEY`): 32 bytes from which every other key is derived.
#[derive(Clone)]
pub struct MasterKey(Zeroizing<[u8; 32]>);

/// The text is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("must be 32 bytes as 64 hexadecimal digits")]
pub struct NotAMasterKey;

impl MasterKey {
    /// A new key.
    pub fn generate(ambient: &Ambient) -> Self {
        Self(Zeroizing::new(ambient.random()))
    }

    /// Reads 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, NotAMasterKey> {
        let mut key = Zeroizing::new([0; 32]);
        hex::decode_to_slice(text.trim(), &mut *key).map_err(|_| NotAMasterKey)?;
        Ok(Self(key))
    }

    /// The form [`MasterKey::from_hex`] reads.
    pub fn to_hex(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(*self.0))
    }

    /// A sealer for one purpose. What one purpose sealed, another can't open.
    pub fn sealer(&self, purpose: &str) -> Sealer {
        let info = [b"lectern sealing ".as_slice(), purpose.as_bytes()];
        let secret = Salt::new(HKDF_SHA256, &[]).extract(&*self.0);
        let output = secret.expand(&info, &AES_256_GCM).expect("32 bytes are within HKDF's limit");
        Sealer { key: std::sync::Arc::new(LessSafeKey::new(UnboundKey::from(output))) }
    }

    /// An authenticator for one purpose. What one purpose vouches for, another doesn't.
    pub fn authenticator(&self, purpose: &str) -> Authenticator {
        let info = [b"lectern authentication ".as_slice(), purpose.as_bytes()];
        let secret = Salt::new(HKDF_SHA256, &[]).extract(&*self.0);
        let output = secret.expand(&info, HMAC_SHA256).expect("32 bytes are within HKDF's limit");
        Authenticator { key: std::sync::Arc::new(hmac::Key::from(output)) }
    }
}

/// Vouches for texts that leave the service and come back (HMAC-SHA-256). Cheap to clone.
#[derive(Clone)]
pub struct Authenticator {
    key: std::sync::Arc<hmac::Key>,
}

impl Authenticator {
    /// The tag of a text: 43 URL-safe characters that only the holder of the key can make.
    pub fn tag(&self, text: &str) -> String {
        URL_SAFE_NO_PAD.encode(hmac::sign(&self.key, text.as_bytes()))
    }

    /// Whether this is the text's tag; how long the answer takes tells nothing about where they differ.
    pub fn vouches(&self, text: &str, tag: &str) -> bool {
        let Ok(tag) = URL_SAFE_NO_PAD.decode(tag) else { return false };
        hmac::verify(&self.key, text.as_bytes(), &tag).is_ok()
    }
}

/// Authenticated encryption (AES-256-GCM) of small secrets at rest. Cheap to clone.
#[derive(Clone)]
pub struct Sealer {
    key: std::sync::Arc<LessSafeKey>,
}

/// The sealed text is damaged, of another context, or sealed with another key.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a stored secret can't be opened with the configured secret key")]
pub struct OpenSealedError;

impl Sealer {
    /// Seals `plain`, bound to `context` (the id of the row it belongs to, so that rows can't be swapped).
    pub fn seal(&self, ambient: &Ambient, context: &str, plain: &[u8]) -> String {
        let nonce: [u8; NONCE_BYTES] = ambient.random();
        let mut sealed = plain.to_vec();
        self.key
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(context.as_bytes()), &mut sealed)
            .expect("a secret is shorter than the cipher's limit");
        URL_SAFE_NO_PAD.encode([nonce.as_slice(), &sealed].concat())
    }

    /// Opens what [`Sealer::seal`] made for the same context.
    pub fn open(&self, context: &str, sealed: &str) -> Result<Zeroizing<Vec<u8>>, OpenSealedError> {
        let mut bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(sealed).map_err(|_| OpenSealedError)?);
        if bytes.len() < NONCE_BYTES {
            return Err(OpenSealedError);
        }
        let nonce = Nonce::try_assume_unique_for_key(&bytes[..NONCE_BYTES]).map_err(|_| OpenSealedError)?;
        let plain = self
            .key
            .open_within(nonce, Aad::from(context.as_bytes()), &mut bytes, NONCE_BYTES..)
            .map_err(|_| OpenSealedError)?;
        Ok(Zeroizing::new(plain.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn ambient() -> Ambient {
        Ambient::fixed(Timestamp::from_millis(0), 1).0
    }

    #[test]
    fn sealed_text_opens_only_in_its_context_purpose_and_key() {
        let ambient = ambient();
        let master = MasterKey::generate(&ambient);
        let sealer = master.sealer("webhook secrets");
        let sealed = sealer.seal(&ambient, "row 1", b"whsec_x");
        assert_eq!(&**sealer.open("row 1", &sealed).unwrap(), b"whsec_x");
        assert!(sealer.open("row 2", &sealed).is_err());
        assert!(master.sealer("other").open("row 1", &sealed).is_err());
        assert!(MasterKey::generate(&ambient).sealer("webhook secrets").open("row 1", &sealed).is_err());
        assert!(!sealed.contains("whsec"));
    }

    #[test]
    fn damaged_text_is_refused() {
        let ambient = ambient();
        let sealer = MasterKey::generate(&ambient).sealer("x");
        let sealed = sealer.seal(&ambient, "", b"secret");
        for damaged in ["", "a", "!!", &sealed[1..], &sealed[..sealed.len() - 4]] {
            assert!(sealer.open("", damaged).is_err(), "{damaged:?}");
        }
    }

    #[test]
    fn a_tag_belongs_to_its_text_purpose_and_key() {
        let ambient = ambient();
        let master = MasterKey::generate(&ambient);
        let links = master.authenticator("links");
        let tag = links.tag("module/1");
        assert_eq!(tag.len(), 43);
        assert!(links.vouches("module/1", &tag));
        assert!(!links.vouches("module/2", &tag));
        assert!(!master.authenticator("other").vouches("module/1", &tag));
        assert!(!MasterKey::generate(&ambient).authenticator("links").vouches("module/1", &tag));
        for wrong in ["", "!", &tag[..42], &tag[..22], &format!("{tag}A"), &tag.replace(&tag[..1], "-")] {
            assert!(*wrong == tag || !links.vouches("module/1", wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_master_key_survives_its_text_form() {
        let master = MasterKey::generate(&ambient());
        let again = MasterKey::from_hex(&master.to_hex()).unwrap();
        assert_eq!(master.to_hex(), again.to_hex());
        assert!(MasterKey::from_hex("00ff").is_err());
        assert!(MasterKey::from_hex(&"g".repeat(64)).is_err());
    }

    #[test]
    fn tokens_are_43_url_safe_characters() {
        let token = random_token(&ambient());
        assert_eq!(token.len(), 43);
        assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'));
    }
}
