//! A signed token: its header, and its claims once a key has verified them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, Validation, decode};
use kernel::time::Timestamp;
use serde_json::{Map, Value};

use crate::key_set::Key;

/// The payload of a token.
pub type Claims = Map<String, Value>;

/// A token of which nothing is believed yet.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a>(&'a str);

/// A token whose header is in order.
#[derive(Clone, Debug)]
pub struct SignedToken<'a> {
    text: &'a str,
    algorithm: Algorithm,
    key_id: Option<String>,
}

/// The header of a token is not in order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// It is no token, or has an extension that has to be understood and is not (RFC 7515, section 4.1.11).
    #[error("is not a signed token")]
    NotAToken,
    /// It names an algorithm that is not allowed.
    #[error("is signed with {0}, which is not allowed")]
    Algorithm(String),
}

/// The claims of a token can't be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// It is no token.
    #[error("is not a signed token")]
    NotAToken,
    /// The key did not sign it.
    #[error("is not signed with the key that it names")]
    Signature,
}

impl<'a> Token<'a> {
    /// A token as it came.
    pub const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// Reads the header, which says how the token is signed.
    ///
    /// # Errors
    /// [`HeaderError`].
    pub fn header(self, allowed: &[Algorithm]) -> Result<SignedToken<'a>, HeaderError> {
        let part = self.0.split('.').next().and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
        let header: Claims = part.and_then(|text| serde_json::from_slice(&text).ok()).ok_or(HeaderError::NotAToken)?;
        let named = header
            .get("alg")
            .map_or_else(String::new, |name| name.as_str().map_or_else(|| name.to_string(), str::to_owned));
        let algorithm = named.parse().ok().filter(|algorithm| allowed.contains(algorithm));
        let algorithm = algorithm.ok_or(HeaderError::Algorithm(named))?;
        if header.contains_key("crit") {
            return Err(HeaderError::NotAToken);
        }
        let key_id = header.get("kid").and_then(Value::as_str).filter(|id| !id.is_empty()).map(str::to_owned);
        Ok(SignedToken { text: self.0, algorithm, key_id })
    }
}

impl SignedToken<'_> {
    /// How it says that it was signed.
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The id of the key that it says it was signed with.
    pub fn key_id(&self) -> Option<&str> {
        self.key_id.as_deref()
    }

    /// What the key has signed; nothing else is judged, the times neither.
    ///
    /// # Errors
    /// [`SignatureError`].
    pub fn claims(&self, key: &Key) -> Result<Claims, SignatureError> {
        let mut validation = Validation::new(self.algorithm);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        validation.validate_aud = false;
        match decode(self.text, &key.decoding, &validation) {
            Ok(token) => Ok(token.claims),
            Err(error) => Err(match error.kind() {
                ErrorKind::InvalidToken | ErrorKind::Base64(_) | ErrorKind::Json(_) | ErrorKind::Utf8(_) => {
                    SignatureError::NotAToken
                }
                _ => SignatureError::Signature,
            }),
        }
    }
}

/// A NumericDate (RFC 7519): seconds since the epoch, with or without a fraction.
pub fn numeric_date(value: &Value) -> Option<Timestamp> {
    const LAST_SECOND: f64 = 253_402_300_799.0;
    let seconds = value.as_f64().filter(|seconds| (0.0..=LAST_SECOND).contains(seconds))?;
    #[expect(clippy::cast_possible_truncation, reason = "the years 1970 to 9999")]
    Some(Timestamp::from_millis((seconds * 1000.0) as i64))
}
