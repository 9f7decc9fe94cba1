//! `GET /v1/platform/admin/audit-log`: what was changed in the whole service, for operators.

use axum::extract::State;
use edge::answer::Answer;
use edge::audit::{AuditFilter, AuditLogPage, read_page};
use edge::problem::Problem;
use edge::query::Query;

use crate::Platform;
use crate::callers::{self, Credential};

/// Lists the changes that people made by sessions and the settings that keys changed, newest first.
///
/// Sign-ins are among them. Bodies and secrets are in no entry. A page may have fewer changes than `limit`, or none, and a
/// next one: a request looks at 10,000 entries at most.
#[utoipa::path(
    get, path = "/v1/platform/admin/audit-log", tag = "Operations", operation_id = "listAuditLog",
    params(
        ("limit" = Option<u32>, Query, description = "Changes on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "Where to go on: the `nextCursor` of the last page", min_length = 1, max_length = 200),
        ("createdAfter" = Option<String>, Query, description = "Only changes after this instant", format = DateTime),
        ("createdBefore" = Option<String>, Query, description = "Only changes before this instant", format = DateTime),
        ("userId" = Option<String>, Query, description = "Only changes of this person", format = Uuid),
        ("keyId" = Option<String>, Query, description = "Only changes of this API key", format = Uuid),
        ("operation" = Option<String>, Query, description = "Only changes by this operation, such as `rotateApiKey`", min_length = 1, max_length = 100),
        ("organizationId" = Option<String>, Query, description = "Only changes that concern this organization", format = Uuid),
        ("workspaceId" = Option<String>, Query, description = "Only changes that concern this workspace", format = Uuid),
    ),
    responses((status = 200, description = "A page of the log", body = AuditLogPage))
)]
pub async fn list(State(platform): State<Platform>, credential: Credential, query: Query) -> Result<Answer, Problem> {
    let cursors = platform.cursors.clone();
    callers::read(&platform.door, credential, "audit_log.list", move |tx, caller| {
        caller.manages_the_service()?;
        let filter = query.read(AuditFilter::read_all)?;
        Ok(Answer::ok(&read_page(tx, &cursors, "of everything", &filter)?))
    })
    .await
}

#[cfg(test)]
mod tests;
