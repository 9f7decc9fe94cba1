//! Learning platforms that launch here.

use serde::Deserialize;

/// Registrations of a workspace.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RegistrationPage {
    pub(crate) items: Vec<Registration>,
    pub(crate) total: i64,
}

/// A learning platform.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Registration {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) issuer: String,
    pub(crate) client_id: String,
    pub(crate) authorization_endpoint: String,
    pub(crate) token_endpoint: String,
    pub(crate) jwks_endpoint: String,
    pub(crate) status: String,
    pub(crate) created_at: String,
}

/// Registration links of a workspace.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LinkPage {
    pub(crate) items: Vec<RegistrationLink>,
}

/// A link with which a platform's administrator connects the platform.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RegistrationLink {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) status: String,
    pub(crate) created_at: String,
    pub(crate) expires_at: String,
    pub(crate) registration_id: Option<String>,
    pub(crate) last_failure: Option<LinkFailure>,
}

impl RegistrationLink {
    pub(crate) fn is_open(&self) -> bool {
        self.status == "open"
    }
}

/// Why a link did not connect a platform.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LinkFailure {
    pub(crate) message: String,
}

/// A new link. The address is `None` when the request was made before.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CreatedLink {
    pub(crate) url: Option<String>,
    pub(crate) expires_at: String,
}

/// A launch that was refused.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Refusal {
    pub(crate) reason: String,
    pub(crate) message: String,
    pub(crate) advice: String,
    pub(crate) expected: Option<String>,
    pub(crate) received: Option<String>,
    pub(crate) created_at: String,
}
