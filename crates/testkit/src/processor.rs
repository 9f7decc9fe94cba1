//! A payment processor that says what a test wants, in Stripe's protocol.
//!
//! It acts once for an idempotency key, refuses a meter event whose identifier it has, and records every call. A test makes it slow
//! ([`FakeProcessor::delay`]), away ([`FakeProcessor::set_down`]), or faulty for single calls ([`Fault`]). What it would send to a
//! service, [`event`] and [`sign`] make.

mod books;
mod pages;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Method, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::form_urlencoded;

pub use books::{MeterEvent, UsageRecord};

/// The key that the processor takes.
pub const SECRET_KEY: &str = "sk_test_1";
/// The meter that it has.
pub const METER: &str = "lectern_credits";

/// A processor's server; it ends when it is dropped.
pub struct FakeProcessor {
    url: String,
    shown: Arc<Mutex<Shown>>,
    server: JoinHandle<()>,
}

/// What all calls share.
#[derive(Default)]
struct Shown {
    books: books::Books,
    calls: Vec<Call>,
    faults: VecDeque<Fault>,
    delay: Duration,
    is_down: bool,
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The method and the path, such as `POST /v1/customers`.
    pub operation: String,
    /// The members of the form or of the query, in their order.
    pub form: Vec<(String, String)>,
    /// The header `Idempotency-Key`.
    pub idempotency_key: Option<String>,
}

impl Call {
    /// A member of the form; empty where it is missing.
    pub fn get(&self, name: &str) -> &str {
        self.form.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// What goes wrong with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: for calls before the one that fails.
    None,
    /// It answers so and does nothing.
    Status(u16),
    /// It asks to wait for so many seconds and does nothing.
    Busy(u64),
    /// It acts, and the answer breaks off.
    LostAnswer,
    /// It acts, and says that it has a fault.
    ActsAndFails,
}

impl FakeProcessor {
    /// A processor without customers.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shown = Arc::<Mutex<Shown>>::default();
        let router = Router::new().fallback(answer).with_state(shown.clone());
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shown, server }
    }

    /// Where it is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// How long it takes for an answer from now on.
    pub fn delay(&self, delay: Duration) {
        self.lock().delay = delay;
    }

    /// Whether it answers 503 to everything.
    pub fn set_down(&self, is_down: bool) {
        self.lock().is_down = is_down;
    }

    /// What goes wrong with the next calls, one fault each.
    pub fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.lock().faults.extend(faults);
    }

    /// Attaches a card to a customer, as its page does.
    pub fn attach(&self, method: &str, customer: &str) {
        self.lock().books.attach(method, customer);
    }

    /// A setup that has made a payment method.
    pub fn set_up(&self, setup_intent: &str, method: &str) {
        self.lock().books.set_up(setup_intent, method);
    }

    /// Forgets a customer: usage of it is refused from now on.
    pub fn delete_customer(&self, customer: &str) {
        self.lock().books.delete_customer(customer);
    }

    /// The calls so far.
    pub fn calls(&self) -> Vec<Call> {
        self.lock().calls.clone()
    }

    /// The calls of one operation.
    pub fn calls_of(&self, operation: &str) -> Vec<Call> {
        self.lock().calls.iter().filter(|call| call.operation == operation).cloned().collect()
    }

    /// The usage that it has taken by meter.
    pub fn meter_events(&self) -> Vec<MeterEvent> {
        self.lock().books.meter_events.clone()
    }

    /// The usage that it has taken by subscription item.
    pub fn usage_records(&self) -> Vec<UsageRecord> {
        self.lock().books.usage_records.clone()
    }

    /// Makes it forget the last usage that it has taken by meter.
    pub fn lose_meter_event(&self) {
        self.lock().books.meter_events.pop();
    }

    /// The customers to which a card is attached, with the card.
    pub fn attached(&self) -> Vec<(String, String)> {
        self.lock().books.attached()
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        lock(&self.shown)
    }
}

impl Drop for FakeProcessor {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The header that signs a body at a time, in seconds.
pub fn sign(secret: &str, time: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(time.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    format!("t={time},v1={}", hex::encode(mac.finalize().into_bytes()))
}

/// Headers that sign nothing, made of one that signs a body, which stands for `{good}`.
pub const BAD_SIGNATURES: [&str; 8] = ["", "t=", "v1=", "t=1,v1=00", "t=x,v1=00", "{good}0", "{good},t=1", "v1={good}"];

/// An event of the test mode.
pub fn event(id: &str, kind: &str, created: i64, object: &Value) -> Value {
    json!({
        "id": id, "object": "event", "api_version": "2024-06-20", "created": created, "livemode": false,
        "pending_webhooks": 1, "type": kind, "data": { "object": object },
    })
}

fn lock(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(State(shown): State<Arc<Mutex<Shown>>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let given = if parts.method == Method::GET { parts.uri.query().unwrap_or_default().as_bytes() } else { &*body };
    let header = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::to_owned);
    let call = Call {
        operation: format!("{} {}", parts.method, parts.uri.path()),
        form: form_urlencoded::parse(given).into_owned().collect(),
        idempotency_key: header("idempotency-key"),
    };
    let is_known = header(AUTHORIZATION.as_str()).is_some_and(|given| given == format!("Bearer {SECRET_KEY}"));
    let (delay, is_down, fault) = {
        let mut shown = lock(&shown);
        shown.calls.push(call.clone());
        (shown.delay, shown.is_down, shown.faults.pop_front().unwrap_or(Fault::None))
    };
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    if !is_known {
        return reply(401, &error("invalid_request_error", None, "Invalid API Key provided"));
    }
    match fault {
        _ if is_down => reply(503, &error("api_error", None, "down")),
        Fault::Status(status) => reply(status, &error("api_error", None, "scripted")),
        Fault::Busy(seconds) => {
            let mut reply = reply(429, &error("invalid_request_error", Some("rate_limit"), "too many requests"));
            reply.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
            reply
        }
        Fault::None => act(&shown, &call),
        Fault::ActsAndFails => {
            act(&shown, &call);
            reply(500, &error("api_error", None, "scripted"))
        }
        Fault::LostAnswer => {
            act(&shown, &call);
            let pieces = [Ok(Bytes::from_static(b"{")), Err(std::io::Error::other("broken off by the test"))];
            Response::new(Body::from_stream(futures_util::stream::iter(pieces)))
        }
    }
}

/// Acts once for each idempotency key.
fn act(shown: &Mutex<Shown>, call: &Call) -> Response {
    let mut shown = lock(shown);
    let (status, body) = shown.books.once(call);
    drop(shown);
    reply(status, &body)
}

fn reply(status: u16, body: &Value) -> Response {
    (StatusCode::from_u16(status).unwrap(), [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

fn error(kind: &str, code: Option<&str>, message: &str) -> Value {
    json!({ "error": { "type": kind, "code": code, "message": message } })
}
