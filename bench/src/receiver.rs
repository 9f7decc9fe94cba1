//! A server on loopback, as cheap as the load generator: a webhook receiver that reads requests and answers 200, or one whose
//! answers depend on the requests.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const END_OF_HEAD: &[u8] = b"\r\n\r\n";
const LENGTH: &str = "content-length:";

/// Told of each request's body when it has arrived.
pub(crate) type OnArrival = Arc<dyn Fn(&[u8]) + Send + Sync>;
/// Gives the whole answer to a request, by its head and its body.
pub(crate) type Answering = Arc<dyn Fn(&[u8], &[u8]) -> Vec<u8> + Send + Sync>;

/// Starts a receiver on a thread of its own, which lives as long as the process, and gives its address.
/// Every answer waits for `delay`.
pub(crate) fn start(delay: Duration, on_arrival: OnArrival) -> anyhow::Result<SocketAddr> {
    let answering = move |_: &[u8], body: &[u8]| {
        on_arrival(body);
        ANSWER.to_vec()
    };
    start_answering(delay, Arc::new(answering))
}

/// Starts a server as [`start`] starts a receiver.
pub(crate) fn start_answering(delay: Duration, answering: Answering) -> anyhow::Result<SocketAddr> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("a runtime")?;
    std::thread::spawn(move || {
        runtime.block_on(async move {
            let listener = TcpListener::from_std(listener).expect("the listener is non-blocking");
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, delay, answering.clone()));
            }
        });
    });
    Ok(address)
}

/// Ends with the connection, for whatever reason.
async fn serve(mut stream: TcpStream, delay: Duration, answering: Answering) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut buffer = Vec::with_capacity(16 * 1024);
    loop {
        let body = loop {
            if let Some(body) = whole_request(&buffer) {
                break body;
            }
            if stream.read_buf(&mut buffer).await.ok()? == 0 {
                return None;
            }
        };
        let answer = answering(&buffer[..body.start], &buffer[body.clone()]);
        buffer.drain(..body.end);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        stream.write_all(&answer).await.ok()?;
    }
}

/// Where the body of the first request lies, once all of it is there.
fn whole_request(seen: &[u8]) -> Option<std::ops::Range<usize>> {
    let end = seen.windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD)? + END_OF_HEAD.len();
    let head = std::str::from_utf8(&seen[..end]).ok()?.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix(LENGTH));
    let length: usize = length.map_or(Some(0), |text| text.trim().parse().ok())?;
    (seen.len() >= end + length).then_some(end..end + length)
}
