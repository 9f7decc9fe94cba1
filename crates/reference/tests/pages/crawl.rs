//! Follows every link of every page.

use std::collections::{BTreeMap, BTreeSet};

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use scraper::{Html, Selector};
use tower::ServiceExt as _;

use crate::service::{ROOT, documents, router};

/// The longest page, in bytes. Style sheets, scripts and the font add some 90 KB, once.
const MAX_PAGE_BYTES: usize = 90_000;

pub(crate) async fn get(router: &Router, path: &str) -> (StatusCode, HeaderMap, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    (parts.status, parts.headers, String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn attributes(page: &Html, selector: &str, name: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    page.select(&selector).filter_map(|element| element.attr(name)).map(str::to_owned).collect()
}

/// All pages by their paths, with their ids and the places that their links name.
struct Pages {
    ids: BTreeMap<String, BTreeSet<String>>,
    links: Vec<(String, String)>,
}

async fn crawl(router: &Router) -> Pages {
    let (mut waiting, mut pages) = (vec!["/docs".to_owned()], Pages { ids: BTreeMap::new(), links: Vec::new() });
    while let Some(path) = waiting.pop() {
        if pages.ids.contains_key(&path) {
            continue;
        }
        let (status, _, html) = get(router, &path).await;
        assert_eq!(
            status,
            200,
            "{path}, which is linked from {:?}",
            pages.links.iter().find(|(_, to)| to.starts_with(&path))
        );
        assert!(html.len() < MAX_PAGE_BYTES, "{path} has {} bytes", html.len());
        let page = Html::parse_document(&html);
        let ids = attributes(&page, "[id]", "id");
        let unique: BTreeSet<String> = ids.iter().cloned().collect();
        assert_eq!(ids.len(), unique.len(), "{path}: an id is there twice");
        assert_eq!(
            attributes(&page, "style, [style], [onclick], script:not([src])", "class"),
            Vec::<String>::new(),
            "{path}"
        );
        assert_eq!(page.select(&Selector::parse("h1").unwrap()).count(), 1, "{path}");
        pages.ids.insert(path.clone(), unique);
        for link in attributes(&page, "a[href]", "href") {
            let link = if link.starts_with('#') { format!("{ROOT}{path}{link}") } else { link };
            let Some(own) = link.strip_prefix(ROOT).filter(|own| own.starts_with("/docs")) else { continue };
            pages.links.push((path.clone(), own.to_owned()));
            waiting.push(own.split('#').next().unwrap().to_owned());
        }
    }
    pages
}

#[tokio::test]
async fn every_link_leads_to_a_page_and_to_a_place_on_it() {
    let pages = crawl(&router(ROOT)).await;
    for (from, link) in &pages.links {
        let Some((path, id)) = link.split_once('#') else { continue };
        assert!(pages.ids[path].contains(id), "{from} links {link}");
    }
    assert_whole(&pages);
}

/// Every operation, event and schema has a page that links lead to, and a place in its index.
fn assert_whole(pages: &Pages) {
    let all =
        [("content", documents().content), ("platform", documents().platform), ("identity", documents().identity)];
    for (slug, document) in all {
        let document = document();
        let index = if slug == "content" { "/docs".to_owned() } else { format!("/docs/{slug}") };
        let mut number = 0;
        for (member, is_event) in [("paths", false), ("webhooks", true)] {
            for (path, item) in document[member].as_object().into_iter().flatten() {
                for operation in item.as_object().unwrap().values() {
                    number += 1;
                    let id = operation["operationId"].as_str().unwrap();
                    let page = if is_event { format!("/docs/events/{path}") } else { format!("/docs/{slug}/{id}") };
                    assert!(pages.ids.contains_key(&page), "{page}");
                    // The console links operations by their ids, and older links by their numbers.
                    assert!(pages.ids[&index].contains(id), "{index}#{id}");
                    assert!(pages.ids[&index].contains(&format!("operation-{number}")), "{index}#operation-{number}");
                }
            }
        }
        assert!(number > 10);
        for name in document["components"]["schemas"].as_object().unwrap().keys() {
            assert!(pages.ids.contains_key(&format!("/docs/{slug}/schemas/{name}")), "{name}");
            assert!(pages.ids[&index].contains(&format!("schema-{name}")), "{index}#schema-{name}");
        }
        assert!(pages.ids[&index].contains("schemas") && pages.ids[&index].contains("group-1"));
    }
}
