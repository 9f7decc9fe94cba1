//! The review of videos: whoever has a video's edit link reads, changes and renders it, asks for another version of a scene,
//! and fetches what was rendered (platform-api section 4, `/v1/platform/videos/edit/{editToken}`).
//!
//! The token in the path is the credential: admins are shown it, and anybody whom they give it to may use it. Videos and
//! their renderings belong to [`content`]; here are the operations only.

pub mod cancel;
pub mod files;
pub mod get;
pub mod part_drafts;
pub mod pictures;
pub mod render;
#[cfg(test)]
pub(crate) mod tests;
pub mod update;
mod view;

use axum::extract::FromRequestParts;
use content::resources::find_by_id;
use content::videos::Video;
use edge::params::Params;
use edge::problem::Problem;
use http::request::Parts;
use kernel::id::VideoId;
use serde::Deserialize;
use store::Tx;

use crate::Platform;
pub use view::{RenderedFile, RenderingProgress, VideoRendering, VideoReview};

/// Foreign and malformed tokens, and those of deleted videos, answer alike.
const UNKNOWN: Problem = Problem::NotFound("Video");

/// The video whose edit token a path names. Nothing of a request's body is read for a token that this service did not make.
pub struct Edited(pub VideoId);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    edit_token: String,
}

impl FromRequestParts<Platform> for Edited {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, platform: &Platform) -> Result<Self, Problem> {
        let Params(Named { edit_token }) = Params::from_request_parts(parts, platform).await?;
        platform.content.links.edited_video(&edit_token).map(Self).ok_or(UNKNOWN)
    }
}

fn load(tx: &mut Tx<'_>, platform: &Platform, id: VideoId) -> Result<Video, Problem> {
    find_by_id(tx, &platform.content.links, id)?.ok_or(UNKNOWN)
}
