//! What the reference tells browsers and proxies.

use axum::body::Body;
use http::header::IF_NONE_MATCH;
use http::{Method, Request};
use scraper::Html;
use tower::ServiceExt as _;

use crate::crawl::{attributes, get};
use crate::service::{ROOT, router};

#[tokio::test]
async fn nobody_frames_a_page_and_nothing_inline_runs() {
    for path in ["/docs", "/docs/platform/createEvaluation", "/docs/errors", "/docs/nowhere", "/docs/search?q=x"] {
        let (_, headers, _) = get(&router(ROOT), path).await;
        let policy = headers["content-security-policy"].to_str().unwrap();
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.split("; ").any(|one| one == rule), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(headers["cross-origin-opener-policy"], "same-origin", "{path}");
    }
}

#[tokio::test]
async fn a_page_is_sent_again_only_when_it_changed() {
    let router = router(ROOT);
    let (status, headers, _) = get(&router, "/docs").await;
    assert_eq!((status.as_u16(), &headers["cache-control"]), (200, &"public, no-cache".parse().unwrap()));
    let request = Request::get("/docs").header(IF_NONE_MATCH, &headers["etag"]).body(Body::empty()).unwrap();
    assert_eq!(router.clone().oneshot(request).await.unwrap().status(), 304);
    let request = Request::get("/docs/errors").header(IF_NONE_MATCH, &headers["etag"]).body(Body::empty()).unwrap();
    assert_eq!(router.oneshot(request).await.unwrap().status(), 200);
}

#[tokio::test]
async fn files_are_kept_for_ever_under_an_address_that_changes_with_them() {
    let router = router(ROOT);
    let (_, _, html) = get(&router, "/docs/content/createModule").await;
    let page = Html::parse_document(&html);
    let files = [attributes(&page, "link[href]", "href"), attributes(&page, "script[src]", "src")].concat();
    assert_eq!(files.len(), 9);
    let mut bytes = html.len();
    for file in files {
        let (status, headers, text) = get(&router, file.strip_prefix(ROOT).unwrap()).await;
        assert_eq!(
            (status.as_u16(), &headers["cache-control"]),
            (200, &"public, max-age=31536000, immutable".parse().unwrap()),
            "{file}"
        );
        bytes += text.len();
    }
    assert!(bytes < 160_000, "{bytes} bytes with the font read as text");
    for other in ["/docs/assets/0000000000000000/docs.css", "/docs/assets/0000000000000000/search.json"] {
        let (status, headers, _) = get(&router, other).await;
        assert_eq!(status, 200, "{other}");
        assert!(!headers["cache-control"].to_str().unwrap().contains("immutable"), "{other}");
    }
    for missing in ["/docs/assets/0/secret", "/docs/assets/0/..%2f..%2fCargo.toml"] {
        assert_eq!(get(&router, missing).await.0, 404, "{missing}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_a_page_and_nothing_is_written() {
    let router = router(ROOT);
    for path in [
        "/docs/nowhere",
        "/docs/content/nowhere",
        "/docs/guides/nowhere",
        "/docs/events/nowhere",
        "/docs/platform/schemas/nowhere",
        "/docs/a/b/c/d",
    ] {
        let (status, headers, html) = get(&router, path).await;
        assert_eq!(
            (status.as_u16(), &headers["content-type"]),
            (404, &"text/html; charset=utf-8".parse().unwrap()),
            "{path}"
        );
        assert!(html.contains("There is no such page"), "{path}");
    }
    let request = Request::builder().method(Method::POST).uri("/docs").body(Body::empty()).unwrap();
    assert_eq!(router.clone().oneshot(request).await.unwrap().status(), 405);
    assert_eq!(get(&router, "/docs/content").await.0, 308);
}
