use std::time::Duration;

use ::lti::{LoginRequest, Reason, claims};
use http::StatusCode;
use net::Url;
use serde_json::{Value, json};
use store::Tx;
use testkit::lms::{DEPLOYMENT, Lms, TARGET};
use testkit::{TestStore, both_stores};

use super::launch::{self, LaunchForm, Launched, Outcome};
use super::login::{self, Login, PlatformStorage};
use super::{NotLaunched, Slot};
use crate::testing::{App, REGISTRATIONS, Tenant};

/// A service with a registered platform.
pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) lms: Lms,
    pub(crate) tenant: Tenant,
    pub(crate) registration: String,
}

impl Stage {
    pub(crate) async fn new(test: TestStore) -> Self {
        let (app, lms) = (App::reaching_this_machine(test), Lms::start().await);
        let tenant = app.tenant("riverside").await;
        let made = app.post(REGISTRATIONS).key(&tenant.key).json(&lms.registration()).send().await.expect(201);
        let registration = made["id"].as_str().unwrap().to_owned();
        Self { app, lms, tenant, registration }
    }

    pub(crate) async fn change(&self, change: &Value) {
        let path = format!("{REGISTRATIONS}/{}", self.registration);
        self.app.put(&path).key(&self.tenant.key).json(change).send().await.expect(200);
    }

    async fn login_with(&self, more: &[(&'static str, &str)]) -> Result<Login, Reason> {
        let mut parameters = self.lms.login();
        for (name, value) in more {
            parameters.retain(|(own, _)| own != name);
            parameters.push((name, (*value).to_owned()));
        }
        let login = LoginRequest::read(parameters.iter().map(|(name, value)| (*name, value.as_str()))).unwrap();
        login::begin(&self.app.platform, &login).await.map_err(reason)
    }

    pub(crate) async fn login(&self) -> Login {
        self.login_with(&[]).await.unwrap()
    }

    pub(crate) fn claims(&self, login: &Login) -> Value {
        self.lms.claims(&login.url, self.app.test.ambient.now())
    }

    async fn outcome(&self, form: &LaunchForm, slot: &Slot) -> Result<Outcome, Reason> {
        let cookie = |name: &str| (name == slot.name).then(|| slot.value.clone());
        launch::complete(&self.app.platform, form, cookie).await.map_err(reason)
    }

    async fn launch_form(&self, login: &Login, form: &LaunchForm) -> Result<Launched, Reason> {
        match self.outcome(form, &login.slot).await? {
            Outcome::Launched(launched) => Ok(*launched),
            Outcome::AskStorage(..) => panic!("the cookie was there"),
        }
    }

    pub(super) async fn launch_token(&self, login: &Login, token: String) -> Result<Launched, Reason> {
        self.launch_form(login, &form(login, token)).await
    }

    pub(crate) async fn launch(&self, login: &Login, claims: &Value) -> Result<Launched, Reason> {
        self.launch_token(login, self.lms.sign(claims)).await
    }

    /// A whole launch of a learner.
    pub(crate) async fn launch_well(&self) -> Launched {
        let login = self.login().await;
        self.launch(&login, &self.claims(&login)).await.unwrap()
    }

    /// The reasons in the log, oldest first.
    async fn logged(&self) -> Vec<String> {
        self.app
            .read(|tx| tx.query("SELECT reason FROM lti_refusal ORDER BY created_at, id", &[], |row| row.get(0)))
            .await
    }
}

fn state(login: &Login) -> String {
    login.url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned()
}

fn form(login: &Login, token: String) -> LaunchForm {
    LaunchForm { state: Some(state(login)), id_token: Some(token), ..LaunchForm::default() }
}

#[track_caller]
fn reason(error: NotLaunched) -> Reason {
    match error {
        NotLaunched::Refused(refusal) => refusal.reason,
        NotLaunched::Store(error) => panic!("the store: {error}"),
    }
}

fn no_cookie() -> Slot {
    Slot { name: String::new(), value: String::new() }
}

#[both_stores]
async fn a_launch_is_stored_with_its_deployment_and_told(test: TestStore) {
    let stage = Stage::new(test).await;
    let launched = stage.launch_well().await;
    let session = &launched.session;
    assert_eq!(session.user_id.as_deref(), Some("learner-7"));
    assert_eq!(session.grades.as_ref().unwrap().scope.len(), 2);
    assert_eq!(session.registration_id.to_string(), stage.registration);
    assert_eq!(launched.own_url(), None);
    let deployments = stage
        .app
        .read(|tx| tx.query("SELECT deployment_id FROM lti_deployment", &[], |row| row.get::<String>(0)))
        .await;
    assert_eq!(deployments, [DEPLOYMENT]);
    let told = stage
        .app
        .read(|tx| {
            tx.query("SELECT owner_id, type, body FROM event", &[], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        })
        .await;
    let [(owner, event, body)]: [(String, String, String); 1] = told.try_into().unwrap();
    assert_eq!((owner, &*event), (stage.tenant.workspace.to_string(), "lti.launch_completed"));
    let body: Value = serde_json::from_str(&body).unwrap();
    let expected = json!({
        "event": "lti.launch_completed", "eventId": body["eventId"], "createdAt": "2026-01-02T03:04:05.000Z",
        "sessionId": session.id, "messageType": "LtiResourceLinkRequest", "deploymentId": DEPLOYMENT,
        "resourceLinkId": "link-1", "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
        "contextId": "course-1", "traceId": session.id,
    });
    assert_eq!(body, expected);
}

#[both_stores]
async fn a_launch_leads_to_the_address_of_the_registration_with_its_session(test: TestStore) {
    let stage = Stage::new(test).await;
    stage.change(&json!({ "metadata": { "launchUrl": "https://app.example.com/lti?theme=dark#top" } })).await;
    let launched = stage.launch_well().await;
    let expected = format!("https://app.example.com/lti?theme=dark&ltiLaunchSessionId={}#top", launched.session.id);
    assert_eq!(launched.own_url().unwrap().as_str(), expected);
}

#[both_stores]
async fn a_wrong_token_is_refused_with_its_reason_and_nothing_is_stored_or_told(test: TestStore) {
    let stage = Stage::new(test).await;
    let before = stage.app.stored().await;
    let now = stage.app.test.ambient.now().as_seconds();
    let wrong = [
        ("iss", json!("https://other.example"), Reason::Issuer),
        ("aud", json!("tool-2"), Reason::Audience),
        ("aud", json!(["tool-1", "tool-2"]), Reason::Audience),
        ("azp", json!("tool-2"), Reason::AuthorizedParty),
        ("exp", json!(now - 61), Reason::Expired),
        ("iat", json!(now + 120), Reason::IssuedInFuture),
        ("nonce", Value::Null, Reason::NoNonce),
        ("nonce", json!("another"), Reason::Nonce),
        (claims::LTI_VERSION, json!("1.1"), Reason::Version),
        (claims::MESSAGE_TYPE, json!("LtiStartProctoring"), Reason::MessageType),
        (claims::DEPLOYMENT_ID, Value::Null, Reason::NoDeployment),
        (claims::TARGET_LINK_URI, json!("https://lectern.example/other"), Reason::Target),
        (claims::RESOURCE_LINK, json!({}), Reason::NoResourceLink),
    ];
    let mut expected = Vec::new();
    for (claim, value, reason) in wrong {
        let login = stage.login().await;
        let mut claims = stage.claims(&login);
        claims[claim] = value;
        assert_eq!(stage.launch(&login, &claims).await.unwrap_err(), reason, "{claim}");
        expected.push(reason.code());
    }
    let login = stage.login().await;
    let by_another = Lms::other_key().sign(&stage.claims(&login));
    assert_eq!(stage.launch_token(&login, by_another).await.unwrap_err(), Reason::UnknownKey);
    assert_eq!(stage.launch_token(&login, "x.y.z".to_owned()).await.unwrap_err(), Reason::NotAToken);
    expected.extend([Reason::UnknownKey.code(), Reason::NotAToken.code()]);
    assert_eq!(stage.app.stored().await, before);
    assert_eq!(stage.logged().await, expected);
}

#[both_stores]
async fn a_launch_is_used_once_also_by_two_at_once(test: TestStore) {
    let stage = Stage::new(test).await;
    let login = stage.login().await;
    let claims = stage.claims(&login);
    let (one, other) = tokio::join!(stage.launch(&login, &claims), stage.launch(&login, &claims));
    let refused: Vec<_> = [one, other].into_iter().filter_map(Result::err).collect();
    assert_eq!(refused, [Reason::Replayed]);
    assert_eq!(stage.launch(&login, &claims).await.unwrap_err(), Reason::Replayed);
    let count = "SELECT count(*) FROM lti_launch";
    assert_eq!(stage.app.count(count).await, 1);
    assert_eq!(stage.app.count("SELECT count(*) FROM event").await, 1);
}

#[both_stores]
async fn a_launch_belongs_to_the_browser_of_its_login(test: TestStore) {
    let stage = Stage::new(test).await;
    let (mine, theirs) = (stage.login().await, stage.login().await);
    let token = stage.lms.sign(&stage.claims(&theirs));
    let form = form(&theirs, token);
    assert_eq!(stage.outcome(&form, &no_cookie()).await.unwrap_err(), Reason::OtherBrowser);
    let forged = Slot { name: theirs.slot.name.clone(), value: mine.slot.value.clone() };
    assert_eq!(stage.outcome(&form, &forged).await.unwrap_err(), Reason::OtherBrowser);
    let guessed = LaunchForm { browser: Some("guess".to_owned()), ..form.clone() };
    assert_eq!(stage.outcome(&guessed, &no_cookie()).await.unwrap_err(), Reason::OtherBrowser);
    assert!(stage.launch_form(&theirs, &form).await.is_ok());
}

#[both_stores]
async fn without_a_cookie_the_storage_of_the_platform_is_asked(test: TestStore) {
    let stage = Stage::new(test).await;
    let login = stage.login_with(&[("lti_storage_target", "post_message_forwarding")]).await.unwrap();
    let storage =
        PlatformStorage { target: "post_message_forwarding".to_owned(), origin: stage.lms.issuer().to_owned() };
    assert_eq!(login.storage.as_ref(), Some(&storage));
    let first = form(&login, stage.lms.sign(&stage.claims(&login)));
    match stage.outcome(&first, &no_cookie()).await.unwrap() {
        Outcome::AskStorage(asked, name) => assert_eq!((asked, name), (storage, login.slot.name.clone())),
        Outcome::Launched(_) => panic!("nothing says whose browser it is"),
    }
    assert_eq!(stage.app.count("SELECT count(*) FROM lti_launch").await, 0);
    let nothing = LaunchForm { browser: Some(String::new()), ..first.clone() };
    assert_eq!(stage.outcome(&nothing, &no_cookie()).await.unwrap_err(), Reason::OtherBrowser);
    let kept = LaunchForm { browser: Some(login.slot.value.clone()), ..first };
    assert!(matches!(stage.outcome(&kept, &no_cookie()).await.unwrap(), Outcome::Launched(_)));
}

#[both_stores]
async fn the_state_of_a_launch_is_a_recent_one_of_this_service(test: TestStore) {
    let stage = Stage::new(test).await;
    let login = stage.login().await;
    let good = form(&login, stage.lms.sign(&stage.claims(&login)));
    let without = LaunchForm { state: None, ..good.clone() };
    assert_eq!(stage.launch_form(&login, &without).await.unwrap_err(), Reason::NoState);
    let damaged = LaunchForm { state: Some(format!("{}A", state(&login))), ..good.clone() };
    assert_eq!(stage.launch_form(&login, &damaged).await.unwrap_err(), Reason::ForeignState);
    stage.app.test.clock.advance(Duration::from_secs(600));
    let late = form(&login, stage.lms.sign(&stage.claims(&login)));
    assert_eq!(stage.launch_form(&login, &late).await.unwrap_err(), Reason::LateState);
}

#[both_stores]
async fn a_platform_that_answers_with_an_error_is_quoted_in_the_log(test: TestStore) {
    let stage = Stage::new(test).await;
    let login = stage.login().await;
    let form = LaunchForm {
        state: Some(state(&login)),
        error: Some("login_required".to_owned()),
        error_description: Some("Sign in first.".to_owned()),
        ..LaunchForm::default()
    };
    assert_eq!(stage.launch_form(&login, &form).await.unwrap_err(), Reason::PlatformError);
    let received =
        stage.app.read(|tx| tx.query("SELECT received FROM lti_refusal", &[], |row| row.get::<String>(0))).await;
    assert_eq!(received, ["login_required: Sign in first."]);
}

#[both_stores]
async fn what_changed_between_login_and_launch_counts(test: TestStore) {
    let stage = Stage::new(test).await;
    let operator = stage.app.operator("o@example.com").await;
    let before = stage.app.stored().await;
    let login = stage.login().await;
    let token = stage.lms.sign(&stage.claims(&login));

    stage.change(&json!({ "status": "inactive" })).await;
    assert_eq!(stage.launch_token(&login, token.clone()).await.unwrap_err(), Reason::InactivePlatform);
    assert_eq!(stage.login_with(&[]).await.unwrap_err(), Reason::InactivePlatform);
    stage.change(&json!({ "status": "active", "metadata": { "deploymentIds": ["deployment-2"] } })).await;
    assert_eq!(stage.launch_token(&login, token.clone()).await.unwrap_err(), Reason::DeploymentNotListed);
    stage.change(&json!({ "metadata": { "deploymentIds": null } })).await;
    stage.app.post(&stage.tenant.path("/suspend")).cookie(&operator).send().await.expect(200);
    assert_eq!(stage.launch_token(&login, token.clone()).await.unwrap_err(), Reason::SuspendedWorkspace);
    stage.app.post(&stage.tenant.path("/activate")).cookie(&operator).send().await.expect(200);
    assert_eq!(stage.app.stored().await, before);

    assert!(stage.launch_token(&login, token).await.is_ok());
    let login = stage.login().await;
    let token = stage.lms.sign(&stage.claims(&login));
    let path = format!("{REGISTRATIONS}/{}", stage.registration);
    stage.app.delete(&path).key(&stage.tenant.key).send().await.expect(200);
    assert_eq!(stage.launch_token(&login, token).await.unwrap_err(), Reason::UnknownPlatform);
    let left = "SELECT (SELECT count(*) FROM lti_launch) + (SELECT count(*) FROM lti_deployment)
                     + (SELECT count(*) FROM lti_refusal)";
    assert_eq!(stage.app.count(left).await, 0);
}

#[both_stores]
async fn a_login_names_one_registered_platform(test: TestStore) {
    let stage = Stage::new(test).await;
    assert_eq!(stage.login_with(&[("iss", "https://other.example")]).await.unwrap_err(), Reason::UnknownPlatform);
    assert_eq!(stage.login_with(&[("client_id", "tool-2")]).await.unwrap_err(), Reason::UnknownPlatform);
    assert!(stage.login_with(&[("client_id", "")]).await.is_ok(), "one registration has this issuer");
    stage.launch_well().await;
    let mut second = stage.lms.registration();
    second["clientId"] = json!("tool-2");
    stage.app.post(REGISTRATIONS).key(&stage.tenant.key).json(&second).send().await.expect(201);
    assert_eq!(stage.login_with(&[("client_id", "")]).await.unwrap_err(), Reason::AmbiguousPlatform);
    let by_deployment = stage.login_with(&[("client_id", ""), ("lti_deployment_id", DEPLOYMENT)]).await.unwrap();
    assert!(by_deployment.url.as_str().contains("client_id=tool-1"));
}

#[both_stores]
async fn the_launch_is_of_the_deployment_that_the_login_named(test: TestStore) {
    let stage = Stage::new(test).await;
    let login = stage.login_with(&[("lti_deployment_id", "deployment-2")]).await.unwrap();
    assert_eq!(stage.launch(&login, &stage.claims(&login)).await.unwrap_err(), Reason::Deployment);
}

#[both_stores]
async fn a_new_key_is_found_and_unknown_keys_do_not_hammer_the_platform(test: TestStore) {
    let stage = Stage::new(test).await;
    stage.launch_well().await;
    stage.launch_well().await;
    assert_eq!(stage.lms.asked_for_keys(), 1);
    for _ in 0..10 {
        let login = stage.login().await;
        let token = Lms::other_key().sign(&stage.claims(&login));
        assert_eq!(stage.launch_token(&login, token).await.unwrap_err(), Reason::UnknownKey);
    }
    assert_eq!(stage.lms.asked_for_keys(), 1, "it was asked just now");
    stage.lms.publish(&[Lms::other_key()]);
    stage.app.test.clock.advance(Duration::from_secs(30));
    let login = stage.login().await;
    let token = Lms::other_key().sign(&stage.claims(&login));
    assert!(stage.launch_token(&login, token).await.is_ok());
    assert_eq!(stage.lms.asked_for_keys(), 2);
    let login = stage.login().await;
    assert_eq!(stage.launch(&login, &stage.claims(&login)).await.unwrap_err(), Reason::UnknownKey, "it was taken back");
}

#[both_stores]
async fn a_platform_without_its_keys_is_asked_seldom_and_believed_for_a_day(test: TestStore) {
    let stage = Stage::new(test).await;
    stage.lms.answer_with(StatusCode::INTERNAL_SERVER_ERROR, String::new());
    for _ in 0..5 {
        let login = stage.login().await;
        assert_eq!(stage.launch(&login, &stage.claims(&login)).await.unwrap_err(), Reason::NoKeySet);
    }
    assert_eq!(stage.lms.asked_for_keys(), 1);
    stage.lms.publish(&[Lms::key()]);
    stage.app.test.clock.advance(Duration::from_secs(30));
    stage.launch_well().await;
    stage.lms.answer_with(StatusCode::OK, "<html>".to_owned());
    stage.app.test.clock.advance(Duration::from_secs(23 * 3600));
    stage.launch_well().await;
    stage.app.test.clock.advance(Duration::from_secs(3600));
    let login = stage.login().await;
    assert_eq!(stage.launch(&login, &stage.claims(&login)).await.unwrap_err(), Reason::NoKeySet);
    let received = stage
        .app
        .read(|tx| {
            tx.query("SELECT DISTINCT received FROM lti_refusal ORDER BY received", &[], |row| row.get::<String>(0))
        })
        .await;
    assert_eq!(received, ["it answered 500", "the answer is not a JSON Web Key Set"]);
}

#[both_stores]
async fn the_launch_log_says_nothing_of_the_user_and_does_not_grow(test: TestStore) {
    let stage = Stage::new(test).await;
    for _ in 0..5 {
        for _ in 0..40 {
            let login = stage.login().await;
            let mut claims = stage.claims(&login);
            claims["aud"] = json!("x".repeat(2000));
            assert_eq!(stage.launch(&login, &claims).await.unwrap_err(), Reason::Audience);
        }
        stage.app.test.clock.advance(Duration::from_secs(60));
    }
    assert_eq!(stage.logged().await.len(), 100);
    let read = |tx: &mut Tx<'_>| {
        tx.query("SELECT expected, received, sent FROM lti_refusal", &[], |row| {
            Ok((row.get::<String>(0)?, row.get::<String>(1)?, row.get::<String>(2)?))
        })
    };
    let (expected, received, sent) = stage.app.read(read).await.remove(0);
    assert_eq!((&*expected, received.len()), ("tool-1", 500));
    let sent: Value = serde_json::from_str(&sent).unwrap();
    let token = sent["id_token"].as_object().unwrap();
    assert_eq!((&token["deployment_id"], &token["target_link_uri"]), (&json!(DEPLOYMENT), &json!(TARGET)));
    let names: Vec<_> = token.keys().map(String::as_str).collect();
    let all = [
        "alg",
        "kid",
        "typ",
        "iss",
        "aud",
        "iat",
        "exp",
        "version",
        "message_type",
        "deployment_id",
        "target_link_uri",
    ];
    assert_eq!(names, all);
}

#[both_stores]
async fn a_flood_of_logins_stores_nothing(test: TestStore) {
    let stage = Stage::new(test).await;
    let before = stage.app.stored().await;
    for _ in 0..50 {
        let login: Url = stage.login().await.url;
        assert!(login.as_str().len() < 2048, "{}", login.as_str().len());
    }
    assert_eq!(stage.app.stored().await, before);
}

#[both_stores]
async fn a_key_that_was_replaced_under_its_id_is_read_again(test: TestStore) {
    let stage = Stage::new(test).await;
    let mut former = Lms::other_key().public().clone();
    former["kid"] = json!(Lms::key().id());
    stage.lms.answer_with(StatusCode::OK, json!({ "keys": [former] }).to_string());
    let login = stage.login().await;
    let claims = stage.claims(&login);
    assert_eq!(stage.launch(&login, &claims).await.unwrap_err(), Reason::Signature);
    stage.lms.publish(&[Lms::key()]);
    assert_eq!(stage.launch(&login, &claims).await.unwrap_err(), Reason::Signature, "it was asked a moment ago");
    assert_eq!(stage.lms.asked_for_keys(), 1);
    stage.app.test.clock.advance(Duration::from_secs(31));
    stage.launch(&login, &claims).await.unwrap();
    assert_eq!(stage.lms.asked_for_keys(), 2);
}
