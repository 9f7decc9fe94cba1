//! A repeated create gets the answer of the first one (content-api section 7, rule 2).
//!
//! The row is written in the transaction of the effect, so there is never one without the other, and of
//! two requests at once exactly one has an effect. Only successful answers are kept.
//!
//! A [`Repeatable`] request has a [`RouteKey`] once its key is judged; with its digest it is a [`KeyedRequest`], and in the
//! scope of its caller a [`Claim`], which a row answers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, MatchedPath};
use http::request::Parts;
use http::{HeaderMap, HeaderName, StatusCode};
use kernel::ambient::Ambient;
use kernel::secret::Sealer;
use kernel::time::Timestamp;
use serde_json::Value;
use store::{Record, StoreError, Tx, sql};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

use crate::answer::Answer;
use crate::openapi::optional_text;
use crate::problem::Problem;

static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const LONGEST_KEY: usize = 255;
/// Longer than the promised 24 hours, so that a retry on the last minute still finds it.
const KEPT: Duration = Duration::from_secs(48 * 3600);

/// A client's key: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Reads the header as it is: quotation marks are part of a key. Absent is fine.
    pub fn from_headers(headers: &HeaderMap) -> Result<Option<Self>, Problem> {
        let mut values = headers.get_all(&IDEMPOTENCY_KEY).iter();
        let Some(value) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(Problem::field("Idempotency-Key", "must be sent once"));
        }
        Self::new(value.to_str().unwrap_or_default(), "Idempotency-Key").map(Some)
    }

    /// A key from a body field; `path` is where, for the error.
    pub fn new(text: &str, path: &str) -> Result<Self, Problem> {
        let is_visible = |byte: u8| (0x21..=0x7e).contains(&byte);
        if (1..=LONGEST_KEY).contains(&text.len()) && text.bytes().all(is_visible) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Problem::field(path, "must be 1 to 255 visible ASCII characters"))
        }
    }
}

impl IdempotencyKey {
    /// The key as the client sent it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The method and the path template of an operation, such as `POST /v1/content/classrooms/{classroomId}/modules`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route(Arc<str>);

/// The operation that a request was routed to.
impl<S: Send + Sync> FromRequestParts<S> for Route {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let path = parts.extensions.get::<MatchedPath>().map_or(parts.uri.path(), MatchedPath::as_str);
        Ok(Self(format!("{} {path}", parts.method).into()))
    }
}

/// The client's key of a request that may be repeated, if any, and the operation that it is sent to. The verdict on the key
/// waits until the caller is known.
#[derive(Clone, Debug)]
pub struct Repeatable {
    route: Route,
    key: Result<Option<IdempotencyKey>, Problem>,
}

impl Repeatable {
    /// # Errors
    /// 400 for a key that is none.
    pub fn key(&self) -> Result<RouteKey, Problem> {
        Ok(RouteKey { route: self.route.clone(), key: self.key.clone()? })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Repeatable {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let key = IdempotencyKey::from_headers(&parts.headers);
        Ok(Self { route: Route::from_request_parts(parts, state).await?, key })
    }
}

impl IntoParams for Repeatable {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![optional_text("Idempotency-Key", ParameterIn::Header, "1 to 255 visible ASCII characters")]
    }
}

/// The key of a request that may have one, for its operation.
#[derive(Clone, Debug)]
pub struct RouteKey {
    route: Route,
    key: Option<IdempotencyKey>,
}

impl RouteKey {
    /// The header's key, or the body's where the header has none.
    #[must_use]
    pub fn or(self, body_key: Option<IdempotencyKey>) -> Self {
        Self { key: self.key.or(body_key), ..self }
    }

    /// The request, if it has a key. `request` is what makes it what it is: the variables of its path, and its body. The
    /// digest of a long one is made before the transaction: one thread writes for everybody.
    pub fn of(self, request: impl FnOnce() -> Value) -> Option<KeyedRequest> {
        let Self { route, key } = self;
        key.map(|key| KeyedRequest { route, key, request_hash: kernel::json::canonical_sha256(&request()) })
    }

    /// The claim that a short request makes with its key, for a day in `scope`; `None` without a key.
    pub fn claim(self, scope: String, request: impl FnOnce() -> Value) -> Option<Claim> {
        self.of(request).map(|request| request.claim(scope, Retention::Day))
    }
}

/// A request with a key.
#[derive(Clone, Debug)]
pub struct KeyedRequest {
    route: Route,
    key: IdempotencyKey,
    /// Digest of the canonical request.
    request_hash: String,
}

impl KeyedRequest {
    /// A request that wants to have its effect once in `scope`: the credential's organization or workspace.
    pub fn claim(self, scope: String, retention: Retention) -> Claim {
        Claim { scope, request: self, retention }
    }
}

impl KeyedRequest {
    /// The claim of one part of the request, for a day, where each part has a transaction of its own: a request that was cut
    /// off is carried on when it is repeated. No client's key has the space that joins the two.
    pub fn claim_part(&self, scope: String, part: &str) -> Claim {
        let key = IdempotencyKey(format!("{} {part}", self.key.0));
        Self { key, ..self.clone() }.claim(scope, Retention::Day)
    }
}

/// How long an answer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// At least 24 hours.
    Day,
    /// As long as the thing that was made.
    Forever,
}

/// A request that wants to have its effect once.
#[derive(Clone, Debug)]
pub struct Claim {
    scope: String,
    request: KeyedRequest,
    retention: Retention,
}

impl Claim {
    /// Names the place of the answer, for its seal.
    fn context(&self) -> String {
        format!("{} {} {}", self.scope, self.request.route.0, self.request.key.0)
    }
}

/// The text that is kept for a replay.
#[derive(Clone, Debug)]
pub enum Kept {
    /// The answer's own body.
    Same,
    /// Another body: the answer held something that is not stored anywhere.
    Instead(String),
    /// The answer's own body, encrypted: it holds a secret.
    Sealed,
}

/// Keeps and finds answers.
#[derive(Clone)]
pub struct Idempotency {
    ambient: Ambient,
    sealer: Sealer,
}

impl Idempotency {
    /// `sealer` encrypts answers that hold a secret.
    pub fn new(ambient: Ambient, sealer: Sealer) -> Self {
        Self { ambient, sealer }
    }

    /// Runs `act` unless the claim was answered before; then that answer is the result.
    ///
    /// # Errors
    /// [`Problem::Conflict`] when the key was used for another request; whatever `act` fails with.
    pub fn once(
        &self,
        tx: &mut Tx<'_>,
        claim: Option<&Claim>,
        act: impl FnOnce(&mut Tx<'_>) -> Result<(Answer, Kept), Problem>,
    ) -> Result<Answer, Problem> {
        let Some(claim) = claim else { return act(tx).map(|(answer, _)| answer) };
        if let Some(row) = find(tx, claim)? {
            return self.replay(claim, row);
        }
        let (answer, kept) = act(tx)?;
        self.keep(tx, claim, &answer, kept)?;
        Ok(answer)
    }

    fn replay(&self, claim: &Claim, row: StoredAnswer) -> Result<Answer, Problem> {
        if row.request_hash != claim.request.request_hash {
            return Err(Problem::Conflict("This idempotency key was already used with a different request."));
        }
        let body = if row.is_sealed { self.unseal(claim, &row.body)? } else { row.body };
        let status = StatusCode::from_u16(row.status).map_err(Problem::unexpected)?;
        Ok(Answer { is_replay: true, ..Answer::text(status, body) })
    }

    fn unseal(&self, claim: &Claim, sealed: &str) -> Result<String, Problem> {
        let plain = self.sealer.open(&claim.context(), sealed).map_err(Problem::unexpected)?;
        String::from_utf8(plain.to_vec()).map_err(Problem::unexpected)
    }

    fn keep(&self, tx: &mut Tx<'_>, claim: &Claim, answer: &Answer, kept: Kept) -> Result<(), StoreError> {
        let (body, is_sealed) = match kept {
            Kept::Same => (answer.body.clone(), false),
            Kept::Instead(body) => (body, false),
            Kept::Sealed => (self.sealer.seal(&self.ambient, &claim.context(), answer.body.as_bytes()), true),
        };
        let Claim { scope, request: KeyedRequest { route, key, request_hash }, retention } = claim;
        let now = tx.now();
        let expires_at = (*retention == Retention::Day).then(|| now.plus(KEPT));
        sql!(
            "INSERT INTO idempotency (scope, route, key, request_hash, status, body, is_sealed, created_at, expires_at)
             VALUES ({scope}, {route.0}, {key.0}, {request_hash}, {answer.status.as_u16()}, {body}, {is_sealed}, {now},
                {expires_at})"
        )
        .execute_later(tx)
    }
}

#[derive(Record)]
#[record(table = "idempotency")]
struct StoredAnswer {
    request_hash: String,
    status: u16,
    body: String,
    is_sealed: bool,
    expires_at: Option<Timestamp>,
}

fn find(tx: &mut Tx<'_>, claim: &Claim) -> Result<Option<StoredAnswer>, StoreError> {
    let Claim { scope, request: KeyedRequest { route: Route(route), key: IdempotencyKey(key), .. }, .. } = claim;
    let found =
        sql!("SELECT {StoredAnswer::*} FROM idempotency WHERE scope = {scope} AND route = {route} AND key = {key}")
            .find(tx, StoredAnswer::from_row)?;
    match found {
        Some(StoredAnswer { expires_at: Some(end), .. }) if end <= tx.now() => {
            sql!("DELETE FROM idempotency WHERE scope = {scope} AND route = {route} AND key = {key}").execute(tx)?;
            Ok(None)
        }
        found => Ok(found),
    }
}

/// Forgets answers whose time is over.
pub fn sweep(tx: &mut Tx<'_>) -> Result<u64, StoreError> {
    let now = tx.now();
    tx.execute("DELETE FROM idempotency WHERE expires_at IS NOT NULL AND expires_at <= $1", &[&now])
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use http::HeaderValue;
    use http_body_util::BodyExt as _;
    use kernel::secret::MasterKey;
    use serde_json::json;
    use testkit::{TestStore, both_stores};
    use tower::ServiceExt as _;

    use super::*;

    fn header(value: &str) -> Result<Option<IdempotencyKey>, Problem> {
        let mut headers = HeaderMap::new();
        headers.insert(&IDEMPOTENCY_KEY, HeaderValue::from_str(value).unwrap());
        IdempotencyKey::from_headers(&headers)
    }

    #[tokio::test]
    async fn a_key_is_for_the_method_and_the_path_template_of_the_request() {
        let judge = async |repeatable: Repeatable| {
            let key = repeatable.key().map_err(|problem| problem.to_string())?;
            let claim =
                key.claim("a".to_owned(), || json!({ "id": 7 })).map(|claim| (claim.request.route.0, claim.retention));
            Ok::<_, String>(format!("{claim:?}"))
        };
        let router =
            axum::Router::new().merge(axum::Router::new().route("/things/{id}/test", axum::routing::post(judge)));
        let answered = async |key: Option<&str>| {
            let request = http::Request::post("/things/7/test?a=b");
            let request = if let Some(key) = key { request.header(&IDEMPOTENCY_KEY, key) } else { request };
            let answer = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
            String::from_utf8(answer.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
        };
        let claim = Some(("POST /things/{id}/test", Retention::Day));
        assert_eq!(answered(Some("k")).await, format!("{claim:?}"));
        assert_eq!(answered(None).await, "None");
        assert!(answered(Some("a b")).await.contains("invalid"));
    }

    #[test]
    fn keys_are_1_to_255_visible_ascii_characters() {
        let key = |text: &str| Some(IdempotencyKey(text.to_owned()));
        assert_eq!(header("a-1").unwrap(), key("a-1"));
        assert_eq!(header("\"a-1\"").unwrap(), key("\"a-1\""));
        assert_eq!(header(&"x".repeat(255)).unwrap(), key(&"x".repeat(255)));
        assert_eq!(IdempotencyKey::from_headers(&HeaderMap::new()).unwrap(), None);
        for wrong in ["", "a b", &"x".repeat(256)] {
            assert!(header(wrong).is_err(), "{wrong:?}");
        }
        assert!(IdempotencyKey::new("ä", "idempotencyKey").is_err());
        let mut twice = HeaderMap::new();
        twice.append(&IDEMPOTENCY_KEY, HeaderValue::from_static("a"));
        twice.append(&IDEMPOTENCY_KEY, HeaderValue::from_static("b"));
        assert!(IdempotencyKey::from_headers(&twice).is_err());
    }

    fn claim(key: &str, request: Value, retention: Retention) -> Claim {
        let key = Some(IdempotencyKey::new(key, "").unwrap());
        let key = RouteKey { route: Route("POST /things".into()), key };
        key.of(|| request).unwrap().claim("org".into(), retention)
    }

    async fn run(test: &TestStore, claim: Claim, body: &'static str, kept: Kept) -> Result<Answer, Problem> {
        let idempotency =
            Idempotency::new(test.ambient.clone(), MasterKey::from_hex(&"11".repeat(32)).unwrap().sealer("x"));
        let act = move |tx: &mut Tx<'_>| {
            idempotency.once(tx, Some(&claim), |_| Ok((Answer::text(StatusCode::CREATED, body.into()), kept.clone())))
        };
        test.store.write("test", act).await
    }

    #[both_stores]
    async fn a_repeated_request_gets_the_first_answer(test: TestStore) {
        let first = run(&test, claim("k", json!({"a": 1, "b": 2}), Retention::Day), "first", Kept::Same).await.unwrap();
        let again =
            run(&test, claim("k", json!({"b": 2, "a": 1}), Retention::Day), "second", Kept::Same).await.unwrap();
        assert!(!first.is_replay);
        assert_eq!((again.status, again.body.as_str(), again.is_replay), (StatusCode::CREATED, "first", true));
    }

    #[both_stores]
    async fn another_request_with_the_same_key_is_a_conflict(test: TestStore) {
        run(&test, claim("k", json!(1), Retention::Day), "first", Kept::Same).await.unwrap();
        let other = run(&test, claim("k", json!(2), Retention::Day), "second", Kept::Same).await;
        assert!(matches!(other, Err(Problem::Conflict(_))));
        run(&test, claim("k2", json!(2), Retention::Day), "second", Kept::Same).await.unwrap();
    }

    #[both_stores]
    async fn an_answer_with_a_secret_is_kept_sealed_or_replaced(test: TestStore) {
        run(&test, claim("s", json!(1), Retention::Day), "whsec_1", Kept::Sealed).await.unwrap();
        run(&test, claim("r", json!(1), Retention::Day), "raw", Kept::Instead("null".into())).await.unwrap();
        let rows = test
            .store
            .read("rows", |tx| tx.query("SELECT body FROM idempotency", &[], |row| row.get::<String>(0)))
            .await
            .unwrap();
        assert!(rows.iter().all(|body| !body.contains("whsec_1") && body != "raw"));
        let sealed = run(&test, claim("s", json!(1), Retention::Day), "other", Kept::Sealed).await.unwrap();
        assert_eq!(sealed.body, "whsec_1");
        let replaced = run(&test, claim("r", json!(1), Retention::Day), "other", Kept::Same).await.unwrap();
        assert_eq!(replaced.body, "null");
    }

    #[both_stores]
    async fn answers_expire_unless_they_are_kept_for_good(test: TestStore) {
        run(&test, claim("day", json!(1), Retention::Day), "first", Kept::Same).await.unwrap();
        run(&test, claim("good", json!(1), Retention::Forever), "first", Kept::Same).await.unwrap();
        test.clock.advance(Duration::from_secs(24 * 3600));
        assert!(run(&test, claim("day", json!(1), Retention::Day), "second", Kept::Same).await.unwrap().is_replay);
        test.clock.advance(Duration::from_secs(24 * 3600));
        assert!(!run(&test, claim("day", json!(1), Retention::Day), "second", Kept::Same).await.unwrap().is_replay);
        assert!(run(&test, claim("good", json!(1), Retention::Forever), "second", Kept::Same).await.unwrap().is_replay);
        test.clock.advance(KEPT);
        assert_eq!(test.store.write("sweep", sweep).await.unwrap(), 1);
    }

    #[both_stores]
    async fn of_two_requests_at_once_exactly_one_has_an_effect(test: TestStore) {
        let answers = futures_util::future::join_all(
            (0..16).map(|_| run(&test, claim("k", json!(1), Retention::Day), "made", Kept::Same)),
        )
        .await;
        let made = answers.iter().filter(|answer| !answer.as_ref().unwrap().is_replay).count();
        assert_eq!(made, 1);
    }
}
