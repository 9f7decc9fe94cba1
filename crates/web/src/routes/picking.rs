//! The page on which a teacher picks what a course links to (Deep Linking), and the form that brings it to the platform.

use axum::extract::Request;
use axum::response::Response;
use content::catalog::{self, Entry, Wanted};
use content::classrooms::Classroom;
use content::classrooms::list::of_organization;
use content::resources::Kind;
use http::{Method, StatusCode};
use kernel::id::{ModuleId, OrganizationId};
use lti::deep_linking::Settings;
use platform::lti::deep_linking::{self, NotPlaced, Pick, place};
use store::{StoreError, Tx};

use super::forms;
use super::launched::{Page, missing};
use super::launches::{Launches, pairs};
use crate::pages::error::Missing;
use crate::pages::launch::NoticePage;
use crate::pages::picking::{AnswerPage, Filter, PickingPage};

/// The entries that a page lists.
const MOST_LISTED: u32 = 100;
/// The longest words to search for, in characters.
const LONGEST_WORDS: usize = 200;

/// Answers a look at the page, or what was picked on it.
pub(super) async fn answer(launches: &Launches, page: &Page, request: Request) -> Result<Response, Missing> {
    let settings = match deep_linking::settings_of(&page.session) {
        Ok(settings) => settings,
        Err(not) => return refused(launches, page, &not),
    };
    let platform = &launches.0.platform;
    let found = platform.linked_organization(&page.session).await.map_err(|error| missing(&error))?;
    let Some(organization) = found else {
        let notice = NoticePage::of(launches.site(), page.texts, page.texts.not_opened, page.texts.no_organization);
        return Ok(launches.page(StatusCode::CONFLICT, &notice));
    };
    let (parts, body) = request.into_parts();
    let query = pairs(parts.uri.query().unwrap_or_default().as_bytes());
    let links = LinkRequest { launches, page, settings, organization, wanted: wanted(&query) };
    if parts.method == Method::POST {
        let fields = forms::fields(&parts, body).await.map_err(|problem| forms::missing(&problem))?;
        return links.add(&fields).await;
    }
    Ok(launches.page(StatusCode::OK, &links.list(&[], "").await?))
}

/// A teacher's request for links.
struct LinkRequest<'a> {
    launches: &'a Launches,
    page: &'a Page,
    settings: &'a Settings,
    organization: OrganizationId,
    wanted: Wanted,
}

impl LinkRequest<'_> {
    /// The page with the list, in which some entries are picked already.
    async fn list(&self, picked: &[String], notice: &'static str) -> Result<PickingPage, Missing> {
        let (classrooms, entries) = read(self.launches, self.organization, self.wanted.clone()).await?;
        let is_cut = entries.len() >= MOST_LISTED as usize;
        let filter = Filter { wanted: self.wanted.clone(), classrooms, is_cut };
        let course = self.page.session.context_title.clone().unwrap_or_default();
        let list = PickingPage::new(self.launches.site(), self.page.texts, course, self.settings, filter, &entries);
        Ok(list.with_picks(picked, notice))
    }

    /// Links what was picked, and leads the browser back to the platform. Nothing is linked where one of the picks is not among
    /// what may be picked: it was deleted meanwhile, or the form was made by hand.
    async fn add(&self, fields: &[(String, String)]) -> Result<Response, Missing> {
        let has = |name: &str| fields.iter().any(|(own, _)| own == name);
        let values: Vec<String> = match has("cancel") {
            true => Vec::new(),
            false => fields.iter().filter(|(name, _)| name == "pick").map(|(_, value)| value.clone()).collect(),
        };
        if values.len() > deep_linking::MOST_PICKS {
            return refused(self.launches, self.page, &NotPlaced::TooMany);
        }
        let (organization, named, wants_columns) = (self.organization, values.clone(), has("columns"));
        let find = move |tx: &mut Tx<'_>| {
            let picks = named.iter().map(|value| find(tx, organization, value, wants_columns));
            picks.collect::<Result<Option<Vec<_>>, _>>()
        };
        let store = &self.launches.0.platform.door.store;
        let picks = store.read("catalog.picked", find).await.map_err(|error: StoreError| missing(&error))?;
        let Some(picks) = picks else {
            let list = self.list(&values, self.page.texts.pick_gone).await?;
            return Ok(self.launches.page(StatusCode::CONFLICT, &list));
        };
        let (launches, page) = (self.launches, self.page);
        match place(&launches.0.platform, &page.session, picks).await {
            Ok(answer) => Ok(launches.page(StatusCode::OK, &AnswerPage::new(launches.site(), page.texts, &answer))),
            Err(not) => refused(launches, page, &not),
        }
    }
}

async fn read(
    launches: &Launches,
    organization: OrganizationId,
    wanted: Wanted,
) -> Result<(Vec<Classroom>, Vec<Entry>), Missing> {
    let read = move |tx: &mut Tx<'_>| {
        Ok((of_organization(tx, organization)?, catalog::list(tx, organization, &wanted, MOST_LISTED)?))
    };
    let store = &launches.0.platform.door.store;
    store.read("catalog.list", read).await.map_err(|error: StoreError| missing(&error))
}

/// A filter that can't be read narrows nothing.
fn wanted(query: &[(String, String)]) -> Wanted {
    let value = |name: &str| query.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
    Wanted {
        classroom: value("classroom").and_then(|id| id.parse().ok()),
        kind: value("kind").and_then(Kind::of_plural).filter(|kind| catalog::KINDS.contains(kind)),
        words: value("words")
            .unwrap_or_default()
            .chars()
            .filter(|character| *character != '\0')
            .take(LONGEST_WORDS)
            .collect(),
    }
}

/// The resource that the value of a form field names; `None` where it is not among what may be picked.
fn find(
    tx: &mut Tx<'_>,
    organization: OrganizationId,
    value: &str,
    wants_columns: bool,
) -> Result<Option<Pick>, StoreError> {
    let Some((kind, id)) = named(value) else { return Ok(None) };
    let Some(entry) = catalog::find(tx, organization, kind, &id)? else { return Ok(None) };
    let points = match kind {
        Kind::Test if wants_columns => Some(catalog::points(tx, organization, &id)?),
        Kind::Course if wants_columns => {
            Some(catalog::course_tests(tx, organization, &id)?.iter().map(|test| test.points).sum())
        }
        _ => None,
    };
    let expansion = catalog::expansion_of(tx, organization, &id)?;
    Ok(Some(Pick {
        kind: kind.as_str(),
        title: entry.title,
        description: entry.description,
        trace_id: expansion.map_or_else(|| entry.id.clone(), |expansion| expansion.to_string()),
        resource_id: entry.id,
        points,
    }))
}

/// Kind and id, as [`PickingPage`] writes them: `tests/0192aee1-…`.
fn named(value: &str) -> Option<(Kind, String)> {
    let (kind, id) = value.split_once('/')?;
    Some((Kind::of_plural(kind)?, id.parse::<ModuleId>().ok()?.to_string()))
}

fn refused(launches: &Launches, page: &Page, not: &NotPlaced) -> Result<Response, Missing> {
    let texts = page.texts;
    let (status, note) = match not {
        NotPlaced::NotATeacher => (StatusCode::FORBIDDEN, texts.only_teachers),
        NotPlaced::NoLinks => (StatusCode::CONFLICT, texts.takes_no_links),
        NotPlaced::TooMany => (StatusCode::BAD_REQUEST, texts.too_many_picks),
        NotPlaced::NotAsked | NotPlaced::Ended => return Err(Missing::NotFound),
        NotPlaced::Store(error) => return Err(missing(error)),
    };
    let notice = NoticePage::of(launches.site(), texts, texts.not_opened, note);
    Ok(launches.page(status, &notice))
}
