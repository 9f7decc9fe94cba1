//! Paths inside a package, and what a reference in one of its files points to.

use percent_encoding::percent_decode_str;

use crate::limits::{MAX_PATH_BYTES, MAX_PATH_DEPTH};

/// A path that could lead out of the package or that systems read differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unsafe;

/// Where a reference leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A path inside the package.
    Inside(String),
    /// An address on the web.
    Web(String),
}

/// Refuses absolute paths, drive letters, backslashes, `.` and `..`, empty names, control characters,
/// and paths that are too long or too deep.
pub(crate) fn check(path: &str) -> Result<(), Unsafe> {
    let is_plain = |name: &str| !matches!(name, "" | "." | "..");
    let is_safe = path.len() <= MAX_PATH_BYTES
        && path.split('/').count() <= MAX_PATH_DEPTH
        && path.split('/').all(is_plain)
        && !path.contains(['\\', ':'])
        && !path.chars().any(char::is_control);
    if is_safe { Ok(()) } else { Err(Unsafe) }
}

/// Follows `reference`, relative to the folder `base` (empty for the package itself). Fragments and
/// queries are dropped.
pub(crate) fn resolve(base: &str, reference: &str) -> Result<Target, Unsafe> {
    let reference = reference.trim();
    if is_web(reference) {
        return Ok(Target::Web(reference.to_owned()));
    }
    let path = reference.split(['#', '?']).next().unwrap_or_default();
    let path = percent_decode_str(path).decode_utf8().map_err(|_| Unsafe)?;
    if path.starts_with('/') {
        return Err(Unsafe);
    }
    let mut names: Vec<&str> = base.split('/').filter(|name| !name.is_empty()).collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop().ok_or(Unsafe)?;
            }
            name => names.push(name),
        }
    }
    let path = names.join("/");
    check(&path)?;
    Ok(Target::Inside(path))
}

/// Whether it is an `http` or `https` address.
pub(crate) fn is_web(address: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && address.len() > scheme.len()
    })
}

/// The folder that a file is in; empty for the package itself.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn inside(path: &str) -> Result<Target, Unsafe> {
        Ok(Target::Inside(path.to_owned()))
    }

    #[test]
    fn plain_paths_are_safe() {
        for path in ["imsmanifest.xml", "a/b c/ü.html", "$IMS$/x..y", "..a/b"] {
            assert_eq!(check(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn paths_that_lead_elsewhere_are_not() {
        let deep = "a/".repeat(MAX_PATH_DEPTH) + "b";
        let long = "a".repeat(MAX_PATH_BYTES + 1);
        let unsafe_paths =
            ["", "/etc/passwd", "../a", "a/../../b", "a/..", "./a", "a//b", "C:\\a", "C:/a", "a\\b", "a\0b", "a\nb"];
        for path in unsafe_paths.into_iter().chain([&*deep, &*long]) {
            assert_eq!(check(path), Err(Unsafe), "{path}");
        }
    }

    #[test]
    fn references_are_followed_inside_the_package() {
        assert_eq!(resolve("", "items/1.xml"), inside("items/1.xml"));
        assert_eq!(resolve("items", "../passages/a%20b.xml#p1"), inside("passages/a b.xml"));
        assert_eq!(resolve("a/b", "./c.xml?x=/y"), inside("a/b/c.xml"));
        assert_eq!(resolve("", "HTTPS://example.org/x"), Ok(Target::Web("HTTPS://example.org/x".to_owned())));
    }

    #[test]
    fn references_out_of_the_package_are_refused() {
        for reference in
            ["../x", "items/../../x", "/x", "%2e%2e/x", "%2Fx", "..%5cx", "C:/x", "file:///x", "a%00b", "//h/x", ""]
        {
            assert_eq!(resolve("", reference), Err(Unsafe), "{reference}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_resolved_is_safe(base in "([a-z]{1,3}/?){0,3}", reference in "[a-z./\\\\%:2eF#?]{0,20}") {
            if let Ok(Target::Inside(path)) = resolve(&base, &reference) {
                prop_assert_eq!(check(&path), Ok(()));
            }
        }
    }
}
