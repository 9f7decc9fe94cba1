//! The HTTP server: one listener, bounded in everything, that ends what it began.

use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown, Watcher};
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

pub use crate::connections::ConnectionLimits;
use crate::connections::{Connections, OpenConnection};
use crate::linger::{Lingering, Pace};
use crate::progress::Progress;
use crate::tls::Tls;

/// A burst of connections waits here instead of losing its SYNs.
const BACKLOG: i32 = 4096;
/// How long a client may take to send a request's head; also how long an idle connection is kept.
const HEADER_TIMEOUT: Duration = Duration::from_secs(60);
/// Request heads longer than this are refused, in bytes. Also what is buffered of a response that its client does not read.
const MOST_BUFFERED_BYTES: usize = 32 * 1024;
/// What the system buffers of such a response beyond what is on its way, in bytes.
const MOST_UNSENT_BYTES: u32 = 64 * 1024;
/// What a connection beyond those of its address is told.
const TOO_MANY_CONNECTIONS: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nConnection: close\r\n\
    Content-Type: text/plain\r\nContent-Length: 49\r\n\r\nToo many connections are open from this address.\n";
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
    /// How many clients may come in at once.
    pub limits: ConnectionLimits,
}

impl From<TcpListener> for Entrance {
    /// Plain http, with the usual limits.
    fn from(listener: TcpListener) -> Self {
        Self { listener, tls: None, limits: ConnectionLimits::default() }
    }
}

/// Serves until `shutdown`, then stops accepting and waits for requests in flight, [`DRAIN`] at most.
pub async fn serve(entrance: impl Into<Entrance>, router: Router, shutdown: impl Future<Output = ()>) {
    let Entrance { listener, tls, limits } = entrance.into();
    let graceful = GracefulShutdown::new();
    let connections = Connections::new(limits);
    let pace = Pace::new();
    tokio::pin!(shutdown);
    loop {
        let slot = tokio::select! {
            () = &mut shutdown => break,
            slot = connections.slot() => slot,
        };
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                let Some(open) = connections.open(slot, peer.ip()) else {
                    turn_away(&stream, peer, tls.is_some());
                    continue;
                };
                let client = Client { stream, peer, open, deadline: limits.progress_deadline };
                let conversation = converse(client, tls.clone(), router.clone(), pace.clone(), graceful.watcher());
                tokio::spawn(async move {
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

struct Client {
    stream: TcpStream,
    peer: SocketAddr,
    open: OpenConnection,
    deadline: Duration,
}

async fn converse(
    client: Client,
    tls: Option<Tls>,
    router: Router,
    pace: Pace,
    watcher: Watcher,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let Client { stream, peer, open, deadline } = client;
    let socket = SockRef::from(&stream);
    if let Err(error) = socket.set_tcp_nodelay(true).and_then(|()| bound_unsent(&socket)) {
        tracing::debug!(%error, "the options of a connection could not be set");
    }
    let stream = Progress::new(stream, deadline);
    match tls {
        None => watcher.watch(connection(stream, peer, router, pace)).await?,
        Some(tls) => {
            let stream = tls.accept(stream).await?;
            watcher.watch(connection(stream, peer, router, pace)).await?;
        }
    }
    drop(open);
    Ok(())
}

/// Bounds what the system buffers of a response for a client that does not read it.
fn bound_unsent(socket: &SockRef<'_>) -> std::io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_notsent_lowat(MOST_UNSENT_BYTES)?;
    Ok(())
}

fn connection(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    peer: SocketAddr,
    router: Router,
    pace: Pace,
) -> impl GracefulConnection<Error = hyper::Error> {
    let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let pace = pace.clone();
        let (head, body) = request.into_parts();
        let body = Lingering::new(body, &head.headers, pace);
        router.clone().oneshot(hyper::Request::from_parts(head, axum::body::Body::new(body)))
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MOST_BUFFERED_BYTES)
        .serve_connection(TokioIo::new(stream), service)
}

/// Refuses a connection without waiting for its client.
fn turn_away(stream: &TcpStream, peer: SocketAddr, is_tls: bool) {
    tracing::debug!(%peer, "a connection was refused: its address has too many");
    if !is_tls {
        // A new connection has room for this; where it has not, the client sees the connection close.
        let _ = stream.try_write(TOO_MANY_CONNECTIONS);
    }
}

/// Out of file descriptors or a peer that gave up: a short rest instead of a busy loop.
async fn back_off(error: &std::io::Error) {
    tracing::warn!(%error, "a connection could not be accepted");
    tokio::time::sleep(Duration::from_millis(50)).await;
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::body::{Body, Bytes};
    use axum::routing::{get, post};
    use futures_util::{StreamExt as _, stream};
    use http::StatusCode;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::sync::mpsc;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    /// Tells when it is let go.
    struct Held(mpsc::UnboundedSender<()>);

    impl Drop for Held {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }

    /// Serves until the test ends.
    fn start(limits: ConnectionLimits, router: Router) -> SocketAddr {
        let listener = listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(serve(Entrance { listener, tls: None, limits }, router, std::future::pending()));
        address
    }

    /// What the server answers to a request on a new connection, and the connection.
    async fn ask(address: SocketAddr) -> (TcpStream, String) {
        let mut stream = TcpStream::connect(address).await.unwrap();
        // A connection that is turned away may be closed before the request is sent.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
        let mut head = [0; 12];
        stream.read_exact(&mut head).await.unwrap();
        (stream, String::from_utf8_lossy(&head).into_owned())
    }

    #[tokio::test]
    async fn a_connection_beyond_those_of_its_address_is_429() {
        let limits = ConnectionLimits { per_address: 2, ..ConnectionLimits::of(8) };
        let address = start(limits, Router::new().route("/", get(async || "")));
        let (first, second) = (ask(address).await, ask(address).await);
        assert_eq!([&*first.1, &*second.1, &*ask(address).await.1], ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 429"]);
        drop(first);
        let again = async {
            while ask(address).await.1 != "HTTP/1.1 200" {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, again).await.expect("a connection that is closed makes room");
    }

    #[tokio::test]
    async fn a_client_is_not_told_to_send_a_body_that_nobody_wants() {
        let router = Router::new().route("/", post(async || StatusCode::UNAUTHORIZED));
        let address = start(ConnectionLimits::of(8), router);
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n";
        stream.write_all(head).await.unwrap();
        let mut answer = Vec::new();
        tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("the connection ends").unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 401"), "{}", String::from_utf8_lossy(&answer));
    }

    #[tokio::test]
    async fn a_client_that_reads_nothing_is_let_go_and_its_response_with_it() {
        let (told, mut let_go) = mpsc::unbounded_channel();
        let endless = async move || {
            let held = Held(told);
            let piece = Bytes::from_static(&[0; 64 * 1024]);
            Body::from_stream(stream::repeat(piece).map(move |piece| {
                let _held = &held;
                Ok::<_, Infallible>(piece)
            }))
        };
        let limits = ConnectionLimits { progress_deadline: Duration::from_millis(200), ..ConnectionLimits::of(8) };
        let address = start(limits, Router::new().route("/", get(endless)));
        let (_unread, status) = ask(address).await;
        assert_eq!(status, "HTTP/1.1 200");
        let told = tokio::time::timeout(PATIENCE, let_go.recv()).await;
        assert_eq!(told, Ok(Some(())), "nothing holds the response any more");
    }
}
