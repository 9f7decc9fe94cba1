//! Addresses that links and pictures may have on a page.

/// Longest address, in bytes.
const LONGEST: usize = 2_048;

/// The address of a link: of a page, or to write to.
pub(super) fn link(address: &str) -> Option<String> {
    with_scheme(address, &["https://", "http://", "mailto:"])
}

/// The address of a picture on the web.
pub(super) fn picture(address: &str) -> Option<String> {
    with_scheme(address, &["https://", "http://"])
}

fn with_scheme(address: &str, schemes: &[&str]) -> Option<String> {
    let address = address.trim();
    let sound = address.len() <= LONGEST
        && !address.contains(|character: char| character.is_whitespace() || character.is_control());
    let scheme = schemes
        .iter()
        .find(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))?;
    let rest = &address[scheme.len()..];
    let named = rest.starts_with(|first: char| first.is_alphanumeric() || first == '[');
    (sound && named).then(|| format!("{scheme}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_and_mail_are_linked() {
        assert_eq!(link(" HTTPS://example.org/a?b=c ").as_deref(), Some("https://example.org/a?b=c"));
        assert_eq!(link("mailto:ann@example.org").as_deref(), Some("mailto:ann@example.org"));
        for none in [
            "javascript:alert(1)",
            "data:text/html,x",
            "//example.org",
            "/page",
            "https://",
            "https:// x.y",
            "ftp://x",
            "",
        ] {
            assert_eq!(link(none), None, "{none}");
        }
        assert_eq!((picture("mailto:a@b.c"), picture("cell.png"), picture("x")), (None, None, None));
        assert!(picture("http://example.org/cell.png").is_some());
    }
}
