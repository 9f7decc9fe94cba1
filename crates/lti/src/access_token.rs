//! Access tokens for a platform's services: the client credentials grant with a signed assertion (Security Framework, section 4.1).

use std::time::Duration;

use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::form_urlencoded;

use crate::tool_key::ToolKey;

/// How long an assertion holds: time enough for one request.
const ASSERTION_LIFE: Duration = Duration::from_secs(5 * 60);
/// How long a token is taken to hold where the platform does not say.
const TOKEN_LIFE: Duration = Duration::from_secs(60);
/// The longest life that is believed.
const LONGEST_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

/// What a request for a token says.
#[derive(Clone, Copy, Debug)]
pub struct TokenRequest<'a> {
    /// The client id of the registration.
    pub client_id: &'a str,
    /// Whom the assertion is for: the token endpoint, or what the platform wants instead.
    pub audience: &'a str,
    /// What the token is to allow, as URIs.
    pub scopes: &'a [&'a str],
    /// A text that no other assertion has.
    pub id: &'a str,
    /// Now.
    pub now: Timestamp,
}

#[derive(Serialize)]
struct Assertion<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: &'a str,
    iat: i64,
    exp: i64,
    jti: &'a str,
}

impl TokenRequest<'_> {
    /// The form to post to the token endpoint.
    pub fn form(&self, key: &ToolKey) -> String {
        let assertion = Assertion {
            iss: self.client_id,
            sub: self.client_id,
            aud: self.audience,
            iat: self.now.as_seconds(),
            exp: self.now.plus(ASSERTION_LIFE).as_seconds(),
            jti: self.id,
        };
        form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "client_credentials")
            .append_pair("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            .append_pair("client_assertion", &key.sign(&assertion))
            .append_pair("scope", &self.scopes.join(" "))
            .finish()
    }
}

/// A token that a platform gave.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken {
    /// The token; a secret.
    pub token: String,
    /// How long it holds from the time that it was asked for.
    pub life: Duration,
    /// What it allows, as URIs; `None` where the platform does not say: what was asked for.
    pub scopes: Option<Vec<String>>,
}

/// A platform's answer gives no token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoToken {
    /// It refuses one, by a code of OAuth (RFC 6749, section 5.2).
    #[error("the platform gives no access token: {0}")]
    Refused(String),
    /// It is none of the answers that OAuth knows.
    #[error("the platform's answer has no access token")]
    Unreadable,
}

#[derive(Deserialize)]
struct Answer {
    access_token: Option<String>,
    token_type: Option<String>,
    expires_in: Option<Value>,
    scope: Option<String>,
    error: Option<String>,
}

impl AccessToken {
    /// Reads the body of an answer, whatever its status and content type are: platforms send JSON as HTML.
    ///
    /// # Errors
    /// [`NoToken`].
    pub fn parse(body: &[u8]) -> Result<Self, NoToken> {
        let answer: Answer = serde_json::from_slice(body).map_err(|_| NoToken::Unreadable)?;
        if let Some(error) = answer.error {
            return Err(NoToken::Refused(
                error.chars().filter(|character| !character.is_control()).take(100).collect(),
            ));
        }
        let is_bearer = answer.token_type.is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
        let token =
            answer.access_token.filter(|token| is_bearer && is_header_text(token)).ok_or(NoToken::Unreadable)?;
        let seconds = match &answer.expires_in {
            Some(Value::String(text)) => text.parse().ok().filter(|seconds: &f64| !seconds.is_nan()),
            Some(value) => value.as_f64(),
            None => None,
        };
        let life = seconds
            .map_or(TOKEN_LIFE, |seconds: f64| Duration::from_secs_f64(seconds.clamp(0.0, LONGEST_LIFE.as_secs_f64())));
        let scopes = answer.scope.map(|scopes| scopes.split_ascii_whitespace().map(str::to_owned).collect());
        Ok(Self { token, life, scopes })
    }

    /// Whether it allows what a scope names.
    pub fn allows(&self, scope: &str) -> bool {
        self.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(|own| own == scope))
    }
}

/// A token goes into a header.
fn is_header_text(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic())
}

impl std::fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AccessToken").field("life", &self.life).field("scopes", &self.scopes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn parse(body: &str) -> Result<AccessToken, NoToken> {
        AccessToken::parse(body.as_bytes())
    }

    #[test]
    fn a_token_type_counts_in_any_case_and_a_scope_may_be_a_part_of_what_was_asked() {
        let token = parse(r#"{"access_token":"t","token_type":"bEaReR","expires_in":3600,"scope":"a b"}"#).unwrap();
        assert_eq!((token.life, token.allows("b"), token.allows("c")), (Duration::from_secs(3600), true, false));
        assert!(parse(r#"{"access_token":"t","token_type":"Bearer"}"#).unwrap().allows("whatever was asked"));
    }

    #[test]
    fn a_life_may_be_text_and_is_never_longer_than_a_day() {
        let life = |life: &str| parse(&format!(r#"{{"access_token":"t","expires_in":{life}}}"#)).unwrap().life;
        assert_eq!(life(r#""3600""#), Duration::from_secs(3600));
        assert_eq!((life("1e300"), life("-5")), (LONGEST_LIFE, Duration::ZERO));
        assert_eq!((life("null"), life(r#""NaN""#)), (TOKEN_LIFE, TOKEN_LIFE));
    }

    #[test]
    fn an_answer_without_a_token_says_why_if_it_knows() {
        assert_eq!(parse(r#"{"error":"invalid_scope\r\n"}"#), Err(NoToken::Refused("invalid_scope".to_owned())));
        for body in ["", "<html>", "[]", "{}", r#"{"access_token":""}"#, r#"{"access_token":"a\r\nb"}"#] {
            assert_eq!(parse(body), Err(NoToken::Unreadable), "{body}");
        }
        assert_eq!(parse(r#"{"access_token":"t","token_type":"mac"}"#), Err(NoToken::Unreadable));
    }

    #[test]
    fn an_assertion_is_signed_by_the_tool_for_one_request() {
        let key = ToolKey::from_pkcs8(&ToolKey::generate()).unwrap();
        let request = TokenRequest {
            client_id: "tool-1",
            audience: "https://lms.example/token",
            scopes: &["a", "b"],
            id: "j-1",
            now: Timestamp::from_millis(1_795_282_725_007),
        };
        let form = request.form(&key);
        let fields: BTreeMap<_, _> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
        assert_eq!(fields["grant_type"], "client_credentials");
        assert_eq!(fields["client_assertion_type"], "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        assert_eq!(fields["scope"], "a b");
        let claims = crate::tool_key::tests::open(&fields["client_assertion"], &key);
        let expected = serde_json::json!({
            "iss": "tool-1", "sub": "tool-1", "aud": "https://lms.example/token", "jti": "j-1",
            "iat": 1_795_282_725, "exp": 1_795_283_025,
        });
        assert_eq!(Value::Object(claims), expected);
    }

    #[test]
    fn a_token_is_never_printed() {
        let token = parse(r#"{"access_token":"secret-text"}"#).unwrap();
        assert!(!format!("{token:?}").contains("secret-text"));
    }
}
