//! What the model says, and how it fails to.

use std::time::Duration;

/// One answer.
#[derive(Clone, Debug)]
pub struct Line {
    pub(super) delay: Duration,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) what: What,
    pub(super) how: How,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Speech(Speech),
    Error {
        status: u16,
        kind: &'static str,
        message: String,
    },
    /// A body that is no answer of any protocol.
    Raw {
        status: u16,
        mime_type: &'static str,
        body: Vec<u8>,
    },
    /// A stream that never ends.
    Endless,
    /// No HTTP.
    Noise,
    /// Nothing: the connection stays open.
    Silence,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Speech {
    pub(super) text: String,
    pub(super) thinking: Option<String>,
    pub(super) finish: Finish,
    pub(super) cached_tokens: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Finish {
    #[default]
    Stop,
    Length,
    Refusal,
    Filter,
}

/// How the bytes of an answer travel.
#[derive(Clone, Debug, Default)]
pub(super) struct How {
    /// Whole, even where a stream was asked for.
    pub(super) is_plain: bool,
    /// In pieces of so many bytes instead of one piece an event.
    pub(super) torn: Option<usize>,
    /// What happens after so many pieces.
    pub(super) end: Option<(usize, End)>,
    /// Between pieces.
    pub(super) pace: Duration,
    /// Between the last piece and the end of the body.
    pub(super) held: Option<Duration>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// The body ends as if it were whole.
    Cut,
    /// The connection is closed.
    Close,
    /// The connection is reset.
    Reset,
    /// Nothing more comes, and the connection stays open.
    Stall,
    /// An error event of the protocol.
    Error,
}

impl Line {
    /// Says a text: streamed if a stream was asked for.
    pub fn say(text: impl Into<String>) -> Self {
        Self::of(What::Speech(Speech { text: text.into(), ..Speech::default() }))
    }

    /// Ends at the limit of length.
    pub fn cut_off(text: impl Into<String>) -> Self {
        Self::of(What::Speech(Speech { text: text.into(), finish: Finish::Length, ..Speech::default() }))
    }

    /// Declines in words.
    pub fn refuse(text: impl Into<String>) -> Self {
        Self::of(What::Speech(Speech { text: text.into(), finish: Finish::Refusal, ..Speech::default() }))
    }

    /// Is stopped by a filter.
    pub fn filtered() -> Self {
        Self::of(What::Speech(Speech { finish: Finish::Filter, ..Speech::default() }))
    }

    /// An error in the protocol's form, its kind named after the status.
    pub fn error(status: u16, message: impl Into<String>) -> Self {
        let kind = match status {
            400 | 422 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        Self::error_of(status, kind, message)
    }

    /// An error of another kind: `context_length_exceeded`, `insufficient_quota`, …
    pub fn error_of(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        Self::of(What::Error { status, kind, message: message.into() })
    }

    /// A body as it stands: whole, or in pieces with status 200 where it is [`Line::torn_into`] some.
    pub fn raw(status: u16, mime_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self::of(What::Raw { status, mime_type, body: body.into() })
    }

    /// A stream that goes on for as long as the client reads.
    pub fn endless() -> Self {
        Self::of(What::Endless)
    }

    /// Bytes that are no HTTP.
    pub fn noise() -> Self {
        Self::of(What::Noise)
    }

    /// No answer; the connection stays open.
    pub fn silence() -> Self {
        Self::of(What::Silence)
    }

    /// Waits before the first byte.
    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Waits before each piece of a stream.
    pub fn at_pace(mut self, pace: Duration) -> Self {
        self.how.pace = pace;
        self
    }

    /// Says everything, and ends the body so much later: as servers do that have something to tidy up first.
    pub fn held_open(mut self, held: Duration) -> Self {
        self.how.held = Some(held);
        self
    }

    /// With a header more, such as `retry-after`.
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Whole, although a stream is asked for: as servers without streaming do.
    pub fn plain(mut self) -> Self {
        self.how.is_plain = true;
        self
    }

    /// In pieces of so many bytes, wherever they break.
    pub fn torn_into(mut self, bytes: usize) -> Self {
        self.how.torn = Some(bytes.max(1));
        self
    }

    /// Thinks aloud first, in the protocol's own place for it.
    pub fn thinking(mut self, thoughts: impl Into<String>) -> Self {
        if let What::Speech(speech) = &mut self.what {
            speech.thinking = Some(thoughts.into());
        }
        self
    }

    /// With so many tokens of the prompt known from before.
    pub fn with_cached_tokens(mut self, tokens: u64) -> Self {
        if let What::Speech(speech) = &mut self.what {
            speech.cached_tokens = tokens;
        }
        self
    }

    /// The body ends after so many pieces as if that were all.
    pub fn cut_after(self, pieces: usize) -> Self {
        self.ending(pieces, End::Cut)
    }

    /// The connection is closed after so many pieces.
    pub fn closed_after(self, pieces: usize) -> Self {
        self.ending(pieces, End::Close)
    }

    /// The connection is reset after so many pieces.
    pub fn reset_after(self, pieces: usize) -> Self {
        self.ending(pieces, End::Reset)
    }

    /// Nothing more comes after so many pieces.
    pub fn stalled_after(self, pieces: usize) -> Self {
        self.ending(pieces, End::Stall)
    }

    /// The protocol's error event comes after so many pieces.
    pub fn failed_after(self, pieces: usize) -> Self {
        self.ending(pieces, End::Error)
    }

    fn ending(mut self, pieces: usize, end: End) -> Self {
        self.how.end = Some((pieces, end));
        self
    }

    fn of(what: What) -> Self {
        Self { delay: Duration::ZERO, headers: Vec::new(), what, how: How::default() }
    }
}
