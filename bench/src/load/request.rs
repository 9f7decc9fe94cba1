//! Requests written beforehand, with the few bytes that differ from one to the next.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Marks the place of the patch in a target or a header.
const PLACE: &str = "{}";
/// Digits of a counter.
const COUNTER_WIDTH: usize = 20;

/// What differs from one request to the next.
#[derive(Clone)]
pub(crate) enum Patch {
    /// Nothing.
    None,
    /// One of these ids, at random.
    Choice(Arc<[String]>),
    /// A number that no other request of this program has.
    Unique,
}

/// A request with its patch.
#[derive(Clone)]
pub(crate) struct Request {
    bytes: Vec<u8>,
    at: usize,
    patch: Patch,
    random: u64,
}

impl Request {
    /// A request whose target or headers hold `{}` where the patch goes, unless the patch is none.
    pub(crate) fn new(
        address: SocketAddr,
        line: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
        patch: Patch,
    ) -> Self {
        let mut text = format!("{line} HTTP/1.1\r\nhost: {address}\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            text.push_str(&format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        let at = text.find(PLACE).unwrap_or(0);
        let width = match &patch {
            Patch::None => 0,
            Patch::Choice(values) => values[0].len(),
            Patch::Unique => COUNTER_WIDTH,
        };
        if width > 0 {
            text.replace_range(at..at + PLACE.len(), &"0".repeat(width));
        }
        let bytes = [text.as_bytes(), body.unwrap_or_default().as_bytes()].concat();
        Self { bytes, at, patch, random: 1 }
    }

    /// A request with a body of any type, which the headers name.
    pub(crate) fn with_body(address: SocketAddr, line: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let length = body.len().to_string();
        let headers = [headers, &[("content-length", length.as_str())]].concat();
        let mut request = Self::new(address, line, &headers, None, Patch::None);
        request.bytes.extend_from_slice(body.as_bytes());
        request
    }

    /// The same request with a random sequence of its own.
    pub(crate) fn fork(&self) -> Self {
        static FORKS: AtomicU64 = AtomicU64::new(1);
        let random = FORKS.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Self { random, ..self.clone() }
    }

    /// A number from 0 to 1, another for each request.
    pub(crate) fn chance(&self) -> f64 {
        self.random as f64 / u64::MAX as f64
    }

    /// The bytes of the next request.
    pub(crate) fn next(&mut self) -> &[u8] {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        match &self.patch {
            Patch::None => {}
            Patch::Choice(values) => {
                let index = usize::try_from(self.random % values.len() as u64).expect("an index");
                let value = values[index].as_bytes();
                self.bytes[self.at..self.at + value.len()].copy_from_slice(value);
            }
            Patch::Unique => {
                let mut number = COUNTER.fetch_add(1, Ordering::Relaxed);
                for place in self.bytes[self.at..self.at + COUNTER_WIDTH].iter_mut().rev() {
                    *place = b'0' + u8::try_from(number % 10).expect("a digit");
                    number /= 10;
                }
            }
        }
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patch_replaces_its_place_and_nothing_else() {
        let address = "127.0.0.1:1".parse().unwrap();
        let ids: Arc<[String]> = ["aaaa".to_owned()].into();
        let mut read = Request::new(address, "GET /x/{}", &[("a", "b")], None, Patch::Choice(ids));
        assert_eq!(read.next(), b"GET /x/aaaa HTTP/1.1\r\nhost: 127.0.0.1:1\r\na: b\r\n\r\n");
        let mut create = Request::new(address, "POST /", &[("key", "k-{}")], Some("{}"), Patch::Unique);
        let first = create.next().to_vec();
        assert!(first.ends_with(b"\r\n\r\n{}"));
        assert_ne!(first, create.next());
    }
}
