//! `POST /v1/content/organizations/{organizationId}/invitations`.

use axum::extract::State;
use edge::admins::{self, normalize_email};
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, text};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use kernel::id::{InvitationId, OrganizationId};
use mail::Address;
use store::{StoreError, Tx, jobs, sql};

use super::send::SendInvitation;
use super::{Invitation, LIFETIME, MOST_OPEN};
use crate::Identity;

/// Who is invited.
#[derive(Body)]
pub struct CreateInvitationRequest {
    /// Where the mail goes.
    #[field(text(1..=254).format("email").parsed(address), example = "ann@example.com")]
    email: String,
}

fn address(text: String) -> Result<String, String> {
    let email = normalize_email(&text);
    Address::bare(&email).map_err(|_| "must be an e-mail address, such as ann@example.com".to_owned())?;
    Ok(email)
}

/// Invites somebody to administer the organization, by a mail with a link that holds for seven days. An earlier invitation of
/// the address to it stops to count.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/invitations", tag = "Invitations",
    operation_id = "createInvitation", security(("adminSession" = [])), request_body = CreateInvitationRequest,
    responses(
        (status = 201, description = "Invited; a mail is on its way", body = Invitation),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The admin does not manage the organization", body = ContentErrorBody),
        (status = 409, description = "The address administers it already, or too many invitations are open",
            body = ContentErrorBody),
    )
)]
pub async fn create(
    State(identity): State<Identity>,
    session: PresentedSession,
    Params(organization): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    identity
        .door
        .write_by_admin(session, "invitations.create", move |tx, admin| {
            let organization = admin.manages(tx, &organization)?;
            let CreateInvitationRequest { email } = body.read()?;
            if let Some(user) = admins::find(tx, &email)?
                && admins::is_member(tx, user, organization)?
            {
                return Err(Problem::Conflict("The address administers the organization already."));
            }
            if count_open(tx, organization)? >= MOST_OPEN {
                return Err(Problem::Conflict("Too many invitations are open. Delete some first."));
            }
            let (id, created_at): (InvitationId, _) = (tx.ambient().id(), tx.now());
            let (expires_at, invited_by) = (created_at.plus(LIFETIME), admin.user_id);
            sql!("DELETE FROM invitation WHERE organization_id = {organization} AND email = {email}").execute(tx)?;
            sql!(
                "INSERT INTO invitation (id, organization_id, email, invited_by, created_at, expires_at)
             VALUES ({id}, {organization}, {email}, {invited_by}, {created_at}, {expires_at})"
            )
            .execute(tx)?;
            jobs::enqueue(tx, organization, &SendInvitation { invitation_id: id })?;
            Ok(Answer::json(StatusCode::CREATED, &Invitation { id, email, created_at, expires_at, accepted_at: None }))
        })
        .await
}

fn count_open(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<i64, StoreError> {
    let now = tx.now();
    let counted = sql!(
        "SELECT count(*) FROM invitation
         WHERE organization_id = {organization} AND accepted_at IS NULL AND expires_at > {now}"
    )
    .find(tx, |row| row.get(0))?;
    Ok(counted.unwrap_or(0))
}
