use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{StatusCode, Uri};
use kernel::time::Timestamp;
use lti::{claims, nrps};
use net::{OperatorServer, OutboundPolicy};
use serde_json::json;
use testkit::lms::{DEPLOYMENT, Lms};
use testkit::{TestStore, both_stores};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::*;
use crate::lti::tests::Stage;
use crate::testing::REGISTRATIONS;

/// A server that ends when it is dropped.
struct Server {
    url: String,
    task: JoinHandle<()>,
}

impl Server {
    async fn of(router: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, task }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What a lying platform answers at one path.
#[derive(Clone)]
enum Lie {
    Answer(StatusCode, Vec<(&'static str, String)>, String),
    Silence,
}

fn says(body: &str) -> Lie {
    Lie::Answer(StatusCode::OK, Vec::new(), body.to_owned())
}

fn answers(status: StatusCode) -> Lie {
    Lie::Answer(status, Vec::new(), String::new())
}

async fn lie(State(lies): State<Arc<HashMap<&'static str, Lie>>>, uri: Uri) -> Response {
    match lies.get(uri.path()) {
        Some(Lie::Silence) => std::future::pending().await,
        Some(Lie::Answer(status, headers, body)) => {
            let mut response = (*status, body.clone()).into_response();
            for (name, value) in headers {
                response.headers_mut().insert(*name, value.parse().unwrap());
            }
            response
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A service with a registered platform, and a doctor who reaches both.
struct Practice {
    stage: Stage,
    doctor: Doctor,
    _service: Server,
}

impl Practice {
    async fn new(test: TestStore) -> Self {
        let stage = Stage::new(test).await;
        let service = Server::of(crate::api::router(stage.app.platform.clone())).await;
        let doctor = doctor(&stage, &service.url);
        Self { stage, doctor, _service: service }
    }

    /// What the doctor finds at the platform as it is.
    async fn examine(&self) -> Vec<Diagnosis> {
        let id = self.stage.registration.clone();
        let registration =
            self.stage.app.read(move |tx| crate::lti::registrations::find::find(tx, &id)).await.remove(0);
        self.doctor.examine(&registration).await.unwrap()
    }

    /// What the doctor finds at a platform that answers so; it has no other paths.
    async fn examine_liar(&self, lies: &[(&'static str, Lie)]) -> Vec<Diagnosis> {
        let lies: HashMap<_, _> = lies.iter().cloned().collect();
        let liar = Server::of(Router::new().fallback(lie).with_state(Arc::new(lies))).await;
        let url = &liar.url;
        let endpoints = json!({
            "authorizationEndpoint": format!("{url}/auth"), "tokenEndpoint": format!("{url}/token"),
            "jwksEndpoint": format!("{url}/jwks"),
        });
        self.stage.change(&endpoints).await;
        self.examine().await
    }

    async fn launch_with_everything(&self) {
        let login = self.stage.login().await;
        let mut claims = self.stage.claims(&login);
        claims[claims::NRPS_SERVICE] = self.stage.lms.roster_service();
        self.stage.launch(&login, &claims).await.unwrap();
    }
}

fn doctor(stage: &Stage, base_url: &str) -> Doctor {
    let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
    let allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
    let policy = OutboundPolicy { allow_networks, allow_http: true, extra_ca_pem: None };
    let outbound = OutboundClient::new(policy).unwrap();
    let base_url = Url::parse(base_url).unwrap();
    let server = OperatorServer { base: base_url.clone(), secret: None, extra_ca_pem: None, connections: 1 };
    let own = OperatorClient::new(&server).unwrap();
    // The platform's answers are dated by the machine.
    let ambient = Ambient::system();
    Doctor::new(stage.app.test.store.clone(), ambient, outbound, own, &master, base_url)
}

/// What was found of a subject.
#[track_caller]
fn of<'a>(found: &'a [Diagnosis], subject: &str) -> &'a Diagnosis {
    let mut about = found.iter().filter(|one| one.subject == subject);
    let only = about.next().unwrap_or_else(|| panic!("nothing about {subject}: {found:#?}"));
    assert_eq!(about.next(), None, "{subject}");
    only
}

#[track_caller]
fn assert_wrong(found: &[Diagnosis], subject: &str, part: &str) {
    let diagnosis = of(found, subject);
    assert_eq!(diagnosis.severity, Severity::Wrong, "{diagnosis:?}");
    assert!(diagnosis.message.contains(part), "{part}: {diagnosis:?}");
}

#[track_caller]
fn assert_warns(found: &[Diagnosis], subject: &str, part: &str) {
    let diagnosis = of(found, subject);
    assert_eq!(diagnosis.severity, Severity::Warning, "{diagnosis:?}");
    assert!(diagnosis.message.contains(part), "{part}: {diagnosis:?}");
}

fn date(seconds_from_now: i64) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let at = Ambient::system().now().as_millis() + seconds_from_now * 1000;
    let text = Timestamp::from_millis(at).to_string();
    let month = MONTHS[text[5..7].parse::<usize>().unwrap() - 1];
    format!("{} {month} {} {} GMT", &text[8..10], &text[..4], &text[11..19])
}

#[both_stores]
async fn nothing_is_wrong_with_a_platform_that_works(test: TestStore) {
    let practice = Practice::new(test).await;
    practice.launch_with_everything().await;
    let found = practice.examine().await;
    let unlike: Vec<_> = found.iter().filter(|one| one.severity != Severity::Fine).map(|one| one.subject).collect();
    assert_eq!(unlike, ["service address"; 2], "{found:#?}");
    let subjects: Vec<_> = found.iter().map(|one| one.subject).collect();
    let expected = [
        "registration",
        "workspace",
        "service address",
        "service address",
        "own key set",
        "key set",
        "sign-in",
        "clock",
        "access token",
        "scope score",
        "scope lineitem",
        "scope lineitem.readonly",
        "scope result.readonly",
        "scope roster",
        "newest launch",
    ];
    assert_eq!(subjects, expected);
    assert_eq!(practice.stage.lms.given_tokens(), 5);
    assert!(of(&found, "newest launch").message.contains("lineitem, score; with a column for the link"), "{found:#?}");
}

#[both_stores]
async fn an_examination_stores_nothing(test: TestStore) {
    let practice = Practice::new(test).await;
    practice.launch_with_everything().await;
    practice.examine().await;
    let before = practice.stage.app.stored().await;
    practice.examine().await;
    assert_eq!(practice.stage.app.stored().await, before);
}

#[both_stores]
async fn what_is_no_key_set_is_told_apart(test: TestStore) {
    let practice = Practice::new(test).await;
    let redirect =
        Lie::Answer(StatusCode::FOUND, vec![("location", "https://lms.example/login".to_owned())], String::new());
    let elliptic = json!({ "keys": [{ "kty": "EC", "crv": "P-256", "x": "x", "y": "y", "kid": "1" }] }).to_string();
    for (answer, part) in [
        (says("<!DOCTYPE html><title>Sign in</title>"), "web page instead of a JSON Web Key Set"),
        (says("{}"), "something else than a JSON Web Key Set"),
        (says(r#"{"keys":[]}"#), "has no keys"),
        (says(&elliptic), "has no key that verifies RS256 and has an ID (kid), of 1"),
        (answers(StatusCode::NOT_FOUND), "404 Not Found: compare the address"),
        (answers(StatusCode::BAD_GATEWAY), "502 Bad Gateway: look into the platform's log"),
        (redirect, "leads to https://lms.example/login. Redirects are not followed"),
        (says(&"x".repeat(300_000)), "far too much"),
    ] {
        assert_wrong(&practice.examine_liar(&[("/jwks", answer)]).await, "key set", part);
    }
    let keys = json!({ "keys": [Lms::key().public(), { "kty": "oct", "k": "AA", "kid": "2" }] }).to_string();
    let found = practice.examine_liar(&[("/jwks", says(&keys))]).await;
    assert_eq!(of(&found, "key set").severity, Severity::Fine);
    assert!(of(&found, "key set").message.contains("1 of 2 keys"), "{found:#?}");
}

#[both_stores]
async fn the_sign_in_may_refuse_nobody_but_must_be_there(test: TestStore) {
    let practice = Practice::new(test).await;
    for (code, severity) in [
        (StatusCode::OK, Severity::Fine),
        (StatusCode::SEE_OTHER, Severity::Fine),
        (StatusCode::BAD_REQUEST, Severity::Fine),
        (StatusCode::FORBIDDEN, Severity::Fine),
        (StatusCode::NOT_FOUND, Severity::Wrong),
        (StatusCode::METHOD_NOT_ALLOWED, Severity::Wrong),
        (StatusCode::INTERNAL_SERVER_ERROR, Severity::Wrong),
    ] {
        let found = practice.examine_liar(&[("/auth", answers(code))]).await;
        assert_eq!(of(&found, "sign-in").severity, severity, "{code}");
    }
}

#[both_stores]
async fn a_clock_that_is_wrong_is_told_with_its_direction(test: TestStore) {
    let practice = Practice::new(test).await;
    let dated = |seconds| Lie::Answer(StatusCode::OK, vec![("date", date(seconds))], String::new());
    assert_wrong(&practice.examine_liar(&[("/token", dated(600))]).await, "clock", "s ahead of");
    assert_wrong(&practice.examine_liar(&[("/token", dated(-3600))]).await, "clock", "s behind");
    assert_warns(&practice.examine_liar(&[("/token", dated(30))]).await, "clock", "60 s are tolerated");
    let undated = Lie::Answer(StatusCode::OK, vec![("date", "yesterday".to_owned())], String::new());
    let kept = vec![("date", date(600)), ("age", "600".to_owned())];
    let kept = Lie::Answer(StatusCode::OK, kept, String::new());
    let lies = [("/token", kept.clone()), ("/auth", kept.clone()), ("/jwks", kept)];
    assert_warns(&practice.examine_liar(&lies).await, "clock", "no answer");
    let lies = [("/token", undated.clone()), ("/auth", undated.clone()), ("/jwks", undated)];
    assert_warns(&practice.examine_liar(&lies).await, "clock", "no answer");
}

#[both_stores]
async fn a_refused_token_says_what_to_do_and_is_asked_for_once(test: TestStore) {
    let practice = Practice::new(test).await;
    for (answer, part) in [
        (says(r#"{"error":"invalid_client"}"#), "compare the client ID tool-1"),
        (says(r#"{"error":"unauthorized_client"}"#), "activate the tool"),
        (says(r#"{"error":"invalid_grant"}"#), "metadata.tokenAudience"),
        (says(r#"{"error":"unsupported_grant_type"}"#), "not the token endpoint"),
        (says(r#"{"error":"odd"}"#), "by odd: look into the platform's log"),
        (says("<html>"), "web page"),
        (says("{}"), "without an access token"),
        (answers(StatusCode::NOT_FOUND), "404 Not Found"),
        (answers(StatusCode::SERVICE_UNAVAILABLE), "503 Service Unavailable"),
    ] {
        let found = practice.examine_liar(&[("/token", answer)]).await;
        assert_wrong(&found, "access token", part);
        assert!(!found.iter().any(|one| one.subject.starts_with("scope")), "{found:#?}");
    }
}

#[both_stores]
async fn each_scope_is_told_with_what_is_lost_without_it(test: TestStore) {
    let practice = Practice::new(test).await;
    practice.stage.lms.grant(nrps::SCOPE);
    let found = practice.examine().await;
    assert_eq!(of(&found, "access token").severity, Severity::Fine);
    assert_eq!(of(&found, "scope roster").severity, Severity::Fine);
    assert_eq!(of(&found, "scope result.readonly").severity, Severity::Fine);
    assert_warns(&found, "scope score", "not granted: no score reaches the gradebook");
    assert_warns(&found, "newest launch", "there was none yet");
    practice.launch_with_everything().await;
    let found = practice.examine().await;
    assert_wrong(&found, "scope score", "although the newest launch offered it");
    assert_warns(&found, "scope lineitem.readonly", "columns of the gradebook are not found");
    practice.stage.lms.grant(lti::ags::SCOPE_LINE_ITEM);
    let found = practice.examine().await;
    assert_eq!(of(&found, "scope lineitem.readonly").severity, Severity::Fine, "lineitem includes it");
    let refused = says(r#"{"error":"invalid_scope"}"#);
    let found = practice.examine_liar(&[("/token", refused)]).await;
    assert_wrong(&found, "scope roster", "refused (invalid_scope)");
    assert!(of(&found, "access token").message.contains("grants nothing"), "{found:#?}");
}

#[both_stores]
async fn a_platform_that_hangs_is_told_and_keeps_nobody_waiting(test: TestStore) {
    let mut practice = Practice::new(test).await;
    practice.doctor.timeout = Duration::from_millis(300);
    let lies = [("/token", Lie::Silence), ("/auth", Lie::Silence), ("/jwks", Lie::Silence)];
    let began = tokio::time::Instant::now();
    let found = practice.examine_liar(&lies).await;
    assert!(began.elapsed() < TIMEOUT, "the first token that does not come is the last that is asked for");
    for subject in ["key set", "sign-in", "access token"] {
        assert_wrong(&found, subject, "does not answer in time");
    }
}

#[both_stores]
async fn a_platform_that_is_away_or_may_not_be_called_is_told(test: TestStore) {
    let practice = Practice::new(test).await;
    let endpoints = json!({
        "authorizationEndpoint": "http://127.0.0.1:9/auth", "tokenEndpoint": "http://127.0.0.1:9/token",
    });
    practice.stage.change(&endpoints).await;
    let inside = "UPDATE lti_registration SET jwks_endpoint = 'http://10.0.0.1/jwks'";
    practice.stage.app.test.store.write("test", move |tx| tx.execute(inside, &[])).await.unwrap();
    let found = practice.examine().await;
    assert_wrong(&found, "sign-in", "takes no connection");
    assert_wrong(&found, "access token", "takes no connection");
    assert_wrong(&found, "key set", "LECTERN_OUTBOUND_ALLOW_NETWORKS");
}

#[both_stores]
async fn a_service_that_the_platform_can_not_check_is_told(test: TestStore) {
    let mut practice = Practice::new(test).await;
    for (answer, part) in [
        (Some(says(r#"{"keys":[]}"#)), "has not the key that signs"),
        (Some(says("<html>")), "something else than a JSON Web Key Set"),
        (Some(answers(StatusCode::BAD_GATEWAY)), "answers 502 Bad Gateway"),
        (None, "answers 404 Not Found"),
    ] {
        let path = "/v1/platform/lti/.well-known/jwks.json";
        let lies: HashMap<_, _> = answer.into_iter().map(|answer| (path, answer)).collect();
        let other = Server::of(Router::new().fallback(lie).with_state(Arc::new(lies))).await;
        practice.doctor = doctor(&practice.stage, &other.url);
        assert_wrong(&practice.examine().await, "own key set", part);
    }
    practice.doctor = doctor(&practice.stage, "http://127.0.0.1:9");
    assert_wrong(&practice.examine().await, "own key set", "Run lectern serve");
}

#[both_stores]
async fn an_inactive_registration_and_a_suspended_workspace_are_wrong(test: TestStore) {
    let practice = Practice::new(test).await;
    let stage = &practice.stage;
    stage.change(&json!({ "status": "inactive" })).await;
    let operator = stage.app.operator("o@example.com").await;
    stage.app.post(&stage.tenant.path("/suspend")).cookie(&operator).send().await.expect(200);
    let found = practice.examine().await;
    assert_wrong(&found, "registration", "Set its status to active");
    assert_wrong(&found, "workspace", "lectern workspace activate");
}

#[both_stores]
async fn refused_launches_are_told_with_their_advice_until_a_launch_works(test: TestStore) {
    let practice = Practice::new(test).await;
    let stage = &practice.stage;
    for _ in 0..7 {
        let login = stage.login().await;
        let mut claims = stage.claims(&login);
        claims["aud"] = json!("tool-2");
        stage.launch(&login, &claims).await.unwrap_err();
    }
    let refused = |found: &[Diagnosis]| {
        let refused = found.iter().filter(|one| one.subject == "refused launch");
        refused.cloned().collect::<Vec<_>>()
    };
    let found = refused(&practice.examine().await);
    assert_eq!((found.len(), found[0].severity), (5, Severity::Warning));
    let expected = "2026-01-02T03:04:05.000Z: The ID token is not meant for this tool. Expected: tool-1. Received: tool-2. \
                    Compare the client ID of the registration with that of the platform.";
    assert_eq!(found[0].message, expected);
    stage.app.test.clock.advance(Duration::from_secs(1));
    stage.launch_well().await;
    let found = practice.examine().await;
    assert!(refused(&found).iter().all(|one| one.severity == Severity::Fine));
    let newest = of(&found, "newest launch");
    assert_eq!(newest.severity, Severity::Warning, "it offered no roster");
    assert!(newest.message.contains(DEPLOYMENT) && newest.message.contains("no roster"), "{newest:?}");
    let path = format!("{REGISTRATIONS}/{}/refusals", stage.registration);
    assert_eq!(stage.app.get(&path).key(&stage.tenant.key).send().await.expect(200).as_array().unwrap().len(), 7);
}
