//! The tokens of HTML, with what is no markup given back as text.

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};

use super::elements::is_known;

/// A tag longer than this, in bytes, with a `<` in a value is one whose quotes do not end.
const LONGEST_TAG: usize = 300;

/// A token of HTML.
pub(super) enum Piece {
    Open(Tag),
    /// With the element's name.
    Close(String),
    /// References are decoded.
    Text(String),
}

/// An opening tag.
pub(super) struct Tag {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    /// Where the text goes on behind it.
    pub(super) end: usize,
}

impl Tag {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Its classes.
    pub(super) fn classes(&self) -> impl Iterator<Item = &str> {
        self.attribute("class").unwrap_or_default().split_whitespace().take(32)
    }
}

/// The tokens of a text, in order.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece> + '_ {
    let mut tokens = Tokenizer::new_with_emitter(text, DefaultEmitter::<usize>::new_with_span());
    let mut end = 0;
    let mut over = false;
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        for Ok(token) in tokens.by_ref() {
            let piece = match token {
                Token::StartTag(tag) => {
                    end = tag.span.end;
                    Some(open(tag, text))
                }
                Token::EndTag(tag) => {
                    end = tag.span.end;
                    let name = lossy(&tag.name);
                    Some(if is_known(&name) { Piece::Close(name) } else { raw(text, tag.span.start, tag.span.end) })
                }
                Token::String(string) => {
                    end = end.max(string.span.end);
                    Some(Piece::Text(lossy(&string.value)))
                }
                Token::Comment(comment) => {
                    end = comment.span.end;
                    let source = slice(text, comment.span.start, comment.span.end);
                    let remark = source.starts_with("<!--") || source.starts_with("<?");
                    (!remark).then(|| Piece::Text(source.to_owned()))
                }
                Token::Doctype(doctype) => {
                    end = doctype.span.end;
                    None
                }
                Token::Error(_) => None,
            };
            if piece.is_some() {
                return piece;
            }
        }
        // A tag that does not end is text.
        over = true;
        let rest = slice(text, end, text.len());
        (!rest.is_empty()).then(|| Piece::Text(markup::entities::decode(rest)))
    })
}

fn open(tag: StartTag<usize>, text: &str) -> Piece {
    let name = lossy(&tag.name);
    let long = tag.span.end.saturating_sub(tag.span.start) > LONGEST_TAG;
    let runs_on =
        long && tag.attributes.iter().any(|(name, value)| name.contains(&b'<') || value.value.contains(&b'<'));
    if !is_known(&name) && name != "script" && name != "style" || runs_on {
        return raw(text, tag.span.start, tag.span.end);
    }
    let attributes = tag.attributes.into_iter().map(|(name, value)| (lossy(&name), lossy(&value.value))).collect();
    Piece::Open(Tag { name, attributes, end: tag.span.end })
}

fn raw(text: &str, start: usize, end: usize) -> Piece {
    Piece::Text(slice(text, start, end).to_owned())
}

fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end.min(text.len())).unwrap_or_default()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
