//! Registration links, as learning platforms open them for their administrators.

use std::time::Duration;

use axum::body::Body;
use http::{Method, Request, StatusCode};
use serde_json::json;
use store::Tx;
use testkit::lms::{CLIENT_ID, DEPLOYMENT, Lms};
use testkit::{TestStore, both_stores};
use url::form_urlencoded;

use crate::call::Reply;
use crate::service::Service;

const BASE: &str = "https://lectern.example/school/";
const HOSTILE: &str = "<script>alert(1)</script>\"'><b>";

/// A service with a link, and a platform that opens it.
struct Stage {
    service: Service,
    lms: Lms,
    /// The path of the link.
    path: String,
}

impl Stage {
    async fn new(test: TestStore) -> Self {
        Self::named(test, None).await
    }

    async fn named(test: TestStore, name: Option<&str>) -> Self {
        let service = Service::new(test, BASE).await;
        let token = service.registration_link(name).await;
        Self { service, lms: Lms::start().await, path: format!("/v1/platform/lti/register/{token}") }
    }

    async fn open(&self, query: &[(&str, String)]) -> Reply {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        self.service.browse(&format!("{}?{query}", self.path), "en", None).await
    }

    async fn confirm(&self, fields: &[(&str, String)]) -> Reply {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.service.browse(&self.path, "en", Some(&fields)).await
    }

    /// What the page's form sends.
    fn form(page: &Reply) -> Vec<(String, String)> {
        let names = page.attributes("form input[type=hidden]", "name");
        names.into_iter().zip(page.attributes("form input[type=hidden]", "value")).collect()
    }

    async fn change(&self, sql: &'static str) {
        let changed = self.service.test.store.write("test", move |tx: &mut Tx<'_>| tx.execute(sql, &[])).await.unwrap();
        assert_eq!(changed, 1);
    }

    async fn registrations(&self) -> i64 {
        let count = |tx: &mut Tx<'_>| tx.find("SELECT count(*) FROM lti_registration", &[], |row| row.get(0));
        self.service.test.store.read("test", count).await.unwrap().unwrap_or(0)
    }
}

#[both_stores]
async fn an_administrator_sees_what_is_connected_confirms_and_is_told_what_is_left(test: TestStore) {
    let stage = Stage::named(test, Some("Riverside Moodle")).await;
    let page = stage.open(&stage.lms.registration_query()).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.texts("h1"), ["Connect your learning platform"]);
    let host = stage.lms.issuer().strip_prefix("http://").unwrap();
    assert_eq!(page.texts("dd bdi"), ["Riverside Moodle", host, "Riverside"]);
    assert_eq!(page.texts("form button"), ["Connect"]);
    assert_eq!(page.attributes("form", "action"), [format!("/school{}", stage.path)]);
    assert_eq!((page.header("cache-control"), page.header("cross-origin-opener-policy")), ("no-store", "unsafe-none"));
    assert!(page.header("content-security-policy").contains("frame-ancestors *"));

    let form = Stage::form(&page);
    let fields: Vec<_> = form.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let connected = stage.confirm(&fields).await;
    assert_eq!(connected.status, 200, "{}", connected.body);
    assert_eq!(
        (connected.texts("h1"), connected.texts(".kind")),
        (vec!["Connected".to_owned()], vec!["Riverside Moodle".to_owned()])
    );
    assert_eq!(connected.texts("dd"), [CLIENT_ID, DEPLOYMENT]);
    assert!(connected.body.contains("activate it there"), "{}", connected.body);
    let scripts = connected.attributes("script", "src");
    assert!(scripts.len() == 1 && scripts[0].ends_with("/registration.js"), "{scripts:?}");
    assert_eq!(connected.texts("[data-close][hidden] button"), ["Close this page"]);
    assert_eq!(stage.registrations().await, 1);

    for again in [stage.open(&stage.lms.registration_query()).await, stage.confirm(&fields).await] {
        assert_eq!(again.status, StatusCode::GONE);
        assert!(again.body.contains("This link was used already."), "{}", again.body);
        assert!(again.texts("form").is_empty());
    }
}

#[both_stores]
async fn looking_at_a_link_uses_nothing_up(test: TestStore) {
    let stage = Stage::new(test).await;
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(stage.lms.registration_query()).finish();
    let path = format!("{}?{query}", stage.path);
    for method in [Method::HEAD, Method::GET, Method::GET] {
        assert_eq!(stage.service.call(method, &path).await.status, 200);
    }
    assert_eq!((stage.lms.registration_posts(), stage.registrations().await), (0, 0));
    assert_eq!(stage.confirm(&stage.lms.registration_query()).await.status, 200);
}

#[both_stores]
async fn pages_speak_the_reader_s_language(test: TestStore) {
    let stage = Stage::new(test).await;
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(stage.lms.registration_query()).finish();
    let path = format!("{}?{query}", stage.path);
    for (language, title, button) in [
        ("de-AT", "Verbinde deine Lernplattform", "Verbinden"),
        ("ar", "اربط منصتك التعليمية", "ربط"),
        ("ja", "学習プラットフォームを接続する", "接続する"),
    ] {
        let page = stage.service.browse(&path, language, None).await;
        assert_eq!((page.texts("h1"), page.texts("form button")), (vec![title.to_owned()], vec![button.to_owned()]));
    }
    let page = stage.service.browse(&stage.path, "uk", None).await;
    assert!(page.status == 400 && page.body.contains("Це посилання не для браузера."), "{}", page.body);
    let connected: Vec<_> = stage.lms.registration_query();
    let fields: Vec<_> = connected.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let connected = stage.service.browse(&stage.path, "fr", Some(&fields)).await;
    assert_eq!(connected.texts("h1"), ["Connectée"]);
}

#[both_stores]
async fn a_link_that_can_t_be_used_has_a_page_that_says_why(test: TestStore) {
    let stage = Stage::new(test).await;
    let query = stage.lms.registration_query();
    let unknown = stage.service.browse("/v1/platform/lti/register/unknown", "en", None).await;
    assert_eq!((unknown.status, unknown.texts("h1")), (StatusCode::NOT_FOUND, vec!["Page not found".to_owned()]));
    let by_hand = stage.open(&[]).await;
    assert_eq!(by_hand.status, 400);
    assert!(by_hand.body.contains("enter it as the registration URL of a new tool"), "{}", by_hand.body);
    for (sql, status, text) in [
        ("UPDATE lti_registration_link SET leased_until = 4000000000000", 409, "Someone is connecting"),
        ("UPDATE workspace SET status = 'SUSPENDED'", 409, "Someone is connecting"),
        ("UPDATE lti_registration_link SET leased_until = NULL", 403, "is suspended"),
        ("UPDATE lti_registration_link SET revoked_at = 1", 410, "This link was revoked."),
        ("UPDATE lti_registration_link SET revoked_at = NULL, expires_at = 1", 410, "This link has expired."),
        ("UPDATE lti_registration_link SET used_at = 1", 410, "This link was used already."),
    ] {
        stage.change(sql).await;
        for reply in [stage.open(&query).await, stage.confirm(&query).await] {
            assert_eq!(reply.status.as_u16(), status, "{sql}");
            assert!(reply.body.contains(text), "{sql}: {}", reply.body);
            assert_eq!(reply.texts("h1"), ["Not connected"]);
        }
    }
    assert_eq!(stage.lms.registration_posts(), 0);
}

#[both_stores]
async fn a_platform_that_fails_is_told_about_and_the_link_works_again(test: TestStore) {
    let stage = Stage::new(test).await;
    let mut lying = stage.lms.configuration();
    lying["issuer"] = json!("https://other.example");
    stage.lms.claim_to_be(&lying);
    let refused = stage.confirm(&stage.lms.registration_query()).await;
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("names another server as its issuer"), "{}", refused.body);
    assert!(refused.body.contains("The link still works."), "{}", refused.body);
    assert_eq!(refused.texts("code"), ["issuer"]);

    stage.lms.claim_to_be(&stage.lms.configuration());
    let hostile = format!("{{\"error\":\"{}\"}}", HOSTILE.replace('"', "\\\""));
    stage.lms.answer_registrations(&[(StatusCode::BAD_REQUEST, &hostile)]);
    let refused = stage.confirm(&stage.lms.registration_query()).await;
    assert!(
        refused.body.contains("refused the registration") && !refused.body.contains("alert(1)"),
        "{}",
        refused.body
    );
    assert_eq!(refused.texts("code"), ["refused: HTTP 400"]);

    stage.lms.answer_registrations(&[(StatusCode::OK, "{}")]);
    let refused = stage.confirm(&stage.lms.registration_query()).await;
    assert!(refused.body.contains("did not confirm the registration"), "{}", refused.body);

    assert_eq!(stage.confirm(&stage.lms.registration_query()).await.status, 200);
    let token = stage.service.registration_link(None).await;
    let path = format!("/v1/platform/lti/register/{token}");
    stage.lms.give_client_id(CLIENT_ID);
    let query = stage.lms.registration_query();
    let fields: Vec<_> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let taken = stage.service.browse(&path, "en", Some(&fields)).await;
    assert_eq!(taken.status, StatusCode::CONFLICT);
    assert!(taken.body.contains("is connected under this client ID already"), "{}", taken.body);
}

#[both_stores]
async fn hostile_texts_stay_texts(test: TestStore) {
    let stage = Stage::named(test, Some(HOSTILE)).await;
    let mut query = stage.lms.registration_query();
    query[0].1.push_str("?x=\"><script>alert(2)</script>");
    query[1].1 = "\"><script>alert(3)</script>".to_owned();
    let page = stage.open(&query).await;
    assert_eq!(page.status, 200, "{}", page.body);
    assert_eq!(page.texts("dd bdi")[0], HOSTILE);
    assert_eq!(
        Stage::form(&page).iter().map(|(_, value)| value.clone()).collect::<Vec<_>>(),
        [query[0].1.clone(), query[1].1.clone()]
    );
    assert!(page.texts("b").is_empty() && page.texts("script").iter().all(String::is_empty));
    for address in ["javascript:alert(1)", "http://10.0.0.1/", "https://lms.example\"><b>", "\u{0}"] {
        let page = stage.open(&[("openid_configuration", address.to_owned())]).await;
        assert_eq!(page.status, 400, "{address}");
        assert!(page.body.contains("The address of your learning platform is not public"), "{}", page.body);
        assert!(!page.body.contains("10.0.0.1") && page.texts("b").is_empty());
    }
}

#[both_stores]
async fn programs_get_the_envelope(test: TestStore) {
    let stage = Stage::new(test).await;
    let get = |path: &str| Request::get(path).body(Body::empty()).unwrap();
    let post = |body: &str| {
        let request = Request::post(&stage.path).header("content-type", "application/x-www-form-urlencoded");
        request.body(Body::from(body.to_owned())).unwrap()
    };
    let (status, body) = stage.service.ask(get("/v1/platform/lti/register/unknown")).await;
    assert_eq!((status.as_u16(), &body["error"]["code"]), (404, &json!("platform_not_found")));
    for request in [get(&stage.path), post(""), post("openid_configuration=javascript:x")] {
        let (status, body) = stage.service.ask(request).await;
        assert_eq!((status.as_u16(), &body["error"]["details"][0]["path"]), (400, &json!("openid_configuration")));
    }
    let unfit = Request::post(&stage.path).header("content-type", "application/json").body(Body::from("{}")).unwrap();
    assert_eq!(stage.service.ask(unfit).await.0, 415);
    let put = Request::put(&stage.path).body(Body::empty()).unwrap();
    assert_eq!(stage.service.ask(put).await.0, 405);
    let (status, _) = stage.service.ask(post(&"x".repeat(crate::service::BODY_LIMIT_BYTES + 1))).await;
    assert_eq!(status, 413);
    stage.service.test.clock.advance(Duration::from_secs(24 * 3600));
    let (status, body) = stage.service.ask(get(&stage.path)).await;
    assert_eq!((status.as_u16(), &body["error"]["code"]), (404, &json!("platform_not_found")));
}
