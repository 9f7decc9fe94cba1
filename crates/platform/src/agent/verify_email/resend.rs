//! `POST /v1/platform/agent/verify-email/resend`, for a mail that did not arrive or was too old.

use axum::extract::State;
use edge::answer::Answer;
use edge::problem::{PlatformErrorBody, Problem};
use http::StatusCode;
use serde::Serialize;

use super::send;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::credentials::UnverifiedKeys;
use crate::named::NamedInQuery;
use crate::workspaces::Workspace;

/// Where the mail goes.
#[derive(Serialize, utoipa::ToSchema)]
pub struct VerificationRequested {
    /// The workspace's address.
    #[schema(format = "email", example = "it@riverside.example")]
    email: String,
}

/// Sends the workspace another mail with a link that verifies its e-mail address; the earlier ones hold as well, each for
/// 24 hours. At most one a minute.
#[utoipa::path(
    post, path = "/v1/platform/agent/verify-email/resend", tag = "Agent", operation_id = "resendVerification",
    params(
        ("workspaceId" = Option<String>, Query, description = "For whom an operator, or a key with `platform:admin`, asks"),
        ("organizationId" = Option<String>, Query, description = "The same by its other name"),
    ),
    responses(
        (status = 202, description = "The mail is on its way, unless the address is verified", body = VerificationRequested),
        (status = 409, description = "The workspace has no address", body = PlatformErrorBody),
        (status = 429, description = "A mail was asked for within the last minute, or the workspace's rate limit is exceeded",
            body = PlatformErrorBody),
    )
)]
pub async fn resend(
    State(platform): State<Platform>,
    credential: Credential<UnverifiedKeys>,
    named: NamedInQuery,
) -> Result<Answer, Problem> {
    callers::write(&platform.door, credential, "verify_email.resend", move |tx, caller| {
        let id = caller.workspace(tx, named.optional()?)?;
        let workspace = Workspace::load(tx, id)?;
        let email = workspace.email.ok_or(Problem::Conflict("The workspace has no e-mail address."))?;
        send::request_again(tx, id, &email)?;
        Ok(Answer::json(StatusCode::ACCEPTED, &VerificationRequested { email }))
    })
    .await
}
