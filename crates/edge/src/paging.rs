//! Pages of a list: `limit` and `page` in, `X-Total-Count` and `Link` (RFC 8288) out.

use axum::extract::FromRequestParts;
use http::header::LINK;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Uri};
use url::form_urlencoded;

use crate::answer::Answer;
use crate::problem::{Detail, Problem};

static X_TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

/// The most things on a page.
pub const HIGHEST_LIMIT: u64 = 100;
const DEFAULT_LIMIT: u64 = 20;

/// The page that a request asks for; the verdict on its parameters waits until the caller is known.
#[derive(Clone, Debug)]
pub struct PageQuery {
    path: String,
    /// What narrows the list, as the links repeat it: empty, or `status=failed&`.
    filter: String,
    page: Result<Page, Problem>,
}

/// A page: which one, and how many things are on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// 1 to [`HIGHEST_LIMIT`].
    pub limit: u64,
    /// From 1.
    pub number: u64,
}

impl Page {
    /// How many things come before the page, or `None` when the page lies beyond all of them.
    pub fn offset(self, total: u64) -> Option<u64> {
        self.limit.checked_mul(self.number - 1).filter(|offset| *offset < total)
    }

    /// The last page that has something on it; the first one when there is nothing.
    fn last(self, total: u64) -> u64 {
        total.div_ceil(self.limit).max(1)
    }
}

impl PageQuery {
    /// The page, when the parameters are right.
    ///
    /// # Errors
    /// 400 naming every wrong parameter.
    pub fn page(&self) -> Result<Page, Problem> {
        self.page.clone()
    }

    /// Has the links lead to pages of the same narrowed list. `value` is a word, which needs no escapes in a URL.
    #[must_use]
    pub fn narrowed_by(mut self, name: &'static str, value: Option<&'static str>) -> Self {
        if let Some(value) = value {
            self.filter.extend([name, "=", value, "&"]);
        }
        self
    }

    /// Tells on an answer how many things there are and where the other pages are, below the service's public address.
    #[must_use]
    pub fn describe(&self, base: &str, answer: Answer, page: Page, total: u64) -> Answer {
        let links = HeaderValue::from_str(&self.links(base, page, total)).expect("a URL and digits are a header value");
        answer.with_header(X_TOTAL_COUNT.clone(), HeaderValue::from(total)).with_header(LINK, links)
    }

    fn links(&self, base: &str, page: Page, total: u64) -> String {
        let last = page.last(total);
        let previous = (page.number > 1).then(|| (page.number - 1).min(last));
        let next = (page.number < last).then(|| page.number + 1);
        let all = [("first", Some(1)), ("prev", previous), ("next", next), ("last", Some(last))];
        let link = |(relation, number): (&str, Option<u64>)| {
            let number = number?;
            Some(format!("<{base}{}?{}limit={}&page={number}>; rel=\"{relation}\"", self.path, self.filter, page.limit))
        };
        all.into_iter().filter_map(link).collect::<Vec<_>>().join(", ")
    }

    fn of(uri: &Uri) -> Self {
        Self { path: uri.path().to_owned(), filter: String::new(), page: read(uri.query().unwrap_or_default()) }
    }
}

fn read(query: &str) -> Result<Page, Problem> {
    let mut details = Vec::new();
    let mut parameter = |name: &str, highest: u64, default: u64| {
        let given: Vec<_> = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name).collect();
        let value = match given.as_slice() {
            [] => Ok(default),
            [(_, value)] => whole(value).filter(|value| (1..=highest).contains(value)).ok_or_else(|| match highest {
                u64::MAX => "must be a whole number from 1".to_owned(),
                _ => format!("must be a whole number from 1 to {highest}"),
            }),
            _ => Err("must be given once".to_owned()),
        };
        value.map_err(|message| details.push(Detail { path: name.to_owned(), message })).ok()
    };
    let limit = parameter("limit", HIGHEST_LIMIT, DEFAULT_LIMIT);
    let number = parameter("page", u64::MAX, 1);
    match (limit, number) {
        (Some(limit), Some(number)) => Ok(Page { limit, number }),
        _ => Err(Problem::Invalid(details)),
    }
}

/// Digits only. There are no pages beyond the largest number, so what is larger is as good as that.
fn whole(text: &str) -> Option<u64> {
    let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| text.parse().unwrap_or(u64::MAX))
}

impl<S: Send + Sync> FromRequestParts<S> for PageQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Ok(Self::of(&parts.uri))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn faults(query: &str) -> Vec<String> {
        match read(query) {
            Err(Problem::Invalid(details)) => details.into_iter().map(|detail| detail.path).collect(),
            Err(other) => panic!("{other}"),
            Ok(_) => Vec::new(),
        }
    }

    fn links(page: Page, total: u64) -> String {
        PageQuery::of(&"/things?page=9".parse().unwrap()).links("https://lectern.example/sub", page, total)
    }

    #[test]
    fn the_defaults_are_20_things_and_the_first_page() {
        assert_eq!(read("").unwrap(), Page { limit: 20, number: 1 });
        assert_eq!(read("other=x&limit=100&page=3").unwrap(), Page { limit: 100, number: 3 });
        assert_eq!(read("limit=1").unwrap(), Page { limit: 1, number: 1 });
        assert_eq!(read("page=99999999999999999999999").unwrap().offset(u64::MAX), None);
    }

    #[test]
    fn what_is_outside_the_range_is_named() {
        for wrong in ["0", "101", "-1", "", "x", "1.5", "%00", "+1", "1e1", "\u{661}", "99999999999999999999999"] {
            assert_eq!(faults(&format!("limit={wrong}")), ["limit"], "{wrong}");
        }
        for wrong in ["0", "-1", "", "x", "1.0", "%20", "0x1"] {
            assert_eq!(faults(&format!("page={wrong}")), ["page"], "{wrong}");
        }
        assert_eq!(faults("limit=0&page=0"), ["limit", "page"]);
        assert_eq!(faults("page=1&page=2"), ["page"]);
    }

    #[test]
    fn links_lead_to_the_pages_that_there_are() {
        let page = |number| Page { limit: 10, number };
        assert_eq!(
            links(page(2), 35),
            "<https://lectern.example/sub/things?limit=10&page=1>; rel=\"first\", <https://lectern.example/sub/things?limit=10&page=1>; rel=\"prev\", \
             <https://lectern.example/sub/things?limit=10&page=3>; rel=\"next\", <https://lectern.example/sub/things?limit=10&page=4>; rel=\"last\""
        );
        assert_eq!(
            links(page(1), 0),
            "<https://lectern.example/sub/things?limit=10&page=1>; rel=\"first\", <https://lectern.example/sub/things?limit=10&page=1>; rel=\"last\""
        );
        assert!(!links(page(4), 40).contains("next") && links(page(4), 41).contains("next"));
        assert!(links(page(900), 35).contains("<https://lectern.example/sub/things?limit=10&page=4>; rel=\"prev\""));
        assert!(!links(page(1), 35).contains("prev"));
    }

    #[test]
    fn links_of_a_narrowed_list_stay_within_it() {
        let query = PageQuery::of(&"/things?state=new".parse().unwrap());
        let page = Page { limit: 10, number: 1 };
        assert!(query.clone().narrowed_by("state", None).links("", page, 1).starts_with("</things?limit=10&page=1>"));
        let links = query.narrowed_by("state", Some("new")).links("", page, 11);
        assert!(links.contains("</things?state=new&limit=10&page=2>; rel=\"next\""), "{links}");
    }

    proptest! {
        #[test]
        fn following_next_from_the_first_page_visits_everything_once(total in 0_u64..500, limit in 1_u64..=100) {
            let mut seen = 0;
            let mut number = 1;
            loop {
                let page = Page { limit, number };
                if let Some(offset) = page.offset(total) {
                    prop_assert_eq!(offset, seen);
                    seen += limit.min(total - offset);
                }
                if !links(page, total).contains("rel=\"next\"") {
                    break;
                }
                number += 1;
            }
            prop_assert_eq!(seen, total);
        }

        #[test]
        fn any_query_is_read_or_refused(query in "[ -~]{0,40}") {
            if let Ok(page) = read(&query) {
                prop_assert!((1..=HIGHEST_LIMIT).contains(&page.limit) && page.number >= 1);
                let _ = (page.offset(u64::MAX), page.last(0));
            }
        }
    }
}
