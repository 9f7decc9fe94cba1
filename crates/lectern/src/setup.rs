//! The first things that a service needs: an admin who operates it, an organization, a classroom, a content
//! key. Made once and found again afterwards, by e-mail and by name. `lectern init` and `lectern demo` use it.

use content::classrooms::create as classrooms;
use content::organizations::create as organizations;
use content::{ContentKeys, classrooms::Classroom, organizations::Organization};
use edge::admins::{self, NewAdmin, normalize_email};
use edge::keys::{self, KeyStatus, NewKey};
use kernel::ambient::Ambient;
use kernel::id::UserId;
use kernel::secret::SecretString;
use store::{Store, StoreError, Tx};

/// The name by which the key is found again.
const KEY_NAME: &str = "init";
/// The operator's own key: not meant to be throttled in ordinary use, in requests a minute.
const KEY_RATE_LIMIT_PER_MINUTE: u32 = 10_000;
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
    /// Whether a key is made although there is one.
    pub(crate) wants_new_key: bool,
}

/// What is there now.
pub(crate) struct Outcome {
    /// The admin's e-mail address as it is stored.
    pub(crate) email: String,
    /// The organization.
    pub(crate) organization: Organization,
    /// The classroom.
    pub(crate) classroom: Classroom,
    /// The raw key, when it was just made.
    pub(crate) key: Option<SecretString>,
    /// Whether the admin was just made.
    pub(crate) is_new_admin: bool,
}

/// Why nothing was set up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SetupError {
    /// The admin isn't there and can't be made without a password.
    #[error("the admin {0} does not exist and a password was not given")]
    NoPassword(String),
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
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
            Err(SetupError::Store(StoreError::Unique { .. })) if tries < TRIES => tries += 1,
            result => return result,
        }
    }
}

fn write(tx: &mut Tx<'_>, ambient: &Ambient, plan: &Plan) -> Result<Outcome, SetupError> {
    let (user, is_new_admin) = find_or_make_admin(tx, ambient, plan)?;
    admins::make_operator(tx, user)?;
    let organization = match organizations::find(tx, &plan.organization)? {
        Some(found) => found,
        None => organizations::create(tx, ambient, &plan.organization)?,
    };
    admins::join(tx, user, organization.id)?;
    let classroom = match classrooms::find(tx, organization.id, &plan.classroom)? {
        Some(found) => found,
        None => classrooms::create(tx, ambient, organization.id, &plan.classroom, CLASSROOM_LOCALE)?,
    };
    let key = find_or_make_key(tx, ambient, &organization, plan.wants_new_key)?;
    Ok(Outcome { email: normalize_email(&plan.email), organization, classroom, key, is_new_admin })
}

fn find_or_make_admin(tx: &mut Tx<'_>, ambient: &Ambient, plan: &Plan) -> Result<(UserId, bool), SetupError> {
    if let Some(found) = admins::find(tx, &plan.email)? {
        return Ok((found, false));
    }
    let password_hash = plan.password_hash.clone().ok_or_else(|| SetupError::NoPassword(plan.email.clone()))?;
    let new = NewAdmin { email: plan.email.clone(), password_hash, is_operator: true };
    Ok((admins::create(tx, ambient, &new)?, true))
}

/// The raw key of a key that was made; `None` when an active one is there.
fn find_or_make_key(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    organization: &Organization,
    wants_new_key: bool,
) -> Result<Option<SecretString>, StoreError> {
    let owner = organization.id.to_string();
    let now = tx.now();
    let existing = keys::list::<ContentKeys>(tx, &owner)?;
    if !wants_new_key && existing.iter().any(|key| key.name == KEY_NAME && key.status(now) == KeyStatus::Active) {
        return Ok(None);
    }
    let new = NewKey {
        name: KEY_NAME.to_owned(),
        rate_limit_per_minute: KEY_RATE_LIMIT_PER_MINUTE,
        expires_at: None,
        is_service_admin: false,
    };
    Ok(Some(keys::create::<ContentKeys>(tx, ambient, &owner, &new)?.raw))
}
