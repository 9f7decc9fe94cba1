//! The ID token of a launch: judged by the rules of the Security Framework (section 5.1.3) and of LTI Core (section 5.3).

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jose::{HeaderError, SignatureError, Token, numeric_date};
use kernel::time::Timestamp;
use serde_json::{Map, Value};

use crate::claims;
use crate::key_set::{ALGORITHM, KeySet};
use crate::launch::Launch;
use crate::refusal::{Reason, Refusal};

/// How far the clocks of platform and tool may differ.
pub const LEEWAY: Duration = Duration::from_secs(60);

/// What is shown of a claim, in characters.
const LONGEST_SHOWN: usize = 500;

pub(crate) use jose::Claims;

/// What a token has to say to belong to a login.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The issuer of the registration.
    pub issuer: &'a str,
    /// The client id of the registration.
    pub client_id: &'a str,
    /// The nonce that was sent with the login.
    pub nonce: &'a str,
    /// The deployment that the login named, if it did.
    pub deployment_id: Option<&'a str>,
    /// Where the login said that the launch would lead.
    pub target_link_uri: &'a str,
    /// The parameter by which the token may name a link of the tool where the login's address has no query.
    pub link_parameter: &'a str,
    /// Now.
    pub now: Timestamp,
}

/// A signed token of which nothing is believed yet.
#[derive(Clone, Copy, Debug)]
pub struct IdToken<'a> {
    text: &'a str,
}

/// A token whose header is in order: it names RS256 and a key.
#[derive(Clone, Debug)]
pub struct SignedToken<'a> {
    signed: jose::SignedToken<'a>,
    key_id: String,
}

impl<'a> IdToken<'a> {
    /// A token as it came.
    pub const fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// What the token says of its errand, for people who look for a fault. Nothing of it is believed, and nothing of the user
    /// is in it.
    pub fn outline(self) -> Map<String, Value> {
        const HEADER: [&str; 3] = ["alg", "kid", "typ"];
        const PAYLOAD: [&str; 9] = [
            "iss",
            "aud",
            "azp",
            "iat",
            "exp",
            claims::LTI_VERSION,
            claims::MESSAGE_TYPE,
            claims::DEPLOYMENT_ID,
            claims::TARGET_LINK_URI,
        ];
        let parts = self.text.split('.').map(|part| {
            let bytes = URL_SAFE_NO_PAD.decode(part).ok()?;
            serde_json::from_slice::<Claims>(&bytes).ok()
        });
        let mut outline = Map::new();
        for (part, names) in parts.zip([&HEADER[..], &PAYLOAD]) {
            let part = part.unwrap_or_default();
            for name in names {
                let short = name.rsplit('/').next().unwrap_or(name);
                if let Some(value) = part.get(*name) {
                    outline
                        .insert(short.to_owned(), shown(value).chars().take(LONGEST_SHOWN).collect::<String>().into());
                }
            }
        }
        outline
    }

    /// Reads the header, which says what key to ask for.
    ///
    /// # Errors
    /// [`Reason::NotAToken`], [`Reason::Algorithm`], [`Reason::NoKeyId`].
    pub fn header(self) -> Result<SignedToken<'a>, Refusal> {
        let signed = Token::new(self.text).header(&[ALGORITHM]).map_err(|error| match error {
            HeaderError::NotAToken => Reason::NotAToken.into(),
            HeaderError::Algorithm(named) => Refusal::differs(Reason::Algorithm, "RS256", named),
        })?;
        let key_id = signed.key_id().ok_or(Reason::NoKeyId)?.to_owned();
        Ok(SignedToken { signed, key_id })
    }
}

impl SignedToken<'_> {
    /// The id of the key that it says it was signed with.
    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// The launch, if the token was signed by one of the platform's keys and says what it has to.
    ///
    /// # Errors
    /// The first [`Refusal`] that applies.
    pub fn verify(&self, keys: &KeySet, expected: &Expected<'_>) -> Result<Launch, Refusal> {
        let claims = self.claims(keys)?;
        check_issuer(&claims, expected)?;
        check_audience(&claims, expected)?;
        check_times(&claims, expected.now)?;
        check_nonce(&claims, expected.nonce)?;
        Launch::read(&claims, expected)
    }

    /// What one of the keys has signed; nothing else of it is judged. A launch is read with [`verify`](Self::verify).
    ///
    /// # Errors
    /// [`Reason::UnknownKey`], [`Reason::Signature`], [`Reason::NotAToken`].
    pub fn claims(&self, keys: &KeySet) -> Result<Claims, Refusal> {
        let key = keys.find(&self.key_id).ok_or_else(|| {
            let known: Vec<_> = keys.ids().collect();
            Refusal::differs(Reason::UnknownKey, known.join(", "), &self.key_id)
        })?;
        // The times are judged here, by the clock of the service.
        self.signed.claims(key).map_err(|error| match error {
            SignatureError::NotAToken => Reason::NotAToken.into(),
            SignatureError::Signature => Refusal::of(Reason::Signature, &self.key_id),
        })
    }
}

fn check_issuer(claims: &Claims, expected: &Expected<'_>) -> Result<(), Refusal> {
    let issuer = claims.get("iss").map_or_else(String::new, shown);
    if issuer == expected.issuer {
        return Ok(());
    }
    Err(Refusal::differs(Reason::Issuer, expected.issuer, issuer))
}

/// The tool trusts no other audience than itself. So several of them are refused, whatever `azp` says, unless all are the tool.
fn check_audience(claims: &Claims, expected: &Expected<'_>) -> Result<(), Refusal> {
    let audiences = match claims.get("aud") {
        Some(Value::Array(audiences)) => audiences.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    if audiences.is_empty() || audiences.iter().any(|audience| audience.as_str() != Some(expected.client_id)) {
        let received: Vec<_> = audiences.iter().map(shown).collect();
        return Err(Refusal::differs(Reason::Audience, expected.client_id, received.join(", ")));
    }
    match claims.get("azp") {
        Some(party) if party.as_str() != Some(expected.client_id) => {
            Err(Refusal::differs(Reason::AuthorizedParty, expected.client_id, shown(party)))
        }
        None if audiences.len() > 1 => Err(Refusal::differs(Reason::AuthorizedParty, expected.client_id, "")),
        _ => Ok(()),
    }
}

fn check_times(claims: &Claims, now: Timestamp) -> Result<(), Refusal> {
    let expiry = claims.get("exp").and_then(numeric_date).ok_or(Reason::NoExpiry)?;
    if expiry.plus(LEEWAY) <= now {
        return Err(Refusal::differs(Reason::Expired, format!("later than {now}"), expiry.to_string()));
    }
    let issued = claims.get("iat").and_then(numeric_date).ok_or(Reason::NoIssueTime)?;
    if issued > now.plus(LEEWAY) {
        return Err(Refusal::differs(Reason::IssuedInFuture, format!("not later than {now}"), issued.to_string()));
    }
    Ok(())
}

fn check_nonce(claims: &Claims, nonce: &str) -> Result<(), Refusal> {
    match claims.get("nonce").and_then(Value::as_str) {
        None | Some("") => Err(Reason::NoNonce.into()),
        Some(received) if received != nonce => Err(Refusal::differs(Reason::Nonce, nonce, received)),
        Some(_) => Ok(()),
    }
}

/// A claim for people who look for the fault.
pub(crate) fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests;
