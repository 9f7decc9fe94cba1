//! Second factors when the master key is replaced: sealed anew where the old key is at hand, removed where it is lost.
//!
//! Nobody can sign in with a factor that can't be read, so it goes with the recovery codes and the sessions of its admin.
//! Recovery codes are kept as keyed digests, so that no key but the old one knows them: they end in both cases.

use kernel::ambient::Ambient;
use kernel::id::UserId;
use kernel::secret::MasterKey;
use store::{StoreError, Tx};

use super::{PURPOSE, remove_app};
use crate::sessions;

/// Seals all secrets that `old` opens with `new`, and forgets all recovery codes; how many secrets.
///
/// # Errors
/// Any [`StoreError`].
pub fn reseal(tx: &mut Tx<'_>, ambient: &Ambient, old: &MasterKey, new: &MasterKey) -> Result<u64, StoreError> {
    let (old, new) = (old.sealer(PURPOSE), new.sealer(PURPOSE));
    let mut resealed = 0;
    for (user, sealed) in sealed_secrets(tx)? {
        let Ok(secret) = old.open(&user.to_string(), &sealed) else { continue };
        let sealed = new.seal(ambient, &user.to_string(), &secret);
        resealed += tx.execute("UPDATE second_factor SET sealed_secret = $2 WHERE user_id = $1", &[&user, &sealed])?;
    }
    tx.execute("DELETE FROM recovery_code", &[])?;
    Ok(resealed)
}

/// Removes the second factors that this key does not open, and ends the sessions of their admins; the admins' addresses.
///
/// # Errors
/// Any [`StoreError`].
pub fn remove_unreadable(tx: &mut Tx<'_>, master: &MasterKey) -> Result<Vec<String>, StoreError> {
    let sealer = master.sealer(PURPOSE);
    let mut emails = Vec::new();
    for (user, sealed) in sealed_secrets(tx)? {
        if sealer.open(&user.to_string(), &sealed).is_ok() {
            continue;
        }
        remove_app(tx, user)?;
        sessions::list::end_all(tx, user)?;
        let email: Option<String> =
            tx.find("SELECT email FROM admin_user WHERE id = $1", &[&user], |row| row.get(0))?;
        emails.extend(email);
    }
    emails.sort_unstable();
    Ok(emails)
}

fn sealed_secrets(tx: &mut Tx<'_>) -> Result<Vec<(UserId, String)>, StoreError> {
    tx.query("SELECT user_id, sealed_secret FROM second_factor ORDER BY user_id", &[], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

#[cfg(test)]
mod tests {
    use kernel::time::Timestamp;
    use testkit::{TestStore, both_stores};

    use super::super::{Proof, SecondFactors, Status, WRONG, status, totp};
    use super::*;
    use crate::admins::{self, NewAdmin};
    use crate::problem::Problem;

    fn key(digits: &str) -> MasterKey {
        MasterKey::from_hex(&digits.repeat(32)).unwrap()
    }

    fn code(secret: &str, now: Timestamp) -> String {
        let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
        totp(secret.as_ref()).unwrap().generate(u64::try_from(now.as_seconds()).unwrap()).to_string()
    }

    /// An admin with a factor that the key `11…` sealed: its secret and a recovery code.
    async fn enroll(test: &TestStore, email: &'static str) -> (UserId, String, String) {
        let (ambient, factors) = (test.ambient.clone(), SecondFactors::new(&key("11")));
        let make = move |tx: &mut Tx<'_>| {
            let new = NewAdmin { email: email.to_owned(), password_hash: "!".to_owned(), is_operator: false };
            let user = admins::create(tx, &ambient, &new)?;
            let secret = factors.enroll(tx, &ambient, user)?;
            let code = code(&secret, tx.now());
            let codes = factors.confirm(tx, &ambient, user, &code)?;
            sessions::open(tx, &email.into(), user, "UTC", sessions::Method::Totp)?;
            Ok::<_, Problem>((user, secret, codes[0].clone()))
        };
        test.store.write("test", make).await.unwrap()
    }

    async fn check(test: &TestStore, master: &str, user: UserId, proof: Proof) -> Result<(), Problem> {
        let factors = SecondFactors::new(&key(master));
        test.store.write("test", move |tx| factors.check(tx, user, &proof)).await
    }

    #[both_stores]
    async fn an_authenticator_app_works_on_under_a_new_key_whose_old_one_is_at_hand(test: TestStore) {
        let (user, secret, recovery_code) = enroll(&test, "a@example.com").await;
        let ambient = test.ambient.clone();
        let resealed = move |tx: &mut Tx<'_>| reseal(tx, &ambient, &key("11"), &key("22"));
        assert_eq!(test.store.write("test", resealed).await.unwrap(), 1);
        let unreadable = test.store.write("test", |tx| remove_unreadable(tx, &key("22"))).await.unwrap();
        assert!(unreadable.is_empty());
        test.clock.advance(std::time::Duration::from_secs(30));
        let code = code(&secret, test.ambient.now());
        check(&test, "22", user, Proof::Code(code)).await.unwrap();
        let used = check(&test, "22", user, Proof::RecoveryCode(recovery_code)).await.unwrap_err();
        assert_eq!(used.to_string(), WRONG.to_string());
    }

    #[both_stores]
    async fn a_factor_whose_key_is_lost_is_removed_with_the_sessions_of_its_admin(test: TestStore) {
        let (user, ..) = enroll(&test, "b@example.com").await;
        enroll(&test, "a@example.com").await;
        let unreadable = test.store.write("test", |tx| remove_unreadable(tx, &key("22"))).await.unwrap();
        assert_eq!(unreadable, ["a@example.com", "b@example.com"]);
        let left = move |tx: &mut Tx<'_>| {
            let sessions = tx.find("SELECT count(*) FROM admin_session", &[], |row| row.get::<i64>(0))?;
            Ok::<_, StoreError>((status(tx, user)?, sessions))
        };
        assert_eq!(test.store.write("test", left).await.unwrap(), (Status::Absent, Some(0)));
    }
}
