use std::time::Duration;

use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, EMAIL, PASSWORD};

const REQUEST: &str = "/auth/password-reset";
const CONFIRM: &str = "/auth/password-reset/confirm";
const NEW: &str = "battery staple";

/// An admin with a mail.
async fn asked(test: TestStore) -> (App, String) {
    let app = App::new(test);
    app.admin(EMAIL).await;
    app.post(REQUEST).json(&json!({ "email": EMAIL })).send().await.expect(202);
    assert_eq!(app.run_jobs().await, 1);
    let [token] = app.tokens_for(EMAIL).try_into().unwrap();
    (app, token)
}

#[both_stores]
async fn the_link_sets_a_password_once_and_ends_all_sessions(test: TestStore) {
    let (app, token) = asked(test).await;
    let cookie = app.sign_in(EMAIL).await;
    let body = json!({ "token": token, "password": NEW });
    app.post(CONFIRM).json(&body).send().await.expect(204);
    app.get("/auth/sessions").cookie(&cookie).send().await.expect(401);
    assert_eq!(app.post(CONFIRM).json(&body).send().await.faults(), ["token"]);
    app.sign_in_with(EMAIL, PASSWORD, json!({})).await.expect(401);
    app.sign_in_with(EMAIL, NEW, json!({})).await.expect(200);
    assert_eq!(app.audited().await, ["signIn", "confirmPasswordReset", "signIn"]);
}

#[both_stores]
async fn a_page_takes_the_password_without_script(test: TestStore) {
    let (app, token) = asked(test).await;
    let page = app.get(&format!("{CONFIRM}?token={token}")).header("accept-language", "ar,en;q=0.5").send().await;
    assert_eq!(page.header("referrer-policy"), "same-origin");
    assert!(page.body.contains("dir=\"rtl\"") && page.body.contains(&token), "{}", page.body);
    let send = async |form: String| app.post(CONFIRM).raw("application/x-www-form-urlencoded", form).send().await;
    let short = send(format!("token={token}&password=short")).await;
    assert_eq!((short.status.as_u16(), short.header("content-type")), (400, "text/html; charset=utf-8"));
    assert!(short.body.contains("role=\"alert\"") && short.body.contains(&token), "{}", short.body);
    let page = send(format!("token={token}&password=battery+staple")).await;
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    app.sign_in_with(EMAIL, NEW, json!({})).await.expect(200);
    let used = send(format!("token={token}&password=battery+staple")).await;
    assert_eq!(used.status.as_u16(), 400);
    assert!(used.body.contains("role=\"alert\"") && !used.body.contains("<form"), "{}", used.body);
    let script = app.get(&format!("{CONFIRM}?token=%22%3E%3Cscript%3E")).send().await;
    assert!(!script.body.contains("<script"), "{}", script.body);
}

#[both_stores]
async fn an_unknown_address_gets_the_same_answer_and_no_mail(test: TestStore) {
    let app = App::new(test);
    app.admin(EMAIL).await;
    let mut answers = Vec::new();
    for email in [EMAIL, "nobody@example.com"] {
        let reply = app.post(REQUEST).json(&json!({ "email": email })).send().await;
        answers.push((reply.status, reply.body, app.count("SELECT count(*) FROM job").await));
        assert_eq!(app.run_jobs().await, 1);
    }
    assert_eq!(answers[0], answers[1], "the same answer after the same work");
    assert_eq!(app.mails().len(), 1);
}

#[both_stores]
async fn an_expired_an_older_and_a_forged_token_set_nothing(test: TestStore) {
    let (app, older) = asked(test).await;
    app.post(REQUEST).json(&json!({ "email": EMAIL })).send().await.expect(202);
    app.run_jobs().await;
    let newer = app.tokens_for(EMAIL).into_iter().find(|token| *token != older).unwrap();
    let confirm = async |token: &str| app.post(CONFIRM).json(&json!({ "token": token, "password": NEW })).send().await;
    assert_eq!(confirm(&older).await.faults(), ["token"]);
    let (_, tag) = newer.split_once('.').unwrap();
    assert_eq!(confirm(&format!("0192aee1-5a3b-7c2d-8e4f-123456789abc.{tag}")).await.faults(), ["token"]);
    let short = app.post(CONFIRM).json(&json!({ "token": newer, "password": "short" })).send().await;
    assert_eq!(short.faults(), ["password"]);
    app.test.clock.advance(Duration::from_secs(3600));
    assert_eq!(confirm(&newer).await.faults(), ["token"]);
    app.sign_in_with(EMAIL, PASSWORD, json!({})).await.expect(200);
}

#[both_stores]
async fn requests_are_throttled_and_only_for_own_pages(test: TestStore) {
    let app = App::new(test);
    for email in [EMAIL, "nobody@example.com"] {
        for _ in 0..3 {
            app.post(REQUEST).json(&json!({ "email": email })).send().await.expect(202);
        }
        let refused = app.post(REQUEST).json(&json!({ "email": email })).send().await;
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "900"), "{email}");
    }
    app.post_bare(REQUEST).json(&json!({ "email": EMAIL })).send().await.expect(403);
    let foreign = app.post_bare(CONFIRM).header("origin", "https://evil.example");
    foreign.json(&json!({ "token": "x", "password": NEW })).send().await.expect(403);
}
