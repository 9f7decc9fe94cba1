//! Walks the router: every operation of the document, with every credential that must not open it.
//!
//! A new operation fails here by its name until [`CASES`] says who may call it.

use std::collections::BTreeSet;
use std::time::Duration;

use edge::admins::Role;
use serde_json::Value;
use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, Call, Reply, Things};

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    /// Anybody: the answer is public.
    Nobody,
    /// Anybody who has the link: its signature is the credential.
    Link,
    /// The holder of a platform key, for what belongs to the key's workspace; an operator for everything.
    Key,
    /// The same, on the key's own workspace unless the request names another one.
    KeyOrNamed,
    /// The holder of a platform key; what the answer holds depends on the key alone.
    KeyAlone,
    /// An operator, or the holder of a key with the scope `platform:admin`.
    Service,
}

use Guard::{Key, KeyAlone, KeyOrNamed, Link, Nobody, Service};

const CASES: &[(&str, Guard)] = &[
    ("POST /v1/platform/evaluations", KeyOrNamed),
    ("GET /v1/platform/evaluations", KeyOrNamed),
    ("GET /v1/platform/evaluations/{id}", Key),
    ("GET /v1/platform/evaluations/{id}/record", Key),
    ("POST /v1/platform/evaluations/{id}/review", Key),
    ("POST /v1/platform/evaluations/reviews", KeyAlone),
    ("GET /v1/platform/questions", KeyOrNamed),
    ("GET /v1/platform/questions/{id}", Key),
    ("GET /v1/platform/questions/{id}/review-queue", Key),
    ("POST /v1/platform/questions/{id}/regrade", Key),
    ("GET /v1/platform/files/{fileId}", Link),
    ("POST /v1/platform/api-keys", Key),
    ("GET /v1/platform/api-keys", Key),
    ("POST /v1/platform/api-keys/{id}/revoke", Key),
    ("POST /v1/platform/api-keys/{id}/rotate", Key),
    ("GET /v1/platform/api-keys/{id}/caps", Service),
    ("PUT /v1/platform/api-keys/{id}/caps", Service),
    ("GET /v1/platform/learners/{learnerId}/mastery", KeyOrNamed),
    ("DELETE /v1/platform/learners/{learnerId}", KeyOrNamed),
    ("GET /v1/platform/lti/.well-known/jwks.json", Nobody),
    ("POST /v1/platform/lti/registrations", KeyOrNamed),
    ("GET /v1/platform/lti/registrations", KeyOrNamed),
    ("GET /v1/platform/lti/registrations/{id}", Key),
    ("PUT /v1/platform/lti/registrations/{id}", Key),
    ("DELETE /v1/platform/lti/registrations/{id}", Key),
    ("GET /v1/platform/lti/registrations/{id}/refusals", Key),
    ("GET /v1/platform/lti/sessions/{id}", Key),
    ("GET /v1/platform/lti/sessions/{id}/roster", Key),
    ("POST /v1/platform/lti/registration-links", KeyOrNamed),
    ("GET /v1/platform/lti/registration-links", KeyOrNamed),
    ("DELETE /v1/platform/lti/registration-links/{id}", Key),
    ("POST /v1/platform/lti/registrations/{id}/lti-sync", Key),
    ("POST /v1/platform/evaluations/{id}/lti-sync", Key),
    ("GET /v1/platform/submissions", KeyOrNamed),
    ("GET /v1/platform/submissions/{id}", Key),
    ("POST /v1/platform/submissions/{id}/lti-sync", Key),
    ("GET /v1/platform/traces/{id}", Key),
    ("GET /v1/platform/videos/edit/{editToken}", Link),
    ("PATCH /v1/platform/videos/edit/{editToken}", Link),
    ("POST /v1/platform/videos/edit/{editToken}/part-drafts", Link),
    ("POST /v1/platform/videos/edit/{editToken}/render", Link),
    ("DELETE /v1/platform/videos/edit/{editToken}/render", Link),
    ("GET /v1/platform/videos/edit/{editToken}/files/{name}", Link),
    ("GET /v1/platform/videos/edit/{editToken}/scenes/{sceneId}/picture", Link),
    ("GET /v1/platform/agent/verify-email", Link),
    ("POST /v1/platform/agent/verify-email/resend", KeyOrNamed),
    ("POST /v1/platform/agent/billing/session", KeyOrNamed),
    ("POST /v1/platform/agent/billing/webhook", Link),
    ("GET /v1/platform/agent/billing/payment-methods", KeyOrNamed),
    ("DELETE /v1/platform/agent/billing/payment-methods/{id}", Key),
    ("POST /v1/platform/webhooks", KeyOrNamed),
    ("GET /v1/platform/webhooks", KeyOrNamed),
    ("DELETE /v1/platform/webhooks/{id}", Key),
    ("POST /v1/platform/webhooks/{id}/rotate-secret", Key),
    ("POST /v1/platform/webhooks/{id}/test", Key),
    ("GET /v1/platform/webhooks/{id}/deliveries", Key),
    ("POST /v1/platform/webhooks/{id}/deliveries/{eventId}/redeliver", Key),
    ("GET /v1/platform/admin/stats", KeyAlone),
    ("GET /v1/platform/admin/stats/daily", KeyAlone),
    ("GET /v1/platform/admin/stats/organizations", KeyAlone),
    ("GET /v1/platform/admin/queues", Service),
    ("GET /v1/platform/admin/jobs", Service),
    ("POST /v1/platform/admin/jobs/{id}/retry", Service),
    ("DELETE /v1/platform/admin/jobs/{id}", Service),
    ("GET /v1/platform/admin/audit-log", Service),
    ("POST /v1/platform/workspaces", Service),
    ("GET /v1/platform/workspaces", KeyAlone),
    ("POST /v1/platform/workspaces/from-organization", Service),
    ("GET /v1/platform/workspaces/{id}", Key),
    ("PATCH /v1/platform/workspaces/{id}", Service),
    ("POST /v1/platform/workspaces/{id}/credits", Service),
    ("POST /v1/platform/workspaces/{id}/suspend", Service),
    ("POST /v1/platform/workspaces/{id}/activate", Service),
    ("POST /v1/platform/workspaces/{id}/link", Service),
    ("GET /v1/platform/workspaces/{id}/ledger", Key),
    ("GET /v1/platform/workspaces/{id}/invoices", Key),
    ("GET /v1/platform/workspaces/{id}/invoices/{number}", Key),
    ("GET /v1/platform/workspaces/{id}/caps", Service),
    ("PUT /v1/platform/workspaces/{id}/caps", Service),
];

/// It asks a learning platform, and the launch of the test offered no roster: 409 says that the caller was let in.
const ROSTER: &str = "GET /v1/platform/lti/sessions/{id}/roster";
/// It asks a payment processor, which the test has not: 409 says that the caller was let in.
const BILLING: &str = "POST /v1/platform/agent/billing/session";
const RESEND: &str = "POST /v1/platform/agent/verify-email/resend";
/// What a workspace whose e-mail address isn't verified may do.
const UNVERIFIED: [&str; 2] = [RESEND, BILLING];

#[test]
fn every_operation_has_its_authorization_cases() {
    let documented: BTreeSet<_> = CONTRACT.operations().into_iter().map(|(operation, _)| operation).collect();
    let cases: BTreeSet<_> = CASES.iter().map(|(operation, _)| (*operation).to_owned()).collect();
    let without_cases: Vec<_> = documented.difference(&cases).collect();
    let without_operation: Vec<_> = cases.difference(&documented).collect();
    assert!(without_cases.is_empty(), "these operations need an entry in CASES: {without_cases:#?}");
    assert!(without_operation.is_empty(), "these entries of CASES are no operations: {without_operation:#?}");
}

fn guarded_by(guards: &[Guard]) -> impl Iterator<Item = &'static str> {
    CASES.iter().filter(move |(_, guard)| guards.contains(guard)).map(|(operation, _)| *operation)
}

const GUARDED: &[Guard] = &[Key, KeyOrNamed, KeyAlone, Service];

#[track_caller]
fn assert_refuses(reply: &Reply, status: u16, code: &str, about: &str) {
    let body = reply.json();
    assert_eq!((reply.status.as_u16(), body["error"]["code"].as_str()), (status, Some(code)), "{about}");
}

/// Makes it look as if the workspace's address had never been verified.
async fn unverify(app: &App) {
    let unverify = "UPDATE workspace SET email_verified_at = NULL, verification_sent_at = NULL";
    app.test.store.write("test", move |tx| tx.execute(unverify, &[])).await.unwrap();
}

#[both_stores]
async fn nothing_but_a_working_key_or_session_opens_an_operation(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let (expired, _) = app.mint(things.tenant.workspace, true, Some(Duration::from_secs(1))).await;
    app.test.clock.advance(Duration::from_secs(1));
    let (revoked, id) = app.mint(things.tenant.workspace, true, None).await;
    app.post(&format!("/v1/platform/api-keys/{id}/revoke")).key(&things.admin_key).send().await.expect(200);
    let key = &things.tenant.key;
    let before = app.stored().await;
    for operation in guarded_by(GUARDED) {
        let call = || things.call(&app, operation);
        assert_refuses(&call().send().await, 401, "platform_invalid_api_key", operation);
        assert_refuses(&call().header("x-api-key", key).send().await, 401, "platform_invalid_api_key", operation);
        assert_refuses(&call().cookie("jwt=forged").send().await, 401, "platform_invalid_api_key", operation);
        for wrong in [
            "".into(),
            "Bearer".into(),
            "Bearer ".into(),
            "Bearer x".into(),
            key.clone(),
            format!("Basic {key}"),
            format!("Bearer {}", &key[..key.len() - 1]),
            format!("Bearer {key}x"),
            format!("Bearer {}", key.to_uppercase()),
            format!("Bearer {}", key.replace("svc_platform_", "svc_content_")),
            format!("Bearer {key} {key}"),
            format!("Bearer svc_platform_{}", "A".repeat(43)),
            format!("Bearer svc_content_{}", "A".repeat(43)),
        ] {
            let reply = call().header("authorization", &wrong).send().await;
            assert_refuses(&reply, 401, "platform_invalid_api_key", &format!("{operation} with {wrong:?}"));
        }
        assert_refuses(&call().key(&revoked).send().await, 401, "platform_api_key_revoked", operation);
        assert_refuses(&call().key(&expired).send().await, 401, "platform_api_key_expired", operation);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_key_goes_before_a_session_also_when_it_is_wrong(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let operator = app.operator("o@example.com").await;
    for operation in guarded_by(GUARDED) {
        let reply = things.call(&app, operation).cookie(&operator).key("svc_platform_wrong").send().await;
        assert_refuses(&reply, 401, "platform_invalid_api_key", operation);
    }
    for operation in guarded_by(&[Service]) {
        let reply = things.call(&app, operation).cookie(&operator).key(&things.tenant.key).send().await;
        assert_refuses(&reply, 403, "platform_forbidden", operation);
    }
}

#[both_stores]
async fn an_admin_who_is_no_operator_may_do_nothing_here(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let admin = app.admin("a@example.com").await;
    let before = app.stored().await;
    for operation in guarded_by(GUARDED) {
        let reply = things.named_call(&app, operation).cookie(&admin).send().await;
        assert_refuses(&reply, 403, "platform_forbidden", operation);
    }
    assert_eq!(app.stored().await, before);
}

/// What members of the workspace's organization may do, too, with the role that it needs.
const OF_MEMBERS: &[(&str, Role)] = &[
    ("GET /v1/platform/evaluations", Role::Reviewer),
    ("GET /v1/platform/evaluations/{id}", Role::Reviewer),
    ("GET /v1/platform/evaluations/{id}/record", Role::Reviewer),
    ("POST /v1/platform/evaluations/{id}/review", Role::Reviewer),
    ("POST /v1/platform/evaluations/reviews", Role::Reviewer),
    ("GET /v1/platform/questions", Role::Reviewer),
    ("GET /v1/platform/questions/{id}", Role::Reviewer),
    ("GET /v1/platform/questions/{id}/review-queue", Role::Reviewer),
    ("POST /v1/platform/questions/{id}/regrade", Role::Teacher),
];

#[both_stores]
async fn members_act_on_the_grades_of_their_organizations_workspaces_as_far_as_their_role_goes(test: TestStore) {
    let app = App::new(test);
    for (n, (operation, needed)) in OF_MEMBERS.iter().enumerate() {
        for (m, role) in Role::ALL.into_iter().enumerate() {
            let slug: &'static str = format!("things-{n}-{m}").leak();
            let things = Things::of(&app, slug).await;
            app.link(&things.tenant, things.organization).await;
            let member = app.member(&format!("{slug}@example.com"), things.organization, role).await;
            let reply = things.named_call(&app, operation).cookie(&member).send().await;
            let expected = if role >= *needed { 200 } else { 403 };
            assert_eq!(reply.status.as_u16(), expected, "{operation} as {role:?}: {}", reply.body);
        }
    }
}

#[both_stores]
async fn members_do_nothing_else_here_and_nothing_in_other_workspaces(test: TestStore) {
    let app = App::new(test);
    let (things, other) = (Things::of(&app, "riverside").await, app.tenant("hillside").await);
    let hillside = app.organization("hillside").await;
    app.link(&things.tenant, things.organization).await;
    app.link(&other, hillside).await;
    let member = app.member("a@example.com", things.organization, Role::Admin).await;
    let stranger = app.member("b@example.com", hillside, Role::Admin).await;
    let before = app.stored().await;
    for operation in guarded_by(GUARDED) {
        let is_open = OF_MEMBERS.iter().any(|(open, _)| *open == operation);
        if !is_open {
            let reply = things.named_call(&app, operation).cookie(&member).send().await;
            assert_refuses(&reply, 403, "platform_forbidden", operation);
        }
        let foreign = things.named_call(&app, operation).cookie(&stranger).send().await;
        match operation {
            "POST /v1/platform/evaluations/reviews" => {
                assert_eq!(foreign.expect(200)["results"][0]["status"], 404, "{}", foreign.body);
            }
            _ if is_open => assert_refuses(&foreign, 404, "platform_not_found", operation),
            _ => assert_refuses(&foreign, 403, "platform_forbidden", operation),
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn the_members_of_a_suspended_workspaces_organization_see_nothing_of_it(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    app.link(&things.tenant, things.organization).await;
    let member = app.member("a@example.com", things.organization, Role::Admin).await;
    let operator = app.operator("o@example.com").await;
    let list = "/v1/platform/evaluations";
    assert_eq!(app.get(list).cookie(&member).send().await.expect(200)["items"].as_array().map(Vec::len), Some(1));
    app.post(&things.tenant.path("/suspend")).cookie(&operator).send().await.expect(200);
    app.get(list).cookie(&member).send().await.expect(403);
}

#[both_stores]
async fn every_key_of_a_suspended_workspace_is_refused(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let operator = app.operator("o@example.com").await;
    app.post(&things.tenant.path("/suspend")).cookie(&operator).send().await.expect(200);
    let before = app.stored().await;
    for operation in guarded_by(GUARDED) {
        for key in [&things.tenant.key, &things.admin_key] {
            let reply = things.call(&app, operation).key(key).send().await;
            assert_refuses(&reply, 403, "platform_workspace_suspended", operation);
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn without_a_verified_address_a_workspace_may_ask_for_the_mail_and_set_its_payment_up(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    unverify(&app).await;
    let before = app.stored().await;
    for operation in guarded_by(GUARDED).filter(|operation| !UNVERIFIED.contains(operation)) {
        for key in [&things.tenant.key, &things.admin_key] {
            let reply = things.call(&app, operation).key(key).send().await;
            assert_refuses(&reply, 403, "email_verification_required", operation);
        }
    }
    assert_eq!(app.stored().await, before);
    things.call(&app, RESEND).key(&things.tenant.key).send().await.expect(202);
    things.call(&app, BILLING).key(&things.tenant.key).send().await.expect(409);
}

#[both_stores]
async fn another_workspaces_things_do_not_exist(test: TestStore) {
    let app = App::new(test);
    let (things, other) = (Things::of(&app, "riverside").await, app.tenant("hillside").await);
    let before = app.stored().await;
    for operation in guarded_by(&[Key, KeyOrNamed]) {
        let reply = things.named_call(&app, operation).key(&other.key).send().await;
        assert_refuses(&reply, 404, "platform_not_found", operation);
    }
    for operation in guarded_by(&[KeyAlone]) {
        let reply = things.named_call(&app, operation).key(&other.key).send().await;
        reply.expect(200);
        assert!(!reply.body.contains("riverside"), "{operation}: {}", reply.body);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_plain_key_does_not_manage_the_service_nor_learns_what_exists(test: TestStore) {
    let app = App::new(test);
    let (things, other) = (Things::of(&app, "riverside").await, app.tenant("hillside").await);
    let before = app.stored().await;
    for operation in guarded_by(&[Service]) {
        let own = things.call(&app, operation).key(&things.tenant.key).send().await;
        assert_refuses(&own, 403, "platform_forbidden", operation);
        let foreign = things.call(&app, operation).key(&other.key).send().await;
        let unknown = operation.replace("{id}", "0192aee1-5a3b-7c2d-8e4f-123456789abc");
        let absent = things.call(&app, &unknown).key(&other.key).send().await;
        assert_eq!((&foreign.body, &absent.body), (&own.body, &own.body), "{operation}");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn no_other_site_can_act_with_an_operators_cookie(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let operator = app.operator("o@example.com").await;
    let before = app.stored().await;
    for operation in guarded_by(GUARDED).filter(|name| !name.starts_with("GET")) {
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("referer", "https://evil.example/page"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let reply = things.named_call(&app, operation).cookie(&operator).header(name, value).send().await;
            assert_eq!(reply.status.as_u16(), 403, "{operation} with {name}: {value}");
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn the_right_credential_opens_every_operation(test: TestStore) {
    let app = App::new(test);
    let operator = app.operator("o@example.com").await;
    type Present<'p> = dyn for<'a> Fn(Call<'a>, &Things) -> Call<'a> + Sync + 'p;
    let credentials: [&Present<'_>; 3] =
        [&|call, things| call.key(&things.tenant.key), &|call, things| call.key(&things.admin_key), &|call, _| {
            call.cookie(&operator)
        }];
    for (n, by) in credentials.into_iter().enumerate() {
        let guards: &[Guard] = if n == 0 { &[Key, KeyOrNamed, KeyAlone] } else { GUARDED };
        for (m, operation) in guarded_by(guards).enumerate() {
            let things = Things::of(&app, format!("things-{n}-{m}").leak()).await;
            if operation == RESEND {
                unverify(&app).await;
            }
            let reply = by(things.named_call(&app, operation), &things).send().await;
            let is_let_in =
                reply.status.is_success() || ([ROSTER, BILLING].contains(&operation) && reply.status == 409);
            assert!(is_let_in, "{operation} {n}: {} {}", reply.status, reply.body);
            app.test
                .store
                .write("test", |tx| tx.execute("UPDATE workspace SET email_verified_at = 0", &[]))
                .await
                .unwrap();
        }
    }
}

#[both_stores]
async fn every_route_answers_405_and_what_it_allows(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let documented: Vec<_> = CONTRACT.operations().into_iter().map(|(operation, _)| operation).collect();
    for operation in &documented {
        let path = operation.split_once(' ').unwrap().1;
        // This word stands where other methods have an id.
        if path.ends_with("/from-organization") {
            continue;
        }
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let other = format!("{method} {path}");
            if documented.contains(&other) {
                continue;
            }
            let reply = things.call(&app, &other).key(&things.tenant.key).send().await;
            let body: Value = reply.expect(405);
            assert_eq!(body["error"]["code"], "platform_invalid_request", "{other}");
            let allowed: BTreeSet<_> = reply.header("allow").split(',').map(str::trim).collect();
            let known = documented.iter().filter_map(|known| known.split_once(' ').filter(|(_, known)| *known == path));
            let expected: BTreeSet<_> = known
                .flat_map(|(method, _)| if method == "GET" { vec!["GET", "HEAD"] } else { vec![method] })
                .collect();
            assert_eq!(allowed, expected, "{other}");
        }
    }
}

#[both_stores]
async fn unknown_routes_are_404_in_the_envelope(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    for path in [
        "/v1/platform",
        "/v1/platform/",
        "/v1/platform/workspaces/",
        "/v1/platform/nothing",
        "/v1/platform/evaluations/a/b",
    ] {
        let refused = app.get(path).key(&tenant.key).send().await.expect(404);
        assert_eq!(refused["error"]["code"], "platform_not_found", "{path}");
        app.post(path).send().await.expect(404);
    }
}
