//! Deep linking: what a teacher picked goes back to the platform as links of the course.
//!
//! The page on which a teacher picks is in the crate `web`. [`place`] stores a link for each resource that was picked and signs
//! the answer that the browser posts to the platform.

use lti::deep_linking::{self, LinkLineItem, Response};
use lti::roles::may_pick;
use net::Url;
use serde_json::Map;
use store::{Record as _, StoreError, Tx};

use super::GuardedRegistration;
use super::links::{CUSTOM_PARAMETER, Link};
use super::registrations::Registration;
use super::sessions::LaunchSession;
use crate::Platform;

/// Resources that are linked at once.
pub const MOST_PICKS: usize = 50;

/// A resource that a teacher picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// `module`, `course`, `video` or `test`.
    pub kind: &'static str,
    /// Its id.
    pub resource_id: String,
    /// Its title.
    pub title: String,
    /// A sentence about it; may be empty.
    pub description: String,
    /// The trace that it is part of.
    pub trace_id: String,
    /// The points of a perfect result, where the link is to have a column of the gradebook.
    pub points: Option<f64>,
}

/// A form that the browser posts to the platform.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Where to.
    pub url: Url,
    /// The value of the field `JWT`.
    pub token: String,
}

/// Why nothing is linked.
#[derive(Debug, thiserror::Error)]
pub enum NotPlaced {
    /// The launch was no request for deep linking.
    #[error("the launch does not ask for links")]
    NotAsked,
    /// The user does not teach in the course.
    #[error("the user may not pick content for the course")]
    NotATeacher,
    /// The platform takes other things than links.
    #[error("the platform takes no links here")]
    NoLinks,
    /// The platform takes one link at a time, or so many are too many.
    #[error("more was picked than the platform takes at once")]
    TooMany,
    /// The registration was deleted, is inactive, or its workspace is suspended.
    #[error("the registration of the platform ended")]
    Ended,
    /// The store is away, or a defect.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whether the user of a launch may pick, and the platform takes links.
///
/// # Errors
/// [`NotPlaced`].
pub fn settings_of(session: &LaunchSession) -> Result<&deep_linking::Settings, NotPlaced> {
    let settings = session.deep_linking.as_ref().ok_or(NotPlaced::NotAsked)?;
    if !may_pick(&session.roles) {
        return Err(NotPlaced::NotATeacher);
    }
    if !settings.accepts_links() {
        return Err(NotPlaced::NoLinks);
    }
    Ok(settings)
}

/// Stores a link for each pick, and signs the answer. No picks mean that the teacher went back.
///
/// # Errors
/// [`NotPlaced`].
pub async fn place(platform: &Platform, session: &LaunchSession, picks: Vec<Pick>) -> Result<Answer, NotPlaced> {
    let settings = settings_of(session)?;
    let most = if settings.accepts_several() { MOST_PICKS } else { 1 };
    if picks.len() > most {
        return Err(NotPlaced::TooMany);
    }
    // The key first: what is stored is signed.
    let key = platform.tool_keys.signing().await?;
    let placed = {
        let (session, picks) = (session.clone(), picks.clone());
        platform.door.store.write("lti_links.place", move |tx| store_links(tx, &session, &picks)).await?
    };
    let (registration, links) = placed.ok_or(NotPlaced::Ended)?;
    let ambient = &platform.door.ambient;
    let takes_columns = settings.accepts_line_items();
    let items: Vec<_> =
        links.iter().zip(&picks).map(|(link, pick)| item(link, pick, &platform.base_url, takes_columns)).collect();
    let response = Response {
        client_id: &registration.client_id,
        issuer: &registration.issuer,
        deployment_id: &session.deployment_id,
        settings,
        links: &items,
        message: None,
        nonce: &kernel::secret::random_token(ambient),
        now: ambient.now(),
    };
    Ok(Answer { url: settings.deep_link_return_url.clone(), token: response.sign(&key) })
}

fn store_links(
    tx: &mut Tx<'_>,
    session: &LaunchSession,
    picks: &[Pick],
) -> Result<Option<(Registration, Vec<Link>)>, StoreError> {
    let Some(registration) = GuardedRegistration::find_active(tx, session.registration_id)? else {
        return Ok(None);
    };
    let mut links = Vec::with_capacity(picks.len());
    for pick in picks {
        let link = Link {
            id: tx.ambient().id(),
            workspace_id: session.workspace_id,
            registration_id: Some(session.registration_id),
            session_id: session.id,
            kind: pick.kind.to_owned(),
            resource_id: pick.resource_id.clone(),
            title: pick.title.clone(),
            context_id: session.context_id.clone(),
            trace_id: pick.trace_id.clone(),
            created_at: tx.now(),
        };
        link.insert(tx)?;
        links.push(link);
    }
    Ok(Some((registration, links)))
}

fn item(link: &Link, pick: &Pick, base_url: &str, takes_columns: bool) -> deep_linking::Link {
    let custom = Map::from_iter([(CUSTOM_PARAMETER.to_owned(), link.id.to_string().into())]);
    let column = |points: f64| LinkLineItem {
        label: pick.title.clone(),
        score_maximum: points,
        resource_id: link.id.to_string(),
    };
    deep_linking::Link {
        title: pick.title.clone(),
        text: Some(pick.description.clone()).filter(|text| !text.trim().is_empty()),
        url: link.url(base_url),
        custom,
        line_item: pick.points.filter(|points| takes_columns && *points > 0.0).map(column),
    }
}
