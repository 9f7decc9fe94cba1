//! Answers of the surface of sign-in.

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
    pub(crate) name: String,
    pub(crate) created_at: String,
    pub(crate) last_used_at: Option<String>,
}
