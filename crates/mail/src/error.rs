//! Why a message was not sent.

use std::error::Error;

type Cause = Box<dyn Error + Send + Sync>;

/// A message that was not sent. The text names nobody; causes are for the log.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// The server can't be reached, is busy or too slow, or the folder can't be written: trying again may help.
    #[error("mail can't be sent at the moment")]
    Transient(#[source] Cause),
    /// The server refused the message for good: no such mailbox, say.
    #[error("the mail was refused")]
    Permanent(#[source] Cause),
}

impl MailError {
    /// Whether trying again may help.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Transient(_))
    }
}

impl From<lettre::transport::smtp::Error> for MailError {
    fn from(error: lettre::transport::smtp::Error) -> Self {
        // Of an answer that nobody understands, of a wrong certificate and of a wrong password an operator can be the
        // cause, and the cure.
        if error.is_permanent() && !is_about_sign_in(&error) {
            Self::Permanent(Box::new(error))
        } else {
            Self::Transient(Box::new(error))
        }
    }
}

/// 530 to 538 are about who sends, not about the message.
fn is_about_sign_in(error: &lettre::transport::smtp::Error) -> bool {
    error.status().is_some_and(|code| (530..=538).contains(&u16::from(code)))
}

impl From<lettre::transport::file::Error> for MailError {
    fn from(error: lettre::transport::file::Error) -> Self {
        Self::Transient(Box::new(error))
    }
}

/// A mailer that can't be made.
#[derive(Debug, thiserror::Error)]
pub enum OpenMailerError {
    /// The folder for letters.
    #[error("can't use the folder of mail {path}")]
    Folder {
        /// Which.
        path: String,
        /// What the operating system said.
        #[source]
        cause: std::io::Error,
    },
    /// The encryption of the connection.
    #[error("a connection to the mail server can't be encrypted")]
    Tls(#[source] Cause),
}
