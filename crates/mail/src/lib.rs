//! Mail to the people behind workspaces: text and HTML to one address each, by SMTP or into a folder.
//!
//! An address or a subject never gets to write a header. What failed says whether trying again may help. Where to read
//! next: [`templates`] words what is sent, [`Message`] is what is sent, [`Mailer`] sends it.

mod address;
mod error;
mod mailer;
mod message;
mod options;
pub mod templates;

pub use address::{Address, NotAnAddress};
pub use error::{MailError, OpenMailerError};
pub use mailer::Mailer;
pub use message::Message;
pub use options::{MailOptions, Security, SmtpServer, Way};
