//! `lectern user`: the people who sign in.

use edge::admins::{self, ListedAdmin, NewAdmin, Role};
use edge::passwords;
use serde::Serialize;

use super::names::{self, RowError, load_organization};
use super::{Session, password};
use crate::cli::{CreateUser, Json, User, UserRole};
use crate::output;
use crate::setup;

/// A user as `--json` prints one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    id: String,
    email: String,
    is_operator: bool,
    organizations: Vec<String>,
    created_at: String,
}

impl Printed {
    fn of(admin: ListedAdmin) -> Self {
        Self {
            id: admin.user_id.to_string(),
            email: admin.email,
            is_operator: admin.is_operator,
            organizations: admin.organizations,
            created_at: admin.created_at.to_string(),
        }
    }
}

pub(super) async fn run(session: &Session, command: User) -> anyhow::Result<()> {
    match command {
        User::Create(options) => create(session, options).await,
        User::List(options) => list(session, &options).await,
    }
}

async fn create(session: &Session, options: CreateUser) -> anyhow::Result<()> {
    names::check_email(&options.email)?;
    let store = session.open_store().await?;
    let exists = || RowError::Exists(format!("a user {}", options.email));
    // Asked first, so that nobody types a password for nothing.
    if setup::is_admin(&store, &options.email).await? {
        return Err(exists().into());
    }
    let password = password::new_password(&session.environment, &options.email)?;
    let new = NewAdmin {
        email: options.email.clone(),
        password_hash: passwords::hash(&password)?,
        is_operator: options.operator,
    };
    let (ambient, organization) = (session.ambient.clone(), options.organization.clone());
    let role = match options.role {
        UserRole::Reviewer => Role::Reviewer,
        UserRole::Teacher => Role::Teacher,
        UserRole::Admin => Role::Admin,
    };
    let made = store
        .write("users.create", move |tx| {
            let organization = organization.as_deref().map(|name| load_organization(tx, name)).transpose()?;
            let user_id = admins::create(tx, &ambient, &new)?;
            if let Some(organization) = &organization {
                admins::join(tx, user_id, organization.id, role)?;
            }
            Ok::<_, RowError>(ListedAdmin {
                user_id,
                email: admins::normalize_email(&new.email),
                is_operator: new.is_operator,
                organizations: organization.map(|organization| organization.name).into_iter().collect(),
                created_at: tx.now(),
            })
        })
        .await
        .map_err(|error| match error {
            RowError::Store(store::StoreError::Unique { .. }) => exists(),
            other => other,
        })?;
    store.close().await;
    if options.json {
        return Ok(output::json(&Printed::of(made))?);
    }
    Ok(output::line(format!("{}  {}", made.user_id, made.email))?)
}

async fn list(session: &Session, options: &Json) -> anyhow::Result<()> {
    let found = session.read("users.list", admins::list).await?;
    if options.json {
        let printed: Vec<Printed> = found.into_iter().map(Printed::of).collect();
        return Ok(output::json(&printed)?);
    }
    let rows = found.into_iter().map(|admin| {
        let role = if admin.is_operator { "operator" } else { "member" };
        [admin.user_id.to_string(), admin.email, role.to_owned(), admin.organizations.join(", ")]
    });
    Ok(output::table(["ID", "E-MAIL", "ROLE", "ORGANIZATIONS"], rows)?)
}
