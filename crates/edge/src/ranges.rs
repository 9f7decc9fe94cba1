//! A file that never changes, sent whole or in part (RFC 9110 sections 13 and 14).
//!
//! The tag is strong: the same tag means the same bytes. One range is answered with 206, one outside of the file with 416.
//! Several ranges and malformed ones are ignored, as the RFC allows: the whole file is sent.

use std::ops::Range;

use axum::body::Body;
use axum::response::Response;
use http::header::{ACCEPT_RANGES, CONTENT_RANGE, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE};
use http::{HeaderMap, HeaderValue, StatusCode};
use http_range_header::parse_range_header;

use crate::problem::Problem;
use crate::responses::{Holder, PieceSource, Pieces, Responses};

/// What is known of a file before it is read.
#[derive(Clone, Debug)]
pub struct FileHead {
    /// Its name for all time, without quotation marks.
    pub tag: String,
    /// Its length, in bytes.
    pub length: u64,
}

/// Answers a request for a file; `headers` are the request's.
///
/// # Errors
/// [`Problem::RangeNotSatisfiable`]: 416.
pub fn respond(
    headers: &HeaderMap,
    file: &FileHead,
    source: impl PieceSource + Unpin,
    (responses, holder): (&Responses, Holder),
) -> Result<Response, Problem> {
    let tag = HeaderValue::from_str(&format!("\"{}\"", file.tag)).expect("a tag is visible ASCII");
    let body = |range| Body::new(Pieces::new(responses.clone(), holder, source, range));
    let mut response = match Selection::of(headers, &tag, file.length) {
        Selection::Nothing => with_status(StatusCode::NOT_MODIFIED, Body::empty()),
        Selection::Whole => with_status(StatusCode::OK, body(0..file.length)),
        Selection::Part(range) => {
            let described = format!("bytes {}-{}/{}", range.start, range.end - 1, file.length);
            let mut response = with_status(StatusCode::PARTIAL_CONTENT, body(range));
            response.headers_mut().insert(CONTENT_RANGE, digits(described));
            response
        }
        Selection::Outside => return Err(Problem::RangeNotSatisfiable { length_bytes: file.length }),
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, tag);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    Ok(response)
}

/// The part of a file that a request asks for.
#[derive(Debug, PartialEq, Eq)]
enum Selection {
    /// The client has it.
    Nothing,
    Whole,
    Part(Range<u64>),
    /// A range that the file does not have.
    Outside,
}

impl Selection {
    fn of(headers: &HeaderMap, tag: &HeaderValue, length: u64) -> Self {
        if headers.get_all(IF_NONE_MATCH).iter().any(|known| names(known, tag)) {
            return Self::Nothing;
        }
        // A part of another version would be joined to what the client has of that.
        let is_same = headers.get(IF_RANGE).is_none_or(|version| version == tag);
        let range = headers.get(RANGE).filter(|_| is_same).and_then(|value| value.to_str().ok());
        let Some(range) = range.filter(|range| !range.contains(',')) else { return Self::Whole };
        let Ok(parsed) = parse_range_header(range) else { return Self::Whole };
        match parsed.validate(length).as_deref() {
            Ok([range]) => Self::Part(*range.start()..range.end() + 1),
            Ok(_) => Self::Whole,
            Err(_) => Self::Outside,
        }
    }
}

/// Whether an `If-None-Match` header names the tag (weak comparison).
fn names(header: &HeaderValue, tag: &HeaderValue) -> bool {
    let Ok(text) = header.to_str() else { return false };
    text.trim() == "*" || text.split(',').any(|one| one.trim().trim_start_matches("W/").as_bytes() == tag.as_bytes())
}

fn with_status(status: StatusCode, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}

fn digits(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("digits are a header value")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TAG: &str = "\"a\"";

    fn select(headers: &[(http::HeaderName, &str)], length: u64) -> Selection {
        let headers = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()));
        Selection::of(&headers.collect(), &HeaderValue::from_static(TAG), length)
    }

    #[test]
    fn one_range_is_a_part_of_the_file() {
        for (range, expected) in [
            ("bytes=0-9", 0..10),
            ("bytes=5-", 5..100),
            ("bytes=-10", 90..100),
            ("bytes=90-1000", 90..100),
            ("bytes=99-99", 99..100),
        ] {
            assert_eq!(select(&[(RANGE, range)], 100), Selection::Part(expected), "{range}");
        }
    }

    #[test]
    fn a_range_outside_of_the_file_is_not_satisfiable() {
        assert_eq!(select(&[(RANGE, "bytes=100-")], 100), Selection::Outside);
        assert_eq!(select(&[(RANGE, "bytes=0-0")], 0), Selection::Outside);
    }

    #[test]
    fn several_and_malformed_ranges_are_ignored() {
        for range in ["bytes=0-1, 5-6", "bytes=x", "lines=1-2", "bytes=9-5x", "bytes=", ""] {
            assert_eq!(select(&[(RANGE, range)], 100), Selection::Whole, "{range}");
        }
    }

    #[test]
    fn a_range_of_another_version_is_ignored() {
        let range = (RANGE, "bytes=0-9");
        assert_eq!(select(&[range.clone(), (IF_RANGE, TAG)], 100), Selection::Part(0..10));
        for other in ["\"b\"", "W/\"a\"", "Mon, 23 Nov 2026 08:00:00 GMT"] {
            assert_eq!(select(&[range.clone(), (IF_RANGE, other)], 100), Selection::Whole, "{other}");
        }
    }

    #[test]
    fn a_client_that_has_the_file_is_told_so() {
        for known in [TAG, "W/\"a\"", "\"b\", \"a\"", "*"] {
            assert_eq!(select(&[(IF_NONE_MATCH, known), (RANGE, "bytes=0-9")], 100), Selection::Nothing, "{known}");
        }
        assert_eq!(select(&[(IF_NONE_MATCH, "\"b\"")], 100), Selection::Whole);
    }

    proptest! {
        #[test]
        fn no_header_selects_bytes_that_are_not_there(range in "(bytes=)?[0-9, -]{0,24}", length in 0..50_u64) {
            if let Selection::Part(range) = select(&[(RANGE, &range)], length) {
                prop_assert!(range.start < range.end && range.end <= length);
            }
        }
    }
}
