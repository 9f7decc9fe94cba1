//! `GET` and `POST /auth/password-reset/confirm`: the page behind the link, and the new password.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use edge::admins;
use edge::answer::Answer;
use edge::audit::{self, PersonalChange};
use edge::body::{Body, Check as _, text};
use edge::context::takes_pages;
use edge::passwords;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use edge::sessions::list;
use http::{HeaderMap, StatusCode};
use kernel::id::PasswordReset;
use kernel::secret::SecretString;
use language::Email;
use store::Tx;

use super::CONFIRM;
use crate::Identity;
use crate::forms::{Sent, token_of};
use crate::pages::{LinkForm, Speech};

const INVALID: &str = "is used up, has expired, or was never sent: ask for another mail";
/// A symbol that every language reads.
const DONE: &str = "✓";

/// The new password.
#[derive(Body)]
pub struct PasswordResetConfirmation {
    /// As the link has it.
    #[field(text(1..=200), example = "0192aee1-5a3b-7c2d-8e4f-123456789abc.c2lnbmF0dXJl")]
    token: String,
    /// At least 8 characters.
    #[field(
        text(passwords::FEWEST_CHARACTERS..=passwords::MOST_BYTES).format("password").map(SecretString::from),
        example = "correct horse battery staple"
    )]
    password: SecretString,
}

/// The page that a mail's link leads to.
#[utoipa::path(
    get, path = "/auth/password-reset/confirm", tag = "Passwords", operation_id = "showPasswordReset", security(()),
    params(("token" = String, Query, description = "As the mail has it")),
    responses(
        (status = 200, description = "A form for a new password", body = String, content_type = "text/html"),
        (status = 400, description = "There is no token; a browser gets a page", content(
            (ContentErrorBody = "application/json"), (String = "text/html"),
        )),
    )
)]
pub async fn show(State(identity): State<Identity>, query: Query, headers: HeaderMap) -> Result<Response, Problem> {
    let speech = Speech::of(&identity, &headers);
    match token_of(&query) {
        Ok(token) => Ok(speech.form(&form(&speech, &token))),
        Err(problem) if takes_pages(&headers) => Ok(speech.failed(speech.texts.reset_subject, problem)),
        Err(problem) => Err(problem),
    }
}

fn form<'a>(speech: &'a Speech<'_>, token: &'a str) -> LinkForm<'a> {
    let Email { reset_subject, reset_action: button, .. } = speech.texts;
    let title = (*reset_subject).to_owned();
    LinkForm { title, email: None, action: CONFIRM, token, needs_password: true, button }
}

/// Sets the new password, by the token of a mail that holds once and for an hour. All sessions of the admin end.
#[utoipa::path(
    post, path = "/auth/password-reset/confirm", tag = "Passwords", operation_id = "confirmPasswordReset", security(()),
    request_body = PasswordResetConfirmation,
    responses(
        (status = 200, description = "The password is set, for a form", body = String, content_type = "text/html"),
        (status = 204, description = "The password is set"),
        (status = 400, description = "The body is invalid, or the token is used up or expired; a form gets a page", content(
            (ContentErrorBody = "application/json"), (String = "text/html"),
        )),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 413, description = "The body is larger than 8 KiB; a form gets a page", content(
            (ContentErrorBody = "application/json"), (String = "text/html"),
        )),
        (status = 429, description = "Too many passwords are being set at once; a form gets a page", content(
            (ContentErrorBody = "application/json"), (String = "text/html"),
        )),
    )
)]
pub async fn confirm(State(identity): State<Identity>, request: Request) -> Result<Response, Problem> {
    let sent = Sent::of(&identity.door, request).await?;
    let done = match sent.body.read() {
        Ok(confirmation) => set(&identity, confirmation).await,
        Err(problem) => Err(problem),
    };
    if !sent.is_form {
        return done.map(|()| Answer::empty(StatusCode::NO_CONTENT).into_response());
    }
    let speech = Speech::of(&identity, &sent.headers);
    Ok(match done {
        Ok(()) => speech.outcome(speech.texts.reset_subject, DONE),
        Err(problem) => speech.refused(&form(&speech, sent.token()), problem),
    })
}

async fn set(identity: &Identity, confirmation: PasswordResetConfirmation) -> Result<(), Problem> {
    let invalid = || Problem::field("token", INVALID);
    let reset = identity.reset_links.open::<PasswordReset>(&confirmation.token).ok_or_else(invalid)?;
    // Hashing is work: it is done for nobody without a link.
    let holds = identity.door.store.read("password_resets.find", move |tx| super::find(tx, reset)).await;
    holds.map_err(Problem::from)?.ok_or_else(invalid)?;
    let hash = crate::password_hash(confirmation.password).await?;
    let set = move |tx: &mut Tx<'_>| {
        let user = super::take(tx, reset)?.ok_or_else(|| Problem::field("token", INVALID))?;
        admins::set_password(tx, user, &hash)?;
        list::end_all(tx, user)?;
        audit::record_of_person(tx, "confirmPasswordReset", user, &PersonalChange::default())?;
        Ok(())
    };
    identity.door.store.write("password_resets.confirm", set).await
}
