//! What outbound calls may reach: the operator's policy, and the check of a URL that a tenant names.
//!
//! The same check runs when a URL is registered and in front of every call, so that the two can't differ.
//! It never resolves names: `crate::resolver` checks what a name resolves to when a call is made.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use url::{Host, Url};

use crate::address::{embedded_v4, is_public};

/// The longest URL that is accepted, in bytes.
pub const MAX_URL_BYTES: usize = 2048;

/// Endings of names that mean something only inside somebody's network.
const INSIDE_SUFFIXES: [&str; 9] =
    ["local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan", "home.arpa"];

/// What the operator allows beyond https to public addresses (`outbound.*` of the configuration).
#[derive(Clone, Debug, Default)]
pub struct OutboundPolicy {
    /// Networks that may be reached although they are not public.
    pub allow_networks: Vec<IpNet>,
    /// Plain http, for development and tests.
    pub allow_http: bool,
    /// PEM certificates that are trusted besides the system's.
    pub extra_ca_pem: Option<Vec<u8>>,
}

/// Why a URL can't be called. The text is safe to show to whoever sent the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlRefused {
    /// Not an absolute URL, or it holds white space or control characters.
    #[error("must be an absolute URL")]
    NotAUrl,
    /// Longer than [`MAX_URL_BYTES`].
    #[error("must be at most 2048 bytes long")]
    TooLong,
    /// Another scheme than https (or http, where that is allowed).
    #[error("must be an https URL")]
    Scheme,
    /// `user:password@` in front of the host.
    #[error("must not hold a user name or password")]
    UserInfo,
    /// `#…` at the end.
    #[error("must not have a fragment")]
    Fragment,
    /// Port 0, or a host that no name server can know.
    #[error("must name a valid host and port")]
    Host,
    /// An address, or a name, that is not public.
    #[error("must name a public host")]
    NotPublic,
}

impl OutboundPolicy {
    /// Checks everything about a URL that can be known without asking a name server.
    pub fn check_url(&self, text: &str) -> Result<Url, UrlRefused> {
        if text.len() > MAX_URL_BYTES {
            return Err(UrlRefused::TooLong);
        }
        if text.chars().any(|char| char.is_whitespace() || char.is_control()) {
            return Err(UrlRefused::NotAUrl);
        }
        let url = Url::parse(text).map_err(|_| UrlRefused::NotAUrl)?;
        if !(url.scheme() == "https" || url.scheme() == "http" && self.allow_http) {
            return Err(UrlRefused::Scheme);
        }
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(UrlRefused::TooLong);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlRefused::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(UrlRefused::Fragment);
        }
        self.check_host(&url)?;
        Ok(url)
    }

    /// The guard in front of every call: an address as host is never shown to the resolver.
    pub(crate) fn check_host(&self, url: &Url) -> Result<(), UrlRefused> {
        if url.port() == Some(0) {
            return Err(UrlRefused::Host);
        }
        match url.host().ok_or(UrlRefused::Host)? {
            Host::Ipv4(ip) => self.require(self.allows(IpAddr::V4(ip))),
            Host::Ipv6(ip) => self.require(self.allows(IpAddr::V6(ip))),
            Host::Domain(name) => self.check_name(name),
        }
    }

    /// Whether a connection to `ip` may be made.
    pub(crate) fn allows(&self, ip: IpAddr) -> bool {
        is_public(ip) || self.allows_inside(ip)
    }

    fn allows_inside(&self, ip: IpAddr) -> bool {
        let within = |ip: IpAddr| self.allow_networks.iter().any(|net| net.contains(&ip));
        let embedded = match ip {
            IpAddr::V6(ip) => embedded_v4(ip).map(IpAddr::V4),
            IpAddr::V4(_) => None,
        };
        within(ip) || embedded.is_some_and(within)
    }

    fn check_name(&self, name: &str) -> Result<(), UrlRefused> {
        let name = name.strip_suffix('.').unwrap_or(name);
        if name.is_empty() || name.len() > 253 || name.split('.').any(|label| label.is_empty() || label.len() > 63) {
            return Err(UrlRefused::Host);
        }
        let ends_in =
            |suffix: &str| name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        if ends_in("localhost") {
            return self.require(self.allows_loopback());
        }
        let is_inside = !name.contains('.') || INSIDE_SUFFIXES.iter().any(|suffix| ends_in(suffix));
        // Which inside network such a name leads to is known only at the call, where it is checked.
        self.require(!is_inside || !self.allow_networks.is_empty())
    }

    fn allows_loopback(&self) -> bool {
        self.allows_inside(Ipv4Addr::LOCALHOST.into()) || self.allows_inside(Ipv6Addr::LOCALHOST.into())
    }

    fn require(&self, is_allowed: bool) -> Result<(), UrlRefused> {
        if is_allowed { Ok(()) } else { Err(UrlRefused::NotPublic) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strict() -> OutboundPolicy {
        OutboundPolicy::default()
    }

    fn allowing(networks: &[&str]) -> OutboundPolicy {
        let allow_networks = networks.iter().map(|net| net.parse().expect("a network")).collect();
        OutboundPolicy { allow_networks, allow_http: true, extra_ca_pem: None }
    }

    #[test]
    fn public_https_urls_pass() {
        for text in [
            "https://example.com",
            "https://hooks.example.com:8443/a?b=c",
            "https://8.8.8.8/x",
            "https://[2606:4700::1111]/",
            "https://bücher.example/",
        ] {
            assert!(strict().check_url(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn malformed_urls_are_refused_with_their_reason() {
        let long = format!("https://example.com/{}", "a".repeat(MAX_URL_BYTES));
        for (text, reason) in [
            ("", UrlRefused::NotAUrl),
            ("/relative", UrlRefused::NotAUrl),
            ("example.com/hook", UrlRefused::NotAUrl),
            (" https://example.com", UrlRefused::NotAUrl),
            ("https://exa\tmple.com", UrlRefused::NotAUrl),
            ("https://", UrlRefused::NotAUrl),
            ("https://1.2.3.4.5/", UrlRefused::NotAUrl),
            ("http://example.com", UrlRefused::Scheme),
            ("ftp://example.com", UrlRefused::Scheme),
            ("file:///etc/passwd", UrlRefused::Scheme),
            ("https://user@example.com", UrlRefused::UserInfo),
            ("https://:secret@example.com", UrlRefused::UserInfo),
            ("https://example.com/#top", UrlRefused::Fragment),
            ("https://example.com:0/", UrlRefused::Host),
            ("https://a..example.com/", UrlRefused::Host),
            (&long, UrlRefused::TooLong),
        ] {
            assert_eq!(strict().check_url(text), Err(reason), "{text}");
        }
    }

    #[test]
    fn inside_addresses_are_refused_in_every_notation() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "017700000001",
            "127.0.0.1.",
            "１２７.0.0.1",
            "%31%32%37.0.0.1",
            "0",
            "10.1.2.3",
            "169.254.169.254",
            "100.64.0.1",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[0:0:0:0:0:ffff:169.254.169.254]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[fe80::1]",
            "[fd00:ec2::254]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "metadata",
            "metadata.google.internal",
            "printer.local",
            "router.lan",
        ] {
            let text = format!("https://{host}/hook");
            assert_eq!(strict().check_url(&text), Err(UrlRefused::NotPublic), "{text}");
        }
    }

    #[test]
    fn allowed_networks_open_what_they_cover_and_nothing_else() {
        let loopback = allowing(&["127.0.0.0/8"]);
        for text in ["http://127.0.0.1:8080/", "http://2130706433/", "https://[::ffff:127.0.0.1]/", "http://localhost/"]
        {
            assert!(loopback.check_url(text).is_ok(), "{text}");
        }
        for text in ["http://10.0.0.1/", "http://[::1]/", "https://[::ffff:10.0.0.1]/"] {
            assert_eq!(loopback.check_url(text), Err(UrlRefused::NotPublic), "{text}");
        }
        let private = allowing(&["10.0.0.0/8"]);
        assert!(private.check_url("http://receiver:9000/").is_ok(), "the call checks what it resolves to");
        assert_eq!(private.check_url("http://localhost/"), Err(UrlRefused::NotPublic));
    }
}
