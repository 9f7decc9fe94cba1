//! Answers of the surface of sign-in.

use kernel::time::Timestamp;
use serde::Deserialize;

use crate::markup::{self, Html};
use crate::owner::{Kind, Owner};

/// An identity provider to sign in with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Provider {
    pub(crate) name: String,
    pub(crate) login_url: String,
}

/// A session of the signed-in administrator.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) method: String,
    pub(crate) timezone: String,
    pub(crate) created_at: String,
    pub(crate) expires_at: String,
    pub(crate) is_current: bool,
}

impl Session {
    /// How the session was opened, in words.
    pub(crate) fn way(&self) -> String {
        match self.method.as_str() {
            "totp" => "Password and app".to_owned(),
            provider if provider.starts_with("oidc") => "Identity provider".to_owned(),
            other => crate::format::label(other),
        }
    }
}

/// Whether the administrator has an authenticator app.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct FactorStatus {
    pub(crate) is_enabled: bool,
    pub(crate) recovery_codes_left: i64,
}

/// The secret of an authenticator app.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Enrollment {
    pub(crate) secret: String,
    pub(crate) otpauth_url: String,
}

impl Enrollment {
    /// The address for the camera of a phone.
    pub(crate) fn picture(&self) -> Option<Html> {
        markup::qr_code(&self.otpauth_url, "QR code of the address for apps")
    }
}

/// Codes that each replace the app once.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RecoveryCodes {
    pub(crate) recovery_codes: Vec<String>,
}

/// A passkey of the administrator.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Passkey {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) created_at: String,
    pub(crate) last_used_at: Option<String>,
}

/// An invitation to an organization.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Invitation {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) role: Role,
    pub(crate) created_at: String,
    pub(crate) expires_at: String,
    pub(crate) accepted_at: Option<String>,
}

impl Invitation {
    /// How the invitation stands.
    pub(crate) fn state(&self, now: &Timestamp) -> &'static str {
        let end = Timestamp::parse_rfc3339(&self.expires_at);
        match (&self.accepted_at, end) {
            (Some(_), _) => "accepted",
            (None, Some(end)) if end <= *now => "expired",
            _ => "open",
        }
    }
}

/// The role of a member of an organization. Each includes the roles before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Role {
    #[default]
    Reviewer,
    Teacher,
    Admin,
}

impl Role {
    /// The options of a form: names on the wire, and words.
    pub(crate) fn options() -> Vec<(String, String)> {
        [Self::Teacher, Self::Reviewer, Self::Admin]
            .map(|role| (role.as_str().to_owned(), role.label().to_owned()))
            .into()
    }

    /// The role's name on the wire.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Reviewer => "REVIEWER",
            Self::Teacher => "TEACHER",
            Self::Admin => "ADMIN",
        }
    }

    /// The role in words.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Reviewer => "Reviewer",
            Self::Teacher => "Teacher",
            Self::Admin => "Administrator",
        }
    }
}

/// The signed-in person.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Me {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) is_operator: bool,
    pub(crate) organizations: Vec<Membership>,
}

impl Me {
    /// Whether the person manages an owner.
    pub(crate) fn administers(&self, owner: &Owner) -> bool {
        self.may(owner, (owner.kind == Kind::Organization).then_some(Role::Admin))
    }

    /// Whether the person edits an organization's content, and has a workspace's answers graded again.
    pub(crate) fn teaches(&self, owner: &Owner) -> bool {
        self.may(owner, Some(Role::Teacher))
    }

    /// Whether the person may do what needs a role; `None`: what is for operators.
    pub(crate) fn may(&self, owner: &Owner, needed: Option<Role>) -> bool {
        self.is_operator || needed.is_some_and(|needed| self.role_in(owner) >= Some(needed))
    }

    /// The member's role in the organization that an owner is, or that it belongs to.
    fn role_in(&self, owner: &Owner) -> Option<Role> {
        let mut memberships = self.organizations.iter();
        let found = match owner.kind {
            Kind::Organization => memberships.find(|membership| membership.id == owner.id),
            Kind::Workspace => memberships.find(|membership| membership.workspace(&owner.id).is_some()),
        };
        found.map(|membership| membership.role)
    }

    /// The workspaces whose grades the person reviews as a member of an organization.
    pub(crate) fn workspaces(&self) -> impl Iterator<Item = &MemberWorkspace> {
        self.organizations.iter().flat_map(|membership| &membership.workspaces)
    }
}

/// A user of the service.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) is_operator: bool,
    pub(crate) created_at: String,
}

/// A user with organizations, second factors and the number of sessions.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct UserDetail {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) is_operator: bool,
    pub(crate) created_at: String,
    pub(crate) organizations: Vec<Membership>,
    pub(crate) sessions: i64,
    pub(crate) second_factor: SecondFactor,
}

/// An organization of a user.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Membership {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) workspaces: Vec<MemberWorkspace>,
}

impl Membership {
    fn workspace(&self, id: &str) -> Option<&MemberWorkspace> {
        self.workspaces.iter().find(|workspace| workspace.id == id)
    }
}

/// A workspace of an organization that the person is a member of.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MemberWorkspace {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// The second factors of a user.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SecondFactor {
    pub(crate) has_app: bool,
    pub(crate) passkeys: u64,
    pub(crate) recovery_codes_left: i64,
}

impl SecondFactor {
    pub(crate) fn is_there(&self) -> bool {
        self.has_app || self.passkeys > 0
    }

    /// The second factors in words.
    pub(crate) fn words(&self) -> String {
        let app = self.has_app.then(|| "authenticator app".to_owned());
        let passkeys = match self.passkeys {
            0 => None,
            1 => Some("1 passkey".to_owned()),
            many => Some(format!("{many} passkeys")),
        };
        let codes = self.is_there().then(|| format!("{} recovery codes left", self.recovery_codes_left));
        let words: Vec<String> = [app, passkeys, codes].into_iter().flatten().collect();
        if words.is_empty() { "None".to_owned() } else { words.join(", ") }
    }
}

/// A member of an organization.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Member {
    pub(crate) user_id: String,
    pub(crate) email: String,
    pub(crate) role: Role,
    pub(crate) joined_at: String,
}

/// Whether the first administrator is still to be made.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SetupStatus {
    pub(crate) is_open: bool,
}

/// The outcome of the first run. Its keys are in no later answer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SetupResult {
    pub(crate) email: String,
    pub(crate) content_api_key: Option<String>,
    pub(crate) platform_api_key: Option<String>,
}
