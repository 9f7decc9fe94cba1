//! `POST /v1/content/organizations/{organizationId}/invitations`.

use axum::extract::State;
use edge::admins::{self, Admin, Role, normalize_email};
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, one_of, text};
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

/// An invitation of somebody to an organization.
#[derive(Body)]
pub struct CreateInvitationRequest {
    /// Where the mail goes.
    #[field(text(1..=254).format("email").parsed(address), example = "ann@example.com")]
    email: String,
    /// The role in the organization: `ADMIN` when it is absent.
    #[field(one_of(Role::WORDS).shown_as::<Role>(), example = "TEACHER")]
    role: Option<Role>,
}

/// An address that mail can be sent to, as accounts have it.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn address(text: String) -> Result<String, String> {
    let email = normalize_email(&text);
    Address::bare(&email).map_err(|_| "must be an e-mail address, such as ann@example.com".to_owned())?;
    Ok(email)
}

/// Invites somebody to the organization, by a mail with a link that holds for seven days. An earlier invitation of
/// the address to it stops to count.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/invitations", tag = "Invitations",
    operation_id = "createInvitation", security(("adminSession" = [])), request_body = CreateInvitationRequest,
    responses(
        (status = 201, description = "Invited; a mail is on its way", body = Invitation),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The admin does not manage the organization", body = ContentErrorBody),
        (status = 409, description = "The address is a member already, or too many invitations are open",
            body = ContentErrorBody),
        (status = 429, description = "Too many invitations by the admin or to the address", body = ContentErrorBody),
    )
)]
pub async fn create(
    State(identity): State<Identity>,
    session: PresentedSession,
    Params(organization): Params<String>,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let managed = organization.clone();
    let read = move |tx: &mut Tx<'_>, admin: &Admin| {
        admin.manages(tx, &managed)?;
        let CreateInvitationRequest { email, role } = body.read()?;
        Ok((admin.user_id, email, role.unwrap_or(Role::Admin)))
    };
    let (user, email, role) = identity.door.read_by_admin(session.clone(), "invitations.admit", read).await?;
    let sender = user.to_string();
    admit(&identity, &sender, &email)?;
    let invite = {
        let email = email.clone();
        move |tx: &mut Tx<'_>, admin: &Admin| invite(tx, admin, &organization, &email, role)
    };
    let invited = identity.door.write_by_admin(session, "invitations.create", invite).await;
    if invited.is_err() {
        identity.inviter_throttle.take_back(&sender);
        identity.invited_throttle.take_back(&email);
    }
    Ok(Answer::json(StatusCode::CREATED, &invited?))
}

/// Counts an invitation, of who sends it and of who gets it: both are mails that somebody may not want.
fn admit(identity: &Identity, sender: &str, email: &str) -> Result<(), Problem> {
    let now = identity.door.ambient.now();
    let refused =
        |retry_after| Problem::TooManyRequests { message: "Too many invitations; try again later.", retry_after };
    identity.inviter_throttle.begin(sender, now).map_err(refused)?;
    identity.invited_throttle.begin(email, now).map_err(|retry_after| {
        identity.inviter_throttle.take_back(sender);
        refused(retry_after)
    })
}

fn invite(tx: &mut Tx<'_>, admin: &Admin, organization: &str, email: &str, role: Role) -> Result<Invitation, Problem> {
    let organization = admin.manages(tx, organization)?;
    if let Some(user) = admins::find(tx, email)?
        && admins::role_of(tx, user, organization)?.is_some()
    {
        return Err(Problem::Conflict("The address is a member of the organization already."));
    }
    if count_open(tx, organization)? >= MOST_OPEN {
        return Err(Problem::Conflict("Too many invitations are open. Delete some first."));
    }
    let (id, created_at): (InvitationId, _) = (tx.ambient().id(), tx.now());
    let (expires_at, invited_by) = (created_at.plus(LIFETIME), admin.user_id);
    sql!("DELETE FROM invitation WHERE organization_id = {organization} AND email = {email}").execute(tx)?;
    sql!(
        "INSERT INTO invitation (id, organization_id, email, role, invited_by, created_at, expires_at)
         VALUES ({id}, {organization}, {email}, {role}, {invited_by}, {created_at}, {expires_at})"
    )
    .execute(tx)?;
    jobs::enqueue(tx, organization, &SendInvitation { invitation_id: id })?;
    Ok(Invitation { id, email: email.to_owned(), role, created_at, expires_at, accepted_at: None })
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
