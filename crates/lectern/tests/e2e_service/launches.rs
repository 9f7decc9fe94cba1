//! A learning platform's launch over real sockets, as a browser carries it.

use http::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use http::{Method, StatusCode};
use hyper::body::Bytes;
use kernel::ambient::Ambient;
use lti::claims;
use serde_json::{Value, json};
use testkit::lms::{Held, Lms};
use testkit::{Engine, TestStore, both_stores};
use url::{Url, form_urlencoded};

use super::client::{Client, Reply};
use super::process::{Installation, Wait, count};

const LOGIN: &str = "/v1/platform/lti/login";
const EVALUATIONS: &str = "/v1/platform/evaluations";
const LAUNCH: &str = "/v1/platform/lti/launch";
pub(super) const PAGES: (&str, &str) = ("accept", "text/html,application/xhtml+xml");

fn query(fields: &[(&str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

pub(super) async fn get(client: &Client, path: &str, headers: &[(&str, &str)]) -> Reply {
    client.send(Method::GET, path, headers, Bytes::new()).await.unwrap()
}

pub(super) async fn post(client: &Client, path: &str, fields: &[(&str, String)], headers: &[(&str, &str)]) -> Reply {
    let form = [&[(CONTENT_TYPE.as_str(), "application/x-www-form-urlencoded")], headers].concat();
    client.send(Method::POST, path, &form, query(fields).into()).await.unwrap()
}

fn location(reply: &Reply) -> Url {
    assert_eq!(reply.status, StatusCode::FOUND, "{}", String::from_utf8_lossy(&reply.body));
    reply.headers[LOCATION].to_str().unwrap().parse().unwrap()
}

fn cookie(reply: &Reply) -> String {
    let cookie = reply.headers[SET_COOKIE].to_str().unwrap();
    assert!(cookie.ends_with("; Path=/; Max-Age=600"), "over http: {cookie}");
    cookie.split(';').next().unwrap().to_owned()
}

/// What the platform posts in answer to a login.
fn form(lms: &Lms, asked: &Url) -> Vec<(&'static str, String)> {
    let state = asked.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let claims = lms.claims(asked, Ambient::system().now());
    vec![("state", state), ("id_token", lms.sign(&claims))]
}

/// The session of a learner's launch.
pub(super) async fn launch(client: &Client, lms: &Lms, learner: &str) -> String {
    launch_page(client, lms, learner, json!({})).await.split('/').nth(2).unwrap().to_owned()
}

/// The path of the page of a learner's launch with these custom parameters.
pub(super) async fn launch_page(client: &Client, lms: &Lms, learner: &str, custom: Value) -> String {
    let begun = get(client, &format!("{LOGIN}?{}", query(&lms.login())), &[]).await;
    let (asked, kept) = (location(&begun), cookie(&begun));
    let mut claims = lms.claims(&asked, Ambient::system().now());
    claims["sub"] = json!(learner);
    claims[claims::CUSTOM] = custom;
    let mut form = form(lms, &asked);
    form[1].1 = lms.sign(&claims);
    let launched = post(client, LAUNCH, &form, &[(COOKIE.as_str(), &kept)]).await;
    location(&launched).path().to_owned()
}

pub(super) async fn register(installation: &Installation, client: &Client, lms: &Lms, metadata: Value) {
    let key = format!("Bearer {}", installation.platform_key);
    let mut body = lms.registration();
    body["metadata"] = metadata;
    let headers = [("authorization", key.as_str())];
    let made = client.send(Method::POST, "/v1/platform/lti/registrations", &headers, body.to_string().into()).await;
    made.unwrap().expect(201);
}

#[both_stores]
async fn a_platform_logs_in_by_get_or_post_and_launches_once(test: TestStore) {
    let (installation, lms) = (Installation::new(&test), Lms::start().await);
    let server = installation.serve().await;
    let client = &server.client;
    register(&installation, client, &lms, Value::Null).await;
    for method in [Method::GET, Method::POST] {
        let begun = match method {
            Method::GET => get(client, &format!("{LOGIN}?{}", query(&lms.login())), &[]).await,
            _ => post(client, LOGIN, &lms.login(), &[]).await,
        };
        let (asked, kept) = (location(&begun), cookie(&begun));
        assert!(asked.as_str().starts_with(&format!("{}/auth?scope=openid", lms.issuer())));
        let form = form(&lms, &asked);
        let launched = post(client, LAUNCH, &form, &[(COOKIE.as_str(), &kept)]).await;
        let page = location(&launched);
        assert!(launched.headers[SET_COOKIE].to_str().unwrap().contains("=; Path=/; Max-Age=0"));
        let shown = get(client, page.path(), &[PAGES]).await;
        let html = String::from_utf8(shown.body.to_vec()).unwrap();
        assert!(shown.status == 200 && html.contains("Photosynthesis") && html.contains("Biology"), "{html}");
        assert!(shown.headers["content-security-policy"].to_str().unwrap().contains("frame-ancestors *"));
        let elsewhere = format!("{}x", page.path());
        assert_eq!(get(client, &elsewhere, &[PAGES]).await.status, 404);

        let again = post(client, LAUNCH, &form, &[(COOKIE.as_str(), &kept)]).await.expect(400);
        assert_eq!(again["error"]["code"], "platform_invalid_request");
        let fault = again["error"]["details"][0].clone();
        assert!(
            fault["path"] == "id_token" && fault["message"].as_str().unwrap().contains("was used already"),
            "{fault}"
        );
        let page = post(client, LAUNCH, &form, &[(COOKIE.as_str(), &kept), PAGES]).await;
        let html = String::from_utf8(page.body.to_vec()).unwrap();
        assert!(page.status == 400 && html.contains("This launch was used already."), "{html}");
    }
}

#[both_stores]
async fn a_launch_leads_to_the_workspaces_own_address(test: TestStore) {
    let (installation, lms) = (Installation::new(&test), Lms::start().await);
    let server = installation.serve().await;
    let client = &server.client;
    register(&installation, client, &lms, json!({ "launchUrl": "https://app.example.com/lti?a=1" })).await;
    let begun = get(client, &format!("{LOGIN}?{}", query(&lms.login())), &[]).await;
    let form = form(&lms, &location(&begun));
    let launched = post(client, LAUNCH, &form, &[(COOKIE.as_str(), &cookie(&begun))]).await;
    assert!(location(&launched).as_str().starts_with("https://app.example.com/lti?a=1&ltiLaunchSessionId="));
}

#[both_stores]
async fn a_login_in_a_frame_gets_a_page_that_looks_where_the_browser_keeps_data(test: TestStore) {
    let (installation, lms) = (Installation::new(&test), Lms::start().await);
    let server = installation.serve().await;
    let client = &server.client;
    register(&installation, client, &lms, Value::Null).await;
    let mut login = lms.login();
    login.push(("lti_storage_target", "_parent".to_owned()));
    let begun = post(client, LOGIN, &login, &[("sec-fetch-dest", "iframe"), PAGES]).await;
    let html = String::from_utf8(begun.body.to_vec()).unwrap();
    assert_eq!(begun.status, 200);
    let (name, value) = cookie(&begun).split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    for part in [
        format!("data-slot=\"{name}\""),
        format!("data-keep=\"{value}\""),
        "data-storage-target=\"_parent\"".to_owned(),
        format!("data-storage-origin=\"{}\"", lms.issuer()),
        format!("href=\"{LOGIN}?iss="),
    ] {
        assert!(html.contains(&part), "{part}: {html}");
    }
}

#[both_stores]
async fn what_is_no_login_or_launch_is_refused_in_the_form_that_was_asked_for(test: TestStore) {
    let (installation, lms) = (Installation::new(&test), Lms::start().await);
    let server = installation.serve().await;
    let client = &server.client;
    let refused = get(client, LOGIN, &[]).await.expect(400);
    assert_eq!(refused["error"]["details"][0]["path"], "iss");
    let unknown = format!("{LOGIN}?{}", query(&lms.login()));
    assert_eq!(get(client, &unknown, &[]).await.expect(404)["error"]["code"], "platform_not_found");
    let page = get(client, &unknown, &[PAGES]).await;
    let html = String::from_utf8(page.body.to_vec()).unwrap();
    assert!(page.status == 404 && html.contains("No registration has this issuer and client ID."), "{html}");
    let nothing = post(client, LAUNCH, &[], &[]).await.expect(400);
    assert_eq!(nothing["error"]["details"][0]["path"], "state");
    assert_eq!(get(client, LAUNCH, &[]).await.status, 405);
    let json = client.post(LAUNCH, &json!({ "state": "x" })).await.unwrap();
    assert_eq!(json.status, 415);
}

#[both_stores]
async fn a_server_that_is_killed_at_any_point_of_a_sync_leaves_one_score(test: TestStore) {
    let (installation, lms) = (Installation::new(&test), Lms::start().await);
    let key = format!("Bearer {}", installation.platform_key);
    let headers = [("authorization", key.as_str())];
    let mut evaluations = Vec::new();
    for (index, moment) in [Held::BeforeItIsTaken, Held::BeforeTheAnswer].into_iter().enumerate() {
        let server = installation.serve().await;
        if index == 0 {
            register(&installation, &server.client, &lms, Value::Null).await;
        }
        lms.hold_scores(Some(moment));
        let posts = lms.score_posts();
        for learner in 0..5 {
            let session = launch(&server.client, &lms, &format!("learner-{index}-{learner}")).await;
            let body = json!({
                "evaluationType": "exact", "questionText": "6 * 7?", "learnerAnswer": "42", "referenceAnswer": "42",
                "clientMetadata": { "ltiLaunchSessionId": session },
            });
            let made = server.client.send(Method::POST, EVALUATIONS, &headers, body.to_string().into()).await;
            evaluations.push(made.unwrap().expect(201)["id"].as_str().unwrap().to_owned());
        }
        let wait = Wait::until("the platform has all scores before it");
        while lms.score_posts() < posts + 5 {
            wait.on().await;
        }
        server.kill();
        lms.hold_scores(None);
        // The leases of the dead lapse after a while; the next server on a database of its own knows that they are dead.
        if test.engine == Engine::Postgres {
            test.store.write("test", platform::lti::sync::lapse_all).await.unwrap();
        }
    }
    let server = installation.serve().await;
    let wait = Wait::until("all scores are synced");
    for id in &evaluations {
        let path = format!("{EVALUATIONS}/{id}");
        while get(&server.client, &path, &headers).await.expect(200)["ltiSync"]["status"] != "synced" {
            wait.on().await;
        }
    }
    let mut learners: Vec<_> = lms.scores().iter().map(|score| score["userId"].to_string()).collect();
    learners.sort();
    let taken = learners.len();
    learners.dedup();
    assert_eq!((taken, learners.len()), (10, 10), "each learner has one score");
    let store = installation.open(&test).await;
    assert_eq!(count(&store, "SELECT count(*) FROM event WHERE type = 'lti.grade_synced'").await, 10);
    store.close().await;
}
