//! Launch sessions: what a platform said with a launch that was validated. Evaluations name them to have their scores
//! synced.

use events::platform::{PlatformEvent, PlatformFact, record_for_workspace};
use kernel::ambient::Ambient;
use kernel::id::RegistrationId;
use kernel::id::{LaunchId, WorkspaceId};
use kernel::json::JsonText;
use kernel::secret::{Authenticator, MasterKey};
use kernel::time::Timestamp;
use lti::ags::GradeService;
use lti::deep_linking::Settings;
use lti::nrps::RosterService;
use lti::{Launch, Message};
use serde_json::{Value, json};
use store::{Record, StoreError, Tx, sql};

use super::registrations::Registration;
use crate::Platform;

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
    /// When it was validated.
    pub created_at: Timestamp,
}

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

    /// The launch whose page this is; `None` for an address that the service did not make, or a launch that ended.
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
        self.door.store.read("lti.launch_page", find).await
    }
}

impl LaunchSession {
    /// The session of a launch that was validated now.
    pub(super) fn new(
        ambient: &Ambient,
        registration: &Registration,
        launch: Launch,
        nonce: String,
        target_link_uri: String,
    ) -> Self {
        let message_type = launch.message.name().to_owned();
        let (link, deep_linking) = match launch.message {
            Message::ResourceLink(link) => (Some(link), None),
            Message::DeepLinking(settings) => (None, Some(settings)),
        };
        let (resource_link_id, resource_link_title) = link.map_or((None, None), |link| (Some(link.id), link.title));
        let (context_id, context_title) =
            launch.context.map_or((None, None), |context| (Some(context.id), context.title.or(context.label)));
        Self {
            id: ambient.id(),
            registration_id: registration.id,
            workspace_id: registration.workspace_id,
            nonce,
            message_type,
            deployment_id: launch.deployment_id,
            target_link_uri,
            user_id: launch.user_id,
            roles: launch.roles,
            resource_link_id,
            resource_link_title,
            context_id,
            context_title,
            custom: JsonText::of(&Value::Object(launch.custom)),
            locale: launch.locale,
            return_url: launch.return_url,
            grades: launch.grades,
            roster: launch.roster,
            deep_linking,
            created_at: ambient.now(),
        }
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
        });
        let Value::Object(fields) = fields else { unreachable!("the literal is an object") };
        let fact = PlatformFact { event: PlatformEvent::LtiLaunchCompleted, subject_id: self.id.to_string(), fields };
        record_for_workspace(tx, &self.workspace_id.to_string(), &fact).map(|_| ())
    }
}
