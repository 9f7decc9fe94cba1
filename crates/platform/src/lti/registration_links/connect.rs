//! A registration: an administrator opened a link in a platform and confirms that the platform is to be connected.
//!
//! A link is taken in a short transaction, the platform is asked with none open, and the outcome is written under the lease. So
//! of two administrators one registers, and a process that dies keeps the link for the rest of its lease and no longer. An attempt
//! that begins goes on when the browser leaves: the platform may have registered the tool already.

use kernel::id::{RegistrationId, RegistrationLinkId};
use kernel::json::JsonText;
use kernel::secret::random_token;
use lti::dynamic_registration::{PlatformConfiguration, Registered};
use serde_json::{Map, Value, json};
use store::{Record as _, StoreError, Tx, sql};

use super::platform_calls::Applicant;
use super::refusal::{Reason, Refusal};
use super::{LEASE, RegistrationLink};
use crate::Platform;
use crate::lti::registrations::{Registration, Status, deploy};

/// The longest name of a registration, in characters.
const LONGEST_NAME: usize = 200;
/// The longest name of a kind of platform that is kept, in bytes.
const LONGEST_FAMILY: usize = 100;

/// What a platform adds to the address of a link that it opens.
#[derive(Clone, Default)]
pub struct PlatformQuery {
    /// The address of the platform's configuration; empty where a browser opened the link by itself.
    pub openid_configuration: String,
    /// What lets the service register itself there.
    pub registration_token: Option<String>,
}

/// What is about to be connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The name of the workspace.
    pub workspace: String,
    /// The name that the registration will have, where the link has one.
    pub name: Option<String>,
    /// The host of the platform.
    pub platform: String,
}

/// A platform that is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connected {
    /// The registration.
    pub id: RegistrationId,
    /// Its name.
    pub name: String,
    /// How the platform calls this service.
    pub client_id: String,
    /// Where the platform has deployed it, if it said so.
    pub deployment_id: Option<String>,
}

/// Why no platform is registered.
#[derive(Debug, thiserror::Error)]
pub enum NotConnected {
    /// It is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store is away, or a defect.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Reason> for NotConnected {
    fn from(reason: Reason) -> Self {
        Self::Refused(reason.into())
    }
}

/// A link that this attempt holds.
struct Taken {
    link: RegistrationLink,
    lease_token: String,
    workspace: String,
}

/// Looks at a link without using it up: whoever previews links may open it.
///
/// # Errors
/// Why the link can't be used, or the platform not be connected.
pub async fn preview(platform: &Platform, token: &str, query: &PlatformQuery) -> Result<Invitation, NotConnected> {
    let token = token.to_owned();
    let read = move |tx: &mut Tx<'_>| usable(tx, &token);
    let (link, workspace) = platform.door.store.read("lti_registration_links.preview", read).await?;
    let applicant = applicant(platform, query)?;
    Ok(Invitation { workspace, name: link.name, platform: applicant.host() })
}

/// Registers the platform, and the service with it.
///
/// # Errors
/// Why not. The link is free again, unless [`Reason::leaves_link_open`] says otherwise.
pub async fn connect(platform: &Platform, token: &str, query: &PlatformQuery) -> Result<Connected, NotConnected> {
    let (platform, token, query) = (platform.clone(), token.to_owned(), query.clone());
    let attempt = tokio::spawn(async move {
        let taken = take(&platform, token).await?;
        attempt(&platform, taken, &query).await
    });
    attempt.await.map_err(|died| StoreError::Unexpected(died.into()))?
}

fn applicant(platform: &Platform, query: &PlatformQuery) -> Result<Applicant, Refusal> {
    Applicant::of(&platform.outbound, &query.openid_configuration, query.registration_token.as_deref())
}

/// The link with a token, and the name of its workspace, where a platform may be registered.
fn usable(tx: &mut Tx<'_>, token: &str) -> Result<(RegistrationLink, String), NotConnected> {
    let link = RegistrationLink::find(tx, token)?.ok_or(Reason::UnknownLink)?;
    link.check(tx.now())?;
    let active = "SELECT name FROM workspace WHERE id = $1 AND status = 'ACTIVE'";
    let workspace = tx.find(active, &[&link.workspace_id], |row| row.get(0))?;
    Ok((link, workspace.ok_or(Reason::SuspendedWorkspace)?))
}

/// Takes the link for as long as a lease lasts.
async fn take(platform: &Platform, token: String) -> Result<Taken, NotConnected> {
    let lease_token = random_token(&platform.door.ambient);
    let take = move |tx: &mut Tx<'_>| {
        let (link, workspace) = usable(tx, &token)?;
        let (now, until) = (tx.now(), tx.now().plus(LEASE));
        let taken = sql!(
            "UPDATE lti_registration_link SET lease_token = {lease_token}, leased_until = {until}
             WHERE id = {link.id} AND used_at IS NULL AND revoked_at IS NULL
                 AND (leased_until IS NULL OR leased_until <= {now})"
        )
        .execute(tx)?;
        match taken {
            1 => Ok(Taken { link, lease_token: lease_token.clone(), workspace }),
            _ => Err(NotConnected::from(Reason::BusyLink)),
        }
    };
    platform.door.store.write("lti_registration_links.take", take).await
}

async fn attempt(platform: &Platform, taken: Taken, query: &PlatformQuery) -> Result<Connected, NotConnected> {
    let Taken { link, lease_token, workspace } = taken;
    let (id, lease) = (link.id, lease_token.clone());
    let outcome = match ask(platform, query).await {
        Ok((configuration, registered)) => {
            let registration = registration(platform, &link, &configuration, &registered);
            finish(platform, id, lease, registration, registered.deployment_id).await
        }
        Err(refusal) => Err(NotConnected::Refused(refusal)),
    };
    match &outcome {
        Ok(connected) => {
            tracing::info!(registration = %connected.id, %workspace, "a learning platform registered itself");
        }
        Err(NotConnected::Refused(refusal)) => {
            tracing::info!(link = %id, reason = refusal.reason.code(), "a learning platform was not registered");
            release(platform, id, lease_token, refusal).await;
        }
        Err(NotConnected::Store(_)) => {}
    }
    outcome
}

/// What only the platform knows.
async fn ask(platform: &Platform, query: &PlatformQuery) -> Result<(PlatformConfiguration, Registered), Refusal> {
    let applicant = applicant(platform, query)?;
    let configuration = applicant.configuration(&platform.outbound).await?;
    let registered = applicant.register(platform, &configuration).await?;
    Ok((configuration, registered))
}

/// Stores the registration, and that the link is used.
async fn finish(
    platform: &Platform,
    id: RegistrationLinkId,
    lease_token: String,
    registration: Registration,
    deployment_id: Option<String>,
) -> Result<Connected, NotConnected> {
    let connected = Connected {
        id: registration.id,
        name: registration.name.clone(),
        client_id: registration.client_id.clone(),
        deployment_id: deployment_id.clone(),
    };
    let finish = move |tx: &mut Tx<'_>| {
        registration.insert(tx)?;
        if let Some(deployment) = &deployment_id {
            deploy(tx, registration.id, deployment)?;
        }
        let now = tx.now();
        let used = sql!(
            "UPDATE lti_registration_link SET used_at = {now}, registration_id = {registration.id}, lease_token = NULL,
                 leased_until = NULL, failure = NULL
             WHERE id = {id} AND lease_token = {lease_token} AND used_at IS NULL"
        )
        .execute(tx)?;
        if used == 1 { Ok(()) } else { Err(NotConnected::from(Reason::LostLink)) }
    };
    let stored = platform.door.store.write("lti_registration_links.finish", finish).await;
    stored.map(|()| connected).map_err(|error| match error {
        NotConnected::Store(StoreError::Unique { .. }) => Reason::Taken.into(),
        error => error,
    })
}

/// Gives the link back. Where that fails, the lease lapses.
async fn release(platform: &Platform, id: RegistrationLinkId, lease_token: String, refusal: &Refusal) {
    let failure = JsonText::of(&json!(refusal.failure()));
    let release = move |tx: &mut Tx<'_>| {
        sql!(
            "UPDATE lti_registration_link SET lease_token = NULL, leased_until = NULL, failure = {failure}
             WHERE id = {id} AND lease_token = {lease_token}"
        )
        .execute_later(tx)
    };
    if let Err(error) = platform.door.store.write("lti_registration_links.release", release).await {
        tracing::warn!(%error, link = %id, "a registration link is free only when its lease lapses");
    }
}

fn registration(
    platform: &Platform,
    link: &RegistrationLink,
    configuration: &PlatformConfiguration,
    registered: &Registered,
) -> Registration {
    let now = platform.door.ambient.now();
    Registration {
        id: platform.door.ambient.id(),
        workspace_id: link.workspace_id,
        name: link.name.clone().unwrap_or_else(|| name_of(configuration)),
        issuer: configuration.issuer.clone(),
        client_id: registered.client_id.clone(),
        authorization_endpoint: configuration.authorization_endpoint.clone(),
        token_endpoint: configuration.token_endpoint.clone(),
        jwks_endpoint: configuration.jwks_uri.clone(),
        status: Status::Active,
        metadata: metadata_of(link.metadata.as_ref(), configuration),
        created_at: now,
        updated_at: now,
        client_since: now,
        audience_since: now,
    }
}

/// The kind of a platform, as it calls itself.
fn family_of(configuration: &PlatformConfiguration) -> Option<&str> {
    let family = configuration.lti.product_family_code.as_deref()?.trim();
    ((1..=LONGEST_FAMILY).contains(&family.len()) && !family.chars().any(char::is_control)).then_some(family)
}

/// `moodle at moodle.example.com`.
fn name_of(configuration: &PlatformConfiguration) -> String {
    let issuer = net::Url::parse(&configuration.issuer).ok();
    let host = issuer.as_ref().and_then(net::Url::host_str).unwrap_or(&configuration.issuer);
    let name = family_of(configuration).map_or_else(|| host.to_owned(), |family| format!("{family} at {host}"));
    name.chars().take(LONGEST_NAME).collect()
}

/// The link's metadata, with what the platform said of itself. What the link says counts.
fn metadata_of(own: Option<&JsonText>, configuration: &PlatformConfiguration) -> Option<JsonText> {
    let own = own.and_then(|text| serde_json::from_str::<Map<String, Value>>(text.as_str()).ok());
    let mut metadata = own.unwrap_or_default();
    if configuration.audience() != configuration.token_endpoint {
        metadata.entry("tokenAudience").or_insert_with(|| json!(configuration.audience()));
    }
    if let Some(family) = family_of(configuration) {
        metadata.entry("productFamilyCode").or_insert_with(|| json!(family));
    }
    (!metadata.is_empty()).then(|| JsonText::of(&Value::Object(metadata)))
}
