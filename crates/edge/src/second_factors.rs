//! The second factors of an admin: codes of an authenticator app (TOTP, RFC 6238), passkeys, and recovery codes for lost ones.
//!
//! A code counts once: the newest time step used is stored, and earlier ones are refused. A recovery code counts once too. Secrets
//! are sealed at rest, recovery codes are kept as keyed digests. The functions run in the caller's transaction. Where to read
//! next: `sessions/login.rs` asks for the factor, the crate `identity` has the operations that set it up.

pub mod passkeys;
mod resealing;

use kernel::ambient::Ambient;
use kernel::id::UserId;
use kernel::secret::{Authenticator, MasterKey, Sealer};
use kernel::time::Timestamp;
use store::{StoreError, Tx, sql};
use totp_rs::{Builder, Secret, Totp};

pub use self::resealing::{remove_unreadable, reseal};
use crate::problem::Problem;

/// What secrets are sealed for.
const PURPOSE: &str = "second factors";
const SECRET_BYTES: usize = 20;
/// Seconds of a time step.
const STEP_SECONDS: u64 = 30;
/// Steps that a clock may be off.
const SKEW_STEPS: u16 = 1;
/// Recovery codes of an admin.
pub const RECOVERY_CODES: usize = 10;
/// What recovery codes are written in: no letter or digit that looks like another. A power of two, so all are equally likely.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
const RECOVERY_CHARACTERS: usize = 16;

const WRONG: Problem = Problem::Unauthorized("The code is wrong, was used before, or is too old.");

/// Seals secrets and digests recovery codes. Cheap to clone.
#[derive(Clone)]
pub struct SecondFactors {
    secrets: Sealer,
    recovery_codes: Authenticator,
}

/// What proves the second factor.
#[derive(Clone, Debug)]
pub enum Proof {
    /// The six digits that the app shows.
    Code(String),
    /// One of the codes for a lost app.
    RecoveryCode(String),
}

/// Whether an admin has a second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// None, or one that was never confirmed.
    Absent,
    /// Sign-in asks for it.
    Confirmed,
}

struct Factor {
    sealed_secret: String,
    last_step: i64,
    confirmed_at: Option<Timestamp>,
}

impl SecondFactors {
    pub(crate) fn new(master: &MasterKey) -> Self {
        Self { secrets: master.sealer(PURPOSE), recovery_codes: master.authenticator("recovery codes") }
    }

    /// Gives an admin a new secret, to be confirmed by a code. It is in Base32, as apps take it.
    ///
    /// # Errors
    /// 409 where the admin has an app.
    pub fn enroll(&self, tx: &mut Tx<'_>, ambient: &Ambient, user: UserId) -> Result<String, Problem> {
        if has_app(tx, user)? {
            return Err(Problem::Conflict("You have an authenticator app already. Remove it first."));
        }
        let secret: [u8; SECRET_BYTES] = ambient.random();
        let (sealed, now) = (self.secrets.seal(ambient, &user.to_string(), &secret), tx.now());
        sql!(
            "INSERT INTO second_factor (user_id, sealed_secret, last_step, created_at) VALUES ({user}, {sealed}, 0, {now})
             ON CONFLICT (user_id) DO UPDATE SET sealed_secret = {sealed}, last_step = 0, created_at = {now}"
        )
        .execute(tx)?;
        Ok(Secret::from(secret).to_base32())
    }

    /// Confirms the secret by its first code; new recovery codes, which nobody sees again.
    ///
    /// # Errors
    /// 401 for a wrong code, 409 where nothing waits to be confirmed.
    pub fn confirm(
        &self,
        tx: &mut Tx<'_>,
        ambient: &Ambient,
        user: UserId,
        code: &str,
    ) -> Result<Vec<String>, Problem> {
        let waiting = find(tx, user)?.filter(|factor| factor.confirmed_at.is_none());
        let factor = waiting.ok_or(Problem::Conflict("No second factor waits to be confirmed."))?;
        self.use_code(tx, user, &factor, code)?;
        let now = tx.now();
        tx.execute("UPDATE second_factor SET confirmed_at = $2 WHERE user_id = $1", &[&user, &now])?;
        Ok(self.renew_recovery_codes(tx, ambient, user)?)
    }

    /// Judges a proof, which is used up.
    ///
    /// # Errors
    /// 401 for a wrong or used one, 409 without a factor that it could prove.
    pub fn check(&self, tx: &mut Tx<'_>, user: UserId, proof: &Proof) -> Result<(), Problem> {
        match proof {
            Proof::Code(code) => {
                let confirmed = find(tx, user)?.filter(|factor| factor.confirmed_at.is_some());
                let factor = confirmed.ok_or(Problem::Conflict("You have no authenticator app."))?;
                self.use_code(tx, user, &factor, code)
            }
            Proof::RecoveryCode(_) if status(tx, user)? == Status::Absent => {
                Err(Problem::Conflict("You have no second factor."))
            }
            Proof::RecoveryCode(code) => {
                let digest = self.digest(user, code);
                let used =
                    tx.execute("DELETE FROM recovery_code WHERE user_id = $1 AND digest = $2", &[&user, &digest])?;
                if used == 1 { Ok(()) } else { Err(WRONG) }
            }
        }
    }

    /// New recovery codes in place of all earlier ones.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn renew_recovery_codes(
        &self,
        tx: &mut Tx<'_>,
        ambient: &Ambient,
        user: UserId,
    ) -> Result<Vec<String>, StoreError> {
        tx.execute("DELETE FROM recovery_code WHERE user_id = $1", &[&user])?;
        let codes: Vec<_> = (0..RECOVERY_CODES).map(|_| recovery_code(ambient)).collect();
        for code in &codes {
            let digest = self.digest(user, code);
            tx.execute("INSERT INTO recovery_code (user_id, digest) VALUES ($1, $2)", &[&user, &digest])?;
        }
        Ok(codes)
    }

    /// Takes a code, and with it every earlier one: whoever looked over a shoulder can't use it again.
    fn use_code(&self, tx: &mut Tx<'_>, user: UserId, factor: &Factor, code: &str) -> Result<(), Problem> {
        let secret = self.secrets.open(&user.to_string(), &factor.sealed_secret).map_err(Problem::unexpected)?;
        let now = u64::try_from(tx.now().as_seconds()).unwrap_or(0);
        let step = totp(&secret)?.check(code, now).and_then(|step| i64::try_from(step).ok()).ok_or(WRONG)?;
        if step <= factor.last_step {
            return Err(WRONG);
        }
        let used = tx.execute(
            "UPDATE second_factor SET last_step = $2 WHERE user_id = $1 AND last_step < $2",
            &[&user, &step],
        )?;
        if used == 1 { Ok(()) } else { Err(WRONG) }
    }

    fn digest(&self, user: UserId, code: &str) -> String {
        let letters: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
        self.recovery_codes.tag(&format!("{user} {}", letters.to_ascii_lowercase()))
    }
}

fn totp(secret: &[u8]) -> Result<Totp, Problem> {
    let builder = Builder::new().with_secret(secret).with_skew(SKEW_STEPS).with_step_duration(STEP_SECONDS);
    builder.build().map_err(|error| Problem::unexpected(std::io::Error::other(error.to_string())))
}

/// `abcd-efgh-jkmn-pqrs`: 80 random bits.
fn recovery_code(ambient: &Ambient) -> String {
    let random: [u8; RECOVERY_CHARACTERS] = ambient.random();
    let letters: Vec<_> = random.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    letters.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

fn find(tx: &mut Tx<'_>, user: UserId) -> Result<Option<Factor>, StoreError> {
    tx.find("SELECT sealed_secret, last_step, confirmed_at FROM second_factor WHERE user_id = $1", &[&user], |row| {
        Ok(Factor { sealed_secret: row.get(0)?, last_step: row.get(1)?, confirmed_at: row.get(2)? })
    })
}

/// Whether an admin has a second factor, whichever.
///
/// # Errors
/// Any [`StoreError`].
pub fn status(tx: &mut Tx<'_>, user: UserId) -> Result<Status, StoreError> {
    let has_one = has_app(tx, user)? || passkeys::has_any(tx, user)?;
    Ok(if has_one { Status::Confirmed } else { Status::Absent })
}

/// Whether an admin has an authenticator app.
///
/// # Errors
/// Any [`StoreError`].
pub fn has_app(tx: &mut Tx<'_>, user: UserId) -> Result<bool, StoreError> {
    Ok(find(tx, user)?.is_some_and(|factor| factor.confirmed_at.is_some()))
}

/// Recovery codes that an admin has left.
///
/// # Errors
/// Any [`StoreError`].
pub fn count_recovery_codes(tx: &mut Tx<'_>, user: UserId) -> Result<i64, StoreError> {
    let counted = tx.find("SELECT count(*) FROM recovery_code WHERE user_id = $1", &[&user], |row| row.get(0))?;
    Ok(counted.unwrap_or(0))
}

/// Takes an admin's authenticator app away, confirmed or not, and the recovery codes with the last second factor.
///
/// # Errors
/// Any [`StoreError`].
pub fn remove_app(tx: &mut Tx<'_>, user: UserId) -> Result<(), StoreError> {
    tx.execute("DELETE FROM second_factor WHERE user_id = $1", &[&user])?;
    forget_recovery_codes_without_factor(tx, user)
}

/// Takes an admin's app, passkeys and recovery codes away.
///
/// # Errors
/// Any [`StoreError`].
pub fn remove_all(tx: &mut Tx<'_>, user: UserId) -> Result<(), StoreError> {
    passkeys::remove_all(tx, user)?;
    remove_app(tx, user)
}

/// Recovery codes stand for a factor that is lost, not for one that was removed.
fn forget_recovery_codes_without_factor(tx: &mut Tx<'_>, user: UserId) -> Result<(), StoreError> {
    if status(tx, user)? == Status::Absent {
        tx.execute("DELETE FROM recovery_code WHERE user_id = $1", &[&user])?;
    }
    Ok(())
}
