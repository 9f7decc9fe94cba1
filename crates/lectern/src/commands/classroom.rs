//! `lectern classroom`: the classrooms of an organization.

use content::classrooms::{create as classrooms, list};

use super::Session;
use super::names::{self, RowError, load_organization};
use crate::cli::{Classroom, CreateClassroom, ListOfOrganization};
use crate::output;

pub(super) async fn run(session: &Session, command: Classroom) -> anyhow::Result<()> {
    match command {
        Classroom::Create(options) => create(session, options).await,
        Classroom::List(options) => list(session, options).await,
    }
}

async fn create(session: &Session, options: CreateClassroom) -> anyhow::Result<()> {
    names::check("--name", &options.name)?;
    names::check_locale(&options.locale)?;
    let ambient = session.ambient.clone();
    let CreateClassroom { organization, name, locale, json } = options;
    let classroom = session
        .write("classrooms.create", move |tx| {
            let organization = load_organization(tx, &organization)?.id;
            match classrooms::find(tx, organization, &name)? {
                Some(found) => Err(RowError::Exists(format!("a classroom {name}: {}", found.id))),
                None => Ok(classrooms::create(tx, &ambient, organization, &name, &locale)?),
            }
        })
        .await?;
    if json {
        return Ok(output::json(&classroom)?);
    }
    Ok(output::line(format!("{}  {}", classroom.id, classroom.name))?)
}

async fn list(session: &Session, options: ListOfOrganization) -> anyhow::Result<()> {
    let organization = options.organization;
    let found = session
        .read("classrooms.list", move |tx| {
            let organization = load_organization(tx, &organization)?.id;
            Ok::<_, RowError>(list::of_organization(tx, organization)?)
        })
        .await?;
    if options.json {
        return Ok(output::json(&found)?);
    }
    let rows = found.into_iter().map(|one| [one.id.to_string(), one.name, one.locale]);
    Ok(output::table(["ID", "NAME", "LOCALE"], rows)?)
}
