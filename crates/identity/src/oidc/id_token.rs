//! The ID token of a sign-in, judged by the rules of OpenID Connect Core (section 3.1.3.7).

use std::time::Duration;

use jose::{Algorithm, Claims, HeaderError, KeySet, SignatureError, Token, numeric_date};
use kernel::time::Timestamp;
use serde_json::Value;

/// How far the clocks of provider and service may differ.
const LEEWAY: Duration = Duration::from_secs(60);
/// How long ago a token may have been issued: it comes right after the code.
const MOST_AGE: Duration = Duration::from_secs(600);
/// The longest subject, in characters (OpenID Connect Core, section 2).
const LONGEST_SUBJECT: usize = 255;

/// How tokens may be signed. Nothing symmetric, and not `none`.
pub(super) const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::RS256, Algorithm::PS256, Algorithm::ES256, Algorithm::ES384, Algorithm::EdDSA];

/// Why an ID token is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// Its header is not in order.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// It names a key that the provider does not publish.
    #[error("names a key that the provider does not publish")]
    UnknownKey,
    /// It is not signed with the key.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// Another issuer made it.
    #[error("is of another issuer")]
    Issuer,
    /// It is for another client.
    #[error("is for another client")]
    Audience,
    /// It has expired, or does not say when it does.
    #[error("has expired")]
    Expired,
    /// It says nothing of when it was issued, or a time long ago or ahead.
    #[error("was issued too long ago, or in the future")]
    IssueTime,
    /// It answers another sign-in.
    #[error("answers another sign-in")]
    Nonce,
    /// It names nobody.
    #[error("names nobody")]
    Subject,
}

/// What a token has to say.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: Timestamp,
}

/// Who signed in, as the provider says.
#[derive(Debug)]
pub(super) struct Subject {
    pub(super) id: String,
    pub(super) claims: Claims,
    pub(super) authentication: Authentication,
}

/// How the provider authenticated the subject. Only the ID token says so: userinfo may have been asked much later.
#[derive(Debug, Default)]
pub(super) struct Authentication {
    acr: Option<String>,
    amr: Vec<String>,
}

impl Authentication {
    fn of(claims: &Claims) -> Self {
        let acr = claims.get("acr").and_then(Value::as_str).map(str::to_owned);
        let amr = claims.get("amr").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Self { acr, amr: amr.iter().filter_map(Value::as_str).map(str::to_owned).collect() }
    }

    /// Whether there was a second factor: the method `mfa` of RFC 8176, or one of the operator's classes.
    pub(super) fn has_second_factor(&self, classes: &[String]) -> bool {
        self.amr.iter().any(|method| method == "mfa") || self.acr.as_ref().is_some_and(|acr| classes.contains(acr))
    }
}

/// Judges a token.
///
/// # Errors
/// The first [`TokenFault`] that applies.
pub(super) fn verify(text: &str, keys: &KeySet, expected: &Expected<'_>) -> Result<Subject, TokenFault> {
    let signed = Token::new(text).header(&ALGORITHMS)?;
    let key = keys.find(signed.key_id(), signed.algorithm()).ok_or(TokenFault::UnknownKey)?;
    let claims = signed.claims(key)?;
    if claims.get("iss").and_then(Value::as_str) != Some(expected.issuer) {
        return Err(TokenFault::Issuer);
    }
    check_audience(&claims, expected.client_id)?;
    check_times(&claims, expected.now)?;
    if claims.get("nonce").and_then(Value::as_str) != Some(expected.nonce) {
        return Err(TokenFault::Nonce);
    }
    let id = claims.get("sub").and_then(Value::as_str).unwrap_or_default().to_owned();
    if id.is_empty() || id.chars().count() > LONGEST_SUBJECT || id.contains('\0') {
        return Err(TokenFault::Subject);
    }
    Ok(Subject { id, authentication: Authentication::of(&claims), claims })
}

/// With several audiences, the token has to say that it was made for this client; what it says has to be true in any case.
fn check_audience(claims: &Claims, client_id: &str) -> Result<(), TokenFault> {
    let audiences = match claims.get("aud") {
        Some(Value::Array(audiences)) => audiences.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    let is_for_us = audiences.iter().any(|audience| audience.as_str() == Some(client_id));
    let party = claims.get("azp").map(Value::as_str);
    let is_made_for_us = party.map_or(audiences.len() == 1, |party| party == Some(client_id));
    if is_for_us && is_made_for_us { Ok(()) } else { Err(TokenFault::Audience) }
}

fn check_times(claims: &Claims, now: Timestamp) -> Result<(), TokenFault> {
    let expires = claims.get("exp").and_then(numeric_date).ok_or(TokenFault::Expired)?;
    if expires.plus(LEEWAY) <= now {
        return Err(TokenFault::Expired);
    }
    let issued = claims.get("iat").and_then(numeric_date).ok_or(TokenFault::IssueTime)?;
    if issued > now.plus(LEEWAY) || issued.plus(MOST_AGE) < now {
        return Err(TokenFault::IssueTime);
    }
    Ok(())
}
