//! Lists: order, pages, totals.

use edge::responses::{ResponseLimits, Responses};
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use super::{deleted, kinds, made};
use crate::testing::{App, Reply, Tenant};

async fn page(app: &App, tenant: &Tenant, kind: &str, query: &str) -> Reply {
    let reply = app.get(&tenant.resources(&format!("{kind}{query}"))).key(&tenant.key).send().await;
    reply.expect(200);
    reply
}

fn ids(listed: &Value) -> Vec<String> {
    listed.as_array().unwrap().iter().map(|resource| resource["id"].as_str().unwrap().to_owned()).collect()
}

#[both_stores]
async fn a_list_is_newest_first_and_tells_its_total(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, _) in kinds() {
        let empty = page(&app, &tenant, kind, "").await;
        assert_eq!((empty.json(), empty.header("x-total-count")), (json!([]), "0"), "{kind}");
        let mut expected = Vec::new();
        for _ in 0..5 {
            let made = app.make(&tenant, kind, &body).await;
            expected.insert(0, made["id"].as_str().unwrap().to_owned());
            app.test.clock.advance(std::time::Duration::from_millis(1));
        }
        let listed = page(&app, &tenant, kind, "").await;
        assert_eq!(ids(&listed.json()), expected, "{kind}");
        assert_eq!(listed.header("x-total-count"), "5");
        let path = tenant.resources(&format!("{kind}/{}", expected[0]));
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(listed.json()[0], read, "a list has the resources whole");
    }
}

#[both_stores]
async fn a_page_that_is_too_large_for_memory_is_whole_and_held_in_a_file(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let mut expected = Vec::new();
    for number in 0..60 {
        let content = format!("<p>{}</p>", "ä".repeat(20_000 - number));
        let made = app.make(&tenant, "modules", &json!({ "title": format!("{number}"), "content": content })).await;
        expected.insert(0, made);
    }
    let query = "?limit=60";
    let response = app.get(&tenant.resources(&format!("modules{query}"))).key(&tenant.key).response().await;
    let (memory, disk) = app.door.responses.held_bytes();
    assert!(memory < 100_000 && disk > 2_000_000, "{memory} bytes in memory, {disk} on disk");
    drop(response);
    assert_eq!(app.door.responses.held_bytes(), (0, 0));
    let listed = page(&app, &tenant, "modules", query).await;
    assert_eq!(listed.json(), json!(expected));
    assert_eq!(listed.header("content-length"), listed.body.len().to_string());
}

#[both_stores]
async fn a_tenant_whose_pages_are_not_read_is_told_to_read_them_first(test: TestStore) {
    let limits = ResponseLimits { memory_bytes: 4 << 20, disk_bytes: 16 << 20, ..ResponseLimits::default() };
    let app = App::with_responses(test, Responses::new(limits));
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    for tenant in [&tenant, &other] {
        for _ in 0..60 {
            app.make(tenant, "modules", &json!({ "title": "Long", "content": "x".repeat(40_000) })).await;
        }
    }
    let ask = async |tenant: &Tenant| app.get(&tenant.resources("modules?limit=60")).key(&tenant.key).response().await;
    let unread = ask(&tenant).await;
    assert_eq!(unread.status().as_u16(), 200);
    let refused = ask(&tenant).await;
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "5"));
    assert_eq!(ask(&other).await.status().as_u16(), 200);
    drop(unread);
    assert_eq!(ask(&tenant).await.status().as_u16(), 200);
}

#[both_stores]
async fn resources_of_one_instant_are_listed_in_the_order_of_their_creation(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, _) in kinds() {
        let mut expected = Vec::new();
        for _ in 0..12 {
            expected.insert(0, app.make(&tenant, kind, &body).await["id"].as_str().unwrap().to_owned());
        }
        assert_eq!(ids(&page(&app, &tenant, kind, "").await.json()), expected, "{kind}");
    }
}

#[both_stores]
async fn pages_hold_everything_once_also_what_came_at_the_same_instant(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, _) in kinds() {
        for _ in 0..7 {
            app.make(&tenant, kind, &body).await;
        }
        let whole = ids(&page(&app, &tenant, kind, "").await.json());
        let mut paged = Vec::new();
        for number in 1..=4 {
            let reply = page(&app, &tenant, kind, &format!("?limit=2&page={number}")).await;
            assert_eq!(reply.header("x-total-count"), "7");
            paged.extend(ids(&reply.json()));
        }
        assert_eq!(paged, whole, "{kind}");
        for _ in 0..3 {
            app.make(&tenant, kind, &body).await;
        }
        let grown = ids(&page(&app, &tenant, kind, "").await.json());
        assert_eq!(grown.len(), 10);
        let kept: Vec<_> = grown.into_iter().filter(|id| whole.contains(id)).collect();
        assert_eq!(kept, whole, "{kind}: what comes at the same instant changes nobody's order");
    }
}

#[both_stores]
async fn links_lead_to_the_other_pages(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for _ in 0..5 {
        app.make(&tenant, "modules", &json!({ "title": "The cell" })).await;
    }
    let path = format!("https://lectern.example{}", tenant.resources("modules"));
    let link = |number: u32, relation: &str| format!("<{path}?limit=2&page={number}>; rel=\"{relation}\"");
    let second = page(&app, &tenant, "modules", "?limit=2&page=2").await;
    assert_eq!(second.header("link"), [link(1, "first"), link(1, "prev"), link(3, "next"), link(3, "last")].join(", "));
    let last = page(&app, &tenant, "modules", "?page=3&limit=2").await;
    assert_eq!(last.json().as_array().map(Vec::len), Some(1));
    assert_eq!(last.header("link"), [link(1, "first"), link(2, "prev"), link(3, "last")].join(", "));
    let beyond = page(&app, &tenant, "modules", "?page=99999999999999999999&limit=2").await;
    assert_eq!((beyond.json(), beyond.header("x-total-count")), (json!([]), "5"));
    assert_eq!(beyond.header("link"), [link(1, "first"), link(3, "prev"), link(3, "last")].join(", "));
    let first = page(&app, &tenant, "modules", "").await;
    let alone = |relation: &str| format!("<{path}?limit=20&page=1>; rel=\"{relation}\"");
    assert_eq!(first.header("link"), [alone("first"), alone("last")].join(", "));
}

#[both_stores]
async fn limit_and_page_outside_their_range_are_400_by_name(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, ..) in kinds() {
        let faults = async |query: &str| {
            app.get(&tenant.resources(&format!("{kind}?{query}"))).key(&tenant.key).send().await.faults()
        };
        for wrong in
            ["limit=0", "limit=101", "limit=-1", "limit=x", "limit=", "limit=1.5", "limit=%00", "limit=1&limit=2"]
        {
            assert_eq!(faults(wrong).await, ["limit"], "{kind}?{wrong}");
        }
        for wrong in ["page=0", "page=-1", "page=", "page=one", "page=1&page=1"] {
            assert_eq!(faults(wrong).await, ["page"], "{kind}?{wrong}");
        }
        assert_eq!(faults("limit=0&page=0").await, ["limit", "page"]);
        assert_eq!(faults("limit=100&page=1&sort=title").await, ["sort"]);
        page(&app, &tenant, kind, "?limit=100&page=1").await;
    }
}

#[both_stores]
async fn a_list_is_of_one_classroom_that_the_key_may_see(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("Riverside").await, app.tenant("Other").await);
    let beside = app.classroom(&tenant, "Class 8a", "en").await;
    for (kind, body, _) in kinds() {
        made(&app, &tenant, kind, &body).await;
        for classroom in [other.classroom.to_string(), app.test.ambient.id::<kernel::id::ClassroomId>().to_string()] {
            let path = format!("/v1/content/classrooms/{classroom}/{kind}");
            app.get(&path).key(&tenant.key).send().await.expect(404);
            app.post(&path).key(&tenant.key).json(&body).send().await.expect(404);
        }
        let path = format!("/v1/content/classrooms/{}/{kind}", beside.id);
        let reply = app.get(&path).key(&tenant.key).send().await;
        assert_eq!((reply.expect(200), reply.header("x-total-count")), (json!([]), "0"), "{kind}");
        let wrong = app.get(&format!("/v1/content/classrooms/7b/{kind}")).key(&tenant.key).send().await;
        assert_eq!(wrong.faults(), ["classroomId"]);
        let wrong = app.post(&format!("/v1/content/classrooms/7b/{kind}")).key(&tenant.key).json(&body).send().await;
        assert_eq!(wrong.faults(), ["classroomId"]);
    }
}

#[both_stores]
async fn what_is_deleted_is_gone_from_list_and_total(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, _) in kinds() {
        let (first, second) = (made(&app, &tenant, kind, &body).await, made(&app, &tenant, kind, &body).await);
        app.delete(&first).key(&tenant.key).send().await.expect(deleted(kind));
        app.delete(&first).key(&tenant.key).send().await.expect(404);
        app.get(&first).key(&tenant.key).send().await.expect(404);
        let left = page(&app, &tenant, kind, "").await;
        assert_eq!((ids(&left.json()).len(), left.header("x-total-count")), (1, "1"), "{kind}");
        app.delete(&second).key(&tenant.key).send().await.expect(deleted(kind));
        let empty = page(&app, &tenant, kind, "").await;
        assert_eq!((empty.json(), empty.header("x-total-count")), (json!([]), "0"), "{kind}");
    }
}

#[both_stores]
async fn what_an_expansion_makes_is_listed_and_counted(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let job = app.expand(&tenant, &tenant.source()).await;
    app.run_jobs().await;
    let outputs = app.job(&tenant, &job).await["outputs"].take();
    for (n, kind) in ["modules", "videos", "tests"].into_iter().enumerate() {
        let listed = page(&app, &tenant, kind, "").await;
        assert_eq!(ids(&listed.json()), [outputs[n]["resourceId"].as_str().unwrap()], "{kind}");
        assert_eq!(listed.header("x-total-count"), "1");
        let path = tenant.resources(&format!("{kind}/{}", outputs[n]["resourceId"].as_str().unwrap()));
        assert_eq!(listed.json()[0], app.get(&path).key(&tenant.key).send().await.expect(200));
    }
    app.finish().await;
}
