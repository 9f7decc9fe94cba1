//! How pages look: nothing moves, nothing is cut off, and everybody can use them.

use serde_json::json;

use crate::browser::browse;
use crate::fake::id_in;

fn addresses() -> Vec<String> {
    let organization = format!("/console/organizations/{}", id_in("organizations"));
    let workspace = format!("/console/workspaces/{}", id_in("workspace"));
    let mut pages = [
        "/console",
        "/console/components",
        "/console/account",
        "/console/start",
        "/console/users",
        "/console/organizations",
        "/console/workspaces",
        "/console/statistics",
    ]
    .map(str::to_owned)
    .to_vec();
    pages.extend(["", "/jobs", "/audit-log"].map(|rest| format!("/console/operations{rest}")));
    pages.push(format!("{organization}/webhooks/{}", id_in("webhooks")));
    pages.push(format!("{organization}/classrooms/{}/modules", id_in("classrooms")));
    for kind in ["modules", "tests", "videos"] {
        pages.push(format!("{organization}/classrooms/{}/{kind}/{}", id_in("classrooms"), id_in("module")));
    }
    pages.push(format!("{organization}/expansions/{}", id_in("expansion")));
    pages.extend(
        ["/keys", "/playground", "/people", "/page-grading", "/classrooms", "/settings"]
            .map(|rest| format!("{organization}{rest}")),
    );
    pages.push(format!("/console/users/{}", id_in("user")));
    pages.push(format!("{workspace}/evaluations/{}", id_in("evaluation")));
    pages.push(format!("{workspace}/questions/{}", id_in("question")));
    pages.push(format!("{workspace}/lti/registrations/{}", id_in("registration")));
    pages.extend(
        ["", "/evaluations", "/lti", "/ledger", "/invoices", "/settings"].map(|rest| format!("{workspace}{rest}")),
    );
    pages
}

/// Looks at every page in a window of this size, by somebody who prefers these colours.
async fn look(width: u32, height: u32, scheme: &str) {
    browse(async |browser| {
        browser.resize(width, height).await;
        browser.prefer(scheme).await;
        for path in addresses() {
            browser.open(&path).await;
            assert_eq!(browser.overflow().await, 0, "{path}");
            assert_eq!(browser.ask("return window.shift").await, json!(0), "{path}: something moved");
            assert_eq!(browser.barriers().await, [""; 0], "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn pages_on_a_desktop_in_light() {
    look(1280, 860, "light").await;
}

#[tokio::test]
async fn pages_on_a_desktop_in_dark() {
    look(1280, 860, "dark").await;
}

#[tokio::test]
async fn pages_on_a_phone_in_light() {
    look(390, 844, "light").await;
}

#[tokio::test]
async fn pages_on_a_phone_in_dark() {
    look(390, 844, "dark").await;
}

#[tokio::test]
async fn one_long_word_leaves_the_other_columns_in_sight() {
    browse(async |browser| {
        browser.resize(1280, 860).await;
        browser.open(&format!("/console/workspaces/{}/evaluations", id_in("workspace"))).await;
        browser.ask("document.querySelector('tbody th a').textContent = 'x'.repeat(180)").await;
        let overflow = "const wrap = document.querySelector('.table-wrap'); return wrap.scrollWidth - wrap.clientWidth";
        assert_eq!(browser.ask(overflow).await, json!(0));
        browser.resize(390, 844).await;
        let width = "return document.querySelector('tbody th').getBoundingClientRect().width >= 200";
        assert_eq!(browser.ask(width).await, json!(true));
    })
    .await;
}

#[tokio::test]
async fn on_a_phone_the_grade_follows_the_answer() {
    browse(async |browser| {
        browser.resize(390, 844).await;
        browser.open(&format!("/console/workspaces/{}/evaluations/{}", id_in("workspace"), id_in("evaluation"))).await;
        let order = "const top = (id) => document.getElementById(id).getBoundingClientRect().top; \
            return top('answer') < top('grade') && top('grade') < top('feedback')";
        assert_eq!(browser.ask(order).await, json!(true));
    })
    .await;
}
