//! Sign-in: sessions, second factors, and where the browser is led.

use axum::body::Body;
use http::header::{ACCEPT, COOKIE, SET_COOKIE};
use http::{Request, StatusCode};
use serde_json::json;

use crate::browser::{Page, form_request, open, send, submit};
use crate::fake::Fake;
use crate::pages::addresses;

async fn open_signed_out(fake: &Fake, path: &str) -> Page {
    send(&fake.console(), Request::get(path).body(Body::empty()).unwrap()).await
}

async fn sign_in(fake: &Fake, form: &str) -> Page {
    let request = Request::post("/console/sign-in").header("sec-fetch-site", "same-origin");
    send(&fake.console(), form_request(request, form)).await
}

#[tokio::test]
async fn every_page_leads_to_sign_in_and_back() {
    let fake = Fake::default();
    let open_to_all = ["/console/components", "/console/password-reset", "/console/second-factor"];
    for address in addresses().into_iter().filter(|address| !open_to_all.contains(&address.as_str())) {
        let page = open_signed_out(&fake, &address).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{address}");
        let next =
            page.location().strip_prefix("/console/sign-in?next=").unwrap_or_else(|| panic!("{address}")).to_owned();
        let form = format!("email=a%40b.example&password=x&next={next}");
        assert_eq!(sign_in(&fake, &form).await.location(), address);
    }
}

#[tokio::test]
async fn sign_in_leads_to_no_other_site() {
    let fake = Fake::default();
    for next in [
        "https://evil.test/",
        "//evil.test",
        "/\\evil.test",
        "/console//evil.test",
        "javascript:alert(1)",
        "/auth/logout",
        "/console/../auth/logout",
        "/console%0d%0aset-cookie:x=y",
        "/consolation",
        "",
    ] {
        let page = sign_in(&fake, &format!("email=a%40b.example&password=x&next={next}")).await;
        assert_eq!((page.status, page.location()), (StatusCode::SEE_OTHER, "/console"), "{next}");
        let page = open_signed_out(&fake, &format!("/console/sign-in?next={next}")).await;
        assert_eq!(page.attributes("input[name=next]", "value"), ["/console"], "{next}");
    }
}

#[tokio::test]
async fn a_session_from_before_is_not_taken_over() {
    let fake = Fake::default();
    let request =
        Request::post("/console/sign-in").header("sec-fetch-site", "same-origin").header(COOKIE, "jwt=attackers");
    let page =
        send(&fake.console(), form_request(request, "email=a%40b.example&password=x&timezone=Europe/Berlin")).await;
    assert_eq!(page.headers[SET_COOKIE], "jwt=new; Path=/; HttpOnly; SameSite=Lax");
    let login = &fake.writes()[0];
    assert_eq!(login.path, "/auth/login");
    assert_eq!(login.headers.get("cookie"), None);
    assert_eq!(login.headers["origin"], "https://lectern.example");
    assert_eq!(login.body, json!({ "email": "a@b.example", "password": "x", "timezone": "Europe/Berlin" }));
}

#[tokio::test]
async fn a_wrong_password_is_said_and_not_shown() {
    let message = "The e-mail address or the password is wrong.";
    let refusal = Some((401, json!({ "statusCode": 401, "message": message, "error": "Unauthorized" })));
    let fake = Fake { refusal, ..Fake::default() };
    let page = sign_in(&fake, "email=a%40b.example&password=correct-horse").await;
    assert_eq!(page.status, StatusCode::UNAUTHORIZED);
    assert!(page.texts("[role=alert]").iter().any(|text| text.contains(message)), "{}", page.body);
    assert_eq!(page.attributes("#f-email", "value"), ["a@b.example"]);
    assert!(!page.body.contains("correct-horse"));
    assert_eq!(page.header("set-cookie"), "");
}

fn second_factor() -> Fake {
    let code = "second_factor_required";
    let body =
        json!({ "statusCode": 401, "message": "A second factor is needed.", "error": "Unauthorized", "code": code });
    Fake { refusal: Some((401, body)), ..Fake::default() }
}

#[tokio::test]
async fn a_second_factor_is_asked_for() {
    let page = sign_in(&second_factor(), "email=a%40b.example&password=x").await;
    assert_eq!(page.attributes("details#second-factor[open]", "id"), ["second-factor"]);
    let fake = Fake::default();
    sign_in(&fake, "email=a%40b.example&password=x&code=123%20456").await;
    sign_in(&fake, "email=a%40b.example&password=x&code=abcd-efgh-jkmn-pqrs").await;
    let bodies: Vec<_> = fake.writes().into_iter().map(|write| write.body).collect();
    assert_eq!(bodies[0]["code"], "123456");
    assert_eq!(bodies[1]["recoveryCode"], "abcd-efgh-jkmn-pqrs");
}

#[tokio::test]
async fn the_script_is_told_in_json() {
    let request =
        || Request::post("/console/sign-in").header("sec-fetch-site", "same-origin").header(ACCEPT, "application/json");
    let asked = send(&second_factor().console(), form_request(request(), "email=a&password=x")).await;
    let told: serde_json::Value = serde_json::from_str(&asked.body).unwrap();
    assert_eq!(told["needsCode"], true);
    let form = "email=a&password=x&next=/console/account";
    let page = send(&Fake::default().console(), form_request(request(), form)).await;
    assert_eq!(page.body, r#"{"next":"/console/account"}"#);
    assert!(page.header("set-cookie").starts_with("jwt=new"));
}

#[tokio::test]
async fn providers_are_reached_at_this_service_alone() {
    let page = open_signed_out(&Fake::default(), "/console/sign-in?next=/console/account").await;
    let links = page.attributes("a.secondary", "href");
    assert_eq!(links, ["/auth/oidc/school/login?returnTo=%2Fconsole%2Faccount"]);
}

#[tokio::test]
async fn signing_out_takes_the_cookie_back() {
    let fake = Fake::default();
    let page = submit(&fake.console(), "/console/sign-out", "").await;
    assert_eq!(page.location(), "/console/sign-in?done=signed-out");
    assert!(page.header("set-cookie").contains("Max-Age=0"));
    let page = open_signed_out(&fake, page.location()).await;
    assert_eq!(page.texts("[role=status] p"), ["You are signed out."]);
}

#[tokio::test]
async fn who_is_signed_in_needs_no_form() {
    let page = open(&Fake::default().console(), "/console/sign-in?next=/console/account").await;
    assert_eq!(page.location(), "/console/account");
}
