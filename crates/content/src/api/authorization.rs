//! Walks the router: every operation of the document, with every credential that must not open it.
//!
//! A new operation fails here by its name until [`CASES`] says who may call it.

use std::collections::BTreeSet;
use std::time::Duration;

use edge::admins::Role;
use serde_json::{Value, json};
use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, Call, Reply, Things};

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    /// Anybody: it is the way in.
    Open,
    /// A signed-in admin.
    Admin,
    /// A signed-in operator of the service.
    Operator,
    /// A signed-in admin of the organization that the path names.
    OrganizationAdmin,
    /// A signed-in admin of the organization whose classroom the path names.
    ClassroomAdmin,
    /// The holder of a content key, for the things of the key's organization.
    Key,
    /// The holder of a content key; what the answer holds depends on the key alone.
    KeyAlone,
}

const ADMINS: &[Guard] = &[Guard::Admin, Guard::Operator, Guard::OrganizationAdmin, Guard::ClassroomAdmin];

const CASES: &[(&str, Guard)] = &[
    ("POST /auth/login", Guard::Open),
    ("POST /auth/logout", Guard::Admin),
    ("GET /v1/content/organizations", Guard::Admin),
    ("GET /v1/content/organizations/{organizationId}/audit-log", Guard::OrganizationAdmin),
    ("POST /v1/content/organizations", Guard::Operator),
    ("PATCH /v1/content/organizations/{organizationId}", Guard::Operator),
    ("POST /v1/content/organizations/{organizationId}/classrooms", Guard::OrganizationAdmin),
    ("PATCH /v1/content/organizations/{organizationId}/classrooms/{classroomId}", Guard::OrganizationAdmin),
    ("GET /v1/content/organizations/{organizationId}/page-grading", Guard::OrganizationAdmin),
    ("PATCH /v1/content/organizations/{organizationId}/page-grading", Guard::OrganizationAdmin),
    ("POST /v1/content/organizations/{organizationId}/api-keys", Guard::OrganizationAdmin),
    ("GET /v1/content/organizations/{organizationId}/api-keys", Guard::OrganizationAdmin),
    ("POST /v1/content/organizations/{organizationId}/api-keys/{keyId}/rotate", Guard::OrganizationAdmin),
    ("POST /v1/content/organizations/{organizationId}/api-keys/{keyId}/revoke", Guard::OrganizationAdmin),
    ("POST /v1/content/organizations/{organizationId}/webhooks", Guard::OrganizationAdmin),
    ("GET /v1/content/organizations/{organizationId}/webhooks", Guard::OrganizationAdmin),
    ("DELETE /v1/content/organizations/{organizationId}/webhooks/{webhookId}", Guard::OrganizationAdmin),
    ("POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/rotate-secret", Guard::OrganizationAdmin),
    ("POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/test", Guard::OrganizationAdmin),
    ("GET /v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries", Guard::OrganizationAdmin),
    (
        "POST /v1/content/organizations/{organizationId}/webhooks/{webhookId}/deliveries/{eventId}/redeliver",
        Guard::OrganizationAdmin,
    ),
    ("GET /v1/content/classrooms", Guard::KeyAlone),
    ("POST /v1/content/integrations/expansions", Guard::Key),
    ("GET /v1/content/integrations/expansions", Guard::KeyAlone),
    ("GET /v1/content/integrations/expansions/{jobId}", Guard::Key),
    ("GET /v1/content/integrations/expansions/{jobId}/result", Guard::Key),
    ("POST /v1/content/integrations/expansions/{jobId}/retry", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/integrations/exports", Guard::ClassroomAdmin),
    ("GET /v1/content/classrooms/{classroomId}/videos/{videoId}/edit-link", Guard::ClassroomAdmin),
    ("GET /v1/content/classrooms/{classroomId}/modules", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/modules", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/modules/{moduleId}", Guard::Key),
    ("PATCH /v1/content/classrooms/{classroomId}/modules/{moduleId}", Guard::Key),
    ("DELETE /v1/content/classrooms/{classroomId}/modules/{moduleId}", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/copy-to-course", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/part-drafts", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/courses", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/courses", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/courses/{courseId}", Guard::Key),
    ("PATCH /v1/content/classrooms/{classroomId}/courses/{courseId}", Guard::Key),
    ("DELETE /v1/content/classrooms/{classroomId}/courses/{courseId}", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/courses/{courseId}/retry", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/videos", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/videos", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/videos/{videoId}", Guard::Key),
    ("PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}", Guard::Key),
    ("DELETE /v1/content/classrooms/{classroomId}/videos/{videoId}", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/videos/{videoId}/retry", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/videos/{videoId}/part-drafts", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes", Guard::Key),
    ("PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}", Guard::Key),
    ("DELETE /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/{sceneId}", Guard::Key),
    ("PATCH /v1/content/classrooms/{classroomId}/videos/{videoId}/scenes/reorder", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/slides", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/slides", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/slides/{slideId}", Guard::Key),
    ("PATCH /v1/content/classrooms/{classroomId}/slides/{slideId}", Guard::Key),
    ("DELETE /v1/content/classrooms/{classroomId}/slides/{slideId}", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/slides/{slideId}/retry", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/slides/{slideId}/part-drafts", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/tests", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/tests", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/tests/{testId}", Guard::Key),
    ("PATCH /v1/content/classrooms/{classroomId}/tests/{testId}", Guard::Key),
    ("DELETE /v1/content/classrooms/{classroomId}/tests/{testId}", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/tests/{testId}/retry", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/tests/{testId}/part-drafts", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/modules/{moduleId}/export", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/courses/{courseId}/export", Guard::Key),
    ("GET /v1/content/classrooms/{classroomId}/tests/{testId}/export", Guard::Key),
    ("POST /v1/content/classrooms/{classroomId}/imports", Guard::Key),
];

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

fn unknown_key() -> String {
    format!("svc_content_{}", "A".repeat(43))
}

/// The refusal of a missing or wrong content key, to the letter (content-api section 7, rule 1).
#[track_caller]
fn assert_refuses_key(reply: &Reply, about: &str) {
    let message = "The content integration key is invalid or missing.";
    let body = json!({ "statusCode": 401, "message": message, "error": "Unauthorized" });
    assert_eq!((reply.status.as_u16(), reply.json()), (401, body), "{about}");
    assert_eq!(reply.header("ratelimit-limit"), "", "{about}");
}

#[both_stores]
async fn key_operations_take_nothing_but_a_working_key(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    let organization = things.tenant.organization;
    let (expired, _) = app.mint(organization, 60, Some(Duration::from_secs(1))).await;
    app.test.clock.advance(Duration::from_secs(1));
    let (revoked, id) = app.mint(organization, 60, None).await;
    let revoke = things.tenant.path(&format!("api-keys/{id}/revoke"));
    app.post(&revoke).cookie(&things.cookie).send().await.expect(200);
    let key = &things.tenant.key;
    let before = app.stored().await;
    for operation in guarded_by(&[Guard::Key, Guard::KeyAlone]) {
        let call = || things.call(&app, operation);
        assert_refuses_key(&call().send().await, operation);
        assert_refuses_key(&call().cookie(&things.cookie).send().await, operation);
        assert_refuses_key(&call().header("x-api-key", key).send().await, operation);
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
            format!("Bearer {}", key.replace("svc_content_", "svc_platform_")),
            format!("Bearer {key} {key}"),
            format!("Bearer {}", unknown_key()),
            format!("Bearer {expired}"),
            format!("Bearer {revoked}"),
            format!("Bearer {}", things.cookie),
        ] {
            let reply = call().header("authorization", &wrong).send().await;
            assert_refuses_key(&reply, &format!("{operation} with {wrong:?}"));
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn the_scheme_of_the_key_may_be_written_in_any_case(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let authorization = format!("{scheme} {}", things.tenant.key);
        app.get("/v1/content/classrooms").header("authorization", &authorization).send().await.expect(200);
    }
}

#[both_stores]
async fn key_operations_do_not_show_another_organizations_things(test: TestStore) {
    let app = App::new(test);
    let (things, other) = (Things::of(&app, "a@example.com").await, app.tenant("Other").await);
    let before = app.stored().await;
    for operation in guarded_by(&[Guard::Key]) {
        let foreign = things.call(&app, operation).key(&other.key).send().await;
        assert_eq!(foreign.status.as_u16(), 404, "{operation}");
    }
    assert_eq!(app.stored().await, before);
    for operation in guarded_by(&[Guard::KeyAlone]) {
        let foreign = things.call(&app, operation).key(&other.key).send().await;
        foreign.expect(200);
        assert!(!foreign.body.contains(&things.tenant.classroom.to_string()), "{operation}");
    }
}

#[both_stores]
async fn admin_operations_take_nothing_but_a_live_session(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    let ended = app.sign_in("a@example.com").await;
    app.post("/auth/logout").cookie(&ended).send().await.expect(204);
    let forged = format!("jwt={}", "A".repeat(43));
    let unsigned_token = "jwt=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.";
    let before = app.stored().await;
    for operation in guarded_by(ADMINS) {
        let call = || things.call(&app, operation);
        let without: [Call<'_>; 7] = [
            call(),
            call().cookie(&forged),
            call().cookie(&ended),
            call().cookie(unsigned_token),
            call().cookie(&things.cookie.replace("jwt=", "session=")),
            call().key(&things.tenant.key),
            call().header("authorization", &format!("Bearer {}", things.cookie.trim_start_matches("jwt="))),
        ];
        for call in without {
            let reply = call.send().await;
            let body = json!({ "statusCode": 401, "message": "You are not signed in.", "error": "Unauthorized" });
            assert_eq!((reply.status.as_u16(), reply.json()), (401, body), "{operation}");
        }
    }
    assert_eq!(app.stored().await, before);
    app.test.clock.advance(edge::sessions::SESSION_LIFE);
    for operation in guarded_by(ADMINS) {
        let reply = things.call(&app, operation).cookie(&things.cookie).send().await;
        assert_eq!(reply.status.as_u16(), 401, "{operation} with an expired session");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn an_unmanaged_organization_and_one_that_does_not_exist_look_the_same(test: TestStore) {
    let app = App::new(test);
    let (things, other) = (Things::of(&app, "a@example.com").await, app.tenant("Other").await);
    let stranger = app.admin_of("b@example.com", &[&other]).await;
    let unknown = app.test.ambient.id::<kernel::id::OrganizationId>().to_string();
    let before = app.stored().await;
    for operation in guarded_by(&[Guard::OrganizationAdmin]) {
        let unmanaged = things.call(&app, operation).cookie(&stranger).send().await;
        unmanaged.expect(403);
        for id in [unknown.as_str(), "no-uuid", "%00"] {
            let absent = things.call(&app, &operation.replace("{organizationId}", id)).cookie(&stranger).send().await;
            assert_eq!((absent.status, &absent.body), (unmanaged.status, &unmanaged.body), "{operation} of {id}");
        }
    }
    for operation in guarded_by(&[Guard::ClassroomAdmin]) {
        let unmanaged = things.call(&app, operation).cookie(&stranger).send().await;
        unmanaged.expect(403);
        let absent = things.call(&app, &operation.replace("{classroomId}", &unknown)).cookie(&stranger).send().await;
        assert_eq!((absent.status, &absent.body), (unmanaged.status, &unmanaged.body), "{operation}");
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn no_other_site_can_act_with_an_admins_cookie(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    let before = app.stored().await;
    for operation in guarded_by(ADMINS).filter(|name| !name.starts_with("GET")) {
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("referer", "https://evil.example/page"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let reply = things.call(&app, operation).cookie(&things.cookie).header(name, value).send().await;
            assert_eq!(reply.status.as_u16(), 403, "{operation} with {name}: {value}");
        }
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn the_right_credential_opens_every_operation(test: TestStore) {
    let app = App::new(test);
    for (n, (operation, guard)) in CASES.iter().enumerate() {
        let things = Things::of(&app, &format!("{n}@example.com")).await;
        if operation.ends_with("/retry") {
            things.fail(&app).await;
        }
        let call = things.call(&app, operation);
        let reply = match guard {
            Guard::Open => continue,
            Guard::Admin | Guard::OrganizationAdmin | Guard::ClassroomAdmin => call.cookie(&things.cookie).send().await,
            Guard::Operator => call.cookie(&app.operator(&format!("o{n}@example.com")).await).send().await,
            Guard::Key | Guard::KeyAlone => call.key(&things.tenant.key).send().await,
        };
        assert!(reply.status.is_success(), "{operation}: {} {}", reply.status, reply.body);
    }
}

#[both_stores]
async fn an_administrator_is_no_operator(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    let before = app.stored().await;
    for operation in guarded_by(&[Guard::Operator]) {
        things.call(&app, operation).cookie(&things.cookie).send().await.expect(403);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_teacher_edits_content_and_administers_nothing(test: TestStore) {
    let app = App::new(test);
    for (n, operation) in guarded_by(&[Guard::Key, Guard::KeyAlone, Guard::ClassroomAdmin]).enumerate() {
        let things = Things::of(&app, &format!("{n}@example.com")).await;
        let teacher = app.member_of(&format!("t{n}@example.com"), &things.tenant, Role::Teacher).await;
        if operation.ends_with("/retry") {
            things.fail(&app).await;
        }
        let organization = things.tenant.organization.to_string();
        let call = things.call(&app, operation).cookie(&teacher).header("lectern-organization", &organization);
        let reply = call.send().await;
        assert!(reply.status.is_success(), "{operation}: {} {}", reply.status, reply.body);
    }
    let things = Things::of(&app, "a@example.com").await;
    let teacher = app.member_of("t@example.com", &things.tenant, Role::Teacher).await;
    let before = app.stored().await;
    for operation in guarded_by(&[Guard::OrganizationAdmin, Guard::Operator]) {
        let refused = things.call(&app, operation).cookie(&teacher).send().await;
        assert_eq!(refused.status.as_u16(), 403, "{operation}: {}", refused.body);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn a_reviewer_has_no_part_in_content(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    let reviewer = app.member_of("r@example.com", &things.tenant, Role::Reviewer).await;
    let organization = things.tenant.organization.to_string();
    let before = app.stored().await;
    for operation in
        guarded_by(&[Guard::Key, Guard::KeyAlone, Guard::ClassroomAdmin, Guard::OrganizationAdmin, Guard::Operator])
    {
        let call = things.call(&app, operation).cookie(&reviewer).header("lectern-organization", &organization);
        let refused = call.send().await;
        assert_eq!(refused.status.as_u16(), 403, "{operation}: {}", refused.body);
    }
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn an_operator_manages_every_organization(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    let operator = app.operator("o@example.com").await;
    for operation in guarded_by(&[Guard::OrganizationAdmin]).filter(|name| name.starts_with("GET")) {
        things.call(&app, operation).cookie(&operator).send().await.expect(200);
    }
}

#[both_stores]
async fn every_route_answers_405_and_what_it_allows(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    let documented: Vec<_> = CONTRACT.operations().into_iter().map(|(operation, _)| operation).collect();
    for operation in &documented {
        let path = operation.split_once(' ').unwrap().1;
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let other = format!("{method} {path}");
            if documented.contains(&other) {
                continue;
            }
            for call in [things.call(&app, &other), things.call(&app, &other).key(&things.tenant.key)] {
                let reply = call.send().await;
                let body: Value = reply.expect(405);
                assert_eq!(body["error"], "Method Not Allowed", "{other}");
                let allowed: BTreeSet<_> = reply.header("allow").split(',').map(str::trim).collect();
                let expected: BTreeSet<_> = documented
                    .iter()
                    .filter_map(|known| {
                        known.split_once(' ').filter(|(_, known)| *known == path).map(|(method, _)| method)
                    })
                    .flat_map(|method| if method == "GET" { vec!["GET", "HEAD"] } else { vec![method] })
                    .collect();
                assert_eq!(allowed, expected, "{other}");
            }
        }
    }
}

#[both_stores]
async fn unknown_routes_are_404_in_the_envelope(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "a@example.com").await;
    let missing = [
        "/",
        "/v1",
        "/v1/content",
        "/v1/content/",
        "/v1/content/classrooms/",
        "/v1/content/nothing",
        "/v2/content/classrooms",
        "//",
    ];
    for path in missing {
        app.get(path).key(&things.tenant.key).send().await.expect(404);
        app.post(path).send().await.expect(404);
    }
}

const ACTING_HEADER: &str = "lectern-organization";

#[both_stores]
async fn an_admins_session_stands_for_a_key_of_the_organization_that_the_request_names(test: TestStore) {
    let app = App::new(test);
    for (n, operation) in guarded_by(&[Guard::Key, Guard::KeyAlone]).enumerate() {
        let things = Things::of(&app, &format!("{n}@example.com")).await;
        if operation.ends_with("/retry") {
            things.fail(&app).await;
        }
        let organization = things.tenant.organization.to_string();
        let call = things.call(&app, operation).cookie(&things.cookie).header(ACTING_HEADER, &organization);
        let reply = call.send().await;
        assert!(reply.status.is_success(), "{operation}: {} {}", reply.status, reply.body);
        assert_eq!(reply.header("ratelimit-limit"), "1000", "{operation}");
    }
}

#[both_stores]
async fn a_session_acts_for_no_other_organization_and_for_none_from_another_site(test: TestStore) {
    let app = App::new(test);
    let (things, other) = (Things::of(&app, "a@example.com").await, app.tenant("Other").await);
    let own = things.tenant.organization.to_string();
    let unknown = app.test.ambient.id::<kernel::id::OrganizationId>().to_string();
    let before = app.stored().await;
    for operation in guarded_by(&[Guard::Key, Guard::KeyAlone]) {
        let call = |organization: &str| things.call(&app, operation).header(ACTING_HEADER, organization);
        for foreign in [&other.organization.to_string(), &unknown, &"no-uuid".to_owned()] {
            let reply = call(foreign).cookie(&things.cookie).send().await;
            assert_eq!(reply.status.as_u16(), 403, "{operation} for {foreign}: {}", reply.body);
        }
        assert_refuses_key(&call(&own).send().await, operation);
        let forged = call(&own).cookie(&format!("jwt={}", "A".repeat(43))).send().await;
        assert_eq!(forged.status.as_u16(), 401, "{operation} by a forged session");
        assert_refuses_key(&call(&own).cookie(&things.cookie).key("svc_content_wrong").send().await, operation);
        if !operation.starts_with("GET") {
            let foreign = call(&own).cookie(&things.cookie).header("origin", "https://evil.example").send().await;
            assert_eq!(foreign.status.as_u16(), 403, "{operation} from another site");
        }
    }
    assert_eq!(app.stored().await, before);
}
