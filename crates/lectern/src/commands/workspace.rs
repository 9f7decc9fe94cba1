//! `lectern workspace`: the workspaces of the grading platform, as an operator manages them.

use std::process::ExitCode;

use kernel::money::MicroUsd;
use platform::reconcile::Report;
use platform::workspaces::create::{NewWorkspace, insert};
use platform::workspaces::fields::{SLUG_RULE, is_slug};
use platform::workspaces::verification::vouch;
use platform::workspaces::{self, Status, Workspace};
use serde::Serialize;
use store::Tx;

use super::names::{self, RowError, load_organization, load_workspace};
use super::{Session, WrongUse};
use crate::cli::{AddCredits, CreateWorkspace, Json, LinkWorkspace, OneWorkspace, VerifyEmail, Workspace as Verb};
use crate::output;

/// Exits 1 also when what is to agree does not.
pub(super) async fn run(session: &Session, command: Verb) -> anyhow::Result<ExitCode> {
    let ran = match command {
        Verb::Reconcile(options) => return reconcile(session, &options).await,
        Verb::Create(options) => create(session, options).await,
        Verb::List(options) => list(session, &options).await,
        Verb::Show(options) => show(session, options).await,
        Verb::Credits(options) => credits(session, options).await,
        Verb::Suspend(options) => turn(session, options, Status::Suspended).await,
        Verb::Activate(options) => turn(session, options, Status::Active).await,
        Verb::Link(options) => link(session, options).await,
        Verb::VerifyEmail(options) => verify_email(session, options).await,
    };
    ran.map(|()| ExitCode::SUCCESS)
}

async fn create(session: &Session, options: CreateWorkspace) -> anyhow::Result<()> {
    names::check("--name", &options.name)?;
    options.email.as_deref().map(names::check_email).transpose()?;
    if !is_slug(&options.slug) {
        return Err(WrongUse(format!("--slug {SLUG_RULE}")).into());
    }
    let json = options.json;
    let free_grant = session.config()?.prices.catalog.free_grant(session.ambient.now());
    let make = move |tx: &mut Tx<'_>| {
        let named = options.organization.as_deref();
        let organization = named.map(|name| load_organization(tx, name)).transpose()?;
        let new = NewWorkspace {
            email: options.email.clone(),
            is_email_verified: options.verified,
            rate_limit_per_minute: options.rate_limit_per_minute,
            organization: organization.map(|organization| organization.id),
            free_grant,
            ..NewWorkspace::named(options.name.clone(), options.slug.clone())
        };
        let id = insert(tx, &new)?;
        Ok(Workspace::load(tx, id)?)
    };
    change(session, "workspaces.create", json, make).await
}

/// Makes a change in one transaction, and prints the workspace as it is then.
async fn change(
    session: &Session,
    name: &'static str,
    json: bool,
    make: impl Fn(&mut Tx<'_>) -> Result<Workspace, RowError> + Send + Sync + 'static,
) -> anyhow::Result<()> {
    let workspace = session.write(name, make).await?;
    print(json, &workspace)
}

fn print(json: bool, workspace: &Workspace) -> anyhow::Result<()> {
    if json {
        return Ok(output::json(workspace)?);
    }
    let email = match (&workspace.email, workspace.email_verified.is_some()) {
        (None, _) => "none".to_owned(),
        (Some(email), true) => format!("{email}, verified"),
        (Some(email), false) => format!("{email}, not verified"),
    };
    let organization = workspace.organization_id.map_or_else(|| "none".to_owned(), |id| id.to_string());
    output::line(format!("workspace     {}  {}", workspace.id, output::plain(&workspace.name)))?;
    output::line(format!("slug          {}", workspace.slug))?;
    output::line(format!("status        {}", workspace.status.as_str()))?;
    output::line(format!("email         {}", output::plain(&email)))?;
    output::line(format!("credits       {}", workspace.credit_balance.to_credits_number()))?;
    output::line(format!("free credits  {}", workspace.free_credit_balance.to_credits_number()))?;
    output::line(format!("per minute    {}", workspace.rate_limit_per_minute))?;
    Ok(output::line(format!("organization  {organization}"))?)
}

async fn list(session: &Session, options: &Json) -> anyhow::Result<()> {
    let found = session.read("workspaces.list", workspaces::list::all).await?;
    if options.json {
        return Ok(output::json(&found)?);
    }
    let rows = found.into_iter().map(|one| {
        let [credits, free] =
            [one.credit_balance, one.free_credit_balance].map(|sum| sum.to_credits_number().to_string());
        [one.id.to_string(), one.name, one.slug, one.status.as_str().to_owned(), credits, free]
    });
    Ok(output::table(["ID", "NAME", "SLUG", "STATUS", "CREDITS", "FREE"], rows)?)
}

async fn show(session: &Session, options: OneWorkspace) -> anyhow::Result<()> {
    let named = options.workspace;
    let workspace = session.read("workspaces.show", move |tx| load(tx, &named)).await?;
    print(options.json, &workspace)
}

fn load(tx: &mut Tx<'_>, named: &str) -> Result<Workspace, RowError> {
    let id = load_workspace(tx, named)?;
    Ok(Workspace::load(tx, id)?)
}

async fn credits(session: &Session, options: AddCredits) -> anyhow::Result<()> {
    let json = options.json;
    let amount = MicroUsd::from_credits(options.amount);
    let amount = amount.ok_or_else(|| WrongUse("--amount is too large".to_owned()))?;
    let add = move |tx: &mut Tx<'_>| {
        let id = load_workspace(tx, &options.workspace)?;
        Ok(workspaces::credits::add(tx, id, amount, options.reason.as_deref(), options.sold)?)
    };
    change(session, "workspaces.credits", json, add).await
}

async fn turn(session: &Session, options: OneWorkspace, status: Status) -> anyhow::Result<()> {
    let json = options.json;
    let turn = move |tx: &mut Tx<'_>| Ok(load(tx, &options.workspace)?.turn(tx, status)?);
    change(session, "workspaces.turn", json, turn).await
}

async fn link(session: &Session, options: LinkWorkspace) -> anyhow::Result<()> {
    let json = options.json;
    let link = move |tx: &mut Tx<'_>| {
        let organization = load_organization(tx, &options.organization)?;
        Ok(load(tx, &options.workspace)?.linked(tx, organization.id)?)
    };
    change(session, "workspaces.link", json, link).await
}

async fn verify_email(session: &Session, options: VerifyEmail) -> anyhow::Result<()> {
    options.email.as_deref().map(names::check_email).transpose()?;
    let json = options.json;
    let verify = move |tx: &mut Tx<'_>| {
        let workspace = load(tx, &options.workspace)?;
        let Some(email) = workspace.email.as_ref().or(options.email.as_ref()) else {
            return Err(RowError::Missing("address to verify; name one with --email".to_owned()));
        };
        vouch(tx, workspace.id, email)?;
        Ok(Workspace::load(tx, workspace.id)?)
    };
    change(session, "workspaces.verify_email", json, verify).await
}

/// What was compared, and what does not agree: every number of a kind of things that were looked at.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Proof {
    workspaces: u64,
    transfers: u64,
    evaluations: u64,
    payments: u64,
    usage: u64,
    differences: u64,
    /// The first of them, in words.
    shown: Vec<String>,
}

impl From<Report> for Proof {
    fn from(report: Report) -> Self {
        Self {
            workspaces: report.books.workspaces,
            transfers: report.books.transfers,
            evaluations: report.evaluations,
            payments: report.payments,
            usage: report.books.usage,
            differences: report.differences.count,
            shown: report.differences.shown.iter().map(ToString::to_string).collect(),
        }
    }
}

async fn reconcile(session: &Session, options: &Json) -> anyhow::Result<ExitCode> {
    let store = session.open_store().await?;
    let proof = Proof::from(platform::reconcile::reconcile(&store).await?);
    store.close().await;
    match options.json {
        true => output::json(&proof)?,
        false => tell(&proof)?,
    }
    Ok(if proof.differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tell(proof: &Proof) -> std::io::Result<()> {
    output::line(format!("workspaces    {}, with balances of {} transfers", proof.workspaces, proof.transfers))?;
    output::line(format!("evaluations   {}, with {} payments", proof.evaluations, proof.payments))?;
    output::line(format!("usage         {} rows, and the sums of the days that are over", proof.usage))?;
    output::line(format!("differences   {}", proof.differences))?;
    proof.shown.iter().try_for_each(output::line)?;
    match proof.differences - proof.shown.len() as u64 {
        0 => Ok(()),
        more => output::line(format!("and {more} more")),
    }
}
