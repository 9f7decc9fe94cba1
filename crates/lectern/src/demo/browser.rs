//! A browser without a window: it keeps cookies, follows redirects and sends forms, as a person's browser does on a tour of pages.
//!
//! It visits loopback addresses only, and runs no scripts.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use http::header::{ACCEPT, CONTENT_TYPE, COOKIE, HOST, LOCATION, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use url::{Host, Url};

use super::client::exchange;
use super::forms::{self, Form};

/// For one page.
const PATIENCE: Duration = Duration::from_secs(10);
/// Redirects on the way to one page.
const MOST_REDIRECTS: usize = 10;

/// Cookies by host and name. Like a real browser it does not tell ports apart.
#[derive(Default)]
pub(super) struct Browser {
    cookies: BTreeMap<(String, String), String>,
}

/// A page that was opened.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) url: Url,
    pub(super) html: String,
}

impl Browser {
    /// Opens an address, wherever it leads.
    pub(super) async fn open(&mut self, url: &str) -> anyhow::Result<Opened> {
        self.go(Method::GET, Url::parse(url)?, Bytes::new()).await
    }

    /// Sends a form, as its button would.
    pub(super) async fn send(&mut self, form: &Form) -> anyhow::Result<Opened> {
        match form.method {
            Method::GET => {
                let mut url = form.action.clone();
                url.query_pairs_mut().clear().extend_pairs(form.pairs());
                self.go(Method::GET, url, Bytes::new()).await
            }
            _ => self.go(Method::POST, form.action.clone(), form.encoded().into()).await,
        }
    }

    async fn go(&mut self, method: Method, url: Url, body: Bytes) -> anyhow::Result<Opened> {
        let (mut method, mut url, mut body) = (method, url, body);
        for _ in 0..=MOST_REDIRECTS {
            let asked = self.request(&method, &url, body.clone())?;
            let answered = tokio::time::timeout(PATIENCE, exchange(address(&url)?, asked)).await;
            // A query may hold what only the two sides should know.
            let call = format!("{method} {}{}", url.origin().ascii_serialization(), url.path());
            let (status, headers, content) = answered.with_context(|| format!("{call} was not answered in time"))??;
            self.keep(&url, &headers);
            if status.is_redirection() {
                let to = headers.get(LOCATION).and_then(|to| to.to_str().ok());
                url = url.join(to.with_context(|| format!("{call} redirects nowhere"))?)?;
                (method, body) = (Method::GET, Bytes::new());
                continue;
            }
            let html = String::from_utf8_lossy(&content).into_owned();
            ensure!(status == StatusCode::OK, "{call} was answered {status}: {}", forms::text(&html));
            return Ok(Opened { url, html });
        }
        bail!("{url} redirects without end")
    }

    fn request(&self, method: &Method, url: &Url, body: Bytes) -> anyhow::Result<Request<Full<Bytes>>> {
        let host = url.host_str().unwrap_or_default();
        let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let mut request = Request::builder()
            .method(method)
            .uri(target)
            .header(HOST, format!("{host}:{}", url.port_or_known_default().unwrap_or_default()))
            .header(ACCEPT, "text/html,application/xhtml+xml");
        let own = self.cookies.iter().filter(|((of, _), _)| of == host);
        let cookies: Vec<_> = own.map(|((_, name), value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header(COOKIE, cookies.join("; "));
        }
        if method == Method::POST {
            request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        Ok(request.body(Full::new(body))?)
    }

    fn keep(&mut self, url: &Url, headers: &HeaderMap) {
        let host = url.host_str().unwrap_or_default();
        for line in headers.get_all(SET_COOKIE).iter().filter_map(|line: &HeaderValue| line.to_str().ok()) {
            let mut parts = line.split(';').map(str::trim);
            let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else { continue };
            let place = (host.to_owned(), name.to_owned());
            if parts.any(|part| part.eq_ignore_ascii_case("max-age=0")) {
                self.cookies.remove(&place);
            } else {
                self.cookies.insert(place, value.to_owned());
            }
        }
    }
}

fn address(url: &Url) -> anyhow::Result<SocketAddr> {
    let ip = match url.host() {
        Some(Host::Domain("localhost")) => Ipv4Addr::LOCALHOST.into(),
        Some(Host::Ipv4(ip)) => ip.into(),
        Some(Host::Ipv6(ip)) => ip.into(),
        _ => bail!("the demo's browser does not go to {url}"),
    };
    Ok(SocketAddr::new(ip, url.port_or_known_default().unwrap_or_default()))
}

impl Opened {
    /// The form of the page that has a field of this name.
    pub(super) fn form(&self, field: &str) -> anyhow::Result<Form> {
        let found = forms::read(&self.html, &self.url)?.into_iter().find(|form| form.has(field));
        found.with_context(|| format!("{} has no form with {field}: {}", self.url.path(), forms::text(&self.html)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_sent_to_their_host_until_they_are_taken_back() {
        let (mut browser, url) = (Browser::default(), Url::parse("http://127.0.0.1:1/x?y=z").unwrap());
        let set = |text: &'static str| HeaderMap::from_iter([(SET_COOKIE, HeaderValue::from_static(text))]);
        let sent = |browser: &Browser, url: &str| {
            let request = browser.request(&Method::GET, &Url::parse(url).unwrap(), Bytes::new()).unwrap();
            request.headers().get(COOKIE).map(|value| value.to_str().unwrap().to_owned())
        };
        browser.keep(&url, &set("a=1; Path=/; Max-Age=600"));
        assert_eq!(sent(&browser, "http://127.0.0.1:2/"), Some("a=1".to_owned()));
        assert_eq!(sent(&browser, "http://localhost:1/"), None);
        browser.keep(&url, &set("a=; Path=/; Max-Age=0"));
        assert_eq!(sent(&browser, "http://127.0.0.1:1/"), None);
    }

    #[test]
    fn only_this_machine_is_visited() {
        assert!(address(&Url::parse("http://localhost:8/").unwrap()).unwrap().ip().is_loopback());
        assert!(address(&Url::parse("http://example.com/").unwrap()).is_err());
    }
}
