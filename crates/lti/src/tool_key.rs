//! A key pair of the tool: it signs what the tool says to a platform, which reads the public half from the tool's key set.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::jwk::{Jwk, KeyAlgorithm, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde::Serialize;
use serde_json::Value;
use zeroize::Zeroizing;

/// A key pair of the tool, RSA with 2048 bits.
#[derive(Clone)]
pub struct ToolKey {
    id: String,
    public: Value,
    private: EncodingKey,
}

/// The bytes are no private RSA key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a private RSA key in PKCS #8")]
pub struct NotAToolKey;

impl ToolKey {
    /// A new private key, as PKCS #8. It takes a tenth of a second and more.
    ///
    /// # Panics
    /// When the operating system has no randomness.
    pub fn generate() -> Zeroizing<Vec<u8>> {
        let pair = KeyPair::generate(KeySize::Rsa2048).expect("an RSA key can be made");
        let der = AsDer::<Pkcs8V1Der<'_>>::as_der(&pair).expect("a new key has a form");
        Zeroizing::new(der.as_ref().to_vec())
    }

    /// Reads a private key.
    ///
    /// # Errors
    /// [`NotAToolKey`] for other bytes.
    pub fn from_pkcs8(bytes: &[u8]) -> Result<Self, NotAToolKey> {
        // The next reader is lenient; a key that it takes might not sign.
        KeyPair::from_pkcs8(bytes).map_err(|_| NotAToolKey)?;
        let text = Zeroizing::new(STANDARD.encode(bytes));
        let pem = Zeroizing::new(format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", &*text));
        let private = EncodingKey::from_rsa_pem(pem.as_bytes()).map_err(|_| NotAToolKey)?;
        let mut public = Jwk::from_encoding_key(&private, Algorithm::RS256).map_err(|_| NotAToolKey)?;
        let id = public.thumbprint(ThumbprintHash::SHA256).map_err(|_| NotAToolKey)?;
        public.common.key_id = Some(id.clone());
        public.common.key_algorithm = Some(KeyAlgorithm::RS256);
        public.common.public_key_use = Some(PublicKeyUse::Signature);
        let public = serde_json::to_value(&public).map_err(|_| NotAToolKey)?;
        Ok(Self { id, public, private })
    }

    /// The id: the thumbprint of the key (RFC 7638), which no other key will ever have.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The public half, as a JSON Web Key.
    pub const fn public(&self) -> &Value {
        &self.public
    }

    /// Signs claims as a JSON Web Token.
    ///
    /// # Panics
    /// When the claims have no form in JSON.
    pub fn sign(&self, claims: &impl Serialize) -> String {
        let mut header = Header::new(Algorithm::RS256);
        header.kid = Some(self.id.clone());
        encode(&header, claims, &self.private).expect("a key that could be read can sign")
    }
}

impl std::fmt::Debug for ToolKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolKey").field("id", &self.id).finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
    use serde_json::{Map, json};

    use super::*;
    use crate::KeySet;

    /// What a token says that the key signed.
    pub(crate) fn open(token: &str, key: &ToolKey) -> Map<String, Value> {
        let public: Jwk = serde_json::from_value(key.public().clone()).unwrap();
        assert_eq!(decode_header(token).unwrap().kid.as_deref(), Some(key.id()));
        let mut validation = Validation::new(Algorithm::RS256);
        validation.required_spec_claims.clear();
        (validation.validate_exp, validation.validate_aud) = (false, false);
        decode(token, &DecodingKey::from_jwk(&public).unwrap(), &validation).unwrap().claims
    }

    #[test]
    fn a_key_is_read_back_with_its_id_and_its_public_half_only() {
        let bytes = ToolKey::generate();
        let key = ToolKey::from_pkcs8(&bytes).unwrap();
        assert_eq!(key.id(), ToolKey::from_pkcs8(&bytes).unwrap().id());
        assert_ne!(key.id(), ToolKey::from_pkcs8(&ToolKey::generate()).unwrap().id());
        let mut members: Vec<_> = key.public().as_object().unwrap().keys().map(String::as_str).collect();
        members.sort_unstable();
        assert_eq!(members, ["alg", "e", "kid", "kty", "n", "use"]);
        assert_eq!(KeySet::parse(json!({ "keys": [key.public()] }).to_string().as_bytes()).unwrap().ids().count(), 1);
        assert!(!format!("{key:?}").contains("private"));
    }

    #[test]
    fn other_bytes_are_no_key() {
        let bytes = ToolKey::generate();
        for bytes in [&b""[..], b"x", &bytes[..bytes.len() - 1], &bytes[1..]] {
            assert_eq!(ToolKey::from_pkcs8(bytes).err(), Some(NotAToolKey));
        }
    }
}
