//! The forms of values. A refusal says what would be right and never repeats the value: it may be secret.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use url::{Host, Url};

/// The word for an empty list.
pub(super) const NONE: &str = "none";

/// Where to listen. The one name that is taken is `localhost`: any other may stand for several addresses, for none, or
/// for other ones tomorrow.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    const FORM: &str = "must be an IP address and a port, such as 127.0.0.1:8080";
    if let Some((name, port)) = text.rsplit_once(':')
        && let Ok(port) = port.parse::<u16>()
    {
        if name == "localhost" {
            return Ok((Ipv4Addr::LOCALHOST, port).into());
        }
        if !name.is_empty() && matches!(Host::parse(name), Ok(Host::Domain(_))) {
            let instead = format!("0.0.0.0:{port} listens on every address of the machine");
            return Err(format!("names a host and {FORM}; {instead}"));
        }
    }
    text.parse().map_err(|_| FORM.to_owned())
}

pub(super) fn base_url(text: &str) -> Result<Url, String> {
    let wrong = || "must be an http or https URL without query and fragment".to_owned();
    let url = Url::parse(text).map_err(|_| wrong())?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let is_plain = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    if is_web && is_plain { Ok(url) } else { Err(wrong()) }
}

pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() { Err("must be a path".to_owned()) } else { Ok(PathBuf::from(text)) }
}

/// A file that must be there, with its content.
pub(super) fn file(text: &str) -> Result<(PathBuf, Vec<u8>), String> {
    let path = path(text)?;
    let content = std::fs::read(&path).map_err(|error| format!("names a file that can't be read: {error}"))?;
    Ok((path, content))
}

/// A PEM file with at least one certificate in it.
pub(super) fn certificates(text: &str) -> Result<(PathBuf, Vec<u8>), String> {
    let (path, pem) = file(text)?;
    let has_certificate = String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----");
    if has_certificate { Ok((path, pem)) } else { Err("names a file without a PEM certificate".to_owned()) }
}

pub(super) fn flag(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

pub(super) fn count(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> {
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("must be a whole number from {least} to {most}"))
    }
}

pub(super) fn networks(text: &str) -> Result<Vec<IpNet>, String> {
    let network = |item: &str| {
        let alone = item.parse::<std::net::IpAddr>().map(IpNet::from);
        item.parse::<IpNet>().or(alone).map_err(|_| "must be networks such as 10.0.0.0/8,fd00::/8".to_owned())
    };
    list(text).map(network).collect()
}

/// Schemes with hosts, as a browser writes them: `https://media.example`.
pub(super) fn origins(text: &str) -> Result<Vec<String>, String> {
    let origin = |item: &str| {
        // A host may hold what would end a directive of the policy that the origin goes into.
        let is_plain = |host: &str| host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.[]:".contains(&byte));
        let url = base_url(item).ok().filter(|url| url.path() == "/" && !item.ends_with('/'));
        let url = url.filter(|url| url.host_str().is_some_and(is_plain));
        url.map(|url| url.origin().ascii_serialization())
            .ok_or_else(|| "must be origins such as https://media.example,https://cdn.example:8443".to_owned())
    };
    list(text).map(origin).collect()
}

/// Origins that may embed pages: https, or http on this machine; `https://*.lms.example` stands for all names below.
pub(super) fn frame_origins(text: &str) -> Result<Vec<String>, String> {
    let origin = |item: &str| {
        let (name, wildcard) = match item.strip_prefix("https://*.") {
            Some(rest) if rest.contains('.') => (format!("https://{rest}"), true),
            _ => (item.to_owned(), false),
        };
        let origin = origins(&name).ok()?.pop()?;
        let url = Url::parse(&origin).ok()?;
        let is_safe = match url.host()? {
            Host::Domain(host) => url.scheme() == "https" || host == "localhost",
            Host::Ipv4(host) => !wildcard && (url.scheme() == "https" || host.is_loopback()),
            // A policy can't name it.
            Host::Ipv6(_) => false,
        };
        is_safe.then(|| if wildcard { origin.replacen("https://", "https://*.", 1) } else { origin })
    };
    let wrong = "must be origins such as https://lms.example or https://*.lms.example, by https but for this machine";
    list(text).map(|item| origin(item).ok_or_else(|| wrong.to_owned())).collect()
}

pub(super) fn durations(text: &str) -> Result<Vec<Duration>, String> {
    list(text).map(duration).collect()
}

/// A number with a unit: `500ms`, `5s`, `2m`, `1h`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    const LONGEST_MILLIS: u64 = 30 * 24 * 3_600_000;
    let wrong = || "must be durations such as 500ms, 5s, 2m or 1h, at most 30 days each".to_owned();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let millis_per_unit = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    let millis = number.parse::<u64>().ok().and_then(|number| number.checked_mul(millis_per_unit));
    millis.filter(|millis| *millis <= LONGEST_MILLIS).map(Duration::from_millis).ok_or_else(wrong)
}

pub(super) fn list(text: &str) -> impl Iterator<Item = &str> {
    // An empty item is an item, and wrong: something was forgotten there.
    let items = (text != NONE).then(|| text.split(',').map(str::trim));
    items.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_number_and_a_unit() {
        let read = |text| durations(text).map(|all| all.iter().map(Duration::as_millis).collect::<Vec<_>>());
        assert_eq!(read("5s,25s, 125s"), Ok(vec![5_000, 25_000, 125_000]));
        assert_eq!(read("500ms,2m,1h"), Ok(vec![500, 120_000, 3_600_000]));
        assert_eq!(read("none"), Ok(vec![]));
        for wrong in
            ["5", "s", "-5s", "5 s", "1.5s", "5s 6s", "99999999999999999999s", "721h", "5S", "", "5s,,5s", "5s,"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn networks_are_cidr_blocks_or_single_addresses() {
        assert_eq!(networks("127.0.0.0/8, ::1").map(|all| all.len()), Ok(2));
        assert_eq!(networks("none"), Ok(vec![]));
        assert!(networks("127.0.0.1/99").is_err());
        for wrong in ["example.com", "", "10.0.0.0/8,,::1"] {
            assert!(networks(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_and_urls_are_checked_whole() {
        assert!(address("localhost:0").is_ok());
        assert!(address("[::1]:8080").is_ok());
        for wrong in ["8080", ":8080", "127.0.0.1", "example.com:80", "127.0.0.1:99999"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
        assert_eq!(address("localhost:80"), Ok(([127, 0, 0, 1], 80).into()));
        for name in ["example.com:80", "mylocalhost:80", "db-1:80"] {
            let said = address(name).unwrap_err();
            assert!(
                said.starts_with("names a host and must be an IP address") && said.contains("0.0.0.0:80"),
                "{said}"
            );
        }
        for no_name in ["127.0.0.1:99999", "1.2.3.4.5:80", ":80", "80"] {
            let said = address(no_name).unwrap_err();
            assert!(said.starts_with("must be an IP address"), "{no_name}: {said}");
        }
        assert!(base_url("https://lectern.example/sub").is_ok());
        for wrong in ["lectern.example", "ftp://x", "https://x/?q", "https://x/#f", "https://u@x/", "http://"] {
            assert!(base_url(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn origins_have_a_host_and_no_path() {
        let expected = ["https://media.example", "http://xn--mnchen-3ya.example:8080"].map(str::to_owned);
        assert_eq!(origins("https://MEDIA.example:443, http://münchen.example:8080"), Ok(expected.to_vec()));
        assert_eq!(origins("none"), Ok(vec![]));
        for wrong in
            ["media.example", "https://media.example/", "https://x/y", "https://x;", "data:", "*", "", "https://*"]
        {
            assert!(origins(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn frames_are_named_by_https_origins_and_may_stand_for_all_names_below() {
        let expected =
            ["https://lms.example", "https://*.school.example:8443", "http://localhost:3000", "http://127.0.0.1"];
        let read =
            frame_origins("https://LMS.example,https://*.school.example:8443,http://localhost:3000,http://127.0.0.1");
        assert_eq!(read, Ok(expected.map(str::to_owned).to_vec()));
        assert_eq!(frame_origins("none"), Ok(vec![]));
        for wrong in [
            "*",
            "https://*",
            "https://*.example",
            "http://*.school.example",
            "http://lms.example",
            "https://lms.example/",
            "https://a.*.example",
            "https://[::1]",
            "https://*.127.0.0.1",
            "lms.example",
            "'self'",
            "",
            "https://lms.example;",
            "https://lms.example https://x.example",
        ] {
            assert!(frame_origins(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_stay_within_their_range() {
        assert_eq!(count(1, 9)("9"), Ok(9));
        for wrong in ["0", "10", "-1", "1.0", "", "many"] {
            assert!(count(1, 9)(wrong).is_err(), "{wrong}");
        }
    }
}
