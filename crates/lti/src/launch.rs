//! What a platform says with a launch (LTI Core, sections 5.3 and 5.4).

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::ags::GradeService;
use crate::claims;
use crate::deep_linking::Settings;
use crate::nrps::RosterService;
use crate::refusal::{Reason, Refusal};
use crate::token::{Claims, Expected, shown};

/// The longest id of a deployment, link or user, in ASCII characters.
pub const LONGEST_ID: usize = 255;

/// A launch that belongs to its login and says all that it has to.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// What the platform wants.
    pub message: Message,
    /// The place of the platform that the tool is deployed in.
    pub deployment_id: String,
    /// Where it leads.
    pub target_link_uri: String,
    /// Who launched, as the platform names them; `None` for an anonymous launch, which can get no grade.
    pub user_id: Option<String>,
    /// What the user may do, as URIs; may be empty.
    pub roles: Vec<String>,
    /// The course that the launch came from.
    pub context: Option<Context>,
    /// Texts that were given with the link or the tool.
    pub custom: Map<String, Value>,
    /// The language that the platform shows itself in, a BCP 47 tag.
    pub locale: Option<String>,
    /// Where the user may return to.
    pub return_url: Option<String>,
    /// The gradebook, where the tool may use it.
    pub grades: Option<GradeService>,
    /// The roster, where the tool may read it.
    pub roster: Option<RosterService>,
}

/// What a platform wants with a launch.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// To show what a link leads to.
    ResourceLink(ResourceLink),
    /// To have a teacher pick what to link.
    DeepLinking(Settings),
}

impl Message {
    /// The type of the message, as the platform names it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ResourceLink(_) => claims::RESOURCE_LINK_REQUEST,
            Self::DeepLinking(_) => claims::DEEP_LINKING_REQUEST,
        }
    }
}

/// A link in a course.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ResourceLink {
    /// Its id, unique within the deployment.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
}

/// A course, or whatever else holds links.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Context {
    /// Its id, unique within the deployment.
    pub id: String,
    /// Its short name.
    pub label: Option<String>,
    /// Its name.
    pub title: Option<String>,
}

#[derive(Default, Deserialize)]
struct Presentation {
    locale: Option<String>,
    return_url: Option<String>,
}

impl Launch {
    /// Reads the claims of a token that is valid.
    pub(crate) fn read(claims: &Claims, expected: &Expected<'_>) -> Result<Self, Refusal> {
        let version = claims.get(claims::LTI_VERSION).map_or_else(String::new, shown);
        if version != claims::VERSION {
            return Err(Refusal::differs(Reason::Version, claims::VERSION, version));
        }
        let message = message(claims)?;
        let deployment_id = deployment(claims, expected)?;
        let is_picking = matches!(message, Message::DeepLinking(_));
        // Deep Linking names neither a target nor roles as required.
        let target_link_uri = match claims.contains_key(claims::TARGET_LINK_URI) {
            false if is_picking => expected.target_link_uri.to_owned(),
            _ => target(claims, expected)?,
        };
        let presentation: Presentation = read(claims, claims::LAUNCH_PRESENTATION).unwrap_or_default();
        Ok(Self {
            message,
            deployment_id,
            target_link_uri,
            user_id: user(claims)?,
            roles: match read(claims, claims::ROLES) {
                None if is_picking && !claims.contains_key(claims::ROLES) => Vec::new(),
                roles => roles.ok_or(Reason::NoRoles)?,
            },
            context: read(claims, claims::CONTEXT),
            custom: read(claims, claims::CUSTOM).unwrap_or_default(),
            // Some platforms (Sakai) say only how the user has set the language.
            locale: presentation.locale.or_else(|| read(claims, "locale")),
            return_url: presentation.return_url,
            grades: service(claims, claims::AGS_ENDPOINT)?,
            roster: service(claims, claims::NRPS_SERVICE)?,
        })
    }
}

fn message(claims: &Claims) -> Result<Message, Refusal> {
    match claims.get(claims::MESSAGE_TYPE).map_or_else(String::new, shown).as_str() {
        claims::RESOURCE_LINK_REQUEST => {
            let link: ResourceLink = read(claims, claims::RESOURCE_LINK).ok_or(Reason::NoResourceLink)?;
            if is_id(&link.id) {
                Ok(Message::ResourceLink(link))
            } else {
                Err(Refusal::of(Reason::NoResourceLink, link.id))
            }
        }
        claims::DEEP_LINKING_REQUEST => read::<Settings>(claims, claims::DEEP_LINKING_SETTINGS)
            .filter(|settings| ["https", "http"].contains(&settings.deep_link_return_url.scheme()))
            .map(Message::DeepLinking)
            .ok_or_else(|| Reason::DeepLinkingSettings.into()),
        other => {
            let known = format!("{} or {}", claims::RESOURCE_LINK_REQUEST, claims::DEEP_LINKING_REQUEST);
            Err(Refusal::differs(Reason::MessageType, known, other))
        }
    }
}

fn deployment(claims: &Claims, expected: &Expected<'_>) -> Result<String, Refusal> {
    let id: String = read(claims, claims::DEPLOYMENT_ID).ok_or(Reason::NoDeployment)?;
    if !is_id(&id) {
        return Err(Refusal::of(Reason::NoDeployment, id));
    }
    match expected.deployment_id {
        Some(named) if named != id => Err(Refusal::differs(Reason::Deployment, named, id)),
        _ => Ok(id),
    }
}

/// The target of a launch is that of its login: the login is not signed, and whoever began it may want another place. Some
/// platforms (Open edX) begin every login with the address of the tool and name the link in the token alone.
fn target(claims: &Claims, expected: &Expected<'_>) -> Result<String, Refusal> {
    let target = claims.get(claims::TARGET_LINK_URI).map_or_else(String::new, shown);
    if target == expected.target_link_uri || without(&target, expected.link_parameter) == Some(expected.target_link_uri)
    {
        return Ok(target);
    }
    Err(Refusal::differs(Reason::Target, expected.target_link_uri, target))
}

/// An address whose query is one parameter, without it.
fn without<'t>(target: &'t str, parameter: &str) -> Option<&'t str> {
    let (address, query) = target.split_once('?')?;
    let (name, value) = query.split_once('=')?;
    (name == parameter && !value.contains(['&', '#'])).then_some(address)
}

fn user(claims: &Claims) -> Result<Option<String>, Refusal> {
    match claims.get("sub") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(id)) if is_id(id) => Ok(Some(id.clone())),
        Some(other) => Err(Refusal::of(Reason::Subject, shown(other))),
    }
}

fn is_id(text: &str) -> bool {
    (1..=LONGEST_ID).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// A claim; `None` where there is none of this form.
fn read<T: DeserializeOwned>(claims: &Claims, claim: &str) -> Option<T> {
    T::deserialize(claims.get(claim)?).ok()
}

/// A service that the platform offers. To ignore a faulty one would lose grades in silence.
fn service<T: DeserializeOwned>(claims: &Claims, claim: &str) -> Result<Option<T>, Refusal> {
    match claims.get(claim) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match T::deserialize(value) {
            Ok(service) => Ok(Some(service)),
            Err(_) => Err(Refusal::of(Reason::ServiceClaim, shown(value))),
        },
    }
}
