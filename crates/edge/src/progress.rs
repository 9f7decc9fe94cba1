//! The progress deadline of responses: a client that takes too little of its response for too long loses its connection.
//!
//! Time counts only while the connection is blocked on its client. A client that reads [`LEAST_BYTES`] within every
//! deadline keeps its connection, however long the response is.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// What a client has to take before the deadline, in bytes.
pub(crate) const LEAST_BYTES: usize = 16 * 1024;

/// A connection with a progress deadline for what is written to it.
pub(crate) struct Progress<S> {
    stream: S,
    /// How long a blocked connection may take for [`LEAST_BYTES`].
    deadline: Duration,
    /// There while the client has not taken everything.
    blocked: Option<Blocked>,
}

struct Blocked {
    until: Pin<Box<Sleep>>,
    taken_bytes: usize,
}

impl Blocked {
    fn new(deadline: Duration) -> Self {
        Self { until: Box::pin(sleep(deadline)), taken_bytes: 0 }
    }

    /// An error when the deadline has passed without progress.
    fn poll(&mut self, deadline: Duration, context: &mut Context<'_>) -> Poll<io::Error> {
        while self.until.as_mut().poll(context).is_ready() {
            if self.taken_bytes < LEAST_BYTES {
                return Poll::Ready(io::Error::new(io::ErrorKind::TimedOut, "the client does not read its response"));
            }
            self.taken_bytes = 0;
            self.until.as_mut().reset(Instant::now() + deadline);
        }
        Poll::Pending
    }
}

impl<S> Progress<S> {
    pub(crate) fn new(stream: S, deadline: Duration) -> Self {
        Self { stream, deadline, blocked: None }
    }

    /// Notes how a write went.
    fn judge(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => {
                let deadline = self.deadline;
                let blocked = self.blocked.get_or_insert_with(|| Blocked::new(deadline));
                blocked.poll(deadline, context).map(Err)
            }
            Poll::Ready(Ok(bytes)) => {
                if let Some(blocked) = &mut self.blocked {
                    blocked.taken_bytes += bytes;
                }
                Poll::Ready(Ok(bytes))
            }
            failed @ Poll::Ready(Err(_)) => failed,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Progress<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when everything is written: the client has taken what there is.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if flushed.is_ready() {
            self.blocked = None;
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Progress<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    const DEADLINE: Duration = Duration::from_secs(30);

    fn pair() -> (Progress<DuplexStream>, DuplexStream) {
        let (server, client) = duplex(1024);
        (Progress::new(server, DEADLINE), client)
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_loses_its_connection_at_the_deadline() {
        let (mut server, _client) = pair();
        let began = Instant::now();
        let error = server.write_all(&[0; 4096]).await.unwrap_err();
        assert_eq!((error.kind(), began.elapsed()), (io::ErrorKind::TimedOut, DEADLINE));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_trickles_loses_its_connection_too() {
        let (mut server, mut client) = pair();
        let trickle = tokio::spawn(async move {
            let mut read = 0;
            // A kilobyte in four seconds is half of what is asked for.
            while client.read_exact(&mut [0; 1024]).await.is_ok() {
                read += 1024;
                sleep(Duration::from_secs(4)).await;
            }
            read
        });
        let error = server.write_all(&[0; 1024 * 1024]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(server);
        assert!(trickle.await.unwrap() < LEAST_BYTES);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_is_slow_but_steady_gets_everything_however_long_it_takes() {
        let (mut server, mut client) = pair();
        let reading = tokio::spawn(async move {
            let mut read = 0;
            while client.read_exact(&mut [0; 1024]).await.is_ok() {
                read += 1024;
                sleep(Duration::from_secs(1)).await;
            }
            read
        });
        let began = Instant::now();
        server.write_all(&[0; 256 * 1024]).await.unwrap();
        drop(server);
        assert_eq!(reading.await.unwrap(), 256 * 1024);
        assert!(began.elapsed() > 3 * DEADLINE);
    }

    #[tokio::test(start_paused = true)]
    async fn time_between_responses_does_not_count() {
        let (mut server, mut client) = pair();
        for _ in 0..3 {
            let (written, read) = tokio::join!(
                async {
                    server.write_all(&[0; 2048]).await?;
                    server.flush().await
                },
                async {
                    sleep(DEADLINE / 2).await;
                    client.read_exact(&mut [0; 2048]).await
                }
            );
            written.unwrap();
            read.unwrap();
            sleep(DEADLINE * 2).await;
        }
    }
}
