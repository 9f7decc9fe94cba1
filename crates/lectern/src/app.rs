//! Puts the service together: one store, the surfaces on their door, and the background work.

mod origins;
mod running;

use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::{Extension, Router};
use billing::catalog::Catalog;
use console::{ApiClient, ConsoleOptions};
use content::Content;
use content::generation::{Drafter, Generation};
use content::videos::renderings::work::RenderContext;
use edge::body::BodyLimit;
use edge::context::Tracking;
use edge::door::Door;
use edge::keys::KeyRules;
use edge::operations::{Draining, Operations};
use edge::origin::OwnOrigin;
use edge::problem::unknown_route;
use edge::rate::Sharing;
use edge::responses::{ResponseLimits, Responses};
use edge::server::Entrance;
use edge::{maintenance, operations, server};
use events::{Deliverer, DelivererOptions, RetrySchedule};
use files::signed::FileLinks;
use files::storage::StorageOptions;
use files::text::ExtractorOptions;
use files::{Extractor, FileStore};
use grading::{Grader, ModelGrader};
use identity::Identity;
use identity::oidc::ProviderSettings;
use kernel::ambient::Ambient;
use kernel::id::OrganizationId;
use kernel::model::Model;
use kernel::secret::MasterKey;
use kernel::turns::FairTurns;
use mail::{MailOptions, Mailer};
use metrics_exporter_prometheus::PrometheusHandle;
use models::Models;
use net::{OutboundClient, OutboundPolicy};
use platform::billing::processor::{Processor, ProcessorOptions};
use platform::billing::usage::Reporter;
use platform::evaluations::{Graders, Processors};
use platform::lti::sync::{Syncer, SyncerOptions};
use platform::payments::{X402, X402Options};
use platform::{Files, Platform, PlatformOptions};
use reference::Documents;
use store::jobs::{JobType, Worker, WorkerOptions};
use store::{Database, Store, StoreOptions, Tx};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use url::Url;
use web::PageOptions;

use crate::first_run::FirstRun;
use crate::rendering::{RenderingOptions, VideoRenderer, draw_scene};

pub use self::origins::find_origin;
pub use self::running::{PartFailed, Running};
use self::running::{require, until};

/// Everything that the configuration decides about a running service.
#[derive(Clone)]
pub struct AppOptions {
    /// Where the rows live.
    pub store: StoreOptions,
    /// The public address in links.
    pub base_url: Url,
    /// The operator has named that address: then it is the only origin that may sign in.
    pub has_base_url: bool,
    /// The operator's secret.
    pub master: MasterKey,
    /// What outbound calls may reach.
    pub outbound: OutboundPolicy,
    /// The waits between webhook attempts.
    pub webhook_retry_delays: Vec<Duration>,
    /// The waits between attempts to send a score to a learning platform.
    pub lti_retry_delays: Vec<Duration>,
    /// The waits of a queued evaluation whose model or files are away.
    pub outage_delays: Vec<Duration>,
    /// What evaluations cost.
    pub prices: Catalog,
    /// The operators who are told by e-mail what workspaces are told.
    pub operator_emails: Vec<String>,
    /// What invoices say besides their amounts; `None` where none are made.
    pub invoice_terms: Option<invoices::Terms>,
    /// How videos are rendered.
    pub rendering: RenderingOptions,
    /// What learners' pages may load.
    pub pages: PageOptions,
    /// Where customers' files are kept.
    pub storage: StorageOptions,
    /// How text is read out of them.
    pub extractor: ExtractorOptions,
    /// How mail goes out.
    pub mail: MailOptions,
    /// Who grades and writes besides what is built in.
    pub model: Option<ModelOptions>,
    /// Who bills what is used.
    pub processor: Option<ProcessorOptions>,
    /// Whether operators without a second factor can do nothing but set one up.
    pub requires_operator_totp: bool,
    /// How long entries of the audit log are kept.
    pub audit_retention: Duration,
    /// Who vouches for administrators besides passwords.
    pub identity_providers: Vec<ProviderSettings>,
    /// What keys of workspaces need before they may act.
    pub key_rules: KeyRules,
    /// Where payments that come with requests go; `None` where none are taken.
    pub x402: Option<X402Options>,
    /// Jobs in flight.
    pub workers: usize,
    /// The longest JSON body, in bytes.
    pub body_limit_bytes: usize,
    /// What responses in flight may hold.
    pub responses: ResponseLimits,
}

/// The operator's language models.
#[derive(Clone)]
pub struct ModelOptions {
    /// Who is asked, and how patiently.
    pub settings: models::Settings,
    /// The built-in generator writes what they have given up.
    pub content_fallback: bool,
    /// How much content they are asked for at once.
    pub content_limits: engine::authored::Limits,
}

/// What the API reference shows.
const DOCUMENTS: Documents = Documents {
    content: || written(&content::api::openapi()),
    platform: || written(&platform::api::openapi()),
    identity: || written(&identity::api::openapi()),
};
/// How long a killed worker's jobs stay out of reach of the others; a living one renews in time.
const JOB_LEASE: Duration = Duration::from_secs(15);
/// Kept open to the payment processor.
const PROCESSOR_CONNECTIONS: usize = 128;
/// What wrote a resource, in manifests and metadata.
const BUILTIN: &str = "builtin";
const MODEL: &str = "model";
/// Kills of the process that a job outlives. An operator's restarts are many and say nothing about the job; one
/// that takes the process down each time it runs comes to an end nevertheless.
const MOST_LAPSES: u32 = 25;

/// What a process does of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Everything.
    All,
    /// HTTP only.
    Api,
    /// Background work only; `/healthz`, `/readyz` and `/metrics` are served.
    Worker,
}

/// The service, put together but not running. Cheap to clone.
#[derive(Clone)]
pub struct App {
    /// The way into the store.
    pub door: Door,
    /// The content surface.
    pub content: Content,
    /// The platform surface.
    pub platform: Platform,
    /// The surface of sign-in.
    pub identity: Identity,
    /// Time and chance.
    pub ambient: Ambient,
    options: Arc<AppOptions>,
    drafter: Drafter,
    outbound: OutboundClient,
    mailer: Mailer,
    files: FileStore,
    renderer: Arc<VideoRenderer>,
    rendering_turns: Arc<FairTurns<OrganizationId>>,
    rendering_places: Arc<Semaphore>,
}

impl App {
    /// Opens the store (bringing it to this version) and puts the service together. The master key of the options is
    /// taken to be the database's; the program compares them first (`master_key.rs`).
    ///
    /// # Errors
    /// When the store can't be opened, and as [`App::on`].
    pub async fn open(options: AppOptions, ambient: Ambient) -> anyhow::Result<Self> {
        let store = Store::open(&options.store, ambient.clone()).await.context("the database can't be opened")?;
        Self::on(store, options, ambient)
    }

    /// Puts the service together on a store that is open.
    ///
    /// # Errors
    /// When the outbound client, the files, the mailer or the client of a model or speech server can't be opened.
    pub fn on(store: Store, options: AppOptions, ambient: Ambient) -> anyhow::Result<Self> {
        let outbound =
            OutboundClient::new(options.outbound.clone()).context("the outbound HTTP client can't be made")?;
        let sharing = match options.store.database {
            Database::Sqlite { .. } => Sharing::OneProcess,
            Database::Postgres { .. } => Sharing::ManyProcesses,
        };
        let origin = if options.has_base_url { OwnOrigin::of } else { OwnOrigin::guessed };
        let own_origin = origin(&options.base_url);
        let door = Door::new(store, ambient.clone(), &options.master, own_origin, sharing, options.key_rules)
            .with_responses(Responses::new(options.responses.clone()))
            .requiring_operator_second_factor(options.requires_operator_totp)
            .keeping_audit_log_for(options.audit_retention);
        let model = options.model.as_ref().map(|model| open_models(model, &ambient)).transpose()?;
        let drafter = drafter(model.clone().zip(options.model.as_ref()));
        let content = Content::new(door.clone(), outbound.clone(), &options.master, &options.base_url);
        let content = content.drafting_by(drafter.clone());
        let processors = Processors::new(std::thread::available_parallelism().map_or(1, NonZero::get));
        let grader = model
            .clone()
            .map(|model| -> Arc<dyn Grader> { Arc::new(ModelGrader::new(model, Arc::new(processors.clone()))) });
        let files = FileStore::open(&options.storage).context("the files can't be opened")?;
        let platform = open_platform(&content, &outbound, &files, &options, processors, grader)?;
        let mailer = Mailer::open(options.mail.clone(), ambient.clone()).context("mail can't be sent")?;
        let identity = Identity::new(door.clone(), &options.master, &options.base_url, &options.identity_providers)
            .context("nobody can sign in through an identity provider")?
            .installing(FirstRun { prices: options.prices.clone() });
        let renderer =
            VideoRenderer::open(options.rendering.clone(), &ambient).context("no speech server can be asked")?;
        let rendering_turns = Arc::new(FairTurns::new(options.rendering.at_once));
        let rendering_places = Arc::new(Semaphore::new(rendering_places(&options)));
        let options = Arc::new(options);
        Ok(Self {
            door,
            content,
            platform,
            identity,
            ambient,
            options,
            drafter,
            outbound,
            mailer,
            files,
            renderer: Arc::new(renderer),
            rendering_turns,
            rendering_places,
        })
    }

    /// The same service with another grader in the place of a model's.
    ///
    /// # Errors
    /// When the files can't be opened.
    pub fn with_model_grader(self, grader: Arc<dyn Grader>) -> anyhow::Result<Self> {
        let processors = Processors::new(1);
        let platform =
            open_platform(&self.content, &self.outbound, &self.files, &self.options, processors, Some(grader))?;
        Ok(Self { platform, ..self })
    }

    /// All routes, inside the layer that tracks requests.
    pub fn router(&self, role: Role, draining: Draining, metrics: PrometheusHandle) -> Router {
        let operations = Operations { door: self.door.clone(), draining: draining.clone(), metrics };
        let mut router = operations::routes(operations);
        if role != Role::Worker {
            let (content, platform) = (self.content.clone(), self.platform.clone());
            let pages = web::router(content, platform, &self.options.base_url, self.options.pages.clone(), draining);
            router = router.merge(content::api::router(self.content.clone())).merge(pages);
            router = router.merge(platform::api::router(self.platform.clone()));
            router = router.merge(identity::api::router(self.identity.clone()));
        }
        let layers = (Extension(BodyLimit(self.options.body_limit_bytes)), Tracking::new(self.door.clone()));
        if role != Role::Worker {
            // The console calls operations as any client does, in this process.
            let api = router.clone().fallback(unknown_route).layer(layers.clone());
            let options = ConsoleOptions {
                base_url: self.options.base_url.to_string(),
                has_base_url: self.options.has_base_url,
                ambient: self.ambient.clone(),
            };
            router = router.merge(console::router(ApiClient::new(api), options));
            let root = self.options.base_url.path().trim_end_matches('/');
            router = router.merge(reference::router(root, DOCUMENTS));
        }
        router.fallback(unknown_route).layer(layers)
    }

    /// The worker that runs this service's jobs.
    pub fn worker(&self) -> Worker {
        let (store, ambient) = (self.door.store.clone(), self.ambient.clone());
        let generation = Generation {
            store: store.clone(),
            ambient: ambient.clone(),
            drafter: self.drafter.clone(),
            links: self.content.links.clone(),
            linked_workspaces: platform::workspaces::find::linked_to,
        };
        let context = RenderContext {
            store: store.clone(),
            ambient: ambient.clone(),
            links: self.content.links.clone(),
            files: self.files.clone(),
            renderer: self.renderer.clone(),
            turns: self.rendering_turns.clone(),
            places: self.rendering_places.clone(),
            folder: self.options.rendering.folder.clone(),
        };
        let handlers = content::jobs::handlers(generation, context)
            .into_iter()
            .chain(platform::jobs::handlers(&self.platform, self.mailer.clone()))
            .chain(identity::jobs::handlers(&self.identity, self.mailer.clone()));
        let options = WorkerOptions {
            concurrency: self.options.workers,
            lease: JOB_LEASE,
            max_lapses: MOST_LAPSES,
            ..WorkerOptions::default()
        };
        Worker::new(store, ambient, handlers, options)
    }

    /// The deliverer of this service's webhooks.
    pub fn deliverer(&self) -> Deliverer {
        let retry = RetrySchedule::new(self.options.webhook_retry_delays.clone());
        Deliverer::new(
            self.door.store.clone(),
            self.outbound.clone(),
            self.content.webhook_secrets.clone(),
            self.ambient.clone(),
            DelivererOptions { retry, ..DelivererOptions::default() },
        )
    }

    /// The syncer of the scores of this service's evaluations.
    pub fn syncer(&self) -> Syncer {
        Syncer::new(self.platform.clone(), SyncerOptions { retry_delays: self.options.lti_retry_delays.clone() })
    }

    /// The reporter of the usage that the payment processor bills.
    pub fn reporter(&self) -> Reporter {
        Reporter::new(&self.platform)
    }

    /// Serves and works until `shutdown`, then finishes what is in flight and closes the store.
    ///
    /// # Errors
    /// As [`Running::run_until`].
    pub async fn run(
        self,
        role: Role,
        entrance: impl Into<Entrance>,
        metrics: PrometheusHandle,
        shutdown: impl Future<Output = ()>,
    ) -> Result<(), PartFailed> {
        self.start(role, entrance, metrics).run_until(shutdown).await
    }

    /// Begins to serve and to work: requests are answered from now on.
    pub fn start(self, role: Role, entrance: impl Into<Entrance>, metrics: PrometheusHandle) -> Running {
        let (stop, stopped) = watch::channel(false);
        let draining = Draining::default();
        let router = self.router(role, draining.clone(), metrics);
        let background = self.clone().background(role, stopped.clone());
        let serving = server::serve(entrance.into(), router, until(stopped.clone()));
        let parts = [
            require(self.door.store.supervision(), "serving", stopped.clone(), serving),
            require(self.door.store.supervision(), "background", stopped, background),
        ];
        Running::new(self.door.store.clone(), draining, stop, parts)
    }

    /// An embedded database has one server: whatever is leased when it starts was its killed predecessor's.
    async fn take_over(&self) {
        if !matches!(self.options.store.database, Database::Sqlite { .. }) {
            return;
        }
        let lapse = |tx: &mut Tx<'_>| {
            store::jobs::lapse_all(tx)?;
            events::lapse_all(tx)?;
            platform::lti::sync::lapse_all(tx)?;
            platform::billing::usage::lapse_all(tx)
        };
        if let Err(error) = self.door.store.write("app.take_over", lapse).await {
            tracing::warn!(%error, "work of an earlier process is taken over only when its leases lapse");
        }
    }

    /// Keeps the parts that work besides the server; a panic in one leaves the others alone.
    async fn background(self, role: Role, stopped: watch::Receiver<bool>) {
        let supervision = self.door.store.supervision();
        let maintenance = supervision
            .keep("maintenance", stopped.clone(), || maintenance::run(self.door.clone(), until(stopped.clone())));
        if role == Role::Api {
            return maintenance.await;
        }
        let books = supervision.keep("books", stopped.clone(), || {
            platform::maintenance::run(self.platform.clone(), until(stopped.clone()))
        });
        self.take_over().await;
        self.platform.note_work();
        let worker = supervision.keep("worker", stopped.clone(), || {
            let (worker, stopped) = (self.worker(), until(stopped.clone()));
            async move { worker.run(stopped).await }
        });
        let deliverer = supervision.keep("deliverer", stopped.clone(), || {
            let (deliverer, stopped) = (self.deliverer(), until(stopped.clone()));
            async move { deliverer.run(stopped).await }
        });
        let syncer = supervision.keep("syncer", stopped.clone(), || {
            let (syncer, stopped) = (self.syncer(), until(stopped.clone()));
            async move { syncer.run(stopped).await }
        });
        let reporter = supervision.keep("reporter", stopped.clone(), || {
            let (reporter, stopped) = (self.reporter(), until(stopped.clone()));
            async move { reporter.run(stopped).await }
        });
        tokio::join!(maintenance, books, worker, deliverer, syncer, reporter);
    }
}

/// How many renderings may take a worker's place: those that render and as many that are next, but not more than half of all places.
fn rendering_places(options: &AppOptions) -> usize {
    (2 * options.rendering.at_once).min(options.workers / 2).max(1)
}

fn open_models(options: &ModelOptions, ambient: &Ambient) -> anyhow::Result<Arc<dyn Model>> {
    let models = Models::open(options.settings.clone(), ambient).context("the language models can't be asked")?;
    Ok(Arc::new(models))
}

/// Who writes content: the model where there is one.
fn drafter(model: Option<(Arc<dyn Model>, &ModelOptions)>) -> Drafter {
    let builtin = || Arc::new(engine::Builtin);
    match model {
        None => Drafter::new(builtin(), BUILTIN),
        Some((model, options)) => {
            let generator = engine::Authored::new(model).with_limits(options.content_limits);
            let drafter = Drafter::waiting(Arc::new(generator), MODEL);
            if options.content_fallback { drafter.with_fallback(builtin(), BUILTIN) } else { drafter }
        }
    }
}

fn open_platform(
    content: &Content,
    outbound: &OutboundClient,
    files: &FileStore,
    options: &AppOptions,
    processors: Processors,
    model: Option<Arc<dyn Grader>>,
) -> anyhow::Result<Platform> {
    let files = Files::new(
        files.clone(),
        FileLinks::new(&options.master, &options.base_url),
        Extractor::new(options.extractor.clone()),
    );
    let graders = Graders::new(Arc::new(grading::Builtin), model, processors);
    let (content, outbound) = (content.clone(), outbound.clone());
    let x402 = options.x402.as_ref().map(|taken| X402::open(taken, &options.base_url)).transpose();
    let x402 = x402.context("the clients for x402 can't be made")?;
    let open =
        |processor: ProcessorOptions| Processor::new(processor, content.door.ambient.clone(), PROCESSOR_CONNECTIONS);
    let processor = options.processor.clone().map(open).transpose().context("the payment processor can't be asked")?;
    let (outage_delays, prices) = (options.outage_delays.clone(), options.prices.clone());
    let (operator_emails, invoice_terms) = (options.operator_emails.clone(), options.invoice_terms.clone());
    let job_types = job_types();
    let decided = PlatformOptions {
        outage_delays,
        find_origin,
        prices,
        processor,
        x402,
        operator_emails,
        invoice_terms,
        job_types,
        draw_scene,
    };
    Ok(Platform::new(content, outbound, &options.master, &options.base_url, graders, files, decided))
}

/// The types of all jobs of the service.
pub fn job_types() -> Vec<JobType> {
    let content = content::jobs::types(platform::workspaces::find::linked_to);
    content.into_iter().chain(platform::jobs::types()).chain(identity::jobs::types()).collect()
}

fn written(document: &impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(document).expect("an OpenAPI document serializes")
}

/// Opens the listening socket of the service.
///
/// # Errors
/// When the address is taken or not allowed.
pub fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    server::listen(address).with_context(|| format!("can't listen on {address}"))
}
