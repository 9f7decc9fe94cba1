//! Platforms that lie, fail or lead elsewhere: each is refused with its reason, nothing is registered, and the link stays open.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use net::{Looking, Lookup, OutboundClient, OutboundPolicy};
use testkit::both_stores;
use testkit::lms::ConfigurationAnswer;

use super::*;

impl Stage {
    /// Tries to connect the platform as it is: it has to be refused, and nothing may remain of the attempt.
    async fn assert_refused(&self, link: &Link, reason: Reason, detail: Option<&str>) {
        let refusal = self.connect(link).await.unwrap_err();
        assert_eq!((refusal.reason, refusal.detail.as_deref()), (reason, detail));
        assert!(self.registrations().await.is_empty(), "{reason:?}");
        let shown = self.shown().await;
        let expected = json!({ "reason": reason.code(), "message": reason.sentence(), "detail": detail });
        assert_eq!((&shown["status"], &shown["lastFailure"]), (&json!("open"), &expected));
    }
}

#[both_stores]
async fn a_configuration_that_can_t_be_believed_is_refused(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let cases = [
        ("issuer", json!("https://other.example"), Reason::Issuer, None),
        ("issuer", json!("http://127.0.0.2"), Reason::Issuer, None),
        ("issuer", Value::Null, Reason::Configuration, Some("issuer")),
        ("jwks_uri", Value::Null, Reason::Configuration, Some("jwks_uri")),
        ("token_endpoint", json!(7), Reason::Configuration, Some("token_endpoint")),
        ("registration_endpoint", json!("/register"), Reason::Configuration, Some("registration_endpoint")),
        ("jwks_uri", json!("ftp://127.0.0.1/"), Reason::Configuration, Some("jwks_uri must be an https URL")),
        (
            "token_endpoint",
            json!("https://10.0.0.1/"),
            Reason::Configuration,
            Some("token_endpoint must name a public host"),
        ),
        (
            "registration_endpoint",
            json!("https://169.254.169.254/latest"),
            Reason::Configuration,
            Some("registration_endpoint must name a public host"),
        ),
        (
            "authorization_endpoint",
            json!("https://u:p@127.0.0.1/"),
            Reason::Configuration,
            Some("authorization_endpoint must not hold a user name or password"),
        ),
    ];
    for (member, value, reason, detail) in cases {
        let mut configuration = stage.lms.configuration();
        configuration[member] = value;
        stage.lms.claim_to_be(&configuration);
        stage.assert_refused(&made, reason, detail).await;
    }
    assert_eq!(stage.lms.registration_posts(), 0, "nobody is told who the service is");
    stage.lms.claim_to_be(&stage.lms.configuration());
    stage.connect(&made).await.unwrap();
}

#[both_stores]
async fn a_configuration_that_can_t_be_read_is_refused(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let text = |status, body: &str| ConfigurationAnswer::Text(status, body.to_owned());
    for (answer, detail) in [
        (text(StatusCode::NOT_FOUND, "{}"), "HTTP 404"),
        (text(StatusCode::INTERNAL_SERVER_ERROR, "a secret"), "HTTP 500"),
        (ConfigurationAnswer::Redirect, "HTTP 302"),
        (text(StatusCode::OK, "<html>Sign in</html>"), "no JSON object"),
        (text(StatusCode::OK, "[]"), "no JSON object"),
        (text(StatusCode::OK, &" ".repeat(300 * 1024)), "the answer was too large"),
    ] {
        stage.lms.answer_configuration(answer);
        stage.assert_refused(&made, Reason::NoConfiguration, Some(detail)).await;
    }
    assert_eq!(stage.lms.registration_posts(), 0);
}

#[both_stores]
async fn a_platform_that_hangs_is_given_up(test: TestStore) {
    let stage = Stage::new(test).await;
    stage.lms.answer_configuration(ConfigurationAnswer::Silence);
    let outbound = &stage.app.platform.outbound;
    let mut applicant = Applicant::of(outbound, &stage.lms.configuration_url(), None).unwrap();
    assert!(applicant.limits.timeout * 2 < LEASE, "a lease outlasts both calls");
    applicant.limits.timeout = Duration::from_millis(50);
    let refusal = applicant.configuration(outbound).await.unwrap_err();
    assert_eq!(refusal, Refusal::of(Reason::NoConfiguration, "the call timed out"));
}

#[both_stores]
async fn a_registration_that_the_platform_refuses_may_be_tried_again(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    for (status, body, detail) in [
        (401, r#"{"error":"invalid_token","error_description":"<b>expired</b>"}"#, "HTTP 401, invalid_token"),
        (400, r#"{"error":"<script>alert(1)</script>"}"#, "HTTP 400"),
        (404, "not here", "HTTP 404"),
        (307, "", "HTTP 307"),
        (503, "{}", "HTTP 503"),
    ] {
        stage.lms.answer_registrations(&[(StatusCode::from_u16(status).unwrap(), body)]);
        stage.assert_refused(&made, Reason::Refused, Some(detail)).await;
    }
    stage.connect(&made).await.unwrap();
}

#[both_stores]
async fn an_answer_without_a_usable_client_id_registers_nothing(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let huge = format!("{{\"client_id\":\"{}\"}}", "x".repeat(300 * 1024));
    let deployment =
        r#"{"client_id":"c","https://purl.imsglobal.org/spec/lti-tool-configuration":{"deployment_id":{}}}"#;
    for (body, detail) in [
        ("", "client_id"),
        ("{}", "client_id"),
        ("<html>", "client_id"),
        (r#"{"client_id":null}"#, "client_id"),
        (deployment, "deployment_id"),
        (&huge, "the answer was too large"),
    ] {
        stage.lms.answer_registrations(&[(StatusCode::OK, body)]);
        stage.assert_refused(&made, Reason::Answer, Some(detail)).await;
    }
    stage.connect(&made).await.unwrap();
}

#[both_stores]
async fn a_client_id_that_is_registered_already_is_a_conflict(test: TestStore) {
    let stage = Stage::new(test).await;
    let other = stage.app.tenant("hillside").await;
    stage.app.post(REGISTRATIONS).key(&other.key).json(&stage.lms.registration()).send().await.expect(201);
    let made = stage.link(nothing()).await;
    stage.assert_refused(&made, Reason::Taken, None).await;
    assert_eq!(stage.app.count("SELECT count(*) FROM lti_deployment").await, 0);
    stage.lms.give_client_id("tool-9");
    assert_eq!(stage.connect(&made).await.unwrap().client_id, "tool-9");
}

#[both_stores]
async fn what_a_browser_sends_is_judged_before_anybody_is_called(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let long = format!("{}?{}", stage.lms.configuration_url(), "x".repeat(2048));
    for (configuration, reason) in [
        ("", Reason::NoPlatform),
        ("configuration", Reason::PlatformAddress),
        ("javascript:alert(1)", Reason::PlatformAddress),
        ("file:///etc/passwd", Reason::PlatformAddress),
        ("https://10.0.0.1/", Reason::PlatformAddress),
        ("https://[::1]/", Reason::PlatformAddress),
        (long.as_str(), Reason::PlatformAddress),
    ] {
        let query = PlatformQuery { openid_configuration: configuration.to_owned(), registration_token: None };
        assert_eq!(preview(&stage.app, &made, &query).await, Err(reason), "{configuration}");
        assert!(is_refused(connect_with(&stage.app, &made, &query).await, reason), "{configuration}");
    }
    for token in ["a b", "a\r\nX-Evil: 1", "ü", &"x".repeat(9000)] {
        let query = PlatformQuery { registration_token: Some(token.to_owned()), ..query(&stage.lms) };
        assert_eq!(preview(&stage.app, &made, &query).await, Err(Reason::RegistrationToken), "{token}");
        assert!(is_refused(connect_with(&stage.app, &made, &query).await, Reason::RegistrationToken), "{token}");
    }
    assert_eq!(stage.lms.registration_posts(), 0);
    let without = PlatformQuery { registration_token: None, ..query(&stage.lms) };
    assert!(is_refused(connect_with(&stage.app, &made, &without).await, Reason::Refused), "the platform wants a token");
    stage.connect(&made).await.unwrap();
}

#[both_stores]
async fn a_platform_inside_the_operator_s_network_is_refused_where_the_operator_does_not_allow_it(test: TestStore) {
    let (app, lms) = (App::new(test), Lms::start().await);
    let tenant = app.tenant("riverside").await;
    let made = link(&app, &tenant, &nothing()).await;
    let query = query(&lms);
    assert_eq!(preview(&app, &made, &query).await, Err(Reason::PlatformAddress));
    assert!(is_refused(connect_with(&app, &made, &query).await, Reason::PlatformAddress));
    assert!(lms.registered_tools().is_empty());
}

/// Every name leads to this machine.
struct Inside;

impl Lookup for Inside {
    fn lookup(&self, _: &str) -> Looking {
        Box::pin(std::future::ready(Ok(vec![[127, 0, 0, 1].into()])))
    }
}

#[tokio::test]
async fn a_name_that_leads_inside_is_refused_when_it_is_called() {
    let outbound = OutboundClient::with_lookup(OutboundPolicy::default(), Arc::new(Inside)).unwrap();
    let applicant = Applicant::of(&outbound, "https://lms.example.com/", None).unwrap();
    let refusal = applicant.configuration(&outbound).await.unwrap_err();
    assert_eq!(refusal, Refusal::of(Reason::PlatformAddress, "the address may not be called"));
}

#[both_stores]
async fn links_that_can_t_be_used_say_why(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let unknown = Link { id: made.id.clone(), token: format!("{}x", made.token) };
    assert_eq!(preview(&stage.app, &unknown, &query(&stage.lms)).await, Err(Reason::UnknownLink));
    assert!(is_refused(stage.connect(&unknown).await, Reason::UnknownLink));
    let suspend = "UPDATE workspace SET status = $1";
    stage.change(suspend, "SUSPENDED").await;
    assert_eq!(preview(&stage.app, &made, &query(&stage.lms)).await, Err(Reason::SuspendedWorkspace));
    assert!(is_refused(stage.connect(&made).await, Reason::SuspendedWorkspace));
    stage.change(suspend, "ACTIVE").await;
    stage.app.test.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(preview(&stage.app, &made, &query(&stage.lms)).await, Err(Reason::ExpiredLink));
    assert!(is_refused(stage.connect(&made).await, Reason::ExpiredLink));
    assert_eq!(stage.lms.registration_posts(), 0);
}
