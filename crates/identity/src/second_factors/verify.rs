//! `POST /auth/totp/verify`: shows the second factor in a session that waits for it.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::{PresentedSession, list as sessions};
use http::StatusCode;

use super::FactorProof;
use crate::Identity;

/// Completes a session that an identity provider opened and that waits for the second factor.
#[utoipa::path(
    post, path = "/auth/totp/verify", tag = "Second factor", operation_id = "verifyTotp",
    security(("adminSession" = [])), request_body = FactorProof,
    responses(
        (status = 204, description = "The session may act"),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, or the code is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 409, description = "The admin has no second factor", body = ContentErrorBody),
        (status = 429, description = "Too many wrong codes", body = ContentErrorBody),
    )
)]
pub async fn verify(
    State(identity): State<Identity>,
    session: PresentedSession,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let user = super::admit(&identity, &session).await?;
    let proof = body.read::<FactorProof>().and_then(FactorProof::proof);
    let proof = super::note_fault(&identity, user, proof)?;
    let (door, present) = (identity.door.clone(), session.clone());
    let verified = identity.door.write_by_incomplete_session(session, "second_factors.verify", move |tx, signed_in| {
        door.second_factors.check(tx, signed_in.admin.user_id, &proof)?;
        sessions::complete(tx, &present, signed_in.method.with_second_factor())?;
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    });
    super::note(&identity, user, verified.await)
}
