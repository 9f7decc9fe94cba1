//! `[server]`: where the service listens and how the world calls it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use super::parse;
use super::reader::Reader;
use super::setting::Setting;

const SECTION: &str = "server";

static LISTEN: Setting = Setting::new(SECTION, "listen", "LECTERN_LISTEN").or("127.0.0.1:8080");
static BASE_URL: Setting =
    Setting::new(SECTION, "base_url", "LECTERN_BASE_URL").or_else("that of listen, or localhost for all addresses");
static DRAIN_PERIOD: Setting = Setting::new(SECTION, "drain_period", "LECTERN_DRAIN_PERIOD").or("5s");
static TLS_CERT_FILE: Setting =
    Setting::new(SECTION, "tls_cert_file", "LECTERN_TLS_CERT_FILE").or_else("plain http is served");
static TLS_KEY_FILE: Setting =
    Setting::new(SECTION, "tls_key_file", "LECTERN_TLS_KEY_FILE").or_else("plain http is served");

/// `[server]`
#[derive(Clone, Debug)]
pub struct Server {
    /// Address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The public address in links; `None`: follows from where the service listens.
    pub base_url: Option<Url>,
    /// How long requests are still accepted after SIGTERM, while `/readyz` says 503.
    pub drain_period: Duration,
    /// The files to serve https with.
    pub tls: Option<TlsFiles>,
}

/// A certificate and its key.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// PEM, the server's certificate first.
    pub cert_file: PathBuf,
    /// PEM.
    pub key_file: PathBuf,
}

impl Server {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let listen = reader.required(&LISTEN, parse::address);
        let base_url = reader.optional(&BASE_URL, parse::base_url);
        let drain_period = reader.required(&DRAIN_PERIOD, parse::duration);
        let cert_file = reader.optional(&TLS_CERT_FILE, parse::path);
        let key_file = reader.optional(&TLS_KEY_FILE, parse::path);
        let tls = reader.pair((&TLS_CERT_FILE, cert_file?), (&TLS_KEY_FILE, key_file?))?;
        let tls = tls.map(|(cert_file, key_file)| TlsFiles { cert_file, key_file });
        Some(Self { listen: listen?, base_url: base_url?, drain_period: drain_period?, tls })
    }

    /// The public address of a service that listens at `local`. Where it listens on every address of the machine, nobody
    /// can say which of them others reach: then it is the machine's own name for itself.
    pub fn base_url(&self, local: SocketAddr) -> Url {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let own = match local.ip().is_unspecified() {
            true => format!("{scheme}://localhost:{}", local.port()),
            false => format!("{scheme}://{local}"),
        };
        self.base_url.clone().unwrap_or_else(|| Url::parse(&own).expect("an address makes a URL"))
    }
}
