//! Renders a video: one job, scene by scene, and one commit that makes the file the video's own.
//!
//! No transaction is open while programs run, and every write is fenced by the job's lease. Each scene waits for a turn of its
//! organization, so a long video does not keep other organizations waiting. The scenes of a rendering that did not end are
//! kept on the machine's disk, in a folder of the request: the next run of the job goes on behind them. A rendering that was cancelled or replaced ends
//! within seconds, because its row is gone.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use files::{FileStore, RenderingKey, StorageError};
use kernel::ambient::Ambient;
use kernel::id::{FileId, OrganizationId, RenderingId, VideoId};
use kernel::turns::FairTurns;
use serde::{Deserialize, Serialize};
use store::jobs::{self, ClaimedJob, Job, Outcome};
use store::{KeyedRecord as _, Record as _, Store, StoreError, Tx, sql};
use tokio::sync::Semaphore;

use super::renderer::{Film, RenderFailure, Renderer, Storyboard};
use super::request::check_renderable;
use super::{RenderStatus, Rendering, Renderings, VideoFile};
use crate::generation::attempts::Interruption;
use crate::links::Links;
use crate::resources::{Failure, find_by_id};
use crate::videos::Video;

const WAIT_FOR_A_TURN: Duration = Duration::from_secs(5);
/// Tries of a rendering that failed for a passing reason.
const MOST_TRIES: u32 = 3;
const RETRY_DELAY: Duration = Duration::from_secs(10);
/// How often a rendering looks whether it was cancelled.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Scenes of renderings that did not end are kept on the disk for so long.
const KEEP_SCENES: Duration = Duration::from_secs(24 * 3600);

/// What renderings need. Cheap to clone.
#[derive(Clone)]
pub struct Studio {
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
    type Context = Studio;

    async fn run(&self, studio: &Studio, claimed: &ClaimedJob) -> Outcome {
        let run = Run { job: self, studio, claimed };
        match run.run().await {
            // Another try would most likely end alike.
            Err(interruption) if interruption.is_refusal() => {
                tracing::error!(?interruption, video = %self.video_id, "the rows of a rendering can't be used");
                let message = "The stored records of this rendering can't be used.".to_owned();
                let failure = RenderFailure { code: "records_damaged", message, is_passing: false };
                conclude(&studio.ambient, run.fail(&failure).await)
            }
            ended => conclude(&studio.ambient, ended),
        }
    }

    async fn gave_up(&self, studio: &Studio, claimed: &ClaimedJob) -> Outcome {
        let failure = RenderFailure {
            code: "rendering_crashed",
            message: "The renderer did not survive this video.".to_owned(),
            is_passing: false,
        };
        let run = Run { job: self, studio, claimed };
        conclude(&studio.ambient, run.fail(&failure).await)
    }
}

fn conclude(ambient: &Ambient, ended: Result<Outcome, Interruption>) -> Outcome {
    match ended {
        Ok(outcome) => outcome,
        Err(Interruption::LeaseLost) => Outcome::Settled,
        Err(Interruption::Store(error @ StoreError::Unavailable)) => {
            Outcome::Retry { at: ambient.now().plus(RETRY_DELAY), why: error.to_string() }
        }
        Err(Interruption::Store(error)) => Outcome::Fail { why: error.to_string() },
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
    Refused(RenderFailure),
    Begun(Begun),
}

/// What a run begins with.
struct Begun {
    rendering: Rendering,
    video_version: i64,
    storyboard: Arc<Storyboard>,
}

/// Why a run has no file.
enum Stopped {
    /// Nobody wants it any more.
    Cancelled,
    Failed(RenderFailure),
    Interrupted(Interruption),
}

impl From<Interruption> for Stopped {
    fn from(interruption: Interruption) -> Self {
        Self::Interrupted(interruption)
    }
}

/// One run of a job.
struct Run<'a> {
    job: &'a RenderVideo,
    studio: &'a Studio,
    claimed: &'a ClaimedJob,
}

impl Run<'_> {
    async fn run(&self) -> Result<Outcome, Interruption> {
        let Ok(_place) = self.studio.places.clone().try_acquire_owned() else {
            return self.wait_in_the_queue().await;
        };
        let begun = match self.begin().await? {
            Start::Nothing => return Ok(Outcome::Settled),
            Start::Refused(failure) => return self.fail(&failure).await,
            Start::Begun(begun) => begun,
        };
        match self.render(&begun).await {
            Ok(()) => {
                self.forget_scenes().await;
                Ok(Outcome::Settled)
            }
            Err(Stopped::Cancelled) => {
                self.forget_scenes().await;
                Ok(Outcome::Done)
            }
            Err(Stopped::Failed(failure)) if failure.is_passing && self.job.failures + 1 < MOST_TRIES => {
                self.try_again(&failure).await
            }
            Err(Stopped::Failed(failure)) => self.fail(&failure).await,
            Err(Stopped::Interrupted(interruption)) => Err(interruption),
        }
    }

    /// Leaves the job for later, because each that waits for a turn takes a worker's place. One that nobody wants ends.
    async fn wait_in_the_queue(&self) -> Result<Outcome, Interruption> {
        let job = self.job.clone();
        if self.studio.store.read("renderings.look", move |tx| job.find(tx)).await?.is_none() {
            return Ok(Outcome::Done);
        }
        let why = "other renderings wait for a turn".to_owned();
        Ok(Outcome::Retry { at: self.studio.ambient.now().plus(WAIT_FOR_A_TURN), why })
    }

    /// Takes the rendering up.
    async fn begin(&self) -> Result<Start, Interruption> {
        let (lease, job, links) = (self.claimed.lease.clone(), self.job.clone(), self.studio.links.clone());
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            let video = find_by_id::<Video>(tx, &links, job.video_id)?;
            let (Some(mut rendering), Some(video)) = (job.find(tx)?, video) else {
                jobs::finish(tx, &lease)?;
                return Ok(Start::Nothing);
            };
            // It may have been changed since it was asked for.
            if let Err(problem) = check_renderable(&video) {
                let message = problem.to_string();
                return Ok(Start::Refused(RenderFailure { code: "video_not_renderable", message, is_passing: false }));
            }
            rendering.status = RenderStatus::Rendering;
            rendering.scenes = u32::try_from(video.scenes.len()).unwrap_or(u32::MAX);
            rendering.scenes_done = 0;
            rendering.update(tx)?;
            let storyboard = Arc::new(Storyboard::of(&video, rendering.resolution, rendering.burns_captions));
            Ok::<_, Interruption>(Start::Begun(Begun { rendering, video_version: video.version, storyboard }))
        };
        self.studio.store.write("renderings.begin", write).await
    }

    async fn render(&self, begun: &Begun) -> Result<(), Stopped> {
        let folder = self.open_folder().await?;
        for index in 0..begun.storyboard.scenes.len() {
            let turn = self.unless_cancelled(self.studio.turns.take(self.job.organization_id)).await?;
            let scene = self.studio.renderer.render_scene(&begun.storyboard, index, &folder);
            self.unless_cancelled(scene).await?.map_err(Stopped::Failed)?;
            drop(turn);
            self.note_progress(index + 1).await?;
        }
        let turn = self.unless_cancelled(self.studio.turns.take(self.job.organization_id)).await?;
        let assembling = self.studio.renderer.assemble(&begun.storyboard, &folder);
        let film = self.unless_cancelled(assembling).await?.map_err(Stopped::Failed)?;
        drop(turn);
        self.keep(begun, film).await
    }

    /// The folder of the video's scenes. Those of other videos that nobody went on with are removed.
    async fn open_folder(&self) -> Result<PathBuf, Stopped> {
        let (all, own) = (self.studio.folder.clone(), self.own_folder());
        let opened = tokio::task::spawn_blocking(move || {
            std::fs::create_dir_all(&own)?;
            remove_old(&all);
            Ok::<_, std::io::Error>(own)
        });
        opened
            .await
            .map_err(|error| Stopped::Failed(disk_failure(&error)))?
            .map_err(|error| Stopped::Failed(disk_failure(&error)))
    }

    /// Each request has its own: one that was replaced may still be stopping.
    fn own_folder(&self) -> PathBuf {
        self.studio.folder.join(self.job.run_id.to_string())
    }

    /// Waits for a step, but not longer than somebody wants the rendering.
    async fn unless_cancelled<T>(&self, step: impl Future<Output = T>) -> Result<T, Stopped> {
        let mut step = std::pin::pin!(step);
        let mut look = tokio::time::interval(LOOK_EVERY);
        look.reset();
        loop {
            tokio::select! {
                biased;
                done = &mut step => return Ok(done),
                _ = look.tick() => {
                    let job = self.job.clone();
                    let found = self.studio.store.read("renderings.look", move |tx| job.find(tx)).await;
                    // A store that is away for a moment cancels nothing.
                    if matches!(found, Ok(None)) {
                        return Err(Stopped::Cancelled);
                    }
                }
            }
        }
    }

    async fn note_progress(&self, scenes_done: usize) -> Result<(), Stopped> {
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
        match self.studio.store.write("renderings.note_progress", write).await? {
            true => Ok(()),
            false => Err(Stopped::Cancelled),
        }
    }

    /// Puts the files into the store and makes them the video's own.
    async fn keep(&self, begun: &Begun, film: Film) -> Result<(), Stopped> {
        let (file_id, poster_id): (FileId, FileId) = (self.studio.ambient.id(), self.studio.ambient.id());
        let organization = self.job.organization_id;
        let size = tokio::fs::metadata(&film.file).await.map_err(|error| Stopped::Failed(disk_failure(&error)))?.len();
        for (file, path) in [(file_id, &film.file), (poster_id, &film.poster)] {
            let put = self.studio.files.put_file(RenderingKey { organization, file }, path).await;
            put.map_err(|error| Stopped::Failed(storage_failure(&error)))?;
        }
        let file = VideoFile {
            video_id: self.job.video_id,
            organization_id: organization,
            file_id,
            poster_id,
            video_version: begun.video_version,
            width: film.width,
            height: film.height,
            duration_ms: i64::try_from(film.duration_ms).unwrap_or(i64::MAX),
            size_bytes: i64::try_from(size).unwrap_or(i64::MAX),
            burns_captions: begun.rendering.burns_captions,
            captions: film.captions,
            transcript: film.transcript,
            chapters: film.chapters,
            rendered_at: self.studio.ambient.now(),
        };
        let new = [file.key(), file.poster_key()];
        let recorded = self.record(file).await;
        if recorded? {
            // Somebody may still play the file of before: a night's sweep removes what no row names.
            return Ok(());
        }
        for key in new {
            if let Err(error) = self.studio.files.delete(key).await {
                tracing::warn!(%key, %error, "a rendered file that nothing names is left for the night");
            }
        }
        Err(Stopped::Cancelled)
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
        self.studio.store.write("renderings.record", write).await
    }

    async fn try_again(&self, failure: &RenderFailure) -> Result<Outcome, Interruption> {
        let (lease, why) = (self.claimed.lease.clone(), failure.to_string());
        let job = RenderVideo { failures: self.job.failures + 1, ..self.job.clone() };
        let at = self.studio.ambient.now().plus(RETRY_DELAY * 3_u32.pow(self.job.failures));
        let write = move |tx: &mut Tx<'_>| {
            lease.hold(tx)?;
            Ok::<_, Interruption>(jobs::retry_with(tx, &lease, &job, at, &why)?)
        };
        self.studio.store.write("renderings.try_again", write).await?;
        Ok(Outcome::Settled)
    }

    /// Gives the rendering up.
    async fn fail(&self, failure: &RenderFailure) -> Result<Outcome, Interruption> {
        tracing::warn!(video = %self.job.video_id, code = failure.code, why = failure.message, "a video is not rendered");
        let (lease, job) = (self.claimed.lease.clone(), self.job.clone());
        let failure = Failure { code: failure.code.to_owned(), message: failure.message.clone() };
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
        self.studio.store.write("renderings.fail", write).await?;
        self.forget_scenes().await;
        Ok(Outcome::Settled)
    }

    async fn forget_scenes(&self) {
        let folder = self.own_folder();
        if let Err(error) = tokio::fs::remove_dir_all(&folder).await
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(folder = %folder.display(), %error, "scenes that nobody needs any more stay for a day");
        }
    }
}

/// Removes folders of scenes that nothing was added to for a day.
fn remove_old(all: &Path) {
    let Ok(entries) = std::fs::read_dir(all) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(age_of);
        if age.is_some_and(|age| age > KEEP_SCENES)
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::warn!(folder = %entry.path().display(), %error, "old scenes can't be removed");
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the ages of folders are told by the clock of the machine that they are on"
)]
fn age_of(modified: SystemTime) -> Option<Duration> {
    SystemTime::now().duration_since(modified).ok()
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
