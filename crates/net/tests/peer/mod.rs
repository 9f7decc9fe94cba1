//! A peer that answers each request with the same bytes, whatever they are, and counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

pub(crate) struct Peer {
    port: u16,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
}

impl Peer {
    /// Answers every request on every connection with `bytes`, over plain TCP.
    pub(crate) async fn answering(bytes: &str) -> Self {
        Self::start(bytes, None).await
    }

    /// The same over TLS, with a certificate for 127.0.0.1; gives the PEM of its authority.
    pub(crate) async fn answering_over_tls(bytes: &str) -> (Self, String) {
        let (config, ca_pem) = server_config();
        (Self::start(bytes, Some(TlsAcceptor::from(Arc::new(config)))).await, ca_pem)
    }

    /// A port that nobody listens on.
    pub(crate) async fn closed_port() -> u16 {
        TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port()
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    async fn start(bytes: &str, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let peer = Self { port, connections: Arc::default(), requests: Arc::default() };
        let (connections, requests) = (peer.connections.clone(), peer.requests.clone());
        let bytes: Arc<str> = bytes.into();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                connections.fetch_add(1, Ordering::SeqCst);
                let (bytes, requests, tls) = (bytes.clone(), requests.clone(), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => converse(stream, &bytes, &requests).await,
                        // A client that does not trust the certificate hangs up here.
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                converse(stream, &bytes, &requests).await;
                            }
                        }
                    }
                });
            }
        });
        peer
    }
}

/// Requests are small enough to come in one read.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, bytes: &str, requests: &AtomicUsize) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        if buffer[..read].starts_with(b"POST ") {
            requests.fetch_add(1, Ordering::SeqCst);
        }
        if stream.write_all(bytes.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn server_config() -> (ServerConfig, String) {
    let mut ca_params = CertificateParams::new(Vec::new()).unwrap();
    ca_params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca_key = KeyPair::generate().unwrap();
    let ca = ca_params.self_signed(&ca_key).unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &Issuer::from_params(&ca_params, &ca_key)).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let chain = vec![certificate.der().clone()];
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
    (config, ca.pem())
}
