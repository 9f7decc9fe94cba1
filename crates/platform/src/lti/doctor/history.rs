//! What this service knows of the platform: whether it may launch, what its newest launch offered, and what was refused.

use kernel::id::{RegistrationId, WorkspaceId};
use lti::{Reason, nrps};
use store::{Record as _, Store, StoreError, Tx, sql};

use super::{Diagnosis, Severity};
use crate::lti::refusals::RefusalRow;
use crate::lti::registrations::{Registration, Status};
use crate::lti::sessions::LaunchSession;

/// Refused launches that are told.
const REFUSALS: u32 = 5;

pub(super) struct History {
    is_suspended: bool,
    newest: Option<LaunchSession>,
    /// Newest first.
    refusals: Vec<RefusalRow>,
}

impl History {
    pub(super) async fn read(
        store: &Store,
        registration: RegistrationId,
        workspace: WorkspaceId,
    ) -> Result<Self, StoreError> {
        store.read("lti_doctor.history", move |tx| Self::find(tx, registration, workspace)).await
    }

    fn find(tx: &mut Tx<'_>, registration: RegistrationId, workspace: WorkspaceId) -> Result<Self, StoreError> {
        let active =
            sql!("SELECT 1 FROM workspace WHERE id = {workspace} AND status = 'ACTIVE'").find(tx, |_| Ok(()))?;
        let newest = sql!(
            "SELECT {LaunchSession::*} FROM lti_launch WHERE registration_id = {registration}
             ORDER BY created_at DESC, id DESC LIMIT 1"
        )
        .find(tx, LaunchSession::from_row)?;
        let refusals = sql!(
            "SELECT {RefusalRow::*} FROM lti_refusal WHERE registration_id = {registration}
             ORDER BY created_at DESC, id DESC LIMIT {REFUSALS}"
        )
        .query(tx, RefusalRow::from_row)?;
        Ok(Self { is_suspended: active.is_none(), newest, refusals })
    }

    /// Whether the newest launch offered what a scope names.
    pub(super) fn offers(&self, scope: &str) -> bool {
        let Some(newest) = &self.newest else { return false };
        match scope {
            nrps::SCOPE => newest.roster.is_some(),
            scope => newest.grades.as_ref().is_some_and(|grades| grades.allows(scope)),
        }
    }

    /// Whether the platform may launch at all.
    pub(super) fn standing(&self, registration: &Registration) -> Vec<Diagnosis> {
        let Registration { name, issuer, client_id, .. } = registration;
        let is_active = registration.status == Status::Active;
        vec![
            match is_active {
                true => {
                    Diagnosis::fine("registration", format!("{name}: issuer {issuer}, client ID {client_id}, active"))
                }
                false => Diagnosis::wrong(
                    "registration",
                    format!("{name} is inactive: its launches are refused. Set its status to active"),
                ),
            },
            match self.is_suspended {
                false => Diagnosis::fine("workspace", format!("{} is active", registration.workspace_id)),
                true => Diagnosis::wrong(
                    "workspace",
                    format!(
                        "{} is suspended: launches are refused. Run lectern workspace activate {}",
                        registration.workspace_id, registration.workspace_id
                    ),
                ),
            },
        ]
    }

    /// The newest launch, and the newest that were refused.
    pub(super) fn launches(&self) -> Vec<Diagnosis> {
        let mut found = vec![self.newest.as_ref().map_or_else(
            || Diagnosis::warning("newest launch", "there was none yet: open a link of a course in the platform"),
            offered,
        )];
        found.extend(self.refusals.iter().map(|refusal| self.refused(refusal)));
        found
    }

    /// A refusal that a later launch made up for is no reason to worry.
    fn refused(&self, row: &RefusalRow) -> Diagnosis {
        let is_over = self.newest.as_ref().is_some_and(|newest| newest.created_at > row.created_at);
        let severity = if is_over { Severity::Fine } else { Severity::Warning };
        let reason = Reason::ALL.iter().find(|reason| reason.code() == row.reason);
        let sentence = reason.map_or(&*row.reason, |reason| reason.sentence());
        let advice = reason.map_or("", |reason| reason.advice());
        let values = match (&row.expected, &row.received) {
            (Some(expected), Some(received)) => format!(" Expected: {expected}. Received: {received}."),
            (None, Some(received)) => format!(" Received: {received}."),
            _ => String::new(),
        };
        let message = format!("{}: {sentence}{values} {advice}", row.created_at);
        Diagnosis { subject: "refused launch", severity, message }
    }
}

fn offered(session: &LaunchSession) -> Diagnosis {
    let grades = match &session.grades {
        None => "no gradebook (Assignment and Grade Services)".to_owned(),
        Some(grades) => {
            let scopes: Vec<_> = grades.scope.iter().map(|uri| uri.rsplit('/').next().unwrap_or(uri)).collect();
            let column = if grades.lineitem.is_some() { "with a column for the link" } else { "without a column" };
            format!("the gradebook ({}; {column})", scopes.join(", "))
        }
    };
    let roster = match &session.roster {
        None => "no roster (Names and Role Provisioning Services)",
        Some(_) => "the roster",
    };
    let message =
        format!("{} of deployment {} offered {grades} and {roster}", session.created_at, session.deployment_id);
    match (&session.grades, &session.roster) {
        (Some(_), Some(_)) => Diagnosis::fine("newest launch", message),
        _ => Diagnosis::warning(
            "newest launch",
            format!("{message}. What is missing is allowed in the platform, at the settings of the tool"),
        ),
    }
}
