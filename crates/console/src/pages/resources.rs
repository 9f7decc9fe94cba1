//! The resources of a classroom, kind by kind.

use askama::Template;
use http::Method;

use super::Page;
use super::classrooms::{explained, of};
use super::organizations::frame;
use super::resource_kind::Kind;
use crate::api::content::{EditLink, Resource};
use crate::fields::Filters;
use crate::owner::{Ids, Owner};
use crate::problem::ApiProblem;
use crate::shell::{Link, Shell};
use crate::visit::{Operation, Visit, page};

/// Resources of a page.
const LIMIT: usize = 25;

#[derive(Template)]
#[template(path = "resources.html")]
struct ResourcesPage {
    shell: Shell,
    /// Where this list is.
    home: String,
    kind: &'static Kind,
    kinds: Vec<Link>,
    resources: Vec<Resource>,
    page: u32,
    has_more: bool,
}

impl ResourcesPage {
    /// Where a video's edit link is asked for; `None` for other kinds.
    fn review_path(&self, resource: &Resource) -> Option<String> {
        self.home.ends_with("/videos").then(|| format!("{}/{}/review", self.home, resource.id))
    }

    /// Where a resource is edited.
    fn edit_path(&self, resource: &Resource) -> String {
        format!("{}/{}", self.home, resource.id)
    }

    fn delete_title(&self, resource: &Resource) -> String {
        format!("Delete {} “{}”?", self.kind.singular, resource.label())
    }

    fn delete_path(&self, resource: &Resource) -> String {
        format!("{}/{}/delete", self.home, resource.id)
    }
}

pub(crate) async fn list(visit: Visit, owner: Owner, ids: Ids, Filters(filters): Filters) -> Page {
    let (kind, classroom) = (Kind::of(&ids)?, ids.get("classroom"));
    let number: u32 = filters.get("page").parse().unwrap_or(1).clamp(1, 100_000);
    let base = format!("/v1/content/classrooms/{classroom}/{}", kind.folder);
    // Without `fields`, the bodies of all resources would travel.
    let path = format!("{base}?limit={LIMIT}&page={number}&fields=summary");
    let read: Result<Vec<Resource>, ApiProblem> = visit.read_for(&owner.id, kind.list, &path).await;
    let resources = read.map_err(explained(&visit))?;
    let classrooms = of(&visit, &owner).await?;
    let name = classrooms.iter().find(|known| known.id == classroom).map(|known| known.name.clone());
    let name = name.ok_or_else(ApiProblem::not_found)?;
    let shell = frame(&visit, &owner, "Classrooms", &name).await?.crumb("Classrooms", &owner.page("/classrooms"));
    let folder = owner.page(&format!("/classrooms/{classroom}"));
    let kinds = Kind::all().iter().map(|other| Link {
        text: other.plural.to_owned(),
        href: format!("{}{folder}/{}", shell.root, other.folder),
        is_current: other.folder == kind.folder,
    });
    let kinds = kinds.collect();
    let (home, has_more) = (format!("{folder}/{}", kind.folder), resources.len() == LIMIT);
    Ok(page(&ResourcesPage { shell, home, kind, kinds, resources, page: number, has_more }))
}

pub(crate) async fn delete(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let (kind, classroom) = (Kind::of(&ids)?, ids.get("classroom"));
    let path = format!("/v1/content/classrooms/{classroom}/{}/{}", kind.folder, ids.get("resource"));
    let organization = Some(owner.id.as_str());
    let (id, method) = (kind.delete, Method::DELETE);
    visit
        .act(Operation { id, method, path: &path, organization, ..Operation::default() })
        .await
        .map_err(explained(&visit))?;
    Ok(visit.done(&owner.page(&format!("/classrooms/{classroom}/{}", kind.folder)), "resource-deleted"))
}

/// Leads to the page where a video is edited and rendered.
pub(crate) async fn review(visit: Visit, ids: Ids) -> Page {
    let path = format!("/v1/content/classrooms/{}/videos/{}/edit-link", ids.get("classroom"), ids.get("resource"));
    let link: EditLink = visit.read("getVideoEditLink", &path).await?;
    Ok(visit.redirect(&format!("/videos/edit/{}", link.edit_token)))
}
