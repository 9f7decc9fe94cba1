//! The checks, one function each.

use std::error::Error;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::Path;

use billing::catalog::{Tier, Version};
use files::storage::StorageOptions;
use files::{Extracted, FileStore, FileText, Kind};
use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use mail::{Mailer, Way};
use net::OutboundClient;
use store::Store;

use super::Finding;
use crate::assembly;
use crate::config::Config;

/// A clock before this, when this program was written, is wrong.
const EARLIEST_NOW: Timestamp = Timestamp::from_millis(1_767_225_600_000);
/// A clock after this (the year 2100) is wrong too.
const LATEST_NOW: Timestamp = Timestamp::from_millis(4_102_444_800_000);

pub(super) fn without_effect(config: &Config) -> impl Iterator<Item = Finding> {
    config.without_effect().iter().map(|setting| Finding::warning("unused setting", setting.to_string()))
}

/// Whether the service can write in its data folder, or make it.
pub(super) fn data_folder(config: &Config) -> Finding {
    const CHECK: &str = "data folder";
    let folder = &config.store.data_dir;
    let shown = folder.display();
    let metadata = match std::fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => metadata,
        Ok(_) => return Finding::wrong(CHECK, format!("{shown} is not a folder: set LECTERN_DATA_DIR to one")),
        Err(error) if error.kind() == ErrorKind::NotFound => return missing_data_folder(CHECK, folder),
        Err(error) => return Finding::wrong(CHECK, format!("{shown} can't be looked at: {error}")),
    };
    match try_writing(folder) {
        Err(error) => Finding::wrong(CHECK, format!("{shown} can't be written: {error}. {GIVE_ACCESS}")),
        Ok(()) if is_open_to_others(&metadata) => {
            Finding::warning(CHECK, format!("{shown} can be read by other users: chmod 700 {shown}"))
        }
        Ok(()) => Finding::fine(CHECK, format!("{shown} can be written, by its owner alone")),
    }
}

const GIVE_ACCESS: &str = "Give the service's user write access, or set LECTERN_DATA_DIR to another folder";

/// Init and serve make a missing folder, where the first folder above that exists lets them.
fn missing_data_folder(check: &'static str, folder: &Path) -> Finding {
    let shown = folder.display();
    let here = Path::new(".");
    let above = folder.ancestors().skip(1).map(|above| if above.as_os_str().is_empty() { here } else { above });
    let nearest = above.into_iter().find(|above| above.exists()).unwrap_or(here);
    match try_writing(nearest) {
        Ok(()) => Finding::warning(check, format!("{shown} does not exist yet; init or serve makes it")),
        Err(error) => {
            let nearest = nearest.display();
            Finding::wrong(check, format!("{shown} can't be made: {nearest} can't be written: {error}. {GIVE_ACCESS}"))
        }
    }
}

fn try_writing(folder: &Path) -> std::io::Result<()> {
    let file = folder.join(format!("doctor.{}", std::process::id()));
    let written = std::fs::write(&file, b"lectern doctor\n");
    let removed = std::fs::remove_file(&file);
    written.and(removed)
}

#[cfg(unix)]
pub(super) fn is_open_to_others(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0
}

#[cfg(not(unix))]
pub(super) fn is_open_to_others(_metadata: &std::fs::Metadata) -> bool {
    false
}

pub(super) fn clock(now: Timestamp) -> Finding {
    const CHECK: &str = "clock";
    if (EARLIEST_NOW..LATEST_NOW).contains(&now) {
        return Finding::fine(CHECK, format!("it is {now}"));
    }
    Finding::wrong(CHECK, format!("it can't be {now}: sessions, signatures and retries need the right time"))
}

/// The prices in force, and those that follow.
pub(super) fn prices(config: &Config, now: Timestamp) -> Finding {
    let catalog = &config.prices.catalog;
    let current = catalog.at(now);
    let mut message = format!("{} is in force: {}", current.name, in_words(current));
    let next = catalog.versions().iter().find(|version| version.effective_from.is_some_and(|from| from > now));
    if let Some((next, from)) = next.and_then(|next| Some((next, next.effective_from?))) {
        message.push_str(&format!("; {} follows on {from}: {}", next.name, in_words(next)));
    }
    Finding::fine("prices", message)
}

fn in_words(version: &Version) -> String {
    let price = |tier: &Tier| format!("{} USD {}", tier.as_str(), version.price(*tier).to_usd_number());
    let prices: Vec<_> = Tier::ALL.iter().map(price).collect();
    format!("{}, free grant USD {}", prices.join(", "), version.free_grant.to_usd_number())
}

/// Whether the programs are there that render videos.
pub(super) fn rendering(config: &Config) -> Finding {
    const CHECK: &str = "video rendering";
    let programs = if assembly::speech_settings(config).is_some() { "ffmpeg is" } else { "ffmpeg and espeak-ng are" };
    match assembly::rendering_options(config).map(|options| options.find_programs()) {
        Err(error) => Finding::wrong(CHECK, format!("{error:#}")),
        Ok(Err(missing)) => {
            Finding::warning(CHECK, format!("{missing}. Videos can't be rendered until then; everything else works"))
        }
        Ok(Ok(_)) if !render::sandbox::confines_files() => Finding::warning(
            CHECK,
            format!("{programs} there, but the kernel has no Landlock: nothing keeps them to their work folder"),
        ),
        Ok(Ok(_)) => Finding::fine(CHECK, format!("{programs} there, kept to their work folder")),
    }
}

pub(super) fn outbound(config: &Config) -> Finding {
    const CHECK: &str = "outbound TLS";
    match OutboundClient::new(config.outbound.policy.clone()) {
        Err(error) => Finding::wrong(CHECK, plain(&error)),
        Ok(client) if !client.has_trust_roots() => {
            Finding::wrong(CHECK, "no trusted CA certificates: install ca-certificates, or https webhooks will fail")
        }
        Ok(_) if config.outbound.policy.allow_http => {
            Finding::warning(CHECK, "plain http is allowed for webhooks: only for development")
        }
        Ok(_) => Finding::fine(CHECK, "trusted CA certificates are there"),
    }
}

pub(super) fn listen(config: &Config) -> Finding {
    const CHECK: &str = "address";
    let address = config.server.listen;
    match TcpListener::bind(address) {
        Ok(_) if address.ip().is_unspecified() && config.server.base_url.is_none() => {
            Finding::warning(CHECK, format!("{address} is no address for links: set LECTERN_BASE_URL"))
        }
        Ok(_) => Finding::fine(CHECK, format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            Finding::warning(CHECK, format!("{address} is in use, perhaps by lectern serve"))
        }
        Err(error) => Finding::wrong(CHECK, format!("{address} can't be listened on: {error}")),
    }
}

/// Of https served by the process itself; nothing where it isn't.
pub(super) fn tls(config: &Config) -> Option<Finding> {
    const CHECK: &str = "TLS files";
    match assembly::tls(config) {
        Ok(None) => None,
        Ok(Some(_)) => Some(Finding::fine(CHECK, "the certificate and its key can be served with")),
        Err(error) => Some(Finding::wrong(CHECK, format!("{error:#}"))),
    }
}

/// Of the store of files: writes, reads and deletes one.
pub(super) async fn files(config: &Config, ambient: &Ambient) -> Finding {
    const CHECK: &str = "files";
    let options = assembly::storage_options(config);
    let place = match &options {
        StorageOptions::S3(s3) => format!("bucket {}", s3.bucket),
        // Opening a store makes its folder.
        StorageOptions::Folder(folder) if !folder.exists() => {
            return Finding::warning(CHECK, format!("{} does not exist yet; init or serve makes it", folder.display()));
        }
        StorageOptions::Folder(folder) => folder.display().to_string(),
    };
    let store = match FileStore::open(&options) {
        Ok(store) => store,
        Err(error) => return Finding::wrong(CHECK, plain(&error)),
    };
    match store.check(ambient).await {
        Ok(()) => Finding::fine(CHECK, format!("{place} takes, gives and deletes a file")),
        Err(error) => Finding::wrong(CHECK, format!("{place}: {}", plain(&error))),
    }
}

/// Of the children that read files.
pub(super) async fn file_reader() -> Finding {
    const CHECK: &str = "file reader";
    const PAGE: &[u8] = b"<p>lectern doctor";
    let read = match assembly::extractor() {
        Ok(extractor) => extractor.extract(Kind::Html, PAGE.into()).await.map_err(|error| plain(&error)),
        Err(error) => Err(format!("{error:#}")),
    };
    match read {
        Ok(Extracted { text: FileText::Whole(_), .. }) => {
            Finding::fine(CHECK, "a file can be read in a process of its own")
        }
        Ok(other) => Finding::wrong(CHECK, format!("a page was not read: {other:?}")),
        Err(error) => Finding::wrong(CHECK, error),
    }
}

/// Of the texts of mail, and the way that it goes out. Nothing is sent.
pub(super) async fn mail(config: &Config, ambient: &Ambient) -> Finding {
    const CHECK: &str = "mail";
    let options = match assembly::mail_options(config) {
        Ok(options) => options,
        Err(error) => return Finding::wrong(CHECK, plain(&error)),
    };
    let server = match &options.way {
        Way::Smtp(server) => format!("{}:{}", server.host, server.port),
        Way::Folder(folder) => {
            let message = format!("no LECTERN_SMTP_URL: mail becomes files in {}", folder.display());
            let verdict = if config.platform.requires_verified_email { Finding::warning } else { Finding::fine };
            return verdict(CHECK, message);
        }
    };
    let mailer = match Mailer::open(options, ambient.clone()) {
        Ok(mailer) => mailer,
        Err(error) => return Finding::wrong(CHECK, plain(&error)),
    };
    match mailer.check().await {
        Ok(()) => Finding::fine(CHECK, format!("{server} answers")),
        Err(error) => Finding::wrong(CHECK, format!("{server}: {}", plain(&error))),
    }
}

pub(super) async fn database(config: &Config, ambient: &Ambient) -> Vec<Finding> {
    const CHECK: &str = "database";
    let options = assembly::store_options(config);
    let is_embedded = config.store.database_url.is_none();
    if is_embedded && !config.store.database_file().exists() {
        return vec![Finding::warning(CHECK, "does not exist yet; init or serve makes it")];
    }
    let state = match Store::check_migrations(&options).await {
        Ok(state) => state,
        Err(error) => return vec![Finding::wrong(CHECK, plain(&error))],
    };
    let kind = if is_embedded { "SQLite" } else { "PostgreSQL" };
    let mut findings = vec![Finding::fine(CHECK, format!("{kind} answers"))];
    let needs_migration = state.needs_migration();
    findings.push(match &needs_migration {
        Err(error) => Finding::wrong("migrations", plain(error)),
        Ok(true) => {
            Finding::warning("migrations", format!("pending: {}; run lectern migrate", state.pending.join(", ")))
        }
        Ok(false) => Finding::fine("migrations", format!("version {}", state.applied)),
    });
    // Opening the store would migrate it.
    if needs_migration.unwrap_or(true) {
        return findings;
    }
    findings.push(match write_and_take_back(&options, ambient).await {
        Ok(()) => Finding::fine("writing", "a transaction can be written"),
        Err(error) => Finding::wrong("writing", plain(&*error)),
    });
    findings
}

/// Fails where the disk is full, the file is read-only, or another process holds the lock for long.
async fn write_and_take_back(
    options: &store::StoreOptions,
    ambient: &Ambient,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let store = Store::open(options, ambient.clone()).await?;
    let subject = format!("lectern doctor {}", std::process::id());
    let written = store.write("doctor.write", move |tx| edge::rate::write_and_take_back(tx, &subject)).await;
    store.close().await;
    Ok(written?)
}

/// An error with its causes, in one line.
pub(super) fn plain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
