//! `lectern demo`: the five-minute tour, on embedded defaults, in a folder of its own.
//!
//! It sets up through the operations of `lectern init`, serves in this process, and then behaves as a
//! customer: everything else goes through HTTP. Where to read next: [`tour`].

mod browser;
mod client;
mod excerpts;
mod facilitator;
mod folder;
mod forms;
mod grading;
mod launching;
mod lessons;
mod lms;
mod page;
mod paying;
mod receiver;
mod reviewing;
mod tour;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use edge::passwords;
use invoices::{Seller, Terms};
use kernel::ambient::Ambient;
use kernel::secret::{ExposeSecret as _, SecretString, random_token};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use self::client::Client;
use self::facilitator::Facilitator;
use self::folder::Credentials;
use self::lms::Lms;
use self::page::Page;
use self::receiver::Receiver;
use self::tour::{Made, MadeResource, Tour};
use crate::app::{self, App, Role};
use crate::cli::Demo;
use crate::commands::Session;
use crate::commands::serve::{Stops, multi_threaded};
use crate::config::Config;
use crate::output::Paint;
use crate::setup::{self, Outcome, Plan};
use crate::{assembly, lock, master_key, telemetry};

const EMAIL: &str = "admin@demo.example";
const ORGANIZATION: &str = "Demo School";
const CLASSROOM: &str = "Class 7b";

/// Takes the tour. Exits 0 only if every step worked.
pub(crate) fn run(session: &Session, options: &Demo) -> anyhow::Result<ExitCode> {
    let config = Config::for_demo(&options.data_dir, &session.environment)?;
    let _log = telemetry::start(&config.log, &session.environment)?;
    let _lock = lock::take(&config)?;
    let runtime = multi_threaded()?;
    let mut page = Page::new(Paint::stdout(&session.environment));
    let code = match runtime.block_on(Box::pin(demo(session, &config, options, &mut page))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.chain().any(|cause| cause.is::<io::Error>() && is_broken_pipe(cause)) => return Err(error),
        Err(error) => {
            page.failed(&format!("{error:#}"))?;
            page.gap()?;
            ExitCode::FAILURE
        }
    };
    runtime.shutdown_background();
    Ok(code)
}

fn is_broken_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

async fn demo(session: &Session, config: &Config, options: &Demo, page: &mut Page) -> anyhow::Result<()> {
    let mut stops = Stops::listen()?;
    let ambient = session.ambient.clone();
    page.title(
        "Lectern",
        "Source JSON becomes classroom content, and answers are graded: the tour, on this machine, offline.",
    )?;

    page.step("Set up")?;
    let listener = listen_somewhere(config.server.listen)?;
    let address = reachable(listener.local_addr()?);
    let (store, master) = master_key::open_store(config, &ambient).await?;
    let mut options_of_app = assembly::app_options(config, master, address)?;
    options_of_app.x402 = Some(Facilitator::start(ambient.clone()).await?.options()?);
    options_of_app.invoice_terms = Some(invoice_terms());
    let app = App::on(store, options_of_app, ambient.clone())?;
    let (credentials, outcome) = set_up(config, &app, &ambient).await?;
    let verb = if outcome.is_new_admin { "made" } else { "found again" };
    page.done(&format!("an admin, an organization, a classroom, a workspace and two API keys: {verb}"))?;
    page.remark(&format!("in {}", options.data_dir.display()))?;

    page.step("Serve")?;
    let metrics = telemetry::install_metrics()?;
    tokio::spawn(telemetry::upkeep(metrics.clone(), app.door.store.clone()));
    let store = app.door.store.clone();
    let (stop, stopped) = oneshot::channel();
    let until_stopped = async { stopped.await.unwrap_or(()) };
    let service = tokio::spawn(Box::pin(app.run(Role::All, listener, metrics, until_stopped)));

    let touring = async {
        let client = Client::new(address, credentials.content_api_key.clone());
        client.get("/readyz").await?.expect(http::StatusCode::OK)?;
        page.done(&format!("http://{address}"))?;
        let mut receiver = Receiver::start(ambient.clone()).await?;
        let lms = Lms::start(ambient.clone(), address).await?;
        let mut tour = Tour {
            page,
            client,
            platform: Client::new(address, credentials.platform_api_key.clone()),
            receiver: &mut receiver,
            ambient,
            store,
            email: credentials.email.clone(),
            password: credentials.password.clone(),
            organization_id: outcome.organization.id.to_string(),
            classroom_id: outcome.classroom.id.to_string(),
            workspace_id: outcome.workspace.to_string(),
        };
        let made = tour.take(&lms).await?;
        say_how_to_go_on(page, address, &credentials, &outcome, &made)?;
        if options.once {
            page.remark("This demo ends here; without --once it goes on serving.")?;
            page.gap()?;
        } else {
            serve_on(page, config, &mut receiver, &mut stops).await?;
        }
        anyhow::Ok(())
    };
    let result = touring.await;
    let _ = stop.send(());
    service.await.context("the service crashed")??;
    result
}

/// With a seller, months get invoices.
fn invoice_terms() -> Terms {
    let seller =
        Seller { name: "Demo Grading".to_owned(), address: vec!["This machine".to_owned()], tax_ids: Vec::new() };
    Terms { seller, taxes: Vec::new(), is_tax_included: false, series: "DEMO".to_owned() }
}

/// The configured address, or a free loopback port when it is taken.
fn listen_somewhere(wanted: SocketAddr) -> anyhow::Result<TcpListener> {
    app::listen(wanted).or_else(|_| app::listen((Ipv4Addr::LOCALHOST, 0).into()))
}

/// Where a client on this machine reaches a listener.
fn reachable(mut local: SocketAddr) -> SocketAddr {
    if local.ip().is_unspecified() {
        local.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    local
}

/// Sets up as `lectern init` does; password and keys are kept in the folder for the next run.
async fn set_up(config: &Config, app: &App, ambient: &Ambient) -> anyhow::Result<(Credentials, Outcome)> {
    let (data_dir, store) = (&config.store.data_dir, &app.door.store);
    let known = folder::load(data_dir)?;
    let is_admin = setup::is_admin(store, EMAIL).await?;
    if known.is_none() && is_admin {
        bail!("{} was lost: choose another folder with --data-dir", folder::path(data_dir).display());
    }
    let mut credentials = known.unwrap_or_else(|| Credentials {
        email: EMAIL.to_owned(),
        password: random_token(ambient),
        content_api_key: None,
        platform_api_key: None,
    });
    folder::save(data_dir, &credentials)?;
    let plan = Plan {
        email: credentials.email.clone(),
        password_hash: if is_admin { None } else { Some(hash(credentials.password.as_str().into()).await?) },
        organization: ORGANIZATION.to_owned(),
        classroom: CLASSROOM.to_owned(),
        wants_new_keys: credentials.content_api_key.is_none() || credentials.platform_api_key.is_none(),
        free_grant: config.prices.catalog.free_grant(ambient.now()),
    };
    let outcome = setup::apply(store, ambient, &plan).await?;
    let raw = |key: &SecretString| key.expose_secret().to_owned();
    credentials.content_api_key = outcome.content_key.as_ref().map(raw).or(credentials.content_api_key);
    credentials.platform_api_key = outcome.platform_key.as_ref().map(raw).or(credentials.platform_api_key);
    folder::save(data_dir, &credentials)?;
    Ok((credentials, outcome))
}

async fn hash(password: SecretString) -> anyhow::Result<String> {
    Ok(tokio::task::spawn_blocking(move || passwords::hash(&password)).await??)
}

fn say_how_to_go_on(
    page: &mut Page,
    address: SocketAddr,
    credentials: &Credentials,
    outcome: &Outcome,
    made: &Made,
) -> io::Result<()> {
    page.step("Go on from a shell")?;
    page.gap()?;
    page.shell(&format!("URL=http://{address}"))?;
    page.shell(&format!("KEY={}", credentials.content_api_key.as_deref().unwrap_or_default()))?;
    page.shell(&format!("PLATFORM_KEY={}", credentials.platform_api_key.as_deref().unwrap_or_default()))?;
    page.shell(&format!("CLASSROOM={}", outcome.classroom.id))?;
    page.shell(&format!("JOB={}", made.job_id))?;
    for MadeResource { kind, id, .. } in &made.resources {
        page.shell(&format!("{}={id}", kind.to_uppercase()))?;
    }
    page.gap()?;
    page.shell("curl -H \"Authorization: Bearer $KEY\" \\")?;
    page.shell("  $URL/v1/content/integrations/expansions/$JOB/result")?;
    for MadeResource { kind, .. } in &made.resources {
        page.shell("curl -H \"Authorization: Bearer $KEY\" \\")?;
        page.shell(&format!("  $URL/v1/content/classrooms/$CLASSROOM/{kind}s/${}", kind.to_uppercase()))?;
    }
    page.shell("curl -H \"Authorization: Bearer $KEY\" -H \"Idempotency-Key: mine-1\" \\")?;
    page.shell("  -H \"Content-Type: application/json\" -d '{\"classroomId\": \"'$CLASSROOM'\",")?;
    page.shell("  \"payload\": {\"lessons\": [\"A cell is the smallest unit of life.\"]}}' \\")?;
    page.shell("  $URL/v1/content/integrations/expansions")?;
    page.shell("curl -H \"Authorization: Bearer $PLATFORM_KEY\" \\")?;
    page.shell("  -H \"Content-Type: application/json\" -d '{\"evaluationType\": \"exact\",")?;
    page.shell("  \"questionText\": \"6 times 7?\",")?;
    page.shell("  \"referenceAnswer\": \"42\", \"learnerAnswer\": \"42\"}' \\")?;
    page.shell("  $URL/v1/platform/evaluations")?;
    page.gap()
}

/// Serves until a signal, and shows the webhooks of what the user does meanwhile.
async fn serve_on(page: &Page, config: &Config, receiver: &mut Receiver, stops: &mut Stops) -> anyhow::Result<()> {
    let password = folder::path(&config.store.data_dir);
    page.bold("Serving until Ctrl-C; webhooks of your own requests show up here.")?;
    page.remark(&format!("the password of {EMAIL} is in {}", password.display()))?;
    loop {
        let delivery = tokio::select! {
            _ = stops.next() => return Ok(()),
            delivery = receiver.next() => delivery,
        };
        match delivery.context("the webhook receiver stopped")? {
            Ok(told) => page.done(&format!("{} of {}", told.event, subject(&told.body))),
            Err(wrong) => page.failed(wrong),
        }?;
    }
}

/// What an event is about.
fn subject(body: &Value) -> String {
    let named = |what: &str, name: &str| match excerpts::text(body, name) {
        "" => None,
        id => Some(format!("{what} {id}")),
    };
    let evaluation = || named("evaluation", "evaluationId");
    evaluation().or_else(|| named("launch", "sessionId")).or_else(|| named("job", "jobId")).unwrap_or_default()
}
