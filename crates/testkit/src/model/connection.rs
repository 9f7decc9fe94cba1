//! A connection: requests one after the other, and answers with whatever fault the line has.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt, BufWriter};
use tokio::net::TcpStream;

use super::Stage;
use super::asked::{Asked, Protocol};
use super::line::{End, How, Line, What};
use super::speech;

const LONGEST_HEAD: usize = 64 * 1024;
/// The type of a stream of events.
const EVENTS: &str = "text/event-stream";

/// Whether the connection can be used again.
#[derive(PartialEq)]
enum After {
    Open,
    Closed,
}

/// Answers until the client or a fault ends the connection.
pub(super) async fn converse(mut stream: TcpStream, stage: Arc<Stage>) {
    let mut buffer = Vec::new();
    while let Some(request) = read(&mut stream, &mut buffer).await {
        let after = match request.protocol() {
            Some(protocol) => {
                let asked = request.asked(protocol);
                let line = stage.answer(asked.clone());
                let after = answer(&mut stream, &asked, &line).await;
                stage.answered();
                after
            }
            None if request.path.ends_with("/models") => {
                let is_let_in = stage.manners.lets_in(request.header("authorization"), request.header("x-api-key"));
                let models = stage.manners.models.iter().map(|id| json!({ "id": id, "object": "model" }));
                let list = json!({ "object": "list", "data": models.collect::<Vec<_>>() });
                let (status, body) = if is_let_in { (200, list) } else { (401, json!({ "error": "key" })) };
                whole(&mut stream, status, "application/json", &[], body.to_string().as_bytes()).await
            }
            None => whole(&mut stream, 404, "text/plain", &[], b"404 page not found").await,
        };
        if !matches!(after, Ok(After::Open)) {
            return;
        }
    }
}

struct Request {
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    fn protocol(&self) -> Option<Protocol> {
        match self.path.strip_prefix("/v1")? {
            "/chat/completions" => Some(Protocol::Chat),
            "/responses" => Some(Protocol::Responses),
            "/messages" => Some(Protocol::Messages),
            "/audio/speech" => Some(Protocol::Speech),
            _ => None,
        }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn asked(self, protocol: Protocol) -> Asked {
        let raw = String::from_utf8(self.body).unwrap();
        Asked { protocol, headers: self.headers, body: serde_json::from_str(&raw).unwrap_or(Value::Null), raw }
    }
}

/// The next request; `None` when there is none.
async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Request> {
    let head_bytes = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if buffer.len() > LONGEST_HEAD || stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer[..head_bytes].to_vec()).ok()?;
    let mut lines = head.split("\r\n");
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let header = |line: &str| line.split_once(':').map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
    let headers: Vec<_> = lines.filter_map(header).collect();
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let end = head_bytes + length.unwrap_or(0);
    buffer.reserve(end.saturating_sub(buffer.len()));
    while buffer.len() < end {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let body = buffer[head_bytes..end].to_vec();
    buffer.drain(..end);
    Some(Request { path, headers, body })
}

async fn answer(stream: &mut TcpStream, asked: &Asked, line: &Line) -> std::io::Result<After> {
    if !line.delay.is_zero() {
        tokio::time::sleep(line.delay).await;
    }
    match &line.what {
        What::Speech(speech) if asked.streams() && !line.how.is_plain => {
            let events = speech::events(asked, speech);
            streamed(stream, asked.protocol, line, EVENTS, events.into_iter().map(String::into_bytes)).await
        }
        What::Speech(speech) => {
            let body = speech::whole(asked, speech).to_string().into_bytes();
            match line.how.end {
                None => whole(stream, 200, "application/json", &line.headers, &body).await,
                Some(_) => streamed(stream, asked.protocol, line, EVENTS, body.chunks(16).map(<[u8]>::to_vec)).await,
            }
        }
        What::Error { status, kind, message } => {
            let body = speech::error(asked.protocol, kind, message).to_string();
            whole(stream, *status, "application/json", &line.headers, body.as_bytes()).await
        }
        What::Raw { mime_type, body, .. } if line.how.torn.is_some() => {
            streamed(stream, asked.protocol, line, mime_type, std::iter::once(body.clone())).await
        }
        What::Raw { status, mime_type, body } => whole(stream, *status, mime_type, &line.headers, body).await,
        What::Endless => {
            let events = std::iter::repeat_with(|| speech::more(asked.protocol).into_bytes());
            streamed(stream, asked.protocol, line, EVENTS, events).await
        }
        What::Noise => {
            stream.write_all(b"\x16\x03\x01 what do you want?\r\n\r\n").await?;
            Ok(After::Closed)
        }
        What::Silence => silence(stream).await,
    }
}

async fn streamed(
    stream: &mut TcpStream,
    protocol: Protocol,
    line: &Line,
    mime_type: &str,
    events: impl Iterator<Item = Vec<u8>>,
) -> std::io::Result<After> {
    head(stream, 200, mime_type, &line.headers, "transfer-encoding: chunked").await?;
    let How { torn, end, pace, held, .. } = &line.how;
    // Pieces that come at one moment travel together.
    let mut together = BufWriter::new(&mut *stream);
    let mut sent = 0;
    for event in events {
        for piece in event.chunks(torn.unwrap_or(event.len()).max(1)) {
            if let Some((after, end)) = end
                && sent == *after
            {
                together.flush().await?;
                return break_off(stream, protocol, *end).await;
            }
            if !pace.is_zero() {
                together.flush().await?;
                tokio::time::sleep(*pace).await;
            }
            chunk(&mut together, piece).await?;
            sent += 1;
        }
    }
    together.flush().await?;
    // A client that has what it wants may be gone before.
    if let Some(held) = held
        && let Ok(after) = tokio::time::timeout(*held, silence(stream)).await
    {
        return after;
    }
    stream.write_all(b"0\r\n\r\n").await?;
    Ok(After::Open)
}

async fn break_off(stream: &mut TcpStream, protocol: Protocol, end: End) -> std::io::Result<After> {
    match end {
        End::Cut => {
            stream.write_all(b"0\r\n\r\n").await?;
            Ok(After::Open)
        }
        End::Error => {
            chunk(stream, speech::error_event(protocol).as_bytes()).await?;
            stream.write_all(b"0\r\n\r\n").await?;
            Ok(After::Open)
        }
        End::Close => Ok(After::Closed),
        End::Reset => {
            stream.set_zero_linger()?;
            Ok(After::Closed)
        }
        End::Stall => silence(stream).await,
    }
}

/// Waits until the client has had enough.
async fn silence(stream: &mut TcpStream) -> std::io::Result<After> {
    let mut ignored = [0; 1024];
    while stream.read(&mut ignored).await? > 0 {}
    Ok(After::Closed)
}

async fn whole(
    stream: &mut TcpStream,
    status: u16,
    mime_type: &str,
    headers: &[(&'static str, String)],
    body: &[u8],
) -> std::io::Result<After> {
    head(stream, status, mime_type, headers, &format!("content-length: {}", body.len())).await?;
    stream.write_all(body).await?;
    Ok(After::Open)
}

async fn head(
    stream: &mut TcpStream,
    status: u16,
    mime_type: &str,
    headers: &[(&'static str, String)],
    length: &str,
) -> std::io::Result<()> {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("HTTP/1.1 {status} Scripted\r\ncontent-type: {mime_type}\r\n{length}\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).await
}

async fn chunk(stream: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> std::io::Result<()> {
    let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
    framed.extend_from_slice(bytes);
    framed.extend_from_slice(b"\r\n");
    stream.write_all(&framed).await
}
