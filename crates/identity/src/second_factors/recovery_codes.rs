//! `POST /auth/totp/recovery-codes`.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::JsonBody;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;

use super::{FactorProof, RecoveryCodes};
use crate::Identity;

/// Gives the admin new recovery codes; the earlier ones stop to count.
#[utoipa::path(
    post, path = "/auth/totp/recovery-codes", tag = "Second factor", operation_id = "renewRecoveryCodes",
    security(("adminSession" = [])), request_body = FactorProof,
    responses(
        (status = 200, description = "The codes, which are shown this once", body = RecoveryCodes),
        (status = 400, description = "The body is invalid", body = ContentErrorBody),
        (status = 401, description = "There is no session, or the code is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 409, description = "The admin has no second factor", body = ContentErrorBody),
        (status = 429, description = "Too many wrong codes", body = ContentErrorBody),
    )
)]
pub async fn renew(
    State(identity): State<Identity>,
    session: PresentedSession,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let user = super::admit(&identity, &session).await?;
    let proof = body.read::<FactorProof>().and_then(FactorProof::proof);
    let proof = super::note_fault(&identity, user, proof)?;
    let door = identity.door.clone();
    let renewed = identity.door.write_by_admin(session, "second_factors.renew", move |tx, admin| {
        door.second_factors.check(tx, admin.user_id, &proof)?;
        let recovery_codes = door.second_factors.renew_recovery_codes(tx, &door.ambient, admin.user_id)?;
        Ok(Answer::ok(&RecoveryCodes { recovery_codes }))
    });
    super::note(&identity, user, renewed.await)
}
