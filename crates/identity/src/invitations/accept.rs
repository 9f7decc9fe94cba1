//! `GET` and `POST /auth/invitations/accept`: the page behind the link, and the acceptance.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use edge::admins::{self, NewAdmin, Role};
use edge::answer::Answer;
use edge::audit::{self, PersonalChange};
use edge::body::{Body, Check as _, text};
use edge::context::takes_pages;
use edge::passwords;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use http::HeaderMap;
use kernel::id::{Invitation as InvitationKind, InvitationId, OrganizationId};
use kernel::secret::SecretString;
use language::fill;
use serde::Serialize;
use store::Tx;

use super::{ACCEPT, Open};
use crate::Identity;
use crate::forms::{Sent, token_of};
use crate::pages::{LinkForm, Speech};

const INVALID: &str = "is used up, has expired, or was taken back: ask for another invitation";
/// A symbol that every language reads.
const DONE: &str = "✓";

/// The acceptance of an invitation.
#[derive(Body)]
pub struct InvitationAcceptance {
    /// As the link has it.
    #[field(text(1..=200), example = "0192aee1-5a3b-7c2d-8e4f-123456789abc.c2lnbmF0dXJl")]
    token: String,
    /// The password of the new account, at least 8 characters. Needed where the address has no account; ignored where it has.
    #[field(
        text(passwords::FEWEST_CHARACTERS..=passwords::MOST_BYTES).format("password").map(SecretString::from),
        example = "correct horse battery staple"
    )]
    password: Option<SecretString>,
}

/// What was accepted.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptedInvitation {
    /// The organization.
    #[schema(value_type = String, format = "uuid")]
    organization_id: OrganizationId,
    /// The address to sign in with.
    #[schema(format = "email")]
    email: String,
}

/// The page that a mail's link leads to.
#[utoipa::path(
    get, path = "/auth/invitations/accept", tag = "Invitations", operation_id = "showInvitation", security(()),
    params(("token" = String, Query, description = "As the mail has it")),
    responses(
        (status = 200, description = "A form to accept with", body = String, content_type = "text/html"),
        (status = 400, description = "The token is missing, used up or expired; a browser gets a page", content(
            (ContentErrorBody = "application/json"), (String = "text/html"),
        )),
    )
)]
pub async fn show(State(identity): State<Identity>, query: Query, headers: HeaderMap) -> Result<Response, Problem> {
    let speech = Speech::of(&identity, &headers);
    let opened = match token_of(&query) {
        Ok(token) => OpenInvitation::find(&identity, &token).await.map(|open| (open, token)),
        Err(problem) => Err(problem),
    };
    match opened {
        Ok((open, token)) => Ok(speech.form(&open.form(&speech, &token))),
        Err(problem) if takes_pages(&headers) => Ok(speech.failed(speech.texts.invite_action, problem)),
        Err(problem) => Err(problem),
    }
}

/// An open invitation, as its page shows it.
struct OpenInvitation {
    open: Open,
    organization: String,
    needs_password: bool,
}

impl OpenInvitation {
    async fn find(identity: &Identity, token: &str) -> Result<Self, Problem> {
        let id = opened(identity, token)?;
        let find = move |tx: &mut Tx<'_>| {
            let Some(open) = super::find_open(tx, id)? else { return Ok(None) };
            let needs_password = admins::find(tx, &open.email)?.is_none();
            let name: Option<String> =
                tx.find("SELECT name FROM organization WHERE id = $1", &[&open.organization_id], |row| row.get(0))?;
            Ok::<_, Problem>(name.map(|organization| Self { open, organization, needs_password }))
        };
        let found = identity.door.store.read("invitations.show", find).await?;
        found.ok_or_else(|| Problem::field("token", INVALID))
    }

    fn form<'a>(&'a self, speech: &'a Speech<'_>, token: &'a str) -> LinkForm<'a> {
        LinkForm {
            title: title(speech, self.open.role, &self.organization),
            email: Some(&self.open.email),
            action: ACCEPT,
            token,
            needs_password: self.needs_password,
            button: speech.texts.invite_action,
        }
    }
}

fn title(speech: &Speech<'_>, role: Role, organization: &str) -> String {
    let title = match role {
        Role::Admin => speech.texts.join_as_admin,
        Role::Teacher => speech.texts.join_as_teacher,
        Role::Reviewer => speech.texts.join_as_reviewer,
    };
    fill(title, &[("organization", organization)])
}

/// Accepts an invitation, by the token of a mail that holds once and for seven days.
#[utoipa::path(
    post, path = "/auth/invitations/accept", tag = "Invitations", operation_id = "acceptInvitation", security(()),
    request_body = InvitationAcceptance,
    responses(
        (status = 200, description = "Accepted: sign in now; a form gets a page", content(
            (AcceptedInvitation = "application/json"), (String = "text/html"),
        )),
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
pub async fn accept(State(identity): State<Identity>, request: Request) -> Result<Response, Problem> {
    let sent = Sent::of(&identity.door, request).await?;
    let accepted = match sent.body.read() {
        Ok(acceptance) => act(&identity, acceptance).await,
        Err(problem) => Err(problem),
    };
    if !sent.is_form {
        return accepted.map(|accepted| Answer::ok(&accepted).into_response());
    }
    let speech = Speech::of(&identity, &sent.headers);
    let problem = match accepted {
        Ok(_) => return Ok(speech.outcome(speech.texts.invite_action, DONE)),
        Err(problem) => problem,
    };
    Ok(match OpenInvitation::find(&identity, sent.token()).await {
        Ok(open) => speech.refused(&open.form(&speech, sent.token()), problem),
        // Whatever else is wrong, such a link opens nothing.
        Err(gone) if !sent.token().is_empty() => speech.failed(speech.texts.invite_action, gone),
        Err(_) => speech.failed(speech.texts.invite_action, problem),
    })
}

async fn act(identity: &Identity, acceptance: InvitationAcceptance) -> Result<AcceptedInvitation, Problem> {
    let id = opened(identity, &acceptance.token)?;
    let find = move |tx: &mut Tx<'_>| {
        let open = super::find_open(tx, id)?.ok_or_else(|| Problem::field("token", INVALID))?;
        Ok::<_, Problem>(admins::find(tx, &open.email)?.is_some())
    };
    let has_account = identity.door.store.read("invitations.find", find).await?;
    let hash = match acceptance.password {
        _ if has_account => passwords::NO_PASSWORD.to_owned(),
        Some(password) => crate::password_hash(password).await?,
        None => return Err(Problem::field("password", "is required: the address has no account yet")),
    };
    let ambient = identity.door.ambient.clone();
    let take = move |tx: &mut Tx<'_>| {
        let open = super::find_open(tx, id)?.ok_or_else(|| Problem::field("token", INVALID))?;
        let user = match admins::find(tx, &open.email)? {
            Some(user) => user,
            // The account went away since; nobody gets one without a password.
            None if hash == passwords::NO_PASSWORD => return Err(Problem::field("password", "is required")),
            None => {
                let new = NewAdmin { email: open.email.clone(), password_hash: hash.clone(), is_operator: false };
                admins::create(tx, &ambient, &new)?
            }
        };
        if !super::take(tx, &open, user)? {
            return Err(Problem::field("token", INVALID));
        }
        let joined = PersonalChange { organization: Some(open.organization_id), ..PersonalChange::default() };
        audit::record_of_person(tx, "acceptInvitation", user, &joined)?;
        Ok(AcceptedInvitation { organization_id: open.organization_id, email: open.email })
    };
    identity.door.store.write("invitations.accept", take).await
}

fn opened(identity: &Identity, token: &str) -> Result<InvitationId, Problem> {
    identity.invitation_links.open::<InvitationKind>(token).ok_or_else(|| Problem::field("token", INVALID))
}
