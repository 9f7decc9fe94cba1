//! Which store, and how it is reached.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kernel::secret::{ExposeSecret as _, SecretString};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, Certificate, ClientOptions, ObjectStore, RetryConfig};
use url::Url;

use super::error::OpenStoreError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// One attempt. Ten mebibytes take this long at 3 Mbit/s.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(25);
/// No attempt begins later than this.
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);
const MOST_RETRIES: usize = 3;

/// A place for files.
#[derive(Clone, Debug)]
pub enum StorageOptions {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A bucket, for many machines.
    S3(S3Options),
}

/// A bucket of an S3-compatible store.
#[derive(Clone, Debug)]
pub struct S3Options {
    /// Its name.
    pub bucket: String,
    /// What all names in it begin with; may be empty.
    pub prefix: String,
    /// The store's address; `None` for Amazon's of the region.
    pub endpoint: Option<Url>,
    /// The region that requests are signed for.
    pub region: String,
    /// Who asks; `None` for the role of the machine, as Amazon's machines have one.
    pub credentials: Option<S3Credentials>,
    /// Certificates to be trusted besides the system's, PEM.
    pub extra_ca_pem: Option<Vec<u8>>,
}

/// An access key.
#[derive(Clone, Debug)]
pub struct S3Credentials {
    /// Its id.
    pub access_key: SecretString,
    /// Its secret.
    pub secret_key: SecretString,
}

impl StorageOptions {
    pub(super) fn open(&self) -> Result<Arc<dyn ObjectStore>, OpenStoreError> {
        match self {
            Self::Folder(folder) => open_folder(folder),
            Self::S3(options) => options.open().map_err(|cause| OpenStoreError::S3 { cause: Box::new(cause) }),
        }
    }
}

fn open_folder(folder: &Path) -> Result<Arc<dyn ObjectStore>, OpenStoreError> {
    let path = || folder.display().to_string();
    make_private(folder).map_err(|cause| OpenStoreError::Folder { path: path(), cause: Box::new(cause) })?;
    let opened = LocalFileSystem::new_with_prefix(folder);
    let store = opened.map_err(|cause| OpenStoreError::Folder { path: path(), cause: Box::new(cause) })?;
    // File and folder are synced before a put answers.
    Ok(Arc::new(store.with_fsync(true)))
}

fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

impl S3Options {
    fn open(&self) -> object_store::Result<Arc<dyn ObjectStore>> {
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&self.bucket)
            .with_region(&self.region)
            .with_client_options(self.client()?)
            .with_retry(retries());
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/'));
        }
        if let Some(S3Credentials { access_key, secret_key }) = &self.credentials {
            builder = builder
                .with_access_key_id(access_key.expose_secret())
                .with_secret_access_key(secret_key.expose_secret());
        }
        let store = builder.build()?;
        if self.prefix.is_empty() {
            return Ok(Arc::new(store));
        }
        Ok(Arc::new(PrefixStore::new(store, self.prefix.as_str())))
    }

    fn client(&self) -> object_store::Result<ClientOptions> {
        let is_plain = self.endpoint.as_ref().is_some_and(|endpoint| endpoint.scheme() == "http");
        let mut client = ClientOptions::new()
            .with_allow_http(is_plain)
            .with_connect_timeout(CONNECT_TIMEOUT)
            .with_timeout(ATTEMPT_TIMEOUT);
        if let Some(pem) = &self.extra_ca_pem {
            for certificate in Certificate::from_pem_bundle(pem)? {
                client = client.with_root_certificate(certificate);
            }
        }
        Ok(client)
    }
}

fn retries() -> RetryConfig {
    let backoff =
        BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(2), base: 2.0 };
    RetryConfig { backoff, max_retries: MOST_RETRIES, retry_timeout: RETRY_TIMEOUT }
}
