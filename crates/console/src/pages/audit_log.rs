//! The audit log: of the whole service for operators, and of an organization for its administrators.

mod operations;

use askama::Template;
use axum::response::IntoResponse as _;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

use super::Page;
use super::organizations::frame;
use crate::api::operations::{Change, ChangePage};
use crate::fields::{Fields, Filters};
use crate::format;
use crate::owner::Owner;
use crate::problem::ApiProblem;
use crate::shell::{Section, Shell};
use crate::visit::{Visit, page};

const FILTERS: [&str; 9] = [
    "limit",
    "cursor",
    "operation",
    "userId",
    "keyId",
    "organizationId",
    "workspaceId",
    "createdAfter",
    "createdBefore",
];
/// Changes of a page.
const LIMIT: &str = "50";
/// Changes of a page of the API, where all of them are read.
const MOST: &str = "100";
/// The most pages of the API that a file is made of: 5,000 changes.
const MOST_PAGES: usize = 50;

#[derive(Template)]
#[template(path = "audit_log.html")]
struct AuditLogPage {
    shell: Shell,
    changes: Vec<Change>,
    filters: Fields,
    /// The operations to choose from.
    operations: Vec<(String, String)>,
    home: String,
    csv: String,
    first: String,
    next: Option<String>,
    /// Whether the log is that of the whole service.
    is_whole: bool,
}

/// A log: where the API has it, and where its page is.
struct Log {
    operation: &'static str,
    path: String,
    home: String,
}

impl Log {
    fn whole() -> Self {
        let path = "/v1/platform/admin/audit-log".to_owned();
        Self { operation: "listAuditLog", path, home: "/console/operations/audit-log".to_owned() }
    }

    fn of(owner: &Owner) -> Self {
        let path = format!("/v1/content/organizations/{}/audit-log", owner.id);
        Self { operation: "listOrganizationAuditLog", path, home: owner.page("/audit-log") }
    }

    /// A page of the API. Dates are whole days of UTC, both included.
    async fn read(&self, visit: &Visit, filters: &Fields, limit: &str) -> Result<ChangePage, ApiProblem> {
        let at = |name: &str, clock: &str| filters.given(name).map(|day| format!("{day}T{clock}Z")).unwrap_or_default();
        // Both instants are exclusive.
        let (after, before) = (at("createdAfter", "00:00:00"), at("createdBefore", "23:59:59.999"));
        let asked = filters.clone().with("createdAfter", &after).with("createdBefore", &before).with("limit", limit);
        visit.read(self.operation, &format!("{}{}", self.path, asked.query(&FILTERS))).await
    }

    fn link(&self, rest: &str, filters: &Fields, cursor: &str) -> String {
        format!("{}{rest}{}", self.home, filters.clone().with("limit", "").with("cursor", cursor).query(&FILTERS))
    }

    async fn csv(&self, visit: &Visit, filters: Fields) -> Page {
        let mut text =
            "at,operation,user,userId,sessionId,keyPrefix,keyId,organizationId,workspaceId,resourceId,requestId\r\n"
                .to_owned();
        let mut filters = filters.with("cursor", "");
        let mut pages = 0;
        loop {
            let ChangePage { items, next_cursor } = self.read(visit, &filters, MOST).await?;
            items.iter().for_each(|change| text.push_str(&line(change)));
            let Some(next) = next_cursor else { break };
            pages += 1;
            if pages == MOST_PAGES {
                text.push_str(
                    "The file ends here. Older changes are left out; choose an earlier day as the last one.\r\n",
                );
                break;
            }
            filters = filters.with("cursor", &next);
        }
        let headers = [
            (CONTENT_TYPE, "text/csv; charset=utf-8"),
            (CONTENT_DISPOSITION, "attachment; filename=\"audit-log.csv\""),
        ];
        Ok((headers, text).into_response())
    }
}

fn line(change: &Change) -> String {
    let given = [Some(&change.created_at), Some(&change.operation)];
    let rest = [
        &change.user_email,
        &change.user_id,
        &change.session_id,
        &change.key_prefix,
        &change.key_id,
        &change.organization_id,
        &change.workspace_id,
        &change.resource_id,
        &change.request_id,
    ];
    let cells = given.into_iter().chain(rest.into_iter().map(Option::as_ref));
    let cells: Vec<_> = cells.map(|cell| format::csv_cell(cell.map_or("", String::as_str))).collect();
    format!("{}\r\n", cells.join(","))
}

/// The page of a log; `shell` has its frame.
fn log_page(shell: Shell, log: &Log, read: ChangePage, filters: Fields) -> AuditLogPage {
    AuditLogPage {
        shell,
        changes: read.items,
        operations: operations::choices(filters.get("operation")),
        home: log.home.clone(),
        csv: log.link(".csv", &filters, ""),
        first: log.link("", &filters, ""),
        next: read.next_cursor.map(|cursor| log.link("", &filters, &cursor)),
        is_whole: log.operation == "listAuditLog",
        filters,
    }
}

pub(crate) async fn whole(visit: Visit, Filters(filters): Filters) -> Page {
    let log = Log::whole();
    let read = log.read(&visit, &filters, LIMIT).await?;
    let shell = visit.shell("Audit log", Section::Operations).await?.with_operations("Audit log");
    Ok(page(&log_page(shell, &log, read, filters)))
}

pub(crate) async fn whole_csv(visit: Visit, Filters(filters): Filters) -> Page {
    Log::whole().csv(&visit, filters).await
}

pub(crate) async fn of_organization(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    let log = Log::of(&owner);
    let read = log.read(&visit, &filters, LIMIT).await?;
    let shell = frame(&visit, &owner, "Audit log", "Audit log").await?;
    Ok(page(&log_page(shell, &log, read, filters)))
}

pub(crate) async fn organization_csv(visit: Visit, owner: Owner, Filters(filters): Filters) -> Page {
    Log::of(&owner).csv(&visit, filters).await
}
