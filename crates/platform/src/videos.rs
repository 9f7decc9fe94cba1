//! The review of videos: whoever has a video's edit link reads, changes and renders it, and fetches what was rendered
//! (platform-api section 4, `/v1/platform/videos/edit/{editToken}`).
//!
//! The token in the path is the credential: admins are shown it, and anybody whom they give it to may use it. Videos and
//! their renderings belong to [`content`]; here are the operations only.

pub mod cancel;
pub mod files;
pub mod get;
pub mod render;
#[cfg(test)]
pub(crate) mod tests;
pub mod update;
mod view;

use content::resources::find_by_id;
use content::videos::Video;
use edge::problem::Problem;
use store::Tx;

use crate::Platform;
pub use view::{RenderedFile, RenderingProgress, VideoRendering, VideoReview};

/// The video that a token edits. Foreign and malformed tokens, and those of deleted videos, answer alike.
fn load(tx: &mut Tx<'_>, platform: &Platform, token: &str) -> Result<Video, Problem> {
    let unknown = Problem::NotFound("Video");
    let links = &platform.content.links;
    let Some(id) = links.edited_video(token) else { return Err(unknown) };
    find_by_id(tx, links, id)?.ok_or(unknown)
}
