//! The first run: the first administrator of an empty installation, made in a browser.
//!
//! While nobody has an account, whoever has the setup code makes the first one. The code is a keyed digest that this service can
//! make again: nothing of it is stored. It stops to count with the first account, guesses are counted for each network address, and
//! of two browsers at once one makes an administrator. The program hands over what it installs, as an [`Installer`]: organizations
//! and workspaces are other surfaces' rows.

pub mod create;
pub mod status;
#[cfg(test)]
mod tests;

use std::net::IpAddr;

use edge::admins;
use edge::problem::Problem;
use kernel::id::{ClassroomId, OrganizationId, UserId, WorkspaceId};
use kernel::secret::{Authenticator, SecretString, sha256_hex};
use kernel::time::Timestamp;
use store::{StoreError, Tx};

use crate::Identity;

/// Wrong codes in a quarter of an hour, of a network address and of all together.
pub(crate) const GUESSES_PER_ADDRESS: u32 = 10;
pub(crate) const GUESSES: u32 = 10_000;
/// What the throttle counts all guesses under.
const SUBJECT: &str = "setup";
/// Hexadecimal digits of a code: 80 bits.
const CODE_DIGITS: usize = 20;
const GROUP_DIGITS: usize = 5;

const DONE: Problem = Problem::NotFound("Setup");
const WRONG_CODE: &str = "is wrong. The service printed it when it started; `lectern setup-code` prints it again";

/// What the first administrator asks for.
#[derive(Clone, Debug)]
pub struct NewInstallation {
    /// The administrator's e-mail address, as accounts have it.
    pub email: String,
    /// The hash of the password.
    pub password_hash: String,
    /// The organization's name.
    pub organization: String,
    /// The classroom's name.
    pub classroom: String,
}

/// What was made.
pub struct Installation {
    /// The administrator, who operates the service.
    pub user: UserId,
    /// The organization.
    pub organization: OrganizationId,
    /// The classroom.
    pub classroom: ClassroomId,
    /// The workspace of the organization.
    pub workspace: WorkspaceId,
    /// The raw content key.
    pub content_key: Option<SecretString>,
    /// The raw platform key.
    pub platform_key: Option<SecretString>,
}

/// Makes the first rows of an installation.
pub trait Installer: Send + Sync {
    /// When the database was made: codes of two databases differ, though their keys may be the same.
    ///
    /// # Errors
    /// Any [`StoreError`].
    fn made_at(&self, tx: &mut Tx<'_>) -> Result<Timestamp, StoreError>;

    /// Makes everything in the caller's transaction, of which one at a time gets through.
    ///
    /// # Errors
    /// What the operations refuse.
    fn install(&self, tx: &mut Tx<'_>, new: &NewInstallation) -> Result<Installation, Problem>;
}

impl Identity {
    /// The code for the first run, such as `3f9a2-77c01-aa0b1-9cde4`; `None` when somebody has an account.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub async fn setup_code(&self) -> Result<Option<String>, StoreError> {
        let identity = self.clone();
        self.door.store.read("first_run.code", move |tx| identity.find_code(tx)).await
    }

    fn find_code(&self, tx: &mut Tx<'_>) -> Result<Option<String>, StoreError> {
        let Some(installer) = &self.installer else { return Ok(None) };
        if admins::is_anybody(tx)? {
            return Ok(None);
        }
        Ok(Some(code_of(&self.setup_codes, installer.made_at(tx)?)))
    }

    /// Judges a code. A try counts before it is judged, so that many at once are no more than many in turn.
    ///
    /// # Errors
    /// 404 when somebody has an account, 429 after too many wrong codes, 400 for a wrong one.
    async fn admit_code(&self, given: &str, address: Option<IpAddr>) -> Result<(), Problem> {
        let now = self.door.ambient.now();
        if let Some(retry_after) = self.setup_throttle.wait(SUBJECT, address, now) {
            return Err(Problem::TooManyRequests { message: "Too many wrong codes; try again later.", retry_after });
        }
        self.setup_throttle.note_failure(SUBJECT, address, now);
        let code = self.setup_code().await.map_err(Problem::from)?.ok_or(DONE)?;
        // Tags are compared in constant time; the codes themselves never are.
        if self.setup_codes.vouches(&plain(given), &self.setup_codes.tag(&plain(&code))) {
            return Ok(());
        }
        Err(Problem::field("code", WRONG_CODE))
    }
}

fn code_of(codes: &Authenticator, made_at: Timestamp) -> String {
    let digits = sha256_hex(codes.tag(&format!("made at {}", made_at.as_millis())).as_bytes());
    let groups: Vec<&str> =
        (0..CODE_DIGITS).step_by(GROUP_DIGITS).map(|start| &digits[start..start + GROUP_DIGITS]).collect();
    groups.join("-")
}

/// A code without what people write into it.
fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}
