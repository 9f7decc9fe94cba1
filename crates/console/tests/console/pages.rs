//! Every page: renders, is small, links to what exists, and escapes what customers write.

use http::StatusCode;

use crate::browser::{Page, open};
use crate::fake::{Fake, id_in};

/// What a page may weigh. Style sheets, scripts and font come once.
const MAX_PAGE_BYTES: usize = 150_000;

/// Every page that shows something.
pub(crate) fn addresses() -> Vec<String> {
    let (organization, workspace) = (id_in("organizations"), id_in("workspace"));
    let at = |folder: &str, id: &str, rest: &[String]| -> Vec<String> {
        rest.iter().map(|rest| format!("/console/{folder}/{id}{rest}")).collect()
    };
    let texts = |texts: &[&str]| -> Vec<String> { texts.iter().map(|text| (*text).to_owned()).collect() };
    let mut pages = texts(&[
        "/console",
        "/console/",
        "/console/components",
        "/console/account",
        "/console/start",
        "/console/organizations",
        "/console/users",
        "/console/users?email=ann&page=1",
        "/console/workspaces",
        "/console/workspaces/new",
        "/console/evaluations",
        "/console/lti",
        "/console/statistics",
        "/console/statistics?measure=cost&startDate=2026-11-01",
        "/console/statistics?measure=tokens",
        "/console/workspaces?name=demo&status=ACTIVE",
        "/console/operations",
        "/console/operations/jobs",
        "/console/operations/jobs?state=failed&kind=GradeAnswer&cursor=abc",
        "/console/operations/audit-log",
        "/console/operations/audit-log?operation=rotateApiKey&createdAfter=2026-11-01&cursor=abc",
        "/console/password-reset",
        "/console/second-factor",
    ]);
    let mut of_organization = texts(&[
        "/settings",
        "/keys",
        "/webhooks",
        "/page-grading",
        "/people",
        "/audit-log",
        "/classrooms",
        "/playground",
        "/expansions",
    ]);
    of_organization.push(format!("/webhooks/{}", id_in("webhooks")));
    of_organization.push(format!("/expansions/{}", id_in("expansion")));
    let kinds = ["courses", "modules", "slides", "tests", "videos"];
    of_organization.extend(kinds.map(|kind| format!("/classrooms/{}/{kind}", id_in("classrooms"))));
    of_organization.extend(kinds.map(|kind| format!("/classrooms/{}/{kind}/{}", id_in("classrooms"), id_in("module"))));
    pages.extend(at("users", &id_in("user"), &texts(&[""])));
    pages.extend(at("organizations", &organization, &of_organization));
    let mut of_workspace = texts(&[
        "",
        "/settings",
        "/invoices",
        "/ledger",
        "/ledger?kind=top_up&createdAfter=2026-11-01&createdBefore=2026-11-30&cursor=abc",
        "/keys",
        "/webhooks",
        "/evaluations",
        "/questions",
        "/playground",
        "/lti",
        "/lti/new",
        "/evaluations?needsReview=true&minConfidence=0.1&createdAfter=2026-11-01&cursor=abc",
    ]);
    of_workspace.push(format!("/webhooks/{}?status=failed&page=2", id_in("platform_webhooks")));
    of_workspace.push(format!("/evaluations/{}", id_in("evaluation")));
    of_workspace.push(format!("/evaluations/{}?queue=1&cursor=abc", id_in("evaluation")));
    of_workspace.push(format!("/questions/{}", id_in("question")));
    of_workspace.push(format!("/lti/registrations/{}", id_in("registration")));
    pages.extend(at("workspaces", &workspace, &of_workspace));
    pages
}

#[tokio::test]
async fn every_page_renders_and_is_small() {
    for fake in [Fake::default(), Fake { is_empty: true, ..Fake::default() }] {
        let console = fake.console();
        // Without webhooks, none has a page.
        for address in addresses().iter().filter(|address| !fake.is_empty || !address.contains("/webhooks/")) {
            let page = open(&console, address).await;
            assert_eq!(page.status, StatusCode::OK, "{address}: {}", page.body);
            assert!(page.body.len() < MAX_PAGE_BYTES, "{address}: {} bytes", page.body.len());
            assert_eq!(page.texts("h1").len(), 1, "{address}");
            assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{address}");
        }
    }
}

#[tokio::test]
async fn style_sheets_scripts_and_font_are_small_together() {
    let console = Fake::default().console();
    let page = open(&console, "/console/sign-in").await;
    let page = if page.status == StatusCode::OK { page } else { open(&console, "/console").await };
    let mut total = page.body.len();
    let files = [page.attributes("link:not([rel=expect])", "href"), page.attributes("script[src]", "src")].concat();
    assert!(files.len() >= 5);
    for file in files {
        let asset = open(&console, &file).await;
        assert_eq!(asset.status, StatusCode::OK, "{file}");
        assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
        total += asset
            .headers
            .get("content-length")
            .map_or(asset.body.len(), |length| length.to_str().unwrap().parse().unwrap());
    }
    assert!(total < MAX_PAGE_BYTES, "{total} bytes");
}

#[tokio::test]
async fn every_link_leads_to_a_page_and_every_form_to_a_route() {
    let fake = Fake::default();
    let console = fake.console();
    let mut links = 0;
    for address in addresses() {
        let page = open(&console, &address).await;
        for link in page.attributes("a[href]", "href") {
            let target = match link.as_str() {
                relative if relative.starts_with('?') => format!("{}{relative}", address.split('?').next().unwrap()),
                other => other.to_owned(),
            };
            if !target.starts_with("/console") {
                let is_known = ["/docs", "/v1/platform/workspaces/", "#", "/", "http://127.0.0.1"];
                assert!(is_known.iter().any(|start| target.starts_with(start)), "{address}: {target}");
                continue;
            }
            links += 1;
            let opened = open(&console, target.split('#').next().unwrap()).await;
            let is_there = opened.status == StatusCode::OK || opened.status == StatusCode::SEE_OTHER;
            assert!(is_there, "{address}: {target} is {}", opened.status);
        }
        check_forms(&console, &address, &page).await;
    }
    assert!(links > 500, "{links} links");
}

/// Posts each form without its fields: a route that exists says something else than 404.
async fn check_forms(console: &axum::Router, address: &str, page: &Page) {
    for action in page.attributes("form[method=post]", "action") {
        let answer = crate::browser::submit(console, &action, "").await;
        assert!(answer.status != StatusCode::NOT_FOUND, "{address}: {action} is {}", answer.status);
    }
    for action in page.attributes("form[method=get]", "action") {
        assert_eq!(open(console, &action).await.status, StatusCode::OK, "{address}: {action}");
    }
}

#[tokio::test]
async fn every_page_has_what_screen_readers_need() {
    let console = Fake::default().console();
    for address in addresses() {
        let page = open(&console, &address).await;
        let mut ids = page.attributes("[id]", "id");
        let labels = page.attributes("label[for]", "for");
        for id in page.attributes("input:not([type=hidden]):not([type=checkbox]):not([type=radio])", "id") {
            assert!(labels.contains(&id), "{address}: {id} has no label");
        }
        for id in page.attributes("select, textarea", "id") {
            assert!(labels.contains(&id), "{address}: {id} has no label");
        }
        assert_eq!(page.texts("table").len(), page.texts("table > caption").len(), "{address}");
        assert_eq!(page.attributes("a.skip", "href"), ["#main"], "{address}");
        for described in page.attributes("[aria-describedby], [aria-labelledby]", "aria-labelledby") {
            assert!(ids.contains(&described), "{address}: {described}");
        }
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count, "{address} has an id twice");
    }
}

#[tokio::test]
async fn a_page_shows_the_calls_behind_it() {
    let console = Fake::default().console();
    let path = format!("/console/organizations/{}/keys", id_in("organizations"));
    let page = open(&console, &path).await;
    let links = page.attributes(".calls a", "href");
    assert!(links.contains(&"/docs#listApiKeys".to_owned()), "{links:?}");
    assert!(links.contains(&"/docs#createApiKey".to_owned()), "{links:?}");
    assert!(page.texts(".calls pre").iter().any(|text| text.starts_with("curl -X POST")), "{}", page.body);
}

#[tokio::test]
async fn an_administrator_sees_no_door_that_is_shut() {
    let console = Fake { role: Some("ADMIN"), ..Fake::default() }.console();
    let page = open(&console, "/console").await;
    assert_eq!(page.status, StatusCode::OK);
    let links = page.attributes("nav a", "href");
    assert!(links.contains(&"/console/organizations".to_owned()));
    assert!(!links.contains(&"/console/workspaces".to_owned()));
    assert!(!links.contains(&"/console/users".to_owned()));
    let refused = open(&console, "/console/workspaces").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(refused.texts("h1"), ["You may not do this"]);
}

#[tokio::test]
async fn an_unknown_page_is_a_page_too() {
    let console = Fake::default().console();
    for address in
        ["/console/nothing", "/console/workspaces/../x", "/console/workspaces/%2e%2e", "/console/workspaces/a%2Fb"]
    {
        let page = open(&console, address).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{address}");
        assert_eq!(page.texts("h1"), ["Not found"], "{address}");
    }
}

#[tokio::test]
async fn an_overview_of_too_many_workspaces_says_so() {
    let page = open(&Fake { is_huge: true, ..Fake::default() }.console(), "/console").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.body.contains("too many workspaces to look at each of them"));
    let list = open(&Fake { is_huge: true, ..Fake::default() }.console(), "/console/workspaces").await;
    assert_eq!(list.status, StatusCode::BAD_GATEWAY);
}
