//! The first run: the form for the first account, and the steps that follow it.

use axum::body::Body;
use http::header::COOKIE;
use http::{Method, Request, StatusCode};
use serde_json::json;

use crate::browser::{Page, form_request, open, send, submit};
use crate::fake::{Fake, id_in};

const FORM: &str =
    "code=3f9a2-77c01&email=a%40b.example&password=+secret+word+&organization=Hill&classroom=7b&timezone=UTC";

fn new() -> Fake {
    Fake { is_new: true, ..Fake::default() }
}

async fn open_signed_out(fake: &Fake, path: &str) -> Page {
    send(&fake.console(), Request::get(path).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn while_nobody_has_an_account_sign_in_leads_to_setup_and_back_afterwards() {
    assert_eq!(open_signed_out(&new(), "/console/sign-in").await.location(), "/console/setup");
    let page = open_signed_out(&new(), "/console/setup").await;
    assert_eq!((page.status, page.texts("h1")), (StatusCode::OK, vec!["Set up Lectern".to_owned()]));
    let labels = page.attributes("label[for]", "for");
    for id in page.attributes("main input:not([type=hidden])", "id") {
        assert!(labels.contains(&id), "{id} has no label");
    }
    assert_eq!(open_signed_out(&Fake::default(), "/console/setup").await.location(), "/console/sign-in");
    assert_eq!(open_signed_out(&Fake::default(), "/console/sign-in").await.status, StatusCode::OK);
}

#[tokio::test]
async fn setup_opens_a_session_of_its_own_and_shows_the_keys_once() {
    let fake = new();
    let request = Request::post("/console/setup").header("sec-fetch-site", "same-origin").header(COOKIE, "jwt=planted");
    let page = send(&fake.console(), form_request(request, FORM)).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.body);
    assert_eq!(page.texts(".reveal pre"), ["svc_content_secret", "svc_platform_secret"]);
    assert!(page.header("set-cookie").starts_with("jwt=new;"), "{}", page.header("set-cookie"));
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(!page.body.contains("secret word"));
    let write = &fake.writes()[0];
    assert_eq!((&write.method, write.path.as_str()), (&Method::POST, "/auth/setup"));
    assert!(!write.headers.contains_key(COOKIE), "a planted session is not passed on");
    let whole = json!({
        "code": "3f9a2-77c01", "email": "a@b.example", "password": " secret word ", "organization": "Hill", "classroom": "7b",
        "timezone": "UTC",
    });
    assert_eq!(write.body, whole, "a password is sent as it was typed");
}

#[tokio::test]
async fn another_site_sets_nothing_up_and_a_refused_form_forgets_the_password() {
    let fake = new();
    let foreign = Request::post("/console/setup").header("sec-fetch-site", "cross-site");
    assert_eq!(send(&fake.console(), form_request(foreign, FORM)).await.status, StatusCode::FORBIDDEN);
    assert!(fake.writes().is_empty());
    let details = json!([{ "path": "code", "message": "is wrong." }]);
    let body = json!({ "statusCode": 400, "message": "Invalid.", "error": "Bad Request", "details": details });
    let fake = Fake { refusal: Some((400, body)), ..new() };
    let page = submit(&fake.console(), "/console/setup", FORM).await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert_eq!(page.texts("#h-code .field-error"), ["The code is wrong."]);
    assert_eq!(page.attributes("#f-organization", "value"), ["Hill"]);
    assert!(!page.body.contains("secret word"));
}

#[tokio::test]
async fn the_slower_of_two_browsers_is_led_to_sign_in() {
    let body = json!({ "statusCode": 404, "message": "Setup not found.", "error": "Not Found" });
    let fake = Fake { refusal: Some((404, body)), ..new() };
    assert_eq!(submit(&fake.console(), "/console/setup", FORM).await.location(), "/console/sign-in");
}

#[tokio::test]
async fn steps_are_ticked_when_the_api_shows_that_they_happened() {
    let page = open(&Fake::default().console(), "/console/start").await;
    assert_eq!(page.attributes(".guide > .is-done", "class").len(), 3, "{}", page.body);
    assert!(page.attributes(".guide form", "action").is_empty());
    let starting = Fake { is_empty: true, ..Fake::default() };
    let page = open(&starting.console(), "/console/start").await;
    assert_eq!(page.attributes(".guide > .is-done", "class").len(), 1);
    assert_eq!(page.attributes(".guide form", "action"), ["/console/start/expansion", "/console/start/answer"]);
    let links = async |fake: &Fake| open(&fake.console(), "/console").await.attributes("main a", "href");
    assert!(links(&starting).await.contains(&"/console/start".to_owned()));
    assert!(!links(&Fake::default()).await.contains(&"/console/start".to_owned()));
    let administrator = Fake { role: Some("ADMIN"), is_empty: true, ..Fake::default() };
    assert!(!links(&administrator).await.contains(&"/console/start".to_owned()));
}

#[tokio::test]
async fn the_steps_call_the_operations_of_the_playgrounds() {
    let fake = Fake { is_empty: true, ..Fake::default() };
    let page = submit(&fake.console(), "/console/start/expansion", "key=k-1").await;
    assert_eq!(page.location(), "/console/start?done=start-expanded");
    let write = fake.writes()[0].clone();
    assert_eq!(write.path, "/v1/content/integrations/expansions");
    assert_eq!(write.headers["lectern-organization"], id_in("organizations").as_str());
    assert_eq!(
        (&write.body["classroomId"], &write.headers["idempotency-key"]),
        (&json!(id_in("classrooms")), &"k-1".parse().unwrap())
    );
    let form = "key=k-2&questionText=Why%3F&referenceAnswer=So.&learnerAnswer=Because.";
    let page = submit(&fake.console(), "/console/start/answer", form).await;
    assert_eq!(page.location(), "/console/start?done=start-graded");
    let write = fake.writes()[1].clone();
    assert!(write.path.starts_with("/v1/platform/evaluations?workspaceId="), "{}", write.path);
    assert_eq!(
        (&write.body["evaluationType"], &write.body["learnerAnswer"]),
        (&json!("open_ended"), &json!("Because."))
    );
}
