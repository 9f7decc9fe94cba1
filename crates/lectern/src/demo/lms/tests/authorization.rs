use lti::{Expected, IdToken, KeySet, Message};

use super::messages::{self, Errand};
use super::school::Person;
use super::*;
use crate::demo::forms;

/// What the tool asks for when somebody goes on an errand.
fn asked(test: &Test, person: &Person, errand: &Errand) -> Vec<(&'static str, String)> {
    let lms = &test.lms.0;
    let login = messages::login(lms, person, errand, &lms.tool.launch_url());
    let mut asked: Vec<_> = [
        ("scope", "openid"),
        ("response_type", "id_token"),
        ("response_mode", "form_post"),
        ("prompt", "none"),
        ("client_id", CLIENT_ID),
        ("state", "s\"1"),
        ("nonce", "n-1"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .into();
    asked.push(("redirect_uri", lms.tool.launch_url()));
    asked.extend(login.into_iter().filter(|(name, _)| name.ends_with("_hint")));
    asked
}

async fn ask(test: &Test, asked: &[(&str, String)]) -> Reply {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(asked).finish();
    let by_query = test.get(&format!("/auth?{query}"), None).await;
    let by_form = test.post("/auth", None, FORM, query).await;
    assert_eq!(by_query.status, by_form.status, "both methods do the same");
    by_form
}

/// What the browser posts to the tool.
fn posted(test: &Test, reply: &Reply) -> forms::Form {
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let form = forms::read(&reply.text, &URL.parse().unwrap()).unwrap().remove(0);
    assert_eq!(form.action.as_str(), test.lms.0.tool.launch_url());
    assert_eq!(form.value("state").unwrap(), "s\"1");
    form
}

/// The launch, as the tool's own code reads it.
async fn read(test: &Test, token: &str) -> lti::Launch {
    let keys = KeySet::parse(test.get("/jwks", None).await.text.as_bytes()).unwrap();
    let target = test.lms.0.tool.launch_url();
    let expected = Expected {
        issuer: URL,
        client_id: CLIENT_ID,
        nonce: "n-1",
        deployment_id: Some(DEPLOYMENT),
        target_link_uri: &target,
        link_parameter: "link",
        now: NOW,
    };
    IdToken::new(token).header().unwrap().verify(&keys, &expected).unwrap()
}

#[tokio::test]
async fn a_student_launches_a_link_with_its_column() {
    let test = Test::with_links().await;
    let form = posted(&test, &ask(&test, &asked(&test, &ANN, &Errand::Open("link-1".to_owned()))).await);
    let launch = read(&test, form.value("id_token").unwrap()).await;
    assert_eq!(launch.user_id.as_deref(), Some(ANN.subject));
    assert!(launch.roles[0].ends_with("#Learner"), "{:?}", launch.roles);
    let grades = launch.grades.unwrap();
    assert_eq!(grades.lineitem.unwrap().as_str(), format!("{URL}/lineitems/1"));
    assert_eq!(launch.custom["resource"], "7");
    let form = posted(&test, &ask(&test, &asked(&test, &ANN, &Errand::Open("link-2".to_owned()))).await);
    let launch = read(&test, form.value("id_token").unwrap()).await;
    assert_eq!(launch.grades.unwrap().lineitem, None, "the link has no column");
}

#[tokio::test]
async fn a_teacher_picks_and_a_student_may_not() {
    let test = Test::new().await;
    let form = posted(&test, &ask(&test, &asked(&test, &TEACHER, &Errand::Pick)).await);
    let launch = read(&test, form.value("id_token").unwrap()).await;
    let Message::DeepLinking(settings) = launch.message else { panic!("{:?}", launch.message) };
    assert!(settings.accepts_links() && settings.accepts_several() && settings.accepts_line_items());
    let form = posted(&test, &ask(&test, &asked(&test, &ANN, &Errand::Pick)).await);
    assert_eq!(form.value("error").unwrap(), "access_denied");
    assert!(form.value("id_token").is_err());
}

#[tokio::test]
async fn an_address_that_is_not_the_tools_gets_nothing() {
    let test = Test::with_links().await;
    for (name, value) in [("redirect_uri", "https://evil.example/"), ("client_id", "other"), ("state", "")] {
        let mut asked = asked(&test, &ANN, &Errand::Open("link-1".to_owned()));
        asked.retain(|(own, _)| *own != name);
        asked.push((name, value.to_owned()));
        let reply = ask(&test, &asked).await;
        assert!(reply.status == StatusCode::BAD_REQUEST && !reply.text.contains("<form"), "{name}: {}", reply.text);
    }
}

#[tokio::test]
async fn a_request_that_is_not_in_order_gets_an_error_for_the_tool() {
    let test = Test::with_links().await;
    for (name, value, code) in [
        ("response_type", "code", "unsupported_response_type"),
        ("scope", "openid email", "invalid_scope"),
        ("response_mode", "query", "invalid_request"),
        ("prompt", "login", "invalid_request"),
        ("nonce", "", "invalid_request"),
        ("login_hint", "ann", "login_required"),
        ("lti_message_hint", "link-1", "invalid_request"),
    ] {
        let mut asked = asked(&test, &ANN, &Errand::Open("link-1".to_owned()));
        asked.retain(|(own, _)| *own != name);
        asked.push((name, value.to_owned()));
        let form = posted(&test, &ask(&test, &asked).await);
        assert_eq!(form.value("error").unwrap(), code, "{name}");
        assert!(form.value("id_token").is_err(), "{name}");
    }
    let form = posted(&test, &ask(&test, &asked(&test, &ANN, &Errand::Open("link-9".to_owned()))).await);
    assert_eq!(form.value("error").unwrap(), "access_denied");
}
