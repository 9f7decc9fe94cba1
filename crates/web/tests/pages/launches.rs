//! A teacher picks content, and a learner opens it and hands a test in.

mod changed_tests;
mod courses;
mod picks;

use axum::body::Body;
use content::resources::Kind;
use http::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use kernel::id::{RegistrationId, WorkspaceId};
use kernel::secret::MasterKey;
use lti::{IdToken, KeySet, claims};
use platform::lti::registrations::{Registration, Status};
use platform::lti::tool_keys::ToolKeys;
use platform::workspaces::create::{NewWorkspace, insert};
use scraper::{Html, Selector};
use serde_json::{Value, json};
use store::{Record as _, Tx};
use testkit::lms::{CLIENT_ID, Lms};
use testkit::{TestStore, both_stores};
use tower::ServiceExt as _;
use url::{Url, form_urlencoded};

use crate::answering::{items, quiz};
use crate::service::Service;

const BASE: &str = "https://lectern.example";
const LOGIN: &str = "/v1/platform/lti/login";
const LAUNCH: &str = "/v1/platform/lti/launch";
const TEACHER: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor";

/// A page of a launch.
struct Page {
    status: StatusCode,
    headers: http::HeaderMap,
    body: String,
}

/// A service with a platform whose workspace is linked to the service's organization.
struct Course {
    service: Service,
    lms: Lms,
    workspace: WorkspaceId,
}

impl Course {
    async fn new(test: TestStore) -> Self {
        let service = Service::new(test, BASE).await;
        let lms = Lms::start().await;
        let (organization, _) = service.place;
        let registration = registration(&service, &lms);
        let make = move |tx: &mut Tx<'_>| {
            let linked = NewWorkspace {
                organization: Some(organization),
                ..NewWorkspace::named("Riverside".into(), "riverside".into())
            };
            let workspace = insert(tx, &linked)?;
            Registration { workspace_id: workspace, ..registration.clone() }.insert(tx)?;
            Ok::<_, edge::problem::Problem>(workspace)
        };
        let workspace = service.test.store.write("test", make).await.unwrap();
        Self { service, lms, workspace }
    }

    async fn send(&self, request: Request<Body>) -> Page {
        let response: Response<Body> = self.service.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        Page { status: parts.status, headers: parts.headers, body }
    }

    async fn get(&self, path: &str) -> Page {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Sends a form as a browser does.
    async fn post_form(&self, path: &str, fields: &[(String, String)]) -> Page {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.post(path, &fields, "").await
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)], cookie: &str) -> Page {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request =
            Request::post(path).header(CONTENT_TYPE, "application/x-www-form-urlencoded").header(COOKIE, cookie);
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    /// A launch with claims that a test changes; the path of its page.
    async fn launch(&self, change: impl FnOnce(&mut Value)) -> String {
        let login = form_urlencoded::Serializer::new(String::new()).extend_pairs(self.lms.login()).finish();
        let begun = self.get(&format!("{LOGIN}?{login}")).await;
        let asked: Url = begun.header(LOCATION.as_str()).parse().unwrap();
        let cookie = begun.header(SET_COOKIE.as_str()).split(';').next().unwrap().to_owned();
        let mut claims = self.lms.claims(&asked, self.service.test.ambient.now());
        change(&mut claims);
        let state = asked.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
        let token = self.lms.sign(&claims);
        let launched = self.post(LAUNCH, &[("state", &state), ("id_token", &token)], &cookie).await;
        assert_eq!(launched.status, 302, "{}", launched.body);
        launched.header(LOCATION.as_str()).strip_prefix(BASE).unwrap().to_owned()
    }

    /// A teacher asks for links.
    async fn pick(&self, settings: Value) -> String {
        self.launch(|claims| {
            claims[claims::MESSAGE_TYPE] = json!(claims::DEEP_LINKING_REQUEST);
            claims[claims::DEEP_LINKING_SETTINGS] = settings;
            claims[claims::ROLES] = json!([TEACHER]);
        })
        .await
    }

    /// What the service answers the platform with when a teacher has picked.
    async fn picked(&self, path: &str, fields: &[(&str, &str)]) -> Value {
        let page = self.post(path, fields, "").await;
        assert_eq!(page.status, 200, "{}", page.body);
        assert_eq!(page.attributes("form[data-submit]", "action"), ["https://lms.example/dl?a=1"]);
        self.open(&page.attributes("input[name=JWT]", "value")[0]).await
    }

    /// The claims of a token of the service, which its key set verifies.
    async fn open(&self, token: &str) -> Value {
        let (store, ambient) = (self.service.test.store.clone(), self.service.test.ambient.clone());
        let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
        let key = ToolKeys::new(store, ambient, &master).signing().await.unwrap();
        let keys = KeySet::parse(json!({ "keys": [key.public()] }).to_string().as_bytes()).unwrap();
        let claims = Value::Object(IdToken::new(token).header().unwrap().claims(&keys).unwrap());
        assert_eq!(claims["aud"], self.lms.issuer());
        claims
    }

    /// Links a resource and launches the link; the path of its page.
    async fn launch_linked(&self, kind: Kind, id: &str, role: Option<&str>) -> String {
        let path = self.pick(settings(&json!({}))).await;
        let answer = self.picked(&path, &[("pick", &format!("{}/{id}", kind.plural())), ("columns", "1")]).await;
        let custom = answer[claims::CONTENT_ITEMS][0]["custom"].clone();
        self.launch(|claims| {
            claims[claims::CUSTOM] = custom;
            if let Some(role) = role {
                claims[claims::ROLES] = json!([role]);
            }
        })
        .await
    }

    async fn count(&self, sql: &'static str) -> i64 {
        let read = move |tx: &mut Tx<'_>| tx.find(sql, &[], |row| row.get::<i64>(0));
        self.service.test.store.read("test", read).await.unwrap().unwrap_or(0)
    }
}

impl Page {
    /// The hidden fields of its form.
    fn hidden(&self) -> Vec<(String, String)> {
        let field = |element: scraper::ElementRef<'_>| {
            Some((element.attr("name")?.to_owned(), element.attr("value")?.to_owned()))
        };
        self.select("input[type=hidden]", field)
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn select<T>(&self, selector: &str, read: impl Fn(scraper::ElementRef<'_>) -> Option<T>) -> Vec<T> {
        Html::parse_document(&self.body).select(&Selector::parse(selector).unwrap()).filter_map(read).collect()
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        self.select(selector, |element| {
            Some(element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "))
        })
    }

    fn attributes(&self, selector: &str, name: &str) -> Vec<String> {
        self.select(selector, |element| element.attr(name).map(str::to_owned))
    }
}

fn registration(service: &Service, lms: &Lms) -> Registration {
    let (ambient, url) = (&service.test.ambient, lms.issuer());
    Registration {
        id: ambient.id::<RegistrationId>(),
        workspace_id: ambient.id(),
        name: "Riverside Moodle".to_owned(),
        issuer: url.to_owned(),
        client_id: CLIENT_ID.to_owned(),
        authorization_endpoint: format!("{url}/auth"),
        token_endpoint: format!("{url}/token"),
        jwks_endpoint: format!("{url}/jwks"),
        status: Status::Active,
        metadata: None,
        created_at: ambient.now(),
        updated_at: ambient.now(),
        client_since: ambient.now(),
        audience_since: ambient.now(),
    }
}

fn settings(more: &Value) -> Value {
    let mut settings = json!({ "deep_link_return_url": "https://lms.example/dl?a=1", "accept_types": ["ltiResourceLink"], "data": "x" });
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    settings
}

#[both_stores]
async fn a_learner_hands_a_test_in_and_sees_what_came_of_it(test: TestStore) {
    let course = Course::new(test).await;
    let test = course.service.add(Kind::Test, json!({ "items": items(), "visibility": "PRIVATE" })).await;
    let path = course.launch_linked(Kind::Test, &test, None).await;
    let page = course.get(&path).await;
    assert!(page.body.contains("Your answers are handed in") && page.header("cache-control") == "no-store");
    let attempt = page.attributes("input[name=attempt]", "value").remove(0);
    let fields =
        [("attempt", &*attempt), ("answer-one", "b"), ("answer-blank", "wall"), ("answer-free", "Once upon a time.")];
    let sent = course.post(&path, &fields, "").await;
    assert_eq!((sent.status, sent.header("location")), (StatusCode::SEE_OTHER, &*path));
    let again = course.post(&path, &fields, "").await;
    assert_eq!((again.status, course.count("SELECT count(*) FROM submission").await), (StatusCode::SEE_OTHER, 1));
    assert_eq!(course.count("SELECT count(*) FROM evaluation").await, 2, "the free text, and the work for a person");
    let result = course.get(&path).await;
    assert_eq!(result.header("refresh"), "10");
    let verdicts = result.texts(".verdict");
    assert_eq!(verdicts[..2], ["✓ Right", "✗ Not right"]);
    assert_eq!(verdicts[2..], ["… This is being graded. Look again in a moment.", "? A person will grade this."]);
    for key in ["Right answer", "Because of", "chlorophyll"] {
        assert!(!result.body.contains(key), "{key} is for later tries");
    }
    assert_eq!(result.texts("a.quiet"), ["Start again"]);
    let fresh = course.get(&format!("{path}?again")).await;
    assert_ne!(fresh.attributes("input[name=attempt]", "value"), [attempt]);
}

#[both_stores]
async fn a_test_that_is_handed_in_is_not_checked_item_by_item(test: TestStore) {
    let course = Course::new(test).await;
    let test = course.service.add(Kind::Test, json!({ "items": items() })).await;
    let path = course.launch_linked(Kind::Test, &test, None).await;
    let page = course.get(&path).await;
    assert!(page.attributes("button[name=check]", "value").is_empty());
    let fields = [("answer-one", "b"), ("answer-blank", "wall"), ("check", "blank"), ("part", "item")];
    let sent = course.post(&path, &fields, "").await;
    assert_eq!((sent.status, &*sent.body), (StatusCode::SEE_OTHER, ""), "it is handed in, and no key is told");
    assert_eq!(course.count("SELECT count(*) FROM submission").await, 1);
}

#[both_stores]
async fn with_the_last_attempt_the_keys_are_shown(test: TestStore) {
    let course = Course::new(test).await;
    let one =
        |tx: &mut Tx<'_>| tx.execute("UPDATE lti_registration SET metadata = '{\"tests\":{\"attempts\":1}}'", &[]);
    course.service.test.store.write("test", one).await.unwrap();
    let closed = Value::Array(items().as_array().unwrap()[..2].to_vec());
    let test = course.service.add(Kind::Test, json!({ "items": closed })).await;
    let path = course.launch_linked(Kind::Test, &test, None).await;
    assert!(course.get(&path).await.texts(".facts li").contains(&"Attempts left: 1".to_owned()));
    course.post(&path, &[("answer-one", "a"), ("answer-blank", "cell")], "").await;
    for query in ["", "?again"] {
        let result = course.get(&format!("{path}{query}")).await;
        let lines = result.texts(".feedback p, #result p");
        for line in ["Right answer: b", "Attempts left: 0"] {
            assert!(lines.contains(&line.to_owned()), "{lines:?}");
        }
        assert_eq!((result.texts(".outcome"), result.header("refresh")), (vec!["Not passed".to_owned()], ""));
    }
    let late = course.post(&path, &[("answer-one", "b"), ("answer-blank", "cell")], "").await;
    assert_eq!(late.status, 409);
    assert_eq!(late.texts(".lead"), ["These answers were not handed in: no attempt is left."]);
    assert_eq!(course.count("SELECT count(*) FROM submission").await, 1);
}

#[both_stores]
async fn a_teacher_tries_a_test_without_handing_it_in(test: TestStore) {
    let course = Course::new(test).await;
    let test = course.service.add(Kind::Test, json!({ "items": items() })).await;
    let path = course.launch_linked(Kind::Test, &test, Some(TEACHER)).await;
    assert!(course.get(&path).await.body.contains("You see this as a teacher"));
    let checked = course.post(&path, &[("answer-one", "b")], "").await;
    assert_eq!((checked.status, &*checked.texts(".verdict")[0]), (StatusCode::OK, "✓ Right"));
    assert_eq!(course.count("SELECT count(*) FROM submission").await, 0);
}

#[both_stores]
async fn the_page_of_a_launch_is_for_a_day_and_for_its_address(test: TestStore) {
    let course = Course::new(test).await;
    let test = course.service.add(Kind::Test, json!({ "items": items() })).await;
    let path = course.launch_linked(Kind::Test, &test, None).await;
    for wrong in [format!("{path}x"), format!("{path}/x"), format!("{path}/{test}"), "/launches/x/y".to_owned()] {
        assert_eq!(course.get(&wrong).await.status, 404, "{wrong}");
    }
    let json = Request::post(&path).header(CONTENT_TYPE, "application/json").body(Body::from("{}")).unwrap();
    assert_eq!(course.send(json).await.status, 415);
    course.service.test.clock.advance(std::time::Duration::from_secs(24 * 3600));
    assert_eq!(course.get(&path).await.status, 404);
    assert_eq!(course.post(&path, &[("answer-one", "b")], "").await.status, 404);
    assert_eq!(course.count("SELECT count(*) FROM submission").await, 0);
}

#[both_stores]
async fn a_course_is_shown_with_its_parts(test: TestStore) {
    let course = Course::new(test).await;
    let id = course.service.add(Kind::Course, json!({})).await;
    let module = course.service.add(Kind::Module, json!({ "course_id": id, "sequence": 1, "quizzes": quiz() })).await;
    let path = course.launch_linked(Kind::Course, &id, None).await;
    let page = course.get(&path).await;
    assert_eq!(page.attributes("main a", "href"), [format!("{path}/{module}")]);
    let part = course.get(&format!("{path}/{module}")).await;
    assert_eq!((part.status, part.texts("h1")), (StatusCode::OK, vec!["Cells".to_owned()]));
    let checked = course.post(&format!("{path}/{module}"), &[("answer-one", "b")], "").await;
    assert_eq!(checked.texts(".verdict")[0], "✓ Right");
}
