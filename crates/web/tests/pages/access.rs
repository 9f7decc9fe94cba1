//! Who may see what.

use content::resources::Kind;
use http::Method;
use http::header::ACCEPT_LANGUAGE;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::call::Reply;
use crate::service::Service;

const BASE: &str = "https://lectern.example";

fn assert_not_found(reply: &Reply, path: &str) {
    assert_eq!(reply.status, 404, "{path}");
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8", "{path}");
    assert_eq!(reply.texts("h1"), ["Page not found"], "{path}");
    assert_eq!(reply.header("cache-control"), "no-store", "{path}");
}

#[both_stores]
async fn only_what_is_public_has_a_public_page(test: TestStore) {
    let service = Service::new(test, BASE).await;
    for kind in Kind::ALL {
        let id = service.add(kind, json!({})).await;
        let path = service.public(kind, &id);
        assert_eq!(service.get(&path).await.status, 200, "{path}");
        let (column, private) =
            if kind == Kind::Module { ("is_public", json!(0)) } else { ("visibility", json!("PRIVATE")) };
        service.set(kind, &id, column, private).await;
        assert_not_found(&service.get(&path).await, &path);
        assert_eq!(service.get(&service.preview(kind, &id)).await.status, 200, "{path}");
    }
}

#[both_stores]
async fn unknown_private_and_wrongly_opened_are_the_same_page(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let private = service.add(Kind::Module, json!({ "is_public": 0 })).await;
    let other = service.add(Kind::Module, json!({})).await;
    let unknown: kernel::id::ModuleId = service.test.ambient.id();
    let token = service.preview(Kind::Module, &private).rsplit('/').next().unwrap().to_owned();
    let first = service.get(&format!("/public/modules/{private}")).await;
    for path in [
        format!("/public/modules/{unknown}"),
        "/public/modules/7".to_owned(),
        "/public/modules/%00".to_owned(),
        "/public/modules/%ff".to_owned(),
        format!("/public/holograms/{private}"),
        format!("/public/videos/{other}"),
        format!("/public/modules/{other}/{other}"),
        format!("/public/modules/{private}/x/y/z"),
        "/public/modules".to_owned(),
        format!("/preview/modules/{private}"),
        format!("/preview/modules/{private}/{}", &token[1..]),
        format!("/preview/modules/{private}/{token}A"),
        format!("/preview/modules/{other}/{token}"),
        format!("/preview/tests/{private}/{token}"),
        format!("/preview/modules/{unknown}/{token}"),
    ] {
        let reply = service.get(&path).await;
        assert_not_found(&reply, &path);
        assert_eq!(reply.body, first.body, "{path}");
        let names = |reply: &Reply| reply.headers.keys().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(&reply), names(&first), "{path}");
    }
}

#[both_stores]
async fn a_preview_is_marked_and_kept_by_nobody(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Module, json!({})).await;
    let preview = service.get(&service.preview(Kind::Module, &id)).await;
    assert_eq!((preview.header("cache-control"), preview.header("x-robots-tag")), ("no-store", "noindex, nofollow"));
    assert_eq!(preview.attributes("meta[name=robots]", "content"), ["noindex, nofollow"]);
    assert_eq!(preview.texts("header.ribbon").len(), 1);
    assert_eq!(preview.header("etag"), "");
    let public = service.get(&service.public(Kind::Module, &id)).await;
    assert_eq!((public.header("x-robots-tag"), public.texts("header.ribbon").len()), ("", 0));
}

#[both_stores]
async fn what_is_not_generated_yet_says_so(test: TestStore) {
    let service = Service::new(test, BASE).await;
    for kind in Kind::ALL {
        for (status, said) in
            [("queued", "waiting to be generated"), ("processing", "being generated"), ("failed", "No text.")]
        {
            let mut columns = json!({ "status": status });
            if status == "failed" {
                columns["error_code"] = json!("source_empty");
                columns["error_message"] = json!("No text.");
            }
            let id = service.add(kind, columns).await;
            let reply = service.get(&service.preview(kind, &id)).await;
            assert_eq!(reply.status, 200);
            assert!(reply.texts("[role=status]")[0].contains(said), "{kind:?} {status}: {}", reply.body);
            assert!(reply.texts("form, .prose, .scenes, .parts, .deck").is_empty(), "{kind:?} {status}");
        }
    }
}

#[both_stores]
async fn a_page_that_is_missing_speaks_the_readers_language(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let reply = service.get_with("/public/modules/7", ACCEPT_LANGUAGE, "fi, de;q=0.9").await;
    assert_eq!(reply.texts("h1"), ["Seite nicht gefunden"]);
    assert_eq!(reply.header("vary"), "accept-language");
}

#[both_stores]
async fn a_store_that_is_away_is_a_503_with_a_page(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Module, json!({})).await;
    service.test.store.close().await;
    let reply = service.get(&service.public(Kind::Module, &id)).await;
    assert_eq!((reply.status.as_u16(), reply.header("retry-after")), (503, "5"));
    assert_eq!(reply.texts("h1"), ["Just a moment"]);
    assert_eq!(service.get("/preview/modules/7/wrong").await.status, 404, "a wrong token needs no store");
}

#[both_stores]
async fn pages_take_get_and_head_and_those_with_questions_post(test: TestStore) {
    let service = Service::new(test, BASE).await;
    for kind in Kind::ALL {
        let id = service.add(kind, json!({})).await;
        let path = service.public(kind, &id);
        let head = service.call(Method::HEAD, &path).await;
        assert_eq!((head.status.as_u16(), head.body.as_str()), (200, ""), "{path}");
        assert_eq!(head.header("etag"), service.get(&path).await.header("etag"));
        for method in [Method::PUT, Method::DELETE, Method::PATCH] {
            assert_eq!(service.call(method, &path).await.status, 405, "{path}");
        }
        let takes_answers = matches!(kind, Kind::Module | Kind::Test);
        let posted = service.answer(&path, &[]).await;
        assert_eq!(posted.status.as_u16(), if takes_answers { 200 } else { 405 }, "{path}");
        if !takes_answers {
            assert_eq!(posted.header("allow"), "GET,HEAD");
        }
    }
}
