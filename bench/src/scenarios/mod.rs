//! One file a figure.

pub(crate) mod answers;
pub(crate) mod concurrent;
pub(crate) mod console;
pub(crate) mod create;
pub(crate) mod deliver;
pub(crate) mod evaluate;
pub(crate) mod expand;
pub(crate) mod fairness;
pub(crate) mod grade;
pub(crate) mod launch_floods;
pub(crate) mod launches;
pub(crate) mod list;
pub(crate) mod model;
pub(crate) mod payments;
pub(crate) mod read;
pub(crate) mod refused_bodies;
pub(crate) mod sign_in;
pub(crate) mod slow_readers;
pub(crate) mod source;
pub(crate) mod start;
pub(crate) mod statistics;
pub(crate) mod sync;
pub(crate) mod tool;
pub(crate) mod usage;

use kernel::ambient::Ambient;
use store::Store;

use crate::database::Database;
use crate::load::Measured;
use crate::report::Report;
use crate::settings::Settings;
use crate::{child, contest, load};

/// Every figure.
pub(crate) fn all(settings: &Settings, report: &mut Report) -> anyhow::Result<()> {
    start::run(settings, report)?;
    read::run(settings, report)?;
    list::run(settings, report)?;
    create::run(settings, report)?;
    evaluate::run(settings, report)?;
    concurrent::run(settings, report)?;
    model::run(settings, report)?;
    grade::run(report)?;
    deliver::run(settings, report)?;
    fairness::run(settings, report)?;
    sync::run(settings, report)?;
    payments::run(settings, report)?;
    usage::run(settings, report)?;
    launches::run(settings, report)?;
    launch_floods::run(settings, report)?;
    expand::run(settings, report)?;
    statistics::run(settings, report)?;
    sign_in::run(settings, report)?;
    console::run(settings, report)?;
    refused_bodies::run(settings, report)?;
    slow_readers::run(settings, report)
}

/// Opens the store of a database, fills it and closes it again.
fn fill<T, F: Future<Output = anyhow::Result<T>>>(
    database: &Database,
    fill: impl FnOnce(Store, Ambient) -> F,
) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let filled = runtime.block_on(async {
        let ambient = Ambient::system();
        let store = Store::open(&database.place.options(), ambient.clone()).await?;
        let filled = fill(store.clone(), ambient).await;
        store.close().await;
        filled
    })?;
    database.settle(&["module"])?;
    Ok(filled)
}

/// A window of the bare server with short answers, next to work that is no request itself.
fn bare_window(settings: &Settings, database: &Database) -> anyhow::Result<Measured> {
    /// About as long as a resource.
    const BODY_BYTES: usize = 2000;
    let arguments = ["bare".to_owned(), format!("--body-bytes={BODY_BYTES}")];
    let mut server = child::Child::server(&arguments, &database.folder().join("bare.log"))?;
    let address = server.answer()?;
    let request = load::Request::new(address, "GET /", &[], None, load::Patch::None);
    let load = load::Load { address, request, expected_status: 200 };
    load::run(&server, &load, contest::extent(settings))
}
