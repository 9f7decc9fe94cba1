//! Who calls: the holder of a platform key, who acts on the key's own workspace, or an operator by session, who acts
//! on all of them. A key that an operator minted with the scope `platform:admin` manages the service as an operator does.
//! Operations on grades are also for the members of the organization that a workspace belongs to, as far as their role goes.

use std::convert::Infallible;
use std::marker::PhantomData;

use axum::extract::{FromRef, FromRequestParts};
use edge::admins::{Admin, Role, members};
use edge::audit::AuditNote;
use edge::door::{Access, Door, KeyCaller};
use edge::keys::{KeySurface, PresentedKey};
use edge::problem::Problem;
use edge::sessions::PresentedSession;
use http::header::AUTHORIZATION;
use http::request::Parts;
use kernel::id::{KeyId, UserId, WorkspaceId};
use store::Tx;

use crate::credentials::PlatformKeys;

const NOT_AN_OPERATOR: Problem = Problem::Forbidden("This needs an operator, or a key with the scope platform:admin.");
const NO_SUCH_ROLE: Problem = Problem::Forbidden(
    "This needs an operator, a platform key, or a role in the workspace's organization that includes it.",
);
const NO_SUCH_WORKSPACE: Problem = Problem::NotFound("Workspace");

/// A credential that a request carries, not yet looked up. A key counts before a session: who sends both means the key.
pub enum Credential<S = PlatformKeys> {
    /// A platform key.
    Key(PresentedKey<S>),
    /// An admin's session, and the sessions that may call the operation.
    Session(PresentedSession, Sessions, PhantomData<S>),
}

/// The sessions that may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sessions {
    /// Those of operators.
    Operators,
    /// Those of members of the workspace's organization, too, whose role is this one or includes it.
    Members(Role),
}

impl<S> Credential<S> {
    /// The same for an operation that is also for those who review the grades of an organization's active workspaces.
    #[must_use]
    pub fn or_reviewer(self) -> Self {
        self.or_member(Role::Reviewer)
    }

    /// The same for an operation that is also for the teachers of an organization, on its active workspaces.
    #[must_use]
    pub fn or_teacher(self) -> Self {
        self.or_member(Role::Teacher)
    }

    fn or_member(self, needed: Role) -> Self {
        match self {
            Self::Session(session, _, surface) => Self::Session(session, Sessions::Members(needed), surface),
            key @ Self::Key(_) => key,
        }
    }
}

/// For an operation of several transactions: the request is counted once all the same.
impl<S> Clone for Credential<S> {
    fn clone(&self) -> Self {
        match self {
            Self::Key(key) => Self::Key(key.clone()),
            Self::Session(session, sessions, surface) => Self::Session(session.clone(), *sessions, *surface),
        }
    }
}

impl<S: KeySurface, State: Send + Sync> FromRequestParts<State> for Credential<S>
where
    Door: FromRef<State>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Problem> {
        if !parts.headers.contains_key(AUTHORIZATION)
            && let Some(session) = PresentedSession::find(parts, state).await?
        {
            return Ok(Self::Session(session, Sessions::Operators, PhantomData));
        }
        PresentedKey::from_request_parts(parts, state).await.map(Self::Key)
    }
}

/// Who called, inside a transaction.
#[derive(Clone, Debug)]
pub enum Caller {
    /// The holder of a key.
    Key {
        /// The key.
        key_id: KeyId,
        /// The key's workspace.
        workspace: WorkspaceId,
        /// Whether the key has the scope `platform:admin`.
        is_service_admin: bool,
        /// Takes the workspace that the request concerns, for the audit log.
        note: AuditNote,
    },
    /// A signed-in operator, and what takes the workspace that the request concerns.
    Operator(UserId, AuditNote),
    /// A signed-in member of organizations.
    Member {
        /// Who.
        user: UserId,
        /// The active workspaces of organizations in which the member has the role that the operation needs; at least one.
        workspaces: Vec<WorkspaceId>,
        /// Takes the workspace that the request concerns, for the audit log.
        note: AuditNote,
    },
}

impl Caller {
    fn of_key(caller: &KeyCaller, note: &AuditNote) -> Result<Self, Problem> {
        Ok(Self::Key {
            key_id: caller.key_id.ok_or(NOT_AN_OPERATOR)?,
            workspace: caller.owner_id.parse().map_err(Problem::unexpected)?,
            is_service_admin: caller.is_service_admin,
            note: note.clone(),
        })
    }

    fn of_admin(tx: &mut Tx<'_>, admin: &Admin, sessions: Sessions, note: &AuditNote) -> Result<Self, Problem> {
        let (user, note) = (admin.user_id, note.clone());
        if admin.is_operator {
            return Ok(Self::Operator(user, note));
        }
        let Sessions::Members(needed) = sessions else { return Err(NOT_AN_OPERATOR) };
        let workspaces = members::workspaces_of(tx, user, needed)?;
        if workspaces.is_empty() { Err(NO_SUCH_ROLE) } else { Ok(Self::Member { user, workspaces, note }) }
    }

    /// Whether the caller may act on every workspace.
    pub fn is_service_admin(&self) -> bool {
        matches!(self, Self::Operator(..) | Self::Key { is_service_admin: true, .. })
    }

    /// Tells the audit log which workspace the request is about.
    fn note(&self, workspace: WorkspaceId) {
        let (Self::Key { note, .. } | Self::Operator(_, note) | Self::Member { note, .. }) = self;
        note.workspace(workspace);
    }

    /// Nothing, for who manages the whole service; 403 for everybody else.
    pub fn manages_the_service(&self) -> Result<(), Problem> {
        if self.is_service_admin() { Ok(()) } else { Err(NOT_AN_OPERATOR) }
    }

    /// Whether the caller may see a workspace and what is in it. What isn't theirs does not exist for them.
    pub fn sees(&self, workspace: WorkspaceId) -> bool {
        self.note(workspace);
        match self {
            Self::Key { workspace: own, .. } if *own == workspace => true,
            Self::Member { workspaces, .. } => workspaces.contains(&workspace),
            Self::Key { .. } | Self::Operator(..) => self.is_service_admin(),
        }
    }

    /// The workspace to act on: the one that the request names, else the key's own.
    ///
    /// # Errors
    /// 404 for a workspace that does not exist for the caller, 400 where the request names none and the caller has several.
    pub fn workspace(&self, tx: &mut Tx<'_>, named: Option<WorkspaceId>) -> Result<WorkspaceId, Problem> {
        match (self, named) {
            (Self::Key { workspace, .. }, None) => Ok(*workspace),
            (Self::Key { workspace, .. }, Some(named)) if *workspace == named => Ok(named),
            (Self::Member { workspaces, .. }, None) if workspaces.len() == 1 => Ok(workspaces[0]),
            (Self::Operator(..) | Self::Member { .. }, None) => Err(Problem::field("workspaceId", "is required")),
            (Self::Member { workspaces, note, .. }, Some(named)) if workspaces.contains(&named) => {
                note.workspace(named);
                Ok(named)
            }
            (_, Some(named)) if self.is_service_admin() => {
                let found = tx.find("SELECT 1 FROM workspace WHERE id = $1", &[&named], |_| Ok(()))?;
                self.note(named);
                found.map(|()| named).ok_or(NO_SUCH_WORKSPACE)
            }
            (_, Some(_)) => Err(NO_SUCH_WORKSPACE),
        }
    }

    /// [`Caller::workspace`], for work that costs it something: a suspended one gets none, whoever asks for it.
    ///
    /// # Errors
    /// As [`Caller::workspace`], and 403 for a suspended one.
    pub fn paying_workspace(&self, tx: &mut Tx<'_>, named: Option<WorkspaceId>) -> Result<WorkspaceId, Problem> {
        let workspace = self.workspace(tx, named)?;
        // The door has let in no key of a suspended workspace.
        let is_own = matches!(self, Self::Key { workspace: own, .. } if *own == workspace);
        if is_own {
            return Ok(workspace);
        }
        let find = "SELECT 1 FROM workspace WHERE id = $1 AND status = 'ACTIVE'";
        tx.find(find, &[&workspace], |_| Ok(workspace))?.ok_or(Problem::WorkspaceSuspended)
    }

    /// The key whose spending caps count what is done for a workspace: one of its own.
    pub fn paying_key(&self, paying: WorkspaceId) -> Option<KeyId> {
        match self {
            Self::Key { key_id, workspace, .. } if *workspace == paying => Some(*key_id),
            Self::Key { .. } | Self::Operator(..) | Self::Member { .. } => None,
        }
    }

    /// Whose idempotency keys these are: a workspace's, or a person's own.
    pub fn idempotency_scope(&self) -> String {
        match self {
            Self::Key { workspace, .. } => workspace.to_string(),
            Self::Operator(user, _) | Self::Member { user, .. } => user.to_string(),
        }
    }
}

/// A request as it was read; its faults where it is faulty, after the credential was judged.
///
/// # Errors
/// 401, 403 or 429 as the credential deserves, then the faults of the request.
pub async fn accept<S: KeySurface, T>(
    door: &Door,
    credential: &Credential<S>,
    name: &'static str,
    request: Result<T, Problem>,
) -> Result<T, Problem> {
    let Err(faults) = request else { return request };
    let refuse = move |_: &mut Tx<'_>, _: &Caller| Err::<Infallible, _>(faults.clone());
    let Err(problem) = read(door, credential.clone(), name, refuse).await;
    Err(problem)
}

/// Reads as whoever holds the credential.
///
/// # Errors
/// 401, 403 or 429 as the credential deserves, then whatever `read` fails with.
pub async fn read<S: KeySurface, T: Send + 'static>(
    door: &Door,
    credential: Credential<S>,
    name: &'static str,
    read: impl Fn(&mut Tx<'_>, &Caller) -> Result<T, Problem> + Send + Sync + 'static,
) -> Result<T, Problem> {
    act(Access::Read, door, credential, name, read).await
}

/// Writes as whoever holds the credential. Errors as [`read`]; an error rolls everything back.
pub async fn write<S: KeySurface, T: Send + 'static>(
    door: &Door,
    credential: Credential<S>,
    name: &'static str,
    write: impl Fn(&mut Tx<'_>, &Caller) -> Result<T, Problem> + Send + Sync + 'static,
) -> Result<T, Problem> {
    act(Access::Write, door, credential, name, write).await
}

/// Acts as whoever holds the credential. Errors as [`read`]; an error rolls everything back.
///
/// With [`Access::Claim`] each statement sees the newest rows: where many change the same balance at once, one waits for the
/// other instead of running again. What such a closure decides, a single statement or a unique index must decide.
pub async fn act<S: KeySurface, T: Send + 'static>(
    access: Access,
    door: &Door,
    credential: Credential<S>,
    name: &'static str,
    act: impl Fn(&mut Tx<'_>, &Caller) -> Result<T, Problem> + Send + Sync + 'static,
) -> Result<T, Problem> {
    match credential {
        Credential::Key(key) => {
            let note = key.audit_note();
            door.by_key(access, key, name, move |tx, key| act(tx, &Caller::of_key(key, &note)?)).await
        }
        Credential::Session(session, sessions, _) => {
            let note = session.audit_note();
            let act = move |tx: &mut Tx<'_>, admin: &Admin| {
                let caller = Caller::of_admin(tx, admin, sessions, &note)?;
                act(tx, &caller)
            };
            door.by_admin(access, session, name, act).await
        }
    }
}
