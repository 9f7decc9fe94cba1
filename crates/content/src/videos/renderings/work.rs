//! Renders a video: one job, scene by scene, and one commit that makes the file the video's own.
//!
//! No transaction is open while programs run, and every write is fenced by the job's lease. Each scene waits for a turn of its
//! organization, so a long video does not keep other organizations waiting. After a crash, the next run resumes after the
//! last finished scene, which lies in the request's [`SceneFolder`]. A rendering that was cancelled or replaced ends within
//! seconds, because its row is gone.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use files::{FileStore, RenderingKey, StorageError};
use kernel::ambient::Ambient;
use kernel::id::{FileId, OrganizationId, RenderingId, VideoId};
use kernel::turns::FairTurns;
use serde::{Deserialize, Serialize};
use store::jobs::{self, ClaimedJob, Job, Outcome};
use store::{KeyedRecord as _, Record as _, Store, StoreError, Tx, sql};
use tokio::sync::Semaphore;

use super::renderer::{RenderFailure, RenderInput, RenderedVideo, Renderer};
use super::request::check_renderable;
use super::scene_folder::SceneFolder;
use super::{RenderStatus, Rendering, Renderings, VideoFile};
use crate::generation::attempts::{self, Interruption, Reason};
use crate::links::Links;
use crate::resources::{Failure, find_by_id};
use crate::videos::Video;

const WAIT_FOR_A_TURN: Duration = Duration::from_secs(5);
/// Tries of a rendering that failed for a passing reason.
const MOST_TRIES: u32 = 3;
const RETRY_DELAY: Duration = Duration::from_secs(10);
/// How often a rendering looks whether it was cancelled.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The renderer took its workers down.
const CRASHED: Reason = Reason("rendering_crashed", "The renderer did not survive this video.");

/// What renderings need. Cheap to clone.
#[derive(Clone)]
pub struct RenderContext {
    /// Where the rows live.
    pub store: Store,
    /// Time and chance.
    pub ambient: Ambient,
    /// Where the pages of videos are.
    pub links: Links,
    /// Where files are kept for good.
    pub files: FileStore,
    /// Draws, speaks and encodes.
    pub renderer: Arc<dyn Renderer>,
    /// Scenes that are rendered at a time, by whose they are.
    pub turns: Arc<FairTurns<OrganizationId>>,
    /// Renderings that hold a worker's place, those that wait for a turn included.
    pub places: Arc<Semaphore>,
    /// Where scenes lie until their video is whole: a folder of this machine.
    pub folder: PathBuf,
}

/// Renders one video.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenderVideo {
    organization_id: OrganizationId,
    video_id: VideoId,
    run_id: RenderingId,
    /// Tries that failed for a passing reason.
    failures: u32,
}

impl Job for RenderVideo {
    const KIND: &'static str = "RenderVideo";
    /// Whatever else an organization waits for takes less time.
    const PRIORITY: i64 = 1;
    type Context = RenderContext;

    async fn run(&self, context: &RenderContext, claimed: &ClaimedJob) -> Outcome {
        let run = Run::of(self, context, claimed);
        run.conclude(run.run().await).await
    }

    async fn gave_up(&self, context: &RenderContext, claimed: &ClaimedJob) -> Outcome {
        let run = Run::of(self, context, claimed);
        run.conclude(run.fail(CRASHED.into()).await.map(|()| Outcome::Settled)).await
    }
}

impl RenderVideo {
    pub(super) fn new(organization_id: OrganizationId, video_id: VideoId, run_id: RenderingId) -> Self {
        Self { organization_id, video_id, run_id, failures: 0 }
    }

    /// The operator has cancelled the job.
    pub(crate) fn cancelled(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        sql!("DELETE FROM video_rendering WHERE video_id = {self.video_id} AND run_id = {self.run_id}").execute(tx)?;
        Ok(())
    }

    /// The rendering that the job is for; `None` when it was cancelled or replaced.
    fn find(&self, tx: &mut Tx<'_>) -> Result<Option<Rendering>, StoreError> {
        let found = Renderings::load(tx, self.video_id)?.rendering;
        Ok(found.filter(|rendering| rendering.run_id == self.run_id && rendering.is_under_way()))
    }
}

/// How a run begins.
enum Start {
    /// Nobody wants the rendering any more.
    Nothing,
    /// The video can't be rendered as it is now.
    Refused(Failure),
    StartedRun(StartedRun),
}

/// What a run begins with.
struct StartedRun {
    rendering: Rendering,
    video_version: i64,
    input: Arc<RenderInput>,
}

/// Why a run has no file.
enum StopReason {
    /// Nobody wants it any more.
    Cancelled,
    Failed(RenderFailure),
    Interrupted(Interruption),
}

impl From<Interruption> for StopReason {
    fn from(interruption: Interruption) -> Self {
        Self::Interrupted(interruption)
    }
}

/// One run of a job.
struct Run<'a> {
    job: &'a RenderVideo,
    context: &'a RenderContext,
    claimed: &'a ClaimedJob,
    folder: SceneFolder,
}

impl<'a> Run<'a> {
    fn of(job: &'a RenderVideo, context: &'a RenderContext, claimed: &'a ClaimedJob) -> Self {
        // Each request has a folder of its own: one that was replaced may still be stopping.
        Self { job, context, claimed, folder: SceneFolder::of(&context.folder, job.run_id) }
    }
}

impl Run<'_> {
    async fn run(&self) -> Result<Outcome, Interruption> {
        let Ok(_place) = self.context.places.clone().try_acquire_owned() else {
            return self.wait_in_the_queue().await;
        };
        let started = match self.begin().await? {
            Start::Nothing => return Ok(Outcome::Settled),
            Start::Refused(failure) => return self.fail(failure).await.map(|()| Outcome::Settled),
            Start::StartedRun(started) => started,
        };
        match self.render(&started).await {
            Ok(()) => {
                self.folder.forget().await;
                Ok(Outcome::Settled)
            }
            Err(StopReason::Cancelled) => {
                self.folder.forget().await;
                Ok(Outcome::Done)
            }
            Err(StopReason::Failed(failure)) if failure.is_passing && self.job.failures + 1 < MOST_TRIES => {
                self.try_again(&failure).await
            }
            Err(StopReason::Failed(failure)) => self.fail(failure.into()).await.map(|()| Outcome::Settled),
            Err(StopReason::Interrupted(interruption)) => Err(interruption),
        }
    }

    async fn conclude(&self, ended: Result<Outcome, Interruption>) -> Outcome {
        attempts::conclude(&self.context.ambient, self.claimed, ended, |failure| self.fail(failure)).await
    }

    /// Leaves the job for later, because each that waits for a turn takes a worker's place. One that nobody wants ends.
    async fn wait_in_the_queue(&self) -> Result<Outcome, Interruption> {
        let job = self.job.clone();
        if self.context.store.read("renderings.look", move |tx| job.find(tx)).await?.is_none() {
            return Ok(Outcome::Done);
        }
        let why = "other renderings wait for a turn".to_owned();
        Ok(Outcome::Retry { at: self.context.ambient.now().plus(WAIT_FOR_A_TURN), why })
    }

    /// Takes the rendering up.
    async fn begin(&self) -> Result<Start, Interruption> {
        let (lease, job, links) = (self.claimed.lease.clone(), self.job.clone(), self.context.links.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let video = find_by_id::<Video>(tx, &links, job.video_id)?;
            let (Some(mut rendering), Some(video)) = (job.find(tx)?, video) else {
                jobs::finish(tx, &lease)?;
                return Ok(Start::Nothing);
            };
            // It may have been changed since it was asked for.
            if let Err(problem) = check_renderable(&video) {
                let code = "video_not_renderable".to_owned();
                return Ok(Start::Refused(Failure { code, message: problem.to_string() }));
            }
            rendering.status = RenderStatus::Rendering;
            rendering.scenes = u32::try_from(video.scenes.len()).unwrap_or(u32::MAX);
            rendering.scenes_done = 0;
            rendering.update(tx)?;
            let input = Arc::new(RenderInput::of(&video, rendering.resolution, rendering.burns_captions));
            Ok::<_, Interruption>(Start::StartedRun(StartedRun { rendering, video_version: video.version, input }))
        };
        self.context.store.write("renderings.begin", write).await
    }

    async fn render(&self, started: &StartedRun) -> Result<(), StopReason> {
        let folder = self.folder.open().await.map_err(|error| StopReason::Failed(disk_failure(&error)))?;
        for index in 0..started.input.scenes.len() {
            let turn = self.unless_cancelled(self.context.turns.take(self.job.organization_id)).await?;
            let scene = self.context.renderer.render_scene(&started.input, index, &folder);
            self.unless_cancelled(scene).await?.map_err(StopReason::Failed)?;
            drop(turn);
            self.note_progress(index + 1).await?;
        }
        let turn = self.unless_cancelled(self.context.turns.take(self.job.organization_id)).await?;
        let assembling = self.context.renderer.assemble(&started.input, &folder);
        let rendered = self.unless_cancelled(assembling).await?.map_err(StopReason::Failed)?;
        drop(turn);
        self.keep(started, rendered).await
    }

    /// Waits for a step, but not longer than somebody wants the rendering.
    async fn unless_cancelled<T>(&self, step: impl Future<Output = T>) -> Result<T, StopReason> {
        let mut step = std::pin::pin!(step);
        let mut look = tokio::time::interval(LOOK_EVERY);
        look.reset();
        loop {
            tokio::select! {
                biased;
                done = &mut step => return Ok(done),
                _ = look.tick() => {
                    let job = self.job.clone();
                    let found = self.context.store.read("renderings.look", move |tx| job.find(tx)).await;
                    // A store that is away for a moment cancels nothing.
                    if matches!(found, Ok(None)) {
                        return Err(StopReason::Cancelled);
                    }
                }
            }
        }
    }

    async fn note_progress(&self, scenes_done: usize) -> Result<(), StopReason> {
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let scenes_done = u32::try_from(scenes_done).unwrap_or(u32::MAX);
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let noted = sql!(
                "UPDATE video_rendering SET scenes_done = {scenes_done}
                 WHERE video_id = {job.video_id} AND run_id = {job.run_id}"
            );
            Ok::<_, Interruption>(noted.execute(tx)? > 0)
        };
        match self.context.store.write("renderings.note_progress", write).await? {
            true => Ok(()),
            false => Err(StopReason::Cancelled),
        }
    }

    /// Puts the files into the store and makes them the video's own.
    async fn keep(&self, started: &StartedRun, rendered: RenderedVideo) -> Result<(), StopReason> {
        let (file_id, poster_id): (FileId, FileId) = (self.context.ambient.id(), self.context.ambient.id());
        let organization = self.job.organization_id;
        let size =
            tokio::fs::metadata(&rendered.file).await.map_err(|error| StopReason::Failed(disk_failure(&error)))?.len();
        for (file, path) in [(file_id, &rendered.file), (poster_id, &rendered.poster)] {
            let put = self.context.files.put_file(RenderingKey { organization, file }, path).await;
            put.map_err(|error| StopReason::Failed(storage_failure(&error)))?;
        }
        let file = VideoFile {
            video_id: self.job.video_id,
            organization_id: organization,
            file_id,
            poster_id,
            video_version: started.video_version,
            width: rendered.width,
            height: rendered.height,
            duration_ms: i64::try_from(rendered.duration_ms).unwrap_or(i64::MAX),
            size_bytes: i64::try_from(size).unwrap_or(i64::MAX),
            burns_captions: started.rendering.burns_captions,
            captions: rendered.captions,
            transcript: rendered.transcript,
            chapters: rendered.chapters,
            rendered_at: self.context.ambient.now(),
        };
        let new = [file.key(), file.poster_key()];
        let recorded = self.record(file).await;
        if recorded? {
            // Somebody may still play the file of before: a night's sweep removes what no row names.
            return Ok(());
        }
        for key in new {
            if let Err(error) = self.context.files.delete(key).await {
                tracing::warn!(%key, %error, "a rendered file that nothing names is left for the night");
            }
        }
        Err(StopReason::Cancelled)
    }

    /// Makes the file the video's own: false when the rendering was cancelled meanwhile.
    async fn record(&self, file: VideoFile) -> Result<bool, Interruption> {
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let Some(mut rendering) = job.find(tx)? else { return Ok(false) };
            match VideoFile::find(tx, job.video_id)? {
                Some(_) => file.update(tx)?,
                None => file.insert(tx)?,
            }
            rendering.status = RenderStatus::Completed;
            rendering.ended_at = Some(tx.now());
            rendering.update(tx)?;
            jobs::finish(tx, &lease)?;
            Ok::<_, Interruption>(true)
        };
        self.context.store.write("renderings.record", write).await
    }

    async fn try_again(&self, failure: &RenderFailure) -> Result<Outcome, Interruption> {
        let (lease, why) = (self.claimed.lease.clone(), failure.to_string());
        let job = RenderVideo { failures: self.job.failures + 1, ..self.job.clone() };
        let at = self.context.ambient.now().plus(RETRY_DELAY * 3_u32.pow(self.job.failures));
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            Ok::<_, Interruption>(jobs::retry_with(tx, &lease, &job, at, &why)?)
        };
        self.context.store.write("renderings.try_again", write).await?;
        Ok(Outcome::Settled)
    }

    /// Gives the rendering up.
    async fn fail(&self, failure: Failure) -> Result<(), Interruption> {
        tracing::warn!(video = %self.job.video_id, code = failure.code, why = failure.message, "a video is not rendered");
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            if let Some(mut rendering) = job.find(tx)? {
                rendering.status = RenderStatus::Failed;
                rendering.error = Some(failure.clone());
                rendering.ended_at = Some(tx.now());
                rendering.update(tx)?;
            }
            Ok::<_, Interruption>(jobs::finish(tx, &lease)?)
        };
        self.context.store.write("renderings.fail", write).await?;
        self.folder.forget().await;
        Ok(())
    }
}

fn disk_failure(error: &(dyn std::error::Error + 'static)) -> RenderFailure {
    tracing::error!(error, "a folder for scenes can't be used");
    let message = "The disk of the service could not be used.".to_owned();
    RenderFailure { code: "disk_unavailable", message, is_passing: true }
}

fn storage_failure(error: &StorageError) -> RenderFailure {
    tracing::error!(error = error as &dyn std::error::Error, "a rendered file can't be stored");
    RenderFailure { code: "file_not_stored", message: "The file could not be stored.".to_owned(), is_passing: true }
}
