//! Pages of a list: `limit` and `page` in, `X-Total-Count` and `Link` (RFC 8288) out.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::header::LINK;
use http::request::Parts;
use http::{HeaderName, HeaderValue};

use crate::answer::Answer;
use crate::problem::Problem;
use crate::query::{Parameters, Query, integer};

static X_TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

/// The most things on a page.
pub const HIGHEST_LIMIT: u64 = 100;
const DEFAULT_LIMIT: u64 = 20;

/// The query of a list in pages; the verdict on it waits until the caller is known.
#[derive(Clone, Debug)]
pub struct PageQuery(Query);

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
    /// The page that the query asks for, where a list takes no other parameters.
    ///
    /// # Errors
    /// 400 naming every wrong or unknown parameter.
    pub fn page(&self) -> Result<Page, Problem> {
        self.read(|_| Some(())).map(|(page, ())| page)
    }

    /// The page that the query asks for, with what else the list takes.
    ///
    /// # Errors
    /// As [`PageQuery::page`].
    pub fn read<T>(&self, read: impl FnOnce(&mut Parameters<'_>) -> Option<T>) -> Result<(Page, T), Problem> {
        self.0.read(|parameters| {
            let limit = limit(parameters);
            let number = parameters.optional("page", integer(1..=u64::MAX));
            let rest = read(parameters);
            Some((Page { limit: limit?, number: number?.unwrap_or(1) }, rest?))
        })
    }

    /// Tells on an answer how many things there are and where the other pages are, below the service's public address.
    /// The links keep the list's other parameters.
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
            let (limit, number) = (page.limit.to_string(), number?.to_string());
            let link = self.0.link(base, &[("limit", &limit), ("page", &number)]);
            Some(format!("<{link}>; rel=\"{relation}\""))
        };
        all.into_iter().filter_map(link).collect::<Vec<_>>().join(", ")
    }
}

/// How many things a page has: the parameter `limit`.
pub fn limit(parameters: &mut Parameters<'_>) -> Option<u64> {
    Some(parameters.optional("limit", integer(1..=HIGHEST_LIMIT))?.unwrap_or(DEFAULT_LIMIT))
}

impl<S: Send + Sync> FromRequestParts<S> for PageQuery {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Query::from_request_parts(parts, state).await.map(Self)
    }
}

#[cfg(test)]
mod tests {
    use http::Uri;
    use proptest::prelude::*;

    use super::*;

    fn query(query: &str) -> PageQuery {
        PageQuery(format!("/things?{query}").parse::<Uri>().unwrap().into())
    }

    fn read(text: &str) -> Result<Page, Problem> {
        query(text).page()
    }

    fn faults(query: &str) -> Vec<String> {
        match read(query) {
            Err(Problem::Invalid(details)) => details.into_iter().map(|detail| detail.path).collect(),
            Err(other) => panic!("{other}"),
            Ok(_) => Vec::new(),
        }
    }

    fn links(page: Page, total: u64) -> String {
        query("page=9").links("https://lectern.example/sub", page, total)
    }

    #[test]
    fn the_defaults_are_20_things_and_the_first_page() {
        assert_eq!(read("").unwrap(), Page { limit: 20, number: 1 });
        assert_eq!(read("limit=100&page=3").unwrap(), Page { limit: 100, number: 3 });
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
        assert_eq!(faults("sort=title&page=0"), ["page", "sort"]);
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
        let page = Page { limit: 10, number: 1 };
        assert!(query("").links("", page, 1).starts_with("</things?limit=10&page=1>"));
        let links = query("page=1&state=new&limit=10").links("", page, 11);
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
        fn any_query_is_read_or_refused(text in "(limit|page|[!-~]{0,9})=[0-9]{0,22}") {
            let Ok(uri) = format!("/things?{text}").parse::<Uri>() else { return Ok(()) };
            if let Ok(page) = PageQuery(uri.into()).page() {
                prop_assert!((1..=HIGHEST_LIMIT).contains(&page.limit) && page.number >= 1);
                let _ = (page.offset(u64::MAX), page.last(0));
            }
        }
    }
}
