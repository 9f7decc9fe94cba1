//! `DELETE /v1/content/organizations/{organizationId}/invitations/{invitationId}`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use http::StatusCode;
use kernel::id::InvitationId;
use store::sql;

const NO_INVITATION: Problem = Problem::NotFound("Invitation");

/// Takes an invitation back. Who accepted it stays an administrator.
#[utoipa::path(
    delete, path = "/v1/content/organizations/{organizationId}/invitations/{invitationId}", tag = "Invitations",
    operation_id = "deleteInvitation", security(("adminSession" = [])),
    responses(
        (status = 204, description = "Taken back"),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "The admin does not manage the organization", body = ContentErrorBody),
        (status = 404, description = "The organization has no such invitation", body = ContentErrorBody),
    )
)]
pub async fn delete(
    State(door): State<Door>,
    session: PresentedSession,
    Params((organization, invitation)): Params<(String, String)>,
) -> Result<Answer, Problem> {
    door.write_by_admin(session, "invitations.delete", move |tx, admin| {
        let organization = admin.manages(tx, &organization)?;
        let id: InvitationId = invitation.parse().map_err(|_| NO_INVITATION)?;
        let deleted =
            sql!("DELETE FROM invitation WHERE id = {id} AND organization_id = {organization}").execute(tx)?;
        if deleted == 1 { Ok(Answer::empty(StatusCode::NO_CONTENT)) } else { Err(NO_INVITATION) }
    })
    .await
}
