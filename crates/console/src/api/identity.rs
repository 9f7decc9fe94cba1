//! Answers of the surface of sign-in.

use kernel::time::Timestamp;
use serde::Deserialize;

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

/// An invitation to manage an organization.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Invitation {
    pub(crate) id: String,
    pub(crate) email: String,
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
