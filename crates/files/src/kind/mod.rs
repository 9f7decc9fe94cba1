//! What a file is, by its content.
//!
//! Binary kinds are told by their first bytes and their parts. What is text by every character may still be HTML,
//! Markdown or neither: there, and only there, the sender's word counts, and then the name's ending.

mod charset;
mod magic;

pub(crate) use charset::{decode, decode_html};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A PDF document.
    Pdf,
    /// A word-processor document of Office Open XML.
    Docx,
    /// A PNG picture.
    Png,
    /// A JPEG picture.
    Jpeg,
    /// A GIF picture.
    Gif,
    /// A WebP picture.
    WebP,
    /// An HTML page.
    Html,
    /// Markdown.
    Markdown,
    /// Any other text.
    PlainText,
    /// Something else: kept as it is, and not read.
    Unknown,
}

impl Kind {
    const ALL: [Self; 10] = [
        Self::Pdf,
        Self::Docx,
        Self::Png,
        Self::Jpeg,
        Self::Gif,
        Self::WebP,
        Self::Html,
        Self::Markdown,
        Self::PlainText,
        Self::Unknown,
    ];

    /// The type as the API and HTTP name it.
    pub const fn mime_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
            Self::Html => "text/html",
            Self::Markdown => "text/markdown",
            Self::PlainText => "text/plain",
            Self::Unknown => "application/octet-stream",
        }
    }

    /// The kind of a type that [`Kind::mime_type`] gave, as rows keep it. Any other type is unknown.
    pub fn of_mime_type(mime_type: &str) -> Self {
        Self::ALL.into_iter().find(|kind| kind.mime_type() == mime_type).unwrap_or(Self::Unknown)
    }

    /// Whether it is a picture, for models that see.
    pub const fn is_picture(self) -> bool {
        matches!(self, Self::Png | Self::Jpeg | Self::Gif | Self::WebP)
    }
}

/// What the bytes are. `claimed_type` is a content type as a form states it, `name` a file name.
pub fn detect(bytes: &[u8], claimed_type: Option<&str>, name: &str) -> Kind {
    if let Some(kind) = magic::binary_kind(bytes) {
        return kind;
    }
    match decode(bytes) {
        Some(text) => text_kind(&text, claimed_text_kind(claimed_type, name)),
        None => Kind::Unknown,
    }
}

/// What the sender says among kinds of text; `None` when it says nothing of use.
fn claimed_text_kind(claimed_type: Option<&str>, name: &str) -> Option<Kind> {
    let essence = claimed_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "text/html" | "application/xhtml+xml" => return Some(Kind::Html),
        "text/markdown" | "text/x-markdown" => return Some(Kind::Markdown),
        "text/plain" => return Some(Kind::PlainText),
        _ => {}
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("html" | "htm" | "xhtml") => Some(Kind::Html),
        Some("md" | "markdown") => Some(Kind::Markdown),
        Some("txt") => Some(Kind::PlainText),
        _ => None,
    }
}

/// Plain text that begins like a page stays plain when the sender says so: it may be the answer to a task about HTML.
fn text_kind(text: &str, claimed: Option<Kind>) -> Kind {
    match claimed {
        Some(Kind::Html) if has_tag(text) => Kind::Html,
        Some(Kind::Html) => Kind::PlainText,
        Some(kind) => kind,
        None if begins_like_a_page(text) => Kind::Html,
        None => Kind::PlainText,
    }
}

fn has_tag(text: &str) -> bool {
    let starts_tag = |rest: &str| rest.trim_start_matches(['/', '!']).starts_with(|c: char| c.is_ascii_alphabetic());
    text.match_indices('<').any(|(at, _)| starts_tag(&text[at + 1..]))
}

fn begins_like_a_page(text: &str) -> bool {
    const BEGINNINGS: [&str; 4] = ["<!doctype html", "<html", "<head", "<body"];
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { return false };
        rest = after.trim_start();
    }
    let begins = |beginning: &&str| rest.get(..beginning.len()).is_some_and(|own| own.eq_ignore_ascii_case(beginning));
    BEGINNINGS.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(bytes: impl AsRef<[u8]>) -> Kind {
        detect(bytes.as_ref(), None, "file")
    }

    #[test]
    fn every_kind_has_a_type_of_its_own_and_is_found_by_it() {
        for kind in Kind::ALL {
            assert_eq!(Kind::of_mime_type(kind.mime_type()), kind);
        }
        assert_eq!(Kind::of_mime_type("application/zip"), Kind::Unknown);
    }

    #[test]
    fn a_lying_content_type_and_a_lying_name_are_corrected() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
        assert_eq!(detect(png, Some("application/pdf"), "a.pdf"), Kind::Png);
        assert_eq!(detect(b"just text", Some("image/png"), "a.png"), Kind::PlainText);
        assert_eq!(detect(b"just text", Some("application/pdf"), "a.docx"), Kind::PlainText);
        assert_eq!(detect(b"1 < 2 and no tag", Some("text/html"), "a.html"), Kind::PlainText);
        assert_eq!(detect(b"\0\x01\x02\x03", Some("text/plain"), "a.txt"), Kind::Unknown);
        assert_eq!(detect(b"%PDF-1.7\n\xe2\xe3\n1 0 obj", Some("text/html; charset=utf-8"), "x.html"), Kind::Pdf);
    }

    #[test]
    fn the_claimed_type_and_then_the_name_choose_among_kinds_of_text() {
        let page = b"<!-- by hand --> <!DOCTYPE HTML><p>Hello";
        assert_eq!(of(page), Kind::Html);
        assert_eq!(detect(page, Some("text/plain"), "a.html"), Kind::PlainText);
        assert_eq!(detect(page, Some("application/octet-stream"), "a.txt"), Kind::PlainText);
        assert_eq!(detect(b"<p>Hello", Some(" Text/HTML ;charset=x"), "a"), Kind::Html);
        assert_eq!(of(b"<p>Hello"), Kind::PlainText);
        assert_eq!(detect(b"# Title", Some("text/markdown"), "a"), Kind::Markdown);
        assert_eq!(detect(b"# Title", Some("application/octet-stream"), "a.MD"), Kind::Markdown);
        assert_eq!(detect(b"# Title", Some("text/plain"), "a.md"), Kind::PlainText);
        assert_eq!(of(b"# Title"), Kind::PlainText);
    }

    #[test]
    fn text_is_known_in_utf_8_utf_16_and_latin_1() {
        let utf16 =
            |unit: fn(u16) -> [u8; 2]| -> Vec<u8> { "\u{feff}Größe 😀".encode_utf16().flat_map(unit).collect() };
        assert_eq!(of("Größe 😀"), Kind::PlainText);
        assert_eq!(of("\u{feff}Größe"), Kind::PlainText);
        assert_eq!(of(utf16(u16::to_le_bytes)), Kind::PlainText);
        assert_eq!(of(utf16(u16::to_be_bytes)), Kind::PlainText);
        assert_eq!(of(b"Gr\xf6\xdfe"), Kind::PlainText);
        assert_eq!(of(b""), Kind::PlainText);
        assert_eq!(of([0x80, 0, 0x81]), Kind::Unknown);
    }

    proptest! {
        #[test]
        fn nothing_panics_and_every_utf_8_text_is_text(bytes in prop::collection::vec(any::<u8>(), 0..300), text in "[a-zäöü漢\\n\\t ]{0,80}") {
            let _ = of(&bytes);
            prop_assert_eq!(of(&text), Kind::PlainText);
        }
    }
}
