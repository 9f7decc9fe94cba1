//! A registration with the status of its workspace: both decide whether a platform may launch, pick and hand in.

use kernel::id::RegistrationId;
use lti::{LoginRequest, Reason, Refusal};
use store::{Group as _, Record as _, Row, StoreError, Tx, sql};

use super::registrations::{Registration, Status};
use crate::workspaces::Status as WorkspaceStatus;

/// A registration with the status of its workspace.
#[derive(Clone, Debug)]
pub(crate) struct GuardedRegistration {
    pub(super) registration: Registration,
    workspace_status: WorkspaceStatus,
}

impl GuardedRegistration {
    /// The registration with an ID.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn find(tx: &mut Tx<'_>, id: RegistrationId) -> Result<Option<Self>, StoreError> {
        sql!(
            "SELECT {Registration::*}, (SELECT w.status FROM workspace w WHERE w.id = workspace_id)
             FROM lti_registration WHERE id = {id}"
        )
        .find(tx, Self::from_row)
    }

    /// The registration with an ID, where it is active and its workspace too.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(crate) fn find_active(tx: &mut Tx<'_>, id: RegistrationId) -> Result<Option<Registration>, StoreError> {
        let found = Self::find(tx, id)?.filter(|guarded| guarded.check().is_ok());
        Ok(found.map(|guarded| guarded.registration))
    }

    /// The registrations that a login may mean: two of them are as ambiguous as more.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub(super) fn meant_by(tx: &mut Tx<'_>, login: &LoginRequest) -> Result<Vec<Self>, StoreError> {
        let issuer = &login.issuer;
        if let Some(client_id) = &login.client_id {
            return sql!(
                "SELECT {Registration::*}, (SELECT w.status FROM workspace w WHERE w.id = workspace_id)
                 FROM lti_registration WHERE issuer = {issuer} AND client_id = {client_id}"
            )
            .query(tx, Self::from_row);
        }
        let of_issuer = sql!(
            "SELECT {Registration::*}, (SELECT w.status FROM workspace w WHERE w.id = workspace_id)
             FROM lti_registration WHERE issuer = {issuer} LIMIT 2"
        )
        .query(tx, Self::from_row)?;
        let (2.., Some(deployment)) = (of_issuer.len(), &login.deployment_id) else { return Ok(of_issuer) };
        sql!(
            "SELECT {Registration::*}, (SELECT w.status FROM workspace w WHERE w.id = workspace_id)
             FROM lti_registration WHERE issuer = {issuer} AND id IN
                 (SELECT registration_id FROM lti_deployment WHERE deployment_id = {deployment}) LIMIT 2"
        )
        .query(tx, Self::from_row)
    }

    fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {
        Ok(Self { registration: Registration::from_row(row)?, workspace_status: row.get(Registration::COUNT)? })
    }

    /// Whether the registration may launch.
    ///
    /// # Errors
    /// [`Reason::SuspendedWorkspace`] and [`Reason::InactivePlatform`].
    pub(super) fn check(&self) -> Result<(), Refusal> {
        match (self.workspace_status, self.registration.status) {
            (WorkspaceStatus::Suspended, _) => Err(Reason::SuspendedWorkspace.into()),
            (_, Status::Inactive) => Err(Reason::InactivePlatform.into()),
            (WorkspaceStatus::Active, Status::Active) => Ok(()),
        }
    }
}
