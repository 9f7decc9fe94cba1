//! `GET /v1/content/organizations/{organizationId}/audit-log`: what was changed in an organization, for its admins.

use axum::extract::State;
use edge::answer::Answer;
use edge::audit::{AuditFilter, AuditLogPage, read_page};
use edge::params::Params;
use edge::problem::Problem;
use edge::query::Query;
use edge::sessions::PresentedSession;

use crate::Content;

/// Lists the changes that people made by sessions and the settings that keys changed, newest first.
///
/// Bodies and secrets are in no entry. A page may have fewer changes than `limit`, or none, and a next one: a request looks
/// at 10,000 entries at most.
#[utoipa::path(
    get, path = "/v1/content/organizations/{organizationId}/audit-log", tag = "Organizations",
    operation_id = "listOrganizationAuditLog", security(("adminSession" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Changes on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "Where to go on: the `nextCursor` of the last page", min_length = 1, max_length = 200),
        ("createdAfter" = Option<String>, Query, description = "Only changes after this instant", format = DateTime),
        ("createdBefore" = Option<String>, Query, description = "Only changes before this instant", format = DateTime),
        ("userId" = Option<String>, Query, description = "Only changes of this person", format = Uuid),
        ("keyId" = Option<String>, Query, description = "Only changes of this API key", format = Uuid),
        ("operation" = Option<String>, Query, description = "Only changes by this operation, such as `rotateApiKey`", min_length = 1, max_length = 100),
    ),
    responses((status = 200, description = "A page of the log", body = AuditLogPage))
)]
pub async fn list(
    State(content): State<Content>,
    session: PresentedSession,
    Params(organization): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    let cursors = content.cursors.clone();
    content
        .door
        .read_by_admin(session, "audit_log.list", move |tx, admin| {
            let organization = admin.manages(tx, &organization)?;
            let filter = query.read(AuditFilter::read)?;
            let filter = AuditFilter { organization: Some(organization), ..filter };
            Ok(Answer::ok(&read_page(tx, &cursors, &organization.to_string(), &filter)?))
        })
        .await
}
