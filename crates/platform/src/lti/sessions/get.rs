//! `GET /v1/platform/lti/sessions/{id}`: beyond the document, what a platform said with a launch.

use axum::extract::State;
use edge::answer::Answer;
use edge::openapi::AnyObject;
use edge::params::Params;
use edge::problem::Problem;
use kernel::id::{LaunchId, RegistrationId, WorkspaceId};
use kernel::json::JsonText;
use kernel::time::Timestamp;
use lti::ags::GradeService;
use serde::Serialize;

use super::LaunchSession;
use crate::Platform;
use crate::callers::{self, Credential};

/// A launch that was validated.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LtiLaunchSession)]
pub struct LaunchSessionView {
    /// Its ID, which the launch brought to your address as `ltiLaunchSessionId`.
    id: LaunchId,
    /// The registration of the platform.
    lti_registration_id: RegistrationId,
    /// The workspace of the registration.
    platform_workspace_id: WorkspaceId,
    /// `LtiResourceLinkRequest`, or `LtiDeepLinkingRequest` where a teacher picked content.
    #[schema(example = "LtiResourceLinkRequest")]
    message_type: String,
    /// The place of the platform that the tool is deployed in.
    #[schema(example = "1")]
    deployment_id: String,
    /// Where the link leads.
    target_link_uri: String,
    /// Who launched, as the platform names them; null for an anonymous launch.
    #[schema(required, example = "29123")]
    user_id: Option<String>,
    /// What the user may do in the course, as URIs.
    #[schema(example = json!(["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"]))]
    roles: Vec<String>,
    /// The link in the course; null for deep linking.
    #[schema(required, example = "link-12")]
    resource_link_id: Option<String>,
    /// Its title.
    #[schema(required, example = "Photosynthesis")]
    resource_link_title: Option<String>,
    /// The course.
    #[schema(required, example = "course-3")]
    context_id: Option<String>,
    /// Its title.
    #[schema(required, example = "Biology 7b")]
    context_title: Option<String>,
    /// The custom parameters of the link or the tool.
    #[schema(value_type = AnyObject)]
    custom: JsonText,
    /// The language of the platform, a BCP 47 tag.
    #[schema(required, example = "en-GB")]
    locale: Option<String>,
    /// Where the user may return to.
    #[schema(required)]
    return_url: Option<String>,
    /// The gradebook; null where the launch offered none.
    #[schema(required)]
    grades: Option<Grades>,
    /// Whether the launch offered the roster of the course.
    has_roster: bool,
    /// When the launch was validated.
    created_at: Timestamp,
}

/// The gradebook that a launch offered (Assignment and Grade Services 2.0).
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LtiGradeService)]
struct Grades {
    /// What the platform lets this service do, as URIs.
    #[schema(example = json!(["https://purl.imsglobal.org/spec/lti-ags/scope/score"]))]
    scopes: Vec<String>,
    /// The address of all columns of the course.
    #[schema(required, format = "uri")]
    line_items: Option<String>,
    /// The address of the one column of the link, where there is just one.
    #[schema(required, format = "uri")]
    line_item: Option<String>,
}

impl From<GradeService> for Grades {
    fn from(service: GradeService) -> Self {
        Self {
            scopes: service.scope,
            line_items: service.lineitems.map(Into::into),
            line_item: service.lineitem.map(Into::into),
        }
    }
}

impl From<LaunchSession> for LaunchSessionView {
    fn from(session: LaunchSession) -> Self {
        Self {
            id: session.id,
            lti_registration_id: session.registration_id,
            platform_workspace_id: session.workspace_id,
            message_type: session.message_type,
            deployment_id: session.deployment_id,
            target_link_uri: session.target_link_uri,
            user_id: session.user_id,
            roles: session.roles,
            resource_link_id: session.resource_link_id,
            resource_link_title: session.resource_link_title,
            context_id: session.context_id,
            context_title: session.context_title,
            custom: session.custom,
            locale: session.locale,
            return_url: session.return_url,
            has_roster: session.roster.is_some(),
            grades: session.grades.map(Grades::from),
            created_at: session.created_at,
        }
    }
}

/// One launch session: who launched what, from which course, and what the platform offers with it.
///
/// The launch leads to the registration's `metadata.launchUrl` with `ltiLaunchSessionId` in the query. An evaluation that names
/// the session in `clientMetadata.ltiLaunchSessionId` sends its score to the gradebook. A session ends with its registration.
#[utoipa::path(
    get, path = "/v1/platform/lti/sessions/{id}", tag = "LTI", operation_id = "getLtiLaunchSession",
    responses((status = 200, description = "The launch session", body = LaunchSessionView))
)]
pub async fn get(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "lti_sessions.get", move |tx, caller| {
        let session = LaunchSession::load(tx, caller, &id)?;
        Ok(Answer::ok(&LaunchSessionView::from(session)))
    })
    .await
}

#[cfg(test)]
mod tests {
    use lti::ags::{SCOPE_LINE_ITEM, SCOPE_SCORE};
    use lti::claims;
    use serde_json::{Value, json};
    use testkit::lms::{DEPLOYMENT, TARGET};
    use testkit::{TestStore, both_stores};

    use crate::lti::tests::Stage;
    use crate::testing::{REGISTRATIONS, SESSIONS};

    #[both_stores]
    async fn a_session_shows_what_the_platform_said_and_offers(test: TestStore) {
        let stage = Stage::new(test).await;
        let login = stage.login().await;
        let mut claims = stage.claims(&login);
        claims[claims::CUSTOM] = json!({ "chapter": "3", "seats": 28 });
        claims[claims::NRPS_SERVICE] = stage.lms.roster_service();
        let session = stage.launch(&login, &claims).await.unwrap().session;
        let path = format!("{SESSIONS}/{}", session.id);
        let shown = stage.app.get(&path).key(&stage.tenant.key).send().await.expect(200);
        let issuer = stage.lms.issuer();
        let expected = json!({
            "id": session.id, "ltiRegistrationId": stage.registration, "platformWorkspaceId": stage.tenant.workspace,
            "messageType": "LtiResourceLinkRequest", "deploymentId": DEPLOYMENT, "targetLinkUri": TARGET,
            "userId": "learner-7", "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
            "resourceLinkId": "link-1", "resourceLinkTitle": "Photosynthesis", "contextId": "course-1",
            "contextTitle": "Biology", "custom": { "chapter": "3", "seats": 28 }, "locale": "en-GB",
            "returnUrl": format!("{issuer}/course/1"),
            "grades": {
                "scopes": [SCOPE_LINE_ITEM, SCOPE_SCORE], "lineItems": format!("{issuer}/lineitems"),
                "lineItem": format!("{issuer}/lineitems/1"),
            },
            "hasRoster": true, "createdAt": "2026-01-02T03:04:05.000Z",
        });
        assert_eq!(shown, expected);
        let operator = stage.app.operator("o@example.com").await;
        assert_eq!(stage.app.get(&path).cookie(&operator).send().await.expect(200), expected);
    }

    #[both_stores]
    async fn what_the_platform_did_not_say_is_null(test: TestStore) {
        let stage = Stage::new(test).await;
        let login = stage.login().await;
        let mut claims = stage.claims(&login);
        let members = claims.as_object_mut().unwrap();
        for claim in ["sub", claims::CONTEXT, claims::LAUNCH_PRESENTATION, claims::AGS_ENDPOINT] {
            members.shift_remove(claim);
        }
        let session = stage.launch(&login, &claims).await.unwrap().session;
        let path = format!("{SESSIONS}/{}", session.id);
        let shown = stage.app.get(&path).key(&stage.tenant.key).send().await.expect(200);
        for member in ["userId", "contextId", "contextTitle", "locale", "returnUrl", "grades"] {
            assert_eq!(shown[member], Value::Null, "{member}");
        }
        assert_eq!((&shown["custom"], &shown["hasRoster"]), (&json!({}), &json!(false)));
    }

    #[both_stores]
    async fn a_session_is_its_workspaces_own_and_ends_with_its_registration(test: TestStore) {
        let stage = Stage::new(test).await;
        let path = format!("{SESSIONS}/{}", stage.launch_well().await.session.id);
        let other = stage.app.tenant("hillside").await;
        stage.app.get(&path).key(&other.key).send().await.expect(404);
        stage.app.get(&path).key(&stage.tenant.key).send().await.expect(200);
        let registration = format!("{REGISTRATIONS}/{}", stage.registration);
        stage.app.delete(&registration).key(&stage.tenant.key).send().await.expect(200);
        stage.app.get(&path).key(&stage.tenant.key).send().await.expect(404);
    }
}
