//! From the configuration to what the service is made of.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use edge::keys::KeyRules;
use edge::tls::Tls;
use files::Extractor;
use files::storage::StorageOptions;
use files::text::ExtractorOptions;
use kernel::ambient::Ambient;
use kernel::secret::MasterKey;
use mail::MailOptions;
use mail::templates::TemplatesError;
use platform::billing::processor::ProcessorOptions;
use platform::payments::X402Options;
use store::{Database, Store, StoreOptions};

use crate::app::{AppOptions, ModelOptions};
use crate::config::{Config, Render, secret_file};
use crate::rendering::RenderingOptions;

/// Which database, and how it is reached.
pub fn store_options(config: &Config) -> StoreOptions {
    StoreOptions::new(match &config.store.database_url {
        Some(url) => Database::Postgres { url: url.clone(), extra_ca_pem: config.outbound.policy.extra_ca_pem.clone() },
        None => Database::Sqlite { path: config.store.database_file() },
    })
}

/// Opens the database of a configuration, making the data folder and migrating first where needed. The master key is
/// not looked at: all but `lectern migrate` open it with `master_key::open_store`.
///
/// # Errors
/// When the folder or the database can't be made or opened.
pub async fn open_store(config: &Config, ambient: &Ambient) -> anyhow::Result<Store> {
    make_data_folder(config)?;
    Store::open(&store_options(config), ambient.clone()).await.context("the database can't be opened")
}

/// Where customers' files are kept.
pub fn storage_options(config: &Config) -> StorageOptions {
    config.files.storage(&config.store.data_dir, config.outbound.policy.extra_ca_pem.as_deref())
}

/// How mail goes out.
///
/// # Errors
/// When the operator's templates can't be used.
pub fn mail_options(config: &Config) -> Result<MailOptions, TemplatesError> {
    config.mail.options(&config.store.data_dir, config.outbound.policy.extra_ca_pem.as_deref())
}

/// Which language models are asked; `None` for the built-in generator and grader.
pub fn model_settings(config: &Config) -> Option<models::Settings> {
    config.model.settings(config.outbound.policy.extra_ca_pem.as_deref())
}

/// Which server speaks the scripts of videos; `None` for espeak-ng.
pub fn speech_settings(config: &Config) -> Option<models::SpeechSettings> {
    config.speech.settings(config.outbound.policy.extra_ca_pem.as_deref())
}

/// Reads files in children of this very program: of the one that runs, even when another has taken its place on the
/// disk.
///
/// # Errors
/// When the program can't be found.
pub fn extractor() -> anyhow::Result<Extractor> {
    Ok(Extractor::new(extractor_options(program()?)))
}

fn program() -> anyhow::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        Ok(PathBuf::from("/proc/self/exe"))
    } else {
        std::env::current_exe().context("the program can't be found")
    }
}

/// How this program is started as a child that reads a file.
pub fn extractor_options(program: PathBuf) -> ExtractorOptions {
    // The allocator takes memory from the system in pieces of this size. Its usual gibibyte is more than a child may
    // have.
    let environment = vec![("MIMALLOC_ARENA_RESERVE".to_owned(), "32MiB".to_owned())];
    ExtractorOptions { environment, ..ExtractorOptions::new(program) }
}

/// How videos are rendered.
///
/// # Errors
/// When the program can't be found.
pub fn rendering_options(config: &Config) -> anyhow::Result<RenderingOptions> {
    Ok(RenderingOptions {
        program: program()?,
        search_path: config.render.path.clone().into(),
        at_once: config.render.at_once,
        folder: Render::folder(&config.store.data_dir),
        speech: speech_settings(config),
    })
}

/// Who grades and writes besides what is built in.
pub fn model_options(config: &Config) -> Option<ModelOptions> {
    let (content_fallback, content_limits) = (config.model.content_fallback, config.model.content_limits);
    Some(ModelOptions { settings: model_settings(config)?, content_fallback, content_limits })
}

/// Where payments that come with requests go; `None` where none are taken.
pub fn x402_options(config: &Config) -> Option<X402Options> {
    config.x402.options(config.outbound.policy.extra_ca_pem.as_deref(), config.workers.in_flight)
}

/// How the payment processor is reached; `None` where there is none.
pub fn processor_options(config: &Config, local: SocketAddr) -> Option<ProcessorOptions> {
    let extra_ca_pem = config.outbound.policy.extra_ca_pem.as_deref();
    config.processor.options(&config.server.base_url(local), extra_ca_pem)
}

/// What a service needs that listens at `local` and has this master key.
///
/// # Errors
/// When the program can't be found, or the operator's templates can't be used.
pub fn app_options(config: &Config, master: MasterKey, local: SocketAddr) -> anyhow::Result<AppOptions> {
    Ok(AppOptions {
        store: store_options(config),
        base_url: config.server.base_url(local),
        has_base_url: config.server.base_url.is_some(),
        master,
        outbound: config.outbound.policy.clone(),
        webhook_retry_delays: config.webhooks.retry_delays.clone(),
        lti_retry_delays: config.lti.retry_delays.clone(),
        outage_delays: config.platform.outage_delays.clone(),
        prices: config.prices.catalog.clone(),
        operator_emails: config.notices.operator_emails.clone(),
        invoice_terms: config.invoices.terms.clone(),
        rendering: rendering_options(config)?,
        pages: config.pages.options.clone(),
        storage: storage_options(config),
        extractor: extractor_options(program()?),
        mail: mail_options(config)?,
        model: model_options(config),
        processor: processor_options(config, local),
        requires_operator_totp: config.identity.requires_operator_totp,
        audit_retention: Duration::from_secs(config.identity.audit_retention_days as u64 * 24 * 3600),
        identity_providers: config.identity.providers(config.outbound.policy.extra_ca_pem.as_deref()),
        key_rules: KeyRules { requires_verified_email: config.platform.requires_verified_email },
        x402: x402_options(config),
        workers: config.workers.in_flight,
        body_limit_bytes: config.limits.body_bytes,
        responses: config.limits.responses(&config.store.data_dir),
    })
}

/// What to serve https with, when that is configured.
///
/// # Errors
/// When the files can't be read or don't belong together.
pub fn tls(config: &Config) -> anyhow::Result<Option<Tls>> {
    let Some(files) = &config.server.tls else { return Ok(None) };
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("can't read {}", path.display()));
    let tls = Tls::from_pem(&read(&files.cert_file)?, &read(&files.key_file)?);
    Ok(Some(tls.with_context(|| format!("can't serve https with {}", files.cert_file.display()))?))
}

/// Makes the data folder, for its owner alone, unless it is there.
///
/// # Errors
/// When it can't be made.
pub(crate) fn make_data_folder(config: &Config) -> anyhow::Result<()> {
    let folder = &config.store.data_dir;
    secret_file::make_folder(folder).with_context(|| format!("can't make the data folder {}", folder.display()))
}
