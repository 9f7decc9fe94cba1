//! The account: sessions, the authenticator app, and passkeys.

use askama::Template;
use http::Method;
use serde_json::{Map, Value, json};

use super::reveal::{Reveal, Secret};
use super::{FormState, Page};
use crate::api::identity::{Enrollment, FactorStatus, Passkey, RecoveryCodes, Session};
use crate::fields::Fields;
use crate::owner::Ids;
use crate::shell::{Section, Shell};
use crate::visit::{Operation, Visit, page_with};

const HOME: &str = "/console/account";

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    shell: Shell,
    form: FormState,
    sessions: Vec<Session>,
    factor: FactorStatus,
    passkeys: Vec<Passkey>,
    /// The secret of a new app, which a code is to confirm.
    enrollment: Option<Enrollment>,
}

pub(crate) async fn show(visit: Visit) -> Page {
    account(&visit, FormState::default(), None).await
}

async fn account(visit: &Visit, form: FormState, enrollment: Option<Enrollment>) -> Page {
    let factor = visit.read("getTotp", "/auth/totp").await?;
    // Where a second factor is required and missing, the account shows that alone.
    let sessions = visit
        .read("listSessions", "/auth/sessions")
        .await
        .or_else(|problem| if problem.code == "second_factor_missing" { Ok(Vec::new()) } else { Err(problem) })?;
    let passkeys = visit.read("listPasskeys", "/auth/passkeys").await.unwrap_or_default();
    let me = visit.me().await.unwrap_or_default();
    let shell = visit.bare_shell("Account", Section::Account).signed_in(me);
    Ok(page_with(form.status(), &AccountPage { shell, form, sessions, factor, passkeys, enrollment }))
}

pub(crate) async fn revoke(visit: Visit, ids: Ids) -> Page {
    let path = format!("/auth/sessions/{}", ids.get("session"));
    visit.act(Operation { id: "endSession", method: Method::DELETE, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(HOME, "session-ended"))
}

pub(crate) async fn revoke_others(visit: Visit) -> Page {
    let path = "/auth/sessions/revoke-others";
    visit.act(Operation { id: "revokeOtherSessions", method: Method::POST, path, ..Operation::default() }).await?;
    Ok(visit.done(HOME, "sessions-ended"))
}

/// Gives a secret for an app. The page shows it this once.
pub(crate) async fn enroll(visit: Visit, fields: Fields) -> Page {
    let path = "/auth/totp/enroll";
    let enroll = Operation { id: "enrollTotp", method: Method::POST, path, ..Operation::default() };
    match visit.send::<Enrollment>(enroll).await {
        Ok(enrollment) => account(&visit, FormState::default(), Some(enrollment)).await,
        Err(problem) => account(&visit, FormState::refused(fields, problem)?, None).await,
    }
}

/// Confirms the app by a code, and shows the recovery codes this once.
pub(crate) async fn confirm(visit: Visit, fields: Fields) -> Page {
    let body = Some(Value::Object(fields.texts(&["code", "password"])));
    let path = "/auth/totp/confirm";
    let confirm = Operation { id: "confirmTotp", method: Method::POST, path, body, ..Operation::default() };
    match visit.send::<RecoveryCodes>(confirm).await {
        Ok(codes) => show_codes(&visit, codes).await,
        Err(problem) => {
            let [secret, otpauth_url] = ["secret", "address"].map(|name| fields.get(name).to_owned());
            let enrollment = Enrollment { secret, otpauth_url };
            let kept = fields.with("password", "").with("code", "");
            account(&visit, FormState::unproven(kept, problem)?, Some(enrollment)).await
        }
    }
}

pub(crate) async fn remove(visit: Visit, fields: Fields) -> Page {
    let body = Some(Value::Object(fields.texts(&["password"])));
    let path = "/auth/totp";
    let remove = Operation { id: "removeTotp", method: Method::DELETE, path, body, ..Operation::default() };
    match visit.act(remove).await {
        Ok(()) => Ok(visit.done(HOME, "totp-removed")),
        Err(problem) => account(&visit, FormState::unproven(Fields::default(), problem)?, None).await,
    }
}

pub(crate) async fn remove_passkey(visit: Visit, ids: Ids, fields: Fields) -> Page {
    let body = Some(Value::Object(fields.texts(&["password"])));
    let path = format!("/auth/passkeys/{}", ids.get("passkey"));
    let remove = Operation { id: "removePasskey", method: Method::DELETE, path: &path, body, ..Operation::default() };
    match visit.act(remove).await {
        Ok(()) => Ok(visit.done(HOME, "passkey-removed")),
        Err(problem) => account(&visit, FormState::unproven(Fields::default(), problem)?, None).await,
    }
}

pub(crate) async fn renew_codes(visit: Visit, fields: Fields) -> Page {
    let proof: Map<String, Value> = fields.texts(&["code"]);
    let path = "/auth/totp/recovery-codes";
    let body = Some(json!(proof));
    let renew = Operation { id: "renewRecoveryCodes", method: Method::POST, path, body, ..Operation::default() };
    match visit.send::<RecoveryCodes>(renew).await {
        Ok(codes) => show_codes(&visit, codes).await,
        Err(problem) => account(&visit, FormState::unproven(Fields::default(), problem)?, None).await,
    }
}

async fn show_codes(visit: &Visit, codes: RecoveryCodes) -> Page {
    let secret = Secret {
        title: "Recovery codes",
        text: "Each code replaces the app once. Print them or keep them in your password manager; they are shown only now.",
        value: Some(codes.recovery_codes.join("\n")).filter(|value| !value.is_empty()),
        more: String::new(),
    };
    let shell = visit.shell("Recovery codes", Section::Account).await?.crumb("Account", HOME);
    Reveal { shell, secret, back: HOME.to_owned() }.page()
}
