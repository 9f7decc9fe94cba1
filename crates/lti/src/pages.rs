//! Lists that a platform gives page by page: the `Link` header (RFC 8288) says where the next one is.

use url::Url;

/// The next page is on another server. Who follows would send it the access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the next page is on another server")]
pub struct NextPageElsewhere;

/// The address of the next page, from the `Link` headers of the page at `url`.
///
/// # Errors
/// [`NextPageElsewhere`] when it is not of the same origin.
pub fn next_page<'a>(url: &Url, links: impl IntoIterator<Item = &'a str>) -> Result<Option<Url>, NextPageElsewhere> {
    let Some(target) = links.into_iter().flat_map(Links).find(|link| link.is_next).map(|link| link.target) else {
        return Ok(None);
    };
    match url.join(target) {
        Ok(next) if next.origin() == url.origin() => Ok(Some(next)),
        _ => Err(NextPageElsewhere),
    }
}

struct Link<'a> {
    target: &'a str,
    is_next: bool,
}

/// The links of one header: `<target>; parameter=value; parameter="value", <target> …`.
struct Links<'a>(&'a str);

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    fn next(&mut self) -> Option<Link<'a>> {
        let (_, rest) = self.0.split_once('<')?;
        let (target, rest) = rest.split_once('>')?;
        let mut end = rest.len();
        let mut is_quoted = false;
        for (at, character) in rest.char_indices() {
            match character {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        let (parameters, rest) = rest.split_at(end);
        self.0 = rest;
        let is_next = parameters.split(';').filter_map(|parameter| parameter.split_once('=')).any(|(name, value)| {
            let mut relations = value.trim().trim_matches('"').split_ascii_whitespace();
            name.trim().eq_ignore_ascii_case("rel") && relations.any(|relation| relation.eq_ignore_ascii_case("next"))
        });
        Some(Link { target: target.trim(), is_next })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn next(link: &str) -> Result<Option<String>, NextPageElsewhere> {
        let url = Url::parse("https://lms.example/members?limit=2").unwrap();
        next_page(&url, [link]).map(|next| next.map(Into::into))
    }

    #[test]
    fn the_next_page_is_found_among_other_links() {
        let found = Ok(Some("https://lms.example/members?p=2".to_owned()));
        for link in [
            r#"<https://lms.example/members?p=2>; rel="next""#,
            "</members?p=2>;rel=next",
            r#"<https://lms.example/members?since=1,2>; rel="differences"; title="a, <b>", <?p=2>; REL="last Next""#,
        ] {
            assert_eq!(next(link), found, "{link}");
        }
        for link in ["", "<", "<x", r#"</members>; rel="prev""#, r#"</members>; title="next""#] {
            assert_eq!(next(link), Ok(None), "{link}");
        }
    }

    #[test]
    fn a_next_page_on_another_server_is_refused() {
        for link in [
            "<https://other.example/members?p=2>; rel=next",
            "<http://lms.example/members?p=2>; rel=next",
            "<https://lms.example:8443/members?p=2>; rel=next",
            "<//other.example/>; rel=next",
            "<https://[>; rel=next",
        ] {
            assert_eq!(next(link), Err(NextPageElsewhere), "{link}");
        }
    }

    proptest! {
        #[test]
        fn no_header_leads_elsewhere_or_ends_the_program(link in r#"[<>;,="a-z/:. ]{0,60}"#) {
            if let Ok(Some(url)) = next(&link) {
                prop_assert!(url.starts_with("https://lms.example/"), "{url}");
            }
        }
    }
}
