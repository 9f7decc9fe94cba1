//! `GET /v1/platform/lti/registrations/{id}/refusals`: beyond the document, the launch log of a learning platform.

use axum::extract::State;
use edge::answer::Answer;
use edge::openapi::AnyObject;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::Query;
use kernel::id::{RefusalId, RegistrationId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use lti::Reason;
use serde::Serialize;
use store::{Record as _, StoreError, Tx, sql};

use super::RefusalRow;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::registrations::Registration;

/// A login or a launch that was refused, for whoever manages the learning platform.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LtiRefusal)]
pub struct LaunchRefusal {
    /// Its id.
    id: RefusalId,
    /// The name of the reason, which never changes.
    #[schema(example = "audience")]
    reason: String,
    /// What is wrong.
    #[schema(example = "The ID token is not meant for this tool.")]
    message: &'static str,
    /// What to do about it.
    #[schema(example = "Compare the client ID of the registration with that of the platform.")]
    advice: &'static str,
    /// What the value should have been, where a value is wrong.
    #[schema(required)]
    expected: Option<String>,
    /// What it was: at most 500 characters.
    #[schema(required)]
    received: Option<String>,
    /// What the platform sent, without what identifies the user.
    #[schema(value_type = AnyObject)]
    sent: JsonText,
    /// When.
    created_at: Timestamp,
}

/// Lists the logins and launches of a learning platform that were refused, the newest first: the last 100.
#[utoipa::path(
    get, path = "/v1/platform/lti/registrations/{id}/refusals", tag = "LTI", operation_id = "listLtiRefusals",
    responses((status = 200, description = "The launch log", body = Vec<LaunchRefusal>))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "lti_refusals.list", move |tx, caller| {
        query.read_none()?;
        let registration = Registration::load(tx, caller, &id)?;
        Ok(Answer::ok(&newest(tx, registration.id)?))
    })
    .await
}

fn newest(tx: &mut Tx<'_>, registration: RegistrationId) -> Result<Vec<LaunchRefusal>, StoreError> {
    let rows = sql!(
        "SELECT {RefusalRow::*} FROM lti_refusal WHERE registration_id = {registration} ORDER BY created_at DESC, id DESC"
    )
    .query(tx, RefusalRow::from_row)?;
    Ok(rows.into_iter().map(LaunchRefusal::of).collect())
}

impl LaunchRefusal {
    fn of(row: RefusalRow) -> Self {
        let reason = Reason::ALL.iter().find(|reason| reason.code() == row.reason);
        Self {
            id: row.id,
            message: reason.map_or("", |reason| reason.sentence()),
            advice: reason.map_or("", |reason| reason.advice()),
            reason: row.reason,
            expected: row.expected,
            received: row.received,
            sent: row.sent,
            created_at: row.created_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testkit::lms::Lms;
    use testkit::{TestStore, both_stores};

    use crate::lti::tests::Stage;
    use crate::testing::REGISTRATIONS;

    #[both_stores]
    async fn the_log_says_what_is_wrong_what_to_do_and_what_came(test: TestStore) {
        let stage = Stage::new(test).await;
        let login = stage.login().await;
        let mut claims = stage.claims(&login);
        claims["aud"] = json!("tool-2");
        stage.launch(&login, &claims).await.unwrap_err();
        stage.app.test.clock.advance(std::time::Duration::from_secs(1));
        stage.launch_token(&login, Lms::other_key().sign(&claims)).await.unwrap_err();
        let path = format!("{REGISTRATIONS}/{}/refusals", stage.registration);
        let log = stage.app.get(&path).key(&stage.tenant.key).send().await.expect(200);
        let expected = json!({
            "id": log[1]["id"], "reason": "audience", "message": "The ID token is not meant for this tool.",
            "advice": "Compare the client ID of the registration with that of the platform.",
            "expected": "tool-1", "received": "tool-2", "sent": log[1]["sent"],
            "createdAt": "2026-01-02T03:04:05.000Z",
        });
        assert_eq!(log[1], expected);
        assert_eq!(log[1]["sent"]["id_token"]["aud"], "tool-2");
        assert_eq!((log.as_array().unwrap().len(), &log[0]["reason"]), (2, &json!("unknown_key")));
        let other = stage.app.tenant("hillside").await;
        stage.app.get(&path).key(&other.key).send().await.expect(404);
    }
}
