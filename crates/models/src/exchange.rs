//! One exchange with a server: a request goes out, an answer comes in piece by piece, and is whole or a failure.

use std::time::Duration;

use kernel::model::{Part, Prompt, Turn};
use kernel::time::Timestamp;
use net::header::{CONTENT_TYPE, HeaderValue};
use net::{Incoming, OperatorClient, OutboundError};

use crate::backoff;
use crate::complaint::Complaint;
use crate::drain::Drains;
use crate::failure::{Cause, Failure};
use crate::manners::Manner;
use crate::protocols::{self, Progress};
use crate::said::Said;
use crate::settings::Protocol;
use crate::sse::Events;

/// Streams wrap each token in some hundred bytes.
const MOST_ANSWER_BYTES: usize = 32 * 1024 * 1024;
/// Of an answer that is not streamed.
const MOST_WHOLE_BYTES: usize = 8 * 1024 * 1024;
/// Of a refusal's words.
const MOST_REFUSAL_BYTES: usize = 64 * 1024;

/// What is asked of whom, and in which words.
pub(crate) struct Exchange<'a> {
    pub(crate) client: &'a OperatorClient,
    pub(crate) drains: &'a Drains,
    pub(crate) protocol: Protocol,
    pub(crate) model: &'a str,
    pub(crate) prompt: &'a Prompt,
    pub(crate) manner: Manner,
    /// From the first byte sent to the last one received.
    pub(crate) within: Duration,
    /// The longest time in which nothing comes: half as long once the model has begun to write.
    pub(crate) silence: Duration,
    /// For dates that a server names.
    pub(crate) now: Timestamp,
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) said: Said,
}

impl Exchange<'_> {
    /// Asks once.
    ///
    /// # Errors
    /// When there is no whole answer: a part of one is none.
    pub(crate) async fn run(&self) -> Result<Answer, Failure> {
        let body = self.body().await?;
        let mut headers = protocols::headers(self.protocol);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let path = protocols::path(self.protocol);
        let head = self.client.post(path, headers, body, self.within, MOST_ANSWER_BYTES);
        let head = tokio::time::timeout(self.silence, head).await;
        let mut incoming = head.unwrap_or(Err(OutboundError::Timeout))?;
        if !incoming.status().is_success() {
            return Err(refusal(&mut incoming, self.silence, self.now).await.into());
        }
        let mut said = Said::new(protocols::most_tokens(self.prompt, self.manner));
        if let Body::Open = self.read(&mut incoming, &mut said).await? {
            self.drains.add(incoming);
        }
        let text = said.take_text()?;
        Ok(Answer { text, said })
    }

    /// The request as it is sent, and nothing else: it is as large as its pictures, and lives only until it is sent.
    async fn body(&self) -> Result<Vec<u8>, Failure> {
        if !has_pictures(self.prompt) {
            return Ok(protocols::body(self.protocol, self.model, self.prompt, self.manner));
        }
        // Megabytes of base64 would keep every other call of the thread waiting.
        let (protocol, model, manner) = (self.protocol, self.model.to_owned(), self.manner);
        let prompt = self.prompt.clone();
        let writing = tokio::task::spawn_blocking(move || protocols::body(protocol, &model, &prompt, manner));
        // It does not panic; it is not done only where the process is about to end.
        writing.await.map_err(|_| Cause::Unreachable(OutboundError::Connect).into())
    }

    async fn read(&self, incoming: &mut Incoming, said: &mut Said) -> Result<Body, Failure> {
        let mut reading = Reading::Nothing;
        loop {
            let silence = if said.has_begun() { self.silence / 2 } else { self.silence };
            let Some(piece) = incoming.chunk(silence).await? else {
                return reading.end(self.protocol, said).map(|()| Body::Ended);
            };
            if let Progress::Done = reading.take(&piece, self.protocol, said)? {
                return Ok(Body::Open);
            }
        }
    }
}

/// What a server says that refuses. Of its words, those that come within so much silence are enough: the status says most.
pub(crate) async fn refusal(incoming: &mut Incoming, silence: Duration, now: Timestamp) -> Complaint {
    let mut body = Vec::new();
    while let Ok(Some(piece)) = incoming.chunk(silence).await {
        body.extend_from_slice(&piece);
        if body.len() > MOST_REFUSAL_BYTES {
            break;
        }
    }
    let retry_after = backoff::retry_after(incoming.headers(), now);
    Complaint::read(incoming.status().as_u16(), &body, retry_after)
}

fn has_pictures(prompt: &Prompt) -> bool {
    let parts = prompt.turns.iter().flat_map(|turn| match turn {
        Turn::User(parts) => parts.as_slice(),
        Turn::Model(_) => &[],
    });
    parts.into_iter().any(|part| matches!(part, Part::Picture(_)))
}

/// Where a body is once all that the model says was read.
enum Body {
    Ended,
    /// Its end is still to come.
    Open,
}

/// What the bytes of an answer turn out to be: servers that can't stream answer whole although they are asked to stream,
/// and some say the wrong type.
enum Reading {
    Nothing,
    Stream { events: Events, has_any: bool },
    Whole(Vec<u8>),
}

impl Reading {
    fn take(&mut self, mut piece: &[u8], protocol: Protocol, said: &mut Said) -> Result<Progress, Failure> {
        if let Self::Nothing = self {
            piece = piece.trim_ascii_start();
            *self = match piece.first() {
                None => return Ok(Progress::More),
                Some(b'{') => Self::Whole(Vec::new()),
                Some(_) => Self::Stream { events: Events::default(), has_any: false },
            };
        }
        match self {
            Self::Nothing => Ok(Progress::More),
            Self::Whole(body) if body.len() + piece.len() > MOST_WHOLE_BYTES => Err(Cause::Unreadable.into()),
            Self::Whole(body) => {
                body.extend_from_slice(piece);
                Ok(Progress::More)
            }
            Self::Stream { events, has_any } => {
                let mut progress = Progress::More;
                events.push(piece, |data| {
                    *has_any = true;
                    // Nothing counts after the end.
                    if let Progress::More = progress {
                        progress = protocols::event(protocol, data, said)?;
                    }
                    Ok::<(), Failure>(())
                })?;
                Ok(progress)
            }
        }
    }

    /// The body ended without the protocol's own end.
    fn end(self, protocol: Protocol, said: &mut Said) -> Result<(), Failure> {
        match self {
            // Some servers leave the last event out; the reason why the model stopped is what counts.
            Self::Stream { has_any: true, .. } if said.finish.is_some() => Ok(()),
            Self::Stream { has_any: true, .. } => Err(Cause::Truncated.into()),
            Self::Nothing | Self::Stream { .. } => Err(Cause::Unreadable.into()),
            Self::Whole(body) => {
                let body = String::from_utf8(body).map_err(|_| Cause::Unreadable)?;
                protocols::whole(protocol, &body, said)
            }
        }
    }
}
