use edge::admins::{self, Role};
use kernel::id::{UserId, WorkspaceId};
use serde_json::json;
use store::sql;
use testkit::{TestStore, both_stores};

use crate::testing::{App, EMAIL, PASSWORD};

const USERS: &str = "/auth/users";
const OPERATOR: &str = "operator@example.com";
const ANN: &str = "ann@example.com";

/// An operator with a session.
async fn start(test: TestStore) -> (App, UserId, String) {
    let app = App::new(test);
    let operator = app.operator(OPERATOR).await;
    let cookie = app.sign_in(OPERATOR).await;
    (app, operator, cookie)
}

#[both_stores]
async fn everybody_is_told_who_they_are_and_of_which_organizations(test: TestStore) {
    let (app, _, operator) = start(test).await;
    let (ann, organization) = (app.admin(ANN).await, app.organization("riverside").await);
    app.write(move |tx| admins::join(tx, ann, organization, Role::Admin)).await;
    let cookie = app.sign_in(ANN).await;
    let me = app.get("/auth/me").cookie(&cookie).send().await.expect(200);
    assert_eq!((&me["id"], &me["email"], &me["isOperator"]), (&json!(ann), &json!(ANN), &json!(false)));
    let own = json!([{ "id": organization, "name": "riverside", "role": "ADMIN", "workspaces": [] }]);
    assert_eq!(me["organizations"], own);
    assert_eq!(me["secondFactor"], json!({ "hasApp": false, "passkeys": 0, "recoveryCodesLeft": 0 }));
    let me = app.get("/auth/me").cookie(&operator).send().await.expect(200);
    assert_eq!((&me["isOperator"], &me["organizations"]), (&json!(true), &json!([])));
}

#[both_stores]
async fn members_are_told_the_active_workspaces_of_their_organizations_by_name(test: TestStore) {
    let (app, _, _) = start(test).await;
    let (ann, own) = (app.admin(ANN).await, app.organization("riverside").await);
    let other = app.organization("hillside").await;
    app.write(move |tx| admins::join(tx, ann, own, Role::Reviewer)).await;
    for (id, name, status, organization) in [
        ("1", "West", "ACTIVE", own),
        ("2", "East", "ACTIVE", own),
        ("3", "Past", "SUSPENDED", own),
        ("4", "Other", "ACTIVE", other),
    ] {
        let id: WorkspaceId = format!("0192aee1-5a3b-7c2d-8e4f-00000000000{id}").parse().unwrap();
        let insert = move |tx: &mut store::Tx<'_>| {
            sql!(
                "INSERT INTO workspace
                    (id, name, slug, status, rate_limit_per_minute, billing_mode, organization_id, created_at, updated_at)
                 VALUES ({id}, {name}, {name}, {status}, 60, 'internal_invoice', {organization}, 0, 0)"
            )
            .execute(tx)
            .map(drop)
        };
        app.write(insert).await;
    }
    let me = app.get("/auth/me").cookie(&app.sign_in(ANN).await).send().await.expect(200);
    let names: Vec<_> = me["organizations"][0]["workspaces"].as_array().unwrap().iter().map(|w| &w["name"]).collect();
    assert_eq!(names, ["East", "West"]);
}

#[both_stores]
async fn only_operators_see_and_change_users(test: TestStore) {
    let (app, operator, _) = start(test).await;
    app.admin(ANN).await;
    let cookie = app.sign_in(ANN).await;
    let one = format!("{USERS}/{operator}");
    let refused = [
        app.get(USERS),
        app.get(&one),
        app.post(USERS).json(&json!({ "email": "bob@example.com" })),
        app.patch(&one).json(&json!({ "isOperator": false })),
        app.post(&format!("{one}/end-sessions")),
        app.delete(&format!("{one}/second-factor")),
    ];
    for call in refused {
        call.cookie(&cookie).send().await.expect(403);
    }
    assert_eq!(app.count("SELECT count(*) FROM admin_user WHERE is_operator = 1").await, 1);
    assert_eq!(app.count("SELECT count(*) FROM admin_user").await, 2);
}

#[both_stores]
async fn users_are_listed_by_page_and_found_by_a_part_of_their_address(test: TestStore) {
    let (app, _, cookie) = start(test).await;
    for email in [ANN, "a_n@example.com", "bob@school.example"] {
        app.admin(email).await;
    }
    let page = app.get(&format!("{USERS}?limit=3")).cookie(&cookie).send().await;
    assert_eq!(page.header("x-total-count"), "4");
    assert!(page.header("link").contains("rel=\"next\""), "{}", page.header("link"));
    let emails = |reply: serde_json::Value| -> Vec<String> {
        reply.as_array().unwrap().iter().map(|user| user["email"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(emails(page.expect(200)), ["bob@school.example", "a_n@example.com", ANN]);
    let find =
        async |query: &str| emails(app.get(&format!("{USERS}?email={query}")).cookie(&cookie).send().await.expect(200));
    assert_eq!(find("SCHOOL").await, ["bob@school.example"]);
    assert_eq!(find("a_n").await, ["a_n@example.com"], "no pattern");
    assert_eq!(find("%25").await, Vec::<String>::new());
    let faults = app.get(&format!("{USERS}?name=x&limit=0")).cookie(&cookie).send().await.faults();
    assert_eq!(faults, ["limit", "name"]);
}

#[both_stores]
async fn a_new_user_chooses_a_password_by_the_link_of_a_mail(test: TestStore) {
    let (app, _, cookie) = start(test).await;
    let body = json!({ "email": " Ann@Example.com", "isOperator": true });
    let made = app.post(USERS).cookie(&cookie).json(&body).send().await.expect(201);
    assert_eq!((&made["email"], &made["isOperator"], &made["sessions"]), (&json!(ANN), &json!(true), &json!(0)));
    app.sign_in_with(ANN, PASSWORD, json!({})).await.expect(401);
    assert_eq!(app.run_jobs().await, 1);
    let [token] = app.tokens_for(ANN).try_into().unwrap();
    let password = json!({ "token": token, "password": PASSWORD });
    app.post("/auth/password-reset/confirm").json(&password).send().await.expect(204);
    let ann = app.sign_in(ANN).await;
    app.get(USERS).cookie(&ann).send().await.expect(200);
    app.post(USERS).cookie(&cookie).json(&body).send().await.expect(409);
    let wrong = app.post(USERS).cookie(&cookie).json(&json!({ "email": "Ann <a@b>", "isOperator": 1 })).send().await;
    assert_eq!(wrong.faults(), ["email", "isOperator"]);
}

#[both_stores]
async fn the_right_to_operate_is_given_and_taken_but_not_from_oneself(test: TestStore) {
    let (app, operator, cookie) = start(test).await;
    let ann = app.admin(ANN).await;
    let (own, other) = (format!("{USERS}/{operator}"), format!("{USERS}/{ann}"));
    let set = async |path: &str, cookie: &str, is_operator: bool| {
        app.patch(path).cookie(cookie).json(&json!({ "isOperator": is_operator })).send().await
    };
    set(&own, &cookie, false).await.expect(409);
    assert_eq!(set(&other, &cookie, true).await.expect(200)["isOperator"], json!(true));
    let ann = app.sign_in(ANN).await;
    set(&own, &ann, false).await.expect(200);
    set(&other, &cookie, false).await.expect(403);
    app.patch(&other).cookie(&ann).json(&json!({})).send().await.expect(400);
    app.patch(&format!("{USERS}/x")).cookie(&ann).json(&json!({ "isOperator": true })).send().await.expect(404);
    assert_eq!(app.count("SELECT count(*) FROM admin_user WHERE is_operator = 1").await, 1);
}

#[both_stores]
async fn of_two_operators_who_demote_each_other_at_once_one_remains(test: TestStore) {
    let (app, operator, cookie) = start(test).await;
    let other = app.operator(ANN).await;
    let ann = app.sign_in(ANN).await;
    let body = json!({ "isOperator": false });
    let (one, two) = (format!("{USERS}/{other}"), format!("{USERS}/{operator}"));
    let (one, two) = tokio::join!(
        app.patch(&one).cookie(&cookie).json(&body).send(),
        app.patch(&two).cookie(&ann).json(&body).send()
    );
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403]);
    assert_eq!(app.count("SELECT count(*) FROM admin_user WHERE is_operator = 1").await, 1);
}

#[both_stores]
async fn an_operator_ends_the_sessions_of_somebody(test: TestStore) {
    let (app, _, cookie) = start(test).await;
    let ann = app.admin(ANN).await;
    let (one, two) = (app.sign_in(ANN).await, app.sign_in(ANN).await);
    let path = format!("{USERS}/{ann}");
    assert_eq!(app.get(&path).cookie(&cookie).send().await.expect(200)["sessions"], json!(2));
    let ended = app.post(&format!("{path}/end-sessions")).cookie(&cookie).send().await.expect(200);
    assert_eq!(ended, json!({ "ended": 2 }));
    for session in [one, two] {
        app.get("/auth/me").cookie(&session).send().await.expect(401);
    }
    app.get("/auth/me").cookie(&cookie).send().await.expect(200);
    app.get(&format!("{USERS}/{}", app.test.ambient.id::<UserId>())).cookie(&cookie).send().await.expect(404);
}

#[both_stores]
async fn a_lost_second_factor_is_removed_for_somebody_else_only(test: TestStore) {
    let (app, operator, cookie) = start(test).await;
    let ann = app.admin(EMAIL).await;
    let session = app.sign_in(EMAIL).await;
    let path = format!("{USERS}/{ann}/second-factor");
    app.delete(&path).cookie(&cookie).send().await.expect(409);
    app.write(move |tx| {
        let now = tx.now();
        tx.execute(
            "INSERT INTO second_factor (user_id, sealed_secret, last_step, confirmed_at, created_at)
             VALUES ($1, 'lost', 0, $2, $2)",
            &[&ann, &now],
        )?;
        tx.execute("INSERT INTO recovery_code (user_id, digest) VALUES ($1, 'd')", &[&ann])
    })
    .await;
    assert_eq!(app.sign_in_with(EMAIL, PASSWORD, json!({})).await.status.as_u16(), 401);
    app.delete(&path).cookie(&cookie).send().await.expect(204);
    app.get("/auth/me").cookie(&session).send().await.expect(401);
    app.sign_in(EMAIL).await;
    assert_eq!(app.count("SELECT count(*) FROM recovery_code").await, 0);
    app.delete(&format!("{USERS}/{operator}/second-factor")).cookie(&cookie).send().await.expect(409);
}
