//! The service's root: a page for people, JSON for programs.

use axum::body::Body;
use http::header::ACCEPT;
use http::{Method, Request};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};
use tower::ServiceExt as _;

use crate::service::Service;

const BASE: &str = "https://lectern.example/school/";
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[both_stores]
async fn people_see_what_this_is_and_where_to_go(test: TestStore) {
    let service = Service::new(test, BASE).await;
    service.account(None).await;
    let page = service.get_with("/", ACCEPT, BROWSER).await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!((page.header("vary"), page.header("cache-control")), ("accept", "no-store"));
    assert_eq!(page.texts("h1"), ["Lectern"]);
    assert_eq!(page.texts(".state.right"), ["Ready: the service answers requests."]);
    assert_eq!(page.texts("main a.primary"), ["Sign in to the console"]);
    let links = page.attributes("main a", "href");
    for link in [
        "/console",
        "/docs",
        "/docs/platform",
        "/openapi/content.json",
        "/openapi/platform.json",
        "/healthz",
        "/readyz",
    ] {
        assert!(links.contains(&format!("/school{link}")), "{link}: {links:?}");
    }
}

#[both_stores]
async fn while_nobody_has_an_account_people_are_led_to_the_first_one(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let page = service.get_with("/", ACCEPT, BROWSER).await;
    assert_eq!((page.status.as_u16(), page.header("location")), (303, "/school/console/setup"));
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(service.get("/").await.status.as_u16(), 200, "programs get JSON all the same");
}

#[both_stores]
async fn who_is_signed_in_is_led_to_the_console(test: TestStore) {
    let service = Service::new(test, BASE).await;
    service.account(Some("token")).await;
    for (cookie, words) in [("jwt=token", "Open your console"), ("jwt=other", "Sign in to the console")] {
        let request = Request::get("/").header(ACCEPT, BROWSER).header("cookie", cookie).body(Body::empty()).unwrap();
        let response = service.router.clone().oneshot(request).await.unwrap();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&bytes).contains(words), "{cookie}");
    }
}

#[both_stores]
async fn programs_get_json_with_whole_addresses(test: TestStore) {
    let service = Service::new(test, BASE).await;
    for reply in [service.get("/").await, service.get_with("/", ACCEPT, "*/*").await] {
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/json"));
        let body: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!((&body["name"], &body["status"]), (&json!("Lectern"), &json!("ready")));
        assert_eq!(body["links"]["contentDocs"], "https://lectern.example/school/docs");
    }
}

#[both_stores]
async fn the_root_says_what_readyz_says(test: TestStore) {
    let service = Service::new(test, BASE).await;
    service.test.store.supervision().fail("a part", "the test ends it");
    let body: Value = serde_json::from_str(&service.get("/").await.body).unwrap();
    assert_eq!(body["status"], "not ready", "a part of it is down");
}

#[both_stores]
async fn the_root_tells_when_the_database_is_away(test: TestStore) {
    let service = Service::new(test, BASE).await;
    service.test.store.close().await;
    let page = service.get_with("/", ACCEPT, BROWSER).await;
    assert_eq!((page.status.as_u16(), page.texts(".state.wrong").len()), (200, 1));
    let body: Value = serde_json::from_str(&service.get("/").await.body).unwrap();
    assert_eq!(body["status"], "not ready");
}

#[both_stores]
async fn the_root_answers_head_and_takes_nothing(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let head = service.call(Method::HEAD, "/").await;
    assert_eq!((head.status.as_u16(), head.body.as_str()), (200, ""));
    let post = service.call(Method::POST, "/").await;
    assert_eq!((post.status.as_u16(), post.header("allow")), (405, "GET,HEAD"));
}

#[both_stores]
async fn the_icon_has_its_old_name_too(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let request = Request::get("/favicon.ico").body(Body::empty()).unwrap();
    let response = service.router.clone().oneshot(request).await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["content-type"].to_str().unwrap()),
        (200, &"image/x-icon")
    );
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(bytes[..4], [0, 0, 1, 0], "an icon");
}
