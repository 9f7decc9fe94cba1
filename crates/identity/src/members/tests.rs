use edge::admins::{self, Role};
use kernel::id::{OrganizationId, UserId};
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, EMAIL};

const ANN: &str = "ann@example.com";

/// An organization with two admins, each with a session.
async fn start(test: TestStore) -> (App, OrganizationId, [(UserId, String); 2]) {
    let app = App::new(test);
    let organization = app.organization("riverside").await;
    let (one, two) = (app.admin(EMAIL).await, app.admin(ANN).await);
    app.write(move |tx| [one, two].into_iter().try_for_each(|user| admins::join(tx, user, organization, Role::Admin)))
        .await;
    let cookies = (app.sign_in(EMAIL).await, app.sign_in(ANN).await);
    (app, organization, [(one, cookies.0), (two, cookies.1)])
}

fn path(organization: OrganizationId) -> String {
    format!("/auth/organizations/{organization}/members")
}

#[both_stores]
async fn those_who_manage_an_organization_see_its_members(test: TestStore) {
    let (app, organization, [(one, cookie), (two, _)]) = start(test).await;
    let listed = app.get(&path(organization)).cookie(&cookie).send().await;
    assert_eq!(listed.header("x-total-count"), "2");
    let listed = listed.expect(200);
    let member = |index: usize| (listed[index]["userId"].clone(), listed[index]["role"].clone());
    assert_eq!([member(0), member(1)], [(json!(one), json!("ADMIN")), (json!(two), json!("ADMIN"))]);
    let page = app.get(&format!("{}?limit=1&page=2", path(organization))).cookie(&cookie).send().await.expect(200);
    assert_eq!(page[0]["email"], ANN);
    let other = app.organization("other").await;
    app.get(&path(other)).cookie(&cookie).send().await.expect(403);
    app.delete(&format!("{}/{two}", path(other))).cookie(&cookie).send().await.expect(403);
}

#[both_stores]
async fn a_member_is_removed_and_acts_no_more(test: TestStore) {
    let (app, organization, [(_, cookie), (two, ann)]) = start(test).await;
    let member = format!("{}/{two}", path(organization));
    app.delete(&member).cookie(&cookie).send().await.expect(204);
    app.get(&path(organization)).cookie(&ann).send().await.expect(403);
    app.get("/auth/me").cookie(&ann).send().await.expect(200);
    app.delete(&member).cookie(&cookie).send().await.expect(404);
    app.delete(&format!("{}/x", path(organization))).cookie(&cookie).send().await.expect(404);
}

#[both_stores]
async fn only_an_operator_removes_the_last_admin(test: TestStore) {
    let (app, organization, [(one, cookie), (two, _)]) = start(test).await;
    app.operator("operator@example.com").await;
    let operator = app.sign_in("operator@example.com").await;
    app.delete(&format!("{}/{two}", path(organization))).cookie(&cookie).send().await.expect(204);
    let last = format!("{}/{one}", path(organization));
    app.delete(&last).cookie(&cookie).send().await.expect(409);
    app.delete(&last).cookie(&operator).send().await.expect(204);
    assert_eq!(app.count("SELECT count(*) FROM membership").await, 0);
}

#[both_stores]
async fn another_role_counts_from_the_next_request_on(test: TestStore) {
    let (app, organization, [(_, cookie), (two, ann)]) = start(test).await;
    let member = format!("{}/{two}", path(organization));
    for role in ["REVIEWER", "TEACHER"] {
        let changed = app.patch(&member).cookie(&cookie).json(&json!({ "role": role })).send().await.expect(200);
        assert_eq!((&changed["userId"], &changed["email"], &changed["role"]), (&json!(two), &json!(ANN), &json!(role)));
        let me = app.get("/auth/me").cookie(&ann).send().await.expect(200);
        assert_eq!(me["organizations"][0]["role"], role);
        app.get(&path(organization)).cookie(&ann).send().await.expect(403);
    }
    app.patch(&member).cookie(&cookie).json(&json!({ "role": "ADMIN" })).send().await.expect(200);
    app.get(&path(organization)).cookie(&ann).send().await.expect(200);
    for wrong in [json!({}), json!({ "role": "OWNER" }), json!({ "role": "admin" }), json!({ "role": null })] {
        let refused = app.patch(&member).cookie(&cookie).json(&wrong).send().await;
        assert_eq!(refused.faults(), ["role"], "{wrong}");
    }
    let nobody = format!("{}/{organization}", path(organization));
    app.patch(&nobody).cookie(&cookie).json(&json!({ "role": "ADMIN" })).send().await.expect(404);
}

#[both_stores]
async fn only_an_operator_takes_the_role_of_the_last_admin(test: TestStore) {
    let (app, organization, [(one, cookie), (two, ann)]) = start(test).await;
    app.operator("operator@example.com").await;
    let operator = app.sign_in("operator@example.com").await;
    let teacher = json!({ "role": "TEACHER" });
    let (own, other) = (format!("{}/{one}", path(organization)), format!("{}/{two}", path(organization)));
    app.patch(&other).cookie(&ann).json(&teacher).send().await.expect(200);
    app.patch(&own).cookie(&ann).json(&teacher).send().await.expect(403);
    app.patch(&own).cookie(&cookie).json(&teacher).send().await.expect(409);
    app.patch(&own).cookie(&cookie).json(&json!({ "role": "ADMIN" })).send().await.expect(200);
    app.patch(&own).cookie(&operator).json(&teacher).send().await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM membership WHERE role = 'ADMIN'").await, 0);
}

#[both_stores]
async fn every_member_may_leave(test: TestStore) {
    let (app, organization, [(one, cookie), (two, ann)]) = start(test).await;
    let (own, other) = (format!("{}/{two}", path(organization)), format!("{}/{one}", path(organization)));
    app.patch(&own).cookie(&cookie).json(&json!({ "role": "REVIEWER" })).send().await.expect(200);
    app.delete(&other).cookie(&ann).send().await.expect(403);
    app.delete(&own).cookie(&ann).send().await.expect(204);
    app.delete(&own).cookie(&ann).send().await.expect(403);
    assert_eq!(app.count("SELECT count(*) FROM membership").await, 1);
}

#[both_stores]
async fn of_two_admins_who_leave_at_once_one_stays(test: TestStore) {
    let (app, organization, [(one, cookie), (two, ann)]) = start(test).await;
    let (own, other) = (format!("{}/{one}", path(organization)), format!("{}/{two}", path(organization)));
    let (one, two) = tokio::join!(app.delete(&own).cookie(&cookie).send(), app.delete(&other).cookie(&ann).send());
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
    assert_eq!(app.count("SELECT count(*) FROM membership").await, 1);
}
