//! The files of a rendered video, beside the page that shows it.

use axum::response::{IntoResponse as _, Response};
use edge::context::Context;
use edge::problem::Problem;
use http::Method;
use http::request::Parts;
use platform::videos::files::{self, FileName};

use super::open::{PageAddress, PageContent};
use super::{Pages, respond};
use crate::headers::{Framing, Keeping};
use crate::pages::error::Missing;
use crate::pages::shell::Access;

/// The path of the page and the file that the path of a file names; `None` where it names none.
pub(super) fn named(path: &str) -> Option<(&str, FileName)> {
    let (page, name) = path.rsplit_once('/')?;
    Some((page, FileName::of(name)?)).filter(|_| page.starts_with("videos/"))
}

impl Pages {
    /// A file, for whoever may open the video's page.
    pub(super) async fn video_file(
        &self,
        (access, page, name): (Access, &str, FileName),
        parts: &Parts,
        context: &Context,
    ) -> Result<Response, Missing> {
        if parts.method == Method::POST {
            return Ok(respond::only_get());
        }
        let address = PageAddress::of(&self.0.content.links, access, page).ok_or(Missing::NotFound)?;
        let turn = self.turn(context).await?;
        let opened = self.open(&turn, address, context).await?;
        drop(turn);
        let PageContent::Video(_, Some(file)) = opened.content else { return Err(Missing::NotFound) };
        match files::respond(&self.0.platform, &file, name, &parts.headers, &context.0).await {
            Ok(mut response) => {
                let (keeping, is_public) = match access {
                    Access::Public => (Keeping::Asking, true),
                    Access::Preview | Access::Launch => (Keeping::No, false),
                };
                self.0.headers.apply(&mut response, keeping, Framing::Never, is_public);
                Ok(response)
            }
            Err(Problem::NotFound(_)) => Err(Missing::NotFound),
            Err(problem) => Ok(problem.into_response()),
        }
    }
}
