//! Asking for a rendering, and cancelling it.

use std::time::Duration;

use edge::problem::Problem;
use kernel::id::OrganizationId;
use store::{KeyedRecord as _, Record as _, StoreError, Tx, jobs, sql};

use super::work::RenderVideo;
use super::{RenderStatus, Rendering, Renderings, Resolution};
use crate::resources::Status;
use crate::videos::Video;

/// Renderings of an organization that wait or are under way at a time.
const MOST_UNDER_WAY: i64 = 50;
/// The longest video that is rendered, in seconds.
pub const LONGEST_SECONDS: f64 = 3_600.0;
/// The most scenes that are rendered.
pub const MOST_SCENES: usize = 200;
/// The most that all scripts of a rendered video say together, in characters.
pub const MOST_CHARACTERS: usize = 100_000;

/// The settings of a rendering request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How large the picture is.
    pub resolution: Resolution,
    /// Whether the picture shows the captions.
    pub burns_captions: bool,
}

/// Queues the rendering of a video. One that waits already is rendered with these settings; one that a worker has is replaced.
///
/// # Errors
/// 409 for a video that can't be rendered, 429 where the organization has too many under way.
pub fn request(tx: &mut Tx<'_>, video: &Video, settings: Settings) -> Result<Rendering, Problem> {
    check_renderable(video)?;
    let Settings { resolution, burns_captions } = settings;
    let present = Renderings::load(tx, video.id)?.rendering;
    if let Some(waiting) = present.clone().filter(|present| present.status == RenderStatus::Queued) {
        let waiting = Rendering { resolution, burns_captions, ..waiting };
        waiting.update(tx)?;
        return Ok(waiting);
    }
    if !present.as_ref().is_some_and(Rendering::is_under_way) {
        check_room(tx, video.organization_id)?;
    }
    let run_id = tx.ambient().id();
    let job = RenderVideo::new(video.organization_id, video.id, run_id);
    let rendering = Rendering {
        video_id: video.id,
        organization_id: video.organization_id,
        run_id,
        job_id: jobs::enqueue(tx, video.organization_id, &job)?,
        status: RenderStatus::Queued,
        resolution,
        burns_captions,
        scenes: u32::try_from(video.scenes.len()).unwrap_or(u32::MAX),
        scenes_done: 0,
        error: None,
        requested_at: tx.now(),
        ended_at: None,
    };
    match present {
        Some(_) => rendering.update(tx)?,
        None => rendering.insert(tx)?,
    }
    Ok(rendering)
}

/// Ends the rendering of a video, if there is one under way. The worker that has it stops within seconds.
///
/// # Errors
/// Any [`StoreError`].
pub fn cancel(tx: &mut Tx<'_>, video: &Video) -> Result<(), StoreError> {
    let under_way = Renderings::load(tx, video.id)?.rendering.filter(Rendering::is_under_way);
    let Some(rendering) = under_way else { return Ok(()) };
    jobs::withdraw(tx, rendering.job_id)?;
    sql!("DELETE FROM video_rendering WHERE video_id = {video.id} AND run_id = {rendering.run_id}").execute(tx)?;
    Ok(())
}

/// Whether a video can be rendered as it is now.
///
/// # Errors
/// 409 with the reason why not.
pub(super) fn check_renderable(video: &Video) -> Result<(), Problem> {
    if matches!(video.status, Status::Queued | Status::Processing) {
        return Err(Problem::Conflict("The video is still being generated."));
    }
    if video.scenes.is_empty() {
        return Err(Problem::Conflict("The video has no scenes to render."));
    }
    let seconds: f64 = video.scenes.iter().map(|scene| scene.duration).sum();
    if video.scenes.len() > MOST_SCENES || seconds > LONGEST_SECONDS {
        return Err(Problem::Conflict("The video is too long: at most 200 scenes and an hour are rendered."));
    }
    if video.scenes.iter().map(|scene| scene.script.chars().count()).sum::<usize>() > MOST_CHARACTERS {
        return Err(Problem::Conflict("The scripts are too long: at most 100,000 characters of a video are spoken."));
    }
    Ok(())
}

fn check_room(tx: &mut Tx<'_>, organization: OrganizationId) -> Result<(), Problem> {
    let under_way: Option<i64> = sql!(
        "SELECT count(*) FROM video_rendering WHERE organization_id = {organization} AND status IN ('queued', 'rendering')"
    )
    .find(tx, |row| row.get(0))?;
    if under_way.unwrap_or_default() >= MOST_UNDER_WAY {
        let message = "The organization has as many renderings under way as it can have.";
        return Err(Problem::TooManyRequests { message, retry_after: Duration::from_secs(60) });
    }
    Ok(())
}
