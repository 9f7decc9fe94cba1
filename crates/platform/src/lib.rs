//! The grading platform, `/v1/platform`: learners' answers are graded, for workspaces that pay in credits.
//!
//! One folder a noun, one file a verb: a file holds an operation's request, rules, transaction, answer and tests. Start
//! at [`evaluations`], the main job; [`callers`] says who may do what; [`api`] lists every operation.

pub mod agent;
pub mod api;
pub mod audit_log;
pub mod billing;
pub mod callers;
pub mod caps;
pub mod credentials;
pub mod evaluations;
pub mod invoices;
pub mod jobs;
pub mod keys;
pub mod learners;
pub mod lti;
pub mod maintenance;
mod named;
pub mod notices;
pub mod payments;
pub mod questions;
pub mod reconcile;
pub mod statistics;
mod stored_files;
pub mod submissions;
#[cfg(test)]
mod testing;
pub mod traces;
pub mod videos;
pub mod webhooks;
pub mod workspaces;

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ::billing::catalog::Catalog;
use axum::extract::FromRef;
use content::Content;
use content::videos::renderings::renderer::DrawScene;
use edge::cursor::Cursors;
use edge::door::Door;
use files::signed::FileLinks;
use files::{Extractor, FileStore};
use kernel::id::WorkspaceId;
use kernel::secret::{MasterKey, Sealer};
use kernel::turns::FairTurns;
use net::OutboundClient;
use store::jobs::JobType;
use url::Url;

use crate::billing::processor::Processor;
use crate::evaluations::Graders;
use crate::evaluations::work::Grading;
use crate::lti::platform_keys::PlatformKeys;
use crate::lti::refusals::LaunchLog;
use crate::lti::sessions::PageLinks;
use crate::lti::sessions::roster::{ROSTERS_AT_ONCE, ROSTERS_EACH};
use crate::lti::state::States;
use crate::lti::tokens::Tokens;
use crate::lti::tool_keys::ToolKeys;
use crate::payments::X402;
use crate::traces::FindOrigin;
use crate::videos::pictures::ScenePictures;

/// A form with files may take 25 MiB of memory until its files are stored.
const UPLOADS_AT_ONCE: usize = 8;
/// Whoever sends slowly keeps nobody else waiting.
const UPLOADS_EACH: usize = 2;
/// The pictures of an evaluation are in memory while a model looks at them: 25 MiB at most, as the form that brought them.
const SHOWN_AT_ONCE: usize = 8;
/// Of one workspace: the rest is for others.
const SHOWN_EACH: usize = SHOWN_AT_ONCE / 2;

/// What the operations of this surface need, behind one pointer: a request clones it several times.
#[derive(Clone)]
pub struct Platform(Arc<Parts>);

/// What a [`Platform`] leads to.
pub struct Parts {
    /// The way into the store.
    pub door: Door,
    /// The content surface, whose videos are reviewed here.
    pub content: Content,
    /// Judges webhook addresses.
    pub outbound: OutboundClient,
    /// Encrypts webhook secrets at rest.
    pub webhook_secrets: Sealer,
    /// The service's public address, without a slash at its end.
    pub base_url: String,
    /// Make and check the links that verify e-mail addresses.
    pub verification_links: agent::verify_email::Links,
    /// Where lists go on.
    cursors: Cursors,
    /// Who grades.
    graders: Arc<Graders>,
    /// What customers send along.
    files: Arc<Files>,
    /// Forms that are held in memory at a time, by who sends them.
    uploads: FairTurns<String>,
    /// Grades what requests wait for.
    pub grading: Grading,
    /// Sign what learning platforms are told.
    pub tool_keys: ToolKeys,
    /// Verify what learning platforms say.
    platform_keys: PlatformKeys,
    /// Open the services of learning platforms.
    lti_tokens: Tokens,
    /// Rosters that are read at a time, by whose they are.
    rosters: FairTurns<WorkspaceId>,
    /// Join a launch to its login.
    lti_states: States,
    /// Lead to the pages of launches.
    launch_links: PageLinks,
    /// Says why launches were refused.
    launch_log: LaunchLog,
    /// Finds what traces began with.
    pub find_origin: FindOrigin,
    /// What evaluations cost.
    pub prices: Catalog,
    /// The operators who are told by e-mail what workspaces are told.
    pub operator_emails: Vec<String>,
    /// What invoices say besides their amounts; `None` where none are made.
    pub invoice_terms: Option<::invoices::Terms>,
    /// Takes payments that come with requests, where the operator takes them.
    pub x402: Option<X402>,
    /// Bills what is used, where the operator has one.
    processor: Option<Processor>,
    /// The types of all jobs of the service.
    job_types: Vec<JobType>,
    /// Draw the scenes of videos that are reviewed.
    scene_pictures: ScenePictures,
    works_here: AtomicBool,
}

/// What is decided elsewhere about the surface.
#[derive(Clone)]
pub struct PlatformOptions {
    /// The waits of a queued evaluation whose model or files are away.
    pub outage_delays: Vec<Duration>,
    /// What content knows of the beginnings of traces.
    pub find_origin: FindOrigin,
    /// What evaluations cost, and what new workspaces may spend for free.
    pub prices: Catalog,
    /// The operators who are told by e-mail what workspaces are told.
    pub operator_emails: Vec<String>,
    /// What invoices say besides their amounts; `None` where none are made.
    pub invoice_terms: Option<::invoices::Terms>,
    /// Takes payments that come with requests.
    pub x402: Option<X402>,
    /// The payment processor, where the operator has one.
    pub processor: Option<Processor>,
    /// The types of all jobs of the service, those of other surfaces too.
    pub job_types: Vec<JobType>,
    /// Draws the scenes of videos.
    pub draw_scene: DrawScene,
}

impl Platform {
    /// The surface on the door of the content surface; links lead below `base_url`, the service's public address.
    pub fn new(
        content: Content,
        outbound: OutboundClient,
        master: &MasterKey,
        base_url: &Url,
        graders: Graders,
        files: Files,
        options: PlatformOptions,
    ) -> Self {
        let PlatformOptions { outage_delays, find_origin, prices, processor, x402, operator_emails, .. } = options;
        let door = content.door.clone();
        let webhook_secrets = master.sealer(events::WEBHOOK_SECRETS);
        let base_url = base_url.as_str().trim_end_matches('/').to_owned();
        let verification_links = agent::verify_email::Links::new(master, &base_url);
        let uploads = FairTurns::with_share(UPLOADS_AT_ONCE, UPLOADS_EACH);
        let (graders, files) = (Arc::new(graders), Arc::new(files));
        let (store, ambient) = (door.store.clone(), door.ambient.clone());
        let platform_keys = PlatformKeys::new(outbound.clone(), ambient.clone());
        let lti_tokens = Tokens::new(outbound.clone(), ambient.clone());
        let launch_log = LaunchLog::new(store.clone(), ambient.clone());
        let tool_keys = ToolKeys::new(store.clone(), ambient.clone(), master);
        let grading = Grading::new(store, ambient, graders.clone(), files.clone(), outage_delays, x402.clone());
        Self(Arc::new(Parts {
            door,
            content,
            outbound,
            webhook_secrets,
            base_url,
            verification_links,
            cursors: Cursors::new(master),
            graders,
            files,
            uploads,
            grading,
            tool_keys,
            platform_keys,
            lti_tokens,
            rosters: FairTurns::with_share(ROSTERS_AT_ONCE, ROSTERS_EACH),
            lti_states: States::new(master),
            launch_links: PageLinks::new(master),
            launch_log,
            find_origin,
            prices,
            operator_emails,
            invoice_terms: options.invoice_terms,
            x402,
            processor,
            job_types: options.job_types,
            scene_pictures: ScenePictures::new(options.draw_scene),
            works_here: AtomicBool::new(false),
        }))
    }
}

impl Parts {
    /// Notes that this process works on jobs and deliveries.
    pub fn note_work(&self) {
        self.works_here.store(true, Ordering::Relaxed);
    }

    /// Whether this process works on jobs and deliveries.
    fn works_here(&self) -> bool {
        self.works_here.load(Ordering::Relaxed)
    }
}

/// Where files are kept, how they are read, and the links that they are fetched by.
pub struct Files {
    /// Keeps their bytes.
    pub store: FileStore,
    /// Makes and checks their links.
    pub links: FileLinks,
    /// Reads their text.
    extractor: Extractor,
    /// Files that are in memory while they are read, by whose they are.
    readers: FairTurns<WorkspaceId>,
    /// Evaluations whose pictures are in memory while they are graded.
    shown: FairTurns<WorkspaceId>,
}

impl Files {
    /// Files in a store, read by an extractor, with as many children at a time as it may have.
    pub fn new(store: FileStore, links: FileLinks, extractor: Extractor) -> Self {
        let readers = FairTurns::new(extractor.children());
        Self { store, links, extractor, readers, shown: FairTurns::with_share(SHOWN_AT_ONCE, SHOWN_EACH) }
    }
}

impl Deref for Platform {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl FromRef<Platform> for Door {
    fn from_ref(platform: &Platform) -> Self {
        platform.door.clone()
    }
}
