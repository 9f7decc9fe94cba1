//! A package on its way to a client: a file with a name.
//!
//! A download has no place for a report but its headers. `X-Export-Report` has as much of it as is safe behind any
//! proxy; the whole report is the answer to the same request with `report=true`.

use std::fs::File;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use edge::answer::Answer;
use edge::context::FreeToHold;
use edge::problem::Problem;
use edge::responses::{Holder, Responses};
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderName, HeaderValue, StatusCode};
use interchange::{Package, Report};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::report::ExchangeReport;
use crate::slug::slugify;

/// What could not be kept, as JSON; absent when everything was.
static X_EXPORT_REPORT: HeaderName = HeaderName::from_static("x-export-report");
/// The longest report in a header: common proxies refuse an answer whose headers take 4 KiB together.
const LONGEST_REPORT_BYTES: usize = 2 * 1024;
/// The longest name of a file without its suffix, in characters.
const LONGEST_NAME: usize = 80;
/// What RFC 8187 lets stand for itself.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A package that is packed.
pub(super) struct Packed {
    pub(super) file_name_suffix: &'static str,
    pub(super) media_type: &'static str,
    pub(super) report: Report,
    pub(super) bytes: PackedBytes,
}

/// Where a package is.
pub(super) enum PackedBytes {
    Memory(Vec<u8>),
    File(File),
}

impl From<Package> for Packed {
    fn from(package: Package) -> Self {
        let Package { file_name_suffix, media_type, bytes, report } = package;
        Self { file_name_suffix, media_type, report, bytes: PackedBytes::Memory(bytes) }
    }
}

/// A package, and what it is named after.
pub(super) struct Download {
    pub(super) packed: Packed,
    pub(super) title: String,
    /// The name when the title gives none: `test`.
    pub(super) fallback: &'static str,
    pub(super) version: i64,
}

impl Download {
    /// The package itself.
    ///
    /// # Errors
    /// 429 or 503 where there is no room to hold it while it is read.
    pub(super) fn file(self, responses: &Responses, holder: Holder) -> Result<Response, Problem> {
        let Packed { file_name_suffix, media_type, report, bytes } = self.packed;
        let mut response = match bytes {
            PackedBytes::Memory(bytes) => Response::new(Body::from(bytes)),
            PackedBytes::File(file) => {
                let mut response = Response::new(responses.hold_file(file, holder)?.into_body());
                response.extensions_mut().insert(FreeToHold);
                response
            }
        };
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(CONTENT_DISPOSITION, disposition(&self.title, self.fallback, file_name_suffix));
        // A page of somebody's making is a file here, whatever a browser makes of its beginning.
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(Answer::empty(StatusCode::OK).with_version(self.version).headers);
        if !report.is_empty() {
            let text = ExchangeReport::from(report).header_text(LONGEST_REPORT_BYTES);
            let value = HeaderValue::from_str(&text).expect("the report's text is visible ASCII");
            headers.insert(X_EXPORT_REPORT.clone(), value);
        }
        Ok(response)
    }

    /// The whole report instead of the package.
    pub(super) fn report(self) -> Response {
        Answer::ok(&ExchangeReport::from(self.packed.report)).with_version(self.version).into_response()
    }
}

/// An attachment (RFC 6266): a name in ASCII for all, and the one with all its letters.
fn disposition(title: &str, fallback: &'static str, suffix: &str) -> HeaderValue {
    let plain = slugify(title, fallback);
    let name = file_name(title).unwrap_or_else(|| plain.clone()) + suffix;
    let name = utf8_percent_encode(&name, ESCAPED);
    HeaderValue::from_str(&format!("attachment; filename=\"{plain}{suffix}\"; filename*=UTF-8''{name}"))
        .expect("a slug and percent-encoded text are a header value")
}

/// A title as a name that no system reads as a path, a device or something hidden; `None` when nothing is left.
fn file_name(title: &str) -> Option<String> {
    let is_unfit = |c: char| c.is_control() || is_invisible(c) || "/\\:*?\"<>|%".contains(c);
    let spaced: String = title.chars().map(|c| if is_unfit(c) { ' ' } else { c }).collect();
    let joined = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = joined.trim_start_matches(['.', ' ', '~', '-']).chars().take(LONGEST_NAME).collect();
    let name = cut.trim_end_matches(['.', ' ']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// What turns the reading direction or is not seen: a name must not look like another.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(title: &str) -> String {
        disposition(title, "test", ".qti30.zip").to_str().unwrap().to_owned()
    }

    #[test]
    fn a_file_is_named_after_its_title() {
        let expected = "attachment; filename=\"cells-genes.qti30.zip\"; filename*=UTF-8''Cells%20%26%20genes.qti30.zip";
        assert_eq!(named("Cells & genes"), expected);
        let expected = "attachment; filename=\"test.qti30.zip\"; filename*=UTF-8''%E7%B4%B0%E8%83%9E.qti30.zip";
        assert_eq!(named("細胞"), expected);
    }

    #[test]
    fn no_title_makes_a_name_that_leads_elsewhere() {
        for (title, expected) in [
            ("../../etc/passwd", "etc passwd"),
            ("C:\\evil\r\nSet-Cookie: a=b", "C evil Set-Cookie a=b"),
            ("a\u{202e}fdp.exe\u{200b}", "a fdp.exe"),
            (".hidden. ", "hidden"),
            ("--option", "option"),
            ("100%41", "100 41"),
        ] {
            assert_eq!(file_name(title).as_deref(), Some(expected), "{title:?}");
        }
        for nothing in ["", " ", "...", "/", "\u{202e}", "??"] {
            assert_eq!(file_name(nothing), None, "{nothing:?}");
            assert!(named(nothing).contains("filename*=UTF-8''test.qti30.zip"));
        }
        assert_eq!(file_name(&"ä".repeat(500)).unwrap().chars().count(), 80);
    }
}
