//! An API that gives recorded answers and remembers what it was asked.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use console::{ApiClient, ConsoleOptions};
use http::header::{CONTENT_TYPE, LINK, SET_COOKIE};
use http::{HeaderMap, Method, StatusCode};
use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use serde_json::{Value, json};

/// The text that a hostile customer writes wherever they may write.
pub(crate) const HOSTILE: &str = "</title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u{202e}javascript:";
/// The keys of texts that customers write.
const FREE_TEXTS: [&str; 33] = [
    "content",
    "explanation",
    "language",
    "script",
    "displayText",
    "reason",
    "userEmail",
    "lastError",
    "error",
    "requestId",
    "email",
    "name",
    "title",
    "slug",
    "description",
    "questionText",
    "question",
    "answer",
    "learnerAnswer",
    "referenceAnswer",
    "feedbackSummary",
    "nextStep",
    "feedback",
    "criterion",
    "reviewer",
    "message",
    "advice",
    "expected",
    "received",
    "sourceTitle",
    "organizationName",
    "issuer",
    "clientId",
];
/// The keys of addresses that customers name.
const ADDRESSES: [&str; 6] =
    ["url", "publicUrl", "previewUrl", "authorizationEndpoint", "tokenEndpoint", "jwksEndpoint"];

/// A call that the API was sent.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// What the API does.
#[derive(Clone, Default)]
pub(crate) struct Fake {
    /// Whether customers write hostile texts.
    pub(crate) is_hostile: bool,
    /// The role in the organization, where the session is no operator's.
    pub(crate) role: Option<&'static str>,
    /// Whether there are more workspaces than a page reads.
    pub(crate) is_huge: bool,
    /// Whether nobody has an account yet.
    pub(crate) is_new: bool,
    /// Whether lists have nothing in them.
    pub(crate) is_empty: bool,
    /// The status and body of every call but reads, in the place of success.
    pub(crate) refusal: Option<(u16, Value)>,
    pub(crate) calls: Arc<Mutex<Vec<Call>>>,
    /// Whether work that a page follows has not ended.
    pub(crate) is_working: Arc<AtomicBool>,
}

fn sample(name: &str) -> Value {
    let path = format!("{}/tests/samples/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(&path).expect(&path)).expect(&path)
}

/// The first thing of a sample.
pub(crate) fn id_in(name: &str) -> String {
    let value = sample(name);
    let first = value.get("items").unwrap_or(&value).get(0).unwrap_or(&value).clone();
    first["id"].as_str().unwrap().to_owned()
}

impl Fake {
    /// The console in front of this API.
    pub(crate) fn console(&self) -> axum::Router {
        let fake = self.clone();
        let api = tower::service_fn(move |request: Request| {
            let fake = fake.clone();
            async move { Ok::<_, Infallible>(fake.answer(request).await) }
        });
        let (ambient, _) = Ambient::fixed(Timestamp::parse_rfc3339("2026-11-27T20:00:00Z").unwrap(), 7);
        let base_url = "https://lectern.example".to_owned();
        console::router(ApiClient::new(api), ConsoleOptions { base_url, has_base_url: true, ambient })
    }

    /// The writes that the API was sent.
    pub(crate) fn writes(&self) -> Vec<Call> {
        let calls = self.calls.lock().unwrap().clone();
        calls.into_iter().filter(|call| call.method != Method::GET).collect()
    }

    async fn answer(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        let (method, path) = (parts.method.clone(), parts.uri.to_string());
        self.calls.lock().unwrap().push(Call { method, path, headers: parts.headers.clone(), body });
        let path = parts.uri.path().to_owned();
        let session = parts.headers.get("cookie").map(|cookie| cookie.to_str().unwrap().to_owned());
        let is_public = ["/auth/login", "/auth/oidc", "/auth/password-reset", "/auth/setup"].contains(&path.as_str());
        if session.as_deref() != Some("jwt=good") && !is_public {
            return reply(
                401,
                &json!({ "statusCode": 401, "message": "You are not signed in.", "error": "Unauthorized" }),
            );
        }
        if self.role.is_some_and(|role| !is_open_to(role, &path)) {
            let error = json!({ "code": "platform_forbidden", "message": "This needs an operator.", "status": 403 });
            return reply(403, &json!({ "error": error }));
        }
        if parts.method != Method::GET {
            return self.write(&parts.method, &path);
        }
        let Some(mut value) = self.read(&path) else {
            return reply(
                404,
                &json!({ "error": { "code": "platform_not_found", "message": "Not found.", "status": 404 } }),
            );
        };
        if self.is_working.load(Ordering::Relaxed) {
            set_to_work(&path, &mut value);
        }
        if self.is_huge && path == "/v1/platform/workspaces" {
            value = json!([{ "name": "x".repeat(9_000_000) }]);
        }
        if self.is_hostile {
            poison(&mut value);
        }
        reply(200, &value)
    }

    fn read(&self, path: &str) -> Option<Value> {
        let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let name = match segments.as_slice() {
            ["readyz"] => return Some(json!({ "status": "ready" })),
            ["auth", "setup"] => return Some(json!({ "isOpen": self.is_new })),
            ["auth", "me"] => {
                let memberships = self.role.map(|role| {
                    let workspaces = json!([{ "id": id_in("workspaces"), "name": "An agent" }]);
                    json!([{ "id": id_in("organizations"), "name": "Demo School", "role": role, "workspaces": workspaces }])
                });
                return Some(json!({
                    "id": id_in("users"),
                    "email": "ann@example.com",
                    "isOperator": self.role.is_none(),
                    "organizations": memberships.unwrap_or_else(|| json!([])),
                }));
            }
            ["auth", "users"] => "users",
            ["auth", "users", _] => "user",
            ["auth", "organizations", _, "members"] => "members",
            ["auth", "sessions"] => "sessions",
            ["auth", "totp"] => return Some(json!({ "isEnabled": false, "recoveryCodesLeft": 0 })),
            ["auth", "passkeys"] => {
                return Some(
                    json!([{ "id": "p-1", "name": "Phone", "createdAt": "2026-11-27T08:00:00Z", "lastUsedAt": null }]),
                );
            }
            ["auth", "oidc"] => return Some(json!([{ "name": "school", "loginUrl": "https://evil.test/" }])),
            ["v1", "content", "organizations"] => "organizations",
            ["v1", "content", "organizations", _, "api-keys"] => "keys",
            ["v1", "content", "organizations", _, "webhooks"] => "webhooks",
            ["v1", "content", "organizations", _, "webhooks", _, "deliveries"] => "deliveries",
            ["v1", "content", "organizations", _, "page-grading"] => "page_grading",
            ["v1", "content", "organizations", _, "invitations"] => "invitations",
            ["v1", "content", "classrooms"] => "classrooms",
            ["v1", "content", "classrooms", _, _] => "modules",
            ["v1", "content", "classrooms", _, "modules" | "slides", _] => "module",
            ["v1", "content", "classrooms", _, "tests", _] => "test",
            ["v1", "content", "classrooms", _, "courses", _] => "course",
            ["v1", "content", "classrooms", _, "videos", _] => "video",
            ["v1", "content", "classrooms", _, "videos", _, "edit-link"] => {
                return Some(
                    json!({ "editToken": "7.secret", "editUrl": "https://lectern.example/videos/edit/7.secret" }),
                );
            }
            ["v1", "content", "integrations", "expansions"] => "expansions",
            ["v1", "content", "integrations", "expansions", _] => "expansion",
            ["v1", "platform", "workspaces"] => "workspaces",
            ["v1", "platform", "workspaces", _] => "workspace",
            ["v1", "platform", "workspaces", _, "caps"] => "caps",
            ["v1", "platform", "workspaces", _, "invoices"] => "invoices",
            ["v1", "platform", "workspaces", _, "ledger"] => "ledger",
            ["v1", "platform", "api-keys"] => "platform_keys",
            ["v1", "platform", "webhooks"] => "platform_webhooks",
            ["v1", "platform", "webhooks", _, "deliveries"] => "deliveries",
            ["v1", "platform", "evaluations"] => "evaluations",
            ["v1", "platform", "evaluations", _] => "evaluation",
            ["v1", "platform", "evaluations", _, "record"] => "record",
            ["v1", "platform", "questions"] => "questions",
            ["v1", "platform", "questions", _] => "question",
            ["v1", "platform", "questions", _, "review-queue"] => "review_queue",
            ["v1", "platform", "lti", "registrations"] => "registrations",
            ["v1", "platform", "lti", "registrations", _] => "registration",
            ["v1", "platform", "lti", "registrations", _, "refusals"] => "refusals",
            ["v1", "platform", "lti", "registration-links"] => "registration_links",
            ["v1", "content", "organizations", _, "audit-log"] | ["v1", "platform", "admin", "audit-log"] => {
                "audit_log"
            }
            ["v1", "platform", "admin", "jobs"] => "jobs",
            ["v1", "platform", "admin", "queues"] => "queues",
            ["v1", "platform", "admin", "stats"] => "statistics",
            ["v1", "platform", "admin", "stats", "daily"] => "daily",
            ["v1", "platform", "admin", "stats", "organizations"] => "by_workspace",
            _ => return None,
        };
        let mut value = sample(name);
        if let (Some(role), "organizations") = (self.role, name) {
            value[0]["role"] = json!(role);
        }
        let is_kept = matches!(name, "organizations" | "workspaces" | "sessions" | "classrooms");
        Some(if self.is_empty && !is_kept { emptied(value) } else { value })
    }

    fn write(&self, method: &Method, path: &str) -> Response {
        if let Some((status, body)) = &self.refusal {
            return reply(*status, body);
        }
        let asked = self.calls.lock().unwrap().last().map(|call| call.body.clone()).unwrap_or_default();
        let mut value = written(path, &asked);
        if self.is_hostile && path.ends_with("/part-drafts") {
            poison(&mut value);
            for member in ["section", "slide"] {
                if let Some(source) = value[member].as_str() {
                    value[member] = json!(format!("{source}</textarea>{HOSTILE}"));
                }
            }
        }
        let mut response = reply(200, &value);
        let cookie = match path {
            "/auth/login" | "/auth/setup" => Some("jwt=new; Path=/; HttpOnly; SameSite=Lax"),
            "/auth/logout" => Some("jwt=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"),
            _ => None,
        };
        response.headers_mut().extend(cookie.map(|cookie| (SET_COOKIE, cookie.parse().unwrap())));
        if *method == Method::DELETE || path == "/auth/logout" {
            *response.status_mut() = StatusCode::NO_CONTENT;
            *response.body_mut() = Body::empty();
        }
        response
    }
}

/// Whether an operation is open to the members of an organization who have a role.
fn is_open_to(role: &str, path: &str) -> bool {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| path.starts_with(beginning));
    let is_of_grades = begins(&["/v1/platform/evaluations", "/v1/platform/questions"]);
    let is_of_content = begins(&["/v1/content/classrooms", "/v1/content/integrations"]);
    let is_of_people = begins(&["/v1/content/organizations/", "/auth/organizations/"]);
    match role {
        "REVIEWER" if is_of_content || path.ends_with("/regrade") => false,
        "REVIEWER" | "TEACHER" if is_of_people => false,
        _ => is_of_grades || !begins(&["/v1/platform", "/auth/users"]),
    }
}

fn written(path: &str, asked: &Value) -> Value {
    let last = path.rsplit('/').next().unwrap_or_default();
    match last {
        "part-drafts" => drafted(path, asked),
        "api-keys" | "rotate" => {
            json!({ "keyId": "k", "name": "Nightly", "apiKey": "svc_content_secret", "keyPrefix": "svc" })
        }
        "webhooks" | "rotate-secret" => {
            json!({ "id": "w", "secret": "whsec_secret", "updatedAt": "2026-11-27T20:00:00Z" })
        }
        "registration-links" => {
            json!({ "id": "l", "url": "https://lectern.example/x", "expiresAt": "2026-12-04T00:00:00Z" })
        }
        "enroll" => json!({ "secret": "JBSWY3DP", "otpauthUrl": "otpauth://totp/x" }),
        "confirm" | "recovery-codes" => json!({ "recoveryCodes": ["abcd-efgh"] }),
        "setup" => {
            json!({ "email": "a@b.example", "contentApiKey": "svc_content_secret", "platformApiKey": "svc_platform_secret" })
        }
        "regrade" => sample("regrading"),
        "login" => json!({ "user": { "id": "u", "email": "a@b.example", "isOperator": true } }),
        _ => json!({ "id": "01a21e94-0954-71c8-8a86-24e328e19711", "status": "queued" }),
    }
}

/// A draft of the part that is asked for. It says how many earlier versions were sent.
fn drafted(path: &str, asked: &Value) -> Value {
    let before = |name: &str| asked[name].as_array().map_or(0, Vec::len);
    let question = |before: usize| {
        json!({
            "question": format!("What is drafted {before}?"), "type": "select", "options": ["Rain", "Snow", "Hail"],
            "correctAnswers": ["Snow"], "explanation": "Snow is.", "score": 9.0, "title": "Drafted", "showFeedback": true,
        })
    };
    let (member, part) = if path.contains("/tests/") {
        ("item", question(before("earlierItems")))
    } else if path.contains("/slides/") {
        ("slide", json!(format!("<section class=\"slide\"><h2>Drafted {}</h2></section>\n", before("earlierSlides"))))
    } else if asked["kind"] == "question" {
        ("quiz", question(before("earlierQuizzes")))
    } else {
        ("section", json!(format!("<section><h2>Drafted {}</h2></section>\n", before("earlierSections"))))
    };
    let is_ignored = asked["instruction"].as_str().is_some_and(|instruction| !instruction.is_empty());
    json!({ "place": asked["place"], member: part, "generator": "builtin", "instructionIgnored": is_ignored })
}

fn reply(status: u16, body: &Value) -> Response {
    let response = Response::builder().status(status).header(CONTENT_TYPE, "application/json");
    let response = response.header(LINK, "</v1/x?limit=5&cursor=abc.def>; rel=\"next\"");
    response.body(Body::from(body.to_string())).unwrap()
}

/// Makes an expansion or an evaluation one that has not ended.
fn set_to_work(path: &str, value: &mut Value) {
    if path.contains("/integrations/expansions/") {
        value["status"] = json!("processing");
        value["outputs"][2]["status"] = json!("processing");
        value["outputs"][2]["manifest"] = Value::Null;
    } else if path.contains("/evaluations/") && value["status"].is_string() {
        value["status"] = json!("PENDING");
        value["score"] = Value::Null;
    }
}

fn emptied(value: Value) -> Value {
    match value {
        Value::Array(_) => json!([]),
        Value::Object(mut map) if map.contains_key("items") => {
            map.insert("items".into(), json!([]));
            map.insert("nextCursor".into(), Value::Null);
            map.insert("total".into(), json!(0));
            Value::Object(map)
        }
        other => other,
    }
}

fn poison(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(poison_text),
        Value::Object(map) => {
            for (key, value) in map {
                let is_text = value.is_string();
                if is_text && FREE_TEXTS.contains(&key.as_str()) {
                    *value = Value::from(HOSTILE);
                } else if is_text && ADDRESSES.contains(&key.as_str()) {
                    *value = Value::from("javascript:alert(3)//\"><script>alert(4)</script>");
                } else {
                    poison(value);
                }
            }
        }
        _ => {}
    }
}

fn poison_text(value: &mut Value) {
    if value.is_string() { *value = Value::from(HOSTILE) } else { poison(value) }
}
