//! What browsers and proxies may keep, and files.

use content::resources::Kind;
use http::header::IF_NONE_MATCH;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::service::Service;

const BASE: &str = "https://lectern.example/school/";

#[both_stores]
async fn a_public_page_is_asked_for_each_time_and_sent_only_when_it_changed(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Module, json!({})).await;
    let path = service.public(Kind::Module, &id);
    let first = service.get(&path).await;
    let tag = first.header("etag").to_owned();
    assert_eq!(first.header("cache-control"), "public, no-cache");
    for known in [&*tag, "*", &format!("\"x\", W/{tag}")] {
        let again = service.get_with(&path, IF_NONE_MATCH, known).await;
        assert_eq!((again.status.as_u16(), again.body.as_str(), again.header("etag")), (304, "", &*tag), "{known}");
    }
    service.set(Kind::Module, &id, "content", json!("<p>Changed.</p>")).await;
    let changed = service.get_with(&path, IF_NONE_MATCH, &tag).await;
    assert_eq!((changed.status.as_u16(), changed.texts(".prose p")), (200, vec!["Changed.".to_owned()]));
    service.set(Kind::Module, &id, "is_public", json!(0)).await;
    assert_eq!(service.get_with(&path, IF_NONE_MATCH, changed.header("etag")).await.status, 404);
}

#[both_stores]
async fn files_are_kept_for_ever_under_an_address_that_changes_with_them(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Video, json!({ "scenes": [["A", "b", 3.0]] })).await;
    let page = service.get(&service.public(Kind::Video, &id)).await;
    let mut addresses = page.attributes("link", "href");
    addresses.extend(page.attributes("script", "src"));
    assert_eq!(addresses.len(), 9);
    for address in addresses {
        let below = address.strip_prefix("/school").unwrap();
        let file = service.get(below).await;
        assert_eq!((file.status.as_u16(), file.header("cache-control")), (200, "public, max-age=31536000, immutable"));
        let name = below.rsplit('/').next().unwrap();
        let other = service.get(&format!("/assets/0000000000000000/{name}")).await;
        assert_eq!((other.status.as_u16(), other.header("cache-control")), (200, "no-store"));
        assert_eq!(other.body, file.body);
    }
    for missing in ["/assets/0/secret", "/assets/0/..%2f..%2fCargo.toml", "/assets/0/"] {
        let status = service.get(missing).await.status;
        assert_eq!(status, 404, "{missing}");
    }
}
