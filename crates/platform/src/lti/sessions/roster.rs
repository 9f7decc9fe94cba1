//! `GET /v1/platform/lti/sessions/{id}/roster`: beyond the document, who takes part in the course of a launch.
//!
//! The roster is read from the platform (Names and Role Provisioning Services 2.0) while the request waits, with no transaction
//! open, and nothing of it is stored. `read.rs` reads it, `fault.rs` says why it can't be read.

mod fault;
mod read;
#[cfg(test)]
mod tests;

use std::time::Duration;

use axum::extract::State;
use edge::answer::Answer;
use edge::params::Params;
use edge::problem::{PlatformErrorBody, Problem};
use edge::query::{Query, boolean};
use lti::nrps::{Member, roster_of};
use net::Url;
use serde::Serialize;
use store::Tx;

use self::fault::RosterFault;
use super::LaunchSession;
use crate::Platform;
use crate::callers::{self, Credential};
use crate::lti::registrations::{Registration, Status};

/// Rosters that are read at a time: a roster may take a few megabytes.
pub(crate) const ROSTERS_AT_ONCE: usize = 16;
/// Of one workspace: the platform of another may be quicker.
pub(crate) const ROSTERS_EACH: usize = 4;
/// Requests of a workspace that may wait for their turn.
const MOST_WAITING: usize = 16;
/// When it is worth trying again while too many wait.
const BUSY: Duration = Duration::from_secs(5);

/// Who takes part in a course.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LtiRoster)]
pub struct Roster {
    /// The members, in the platform's order.
    items: Vec<RosterMember>,
    /// How many there are.
    #[schema(example = 28)]
    total: usize,
}

/// Somebody who takes part in a course. What the platform does not tell is null.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LtiRosterMember)]
struct RosterMember {
    /// As launches name them.
    #[schema(example = "29123")]
    user_id: String,
    /// What they may do in the course, as URIs or short names.
    #[schema(example = json!(["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"]))]
    roles: Vec<String>,
    /// `Active`, `Inactive` or `Deleted`; `Active` where the platform does not tell.
    #[schema(example = "Active")]
    status: String,
    /// The whole name.
    #[schema(required, example = "Ann Lee")]
    name: Option<String>,
    /// The first name.
    #[schema(required, example = "Ann")]
    given_name: Option<String>,
    /// The last name.
    #[schema(required, example = "Lee")]
    family_name: Option<String>,
    /// The e-mail address.
    #[schema(required, example = "ann@example.com")]
    email: Option<String>,
}

impl From<Member> for RosterMember {
    fn from(member: Member) -> Self {
        Self {
            user_id: member.user_id,
            roles: member.roles,
            status: member.status.unwrap_or_else(|| "Active".to_owned()),
            name: member.name,
            given_name: member.given_name,
            family_name: member.family_name,
            email: member.email,
        }
    }
}

/// Lists who takes part in the course of a launch, as the learning platform says now. Nothing of it is stored.
///
/// The launch must have offered the roster: `hasRoster` of the session says so. A roster has at most 10,000 members. The
/// platform gets 25 seconds to give it, once the request has its turn.
#[utoipa::path(
    get, path = "/v1/platform/lti/sessions/{id}/roster", tag = "LTI", operation_id = "getLtiRoster",
    params(("resourceLinkOnly" = Option<bool>, Query,
        description = "`true` asks the platform for those members only who can open the link of the launch")),
    responses(
        (status = 200, description = "The roster", body = Roster),
        (status = 409, description = "The roster can't be read until somebody changes something: the launch offered none, \
            the registration is inactive, or the platform refuses the token, the scope or the roster, answers with something \
            else, or leads to another server. The message says which, and what to do", body = PlatformErrorBody),
        (status = 503, description = "The learning platform did not answer in time, or it failed. Try again",
            body = PlatformErrorBody),
    )
)]
pub async fn roster(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    let course = callers::read(&platform.door, credential, "lti_sessions.roster", move |tx, caller| {
        let link_only = query.read(|parameters| parameters.optional("resourceLinkOnly", boolean))?.unwrap_or(false);
        let session = LaunchSession::load(tx, caller, &id)?;
        Course::of(tx, session, link_only)
    })
    .await?;
    let workspace = course.registration.workspace_id;
    if platform.rosters.waiting(&workspace) >= MOST_WAITING {
        let message = "Too many rosters of the workspace are being read.";
        return Err(Problem::TooManyRequests { message, retry_after: BUSY });
    }
    let _turn = platform.rosters.take(workspace).await;
    let members = read::members(&platform, &course).await.map_err(|fault| {
        let (session_id, registration_id) = (course.session.id, course.registration.id);
        tracing::info!(%session_id, %registration_id, %fault, "a roster could not be read");
        Problem::from(fault)
    })?;
    let items: Vec<_> = members.into_iter().map(RosterMember::from).collect();
    Ok(Answer::ok(&Roster { total: items.len(), items }))
}

/// The course of a launch, and how its roster is reached.
struct Course {
    session: LaunchSession,
    registration: Registration,
    /// The address of the first page.
    roster: Url,
}

impl Course {
    fn of(tx: &mut Tx<'_>, session: LaunchSession, link_only: bool) -> Result<Self, Problem> {
        let registration = Registration::find(tx, session.registration_id)?.ok_or(super::NOT_FOUND)?;
        if registration.status == Status::Inactive {
            return Err(RosterFault::Inactive.into());
        }
        let service = session.roster.as_ref().ok_or(RosterFault::NoService)?;
        let roster = match (&session.resource_link_id, link_only) {
            (_, false) => service.context_memberships_url.clone(),
            (Some(link), true) => roster_of(service, link),
            (None, true) => return Err(RosterFault::NoLink.into()),
        };
        Ok(Self { session, registration, roster })
    }
}
