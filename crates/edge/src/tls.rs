//! https served by the process itself, for a machine without a proxy in front (`LECTERN_TLS_CERT_FILE`).
//!
//! TLS 1.2 and 1.3 with the library's safe defaults, HTTP/1.1 inside. The files are read once, at the start.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

/// A client that has not finished its handshake by then is dropped.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// A certificate and its key, ready to serve with. Cheap to clone.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

/// The certificate and key can't be served with.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The certificate file holds no readable PEM certificate.
    #[error("the certificate file holds no readable PEM certificate")]
    NoCertificate,
    /// The key file holds no readable PEM key.
    #[error("the key file holds no readable PEM private key")]
    NoKey,
    /// The two don't fit, or the key is of an unknown kind.
    #[error("the certificate and the key can't be used together: {0}")]
    Unusable(#[from] tokio_rustls::rustls::Error),
}

impl Tls {
    /// Reads a certificate chain, the server's own first, and its key.
    ///
    /// # Errors
    /// When a text is no PEM, or the two don't belong together.
    pub fn from_pem(certificates: &[u8], key: &[u8]) -> Result<Self, TlsError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificates).collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty()).ok_or(TlsError::NoCertificate)?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| TlsError::NoKey)?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    pub(crate) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: S) -> io::Result<TlsStream<S>> {
        let handshake = tokio::time::timeout(HANDSHAKE_TIMEOUT, self.0.accept(stream)).await;
        handshake.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (String, String) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    #[test]
    fn a_certificate_is_served_with_its_own_key_only() {
        let ((certificate, key), (_, other_key)) = (pair(), pair());
        assert!(Tls::from_pem(certificate.as_bytes(), key.as_bytes()).is_ok());
        let refused = |certificate: &str, key: &str| Tls::from_pem(certificate.as_bytes(), key.as_bytes()).err();
        assert!(matches!(refused(&certificate, &other_key), Some(TlsError::Unusable(_))));
        assert!(matches!(refused(&certificate, "x"), Some(TlsError::NoKey)));
        assert!(matches!(refused("x", &key), Some(TlsError::NoCertificate)));
    }
}
