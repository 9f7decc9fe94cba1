//! Launch sessions: what a platform said with a launch that was validated. Evaluations name them to have their scores
//! synced.

pub mod get;
pub mod roster;

use std::time::Duration;

use edge::problem::Problem;
use events::platform::{PlatformEvent, PlatformFact, record_for_workspace};
use kernel::ambient::Ambient;
use kernel::id::{LaunchId, LinkId, RegistrationId, WorkspaceId};
use kernel::json::JsonText;
use kernel::secret::{Authenticator, MasterKey};
use kernel::time::Timestamp;
use lti::ags::GradeService;
use lti::deep_linking::Settings;
use lti::nrps::RosterService;
use lti::{Launch, Message};
use serde_json::{Value, json};
use store::{Record, StoreError, Tx, sql};

use super::links::Link;
use super::registrations::Registration;
use crate::Platform;
use crate::callers::Caller;

/// How long a launch's own page can be opened. Its address is all that it asks for, so it must not hold for ever.
const PAGE_LIFE: Duration = Duration::from_secs(24 * 3600);

/// A launch that was validated.
#[derive(Clone, Debug, Record)]
#[record(table = "lti_launch")]
pub struct LaunchSession {
    /// Its id, which evaluations name.
    #[column(key)]
    pub id: LaunchId,
    /// The registration of the platform.
    pub registration_id: RegistrationId,
    /// The workspace of the registration.
    pub workspace_id: WorkspaceId,
    nonce: String,
    /// `LtiResourceLinkRequest` or `LtiDeepLinkingRequest`.
    pub message_type: String,
    /// The place of the platform that the tool is deployed in.
    pub deployment_id: String,
    /// Where the link leads.
    pub target_link_uri: String,
    /// Who launched, as the platform names them; `None` for an anonymous launch.
    pub user_id: Option<String>,
    /// What the user may do, as URIs.
    #[column(json)]
    pub roles: Vec<String>,
    /// The link in the course.
    pub resource_link_id: Option<String>,
    /// Its title.
    pub resource_link_title: Option<String>,
    /// The course.
    pub context_id: Option<String>,
    /// Its title.
    pub context_title: Option<String>,
    /// Texts that were given with the link or the tool.
    pub custom: JsonText,
    /// The language of the platform, a BCP 47 tag.
    pub locale: Option<String>,
    /// Where the user may return to.
    pub return_url: Option<String>,
    /// The gradebook, where the tool may use it.
    #[column(json)]
    pub grades: Option<GradeService>,
    /// The roster, where the tool may read it.
    #[column(json)]
    pub roster: Option<RosterService>,
    /// What a teacher is to pick; `None` for the launch of a link.
    #[column(json)]
    pub deep_linking: Option<Settings>,
    /// The link of this service that was launched; `None` for one that nobody picked here.
    pub link_id: Option<LinkId>,
    /// The trace that the launch is part of; `None` for launches of before there were traces.
    trace_id: Option<String>,
    /// When it was validated.
    pub created_at: Timestamp,
}

const NOT_FOUND: Problem = Problem::NotFound("LTI launch session");

/// Makes and checks the addresses of launches' own pages. Whoever has one sees the launch.
pub(crate) struct PageLinks(Authenticator);

impl PageLinks {
    pub(crate) fn new(master: &MasterKey) -> Self {
        Self(master.authenticator("LTI launch pages"))
    }
}

impl Platform {
    /// The address of a launch's own page.
    pub fn launch_page(&self, id: LaunchId) -> String {
        format!("{}/launches/{id}/{}", self.base_url, self.launch_links.0.tag(&id.to_string()))
    }

    /// The launch whose page this is; `None` for an address that the service did not make, a launch that ended, or one of more
    /// than a day ago.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn shown_launch(&self, id: &str, token: &str) -> Result<Option<LaunchSession>, StoreError> {
        if !self.launch_links.0.vouches(id, token) {
            return Ok(None);
        }
        let Ok(id) = id.parse::<LaunchId>() else { return Ok(None) };
        let find = move |tx: &mut Tx<'_>| {
            sql!("SELECT {LaunchSession::*} FROM lti_launch WHERE id = {id}").find(tx, LaunchSession::from_row)
        };
        let found = self.door.store.read("lti.launch_page", find).await?;
        let now = self.door.ambient.now();
        Ok(found.filter(|session: &LaunchSession| now < session.created_at.plus(PAGE_LIFE)))
    }
}

impl LaunchSession {
    /// The session that a path names, where the caller may see it.
    ///
    /// # Errors
    /// 404 for one that does not exist for the caller.
    fn load(tx: &mut Tx<'_>, caller: &Caller, id: &str) -> Result<Self, Problem> {
        let id: LaunchId = id.parse().map_err(|_| NOT_FOUND)?;
        let found = sql!("SELECT {LaunchSession::*} FROM lti_launch WHERE id = {id}").find(tx, Self::from_row)?;
        found.filter(|session| caller.sees(session.workspace_id)).ok_or(NOT_FOUND)
    }

    /// The session of a launch that was validated now.
    pub(super) fn new(ambient: &Ambient, registration: &Registration, launch: Launch, nonce: String) -> Self {
        let message_type = launch.message.name().to_owned();
        let (link, deep_linking) = match launch.message {
            Message::ResourceLink(link) => (Some(link), None),
            Message::DeepLinking(settings) => (None, Some(settings)),
        };
        // PostgreSQL keeps no NUL in a text.
        let kept = |text: String| text.replace('\0', "");
        let (resource_link_id, resource_link_title) =
            link.map_or((None, None), |link| (Some(link.id), link.title.map(kept)));
        let (context_id, context_title) = launch
            .context
            .map_or((None, None), |context| (Some(kept(context.id)), context.title.or(context.label).map(kept)));
        Self {
            id: ambient.id(),
            registration_id: registration.id,
            workspace_id: registration.workspace_id,
            nonce,
            message_type,
            deployment_id: launch.deployment_id,
            target_link_uri: launch.target_link_uri,
            user_id: launch.user_id,
            roles: launch.roles,
            resource_link_id,
            resource_link_title,
            context_id,
            context_title,
            custom: JsonText::of(&Value::Object(launch.custom)),
            locale: launch.locale.map(kept),
            return_url: launch.return_url.map(kept),
            grades: launch.grades,
            roster: launch.roster,
            deep_linking,
            link_id: None,
            trace_id: None,
            created_at: ambient.now(),
        }
    }

    /// Ties the launch to the link of this service that it opens, and to the link's trace. Any other launch begins a trace.
    pub(super) fn follow_link(&mut self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let link = match Link::named_by(self) {
            Some(id) => Link::find(tx, self.workspace_id, id)?,
            None => None,
        };
        self.link_id = link.as_ref().map(|link| link.id);
        self.trace_id = Some(link.map_or_else(|| self.id.to_string(), |link| link.trace_id));
        Ok(())
    }

    /// Holds the launch until the transaction ends, so that nobody deletes it meanwhile. False where somebody has.
    pub(crate) fn hold(&self, tx: &mut Tx<'_>) -> Result<bool, StoreError> {
        let held =
            sql!("UPDATE lti_launch SET nonce = nonce WHERE id = {self.id} RETURNING id").find(tx, |_| Ok(()))?;
        Ok(held.is_some())
    }

    /// The trace that the launch is part of.
    pub fn trace(&self) -> String {
        self.trace_id.clone().unwrap_or_else(|| self.id.to_string())
    }

    /// Stores the session, and tells the workspace.
    ///
    /// # Errors
    /// [`StoreError::Unique`] for a nonce that was used before.
    pub(super) fn begin(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        self.insert(tx)?;
        let fields = json!({
            "sessionId": self.id,
            "messageType": self.message_type,
            "deploymentId": self.deployment_id,
            "resourceLinkId": self.resource_link_id,
            "roles": self.roles,
            "contextId": self.context_id,
            "traceId": self.trace(),
        });
        let Value::Object(fields) = fields else { unreachable!("the literal is an object") };
        let fact = PlatformFact { event: PlatformEvent::LtiLaunchCompleted, subject_id: self.id.to_string(), fields };
        record_for_workspace(tx, &self.workspace_id.to_string(), &fact).map(|_| ())
    }
}

/// Holds what all launches of a link by one learner have in common, the first of them, until the transaction ends: whoever else
/// holds it waits, or begins anew. Anonymous learners have one launch each.
pub(crate) fn hold_learner(tx: &mut Tx<'_>, launch: LaunchId) -> Result<(), StoreError> {
    sql!(
        "UPDATE lti_launch SET nonce = nonce WHERE id = (
             SELECT min(first.id) FROM lti_launch own JOIN lti_launch first ON first.registration_id = own.registration_id
                AND first.user_id = own.user_id AND first.resource_link_id = own.resource_link_id
             WHERE own.id = {launch})"
    )
    .execute(tx)
    .map(drop)
}

/// Forgets the launches of a platform's user.
pub(crate) fn erase(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    registration: RegistrationId,
    user: &str,
) -> Result<(), StoreError> {
    sql!(
        "DELETE FROM lti_launch WHERE registration_id = {registration} AND user_id = {user} AND workspace_id = {workspace}"
    )
    .execute_later(tx)
}

/// Stores a launch that offered nothing.
#[cfg(test)]
pub(crate) async fn store_example(app: &crate::testing::App, registration: &str) -> String {
    let id: RegistrationId = registration.parse().unwrap();
    let registration = app.read(move |tx| Registration::find(tx, id)).await.unwrap();
    let launch = Launch {
        message: Message::ResourceLink(lti::ResourceLink { id: "link-1".to_owned(), title: None }),
        deployment_id: "deployment-1".to_owned(),
        target_link_uri: "https://lectern.example/v1/platform/lti/launch".to_owned(),
        user_id: Some("learner-7".to_owned()),
        roles: Vec::new(),
        context: None,
        custom: serde_json::Map::new(),
        locale: None,
        return_url: None,
        grades: None,
        roster: None,
    };
    let session = LaunchSession::new(&app.test.ambient, &registration, launch, "nonce-1".to_owned());
    let id = session.id.to_string();
    app.test.store.write("test", move |tx| session.insert(tx)).await.unwrap();
    id
}
