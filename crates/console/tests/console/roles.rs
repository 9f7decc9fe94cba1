//! What members of an organization see of the console, by their role.

use std::collections::BTreeSet;

use http::StatusCode;
use serde_json::json;

use crate::browser::{open, submit};
use crate::fake::{Fake, id_in};

const ROLES: [&str; 3] = ["REVIEWER", "TEACHER", "ADMIN"];

fn organization(rest: &str) -> String {
    format!("/console/organizations/{}{rest}", id_in("organizations"))
}

fn workspace(rest: &str) -> String {
    format!("/console/workspaces/{}{rest}", id_in("workspaces"))
}

fn member(role: &'static str) -> Fake {
    Fake { role: Some(role), ..Fake::default() }
}

#[tokio::test]
async fn no_link_leads_a_member_to_a_refusal() {
    for role in ROLES {
        let console = member(role).console();
        let (mut seen, mut next) = (BTreeSet::new(), vec!["/console".to_owned()]);
        while let Some(address) = next.pop() {
            if !seen.insert(address.clone()) {
                continue;
            }
            let page = open(&console, &address).await;
            let links = match page.status {
                StatusCode::OK => page.attributes("a[href]", "href"),
                StatusCode::SEE_OTHER => vec![page.location().to_owned()],
                status => panic!("{address} as {role}: {status}"),
            };
            let own = links.iter().filter(|link| link.starts_with("/console"));
            next.extend(own.map(|link| link.split('#').next().unwrap_or_default().to_owned()));
        }
        assert!(seen.contains(&workspace("/evaluations")), "{role}: {seen:?}");
        assert_eq!(seen.contains(&organization("/people")), role == "ADMIN", "{role}: {seen:?}");
        assert_eq!(seen.contains(&organization("/playground")), role != "REVIEWER", "{role}: {seen:?}");
    }
}

#[tokio::test]
async fn the_tabs_are_those_that_the_role_opens() {
    for (role, page, tabs) in [
        ("REVIEWER", workspace("/evaluations"), &["Evaluations", "Questions"] as &[_]),
        ("ADMIN", workspace("/questions"), &["Evaluations", "Questions"]),
        ("TEACHER", organization("/classrooms"), &["Classrooms", "Playground"]),
        (
            "ADMIN",
            organization("/classrooms"),
            &["Classrooms", "Playground", "API keys", "Webhooks", "Page grading", "People", "Audit log"],
        ),
    ] {
        assert_eq!(open(&member(role).console(), &page).await.texts(".tabs a"), tabs, "{role}");
    }
}

#[tokio::test]
async fn what_a_role_may_not_do_has_no_form_and_no_call() {
    let question = workspace(&format!("/questions/{}", id_in("questions")));
    for (role, page, operation, is_there) in [
        ("TEACHER", organization("/classrooms"), "createClassroom", false),
        ("ADMIN", organization("/classrooms"), "createClassroom", true),
        ("REVIEWER", question.clone(), "regradeQuestion", false),
        ("TEACHER", question, "regradeQuestion", true),
    ] {
        let page = open(&member(role).console(), &page).await;
        assert_eq!(page.status, StatusCode::OK);
        let forms = page.attributes("main form[method=post]", "action");
        assert_eq!(!forms.is_empty(), is_there, "{role}: {forms:?}");
        assert_eq!(page.texts(".calls a").contains(&operation.to_owned()), is_there, "{role} {operation}");
    }
}

#[tokio::test]
async fn a_member_chooses_among_the_workspaces_of_the_organizations() {
    let chosen = open(&member("REVIEWER").console(), "/console/evaluations").await;
    assert_eq!(chosen.location(), workspace("/evaluations"), "with one there is no choice");
    let elsewhere = open(&member("REVIEWER").console(), "/console/workspaces/other/evaluations").await;
    assert_eq!(elsewhere.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn every_member_may_leave() {
    let page = open(&member("REVIEWER").console(), "/console/organizations").await;
    let leave = organization(&format!("/people/members/{}/remove", id_in("users")));
    assert_eq!(page.attributes("main dialog form[method=post]", "action"), [leave.as_str()]);
    let left = submit(&Fake { role: Some("ADMIN"), ..Fake::default() }.console(), &leave, "").await;
    assert_eq!(left.location(), "/console/organizations?done=organization-left");
    let operator = open(&Fake::default().console(), "/console/organizations").await;
    assert!(operator.attributes("main dialog form[method=post]", "action").is_empty());
}

#[tokio::test]
async fn a_review_names_who_is_signed_in_unless_somebody_else_is_named() {
    let fake = member("REVIEWER");
    let address = workspace(&format!("/evaluations/{}", id_in("evaluations")));
    let page = open(&fake.console(), &address).await;
    assert_eq!(page.attributes("#f-reviewer", "value"), ["ann@example.com"]);
    submit(&fake.console(), &format!("{address}/review"), "score=1&reviewer=Ms+Curie&key=k").await;
    assert_eq!(fake.writes()[0].body["reviewer"], json!("Ms Curie"));
}

#[tokio::test]
async fn the_people_of_an_organization_have_their_roles_chosen() {
    let page = open(&member("ADMIN").console(), &organization("/people")).await;
    assert_eq!(page.attributes("td option[selected]", "value"), ["ADMIN", "TEACHER"]);
    assert_eq!(page.attributes("#f-role option", "value"), ["TEACHER", "REVIEWER", "ADMIN"]);
}
