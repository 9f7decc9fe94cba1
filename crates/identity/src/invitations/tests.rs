use std::time::Duration;

use edge::admins::{self, Role};
use kernel::id::OrganizationId;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, EMAIL, PASSWORD, cookie_of};

const ACCEPT: &str = "/auth/invitations/accept";
const ANN: &str = "ann@example.com";

fn path(organization: OrganizationId) -> String {
    format!("/v1/content/organizations/{organization}/invitations")
}

/// An admin of an organization, with a session.
async fn start(test: TestStore) -> (App, OrganizationId, String) {
    let app = App::new(test);
    let (user, organization) = (app.admin(EMAIL).await, app.organization("riverside").await);
    app.write(move |tx| admins::join(tx, user, organization, Role::Admin)).await;
    let cookie = app.sign_in(EMAIL).await;
    (app, organization, cookie)
}

async fn invite(app: &App, organization: OrganizationId, cookie: &str, email: &str) -> String {
    let made = app.post(&path(organization)).cookie(cookie).json(&json!({ "email": email })).send().await.expect(201);
    assert_eq!(app.run_jobs().await, 1);
    made["id"].as_str().unwrap().to_owned()
}

#[both_stores]
async fn an_invitation_makes_an_account_that_administers_the_organization_once(test: TestStore) {
    let (app, organization, cookie) = start(test).await;
    invite(&app, organization, &cookie, " Ann@Example.com").await;
    let [token] = app.tokens_for(ANN).try_into().unwrap();
    assert!(app.mails()[0].contains("admin@example.com invites you to join the organization riverside"));
    let missing = app.post(ACCEPT).json(&json!({ "token": token })).send().await;
    assert_eq!(missing.faults(), ["password"]);
    let body = json!({ "token": token, "password": PASSWORD });
    let accepted = app.post(ACCEPT).json(&body).send().await.expect(200);
    assert_eq!(accepted, json!({ "organizationId": organization, "email": ANN }));
    assert_eq!(app.post(ACCEPT).json(&body).send().await.faults(), ["token"]);
    let ann = app.sign_in(ANN).await;
    let listed = app.get(&path(organization)).cookie(&ann).send().await.expect(200);
    assert!(listed[0]["acceptedAt"].is_string(), "{listed}");
    assert_eq!(app.audited().await, ["signIn", "createInvitation", "acceptInvitation", "signIn"]);
    app.post(&path(organization)).cookie(&cookie).json(&json!({ "email": ANN })).send().await.expect(409);
}

#[both_stores]
async fn an_invitation_gives_its_role(test: TestStore) {
    let (app, organization, cookie) = start(test).await;
    for (email, role) in [("t@example.com", "TEACHER"), ("r@example.com", "REVIEWER"), ("a@example.com", "ADMIN")] {
        let body = json!({ "email": email, "role": role });
        let made = app.post(&path(organization)).cookie(&cookie).json(&body).send().await.expect(201);
        assert_eq!(made["role"], role);
        app.run_jobs().await;
        let [token] = app.tokens_for(email).try_into().unwrap();
        app.post(ACCEPT).json(&json!({ "token": token, "password": PASSWORD })).send().await.expect(200);
        let me = app.get("/auth/me").cookie(&app.sign_in(email).await).send().await.expect(200);
        assert_eq!(me["organizations"][0]["role"], role);
    }
    let listed = app.get(&path(organization)).cookie(&cookie).send().await.expect(200);
    assert_eq!([&listed[0]["role"], &listed[2]["role"]], ["ADMIN", "TEACHER"]);
    let wrong = json!({ "email": ANN, "role": "OWNER" });
    assert_eq!(app.post(&path(organization)).cookie(&cookie).json(&wrong).send().await.faults(), ["role"]);
}

#[both_stores]
async fn an_invitation_takes_no_role_from_who_became_a_member_meanwhile(test: TestStore) {
    let (app, organization, cookie) = start(test).await;
    let ann = app.admin(ANN).await;
    let body = json!({ "email": ANN, "role": "REVIEWER" });
    app.post(&path(organization)).cookie(&cookie).json(&body).send().await.expect(201);
    app.run_jobs().await;
    app.write(move |tx| admins::join(tx, ann, organization, Role::Teacher)).await;
    let [token] = app.tokens_for(ANN).try_into().unwrap();
    app.post(ACCEPT).json(&json!({ "token": token })).send().await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM membership WHERE role = 'TEACHER'").await, 1);
}

#[both_stores]
async fn an_admin_of_elsewhere_accepts_without_a_password_that_would_change_the_account(test: TestStore) {
    let (app, organization, cookie) = start(test).await;
    app.admin(ANN).await;
    invite(&app, organization, &cookie, ANN).await;
    let [token] = app.tokens_for(ANN).try_into().unwrap();
    let page = app.get(&format!("{ACCEPT}?token={token}")).send().await;
    assert!(!page.body.contains("type=\"password\""), "{}", page.body);
    assert!(page.body.contains("<h1>Join riverside as administrator</h1>"), "{}", page.body);
    let form = format!("token={token}&password=");
    app.post(ACCEPT).raw("application/x-www-form-urlencoded", form).send().await;
    let ann = app.sign_in(ANN).await;
    app.get(&path(organization)).cookie(&ann).send().await.expect(200);
}

#[both_stores]
async fn the_page_names_the_invitation_and_leads_to_the_sign_in(test: TestStore) {
    let (app, organization, cookie) = start(test).await;
    let body = json!({ "email": ANN, "role": "TEACHER" });
    app.post(&path(organization)).cookie(&cookie).json(&body).send().await.expect(201);
    app.run_jobs().await;
    let [token] = app.tokens_for(ANN).try_into().unwrap();
    let page = app.get(&format!("{ACCEPT}?token={token}")).send().await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("style-src 'self'") && !policy.contains("unsafe"), "{policy}");
    for part in [
        "<h1>Join riverside as teacher</h1>",
        "<p class=\"soft\">ann@example.com</p>",
        "<label for=\"f-password\">Password</label>",
        "At least 8 characters",
        "minlength=\"8\"",
        "action=\"/auth/invitations/accept\"",
    ] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    let send = async |password: &str| {
        let form = format!("token={token}&password={password}");
        app.post(ACCEPT).raw("application/x-www-form-urlencoded", form).send().await
    };
    let short = send("short").await;
    assert_eq!(short.status.as_u16(), 400);
    for part in ["role=\"alert\"", "At least 8 characters", "<h1>Join riverside as teacher</h1>", &token] {
        assert!(short.body.contains(part), "{part}: {}", short.body);
    }
    let long = send(&"long".repeat(4000)).await;
    assert_eq!(long.status.as_u16(), 413);
    assert!(long.body.contains("Try again in a moment.") && !long.body.contains("no longer works"), "{}", long.body);
    let bare = app.get(ACCEPT).header("accept", "text/html").send().await;
    assert_eq!((bare.status.as_u16(), bare.body.contains("This link no longer works.")), (400, true), "{}", bare.body);
    let done = send("battery+staple").await;
    assert!(done.body.contains("href=\"/console/sign-in\">Sign in</a>"), "{}", done.body);
    let used = send("battery+staple").await;
    assert_eq!(used.status.as_u16(), 400);
    assert!(used.body.contains("This link no longer works.") && !used.body.contains("<form"), "{}", used.body);
    let opened = app.get(&format!("{ACCEPT}?token={token}"));
    let opened = opened.header("accept", "text/html").header("accept-language", "de").send().await;
    assert_eq!(opened.status.as_u16(), 400);
    assert!(opened.body.contains("Dieser Link gilt nicht mehr."), "{}", opened.body);
    assert_eq!(app.get(&format!("{ACCEPT}?token={token}")).send().await.faults(), ["token"]);
}

#[both_stores]
async fn an_expired_a_replaced_and_a_deleted_invitation_are_refused(test: TestStore) {
    let (app, organization, cookie) = start(test).await;
    invite(&app, organization, &cookie, ANN).await;
    let [replaced] = app.tokens_for(ANN).try_into().unwrap();
    invite(&app, organization, &cookie, ANN).await;
    let bob = invite(&app, organization, &cookie, "bob@example.com").await;
    let newer = app.tokens_for(ANN).into_iter().find(|token| *token != replaced).unwrap();
    let [deleted] = app.tokens_for("bob@example.com").try_into().unwrap();
    app.delete(&format!("{}/{bob}", path(organization))).cookie(&cookie).send().await.expect(204);
    app.delete(&format!("{}/{bob}", path(organization))).cookie(&cookie).send().await.expect(404);
    let accept =
        async |token: &str| app.post(ACCEPT).json(&json!({ "token": token, "password": PASSWORD })).send().await;
    assert_eq!(accept(&replaced).await.faults(), ["token"]);
    assert_eq!(accept(&deleted).await.faults(), ["token"]);
    app.test.clock.advance(Duration::from_secs(7 * 24 * 3600));
    assert_eq!(accept(&newer).await.faults(), ["token"]);
    assert_eq!(app.count("SELECT count(*) FROM admin_user").await, 1);
}

#[both_stores]
async fn only_who_manages_the_organization_invites(test: TestStore) {
    let (app, organization, _) = start(test).await;
    app.admin("other@example.com").await;
    app.operator("operator@example.com").await;
    let other = app.sign_in("other@example.com").await;
    let body = json!({ "email": ANN });
    app.post(&path(organization)).cookie(&other).json(&body).send().await.expect(403);
    app.get(&path(organization)).cookie(&other).send().await.expect(403);
    app.delete(&format!("{}/x", path(organization))).cookie(&other).send().await.expect(403);
    app.post(&path(organization)).json(&body).send().await.expect(401);
    let operator = cookie_of(&app.sign_in_with("operator@example.com", PASSWORD, json!({})).await);
    app.post(&path(organization)).cookie(&operator).json(&body).send().await.expect(201);
    let wrong = json!({ "email": "Ann <ann@example.com>" });
    assert_eq!(app.post(&path(organization)).cookie(&operator).json(&wrong).send().await.faults(), ["email"]);
}

#[both_stores]
async fn invitations_are_throttled_by_their_sender_and_their_recipient(test: TestStore) {
    let (app, organization, cookie) = start(test).await;
    let invite =
        async |email: &str| app.post(&path(organization)).cookie(&cookie).json(&json!({ "email": email })).send().await;
    for _ in 0..5 {
        invite(ANN).await.expect(201);
    }
    let refused = invite(ANN).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "900"));
    for _ in 0..3 {
        invite(EMAIL).await.expect(409);
    }
    for number in 0..95 {
        invite(&format!("{number}@example.com")).await.expect(201);
    }
    invite("late@example.com").await.expect(429);
    app.test.clock.advance(Duration::from_secs(15 * 60));
    invite(ANN).await.expect(201);
}
