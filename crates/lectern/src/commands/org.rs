//! `lectern org`: the organizations of this service.

use content::organizations::{Organization, create as organizations, list};
use edge::admins::Admin;

use super::Session;
use super::names::{self, RowError};
use crate::cli::{CreateOrg, Json, Org};
use crate::output;

pub(super) async fn run(session: &Session, command: Org) -> anyhow::Result<()> {
    match command {
        Org::Create(options) => create(session, options).await,
        Org::List(options) => list(session, &options).await,
    }
}

async fn create(session: &Session, options: CreateOrg) -> anyhow::Result<()> {
    names::check("--name", &options.name)?;
    let (ambient, name) = (session.ambient.clone(), options.name);
    let organization = session
        .write("organizations.create", move |tx| match organizations::find(tx, &name)? {
            Some(found) => Err(RowError::Exists(format!("an organization {name}: {}", found.id))),
            None => Ok(organizations::create(tx, &ambient, &name)?),
        })
        .await?;
    print(options.json, &organization)
}

fn print(json: bool, organization: &Organization) -> anyhow::Result<()> {
    if json {
        return Ok(output::json(organization)?);
    }
    Ok(output::line(format!("{}  {}", organization.id, organization.name))?)
}

async fn list(session: &Session, options: &Json) -> anyhow::Result<()> {
    // Whoever runs a command on the data sees all of it, as an operator does.
    let operator = Admin { user_id: session.ambient.id(), is_operator: true };
    let found = session.read("organizations.list", move |tx| list::organizations_of(tx, &operator)).await?;
    if options.json {
        return Ok(output::json(&found)?);
    }
    let rows = found.into_iter().map(|one| [one.id.to_string(), one.name, one.slug]);
    Ok(output::table(["ID", "NAME", "SLUG"], rows)?)
}
