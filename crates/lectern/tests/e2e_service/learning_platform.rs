//! A learning platform of `scripts/lms`: the library lti1p3platform with what it leaves to its users. The library judges what
//! the service signs, so nothing of ours decides whether it is right.

use http::Method;
use hyper::body::Bytes;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use super::browser::{Browser, Page};
use super::client::{Client, Reply};
use super::process::Process;

const REGISTRATIONS: &str = "/v1/platform/lti/registrations";
const EVALUATIONS: &str = "/v1/platform/evaluations";

/// A platform of its own for a test.
pub(crate) struct LearningPlatform {
    server: Client,
    /// What to register.
    registration: Value,
}

impl LearningPlatform {
    /// A platform that knows the service as its tool. `more` says how it differs from others.
    pub(crate) async fn new(service: &Client, more: &Value) -> Self {
        let address = server_url().socket_addrs(|| None).unwrap()[0];
        let server = Client { address, key: String::new(), cookie: String::new() };
        let tool = format!("http://{}/v1/platform/lti", service.address);
        let mut wanted = json!({
            "login": format!("{tool}/login"),
            "launch": format!("{tool}/launch"),
            "keys": format!("{tool}/.well-known/jwks.json"),
        });
        wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let registration = server.post("/platforms", &wanted).await.unwrap().expect(201);
        Self { server, registration }
    }

    pub(crate) fn issuer(&self) -> &str {
        self.registration["issuer"].as_str().unwrap()
    }

    pub(crate) fn client_id(&self) -> &str {
        self.registration["clientId"].as_str().unwrap()
    }

    /// The platform's own key set.
    pub(crate) fn key_set(&self) -> &str {
        self.registration["jwksEndpoint"].as_str().unwrap()
    }

    /// Where a member opens a link of the course.
    pub(crate) fn link(&self, user: &str, link: &str) -> Url {
        self.address("open", &[("user", user), ("link", link)])
    }

    /// Where a member picks content for the course.
    pub(crate) fn picker(&self, user: &str) -> Url {
        self.address("open", &[("user", user)])
    }

    /// Where a teacher picks content, and the platform makes this mistake.
    pub(crate) fn wrong_picker(&self, fault: &str) -> Url {
        self.address("open", &[("user", "teacher-1"), ("fault", fault)])
    }

    /// Where a member opens a link of the course, and the platform makes this mistake.
    pub(crate) fn wrong_link(&self, fault: &str) -> Url {
        self.address("open", &[("user", "learner-1"), ("link", "quiz"), ("fault", fault)])
    }

    fn address(&self, page: &str, query: &[(&str, &str)]) -> Url {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        format!("{}/{page}?{query}", self.issuer()).parse().unwrap()
    }

    /// Tells the platform another address of the tool's key set.
    pub(crate) async fn move_keys(&self, keys: &str) {
        let path = format!("{}/tool", self.path());
        self.server.post(&path, &json!({ "keys": keys })).await.unwrap().expect(204);
    }

    /// What the platform has, and what it refused.
    pub(crate) async fn seen(&self) -> Value {
        self.server.get(&format!("{}/seen", self.path())).await.unwrap().expect(200)
    }

    fn path(&self) -> String {
        self.issuer().parse::<Url>().unwrap().path().to_owned()
    }
}

#[expect(clippy::disallowed_methods, reason = "tests have no configuration")]
fn server_url() -> Url {
    let url = std::env::var("LECTERN_TEST_LMS_URL").expect("LECTERN_TEST_LMS_URL is set; scripts/lms start prints it");
    url.parse().unwrap()
}

/// A workspace that has the platform registered, and its key.
pub(crate) struct Workspace<'a> {
    client: &'a Client,
    key: String,
}

impl<'a> Workspace<'a> {
    pub(crate) fn new(server: &'a Process, key: &str) -> Self {
        Self { client: &server.client, key: format!("Bearer {key}") }
    }

    /// Registers a platform; the registration's id.
    pub(crate) async fn register(&self, lms: &LearningPlatform) -> String {
        let mut body = lms.registration.clone();
        body["name"] = json!("Riverside");
        self.post(REGISTRATIONS, &body).await.expect(201)["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn delete(&self, registration: &str) {
        let path = format!("{REGISTRATIONS}/{registration}");
        self.send(Method::DELETE, &path, Bytes::new()).await.expect(200);
    }

    /// The reasons of the refused launches, the newest first.
    pub(crate) async fn refusals(&self, registration: &str) -> Vec<String> {
        let log = self.get(&format!("{REGISTRATIONS}/{registration}/refusals")).await.expect(200);
        let reason = |refusal: &Value| refusal["reason"].as_str().unwrap().to_owned();
        log.as_array().unwrap().iter().map(reason).collect()
    }

    /// Grades an answer that was given in a launch; the evaluation.
    pub(crate) async fn grade(&self, session: &str, answer: &str) -> String {
        let body = json!({
            "evaluationType": "exact", "questionText": "6 * 7?", "learnerAnswer": answer, "referenceAnswer": "42",
            "clientMetadata": { "ltiLaunchSessionId": session },
        });
        self.post(EVALUATIONS, &body).await.expect(201)["id"].as_str().unwrap().to_owned()
    }

    /// Where the score of an evaluation is on its way.
    pub(crate) async fn sync(&self, evaluation: &str) -> Value {
        self.get(&format!("{EVALUATIONS}/{evaluation}")).await.expect(200)["ltiSync"].clone()
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, Bytes::new()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(Method::POST, path, body.to_string().into()).await
    }

    async fn send(&self, method: Method, path: &str, body: Bytes) -> Reply {
        self.client.send(method, path, &[("authorization", &self.key)], body).await.unwrap()
    }
}

/// A member of the course opens a link in a new browser; the launch's page.
pub(crate) async fn launch(lms: &LearningPlatform, user: &str, link: &str) -> Page {
    let mut browser = Browser::default();
    let form = browser.open(&lms.link(user, link)).await;
    browser.submit(&form).await
}

/// The session of a launch that shows its own page.
pub(crate) fn session(launched: &Page) -> String {
    let mut path = launched.url.path_segments().unwrap();
    assert_eq!((launched.status.as_u16(), path.next()), (200, Some("launches")), "{launched:?}");
    path.next().unwrap().to_owned()
}
