//! Where the server is, and what happens on a new connection.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use kernel::secret::{ExposeSecret, SecretString};
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio_postgres::config::SslMode;
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::OpenError;
use crate::migrations::{self, MigrationState};

/// Name resolution, TCP, TLS and authentication together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// A dead peer is noticed within this time even when no answer is awaited.
const TCP_TIMEOUT: Duration = Duration::from_secs(10);
/// Sent on every new connection. The server gives up before the client does (`session::PATIENCE`), so
/// that a slow statement does not cost the connection.
const SETUP: &str = "SET statement_timeout = '10s'; SET idle_in_transaction_session_timeout = '30s'";
/// Transactions here are short, so compiling statements never pays. Servers that only speak
/// PostgreSQL's protocol may not know it.
const SETUP_IF_KNOWN: &str = "SET jit = off";
/// The advisory lock that is held while migrating; any number that no other program uses.
const MIGRATION_LOCK: i64 = 0x6c65_6374_6572_6e01;

/// A server and how to reach it.
#[derive(Clone)]
pub(crate) struct Target {
    config: Config,
    tls: Option<MakeRustlsConnect>,
}

/// A connection, and the future that moves its bytes.
pub(super) type Opened = (Client, futures_util::future::BoxFuture<'static, ()>);

impl Target {
    /// TLS is used when `sslmode` is `require`, `verify-ca` or `verify-full`, and the server's
    /// certificate and name are verified in all three.
    pub(crate) fn new(url: &SecretString, extra_ca_pem: Option<&[u8]>) -> Result<Self, OpenError> {
        let url = url.expose_secret();
        let url = url.replace("sslmode=verify-full", "sslmode=require").replace("sslmode=verify-ca", "sslmode=require");
        // The error names the part that is wrong and never repeats the password.
        let mut config = Config::from_str(&url).map_err(|error| OpenError::Url(error.to_string()))?;
        config.connect_timeout(CONNECT_TIMEOUT).tcp_user_timeout(TCP_TIMEOUT).keepalives_idle(TCP_TIMEOUT);
        if config.get_application_name().is_none() {
            config.application_name("lectern");
        }
        let tls = match config.get_ssl_mode() {
            SslMode::Require => Some(tls(extra_ca_pem)?),
            _ => None,
        };
        if tls.is_none() {
            config.ssl_mode(SslMode::Disable);
        }
        Ok(Self { config, tls })
    }

    /// Connects within three seconds. The returned future must be driven for the client to work.
    pub(super) async fn connect(&self) -> Result<Opened, OpenError> {
        tokio::time::timeout(CONNECT_TIMEOUT, self.connect_unbounded())
            .await
            .map_err(OpenError::unreachable)?
            .map_err(OpenError::unreachable)
    }

    /// Prepares a connection for transactions; its future is being driven by now.
    pub(super) async fn set_up(client: &Client) -> Result<(), OpenError> {
        let set_up = async {
            client.batch_execute(SETUP).await?;
            if let Err(error) = client.batch_execute(SETUP_IF_KNOWN).await {
                tracing::debug!(%error, "a setting is not known to the server");
            }
            Ok::<_, tokio_postgres::Error>(())
        };
        tokio::time::timeout(CONNECT_TIMEOUT, set_up)
            .await
            .map_err(OpenError::unreachable)?
            .map_err(OpenError::unreachable)
    }

    async fn connect_unbounded(&self) -> Result<Opened, tokio_postgres::Error> {
        if let Some(tls) = &self.tls {
            let (client, connection) = self.config.connect(tls.clone()).await?;
            Ok((client, Box::pin(drive(connection))))
        } else {
            let (client, connection) = self.config.connect(tokio_postgres::NoTls).await?;
            Ok((client, Box::pin(drive(connection))))
        }
    }

    pub(super) async fn connect_listening(
        &self,
        notified: impl Fn(&tokio_postgres::Notification) + Send + 'static,
    ) -> Result<Opened, OpenError> {
        let connect = async {
            if let Some(tls) = &self.tls {
                let (client, connection) = self.config.connect(tls.clone()).await?;
                Ok((client, super::listen::drive(connection, notified)))
            } else {
                let (client, connection) = self.config.connect(tokio_postgres::NoTls).await?;
                Ok((client, super::listen::drive(connection, notified)))
            }
        };
        let result: Result<Opened, tokio_postgres::Error> =
            tokio::time::timeout(CONNECT_TIMEOUT, connect).await.map_err(OpenError::unreachable)?;
        result.map_err(OpenError::unreachable)
    }
}

async fn drive<F: Future<Output = Result<(), tokio_postgres::Error>>>(connection: F) {
    if let Err(error) = connection.await {
        tracing::warn!(error = &error as &dyn std::error::Error, "a database connection broke");
    }
}

fn tls(extra_ca_pem: Option<&[u8]>) -> Result<MakeRustlsConnect, OpenError> {
    let refuse = |error: Box<dyn std::error::Error + Send + Sync>| OpenError::Certificates(error);
    let extra: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(extra_ca_pem.unwrap_or_default())
        .collect::<Result<_, _>>()
        .map_err(|error| refuse(error.into()))?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = rustls_platform_verifier::Verifier::new_with_extra_roots(extra, provider.clone())
        .map_err(|error| refuse(error.into()))?;
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| refuse(error.into()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Brings the database to this program's version, one process at a time, and returns the columns of
/// every unique index by its name.
pub(super) async fn migrate(target: &Target) -> Result<HashMap<String, String>, OpenError> {
    let (mut client, connection) = target.connect().await?;
    let connection = tokio::spawn(connection);
    let result = async {
        if migrations::postgres_state(&client).await?.needs_migration()? {
            // Goes with the connection, whatever happens.
            client.execute("SELECT pg_advisory_lock($1)", &[&MIGRATION_LOCK]).await.map_err(OpenError::unreachable)?;
            migrations::migrate_postgres(&mut client).await?;
        }
        unique_keys(&client).await.map_err(OpenError::unreachable)
    }
    .await;
    drop(client);
    connection.await.map_err(OpenError::unreachable)?;
    result
}

/// How far the database is migrated.
pub(crate) async fn check_migrations(target: &Target) -> Result<MigrationState, OpenError> {
    let (client, connection) = target.connect().await?;
    let connection = tokio::spawn(connection);
    let state = migrations::postgres_state(&client).await;
    drop(client);
    connection.await.map_err(OpenError::unreachable)?;
    state
}

async fn unique_keys(client: &Client) -> Result<HashMap<String, String>, tokio_postgres::Error> {
    let sql = "SELECT key.relname::text, \
                      owner.relname || '(' || string_agg(attribute.attname, ',' ORDER BY position.at) || ')' \
               FROM pg_index AS unique_index \
               JOIN pg_class AS key ON key.oid = unique_index.indexrelid \
               JOIN pg_class AS owner ON owner.oid = unique_index.indrelid \
               CROSS JOIN LATERAL unnest(unique_index.indkey::int2[]) WITH ORDINALITY AS position (attribute, at) \
               JOIN pg_attribute AS attribute \
                 ON attribute.attrelid = owner.oid AND attribute.attnum = position.attribute \
               WHERE unique_index.indisunique AND owner.relnamespace = current_schema()::regnamespace \
               GROUP BY key.relname, owner.relname";
    let rows = client.query(sql, &[]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}
