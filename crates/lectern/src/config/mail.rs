//! `[mail]`: how mail goes out.

use std::path::{Path, PathBuf};

use kernel::secret::SecretString;
use mail::templates::{Templates, TemplatesError};
use mail::{Address, MailOptions, Security, SmtpServer, Way};
use percent_encoding::percent_decode_str;
use url::Url;

use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "mail";
const FOLDER: &str = "mail";
const SUBMISSION_PORT: u16 = 587;
const SUBMISSIONS_PORT: u16 = 465;

static SMTP_URL: Setting = Setting::new(SECTION, "smtp_url", "LECTERN_SMTP_URL")
    .shaped(Shape::UrlWithPassword)
    .or_else(".eml files, in the folder mail in store.data_dir");
static FROM: Setting = Setting::new(SECTION, "from", "LECTERN_MAIL_FROM").or_else("only needed with mail.smtp_url");
static TEMPLATES_DIR: Setting =
    Setting::new(SECTION, "templates_dir", "LECTERN_MAIL_TEMPLATES_DIR").or_else("the shipped texts");
static LANGUAGE: Setting = Setting::new(SECTION, "language", "LECTERN_MAIL_LANGUAGE").or("en");
/// Of files, which no server judges.
const FROM_HERE: &str = "Lectern <lectern@localhost>";

/// `[mail]`
#[derive(Clone, Debug)]
pub struct Mail {
    smtp: Option<SmtpServer>,
    from: Address,
    templates_dir: Option<PathBuf>,
    language: String,
}

impl Mail {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let smtp = reader.optional(&SMTP_URL, server);
        let from = reader.optional(&FROM, address);
        let templates_dir = reader.optional(&TEMPLATES_DIR, |text| Ok::<_, String>(PathBuf::from(text)));
        let language = reader.required(&LANGUAGE, language);
        let (smtp, from, templates_dir, language) = (smtp?, from?, templates_dir?, language?);
        if smtp.is_some() && from.is_none() {
            return reader
                .refuse(&SMTP_URL, "needs LECTERN_MAIL_FROM too, an address that the server lets mail be from");
        }
        let from = from.unwrap_or_else(|| FROM_HERE.parse().expect("an address"));
        Some(Self { smtp, from, templates_dir, language })
    }

    /// How mail goes out of a service with this data folder. `extra_ca_pem` is trusted besides the system's certificates.
    ///
    /// # Errors
    /// When the operator's templates can't be used.
    pub fn options(&self, data_dir: &Path, extra_ca_pem: Option<&[u8]>) -> Result<MailOptions, TemplatesError> {
        let way = match &self.smtp {
            Some(smtp) => Way::Smtp(SmtpServer { extra_ca_pem: extra_ca_pem.map(<[u8]>::to_vec), ..smtp.clone() }),
            None => Way::Folder(data_dir.join(FOLDER)),
        };
        let templates = Templates::load(self.templates_dir.as_deref(), &self.language)?;
        Ok(MailOptions { from: self.from.clone(), way, templates })
    }
}

fn address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|error: mail::NotAnAddress| error.to_string())
}

/// A language that mail is written in.
fn language(text: &str) -> Result<String, String> {
    let written = || language::all().filter(|language| language.email.is_some()).map(|language| language.tag);
    if written().any(|tag| tag == text) {
        return Ok(text.to_owned());
    }
    Err(format!("must be one of {}", written().collect::<Vec<_>>().join(", ")))
}

fn server(text: &str) -> Result<SmtpServer, String> {
    let wrong = || "must be an address such as smtp://user:password@host:587 or smtps://host".to_owned();
    let url = Url::parse(text).map_err(|_| wrong())?;
    let is_plain = matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
    let host = url.host_str().filter(|host| is_plain && !host.is_empty()).ok_or_else(wrong)?;
    let host = host.trim_matches(['[', ']']).to_owned();
    let decoded =
        |part: &str| percent_decode_str(part).decode_utf8().map(|text| text.into_owned()).map_err(|_| wrong());
    let credentials = match (url.username(), url.password()) {
        ("", None) => None,
        (user, Some(password)) if !user.is_empty() => Some((decoded(user)?, SecretString::from(decoded(password)?))),
        _ => return Err(wrong()),
    };
    let (security, port) = match url.scheme() {
        "smtps" => (Security::Tls, SUBMISSIONS_PORT),
        "smtp" => (SmtpServer::usual_security(&host, credentials.is_some()), SUBMISSION_PORT),
        _ => return Err(wrong()),
    };
    Ok(SmtpServer { host, port: url.port().unwrap_or(port), security, credentials, extra_ca_pem: None })
}

#[cfg(test)]
mod tests {
    use kernel::secret::ExposeSecret as _;

    use super::*;

    #[test]
    fn a_server_is_named_with_its_password_and_encryption() {
        let read = server("smtp://ann%40x:p%2Fw@mail.example.com:2525").unwrap();
        assert_eq!((&*read.host, read.port, read.security), ("mail.example.com", 2525, Security::StartTls));
        let (user, password) = read.credentials.unwrap();
        assert_eq!((&*user, password.expose_secret()), ("ann@x", "p/w"));
        let read = server("smtps://mail.example.com").unwrap();
        assert_eq!((read.port, read.security, read.credentials.is_none()), (465, Security::Tls, true));
        assert_eq!(server("smtp://127.0.0.1:25").unwrap().security, Security::Unencrypted);
        assert_eq!(server("smtp://[::1]").unwrap().security, Security::Unencrypted);
        assert_eq!(server("smtp://relay.example.com").unwrap().security, Security::WhereOffered);
        for wrong in
            ["mail.example.com", "smtp://", "http://x", "smtp://u@x", "smtp://:p@x", "smtp://x/path", "smtp://x?tls=no"]
        {
            assert!(server(wrong).is_err(), "{wrong}");
        }
    }
}
