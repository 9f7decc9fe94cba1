//! Sends messages.

use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::secret::ExposeSecret as _;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncFileTransport, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use tokio::time::timeout;

use crate::address::Address;
use crate::error::{MailError, OpenMailerError};
use crate::message::Message;
use crate::options::{MailOptions, Security, SmtpServer, Way};
use crate::templates::Templates;

/// How long a server may take for each thing it is asked for.
const STEP_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest that sending takes.
const LONGEST_SEND: Duration = Duration::from_secs(45);

/// Sends messages. Cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    from: Address,
    ambient: Ambient,
    transport: Transport,
    templates: Templates,
}

#[derive(Clone)]
enum Transport {
    Folder(AsyncFileTransport<Tokio1Executor>),
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
}

impl Mailer {
    /// A mailer. A folder is made, for its owner alone; a server is not called yet.
    ///
    /// # Errors
    /// When the folder or the encryption can't be made.
    pub fn open(options: MailOptions, ambient: Ambient) -> Result<Self, OpenMailerError> {
        let transport = match &options.way {
            Way::Folder(folder) => {
                make_private(folder)
                    .map_err(|cause| OpenMailerError::Folder { path: folder.display().to_string(), cause })?;
                Transport::Folder(AsyncFileTransport::new(folder))
            }
            Way::Smtp(server) => Transport::Smtp(connect(server)?),
        };
        Ok(Self { from: options.from, ambient, transport, templates: options.templates })
    }

    /// What messages say.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }

    /// Sends a message: once this answers, the server has taken it or the file is written.
    ///
    /// # Errors
    /// When it was not sent; the error says whether trying again may help.
    pub async fn send(&self, message: &Message) -> Result<(), MailError> {
        let written = message.written(&self.from, &self.ambient)?;
        bounded(async {
            match &self.transport {
                Transport::Folder(folder) => drop(folder.send(written).await?),
                Transport::Smtp(server) => drop(server.send(written).await?),
            }
            Ok(())
        })
        .await
    }

    /// Whether messages can go out: the server greets, and takes the password where there is one. Nothing is sent.
    ///
    /// # Errors
    /// When they can't.
    pub async fn check(&self) -> Result<(), MailError> {
        bounded(async {
            match &self.transport {
                Transport::Smtp(server) if !server.test_connection().await? => {
                    Err(MailError::Transient("the server did not answer as one".into()))
                }
                Transport::Smtp(_) | Transport::Folder(_) => Ok(()),
            }
        })
        .await
    }
}

async fn bounded(call: impl Future<Output = Result<(), MailError>>) -> Result<(), MailError> {
    timeout(LONGEST_SEND, call).await.unwrap_or_else(|elapsed| Err(MailError::Transient(Box::new(elapsed))))
}

fn make_private(folder: &std::path::Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn connect(server: &SmtpServer) -> Result<AsyncSmtpTransport<Tokio1Executor>, OpenMailerError> {
    let tls = match server.security {
        Security::Tls => Tls::Wrapper(encryption(server)?),
        Security::StartTls => Tls::Required(encryption(server)?),
        Security::WhereOffered => Tls::Opportunistic(encryption(server)?),
        Security::Unencrypted => Tls::None,
    };
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&server.host)
        .port(server.port)
        .tls(tls)
        .timeout(Some(STEP_TIMEOUT));
    if let Some((user, password)) = &server.credentials {
        builder = builder.credentials(Credentials::new(user.clone(), password.expose_secret().to_owned()));
    }
    Ok(builder.build())
}

fn encryption(server: &SmtpServer) -> Result<TlsParameters, OpenMailerError> {
    let wrong = |error: lettre::transport::smtp::Error| OpenMailerError::Tls(Box::new(error));
    let mut parameters = TlsParameters::builder(server.host.clone());
    if let Some(pem) = &server.extra_ca_pem {
        parameters = parameters.add_root_certificate(Certificate::from_pem(pem).map_err(wrong)?);
    }
    parameters.build().map_err(wrong)
}
