//! The forms of a page, as far as the tour fills them in.

use anyhow::{Context as _, ensure};
use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};
use http::Method;
use url::{Url, form_urlencoded};

/// What of a page is said when something goes wrong, in characters.
const LONGEST_TEXT: usize = 300;

/// A form with what its fields hold.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) action: Url,
    pub(super) method: Method,
    fields: Vec<Field>,
}

/// A field, or one choice of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    name: String,
    value: String,
    kind: Kind,
    /// Whether it is sent as it stands.
    is_chosen: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It is written into, or hidden.
    Text,
    /// It is ticked, with others or instead of them.
    Choice,
}

impl Form {
    /// Writes a text, or ticks the choice that has this value.
    pub(super) fn fill(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let own = |field: &&mut Field| field.name == name && (field.kind == Kind::Text || field.value == value);
        let field = self.fields.iter_mut().find(own);
        let field = field.with_context(|| format!("the form has no field {name} that takes {value:?}"))?;
        value.clone_into(&mut field.value);
        field.is_chosen = true;
        Ok(())
    }

    /// Whether there is such a field.
    pub(super) fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }

    /// The value of a field that is sent, if it is just one.
    pub(super) fn value(&self, name: &str) -> anyhow::Result<&str> {
        let mut values = self.pairs().filter(|(own, _)| *own == name).map(|(_, value)| value);
        let value = values.next().with_context(|| format!("the form has no {name}"))?;
        ensure!(values.next().is_none(), "the form has more than one {name}");
        Ok(value)
    }

    /// What is sent.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().filter(|field| field.is_chosen).map(|field| (field.name.as_str(), field.value.as_str()))
    }

    /// The same as a body.
    pub(super) fn encoded(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.pairs()).finish()
    }
}

/// The forms of a page at an address.
pub(super) fn read(html: &str, at: &Url) -> anyhow::Result<Vec<Form>> {
    let (mut forms, mut is_open): (Vec<Form>, _) = (Vec::new(), false);
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) if &**tag.name == b"form" => {
                let action = at.join(&attribute(&tag, "action").unwrap_or_default())?;
                let is_post = attribute(&tag, "method").is_some_and(|method| method.eq_ignore_ascii_case("post"));
                let method = if is_post { Method::POST } else { Method::GET };
                forms.push(Form { action, method, fields: Vec::new() });
                is_open = true;
            }
            Token::EndTag(tag) if &**tag.name == b"form" => is_open = false,
            Token::StartTag(tag) if is_open => {
                let form = forms.last_mut().context("a form is open")?;
                form.fields.extend(field(&tag));
            }
            _ => {}
        }
    }
    Ok(forms)
}

fn field(tag: &StartTag<()>) -> Option<Field> {
    let kind = attribute(tag, "type").unwrap_or_default();
    let (kind, is_chosen) = match (&**tag.name, kind.as_str()) {
        (b"input", "checkbox" | "radio") => (Kind::Choice, attribute(tag, "checked").is_some()),
        (b"input", "submit" | "reset" | "button" | "image" | "file") => return None,
        (b"input" | b"textarea", _) => (Kind::Text, true),
        // The button that is pressed is the form's main one, which has no name.
        _ => return None,
    };
    Some(Field { name: attribute(tag, "name")?, value: attribute(tag, "value").unwrap_or_default(), kind, is_chosen })
}

/// The texts of a page, without its markup and not too long.
pub(super) fn text(html: &str) -> String {
    let mut text = String::new();
    for token in tokens(html) {
        if let Token::String(piece) = token {
            text.push_str(&String::from_utf8_lossy(&piece));
        }
    }
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST_TEXT).collect()
}

fn tokens(html: &str) -> impl Iterator<Item = Token> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).map(|token| {
        let Ok(token) = token;
        token
    })
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    let (_, value) = tag.attributes.iter().find(|(own, _)| ***own == name.as_bytes())?;
    Some(String::from_utf8_lossy(&value.value).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<title>A &amp; B</title><input name="outside" value="x">
        <form method="post" action="/to?a=1"><input type="hidden" name="h" value="&quot;&amp;">
        <input type="checkbox" name="c" value="1"><input type="checkbox" name="c" value="2" checked>
        <input type="radio" name="r" value="1"><input type="text" name="t"><textarea name="a"></textarea>
        <button>Go</button><button name="cancel" value="1">Back</button></form>"#;

    fn form() -> Form {
        let mut forms = read(PAGE, &Url::parse("http://localhost:1/page").unwrap()).unwrap();
        assert_eq!(forms.len(), 1);
        forms.remove(0)
    }

    #[test]
    fn a_form_is_sent_as_it_stands() {
        let form = form();
        assert_eq!((form.action.as_str(), &form.method), ("http://localhost:1/to?a=1", &Method::POST));
        let sent: Vec<_> = form.pairs().collect();
        assert_eq!(sent, [("h", "\"&"), ("c", "2"), ("t", ""), ("a", "")]);
        assert_eq!(form.value("h").unwrap(), "\"&");
        assert!(form.value("outside").is_err());
    }

    #[test]
    fn a_field_takes_a_text_or_one_of_its_choices() {
        let mut form = form();
        form.fill("t", "x y").unwrap();
        form.fill("c", "1").unwrap();
        form.fill("r", "1").unwrap();
        assert!(form.fill("r", "2").is_err(), "no such choice");
        assert_eq!(form.encoded(), "h=%22%26&c=1&c=2&r=1&t=x+y&a=");
        assert!(form.has("r") && !form.has("outside"));
    }

    #[test]
    fn a_page_is_told_in_its_own_words() {
        assert_eq!(text("<title>A</title><p>B &lt; C</p>"), "AB < C");
    }
}
