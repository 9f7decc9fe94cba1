//! What a browser does without a window: it follows redirects, keeps cookies, and posts the form of a page.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use http::header::{ACCEPT, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use http::{HeaderMap, Method, StatusCode};
use hyper::body::Bytes;
use regex::{Captures, Regex};
use url::{Url, form_urlencoded};

use super::client::{Client, Reply};

/// Redirects that are followed, one after the other.
const MOST_REDIRECTS: usize = 10;

/// A browser with the cookies of each server.
#[derive(Clone, Default)]
pub(crate) struct Browser {
    cookies: HashMap<String, BTreeMap<String, String>>,
}

/// The attributes of a tag.
type Attributes = HashMap<String, String>;

/// A page that a browser shows.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) url: Url,
    pub(crate) status: StatusCode,
    pub(crate) html: String,
}

impl Browser {
    /// Opens an address.
    pub(crate) async fn open(&mut self, url: &Url) -> Page {
        self.go(Method::GET, url.clone(), String::new()).await
    }

    /// Posts the form of a page as it is.
    pub(crate) async fn submit(&mut self, page: &Page) -> Page {
        self.submit_with(page, &[]).await
    }

    /// Posts the form of a page with these fields beside those that it has filled in.
    pub(crate) async fn submit_with(&mut self, page: &Page, more: &[(&str, &str)]) -> Page {
        let form =
            form_urlencoded::Serializer::new(String::new()).extend_pairs(page.fields()).extend_pairs(more).finish();
        self.go(Method::POST, page.action(), form).await
    }

    async fn go(&mut self, mut method: Method, mut url: Url, mut form: String) -> Page {
        for _ in 0..MOST_REDIRECTS {
            let reply = self.send(&method, &url, form).await;
            self.keep_cookies(&url, &reply.headers);
            let Some(location) = reply.headers.get(LOCATION).filter(|_| reply.status.is_redirection()) else {
                let html = String::from_utf8(reply.body.to_vec()).unwrap();
                return Page { url, status: reply.status, html };
            };
            url = url.join(location.to_str().unwrap()).unwrap();
            (method, form) = (Method::GET, String::new());
        }
        panic!("redirects without end, to {url}");
    }

    async fn send(&self, method: &Method, url: &Url, form: String) -> Reply {
        let address = url.socket_addrs(|| None).unwrap()[0];
        let client = Client { address, key: String::new(), cookie: String::new() };
        let cookies = self.cookies.get(&url.origin().ascii_serialization()).into_iter().flatten();
        let cookies: Vec<_> = cookies.map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let headers = [
            (ACCEPT.as_str(), "text/html,application/xhtml+xml"),
            (CONTENT_TYPE.as_str(), "application/x-www-form-urlencoded"),
            (COOKIE.as_str(), &cookies),
        ];
        let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
        client.send(method.clone(), path, &headers, Bytes::from(form)).await.unwrap()
    }

    fn keep_cookies(&mut self, url: &Url, headers: &HeaderMap) {
        let kept = self.cookies.entry(url.origin().ascii_serialization()).or_default();
        for line in headers.get_all(SET_COOKIE) {
            let line = line.to_str().unwrap();
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            if line.contains("Max-Age=0") {
                kept.remove(name);
            } else {
                kept.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

impl Page {
    /// Where the form of the page leads: to the page itself, where it does not say.
    pub(crate) fn action(&self) -> Url {
        let action = tags(self.form(), "form").next().and_then(|mut form| form.remove("action"));
        self.url.join(&action.unwrap_or_else(|| self.url.to_string())).unwrap()
    }

    /// What the form of the page has filled in.
    pub(crate) fn fields(&self) -> Vec<(String, String)> {
        let is_filled = |input: &Attributes| !is_choice(input) || input.contains_key("checked");
        tags(self.form(), "input").filter(is_filled).filter_map(named).collect()
    }

    /// A field that the form of the page has filled in.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        self.fields().into_iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// The name of the field that offers this choice.
    pub(crate) fn choice(&self, value: &str) -> String {
        let offers = |input: &Attributes| is_choice(input) && input.get("value").is_some_and(|own| own == value);
        let found = tags(self.form(), "input").find(offers).and_then(named);
        found.unwrap_or_else(|| panic!("no choice {value}: {}", self.html)).0
    }

    /// The name of the field that a text is written into.
    pub(crate) fn text_area(&self) -> String {
        tags(self.form(), "textarea").find_map(named).unwrap_or_else(|| panic!("no text area: {}", self.html)).0
    }

    /// The form that posts.
    fn form(&self) -> &str {
        static FORM: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r#"(?s)<form [^>]*method="post".*?</form>"#).unwrap());
        FORM.find(&self.html).unwrap_or_else(|| panic!("no form: {}", self.html)).as_str()
    }
}

fn is_choice(input: &Attributes) -> bool {
    input.get("type").is_some_and(|kind| kind == "checkbox" || kind == "radio")
}

fn named(mut input: Attributes) -> Option<(String, String)> {
    Some((input.remove("name")?, input.remove("value").unwrap_or_default()))
}

/// The attributes of each tag of this name.
fn tags<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = Attributes> + 'a {
    static TAG: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"<([a-z]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*/?>"#).unwrap());
    static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"([a-z-]+)(?:="([^"]*)")?"#).unwrap());
    let attributes = |tag: Captures<'a>| {
        let read = |attribute: Captures<'_>| {
            (attribute[1].to_owned(), attribute.get(2).map_or_else(String::new, |value| unescaped(value.as_str())))
        };
        ATTRIBUTE.captures_iter(tag.get(2).unwrap().as_str()).map(read).collect()
    };
    TAG.captures_iter(html).filter(move |tag| &tag[1] == name).map(attributes)
}

fn unescaped(text: &str) -> String {
    static REFERENCE: LazyLock<Regex> = LazyLock::new(|| Regex::new("&(?:#([0-9]+)|#x([0-9a-f]+)|([a-z]+));").unwrap());
    let character = |reference: &Captures<'_>| {
        let code = match (reference.get(1), reference.get(2), reference.get(3).map(|name| name.as_str())) {
            (Some(decimal), ..) => decimal.as_str().parse().unwrap(),
            (_, Some(hexadecimal), _) => u32::from_str_radix(hexadecimal.as_str(), 16).unwrap(),
            (.., Some("amp")) => u32::from('&'),
            (.., Some("quot")) => u32::from('"'),
            (.., Some("lt")) => u32::from('<'),
            (.., Some("gt")) => u32::from('>'),
            _ => panic!("unknown: {}", &reference[0]),
        };
        char::from_u32(code).unwrap().to_string()
    };
    REFERENCE.replace_all(text, character).into_owned()
}
