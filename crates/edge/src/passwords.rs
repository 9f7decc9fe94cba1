//! Passwords: Argon2id, slow on purpose, and as slow for an e-mail that nobody has.
//!
//! Hashing takes tens of milliseconds and 19 MiB: it runs on a blocking thread, at most two at a time, and
//! never inside a transaction.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use kernel::secret::{ExposeSecret, SecretString};
use tokio::sync::{Semaphore, SemaphorePermit};

static AT_ONCE: Semaphore = Semaphore::const_new(2);
/// Those who are judged and those who wait for it; more are turned away.
static PLACES: Semaphore = Semaphore::const_new(64);

/// The hash of no password: verified against when the account does not exist.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bGVjdGVybi1ub2JvZHktMQ$rP+eVFlKmLKGnMVqhsN/G6Ye5yqcXjHVIQdp7PNAFGM";

/// The fewest characters of a new password.
pub const FEWEST_CHARACTERS: usize = 8;
/// The most bytes of a password.
pub const MOST_BYTES: usize = 1024;
/// What stands in the place of a hash where an admin has no password: no password fits it.
pub const NO_PASSWORD: &str = "!";

/// A password could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("the password can't be hashed: {0}")]
pub struct HashError(String);

/// The hash to store.
pub fn hash(password: &SecretString) -> Result<String, HashError> {
    let hash = Argon2::default().hash_password(password.expose_secret().as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| HashError(error.to_string()))
}

/// [`hash`], on a blocking thread.
///
/// # Errors
/// [`HashError`].
pub async fn hash_in_turn(_turn: &Turn, password: SecretString) -> Result<String, HashError> {
    let hashed = tokio::task::spawn_blocking(move || hash(&password)).await;
    hashed.unwrap_or_else(|error| Err(HashError(error.to_string())))
}

/// The right to judge a password. What is decided while it is held is known to whoever gets the next one.
pub struct Turn {
    _permit: SemaphorePermit<'static>,
    _place: SemaphorePermit<'static>,
}

/// Waits for a turn; `None` when too many wait already. Hold it in a task that no client can cancel: hashing goes on
/// when the future that waits for it is dropped.
pub async fn turn() -> Option<Turn> {
    let place = PLACES.try_acquire().ok()?;
    let permit = AT_ONCE.acquire().await.expect("the semaphore is never closed");
    Some(Turn { _permit: permit, _place: place })
}

/// Whether the password is the one that was hashed. `None` (no such account) takes the same time.
pub async fn verify(_turn: &Turn, password: SecretString, stored: Option<String>) -> bool {
    let stored = stored.filter(|stored| stored != NO_PASSWORD);
    let is_known = stored.is_some();
    let stored = stored.unwrap_or_else(|| NOBODY.to_owned());
    let matches = tokio::task::spawn_blocking(move || {
        let Ok(parsed) = PasswordHash::new(&stored) else { return false };
        Argon2::default().verify_password(password.expose_secret().as_bytes(), &parsed).is_ok()
    });
    matches.await.unwrap_or(false) && is_known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_verifies_against_its_own_hash_only() {
        let stored = hash(&"correct horse".into()).unwrap();
        assert!(stored.starts_with("$argon2id$"));
        let turn = turn().await.unwrap();
        assert!(verify(&turn, "correct horse".into(), Some(stored.clone())).await);
        assert!(!verify(&turn, "wrong horse".into(), Some(stored.clone())).await);
        assert!(!verify(&turn, "correct horse".into(), None).await);
        assert!(!verify(&turn, "correct horse".into(), Some("garbage".into())).await);
        assert_ne!(hash(&"correct horse".into()).unwrap(), stored, "salted");
    }

    #[test]
    fn the_hash_of_nobody_costs_what_a_real_one_costs() {
        let real = hash(&"x".into()).unwrap();
        let parameters = |hash: &str| hash.split('$').nth(3).map(str::to_owned);
        assert_eq!(parameters(NOBODY), parameters(&real));
        assert!(PasswordHash::new(NOBODY).is_ok());
    }
}
