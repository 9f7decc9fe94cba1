//! Who may show a page in a frame.

use content::resources::Kind;
use serde_json::json;
use testkit::{TestStore, both_stores};
use web::PageOptions;

use crate::answering::quiz;
use crate::call::Reply;
use crate::service::Service;

const BASE: &str = "https://lectern.example/school/";

fn ancestors(reply: &Reply) -> String {
    assert_eq!(reply.header("x-frame-options"), "", "it would contradict the policy");
    let policy = reply.header("content-security-policy");
    let mut rules = policy.split("; ").filter_map(|rule| rule.strip_prefix("frame-ancestors "));
    rules.next().unwrap().to_owned()
}

#[both_stores]
async fn nobody_frames_a_page_unless_the_operator_names_them(test: TestStore) {
    let service = Service::new(test, BASE).await;
    let id = service.add(Kind::Module, json!({})).await;
    for path in [service.public(Kind::Module, &id), service.preview(Kind::Module, &id)] {
        assert_eq!(ancestors(&service.get(&path).await), "'none'", "{path}");
    }
}

#[both_stores]
async fn named_origins_frame_learners_pages_and_nothing_else(test: TestStore) {
    let frame_origins = ["https://lms.example", "https://portal.example:8443"].map(str::to_owned).to_vec();
    let service = Service::with_options(test, BASE, PageOptions { frame_origins, ..PageOptions::default() }).await;
    let id = service.add(Kind::Module, json!({ "quizzes": quiz() })).await;
    let public = service.public(Kind::Module, &id);
    let missing = service.public(Kind::Module, "0192aee1-5a3b-7c2d-8e4f-123456789abc");
    for path in [&public, &service.preview(Kind::Module, &id), &missing] {
        assert_eq!(ancestors(&service.get(path).await), "https://lms.example https://portal.example:8443", "{path}");
    }
    let checked = service.answer(&public, &[("answer-one", "b")]).await;
    assert_eq!(checked.status, 200);
    assert_eq!(ancestors(&checked), "https://lms.example https://portal.example:8443", "the page with the result");
    assert_eq!(checked.header("set-cookie"), "", "a frame's form needs no cookie");
}
