//! What attackers try: hostile texts, forms of other sites, frames, and addresses that lead elsewhere.

use axum::body::Body;
use http::header::{COOKIE, ORIGIN};
use http::{Method, Request, StatusCode};
use serde_json::json;

use crate::browser::{form_request, open, send, submit};
use crate::fake::{Fake, HOSTILE, id_in};
use crate::pages::addresses;

#[tokio::test]
async fn what_customers_write_is_shown_as_text() {
    let fake = Fake { is_hostile: true, ..Fake::default() };
    let console = fake.console();
    let mut shown = 0;
    for address in addresses() {
        let page = open(&console, &address).await;
        assert_eq!(page.status, StatusCode::OK, "{address}");
        assert_eq!(
            page.attributes("script", "src").len(),
            page.texts("script").len(),
            "{address}: a script of its own"
        );
        assert!(page.texts("script").iter().all(String::is_empty), "{address}: an inline script");
        assert!(page.attributes("[onerror], [onclick], [onload]", "onerror").is_empty(), "{address}");
        assert!(page.attributes("img", "src").iter().all(|src| src.starts_with("/console/assets/")), "{address}");
        assert!(page.attributes("[style]", "style").is_empty(), "{address}: an inline style");
        for link in page.attributes("a[href]", "href") {
            let is_safe = link.starts_with(['/', '?', '#']) || link.starts_with("http");
            assert!(is_safe, "{address}: {link}");
        }
        shown += page.html().root_element().text().collect::<String>().matches("<script>alert(1)").count();
    }
    // The texts are there, as texts.
    assert!(shown > 100, "{shown}");
}

#[tokio::test]
async fn what_a_query_says_is_shown_as_text() {
    let console = Fake::default().console();
    let hostile = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    for address in addresses() {
        let bare = address.split('?').next().unwrap();
        let names = ["name", "status", "learnerId", "cursor", "page", "measure", "startDate", "done", "next", "queue"];
        let query: Vec<String> = names.iter().map(|name| format!("{name}={hostile}")).collect();
        let page = open(&console, &format!("{bare}?{}", query.join("&"))).await;
        assert!(page.texts("script").iter().all(String::is_empty), "{address}");
        assert!(!page.body.contains("\"><script>"), "{address}");
    }
}

#[tokio::test]
async fn what_a_refused_form_held_is_shown_as_text() {
    let body = json!({ "statusCode": 400, "message": HOSTILE, "error": "x", "details": [{ "path": HOSTILE, "message": HOSTILE }] });
    let fake = Fake { refusal: Some((400, body)), ..Fake::default() };
    let path = format!("/console/organizations/{}/keys", id_in("organizations"));
    let page = submit(&fake.console(), &path, "name=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert!(page.texts("script").iter().all(String::is_empty));
    assert_eq!(page.attributes("#f-name", "value"), ["\"><script>alert(1)</script>"]);
}

#[tokio::test]
async fn forms_of_other_sites_are_refused() {
    let fake = Fake::default();
    let console = fake.console();
    let mut forms = Vec::new();
    for address in addresses() {
        forms.extend(open(&console, &address).await.attributes("form[method=post]", "action"));
    }
    forms.extend(["/console/sign-in".to_owned(), "/console/sign-out".to_owned()]);
    assert!(forms.len() > 50);
    let proofs: [&[(&str, &str)]; 6] = [
        &[],
        &[("sec-fetch-site", "cross-site"), ("origin", "https://lectern.example")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://evil.test")],
        &[("origin", "null")],
        &[("referer", "https://lectern.example/console")],
    ];
    for action in forms {
        for proof in proofs {
            let mut request = Request::post(&action).header(COOKIE, "jwt=good");
            for (name, value) in proof {
                request = request.header(*name, *value);
            }
            let page = send(&console, form_request(request, "name=x&email=a&password=b")).await;
            assert_eq!(page.status, StatusCode::FORBIDDEN, "{action} {proof:?}");
        }
    }
    assert!(fake.writes().is_empty(), "{:?}", fake.writes());
}

#[tokio::test]
async fn a_form_that_is_sent_after_its_session_ended_is_kept_until_its_sender_is_signed_in() {
    let console = Fake::default().console();
    let action = format!("/console/organizations/{}/people?x=1", id_in("organizations"));
    let signed_out = Request::post(&action).header("sec-fetch-site", "same-origin");
    let page = send(&console, form_request(signed_out, "email=%3Cb%3E%22&role=TEACHER&note=%0Aone%0D%0Atwo")).await;
    assert_eq!(page.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        (page.texts("h1"), page.attributes("form", "action")),
        (vec!["Your session has ended".to_owned()], vec![action])
    );
    assert_eq!(page.attributes("form textarea", "name"), ["email", "role", "note"]);
    assert_eq!(page.texts("form textarea"), ["<b>\"", "TEACHER", "one\ntwo"]);
    assert_eq!(page.attributes("a[target]", "href"), ["/console/sign-in"]);
}

#[tokio::test]
async fn a_long_form_is_kept_too_where_the_browser_has_a_session_that_ended() {
    let message = json!({ "statusCode": 401, "message": "You are not signed in.", "error": "Unauthorized" });
    let fake = Fake { refusal: Some((401, message)), ..Fake::default() };
    let address = format!("/console/organizations/{}/playground", id_in("organizations"));
    let page =
        submit(&fake.console(), &address, &format!("payload=%7B%22a%22:%22{}%22%7D", "x".repeat(3 * 1024 * 1024)))
            .await;
    let kept = page.texts("form textarea").swap_remove(0);
    assert_eq!((page.status, kept.len()), (StatusCode::UNAUTHORIZED, 3 * 1024 * 1024 + r#"{"a":""}"#.len()));
}

#[tokio::test]
async fn a_form_with_a_secret_is_not_kept() {
    for form in ["currentPassword=old&newPassword=new", "code=123456", ""] {
        let signed_out = Request::post("/console/account/totp/confirm").header("sec-fetch-site", "same-origin");
        let page = send(&Fake::default().console(), form_request(signed_out, form)).await;
        assert_eq!(page.location(), "/console/sign-in?next=%2Fconsole", "{form}");
    }
}

#[tokio::test]
async fn a_form_that_is_too_long_is_told_so() {
    let console = Fake::default().console();
    let (short, long) = ("x".repeat(3 * 1024 * 1024), "x".repeat(13 * 1024 * 1024));
    for (address, form) in [("/console/account/totp/confirm", &short), ("/console/organizations/x/playground", &long)] {
        let page = submit(&console, address, &format!("payload={form}")).await;
        assert_eq!(
            (page.status, page.texts("h1")),
            (StatusCode::PAYLOAD_TOO_LARGE, vec!["Too long".to_owned()]),
            "{address}"
        );
    }
}

#[tokio::test]
async fn a_form_of_an_old_browser_proves_itself_by_its_origin() {
    let fake = Fake::default();
    let request = Request::post("/console/account/sessions/revoke-others").header(COOKIE, "jwt=good");
    let page = send(&fake.console(), form_request(request.header(ORIGIN, "https://lectern.example"), "")).await;
    assert_eq!(page.location(), "/console/account?done=sessions-ended");
    let write = &fake.writes()[0];
    assert_eq!((write.method.clone(), write.path.as_str()), (Method::POST, "/auth/sessions/revoke-others"));
    assert_eq!(write.headers["origin"], "https://lectern.example");
}

#[tokio::test]
async fn every_answer_tells_the_browser_what_it_may_do() {
    let console = Fake::default().console();
    let mut addresses = addresses();
    addresses.extend(["/console/nothing", "/console/sign-in", "/console/statistics/daily.csv"].map(str::to_owned));
    let asset = open(&console, "/console").await.attributes("link[rel=stylesheet]", "href")[0].clone();
    addresses.push(asset.clone());
    for address in addresses {
        let page = open(&console, &address).await;
        let policy = page.header("content-security-policy");
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.contains(rule), "{address}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{address}: {policy}");
        assert_eq!(page.header("x-frame-options"), "DENY", "{address}");
        assert_eq!(page.header("x-content-type-options"), "nosniff", "{address}");
        assert_eq!(page.header("referrer-policy"), "same-origin", "{address}");
        if address != asset {
            assert_eq!(page.header("cache-control"), "no-store", "{address}");
        }
    }
    let request = Request::post("/console/sign-out").header("sec-fetch-site", "cross-site");
    let refused = send(&console, form_request(request, "")).await;
    assert!(refused.header("content-security-policy").contains("frame-ancestors 'none'"));
}

#[tokio::test]
async fn pages_load_nothing_from_elsewhere() {
    let console = Fake { is_hostile: true, ..Fake::default() }.console();
    for address in addresses() {
        let page = open(&console, &address).await;
        let loaded =
            [("link:not([rel=expect])", "href"), ("script", "src"), ("img", "src"), ("form[method=post]", "action")];
        for (selector, name) in loaded {
            for target in page.attributes(selector, name) {
                assert!(target.starts_with("/console/"), "{address}: {target}");
            }
        }
    }
}

#[tokio::test]
async fn a_read_changes_nothing() {
    let fake = Fake::default();
    let console = fake.console();
    for address in addresses() {
        open(&console, &address).await;
        let head = Request::head(&address).header(COOKIE, "jwt=good").body(Body::empty()).unwrap();
        assert_eq!(send(&console, head).await.status, StatusCode::OK, "{address}");
    }
    assert!(fake.writes().is_empty(), "{:?}", fake.writes());
}
