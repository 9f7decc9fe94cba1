//! A module out of an HTML page, our own or another system's.

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};

use super::safe::{self, Pictures};
use super::{BEGIN, DATA, Data, END, NO_METADATA};
use crate::error::ImportError;
use crate::limits::MAX_DOCUMENT_BYTES;
use crate::model::ModuleContent;
use crate::report::{Report, shown};
use crate::xml::names::language_tag;

/// Whether bytes look like a page.
pub(crate) fn is_page(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let start = String::from_utf8_lossy(&start[..start.len().min(64)]).to_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Reads a page.
///
/// # Errors
///
/// When the file is too large, or in no readable encoding.
pub(crate) fn module(bytes: &[u8], file: &str, report: &mut Report) -> Result<ModuleContent, ImportError> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(ImportError::FileTooLarge { file: shown(file) });
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| ImportError::Encoding { file: shown(file) })?;
    let head = Head::read(text);
    if let Some((data, content)) = head.data.as_deref().and_then(|data| own(data, text)) {
        let html = with_pictures(data.html, content, file);
        return Ok(ModuleContent {
            title: data.title,
            kind: data.kind,
            description: data.description,
            language: language_tag(&data.language).unwrap_or_default().to_owned(),
            html: safe::html(html.as_deref().unwrap_or(content), Pictures::OnTheWeb, file, report),
            quizzes: data.quizzes,
            metadata: data.metadata.get().to_owned(),
        });
    }
    Ok(ModuleContent {
        title: head.title.split_whitespace().collect::<Vec<_>>().join(" "),
        kind: String::new(),
        description: head.description.trim().to_owned(),
        language: language_tag(head.language.trim()).unwrap_or_default().to_owned(),
        html: safe::html(text, Pictures::OnTheWeb, file, report).trim().to_owned(),
        quizzes: Vec::new(),
        metadata: NO_METADATA.to_owned(),
    })
}

/// What our own page holds. JSON that two parsers would read differently is not ours.
fn own<'t>(data: &str, text: &'t str) -> Option<(Data, &'t str)> {
    kernel::json::parse(data.as_bytes()).ok()?;
    let data: Data = serde_json::from_str(data).ok().filter(|data: &Data| data.metadata.get().starts_with('{'))?;
    let (_, rest) = text.split_once(BEGIN)?;
    let (content, _) = rest.rsplit_once(END)?;
    Some((data, content))
}

/// The text with its pictures, unless somebody has changed the text that the page shows.
fn with_pictures(html: Option<String>, shown: &str, file: &str) -> Option<String> {
    html.filter(|html| safe::html(html, Pictures::None, file, &mut Report::default()) == shown)
}

/// What stands around a page's text.
#[derive(Default)]
struct Head {
    title: String,
    description: String,
    language: String,
    data: Option<String>,
}

impl Head {
    fn read(html: &str) -> Self {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        let mut head = Self::default();
        let mut is_title = false;
        for token in Tokenizer::new_with_emitter(html, emitter) {
            let Ok(token) = token;
            match token {
                Token::StartTag(tag) => {
                    is_title = &**tag.name == b"title" && head.title.is_empty();
                    head.start(&tag);
                }
                Token::EndTag(_) => is_title = false,
                Token::String(text) if is_title => head.title.push_str(&String::from_utf8_lossy(&text.value)),
                _ => {}
            }
        }
        head
    }

    fn start(&mut self, tag: &StartTag<()>) {
        let value =
            |name: &[u8]| tag.attributes.get(name).map(|value| String::from_utf8_lossy(&value.value).into_owned());
        match &**tag.name {
            b"html" if self.language.is_empty() => {
                self.language = value(b"lang").or_else(|| value(b"xml:lang")).unwrap_or_default();
            }
            b"meta" => match value(b"name").unwrap_or_default().to_lowercase().as_str() {
                "description" if self.description.is_empty() => {
                    self.description = value(b"content").unwrap_or_default();
                }
                DATA if self.data.is_none() => self.data = value(b"content"),
                _ => {}
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_another_system_is_read() {
        let mut report = Report::default();
        let html =
            b"<!DOCTYPE html>\n<html lang='de'><head><title>Zellen\n 1</title><meta name='Description' content='X'>\
            <style>p{}</style></head><body><h1>A</h1><p>b</p></body></html>";
        let module = module(html, "a.html", &mut report).unwrap();
        assert_eq!(
            (module.title.as_str(), module.language.as_str(), module.description.as_str()),
            ("Zellen 1", "de", "X")
        );
        assert_eq!(module.html, "<h2>A</h2><p>b</p>");
        assert_eq!(report.findings.len(), 1);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let error = module(b"<!doctype html>\xff", "a.html", &mut Report::default()).unwrap_err();
        assert_eq!(error.code(), "encoding");
        let large = vec![b'x'; MAX_DOCUMENT_BYTES + 1];
        assert_eq!(module(&large, "a.html", &mut Report::default()).unwrap_err().code(), "file-too-large");
    }
}
