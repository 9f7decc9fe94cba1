//! Which web origin a request comes from, and whether it is the service's own.
//!
//! Cookies travel by themselves, so a request that acts by cookie must prove that one of our own pages sent it
//! whenever the browser says where it came from.

use http::header::{HOST, ORIGIN, REFERER};
use http::{HeaderMap, HeaderName};
use url::{Origin, Url};

static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The service's own web origin.
#[derive(Clone, Debug)]
pub struct OwnOrigin {
    base_url: Url,
    /// The operator has named the address. Otherwise the service also has the names that it is called by.
    is_configured: bool,
}

impl OwnOrigin {
    /// The origin of the public base address that the operator has configured.
    pub fn of(base_url: &Url) -> Self {
        Self { base_url: base_url.clone(), is_configured: true }
    }

    /// The origin of a service whose public address nobody has configured: `base_url` is a guess, and so is the name
    /// that a request calls it by.
    pub fn guessed(base_url: &Url) -> Self {
        Self { base_url: base_url.clone(), is_configured: false }
    }

    /// Whether the browser is told to send cookies over https only.
    pub fn is_secure(&self) -> bool {
        self.base_url.scheme() == "https"
    }

    /// Whether `Origin`, or else `Referer`, names this origin. Without either: no.
    pub fn is_proven_by(&self, headers: &HeaderMap) -> bool {
        self.stated(headers).unwrap_or(false)
    }

    /// Whether nothing speaks against this origin: what a browser states must be right, and a client that is no
    /// browser states nothing.
    pub fn is_not_disproven_by(&self, headers: &HeaderMap) -> bool {
        let site = headers.get(&SEC_FETCH_SITE).and_then(|value| value.to_str().ok());
        let is_foreign_site = site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
        !is_foreign_site && self.stated(headers).unwrap_or(true)
    }

    fn stated(&self, headers: &HeaderMap) -> Option<bool> {
        let stated = headers.get(ORIGIN).or_else(|| headers.get(REFERER))?;
        let url = stated.to_str().ok().and_then(|text| Url::parse(text).ok());
        Some(url.is_some_and(|url| self.matches(&url) || self.is_called_by(&url, headers)))
    }

    /// Whether the page calls the host that it came from, where nobody has said what this one is called. Somebody else's
    /// page can't choose the `Host` of its requests, but its name server may say that its name is ours: names that a public
    /// name server could answer for are not believed.
    fn is_called_by(&self, url: &Url, headers: &HeaderMap) -> bool {
        let is_web = url.scheme() == "https" || url.scheme() == "http" && !self.is_secure();
        if self.is_configured || !is_web || !is_local_name(url) {
            return false;
        }
        let host = headers.get(HOST).and_then(|value| value.to_str().ok());
        let called = host.and_then(|host| Url::parse(&format!("{}://{host}", url.scheme())).ok());
        called.is_some_and(|called| called.origin() == url.origin())
    }

    /// `localhost` and the loopback addresses are one machine: a page opened by one name may call the other.
    fn matches(&self, url: &Url) -> bool {
        let own = &self.base_url;
        let same = |origin: Origin| origin.is_tuple() && origin == own.origin();
        let both_loopback = is_loopback(url) && is_loopback(own);
        let same_port = url.port_or_known_default() == own.port_or_known_default();
        same(url.origin()) || (both_loopback && same_port && url.scheme() == own.scheme())
    }
}

/// An address, or the name of a machine in the local network: no public name is without a dot.
fn is_local_name(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => !name.contains('.') || name.ends_with(".local"),
        Some(url::Host::Ipv4(_) | url::Host::Ipv6(_)) => true,
        None => false,
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn own() -> OwnOrigin {
        OwnOrigin::of(&Url::parse("https://lectern.example/base").unwrap())
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(n, v)| (HeaderName::from_static(n), HeaderValue::from_static(v))).collect()
    }

    #[test]
    fn sign_in_needs_a_referer_or_origin_of_our_own() {
        for own_page in ["https://lectern.example/login", "https://lectern.example"] {
            assert!(own().is_proven_by(&headers(&[("referer", own_page)])), "{own_page}");
        }
        for foreign in [
            "https://lectern.example.evil.test/",
            "http://lectern.example/",
            "https://lectern.example:8443/",
            "https://evil.test/?https://lectern.example/",
            "null",
            "",
        ] {
            assert!(!own().is_proven_by(&headers(&[("referer", foreign)])), "{foreign}");
        }
        assert!(!own().is_proven_by(&HeaderMap::new()));
        let origin_wins = headers(&[("origin", "https://evil.test"), ("referer", "https://lectern.example/")]);
        assert!(!own().is_proven_by(&origin_wins));
    }

    #[test]
    fn a_browser_on_another_site_is_refused_and_a_script_is_not() {
        assert!(own().is_not_disproven_by(&HeaderMap::new()));
        assert!(own().is_not_disproven_by(&headers(&[("sec-fetch-site", "same-origin")])));
        assert!(!own().is_not_disproven_by(&headers(&[("sec-fetch-site", "cross-site")])));
        assert!(!own().is_not_disproven_by(&headers(&[("origin", "https://evil.test")])));
    }

    #[test]
    fn a_service_whose_address_nobody_configured_is_what_it_is_called() {
        let guessed = OwnOrigin::guessed(&Url::parse("http://localhost:8080").unwrap());
        let called = |host, referer| headers(&[("host", host), ("referer", referer)]);
        for (host, page) in [
            ("lectern:8080", "http://lectern:8080/login"),
            ("10.0.0.7:8080", "http://10.0.0.7:8080/login"),
            ("schoolserver.local", "https://schoolserver.local/login"),
            ("[fd00::1]:8080", "http://[fd00::1]:8080/"),
        ] {
            assert!(guessed.is_proven_by(&called(host, page)), "{page}");
            assert!(!own().is_proven_by(&called(host, page)), "{page}: the operator has named another");
        }
        for (host, page) in [
            ("lectern:8080", "http://evil.test:8080/login"),
            ("lectern:8080", "http://lectern/login"),
            ("lectern", "http://lectern@evil.test/"),
            ("user@evil", "http://lectern/"),
            ("", "http://lectern/"),
            ("x", "file://x/"),
            // Whose name server says that it is here.
            ("evil.test:8080", "http://evil.test:8080/"),
        ] {
            assert!(!guessed.is_proven_by(&called(host, page)), "{host} {page}");
        }
        let secure = OwnOrigin::guessed(&Url::parse("https://localhost").unwrap());
        assert!(secure.is_proven_by(&called("lectern", "https://lectern/")));
        assert!(!secure.is_proven_by(&called("lectern", "http://lectern/")));
        assert!(!guessed.is_proven_by(&headers(&[("referer", "http://lectern/")])));
        assert!(guessed.is_proven_by(&headers(&[("referer", "http://127.0.0.1:8080/login")])));
    }

    #[test]
    fn loopback_names_are_one_machine_on_one_port() {
        let own = OwnOrigin::of(&Url::parse("http://127.0.0.1:8080").unwrap());
        assert!(own.is_proven_by(&headers(&[("referer", "http://localhost:8080/login")])));
        assert!(!own.is_proven_by(&headers(&[("referer", "http://localhost:9090/login")])));
        assert!(!own.is_proven_by(&headers(&[("referer", "http://example.test:8080/login")])));
    }
}
