//! `lectern lti doctor` against a platform of the tests' own.

use http::StatusCode;
use serde_json::Value;
use testkit::lms::Lms;
use tokio::runtime::Runtime;

use super::place::{Place, Server, stderr, text};

const REGISTRATIONS: &str = "/v1/platform/lti/registrations";

/// A service that may call this machine, and a platform that is registered there.
struct School {
    place: Place,
    server: Server,
    key: String,
    lms: Lms,
    /// The platform works as long as this.
    _runtime: Runtime,
}

impl School {
    fn new() -> Self {
        let place = Place::new()
            .with("LECTERN_OUTBOUND_ALLOW_HTTP", "true")
            .with("LECTERN_OUTBOUND_ALLOW_NETWORKS", "127.0.0.0/8");
        let server = place.serve();
        let place = place.with("LECTERN_BASE_URL", &format!("http://{}", server.address));
        let key = text(&place.json(&["init", "--json"])["platformApiKey"]).to_owned();
        let runtime = Runtime::new().unwrap();
        let lms = runtime.block_on(Lms::start());
        let school = Self { place, server, key, lms, _runtime: runtime };
        school.register(&school.lms.registration());
        school
    }

    fn register(&self, body: &Value) {
        let answer = self.server.post(REGISTRATIONS, &self.key, &body.to_string());
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    }

    /// The exit code, and what was found: checks, verdicts and messages.
    fn examine(&self, named: &str) -> (Option<i32>, Vec<[String; 3]>) {
        let output = self.place.run(&["lti", "doctor", named, "--json"]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        let member = |one: &Value, name: &str| text(&one[name]).to_owned();
        let found = found.as_array().unwrap().iter();
        let found = found.map(|one| ["check", "verdict", "message"].map(|name| member(one, name))).collect();
        (output.status.code(), found)
    }
}

#[test]
fn lti_doctor_examines_a_platform_by_its_name_issuer_or_id() {
    let school = School::new();
    let (code, found) = school.examine("Riverside Moodle");
    let unlike: Vec<_> = found.iter().filter(|[_, verdict, _]| verdict != "fine").map(|[check, ..]| &**check).collect();
    assert_eq!((code, &*unlike), (Some(0), &["service address", "service address", "newest launch"][..]), "{found:#?}");
    school.lms.answer_with(StatusCode::OK, "<!DOCTYPE html><title>Sign in</title>".to_owned());
    let (code, found) = school.examine(school.lms.issuer());
    let wrong: Vec<_> = found.iter().filter(|[_, verdict, _]| verdict == "wrong").collect();
    assert_eq!((code, wrong.len()), (Some(1), 1), "{found:#?}");
    assert!(wrong[0][0] == "key set" && wrong[0][2].contains("web page"), "{wrong:?}");

    let output = school.place.run(&["lti", "doctor", "Riverside Moodle"]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), printed.lines().count()), (Some(1), found.len()), "{printed}");
    assert!(printed.contains("wrong    key set"), "{printed}");
}

#[test]
fn lti_doctor_names_the_registrations_that_a_name_may_mean() {
    let school = School::new();
    let unknown = school.place.run(&["lti", "doctor", "Hillside Canvas"]);
    assert_eq!(unknown.status.code(), Some(1));
    let said = stderr(&unknown);
    assert!(said.contains("no LTI registration with the ID, name or issuer Hillside Canvas"), "{said}");
    let mut second = school.lms.registration();
    second["clientId"] = "tool-2".into();
    school.register(&second);
    let several = school.place.run(&["lti", "doctor", "Riverside Moodle"]);
    assert_eq!((several.status.code(), several.stdout.len()), (Some(1), 0));
    assert!(
        stderr(&several).contains("several LTI registrations Riverside Moodle; their IDs are "),
        "{}",
        stderr(&several)
    );
    assert_eq!(school.place.run(&["lti", "doctor"]).status.code(), Some(2));
}
