//! Optimistic concurrency (RFC 9110 section 13): a resource's version is its entity tag, `ETag: "7"`.
//!
//! A client that names the version it has seen (`If-Match`) changes that version or nothing. A client that
//! names what it already has (`If-None-Match`) is told that nothing is new. Both are the client's choice.

use axum::extract::FromRequestParts;
use http::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::answer::Answer;
use crate::problem::Problem;

/// The versions that a change may start from, as the request names them; the verdict on a malformed header waits
/// until the caller is known.
#[derive(Clone, Debug)]
pub struct IfMatch(Result<Option<Tags>, Problem>);

/// The versions that the client has, as the request names them.
#[derive(Clone, Debug)]
pub struct IfNoneMatch(Result<Option<Tags>, Problem>);

/// The versions that a change may start from: any where the request names none.
#[derive(Clone, Debug)]
pub struct Expected(Option<Tags>);

/// The versions that the client has already: none where the request names none.
#[derive(Clone, Debug)]
pub struct Known(Option<Tags>);

/// What a condition names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tags {
    /// `*`
    Any,
    /// The opaque texts between the quotation marks.
    These(Vec<String>),
}

impl Tags {
    fn name(&self, version: i64) -> bool {
        match self {
            Self::Any => true,
            Self::These(tags) => {
                let version = version.to_string();
                tags.contains(&version)
            }
        }
    }
}

impl IfMatch {
    /// The condition.
    ///
    /// # Errors
    /// 400 when the header is malformed.
    pub fn read(self) -> Result<Expected, Problem> {
        self.0.map(Expected)
    }
}

impl Expected {
    /// This version and no other.
    #[must_use]
    pub fn only(version: i64) -> Self {
        Self(Some(Tags::These(vec![version.to_string()])))
    }

    /// Lets a change of this version pass.
    ///
    /// # Errors
    /// [`Problem::PreconditionFailed`] when the request names other versions.
    pub fn permit(&self, version: i64) -> Result<(), Problem> {
        match &self.0 {
            Some(tags) if !tags.name(version) => Err(Problem::PreconditionFailed),
            _ => Ok(()),
        }
    }
}

impl IfNoneMatch {
    /// The condition.
    ///
    /// # Errors
    /// 400 when the header is malformed.
    pub fn read(self) -> Result<Known, Problem> {
        self.0.map(Known)
    }
}

impl Known {
    /// Whether the client has this version.
    pub fn has(&self, version: i64) -> bool {
        self.0.as_ref().is_some_and(|tags| tags.name(version))
    }
}

impl Answer {
    /// The same answer with the version of the resource that it is about.
    #[must_use]
    pub fn with_version(self, version: i64) -> Self {
        self.with_header(ETAG, etag(version))
    }

    /// 304: the client has this version.
    pub fn not_modified(version: i64) -> Self {
        Self::empty(StatusCode::NOT_MODIFIED).with_version(version)
    }
}

/// The entity tag of a version.
pub fn etag(version: i64) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{version}\"")).expect("digits within quotation marks are a header value")
}

/// Reads a condition. Versions are strong tags: where only those count, a weak one is read and matches nothing.
fn read(headers: &HeaderMap, name: &HeaderName, label: &str, is_weak_enough: bool) -> Result<Option<Tags>, Problem> {
    let malformed = || Problem::field(label, "must be \"*\" or a list of entity tags such as \"7\"");
    let mut tags = Vec::new();
    let (mut is_any, mut is_list) = (false, false);
    for value in headers.get_all(name) {
        let mut rest = value.to_str().map_err(|_| malformed())?.trim_matches([' ', '\t']);
        if rest == "*" {
            is_any = true;
            continue;
        }
        while !rest.is_empty() {
            let EntityTag { is_weak, opaque, tail } = entity_tag(rest).ok_or_else(malformed)?;
            is_list = true;
            if is_weak_enough || !is_weak {
                tags.push(opaque.to_owned());
            }
            rest = match tail.trim_start_matches([' ', '\t']) {
                "" => "",
                tail => next_in_list(tail).ok_or_else(malformed)?,
            };
        }
    }
    match (is_any, is_list) {
        (true, false) => Ok(Some(Tags::Any)),
        (false, true) => Ok(Some(Tags::These(tags))),
        (false, false) if !headers.contains_key(name) => Ok(None),
        _ => Err(malformed()),
    }
}

struct EntityTag<'a> {
    is_weak: bool,
    opaque: &'a str,
    /// What follows the tag.
    tail: &'a str,
}

/// The tag that `text` starts with.
fn entity_tag(text: &str) -> Option<EntityTag<'_>> {
    let strong = text.strip_prefix("W/");
    let (opaque, tail) = strong.unwrap_or(text).strip_prefix('"')?.split_once('"')?;
    let is_sound = opaque.bytes().all(|byte| byte.is_ascii_graphic());
    is_sound.then_some(EntityTag { is_weak: strong.is_some(), opaque, tail })
}

/// What follows a comma; there must be something.
fn next_in_list(tail: &str) -> Option<&str> {
    let next = tail.strip_prefix(',')?.trim_start_matches([' ', '\t']);
    (!next.is_empty()).then_some(next)
}

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Ok(Self(read(&parts.headers, &IF_MATCH, "If-Match", false)))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Ok(Self(read(&parts.headers, &IF_NONE_MATCH, "If-None-Match", true)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(values: &[&str], allow_weak: bool) -> Result<Option<Tags>, Problem> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(IF_MATCH, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        read(&headers, &IF_MATCH, "If-Match", allow_weak)
    }

    fn permit(values: &[&str], version: i64) -> Result<(), Problem> {
        IfMatch(parsed(values, false)).read()?.permit(version)
    }

    #[test]
    fn a_change_passes_without_a_condition_with_its_version_and_with_any() {
        for values in [&[][..], &["\"7\""], &["*"], &["\"6\", \"7\""], &["\"6\"", "\"7\""], &[" \"7\" ,\t\"x,y\""]] {
            assert!(permit(values, 7).is_ok(), "{values:?}");
        }
    }

    #[test]
    fn a_stale_condition_is_a_failed_precondition() {
        for values in
            [&["\"6\""][..], &["\"07\""], &["\"\""], &["\"77\", \"8\""], &["\"7,\""], &["W/\"7\""], &["W/\"7\", \"6\""]]
        {
            let refused = permit(values, 7);
            assert!(matches!(refused, Err(Problem::PreconditionFailed)), "{values:?}");
        }
    }

    #[test]
    fn a_malformed_condition_is_a_400_by_name() {
        for value in
            ["7", "\"7", "7\"", "w/\"7\"", "*, \"7\"", "\"7\" \"8\"", "\"7\",", "", ",", "\"7\",,\"8\"", "\"a b\"", "ä"]
        {
            let Err(Problem::Invalid(details)) = permit(&[value], 7) else { panic!("{value:?} accepted") };
            assert_eq!(details[0].path, "If-Match", "{value:?}");
        }
        assert!(permit(&["*", "\"7\""], 7).is_err());
    }

    #[test]
    fn what_the_client_has_may_be_named_weakly() {
        let has = |value: &str| Ok::<_, Problem>(IfNoneMatch(parsed(&[value], true)).read()?.has(7));
        assert!(has("W/\"7\"").unwrap() && has("\"3\", \"7\"").unwrap() && has("*").unwrap());
        assert!(!has("\"8\"").unwrap());
        assert!(has("w/\"7\"").is_err() && has("7").is_err());
        assert!(!IfNoneMatch(parsed(&[], true)).read().unwrap().has(7));
    }

    proptest! {
        #[test]
        fn any_header_is_read_or_refused(value in "[ -~]{0,40}", version in any::<i64>()) {
            let _ = permit(&[&value], version);
        }

        #[test]
        fn a_version_matches_the_tag_it_is_sent_with(version in any::<i64>(), others in proptest::collection::vec(any::<i64>(), 0..4)) {
            let tag = etag(version);
            prop_assert!(permit(&[tag.to_str().unwrap()], version).is_ok());
            let list: Vec<_> = others.iter().map(|other| format!("\"{other}\"")).collect();
            if !list.is_empty() {
                prop_assert_eq!(permit(&[&list.join(",")], version).is_ok(), others.contains(&version));
            }
        }
    }
}
