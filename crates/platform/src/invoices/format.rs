//! The forms of an invoice, and which one a request asks for.

use http::HeaderMap;
use http::header::ACCEPT;

/// A form of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, store::Words)]
pub enum Format {
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// A page to print.
    Html,
    /// A document to keep.
    Pdf,
}

impl Format {
    /// What HTTP calls it.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
            Self::Pdf => "application/pdf",
        }
    }

    /// Whether a text can be the number of an invoice.
    pub fn is_number(text: &str) -> bool {
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        (1..=100).contains(&text.len()) && text.bytes().all(is_sign)
    }

    /// The number of a path, and the form that its end names: `INV-000001.pdf`.
    pub fn of_path(text: &str) -> (&str, Option<Self>) {
        let named = text.rsplit_once('.').and_then(|(number, end)| Some((number, Self::from_word(end)?)));
        named.map_or((text, None), |(number, format)| (number, Some(format)))
    }

    /// The first form that `Accept` names; JSON where it names none.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        let names = accept.split(',').map(|range| range.split(';').next().unwrap_or_default().trim());
        let format = |name: &str| Self::ALL.iter().find(|format| format.media_type().split(';').next() == Some(name));
        names.into_iter().find_map(format).copied().unwrap_or(Self::Json)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_form_is_named_by_the_end_of_the_path_or_by_accept() {
        assert_eq!(Format::of_path("INV-000001"), ("INV-000001", None));
        assert_eq!(Format::of_path("INV-000001.pdf"), ("INV-000001", Some(Format::Pdf)));
        assert_eq!(Format::of_path("A.B"), ("A.B", None));
        assert!(Format::is_number("INV_1-000001"));
        assert!(["", "A.B", "\0", "ä", &"1".repeat(101)].iter().all(|text| !Format::is_number(text)));
        for (accept, format) in [
            ("", Format::Json),
            ("*/*", Format::Json),
            ("text/csv", Format::Csv),
            ("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", Format::Html),
            ("image/png, application/pdf;q=0.5", Format::Pdf),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(Format::accepted(&headers), format, "{accept}");
        }
    }
}
