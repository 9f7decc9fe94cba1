//! `GET /auth/passkeys`.

use axum::extract::State;
use edge::answer::Answer;
use edge::door::Door;
use edge::problem::{ContentErrorBody, Problem};
use edge::query::Query;
use edge::second_factors::passkeys::{self, StoredPasskey};
use edge::sessions::PresentedSession;
use kernel::id::PasskeyId;
use kernel::time::Timestamp;
use serde::Serialize;

/// A passkey as its admin sees it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPasskey {
    /// Names the passkey.
    #[schema(value_type = String, format = "uuid")]
    id: PasskeyId,
    /// What the admin calls it.
    name: String,
    /// When it was added.
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When somebody signed in with it.
    #[schema(required, value_type = Option<String>, format = "date-time")]
    last_used_at: Option<Timestamp>,
}

impl From<StoredPasskey> for ListedPasskey {
    fn from(stored: StoredPasskey) -> Self {
        let StoredPasskey { id, name, created_at, last_used_at, .. } = stored;
        Self { id, name, created_at, last_used_at }
    }
}

/// Lists the admin's own passkeys, the oldest first.
#[utoipa::path(
    get, path = "/auth/passkeys", tag = "Passkeys", operation_id = "listPasskeys", security(("adminSession" = [])),
    responses(
        (status = 200, description = "The passkeys", body = Vec<ListedPasskey>),
        (status = 400, description = "The query has parameters", body = ContentErrorBody),
        (status = 401, description = "There is no session", body = ContentErrorBody),
        (status = 403, description = "A second factor is missing", body = ContentErrorBody),
    )
)]
pub async fn list(State(door): State<Door>, session: PresentedSession, query: Query) -> Result<Answer, Problem> {
    door.read_by_admin(session, "passkeys.list", move |tx, admin| {
        query.read_none()?;
        let listed = passkeys::list(tx, admin.user_id)?.into_iter().map(ListedPasskey::from);
        Ok(Answer::ok(&listed.collect::<Vec<_>>()))
    })
    .await
}
