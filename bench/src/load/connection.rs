//! One kept HTTP/1.1 connection. Knows status, `content-length`, where a body in chunks ends, and nothing more.

use std::net::SocketAddr;

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const END_OF_HEAD: &[u8] = b"\r\n\r\n";
const LENGTH: &[u8] = b"content-length:";
const CHUNKED: &[u8] = b"transfer-encoding: chunked";
const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

/// An open connection and the last answer on it.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    filled: usize,
    body_start: usize,
}

struct Head {
    status: u16,
    length: usize,
    body: BodyEnd,
}

/// How it shows that a body is whole.
enum BodyEnd {
    Bytes(usize),
    Chunks,
}

impl BodyEnd {
    fn is_whole(&self, body: &[u8]) -> bool {
        match self {
            Self::Bytes(count) => body.len() >= *count,
            Self::Chunks => body.ends_with(LAST_CHUNK),
        }
    }
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("can't connect to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; 32 * 1024], filled: 0, body_start: 0 })
    }

    /// Sends a request and reads the whole answer; returns its status.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<u16> {
        self.stream.write_all(request).await.context("the server closed the connection")?;
        self.filled = 0;
        loop {
            self.read_more().await?;
            if let Some(head) = self.head()? {
                self.body_start = head.length;
                while !head.body.is_whole(self.body()) {
                    self.read_more().await?;
                }
                return Ok(head.status);
            }
        }
    }

    /// The body of the last answer.
    pub(crate) fn body(&self) -> &[u8] {
        &self.buffer[self.body_start..self.filled]
    }

    /// The head of the last answer.
    pub(crate) fn head_bytes(&self) -> &[u8] {
        &self.buffer[..self.body_start]
    }

    async fn read_more(&mut self) -> anyhow::Result<()> {
        if self.filled == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        match self.stream.read(&mut self.buffer[self.filled..]).await? {
            0 => bail!("the server closed the connection"),
            count => self.filled += count,
        }
        Ok(())
    }

    fn head(&self) -> anyhow::Result<Option<Head>> {
        let seen = &self.buffer[..self.filled];
        let Some(end) = seen.windows(END_OF_HEAD.len()).position(|bytes| bytes == END_OF_HEAD) else {
            return Ok(None);
        };
        let mut lines = seen[..end].split(|byte| *byte == b'\n');
        let status = number(lines.next().and_then(|line| line.get(9..12)).unwrap_or_default());
        let begins =
            |line: &[u8], name: &[u8]| line.len() >= name.len() && line[..name.len()].eq_ignore_ascii_case(name);
        let body = lines.find_map(|line| match line {
            _ if begins(line, LENGTH) => number(&line[LENGTH.len()..]).map(BodyEnd::Bytes),
            _ if begins(line, CHUNKED) => Some(BodyEnd::Chunks),
            _ => None,
        });
        let (Some(status), Some(body)) = (status, body) else {
            bail!("an answer without status or length: {}", String::from_utf8_lossy(&seen[..end]));
        };
        let status = u16::try_from(status).context("a status")?;
        Ok(Some(Head { status, length: end + END_OF_HEAD.len(), body }))
    }
}

fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}
