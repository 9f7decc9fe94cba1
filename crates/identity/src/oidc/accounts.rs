//! Whose account a provider's subject is.
//!
//! A subject that signed in before has its account, whatever its address is now. Any other is matched by the address that the
//! provider vouches for, unless that address has another subject of the same issuer: whoever gets the mailbox of somebody
//! who left does not get the account. The provider's groups decide about the roles that the operator mapped to them.

use std::collections::BTreeSet;

use edge::admins::{self, NewAdmin, Role, SignedInUser, normalize_email};
use edge::passwords::NO_PASSWORD;
use edge::problem::Problem;
use kernel::ambient::Ambient;
use kernel::id::{OrganizationId, UserId};
use mail::Address;
use serde_json::Value;
use store::{StoreError, Tx, sql};

use super::id_token::Subject;
use super::{ProviderSettings, Refusal};
use crate::invitations;

/// The account of a subject. A refusal changes nothing.
pub(super) fn find_or_make(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    settings: &ProviderSettings,
    subject: &Subject,
) -> Result<Result<SignedInUser, Refusal>, Problem> {
    let email = vouched_address(settings, subject);
    let user = match find_linked(tx, &settings.issuer, &subject.id)? {
        Some(user) => user,
        None => match &email {
            None => return Ok(Err(Refusal::UnverifiedAddress)),
            Some(email) => match link(tx, ambient, settings, subject, email)? {
                Ok(user) => user,
                Err(refusal) => return Ok(Err(refusal)),
            },
        },
    };
    if let Some(email) = &email {
        invitations::accept_all(tx, email, user)?;
    }
    apply_groups(tx, settings, subject, user)?;
    let user = admins::find_user(tx, user)?.ok_or_else(|| Problem::unexpected(StoreError::Unavailable))?;
    Ok(Ok(user))
}

/// The address, where the provider says that it belongs to the subject, or the operator says so of its claim.
fn vouched_address(settings: &ProviderSettings, subject: &Subject) -> Option<String> {
    let claim = |name: &str| subject.claims.get(name);
    let text = match &settings.trusted_email_claim {
        Some(name) => claim(name)?.as_str()?,
        None => {
            // Some providers write the truth value as a text.
            let is_verified = claim("email_verified").is_some_and(|value| *value == true || *value == "true");
            claim("email")?.as_str().filter(|_| is_verified)?
        }
    };
    let email = normalize_email(text);
    Address::bare(&email).ok().map(|_| email)
}

fn find_linked(tx: &mut Tx<'_>, issuer: &str, subject: &str) -> Result<Option<UserId>, StoreError> {
    sql!("SELECT user_id FROM oidc_identity WHERE issuer = {issuer} AND subject = {subject}").find(tx, |row| row.get(0))
}

fn link(
    tx: &mut Tx<'_>,
    ambient: &Ambient,
    settings: &ProviderSettings,
    subject: &Subject,
    email: &str,
) -> Result<Result<UserId, Refusal>, StoreError> {
    let (issuer, id, now) = (&settings.issuer, &subject.id, tx.now());
    let user = match admins::find(tx, email)? {
        Some(user) => {
            let other = sql!("SELECT 1 FROM oidc_identity WHERE issuer = {issuer} AND user_id = {user}");
            if other.find(tx, |_| Ok(()))?.is_some() {
                return Ok(Err(Refusal::OtherSubject));
            }
            user
        }
        None if settings.creates_accounts || invitations::is_invited(tx, email)? => {
            let (email, password_hash) = (email.to_owned(), NO_PASSWORD.to_owned());
            admins::create(tx, ambient, &NewAdmin { email, password_hash, is_operator: false })?
        }
        None => return Ok(Err(Refusal::UnknownAddress)),
    };
    sql!("INSERT INTO oidc_identity (issuer, subject, user_id, created_at) VALUES ({issuer}, {id}, {user}, {now})")
        .execute(tx)?;
    Ok(Ok(user))
}

/// Gives and takes the roles that are mapped to groups. A token without groups is one of somebody who is in none.
fn apply_groups(
    tx: &mut Tx<'_>,
    settings: &ProviderSettings,
    subject: &Subject,
    user: UserId,
) -> Result<(), StoreError> {
    let groups = match subject.claims.get(&settings.groups_claim) {
        Some(Value::Array(groups)) => groups.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(group)) => vec![group.as_str()],
        _ => Vec::new(),
    };
    let is_in = |group: &String| groups.contains(&group.as_str());
    match settings.operator_groups.iter().any(is_in) {
        true => admins::make_operator(tx, user)?,
        false if !settings.operator_groups.is_empty() => admins::unmake_operator(tx, user)?,
        false => {}
    }
    let slugs: BTreeSet<&str> = settings.organization_groups.iter().map(|mapped| mapped.slug.as_str()).collect();
    for slug in slugs {
        let found = sql!("SELECT id FROM organization WHERE slug = {slug}").find(tx, |row| row.get(0))?;
        let Some(organization): Option<OrganizationId> = found else { continue };
        let mapped = || settings.organization_groups.iter().filter(|mapped| mapped.slug == slug);
        let given = mapped().filter(|mapped| is_in(&mapped.group)).map(|mapped| mapped.role).max();
        let present = admins::role_of(tx, user, organization)?;
        // A role that no group gives was given by a person, who alone takes it.
        let is_of_a_group = |present: Role| mapped().any(|mapped| mapped.role == present);
        match (given, present) {
            (Some(role), present) if present.is_none_or(|present| present < role || is_of_a_group(present)) => {
                admins::join(tx, user, organization, role)?;
            }
            (None, Some(present)) if is_of_a_group(present) => admins::leave(tx, user, organization)?,
            _ => {}
        }
    }
    Ok(())
}
