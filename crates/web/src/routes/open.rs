//! Finds the resource that an address names, and whether whoever asks may see it.

use content::courses::Course;
use content::exchange::test_of;
use content::links::Links;
use content::modules::Module;
use content::resources::{Kind, Resource, Status, find_by_id};
use content::slides::Slide;
use content::tests::Test;
use content::videos::Video;
use content::videos::renderings::VideoFile;
use edge::context::Context;
use kernel::id::{ModuleId, OrganizationId};
use kernel::turns::Turn;
use store::{StoreError, Tx};

use super::Pages;
use crate::pages::error::Missing;
use crate::pages::shell::Access;

/// The address of a page, read; the token of a preview was right.
#[derive(Clone, Debug)]
pub(super) struct PageAddress {
    pub(super) access: Access,
    pub(super) kind: Kind,
    pub(super) id: String,
    /// A module of the course.
    pub(super) module: Option<ModuleId>,
    /// The address of the resource's own page, below the service's root.
    pub(super) path: String,
    /// The organization that the resource has to be of; `None` where the address alone decides.
    pub(super) organization: Option<OrganizationId>,
}

/// The resource that an address names.
pub(super) enum PageContent {
    Module(Box<Module>),
    /// A module of a course.
    Part(Box<Course>, Box<Module>),
    /// A test that a module of a course stands for.
    TestPart(Box<Course>, Box<Module>, Box<Test>),
    Course(Box<Course>),
    /// A video, and its file where it was rendered.
    Video(Box<Video>, Option<Box<VideoFile>>),
    Slide(Box<Slide>),
    Test(Box<Test>),
}

/// A page whose resource was found.
pub(super) struct OpenPage {
    pub(super) address: PageAddress,
    pub(super) content: PageContent,
}

impl PageAddress {
    /// Reads what follows `/public/` or `/preview/`. `None` when it names nothing, or a token is wrong.
    pub(super) fn of(links: &Links, access: Access, rest: &str) -> Option<Self> {
        let mut parts = rest.split('/');
        let kind = Kind::of_plural(parts.next()?)?;
        let id = parts.next()?;
        let path = match access {
            Access::Launch => return None,
            Access::Public => format!("/public/{}/{id}", kind.plural()),
            Access::Preview => {
                let token = parts.next()?;
                if !links.opens_preview(kind, &id, token) {
                    return None;
                }
                format!("/preview/{}/{id}/{token}", kind.plural())
            }
        };
        let module = match parts.next() {
            None => None,
            Some(module) if kind == Kind::Course => Some(module.parse().ok()?),
            Some(_) => return None,
        };
        let organization = None;
        parts.next().is_none().then(|| Self { access, kind, id: id.to_owned(), module, path, organization })
    }
}

impl OpenPage {
    /// The test of the page, alone or as a part of a course.
    pub(super) fn test(&self) -> Option<&Test> {
        match &self.content {
            PageContent::Test(test) | PageContent::TestPart(_, _, test) => Some(test),
            _ => None,
        }
    }

    /// Whether the page has a form that it checks.
    pub(super) fn takes_answers(&self) -> bool {
        let status = match &self.content {
            PageContent::Module(module) | PageContent::Part(_, module) => module.status,
            PageContent::Test(test) | PageContent::TestPart(_, _, test) => test.status,
            PageContent::Course(_) | PageContent::Video(..) | PageContent::Slide(_) => return false,
        };
        status == Status::Completed
    }
}

impl Pages {
    /// Reads the resource, which takes memory: only in one's turn.
    pub(super) async fn open(
        &self,
        _turn: &Turn,
        address: PageAddress,
        context: &Context,
    ) -> Result<OpenPage, Missing> {
        let links = self.0.content.links.clone();
        let asked = address.clone();
        let read = move |tx: &mut Tx<'_>| find(tx, &links, &asked);
        match self.0.content.door.store.read::<_, StoreError, _>("pages.open", read).await {
            Ok(Some(content)) => Ok(OpenPage { address, content }),
            Ok(None) => Err(Missing::NotFound),
            Err(error) => {
                let request_id = context.0.request_id.to_str().unwrap_or_default();
                if matches!(error, StoreError::Unavailable) {
                    tracing::warn!(request_id, %error, "a page found the store unavailable");
                    return Err(Missing::Unavailable);
                }
                tracing::error!(request_id, %error, "a page could not be read");
                Err(Missing::Broken)
            }
        }
    }
}

fn find(tx: &mut Tx<'_>, links: &Links, address: &PageAddress) -> Result<Option<PageContent>, StoreError> {
    Ok(match address.kind {
        Kind::Module => visible(tx, links, address)?.map(PageContent::Module),
        Kind::Course => match visible::<Course>(tx, links, address)? {
            None => None,
            Some(course) => match address.module {
                None => Some(PageContent::Course(course)),
                Some(id) => {
                    let module = find_by_id::<Module>(tx, links, id)?;
                    match module.filter(|module| module.course_id == Some(course.id)) {
                        None => None,
                        Some(module) => Some(part(tx, links, course, module)?),
                    }
                }
            },
        },
        Kind::Video => match visible::<Video>(tx, links, address)? {
            None => None,
            Some(video) => {
                let file = VideoFile::find(tx, video.id)?.map(Box::new);
                Some(PageContent::Video(video, file))
            }
        },
        Kind::Test => visible(tx, links, address)?.map(PageContent::Test),
        Kind::Slide => visible(tx, links, address)?.map(PageContent::Slide),
    })
}

/// Whoever may see a course may see its tests.
fn part(tx: &mut Tx<'_>, links: &Links, course: Box<Course>, module: Module) -> Result<PageContent, StoreError> {
    let module = Box::new(module);
    let test = match test_of(&module) {
        None => None,
        Some(id) => find_by_id::<Test>(tx, links, id)?,
    };
    Ok(match test.filter(|test| test.classroom_id == course.classroom_id) {
        None => PageContent::Part(course, module),
        Some(test) => PageContent::TestPart(course, module, Box::new(test)),
    })
}

/// The resource, when the page is a preview, a launch that may open it, or the resource is public.
fn visible<R: Resource>(tx: &mut Tx<'_>, links: &Links, address: &PageAddress) -> Result<Option<Box<R>>, StoreError> {
    let Ok(id) = address.id.parse() else { return Ok(None) };
    let found = find_by_id::<R>(tx, links, id)?;
    let may_see = |resource: &R| {
        let is_theirs = address.organization.is_none_or(|organization| resource.organization_id() == organization);
        is_theirs && (address.access != Access::Public || resource.is_public())
    };
    Ok(found.filter(may_see).map(Box::new))
}
