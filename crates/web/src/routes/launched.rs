//! The page of a launch that leads nowhere else: a page to pick content on, the resource of the link, or a note that nothing is
//! linked.
//!
//! The address of the page is the right to see it and to answer. Learners of the course hand their tests in ([`hand_in`]), also those
//! that are parts of a linked course. Where to read next: [`super::picking`].

mod hand_in;

use axum::extract::{FromRequestParts as _, Path, Request, State};
use axum::response::Response;
use content::resources::Kind;
use edge::context::Context;
use http::{Method, StatusCode};
use kernel::id::ModuleId;
use kernel::turns::Turn;
use lti::roles::is_learner;
use platform::lti::links::{Link, LinkTarget};
use platform::lti::sessions::LaunchSession;
use store::StoreError;

use super::launches::{Launches, pairs};
use super::open::{OpenPage, PageAddress};
use super::{forms, picking, respond, texts_of};
use crate::answers::AnswerForm;
use crate::headers::Framing;
use crate::pages::error::Missing;
use crate::pages::launch::NoticePage;
use crate::pages::shell::Access;
use crate::pages::test::AnswerUse;
use crate::texts::Texts;

/// A launch whose page is asked for.
pub(super) struct Page {
    pub(super) session: LaunchSession,
    /// The language of the platform, or of the browser.
    pub(super) texts: &'static Texts,
    /// The address of the page, below the service's root.
    pub(super) path: String,
}

/// `/launches/{id}/{token}`.
pub(super) async fn launch(
    State(launches): State<Launches>,
    Path((id, token)): Path<(String, String)>,
    request: Request,
) -> Response {
    answer(&launches, (&id, &token), None, request).await
}

/// `/launches/{id}/{token}/{module}`: a part of the course that was launched.
pub(super) async fn part(
    State(launches): State<Launches>,
    Path((id, token, module)): Path<(String, String, String)>,
    request: Request,
) -> Response {
    let texts = texts_of(&request);
    match module.parse::<ModuleId>() {
        Ok(module) => answer(&launches, (&id, &token), Some(module), request).await,
        Err(_) => launches.missing_page(texts, Missing::NotFound),
    }
}

async fn answer(
    launches: &Launches,
    (id, token): (&str, &str),
    module: Option<ModuleId>,
    request: Request,
) -> Response {
    let accepted = texts_of(&request);
    let session = match launches.0.platform.shown_launch(id, token).await {
        Ok(Some(session)) => session,
        Ok(None) => return launches.missing_page(accepted, Missing::NotFound),
        Err(error) => return launches.missing_page(accepted, missing(&error)),
    };
    let texts = session.locale.as_deref().map_or(accepted, Texts::accepted);
    let page = Page { session, texts, path: format!("/launches/{id}/{token}") };
    let answered = match (page.session.deep_linking.is_some(), module) {
        (true, None) => picking::answer(launches, &page, request).await,
        (true, Some(_)) => Err(Missing::NotFound),
        (false, module) => linked(launches, &page, module, request).await,
    };
    answered.unwrap_or_else(|missing| launches.missing_page(page.texts, missing))
}

/// The resource of the link that was launched.
async fn linked(
    launches: &Launches,
    page: &Page,
    module: Option<ModuleId>,
    request: Request,
) -> Result<Response, Missing> {
    let target = launches.0.platform.link_target(&page.session).await.map_err(|error| missing(&error))?;
    let Some(LinkTarget { link, organization }) = target else {
        let notice = NoticePage::nothing_linked(launches.site(), page.texts, &page.session);
        return Ok(launches.page(StatusCode::OK, &notice));
    };
    let kind = Kind::from_word(&link.kind).ok_or(Missing::NotFound)?;
    if module.is_some() && kind != Kind::Course {
        return Err(Missing::NotFound);
    }
    let address = PageAddress {
        access: Access::Launch,
        kind,
        id: link.resource_id.clone(),
        module,
        path: page.path.clone(),
        organization: Some(organization),
    };
    let (mut parts, body) = request.into_parts();
    let Ok(context) = Context::from_request_parts(&mut parts, &()).await else { return Err(Missing::Broken) };
    let is_learner = is_learner(&page.session.roles);
    let visit = Visit { launches, page, link, address, is_learner, context };
    if parts.method != Method::POST {
        let query = pairs(parts.uri.query().unwrap_or_default().as_bytes());
        return visit.look(query.iter().any(|(name, _)| name == "again")).await;
    }
    // Nothing of the page is held while the client sends its answers.
    let (turn, opened) = visit.open().await?;
    if !opened.takes_answers() {
        return Ok(respond::only_get());
    }
    drop((turn, opened));
    let fields = forms::fields(&parts, body).await.map_err(|problem| forms::missing(&problem))?;
    visit.answer(fields).await
}

/// A look at the resource of a launch.
struct Visit<'a> {
    launches: &'a Launches,
    page: &'a Page,
    link: Link,
    address: PageAddress,
    /// A learner of the course, whose tests are handed in.
    is_learner: bool,
    context: Context,
}

impl Visit<'_> {
    async fn open(&self) -> Result<(Turn, OpenPage), Missing> {
        let pages = &self.launches.0.pages;
        let turn = pages.turn(&self.context).await?;
        let opened = pages.open(&turn, self.address.clone(), &self.context).await?;
        Ok((turn, opened))
    }

    async fn show(&self, (turn, opened): (Turn, OpenPage), answer_use: AnswerUse) -> Result<Response, Missing> {
        let pages = &self.launches.0.pages;
        let made = pages.make(turn, opened, None, answer_use, &self.context).await?;
        Ok(pages.page(made, None, Framing::ContentByPlatforms))
    }

    /// What becomes of answers that are not handed in.
    fn unstored(&self) -> AnswerUse {
        if self.is_learner { AnswerUse::Check } else { AnswerUse::Preview }
    }

    /// Hands a learner's test in; any other form is checked.
    async fn answer(&self, fields: Vec<(String, String)>) -> Result<Response, Missing> {
        let (turn, opened) = self.open().await?;
        if !opened.takes_answers() {
            return Ok(respond::only_get());
        }
        if self.is_learner && opened.test().is_some() {
            return self.hand_in((turn, opened), fields).await;
        }
        let pages = &self.launches.0.pages;
        let form = AnswerForm::from_fields(fields);
        let made = pages.check((turn, opened), form, self.unstored(), &self.context).await?;
        Ok(pages.page(made, None, Framing::ContentByPlatforms))
    }
}

/// Why a page can't be shown now.
pub(super) fn missing(error: &StoreError) -> Missing {
    match error {
        StoreError::Unavailable => Missing::Unavailable,
        error => {
            tracing::error!(%error, "the page of a launch could not be made");
            Missing::Broken
        }
    }
}
