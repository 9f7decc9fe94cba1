//! Words of pages: the terms of the people who read them, not those of the API.

use serde_json::json;

use crate::browser::open;
use crate::fake::{Fake, id_in};

fn organization(rest: &str) -> String {
    format!("/console/organizations/{}{rest}", id_in("organizations"))
}

fn workspace(rest: &str) -> String {
    format!("/console/workspaces/{}{rest}", id_in("workspace"))
}

#[tokio::test]
async fn graders_and_the_order_of_an_evaluation_are_those_of_a_reviewer() {
    let console = Fake::default().console();
    let list = open(&console, &workspace("/evaluations")).await;
    let heads = list.texts("thead th");
    assert_eq!(heads[..3], ["Question", "Points", "State"]);
    assert!(list.texts("td").contains(&"Built-in grader".to_owned()), "{:?}", list.texts("td"));
    let page = open(&console, &workspace(&format!("/evaluations/{}", id_in("evaluation")))).await;
    let headings = page.texts(".main-aside h2");
    let at = |heading: &str| headings.iter().position(|text| text == heading).unwrap();
    assert_eq!(at("Grade"), at("Answer") + 1, "{headings:?}");
    assert!(at("History") < at("Review"));
}

#[tokio::test]
async fn outputs_of_a_job_lead_to_their_editors_below_the_tab_of_the_list() {
    let console = Fake::default().console();
    let job = open(&console, &organization(&format!("/expansions/{}", id_in("expansion")))).await;
    let classroom = organization(&format!("/classrooms/{}", id_in("classrooms")));
    let edits = job.attributes("a[aria-label^=Edit]", "href");
    assert_eq!(edits.len(), 3, "{edits:?}");
    for (edit, kind) in edits.iter().zip(["modules", "videos", "tests"]) {
        assert!(edit.starts_with(&format!("{classroom}/{kind}/")), "{edit}");
    }
    let list = open(&console, &organization("/expansions")).await;
    assert_eq!(job.texts(".tabs [aria-current]"), list.texts(".tabs [aria-current]"));
    assert!(job.texts("dd").contains(&"Source JSON".to_owned()));
    let start = open(&console, "/console/start").await;
    assert_eq!(start.texts("#expansion .button.secondary").len(), 3, "{}", start.body);
}

#[tokio::test]
async fn a_workspace_shows_spending_that_is_counted_and_leads_to_its_organization() {
    let page = open(&Fake::default().console(), &workspace("")).await;
    let tiles = page.texts(".tile dt");
    assert_eq!(tiles, ["Left to spend", "Requests a minute"]);
    assert!(page.texts("dd a").contains(&"Open the organization".to_owned()));
    assert_eq!(page.texts("label[for=f-dailyHardUsd]")[0], "Daily limit (optional)");
}

#[tokio::test]
async fn a_dialog_names_what_it_takes_away() {
    let console = Fake::default().console();
    let modules = open(&console, &organization(&format!("/classrooms/{}/modules", id_in("classrooms")))).await;
    let titles = modules.texts("dialog h2");
    assert!(titles[0].starts_with("Delete module “") && titles[0].ends_with("”?"), "{titles:?}");
    let keys = open(&console, &organization("/keys")).await;
    let titles = keys.texts("dialog h2");
    assert!(titles[0].starts_with("Rotate the key “") && titles[1].starts_with("Revoke the key “"), "{titles:?}");
}

#[tokio::test]
async fn the_audit_log_is_filtered_by_the_words_of_its_table() {
    let page = open(&Fake::default().console(), "/console/operations/audit-log?operation=rotateApiKey").await;
    assert_eq!(page.texts("#f-operation option[selected]"), ["Rotate API key"]);
    let options = page.texts("#f-operation option");
    for row in page.texts("tbody th") {
        assert!(options.contains(&row), "{row}");
    }
}

#[tokio::test]
async fn an_empty_list_says_how_its_kind_is_made() {
    let console = Fake { is_empty: true, ..Fake::default() }.console();
    let hint = async |kind: &str| {
        let path = organization(&format!("/classrooms/{}/{kind}", id_in("classrooms")));
        open(&console, &path).await.texts(".empty p").remove(0)
    };
    assert_eq!(hint("slides").await, "Slide decks are made through the API.");
    assert_eq!(hint("courses").await, "Courses are made through the API.");
    assert!(hint("modules").await.starts_with("Send a source in the playground"));
}

#[tokio::test]
async fn an_account_says_whose_it_is() {
    let page = open(&Fake::default().console(), "/console/account").await;
    assert!(page.texts("main p").contains(&"Signed in as ann@example.com".to_owned()));
    let user = open(&Fake::default().console(), &format!("/console/users/{}", id_in("user"))).await;
    let sessions = user.texts("h3").contains(&"Sessions".to_owned());
    assert!(sessions, "{}", json!(user.texts("h3")));
}
