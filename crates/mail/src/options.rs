//! How mail goes out.

use std::path::PathBuf;

use kernel::secret::SecretString;

use crate::address::Address;
use crate::templates::Templates;

/// What a mailer is made with.
#[derive(Clone, Debug)]
pub struct MailOptions {
    /// Who messages are from.
    pub from: Address,
    /// How they go out.
    pub way: Way,
    /// What they say.
    pub templates: Templates,
}

/// A way out.
#[derive(Clone, Debug)]
pub enum Way {
    /// Files named `*.eml` in a folder, for an operator without a mail server.
    Folder(PathBuf),
    /// A server.
    Smtp(SmtpServer),
}

/// An SMTP server.
#[derive(Clone, Debug)]
pub struct SmtpServer {
    /// Its name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub security: Security,
    /// Who sends.
    pub credentials: Option<(String, SecretString)>,
    /// Certificates to be trusted besides the system's, PEM.
    pub extra_ca_pem: Option<Vec<u8>>,
}

/// The encryption of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// From the first byte on.
    Tls,
    /// After the greeting, or nothing is sent.
    StartTls,
    /// After the greeting where the server offers it.
    WhereOffered,
    /// None.
    Unencrypted,
}

impl SmtpServer {
    /// What `smtp://` means: no password leaves this machine unencrypted, and within it nothing needs to be encrypted.
    pub fn usual_security(host: &str, has_credentials: bool) -> Security {
        match host {
            "localhost" | "127.0.0.1" | "::1" => Security::Unencrypted,
            _ if has_credentials => Security::StartTls,
            _ => Security::WhereOffered,
        }
    }
}
