//! Dynamic Registration 1.0: an administrator of the platform opens a link of the tool, and both know each other.
//!
//! In the order of a registration: [`PlatformConfiguration`] reads what the platform says of itself, [`Tool::registration`] is
//! the request that follows from it, and [`Registered`] reads the platform's answer.

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use crate::{LONGEST_ID, ags, claims, nrps};

/// The longest address of a platform, in bytes.
const LONGEST_ADDRESS: usize = 2048;
/// Where a deep link is offered, as all platforms understand it.
const CONTENT_AREA: &str = "ContentArea";
/// The product family of Canvas.
const CANVAS: &str = "canvas";
/// Where teachers pick content in Canvas, besides a module: for an assignment, and in the menu of all assignments.
const CANVAS_PLACEMENTS: [&str; 2] = ["assignment_selection", "course_assignments_menu"];
/// How the tool proves who it is.
const PRIVATE_KEY_JWT: &str = "private_key_jwt";
/// How the platform has to sign.
const RS256: &str = "RS256";

/// What a platform says of itself (OpenID Connect Discovery). Addresses stand as they were sent; whoever calls one judges it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformConfiguration {
    /// The `iss` of its tokens.
    pub issuer: String,
    /// Where authentication requests go.
    pub authorization_endpoint: String,
    /// Where access tokens are.
    pub token_endpoint: String,
    /// Where its keys are.
    pub jwks_uri: String,
    /// Where tools are registered.
    pub registration_endpoint: String,
    /// Whom requests for access tokens are addressed to, where it is not the token endpoint.
    pub authorization_server: Option<String>,
    /// The services that it has, as scopes; `None` where it does not say.
    pub scopes: Option<Vec<String>>,
    /// What kind of platform it is.
    pub lti: LtiConfiguration,
}

/// What a platform says of its LTI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct LtiConfiguration {
    /// The name of the software, `moodle` or `canvas`.
    #[serde(default)]
    pub product_family_code: Option<String>,
    /// The messages that it sends.
    #[serde(default)]
    pub messages_supported: Vec<SupportedMessage>,
}

/// A message that a platform sends.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SupportedMessage {
    /// Its type.
    #[serde(rename = "type")]
    pub message_type: String,
    /// Where the platform offers it; `None` where it does not say.
    #[serde(default)]
    pub placements: Option<Vec<String>>,
}

/// What a platform says of itself can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationRefused {
    /// It is no JSON object.
    #[error("The platform's configuration is not a JSON object.")]
    NotJson,
    /// A member is absent, or of another form than OpenID Connect Discovery wants.
    #[error("The platform's configuration has no usable {0}.")]
    Member(&'static str),
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
        let value: Value = serde_json::from_slice(body).map_err(|_| ConfigurationRefused::NotJson)?;
        if !value.is_object() {
            return Err(ConfigurationRefused::NotJson);
        }
        let issuer = text(&value, "issuer", LONGEST_ID)?;
        let host = Url::parse(&issuer).ok().and_then(|url| url.host().map(|host| host.to_owned()));
        if host.is_none() || host.as_ref() != from.host().map(|host| host.to_owned()).as_ref() {
            return Err(ConfigurationRefused::Issuer);
        }
        offers(&value, "token_endpoint_auth_methods_supported", PRIVATE_KEY_JWT)?;
        offers(&value, "id_token_signing_alg_values_supported", RS256)?;
        Ok(Self {
            issuer,
            authorization_endpoint: endpoint(&value, "authorization_endpoint")?,
            token_endpoint: endpoint(&value, "token_endpoint")?,
            jwks_uri: endpoint(&value, "jwks_uri")?,
            registration_endpoint: endpoint(&value, "registration_endpoint")?,
            authorization_server: match value.get("authorization_server") {
                None | Some(Value::Null) => None,
                Some(_) => Some(text(&value, "authorization_server", LONGEST_ADDRESS)?),
            },
            scopes: optional(&value, "scopes_supported")?,
            lti: optional(&value, claims::PLATFORM_CONFIGURATION)?.unwrap_or_default(),
        })
    }

    /// Whom requests for access tokens are addressed to. A server that is no address (Canvas names its bare host) is none: such
    /// platforms want the token endpoint.
    pub fn audience(&self) -> &str {
        let is_address = |server: &&str| Url::parse(server).is_ok_and(|url| url.has_host());
        self.authorization_server.as_deref().filter(is_address).unwrap_or(&self.token_endpoint)
    }

    /// Whether the platform sends a message. One that lists none may send any.
    fn sends(&self, message_type: &str) -> bool {
        let messages = &self.lti.messages_supported;
        messages.is_empty() || messages.iter().any(|message| message.message_type == message_type)
    }

    /// Whether the platform offers deep links in the course's content.
    fn links_content(&self) -> bool {
        let deep_links =
            self.lti.messages_supported.iter().filter(|message| message.message_type == claims::DEEP_LINKING_REQUEST);
        let mut placements = deep_links.filter_map(|message| message.placements.as_deref()).peekable();
        placements.peek().is_none() || placements.flatten().any(|place| place == CONTENT_AREA)
    }
}

/// A text of 1 to `longest` bytes without control characters.
fn text(configuration: &Value, member: &'static str, longest: usize) -> Result<String, ConfigurationRefused> {
    let is_fit = |text: &&str| (1..=longest).contains(&text.len()) && !text.chars().any(char::is_control);
    configuration[member].as_str().filter(is_fit).map(str::to_owned).ok_or(ConfigurationRefused::Member(member))
}

/// An absolute URL with a host.
fn endpoint(configuration: &Value, member: &'static str) -> Result<String, ConfigurationRefused> {
    let address = text(configuration, member, LONGEST_ADDRESS)?;
    let is_absolute = Url::parse(&address).is_ok_and(|url| url.has_host());
    is_absolute.then_some(address).ok_or(ConfigurationRefused::Member(member))
}

fn optional<T: serde::de::DeserializeOwned>(
    configuration: &Value,
    member: &'static str,
) -> Result<Option<T>, ConfigurationRefused> {
    let read = configuration.get(member).map(Option::<T>::deserialize);
    read.transpose().map(Option::flatten).map_err(|_| ConfigurationRefused::Member(member))
}

/// A list that is there has to have what the tool needs.
fn offers(configuration: &Value, member: &'static str, needed: &str) -> Result<(), ConfigurationRefused> {
    match optional::<Vec<String>>(configuration, member)? {
        Some(offered) if !offered.iter().any(|one| one == needed) => Err(ConfigurationRefused::Member(member)),
        _ => Ok(()),
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
    /// The request to register the tool, with all services and messages that the platform has of those that the tool uses.
    ///
    /// Launches need `sub` alone; `name` makes the platform put names into rosters.
    pub fn registration(&self, platform: &PlatformConfiguration) -> Value {
        let used = [ags::SCOPE_LINE_ITEM, ags::SCOPE_SCORE, ags::SCOPE_RESULT_READONLY, nrps::SCOPE];
        let is_there =
            |scope: &&str| platform.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(|own| own == scope));
        let scopes: Vec<_> = used.into_iter().filter(is_there).collect();
        let link = json!({ "type": claims::RESOURCE_LINK_REQUEST, "target_link_uri": self.launch });
        let deep_link = platform.sends(claims::DEEP_LINKING_REQUEST).then(|| self.deep_linking(platform));
        json!({
            "application_type": "web",
            "response_types": ["id_token"],
            "grant_types": ["implicit", "client_credentials"],
            "initiate_login_uri": self.login,
            "redirect_uris": [self.launch],
            "client_name": self.name,
            "client_uri": self.base,
            "jwks_uri": self.key_set,
            "token_endpoint_auth_method": PRIVATE_KEY_JWT,
            "id_token_signed_response_alg": RS256,
            "scope": scopes.join(" "),
            claims::TOOL_CONFIGURATION: {
                "domain": self.base.host_str().unwrap_or_default(),
                "description": self.description,
                "target_link_uri": self.launch,
                "claims": ["iss", "sub", "name"],
                "messages": std::iter::once(link).chain(deep_link).collect::<Vec<_>>(),
            },
        })
    }

    fn deep_linking(&self, platform: &PlatformConfiguration) -> Value {
        let mut message = json!({ "type": claims::DEEP_LINKING_REQUEST, "target_link_uri": self.launch });
        if platform.lti.product_family_code.as_deref() == Some(CANVAS) {
            // Canvas shows a tool where its placements say, and lists none that others know.
            let own = CANVAS_PLACEMENTS.map(|place| format!("https://canvas.instructure.com/lti/{place}"));
            message["placements"] = std::iter::once(CONTENT_AREA.to_owned()).chain(own).collect();
            message["label"] = self.name.into();
        } else if platform.links_content() {
            message["placements"] = json!([CONTENT_AREA]);
        }
        message
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

/// The platform's answer to the registration can't be used: a member is absent, empty, too long or of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The platform's answer to the registration has no usable {0}.")]
pub struct AnswerRefused(pub &'static str);

impl Registered {
    /// Reads the platform's answer.
    ///
    /// # Errors
    /// [`AnswerRefused`].
    pub fn parse(body: &[u8]) -> Result<Self, AnswerRefused> {
        let answer: Value = serde_json::from_slice(body).map_err(|_| AnswerRefused("client_id"))?;
        let client_id = identifier(&answer["client_id"]).ok_or(AnswerRefused("client_id"))?;
        let deployment_id = match &answer[claims::TOOL_CONFIGURATION]["deployment_id"] {
            Value::Null => None,
            deployment => {
                let id = identifier(deployment).filter(|id| id.is_ascii());
                Some(id.ok_or(AnswerRefused("deployment_id"))?)
            }
        };
        Ok(Self { client_id, deployment_id })
    }
}

/// An id: a text, or a whole number, which some platforms send.
fn identifier(value: &Value) -> Option<String> {
    let id = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_u64()?.to_string(),
        _ => return None,
    };
    let is_fit = (1..=LONGEST_ID).contains(&id.len()) && !id.chars().any(char::is_control) && id.trim() == id;
    is_fit.then_some(id)
}

#[cfg(test)]
mod tests;
