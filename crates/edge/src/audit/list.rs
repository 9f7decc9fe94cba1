//! Reads the log, newest first: one index leads, other filters are decided row by row over a bounded number of rows.

use kernel::id::{AuditEntryId, KeyId, OrganizationId, SessionId, UserId, WorkspaceId};
use kernel::time::Timestamp;
use serde::Serialize;
use store::{Group as _, StoreError, Tx, sql};

use super::AuditEntry;
use crate::cursor::{CursorQuery, Cursors, MOST_SCANNED, Position, Span, cut};
use crate::problem::Problem;
use crate::query::{Parameters, id, text};

/// No operation has a longer name.
const LONGEST_OPERATION: usize = 100;

/// Which entries are asked for.
#[derive(Clone, Debug)]
pub struct AuditFilter {
    /// The page, and the time.
    pub page: CursorQuery,
    /// Only changes of this person.
    pub user: Option<UserId>,
    /// Only changes of this key.
    pub key: Option<KeyId>,
    /// Only changes by this operation.
    pub operation: Option<String>,
    /// Only changes that concern this organization.
    pub organization: Option<OrganizationId>,
    /// Only changes that concern this workspace.
    pub workspace: Option<WorkspaceId>,
}

impl AuditFilter {
    /// Reads `limit`, `cursor`, `createdAfter`, `createdBefore`, `userId`, `keyId` and `operation`: what narrows every log.
    pub fn read(parameters: &mut Parameters<'_>) -> Option<Self> {
        let page = CursorQuery::read(parameters);
        let user = parameters.optional("userId", id::<UserId>);
        let key = parameters.optional("keyId", id::<KeyId>);
        let operation = parameters.optional("operation", text(1..=LONGEST_OPERATION));
        Some(Self { page: page?, user: user?, key: key?, operation: operation?, organization: None, workspace: None })
    }

    /// The same, with `organizationId` and `workspaceId`: for those who see the whole service.
    pub fn read_all(parameters: &mut Parameters<'_>) -> Option<Self> {
        let filter = Self::read(parameters);
        let organization = parameters.optional("organizationId", id::<OrganizationId>);
        let workspace = parameters.optional("workspaceId", id::<WorkspaceId>);
        Some(Self { organization: organization?, workspace: workspace?, ..filter? })
    }

    fn count(&self) -> usize {
        let given = [
            self.user.is_some(),
            self.key.is_some(),
            self.operation.is_some(),
            self.organization.is_some(),
            self.workspace.is_some(),
        ];
        given.into_iter().filter(|is_given| *is_given).count()
    }
}

/// A change of the log.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditedChange {
    /// The entry.
    #[schema(value_type = String, format = Uuid)]
    pub id: AuditEntryId,
    /// When it was.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// The operation's id in the API document, or `signIn`.
    #[schema(example = "rotateApiKey")]
    pub operation: String,
    /// The person who made it by a session.
    #[schema(value_type = Option<String>, required, format = Uuid)]
    pub user_id: Option<UserId>,
    /// The person's e-mail address, while there is an account.
    #[schema(required, format = "email")]
    pub user_email: Option<String>,
    /// The session.
    #[schema(value_type = Option<String>, required, format = Uuid)]
    pub session_id: Option<SessionId>,
    /// The API key that made it.
    #[schema(value_type = Option<String>, required, format = Uuid)]
    pub key_id: Option<KeyId>,
    /// The first characters of that key.
    #[schema(required, example = "svc_platform_4c9d")]
    pub key_prefix: Option<String>,
    /// The organization that it concerns.
    #[schema(value_type = Option<String>, required, format = Uuid)]
    pub organization_id: Option<OrganizationId>,
    /// The workspace that it concerns.
    #[schema(value_type = Option<String>, required, format = Uuid)]
    pub workspace_id: Option<WorkspaceId>,
    /// What was changed or made.
    #[schema(required, format = Uuid)]
    pub resource_id: Option<String>,
    /// The request, as the log of the service names it.
    #[schema(required)]
    pub request_id: Option<String>,
}

/// A part of the audit log.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditLogPage {
    /// The changes, newest first.
    pub items: Vec<AuditedChange>,
    /// The `cursor` of the next page; null at the end of the log.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// A page of the log, with the cursor of the next one. `whose` names the log: a cursor belongs to it alone.
///
/// # Errors
/// 400 for a cursor of another log; any [`StoreError`].
pub fn read_page(
    tx: &mut Tx<'_>,
    cursors: &Cursors,
    whose: &str,
    filter: &AuditFilter,
) -> Result<AuditLogPage, Problem> {
    let list = format!("audit log {whose}");
    let span = filter.page.span(cursors, &list)?;
    let (items, next) = page(tx, filter, span)?;
    Ok(AuditLogPage { items, next_cursor: next.map(|next| cursors.write(&list, &next)) })
}

/// The condition that an index serves, for the most selective filter.
macro_rules! over {
    ($filter:ident, $statement:ident) => {
        match $filter {
            AuditFilter { organization: Some(_), .. } => $statement!("organization_id = {filter.organization}"),
            AuditFilter { workspace: Some(_), .. } => $statement!("workspace_id = {filter.workspace}"),
            AuditFilter { user: Some(_), .. } => $statement!("user_id = {filter.user}"),
            AuditFilter { key: Some(_), .. } => $statement!("key_id = {filter.key}"),
            AuditFilter { operation: Some(_), .. } => $statement!("operation = {filter.operation}"),
            _ => $statement!("1 = 1"),
        }
    };
}

/// The changes of a page, and where the next one goes on.
///
/// # Errors
/// Any [`StoreError`].
pub fn page(
    tx: &mut Tx<'_>,
    filter: &AuditFilter,
    span: Span,
) -> Result<(Vec<AuditedChange>, Option<Position>), StoreError> {
    // One filter leads: it has an index.
    let is_filtered = filter.count() > 1;
    let scanned_to = if is_filtered { last_scanned(tx, filter, &span.from)? } else { None };
    let end = scanned_to.filter(|row| *row >= span.to);
    let Span { from, to } = span.up_to(end.as_ref());
    let one_more = i64::try_from(filter.page.limit + 1).unwrap_or(i64::MAX);
    macro_rules! page {
        ($condition:literal) => {
            sql!(
                "SELECT {AuditEntry::*}, (SELECT u.email FROM admin_user u WHERE u.id = audit_entry.user_id),
                    (SELECT k.prefix FROM api_key k WHERE k.id = audit_entry.key_id)
                 FROM audit_entry WHERE " $condition "
                    AND (created_at, id) < ({from.created_at}, {from.id})
                    AND (created_at, id) >= ({to.created_at}, {to.id})
                    AND (CAST({filter.user} AS TEXT) IS NULL OR user_id = {filter.user})
                    AND (CAST({filter.key} AS TEXT) IS NULL OR key_id = {filter.key})
                    AND (CAST({filter.operation} AS TEXT) IS NULL OR operation = {filter.operation})
                    AND (CAST({filter.organization} AS TEXT) IS NULL OR organization_id = {filter.organization})
                    AND (CAST({filter.workspace} AS TEXT) IS NULL OR workspace_id = {filter.workspace})
                 ORDER BY created_at DESC, id DESC LIMIT {one_more}"
            )
            .query(tx, |row| {
                let entry = AuditEntry::read_at(row, 0)?;
                Ok(entry.into_change(row.get(AuditEntry::COUNT)?, row.get(AuditEntry::COUNT + 1)?))
            })?
        };
    }
    let mut found = over!(filter, page);
    let position = |change: &AuditedChange| Position { created_at: change.created_at, id: change.id.to_string() };
    let next = cut(&mut found, filter.page.limit, end, position);
    Ok((found, next))
}

/// The last row that a request looks at; `None` where the log ends before.
fn last_scanned(tx: &mut Tx<'_>, filter: &AuditFilter, from: &Position) -> Result<Option<Position>, StoreError> {
    let passed = i64::try_from(MOST_SCANNED - 1).unwrap_or(i64::MAX);
    macro_rules! last_scanned {
        ($condition:literal) => {
            sql!(
                "SELECT created_at, id FROM audit_entry WHERE " $condition "
                    AND (created_at, id) < ({from.created_at}, {from.id})
                 ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET {passed}"
            )
            .find(tx, Position::from_row)
        };
    }
    over!(filter, last_scanned)
}

impl AuditEntry {
    fn into_change(self, user_email: Option<String>, key_prefix: Option<String>) -> AuditedChange {
        AuditedChange {
            id: self.id,
            created_at: self.created_at,
            operation: self.operation,
            user_id: self.user_id,
            user_email,
            session_id: self.session_id,
            key_id: self.key_id,
            key_prefix,
            organization_id: self.organization_id,
            workspace_id: self.workspace_id,
            resource_id: self.resource_id,
            request_id: self.request_id,
        }
    }
}
