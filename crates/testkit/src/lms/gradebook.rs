//! The platform's gradebook: it gives access tokens, keeps columns, and takes scores as the specification wants it, unless a test
//! wants it to fail.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::header::AUTHORIZATION;
use kernel::time::Timestamp;
use serde_json::{Value, json};
use tokio::sync::watch;
use url::form_urlencoded;

use super::{Lms, Shown};

/// Where a score waits until it is let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The platform has not taken it.
    BeforeItIsTaken,
    /// The platform has taken it, and has not said so.
    BeforeTheAnswer,
}

/// The next answer to a score.
#[derive(Clone, Copy, Debug)]
enum ScoreAnswer {
    /// This status; the score is not taken.
    Refused(StatusCode),
    /// The page of a login, with 200; the score is not taken.
    Page,
    /// This status; the score is taken.
    Taken(StatusCode),
}

/// What the platform has, and how it is to behave.
#[derive(Default)]
pub(super) struct Gradebook {
    book: Mutex<Book>,
    held: watch::Sender<Option<Held>>,
}

#[derive(Default)]
struct Book {
    /// The scopes of each token that was given.
    tokens: Vec<String>,
    /// How many of them were taken back.
    revoked: usize,
    granted: Option<String>,
    columns: Vec<Value>,
    /// By column and learner.
    scores: HashMap<(String, String), Value>,
    taken: Vec<Value>,
    posts: usize,
    token_answers: VecDeque<StatusCode>,
    score_answers: VecDeque<ScoreAnswer>,
    /// The answer to a score that is not later than the one before; 409 unless a test changes it.
    late_answer: Option<StatusCode>,
}

impl Gradebook {
    async fn pass(&self, place: Held) {
        let _ = self.held.subscribe().wait_for(|held| *held != Some(place)).await;
    }

    /// The scopes of the token that a request shows; `None` without one that holds.
    pub(super) fn scopes_of(&self, headers: &HeaderMap) -> Option<String> {
        self.book().scopes_of(headers).map(str::to_owned)
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lms {
    /// How many access tokens it gave.
    pub fn given_tokens(&self) -> usize {
        self.shown.gradebook.book().tokens.len()
    }

    /// Takes back the tokens that it gave.
    pub fn revoke_tokens(&self) {
        let mut book = self.shown.gradebook.book();
        book.revoked = book.tokens.len();
    }

    /// Grants these scopes from now on, whatever is asked for.
    pub fn grant(&self, scopes: &str) {
        self.shown.gradebook.book().granted = Some(scopes.to_owned());
    }

    /// Answers the next requests for a token so, before it answers well again.
    pub fn answer_token_requests(&self, statuses: &[StatusCode]) {
        self.shown.gradebook.book().token_answers.extend(statuses);
    }

    /// Answers the next scores so, before it answers well again.
    pub fn answer_scores(&self, statuses: &[StatusCode]) {
        self.shown.gradebook.book().score_answers.extend(statuses.iter().copied().map(ScoreAnswer::Refused));
    }

    /// Takes the next score and answers with this status all the same.
    pub fn take_and_answer(&self, status: StatusCode) {
        self.shown.gradebook.book().score_answers.push_back(ScoreAnswer::Taken(status));
    }

    /// Answers the next score with a page, as a proxy does that wants somebody to log in.
    pub fn answer_a_score_with_a_page(&self) {
        self.shown.gradebook.book().score_answers.push_back(ScoreAnswer::Page);
    }

    /// Answers so to scores that are not later than the one that it has.
    pub fn refuse_late_scores_with(&self, status: StatusCode) {
        self.shown.gradebook.book().late_answer = Some(status);
    }

    /// A teacher grades a learner in column 1, of 10 points, at this time.
    pub fn enter_grade(&self, learner: &str, points: f64, at: Timestamp) {
        let grade = json!({ "userId": learner, "scoreGiven": points, "scoreMaximum": 10, "timestamp": at });
        self.shown.gradebook.book().scores.insert(("1".to_owned(), learner.to_owned()), grade);
    }

    /// Holds all scores at a place, or lets them go.
    pub fn hold_scores(&self, held: Option<Held>) {
        self.shown.gradebook.held.send_replace(held);
    }

    /// The columns that tools made.
    pub fn columns(&self) -> Vec<Value> {
        self.shown.gradebook.book().columns.clone()
    }

    /// Loses the columns that tools made.
    pub fn lose_columns(&self) {
        self.shown.gradebook.book().columns.clear();
    }

    /// The scores that it took, in their order, each with its `column`.
    pub fn scores(&self) -> Vec<Value> {
        self.shown.gradebook.book().taken.clone()
    }

    /// How often a score was posted.
    pub fn score_posts(&self) -> usize {
        self.shown.gradebook.book().posts
    }
}

pub(super) fn routes() -> Router<Arc<Shown>> {
    Router::new()
        .route("/token", post(give_token))
        .route("/lineitems", get(list_columns).post(make_column))
        .route("/lineitems/{id}/scores", post(take_score))
        .route("/lineitems/{id}/results", get(list_results))
}

async fn give_token(State(shown): State<Arc<Shown>>, form: String) -> Response {
    let form: HashMap<_, _> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    let mut book = shown.gradebook.book();
    if let Some(status) = book.token_answers.pop_front() {
        return (status, "no token now").into_response();
    }
    if form["grant_type"] != "client_credentials" || form["client_assertion"].split('.').count() != 3 {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_client" }))).into_response();
    }
    let scope = book.granted.clone().unwrap_or_else(|| form["scope"].clone());
    book.tokens.push(scope.clone());
    let token = format!("token-{}", book.tokens.len());
    Json(json!({ "access_token": token, "token_type": "bearer", "expires_in": 3600, "scope": scope })).into_response()
}

impl Book {
    fn admits(&self, headers: &HeaderMap) -> bool {
        self.scopes_of(headers).is_some()
    }

    /// The scopes of the token that a request shows; `None` without one that holds.
    fn scopes_of(&self, headers: &HeaderMap) -> Option<&str> {
        let token = headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer token-")?;
        let number: usize = token.parse().ok().filter(|number| *number > self.revoked)?;
        self.tokens.get(number - 1).map(String::as_str)
    }
}

/// It ignores the filter, as some platforms do.
async fn list_columns(State(shown): State<Arc<Shown>>, headers: HeaderMap, Query(_): Query<Value>) -> Response {
    let book = shown.gradebook.book();
    if !book.admits(&headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    Json(&book.columns).into_response()
}

async fn make_column(State(shown): State<Arc<Shown>>, headers: HeaderMap, Json(mut column): Json<Value>) -> Response {
    let mut book = shown.gradebook.book();
    if !book.admits(&headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    column["id"] = json!(format!("{}/lineitems/made-{}", shown.url, book.columns.len() + 1));
    book.columns.push(column.clone());
    (StatusCode::CREATED, Json(column)).into_response()
}

async fn take_score(
    State(shown): State<Arc<Shown>>,
    Path(column): Path<String>,
    headers: HeaderMap,
    Json(score): Json<Value>,
) -> Response {
    shown.gradebook.book().posts += 1;
    shown.gradebook.pass(Held::BeforeItIsTaken).await;
    let answer = shown.gradebook.book().score_answers.pop_front();
    let answer = match answer {
        Some(ScoreAnswer::Refused(status)) => status.into_response(),
        Some(ScoreAnswer::Page) => Html("\n<!DOCTYPE html><title>Log in</title>").into_response(),
        Some(ScoreAnswer::Taken(status)) => {
            judge_score(&shown, column, &headers, score);
            status.into_response()
        }
        None => judge_score(&shown, column, &headers, score).into_response(),
    };
    shown.gradebook.pass(Held::BeforeTheAnswer).await;
    answer
}

/// The points of all learners: it ignores the filter, as some platforms do.
async fn list_results(State(shown): State<Arc<Shown>>, Path(column): Path<String>, headers: HeaderMap) -> Response {
    let book = shown.gradebook.book();
    let is_allowed = book.scopes_of(&headers).is_some_and(|scopes| scopes.contains(lti::ags::SCOPE_RESULT_READONLY));
    if !is_allowed {
        return StatusCode::FORBIDDEN.into_response();
    }
    let of_column = book.scores.iter().filter(|((of, _), _)| *of == column);
    let results: Vec<_> = of_column
        .map(|((_, learner), score)| {
            json!({ "userId": learner, "resultScore": score["scoreGiven"], "resultMaximum": score["scoreMaximum"] })
        })
        .collect();
    Json(results).into_response()
}

fn judge_score(shown: &Shown, column: String, headers: &HeaderMap, mut score: Value) -> StatusCode {
    let mut book = shown.gradebook.book();
    if !book.admits(headers) {
        return StatusCode::UNAUTHORIZED;
    }
    let made = |one: &Value| one["id"].as_str().is_some_and(|id| id.ends_with(&format!("/{column}")));
    if column != "1" && !book.columns.iter().any(made) {
        return StatusCode::NOT_FOUND;
    }
    let place = (column.clone(), score["userId"].as_str().unwrap().to_owned());
    let time = |score: &Value| Timestamp::parse_rfc3339(score["timestamp"].as_str().unwrap()).unwrap();
    // Platforms that count whole seconds see no difference within one.
    if book.scores.get(&place).is_some_and(|last| time(&score).as_seconds() <= time(last).as_seconds()) {
        return book.late_answer.unwrap_or(StatusCode::CONFLICT);
    }
    book.scores.insert(place, score.clone());
    score["column"] = json!(column);
    book.taken.push(score);
    StatusCode::OK
}
