//! Writes the entries.

use std::any::Any;

use kernel::id::{AuditEntryId, KeyId, OrganizationId, SessionId, UserId, WorkspaceId};
use serde::Deserialize;
use store::{StoreError, Tx, sql};
use uuid::Uuid;

use super::request::Makes;
use super::{AuditEntry, AuditedRequest};
use crate::answer::Answer;
use crate::context::RequestContext;

/// The longest answer that is read for the id of what was made.
const LONGEST_ANSWER_BYTES: usize = 64 * 1024;
/// The author of a change.
#[derive(Clone, Debug)]
pub(crate) enum Changer {
    /// A person, by a session. `owner` is the organization whose key the session stands for.
    Session { user: UserId, session: Option<SessionId>, owner: Option<String> },
    /// The holder of a key of an organization or a workspace, as the key's surface says.
    Key { key: KeyId, owner: String, surface: &'static str },
}

/// A change by a person without a session: by default, of their account.
#[derive(Clone, Copy, Debug, Default)]
pub struct PersonalChange {
    /// The session that was opened.
    pub session: Option<SessionId>,
    /// The organization that the person joined.
    pub organization: Option<OrganizationId>,
}

/// Enters a change into the log, in the transaction that made it. A request is entered once, however many transactions it
/// has and however often they run. What a key does is entered where the operation administers something.
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn record<T: 'static>(
    tx: &mut Tx<'_>,
    request: &AuditedRequest,
    context: &RequestContext,
    changer: &Changer,
    outcome: &T,
) -> Result<(), StoreError> {
    let answer = (outcome as &dyn Any).downcast_ref::<Answer>();
    if answer.is_some_and(|answer| answer.is_replay) {
        return Ok(());
    }
    let (user_id, session_id, key_id) = match changer {
        Changer::Session { user, session, .. } => (Some(*user), *session, None),
        Changer::Key { .. } if !request.operation.is_administrative => return Ok(()),
        Changer::Key { key, .. } => (None, None, Some(*key)),
    };
    let (organization, workspace) = owners(changer);
    let made = answer.and_then(made_id);
    let made_owner = |makes| made.filter(|_| request.makes == makes);
    let entry = AuditEntry {
        id: *context.audit_entry.get_or_init(|| tx.ambient().id()),
        user_id,
        session_id,
        key_id,
        operation: request.operation.id.clone(),
        organization_id: request.organization().or(made_owner(Makes::Organization).map(Into::into)).or(organization),
        workspace_id: request.workspace().or(made_owner(Makes::Workspace).map(Into::into)).or(workspace),
        resource_id: made.or(request.resource).map(|id| id.to_string()),
        request_id: context.request_id.to_str().ok().map(str::to_owned),
        created_at: tx.now(),
    };
    insert(tx, &entry)
}

/// Enters what a person changed without a session: by a link that was sent to them, or by signing in.
///
/// # Errors
/// Any [`StoreError`].
pub fn record_of_person(
    tx: &mut Tx<'_>,
    operation: &str,
    user: UserId,
    about: &PersonalChange,
) -> Result<(), StoreError> {
    let PersonalChange { session, organization } = *about;
    let resource = session.map(|id| id.to_string()).or(organization.map(|id| id.to_string()));
    let entry = AuditEntry {
        id: tx.ambient().id(),
        user_id: Some(user),
        session_id: session,
        key_id: None,
        operation: operation.to_owned(),
        organization_id: organization,
        workspace_id: None,
        resource_id: resource,
        request_id: None,
        created_at: tx.now(),
    };
    insert(tx, &entry)
}

fn owners(changer: &Changer) -> (Option<OrganizationId>, Option<WorkspaceId>) {
    match changer {
        Changer::Session { owner, .. } => (owner.as_ref().and_then(|owner| owner.parse().ok()), None),
        Changer::Key { owner, surface: "content", .. } => (owner.parse().ok(), None),
        Changer::Key { owner, .. } => (None, owner.parse().ok()),
    }
}

/// The id of what a request made, as its answer has it.
fn made_id(answer: &Answer) -> Option<Uuid> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Made {
        id: Option<Uuid>,
        key_id: Option<Uuid>,
    }
    let is_creation = matches!(answer.status.as_u16(), 201 | 202);
    let text = Some(&answer.body).filter(|text| is_creation && text.len() <= LONGEST_ANSWER_BYTES)?;
    let made: Made = serde_json::from_str(text).ok()?;
    made.id.or(made.key_id)
}

fn insert(tx: &mut Tx<'_>, entry: &AuditEntry) -> Result<(), StoreError> {
    let id: AuditEntryId = entry.id;
    sql!(
        "INSERT INTO audit_entry (id, user_id, session_id, key_id, operation, organization_id, workspace_id, resource_id,
            request_id, created_at)
         VALUES ({id}, {entry.user_id}, {entry.session_id}, {entry.key_id}, {entry.operation}, {entry.organization_id},
            {entry.workspace_id}, {entry.resource_id}, {entry.request_id}, {entry.created_at})
         ON CONFLICT (id) DO NOTHING"
    )
    .execute_later(tx)
}
