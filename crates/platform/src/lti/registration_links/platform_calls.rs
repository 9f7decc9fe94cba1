//! What a registration asks of the platform: its configuration, and a client id. No transaction is open meanwhile.
//!
//! The calls go through the guarded client. What a platform sends is bounded, and never shown.

use std::time::Duration;

use lti::dynamic_registration::{ConfigurationRefused, PlatformConfiguration, Registered, Tool};
use net::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use net::{Limits, OutboundClient, OutboundError, StatusCode, Url};
use serde_json::Value;

use super::refusal::{Reason, Refusal};
use crate::Platform;
use crate::lti::{KEY_SET_PATH, LAUNCH_PATH, LOGIN_PATH};

/// Both calls together take less than a lease.
const LIMITS: Limits = Limits { timeout: Duration::from_secs(15), max_response_bytes: 256 * 1024 };
/// The longest registration token, in bytes: some platforms send a signed JSON Web Token.
const LONGEST_TOKEN: usize = 8 * 1024;
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// What a registration endpoint may say with a refusal (RFC 7591, RFC 6750). Other texts are the platform's own.
const KNOWN_ERRORS: [&str; 6] = [
    "invalid_redirect_uri",
    "invalid_client_metadata",
    "invalid_software_statement",
    "unapproved_software_statement",
    "invalid_token",
    "insufficient_scope",
];

/// A platform that asks to be registered: what it adds to a link's address, judged.
#[derive(Clone, Debug)]
pub(super) struct Applicant {
    pub(super) configuration: Url,
    /// The bounds of each call.
    pub(super) limits: Limits,
    /// The header with the platform's registration token, where it sent one.
    authorization: Option<HeaderValue>,
}

impl Applicant {
    /// # Errors
    /// [`Reason::NoPlatform`], [`Reason::PlatformAddress`], [`Reason::RegistrationToken`].
    pub(super) fn of(outbound: &OutboundClient, configuration: &str, token: Option<&str>) -> Result<Self, Refusal> {
        if configuration.is_empty() {
            return Err(Reason::NoPlatform.into());
        }
        let refused = |refused| Refusal::of(Reason::PlatformAddress, format!("openid_configuration {refused}"));
        let configuration = outbound.check_url(configuration).map_err(refused)?;
        let authorization = token.filter(|token| !token.is_empty()).map(bearer).transpose()?;
        Ok(Self { configuration, limits: LIMITS, authorization })
    }

    /// The server that the platform's configuration is on.
    pub(super) fn host(&self) -> String {
        let host = self.configuration.host_str().unwrap_or_default();
        self.configuration.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// What the platform says of itself, with addresses that may be called.
    ///
    /// # Errors
    /// [`Reason::PlatformAddress`], [`Reason::NoConfiguration`], [`Reason::Configuration`], [`Reason::Issuer`].
    pub(super) async fn configuration(&self, outbound: &OutboundClient) -> Result<PlatformConfiguration, Refusal> {
        // Some platforms (Canvas) show their configuration to nobody else.
        let mut headers = HeaderMap::from_iter([(ACCEPT, JSON)]);
        headers.extend(self.authorization.clone().map(|token| (AUTHORIZATION, token)));
        let answer = outbound.get(&self.configuration, headers, self.limits).await.map_err(|error| match error {
            OutboundError::Refused => Refusal::of(Reason::PlatformAddress, error.to_string()),
            error => Refusal::of(Reason::NoConfiguration, error.to_string()),
        })?;
        if answer.status != StatusCode::OK {
            return Err(Refusal::of(Reason::NoConfiguration, format!("HTTP {}", answer.status.as_u16())));
        }
        let read = PlatformConfiguration::parse(&self.configuration, &answer.body);
        let configuration = read.map_err(|refused| match refused {
            ConfigurationRefused::Issuer => Reason::Issuer.into(),
            ConfigurationRefused::NotJson => Refusal::of(Reason::NoConfiguration, "no JSON object"),
            ConfigurationRefused::Member(member) => Refusal::of(Reason::Configuration, member),
        })?;
        for (member, address) in [
            ("authorization_endpoint", &configuration.authorization_endpoint),
            ("token_endpoint", &configuration.token_endpoint),
            ("jwks_uri", &configuration.jwks_uri),
            ("registration_endpoint", &configuration.registration_endpoint),
        ] {
            let refused = |refused| Refusal::of(Reason::Configuration, format!("{member} {refused}"));
            outbound.check_url(address).map_err(refused)?;
        }
        Ok(configuration)
    }

    /// Registers the service with the platform.
    ///
    /// # Errors
    /// [`Reason::Configuration`] and [`Reason::Refused`] where the platform has registered nothing, [`Reason::NoAnswer`] and
    /// [`Reason::Answer`] where it may have.
    pub(super) async fn register(
        &self,
        platform: &Platform,
        configuration: &PlatformConfiguration,
    ) -> Result<Registered, Refusal> {
        let refused = |why: &str| Refusal::of(Reason::Configuration, format!("registration_endpoint: {why}"));
        let outbound = &platform.outbound;
        let endpoint =
            outbound.check_url(&configuration.registration_endpoint).map_err(|error| refused(&error.to_string()))?;
        let mut headers = HeaderMap::from_iter([(ACCEPT, JSON), (CONTENT_TYPE, JSON)]);
        headers.extend(self.authorization.clone().map(|token| (AUTHORIZATION, token)));
        let body = own_configuration(platform, configuration).to_string().into_bytes();
        let answer = outbound.post(&endpoint, headers, body, self.limits).await.map_err(|error| match error {
            OutboundError::Refused | OutboundError::Dns | OutboundError::Connect | OutboundError::Tls => {
                refused(&error.to_string())
            }
            OutboundError::Timeout | OutboundError::Protocol => Refusal::of(Reason::NoAnswer, error.to_string()),
            OutboundError::TooLarge => Refusal::of(Reason::Answer, error.to_string()),
        })?;
        if !answer.status.is_success() {
            return Err(Refusal::of(Reason::Refused, refusal_of(answer.status, &answer.body)));
        }
        Registered::parse(&answer.body).map_err(|refused| Refusal::of(Reason::Answer, refused.0))
    }
}

fn bearer(token: &str) -> Result<HeaderValue, Refusal> {
    let is_visible = token.bytes().all(|byte| byte.is_ascii_graphic());
    let header = HeaderValue::from_str(&format!("Bearer {token}")).ok();
    let mut header = header.filter(|_| is_visible && token.len() <= LONGEST_TOKEN).ok_or(Reason::RegistrationToken)?;
    header.set_sensitive(true);
    Ok(header)
}

/// What this service says of itself.
fn own_configuration(platform: &Platform, configuration: &PlatformConfiguration) -> Value {
    let at = |path: &str| format!("{}{path}", platform.base_url);
    let base = Url::parse(&platform.base_url).expect("the service's address is a URL");
    let (login, launch, key_set) = (at(LOGIN_PATH), at(LAUNCH_PATH), at(KEY_SET_PATH));
    let tool = Tool {
        name: "Lectern",
        description: "Lessons and tests for courses, with graded answers.",
        base: &base,
        login: &login,
        launch: &launch,
        key_set: &key_set,
    };
    tool.registration(configuration)
}

/// The status, and the error where it is one of the specifications'.
fn refusal_of(status: StatusCode, body: &[u8]) -> String {
    let answer: Value = serde_json::from_slice(body).unwrap_or_default();
    let known = answer["error"].as_str().and_then(|error| KNOWN_ERRORS.into_iter().find(|known| *known == error));
    known.map_or_else(|| format!("HTTP {}", status.as_u16()), |error| format!("HTTP {}, {error}", status.as_u16()))
}
