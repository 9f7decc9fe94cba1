//! The HTTP server: one listener, bounded in everything, that ends what it began.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown, Watcher};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use crate::linger::Lingering;
use crate::tls::Tls;

/// A burst of connections waits here instead of losing its SYNs.
const BACKLOG: i32 = 4096;
/// More open connections than this wait in the backlog.
const MOST_CONNECTIONS: usize = 16_384;
/// How long a client may take to send a request's head; also how long an idle connection is kept.
const HEADER_TIMEOUT: Duration = Duration::from_secs(60);
/// Request heads longer than this are refused, in bytes.
const MOST_HEADER_BYTES: usize = 64 * 1024;
/// How long requests in flight may take to end after shutdown began.
pub const DRAIN: Duration = Duration::from_secs(30);

/// Opens the listening socket.
///
/// # Errors
/// When the address can't be bound.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Where clients come in.
pub struct Entrance {
    /// The listening socket.
    pub listener: TcpListener,
    /// Speaks https when it is there.
    pub tls: Option<Tls>,
}

impl From<TcpListener> for Entrance {
    /// Plain http.
    fn from(listener: TcpListener) -> Self {
        Self { listener, tls: None }
    }
}

/// Serves until `shutdown`, then stops accepting and waits for requests in flight, [`DRAIN`] at most.
pub async fn serve(entrance: impl Into<Entrance>, router: Router, shutdown: impl Future<Output = ()>) {
    let Entrance { listener, tls } = entrance.into();
    let graceful = GracefulShutdown::new();
    let slots = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    tokio::pin!(shutdown);
    loop {
        let slot = tokio::select! {
            () = &mut shutdown => break,
            slot = slots.clone().acquire_owned() => slot.expect("the semaphore is never closed"),
        };
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                let conversation = converse(stream, peer, tls.clone(), router.clone(), graceful.watcher());
                tokio::spawn(async move {
                    let _slot = slot;
                    if let Err(error) = conversation.await {
                        tracing::debug!(%error, "a connection ended early");
                    }
                });
            }
            Err(error) => back_off(&error).await,
        }
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were still in flight when the time to drain was over");
    }
}

async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    tls: Option<Tls>,
    router: Router,
    watcher: Watcher,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY could not be set");
    }
    match tls {
        None => watcher.watch(connection(stream, peer, router)).await?,
        Some(tls) => {
            let stream = tls.accept(stream).await?;
            watcher.watch(connection(stream, peer, router)).await?;
        }
    }
    Ok(())
}

fn connection(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    peer: SocketAddr,
    router: Router,
) -> impl GracefulConnection<Error = hyper::Error> {
    let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request.map(|body| axum::body::Body::new(Lingering::new(body))))
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MOST_HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), service)
}

/// Out of file descriptors or a peer that gave up: a short rest instead of a busy loop.
async fn back_off(error: &std::io::Error) {
    tracing::warn!(%error, "a connection could not be accepted");
    tokio::time::sleep(Duration::from_millis(50)).await;
}
