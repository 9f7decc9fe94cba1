//! Users, members, organizations and classrooms: what their forms send, and where they lead.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::browser::{open, submit};
use crate::fake::{Fake, id_in};

fn organization(rest: &str) -> String {
    format!("/console/organizations/{}{rest}", id_in("organizations"))
}

fn user(rest: &str) -> String {
    format!("/console/users/{}{rest}", id_in("user"))
}

#[tokio::test]
async fn each_form_calls_its_operation_and_leads_on() {
    let (id, room, owner) = (id_in("user"), id_in("classrooms"), id_in("organizations"));
    let operations = format!("/v1/content/organizations/{owner}");
    let cases = [
        (
            user("/operator"),
            "isOperator=yes",
            Method::PATCH,
            format!("/auth/users/{id}"),
            json!({ "isOperator": true }),
        ),
        (user("/operator"), "", Method::PATCH, format!("/auth/users/{id}"), json!({ "isOperator": false })),
        (user("/end-sessions"), "", Method::POST, format!("/auth/users/{id}/end-sessions"), Value::Null),
        (user("/remove-second-factor"), "", Method::DELETE, format!("/auth/users/{id}/second-factor"), Value::Null),
        (organization("/settings"), "name=Hill", Method::PATCH, operations.clone(), json!({ "name": "Hill" })),
        (
            organization("/classrooms"),
            "name=8b&locale=de&key=k",
            Method::POST,
            format!("{operations}/classrooms"),
            json!({ "name": "8b", "locale": "de" }),
        ),
        (
            organization(&format!("/classrooms/{room}/rename")),
            "name=9b",
            Method::PATCH,
            format!("{operations}/classrooms/{room}"),
            json!({ "name": "9b" }),
        ),
        (
            organization("/people"),
            "email=cy%40b.example&role=REVIEWER",
            Method::POST,
            format!("{operations}/invitations"),
            json!({ "email": "cy@b.example", "role": "REVIEWER" }),
        ),
        (
            organization(&format!("/people/members/{id}/role")),
            "role=TEACHER",
            Method::PATCH,
            format!("/auth/organizations/{owner}/members/{id}"),
            json!({ "role": "TEACHER" }),
        ),
        (
            organization(&format!("/people/members/{id}/remove")),
            "",
            Method::DELETE,
            format!("/auth/organizations/{owner}/members/{id}"),
            Value::Null,
        ),
    ];
    for (action, form, method, path, body) in cases {
        let fake = Fake::default();
        let console = fake.console();
        let page = submit(&console, &action, form).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{action}");
        let write = &fake.writes()[0];
        assert_eq!((&write.method, &write.path, &write.body), (&method, &path, &body), "{action}");
        let page = open(&console, page.location()).await;
        assert_eq!(page.texts("main .notice[role=status]").len(), 1, "{action} says what was done");
    }
}

#[tokio::test]
async fn a_new_user_and_a_new_organization_lead_to_their_pages() {
    let fake = Fake::default();
    let page = submit(&fake.console(), "/console/users", "email=ann%40b.example&isOperator=yes").await;
    assert!(page.location().starts_with("/console/users/0"), "{}", page.location());
    assert_eq!(fake.writes()[0].body, json!({ "email": "ann@b.example", "isOperator": true }));
    let page = submit(&fake.console(), "/console/organizations", "name=Hill&key=k-1").await;
    assert!(page.location().ends_with("/people?done=organization-created"), "{}", page.location());
    assert_eq!(fake.writes()[1].headers["idempotency-key"], "k-1");
}

#[tokio::test]
async fn destructive_actions_ask_first_and_name_what_they_hit() {
    let console = Fake::default().console();
    let page = open(&console, &user("")).await;
    let titles = page.texts("dialog h2");
    assert_eq!(titles.len(), 2, "{titles:?}");
    assert!(titles.iter().all(|title| title.contains("ben@riverside.example")), "{titles:?}");
    let page = open(&console, &organization("/people")).await;
    let titles = page.texts("dialog h2");
    assert!(titles.contains(&"Remove ben@riverside.example?".to_owned()), "{titles:?}");
    assert!(titles.iter().all(|title| title.contains('@')), "{titles:?}");
}

#[tokio::test]
async fn a_refusal_stands_on_the_page_and_who_leaves_goes_elsewhere() {
    let body =
        json!({ "statusCode": 409, "message": "Nobody else administers the organization.", "error": "Conflict" });
    let fake = Fake { refusal: Some((409, body)), ..Fake::default() };
    let action = organization(&format!("/people/members/{}/remove", id_in("user")));
    let page = submit(&fake.console(), &action, "").await;
    assert_eq!(page.status, StatusCode::CONFLICT);
    assert!(page.texts("main [role=alert]")[0].contains("Nobody else administers"), "{}", page.body);
    let own = organization(&format!("/people/members/{}/remove", id_in("users")));
    let left = submit(&Fake { role: Some("ADMIN"), ..Fake::default() }.console(), &own, "").await;
    assert_eq!(left.location(), "/console/organizations?done=organization-left");
    let own = organization(&format!("/people/members/{}/role", id_in("users")));
    let demoted = submit(&Fake { role: Some("ADMIN"), ..Fake::default() }.console(), &own, "role=REVIEWER").await;
    assert_eq!(demoted.location(), "/console/organizations?done=member-role-set");
}

#[tokio::test]
async fn administrators_see_no_users_and_no_form_for_organizations() {
    let console = Fake { role: Some("ADMIN"), ..Fake::default() }.console();
    assert_eq!(open(&console, "/console/users").await.status, StatusCode::FORBIDDEN);
    let page = open(&console, "/console/organizations").await;
    assert!(page.attributes("main form", "action").iter().all(|action| action.ends_with("/remove")), "{}", page.body);
    let page = open(&console, &organization("/people")).await;
    assert!(!page.texts(".tabs a").contains(&"Settings".to_owned()));
    assert!(page.attributes("main a", "href").iter().all(|link| !link.contains("/console/users")));
}
