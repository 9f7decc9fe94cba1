//! Dynamic Registration 1.0: an administrator of the platform opens a link of the tool, and both know each other.

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use crate::{ags, claims, nrps};

/// What a platform says of itself (OpenID Connect Discovery).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PlatformConfiguration {
    /// The `iss` of its tokens.
    pub issuer: String,
    /// Where authentication requests go.
    pub authorization_endpoint: Url,
    /// Where access tokens are.
    pub token_endpoint: Url,
    /// Where its keys are.
    pub jwks_uri: Url,
    /// Where tools are registered.
    pub registration_endpoint: Url,
    /// What services it has.
    #[serde(default)]
    pub scopes_supported: Vec<String>,
    /// What kind of platform it is.
    #[serde(default, rename = "https://purl.imsglobal.org/spec/lti-platform-configuration")]
    pub lti: Lti,
}

/// What a platform says of its LTI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Lti {
    /// The name of the software, `moodle` or `canvas`.
    pub product_family_code: Option<String>,
    /// Its version.
    pub version: Option<String>,
}

/// What a platform says of itself can't be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationRefused {
    /// It is not JSON of the form that OpenID Connect Discovery wants.
    #[error("The platform's configuration is not complete.")]
    Unreadable,
    /// The issuer is not the server that the configuration came from: anybody could speak for any platform.
    #[error("The issuer of the platform is not the server that its configuration comes from.")]
    Issuer,
}

impl PlatformConfiguration {
    /// Reads the configuration that came from an address.
    ///
    /// # Errors
    /// [`ConfigurationRefused`].
    pub fn parse(from: &Url, body: &[u8]) -> Result<Self, ConfigurationRefused> {
        let configuration: Self = serde_json::from_slice(body).map_err(|_| ConfigurationRefused::Unreadable)?;
        let issuer = Url::parse(&configuration.issuer).map_err(|_| ConfigurationRefused::Issuer)?;
        if issuer.host() != from.host() || issuer.host().is_none() {
            return Err(ConfigurationRefused::Issuer);
        }
        Ok(configuration)
    }
}

/// What the tool says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    /// Its name.
    pub name: &'a str,
    /// A sentence about it.
    pub description: &'a str,
    /// Where it lives.
    pub base: &'a Url,
    /// Where logins begin.
    pub login: &'a str,
    /// Where launches go.
    pub launch: &'a str,
    /// Where its keys are.
    pub key_set: &'a str,
}

impl Tool<'_> {
    /// The request to register the tool, with all services that the platform has of those that the tool uses.
    pub fn registration(&self, platform: &PlatformConfiguration) -> Value {
        let used = [ags::SCOPE_LINE_ITEM, ags::SCOPE_SCORE, ags::SCOPE_RESULT_READONLY, nrps::SCOPE];
        let is_there = |scope: &&str| platform.scopes_supported.iter().any(|own| own == scope);
        let scopes: Vec<_> = used.into_iter().filter(is_there).collect();
        json!({
            "application_type": "web",
            "response_types": ["id_token"],
            "grant_types": ["implicit", "client_credentials"],
            "initiate_login_uri": self.login,
            "redirect_uris": [self.launch],
            "client_name": self.name,
            "jwks_uri": self.key_set,
            "token_endpoint_auth_method": "private_key_jwt",
            "scope": scopes.join(" "),
            claims::TOOL_CONFIGURATION: {
                "domain": self.base.host_str().unwrap_or_default(),
                "description": self.description,
                "target_link_uri": self.launch,
                "claims": ["iss", "sub"],
                "messages": [
                    { "type": claims::RESOURCE_LINK_REQUEST, "target_link_uri": self.launch },
                    { "type": claims::DEEP_LINKING_REQUEST, "target_link_uri": self.launch },
                ],
            },
        })
    }
}

/// How the platform registered the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The tool's client id.
    pub client_id: String,
    /// Where it is deployed, if that is known already.
    pub deployment_id: Option<String>,
}

impl Registered {
    /// Reads the platform's answer; `None` when it names no client id.
    pub fn parse(body: &[u8]) -> Option<Self> {
        let answer: Value = serde_json::from_slice(body).ok()?;
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        Some(Self {
            client_id: text(&answer["client_id"])?,
            deployment_id: text(&answer[claims::TOOL_CONFIGURATION]["deployment_id"]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(issuer: &str) -> Value {
        json!({
            "issuer": issuer, "authorization_endpoint": "https://lms.example/auth", "token_endpoint": "https://lms.example/token",
            "jwks_uri": "https://lms.example/jwks", "registration_endpoint": "https://lms.example/register",
            "scopes_supported": ["openid", ags::SCOPE_SCORE, nrps::SCOPE],
            "https://purl.imsglobal.org/spec/lti-platform-configuration": { "product_family_code": "moodle", "version": "5" },
        })
    }

    fn parse(from: &str, configuration: &Value) -> Result<PlatformConfiguration, ConfigurationRefused> {
        PlatformConfiguration::parse(&Url::parse(from).unwrap(), configuration.to_string().as_bytes())
    }

    const FROM: &str = "https://lms.example/.well-known/openid-configuration";

    #[test]
    fn a_platform_speaks_for_its_own_server_only() {
        assert_eq!(
            parse(FROM, &configuration("https://lms.example")).unwrap().lti.product_family_code.as_deref(),
            Some("moodle")
        );
        assert!(parse(FROM, &configuration("https://lms.example/moodle")).is_ok());
        for issuer in ["https://other.example", "https://lms.example.evil.example", "lms.example", "data:x"] {
            assert_eq!(parse(FROM, &configuration(issuer)), Err(ConfigurationRefused::Issuer), "{issuer}");
        }
    }

    #[test]
    fn a_configuration_names_all_endpoints() {
        for member in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"] {
            let mut incomplete = configuration("https://lms.example");
            incomplete.as_object_mut().unwrap().shift_remove(member);
            assert_eq!(parse(FROM, &incomplete), Err(ConfigurationRefused::Unreadable), "{member}");
        }
    }

    #[test]
    fn the_tool_asks_for_those_of_its_services_that_the_platform_has() {
        let base = Url::parse("https://tool.example").unwrap();
        let tool = Tool {
            name: "Lectern",
            description: "Grades answers.",
            base: &base,
            login: "https://tool.example/login",
            launch: "https://tool.example/launch",
            key_set: "https://tool.example/jwks.json",
        };
        let request = tool.registration(&parse(FROM, &configuration("https://lms.example")).unwrap());
        assert_eq!(request["scope"], format!("{} {}", ags::SCOPE_SCORE, nrps::SCOPE));
        assert_eq!(request["token_endpoint_auth_method"], "private_key_jwt");
        assert_eq!(request["redirect_uris"], json!(["https://tool.example/launch"]));
        assert_eq!(request[claims::TOOL_CONFIGURATION]["domain"], "tool.example");
        assert_eq!(request[claims::TOOL_CONFIGURATION]["messages"][1]["type"], "LtiDeepLinkingRequest");
    }

    #[test]
    fn an_answer_names_the_client_and_perhaps_the_deployment() {
        let answer = json!({ "client_id": "c-1", claims::TOOL_CONFIGURATION: { "deployment_id": "d-1" } });
        let registered = Registered { client_id: "c-1".to_owned(), deployment_id: Some("d-1".to_owned()) };
        assert_eq!(Registered::parse(answer.to_string().as_bytes()), Some(registered));
        assert_eq!(Registered::parse(br#"{"client_id":"c-1"}"#).unwrap().deployment_id, None);
        for answer in ["", "[]", "{}", r#"{"client_id":""}"#, r#"{"client_id":5}"#] {
            assert_eq!(Registered::parse(answer.as_bytes()), None, "{answer}");
        }
    }
}
