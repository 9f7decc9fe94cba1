//! The first things that a service needs: an admin who operates it, an organization, a classroom, a workspace and a
//! key of each surface. Made once and found again afterwards, by e-mail, by name, and the workspace by the organization
//! that it is linked to. `lectern init`, `lectern demo` and the first run in a browser use it.

use content::classrooms::create as classrooms;
use content::organizations::create as organizations;
use content::{ContentKeys, classrooms::Classroom, organizations::Organization};
use edge::admins::{self, NewAdmin, Role, normalize_email};
use edge::keys::{self, KeyStatus, KeySurface, NewKey};
use edge::problem::Problem;
use kernel::ambient::Ambient;
use kernel::id::{UserId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::secret::SecretString;
use platform::credentials::PlatformKeys;
use platform::workspaces::verification::vouch;
use platform::workspaces::{create::NewWorkspace, create::insert, find as workspaces};
use store::{Store, StoreError, Tx};

use crate::master_key::stored;

/// The name by which the keys are found again.
const KEY_NAME: &str = "init";
/// The operator's own keys: not meant to be throttled in ordinary use, in requests a minute.
const RATE_LIMIT_PER_MINUTE: u32 = 10_000;
const CLASSROOM_LOCALE: &str = "en";
/// Another process that sets up the same at the same moment wins once, not for ever.
const TRIES: usize = 3;

/// What is to be there.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The admin's e-mail address.
    pub(crate) email: String,
    /// The hash of the password that the admin gets who isn't there yet.
    pub(crate) password_hash: Option<String>,
    /// The organization's name.
    pub(crate) organization: String,
    /// The classroom's name.
    pub(crate) classroom: String,
    /// Whether a key of each surface is made although there is one.
    pub(crate) wants_new_keys: bool,
    /// What a new workspace may spend for free.
    pub(crate) free_grant: MicroUsd,
}

/// What is there now.
pub(crate) struct Outcome {
    /// The admin.
    pub(crate) user: UserId,
    /// The admin's e-mail address as it is stored.
    pub(crate) email: String,
    /// The organization.
    pub(crate) organization: Organization,
    /// The classroom.
    pub(crate) classroom: Classroom,
    /// The workspace that is linked to the organization.
    pub(crate) workspace: WorkspaceId,
    /// The raw content key, when it was just made.
    pub(crate) content_key: Option<SecretString>,
    /// The raw platform key, when it was just made.
    pub(crate) platform_key: Option<SecretString>,
    /// Whether the admin was just made.
    pub(crate) is_new_admin: bool,
}

/// Why nothing was set up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SetupError {
    /// The admin isn't there and can't be made without a password.
    #[error("the admin {0} does not exist and a password was not given")]
    NoPassword(String),
    /// An operation refused.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SetupError {
    /// Whether another process made the same in the meantime.
    const fn is_overtaken(&self) -> bool {
        matches!(self, Self::Store(StoreError::Unique { .. }) | Self::Problem(Problem::Conflict(_)))
    }
}

/// Whether an admin has this e-mail address.
pub(crate) async fn is_admin(store: &Store, email: &str) -> Result<bool, StoreError> {
    let email = email.to_owned();
    store.read("setup.find_admin", move |tx| Ok(admins::find(tx, &email)?.is_some())).await
}

/// Makes what is missing of a plan, all of it or nothing.
pub(crate) async fn apply(store: &Store, ambient: &Ambient, plan: &Plan) -> Result<Outcome, SetupError> {
    let mut tries = 1;
    loop {
        let (plan, ambient) = (plan.clone(), ambient.clone());
        match store.write("setup.apply", move |tx| write(tx, &ambient, &plan)).await {
            Err(error) if error.is_overtaken() && tries < TRIES => tries += 1,
            result => return result,
        }
    }
}

/// Makes what is missing of a plan in the caller's transaction. One at a time gets through: who waited sees what the other made.
pub(crate) fn write(tx: &mut Tx<'_>, ambient: &Ambient, plan: &Plan) -> Result<Outcome, SetupError> {
    stored::lock(tx)?;
    let (user, is_new_admin) = find_or_make_admin(tx, ambient, plan)?;
    admins::make_operator(tx, user)?;
    let organization = match organizations::find(tx, &plan.organization)? {
        Some(found) => found,
        None => organizations::create(tx, ambient, &plan.organization)?,
    };
    admins::join(tx, user, organization.id, Role::Admin)?;
    let classroom = match classrooms::find(tx, organization.id, &plan.classroom)? {
        Some(found) => found,
        None => classrooms::create(tx, ambient, organization.id, &plan.classroom, CLASSROOM_LOCALE)?,
    };
    let email = normalize_email(&plan.email);
    let workspace = find_or_make_workspace(tx, &organization, &email, plan.free_grant)?;
    let wants_new = plan.wants_new_keys;
    let content_key = find_or_make_key::<ContentKeys>(tx, ambient, &organization.id.to_string(), wants_new)?;
    let platform_key = find_or_make_key::<PlatformKeys>(tx, ambient, &workspace.to_string(), wants_new)?;
    Ok(Outcome { user, email, organization, classroom, workspace, content_key, platform_key, is_new_admin })
}

fn find_or_make_admin(tx: &mut Tx<'_>, ambient: &Ambient, plan: &Plan) -> Result<(UserId, bool), SetupError> {
    if let Some(found) = admins::find(tx, &plan.email)? {
        return Ok((found, false));
    }
    let password_hash = plan.password_hash.clone().ok_or_else(|| SetupError::NoPassword(plan.email.clone()))?;
    let new = NewAdmin { email: plan.email.clone(), password_hash, is_operator: true };
    Ok((admins::create(tx, ambient, &new)?, true))
}

/// The oldest workspace of the organization. Whoever sets the service up vouches for its e-mail address.
fn find_or_make_workspace(
    tx: &mut Tx<'_>,
    organization: &Organization,
    email: &str,
    free_grant: MicroUsd,
) -> Result<WorkspaceId, SetupError> {
    if let Some(found) = workspaces::oldest_of(tx, organization.id)? {
        vouch(tx, found, email)?;
        return Ok(found);
    }
    let new = NewWorkspace {
        email: Some(email.to_owned()),
        is_email_verified: true,
        rate_limit_per_minute: RATE_LIMIT_PER_MINUTE,
        organization: Some(organization.id),
        free_grant,
        ..NewWorkspace::named(
            organization.name.clone(),
            workspaces::free_slug(tx, organization.id, &organization.slug)?,
        )
    };
    Ok(insert(tx, &new)?)
}

/// The raw key of a key that was made; `None` when an active one is there.
fn find_or_make_key<S: KeySurface>(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    owner: &str,
    wants_new: bool,
) -> Result<Option<SecretString>, StoreError> {
    let now = tx.now();
    let existing = keys::list::<S>(tx, owner)?;
    if !wants_new && existing.iter().any(|key| key.name == KEY_NAME && key.status(now) == KeyStatus::Active) {
        return Ok(None);
    }
    let new = NewKey {
        name: KEY_NAME.to_owned(),
        rate_limit_per_minute: RATE_LIMIT_PER_MINUTE,
        expires_at: None,
        is_service_admin: false,
    };
    Ok(Some(keys::create::<S>(tx, ambient, owner, &new)?.raw))
}

#[cfg(test)]
mod tests {
    use kernel::secret::ExposeSecret as _;
    use platform::workspaces::Workspace;
    use testkit::{TestStore, both_stores};

    use super::*;

    fn plan(organization: &str, wants_new_keys: bool) -> Plan {
        Plan {
            email: "Admin@example.com".to_owned(),
            password_hash: Some("none".to_owned()),
            organization: organization.to_owned(),
            classroom: "7b".to_owned(),
            wants_new_keys,
            free_grant: MicroUsd::from_cents(100),
        }
    }

    async fn load(test: &TestStore, workspace: WorkspaceId) -> Workspace {
        test.store.read("test", move |tx| Workspace::load(tx, workspace)).await.unwrap()
    }

    #[both_stores]
    async fn the_workspace_is_linked_verified_and_found_again_with_its_keys(test: TestStore) {
        let first = apply(&test.store, &test.ambient, &plan("A School", false)).await.unwrap();
        let workspace = load(&test, first.workspace).await;
        assert_eq!((workspace.name.as_str(), workspace.slug.as_str()), ("A School", "a-school"));
        assert_eq!(workspace.organization_id, Some(first.organization.id));
        assert_eq!((workspace.email.as_deref(), workspace.email_verified.is_some()), (Some("admin@example.com"), true));
        assert!(first.content_key.unwrap().expose_secret().starts_with("svc_content_"));
        let raw = first.platform_key.unwrap();
        assert!(raw.expose_secret().starts_with("svc_platform_"));

        let again = apply(&test.store, &test.ambient, &plan("A School", false)).await.unwrap();
        assert_eq!(again.workspace, first.workspace);
        assert!(again.content_key.is_none() && again.platform_key.is_none());
        let more = apply(&test.store, &test.ambient, &plan("A School", true)).await.unwrap();
        assert_eq!(more.workspace, first.workspace);
        assert_ne!(more.platform_key.unwrap().expose_secret(), raw.expose_secret());
        assert!(more.content_key.is_some());
    }

    #[both_stores]
    async fn two_at_once_make_one_workspace_and_one_key_of_each_surface(test: TestStore) {
        let plan = plan("A School", false);
        let (one, other) =
            tokio::join!(apply(&test.store, &test.ambient, &plan), apply(&test.store, &test.ambient, &plan),);
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!((one.workspace, one.organization.id), (other.workspace, other.organization.id));
        assert_eq!([&one.platform_key, &other.platform_key].into_iter().flatten().count(), 1);
        assert_eq!([&one.content_key, &other.content_key].into_iter().flatten().count(), 1);
    }

    #[both_stores]
    async fn a_taken_slug_and_an_unverified_address_stand_in_nobodys_way(test: TestStore) {
        let other = NewWorkspace::named("Another".to_owned(), "a-school".to_owned());
        test.store.write("test", move |tx| insert(tx, &other)).await.unwrap();
        let made = apply(&test.store, &test.ambient, &plan("A School", false)).await.unwrap();
        assert!(load(&test, made.workspace).await.slug.starts_with("a-school-"));

        let linked = NewWorkspace {
            email: Some("office@example.com".to_owned()),
            organization: Some(made.organization.id),
            ..NewWorkspace::named("Older".to_owned(), "older".to_owned())
        };
        let older = test
            .store
            .write("test", move |tx| {
                let older = insert(tx, &linked)?;
                tx.execute("UPDATE workspace SET created_at = 0 WHERE id = $1", &[&older])?;
                Ok::<_, Problem>(older)
            })
            .await
            .unwrap();
        let found = apply(&test.store, &test.ambient, &plan("A School", false)).await.unwrap();
        assert_eq!(found.workspace, older);
        let older = load(&test, older).await;
        assert_eq!((older.email.as_deref(), older.email_verified.is_some()), (Some("office@example.com"), true));
    }
}
