//! A small learning platform in the demo: one course, a teacher, three students and a gradebook.
//!
//! It stands where a school's Moodle or Canvas stands: at another site than the service, which it knows as an LTI 1.3 tool. Its
//! visitors say who they are; there are no passwords. It keeps everything in memory, ends with the demo, and acts on nothing
//! that the tool sends before it has checked it. It must never listen on anything but a loopback address.
//!
//! Where to read next: [`Lms`]; then, in the order of a launch, `pages.rs`, `authorization.rs` and `messages.rs`; `deep_links.rs`
//! takes the links that a teacher picked, `access.rs` gives access tokens, `gradebook.rs` takes scores and `roster.rs` lists
//! members. `tool.rs` verifies what the tool signed.

mod access;
mod assets;
mod authorization;
mod deep_links;
mod form;
mod gradebook;
mod hints;
mod messages;
mod pages;
mod roster;
mod school;
#[cfg(test)]
mod tests;
mod tool;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::get;
use axum::{Json, Router};
use kernel::ambient::Ambient;
use lti::ToolKey;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

use self::access::AccessTokens;
use self::hints::Hints;
use self::school::School;
pub(super) use self::school::{ANN, BEN, Grade, Person, TEACHER};
use self::tool::Tool;

/// What it calls itself.
pub(super) const NAME: &str = "Riverside LMS (demo)";
/// The name of the course.
pub(super) const COURSE: &str = "Biology 7b";
/// How it knows the service.
const CLIENT_ID: &str = "lectern";
/// The place that the service is deployed in.
const DEPLOYMENT: &str = "riverside-1";
/// The longest form or JSON text that it reads.
const LONGEST_BODY: usize = 256 * 1024;

/// A running platform.
pub(super) struct Lms(Arc<Shared>);

/// What its pages and services share.
struct Shared {
    /// The origin, which is also the issuer of its tokens.
    url: String,
    ambient: Ambient,
    /// Signs what the platform says.
    key: ToolKey,
    hints: Hints,
    tool: Tool,
    tokens: AccessTokens,
    school: Mutex<School>,
    /// Changes with each score.
    scores: watch::Sender<u64>,
}

impl Lms {
    /// Listens on a free loopback port until the program ends. `service` is where the tool is.
    pub(super) async fn start(ambient: Ambient, service: SocketAddr) -> anyhow::Result<Self> {
        let key = tokio::task::spawn_blocking(|| ToolKey::from_pkcs8(&ToolKey::generate())).await??;
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await;
        let listener = listener.context("the LMS can't listen")?;
        // Browsers take the name for another site than the service's address, as an LMS is in reality.
        let url = format!("http://localhost:{}", listener.local_addr()?.port());
        let lms = Self::new(ambient, url, key, Tool::new(service));
        let router = lms.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(lms)
    }

    fn new(ambient: Ambient, url: String, key: ToolKey, tool: Tool) -> Self {
        let hints = Hints::new(ambient.clone());
        let school = Mutex::new(School::new(&url));
        let (tokens, scores) = (AccessTokens::default(), watch::Sender::new(0));
        Self(Arc::new(Shared { url, ambient, key, hints, tool, tokens, school, scores }))
    }

    fn router(&self) -> Router {
        Router::new()
            .merge(pages::routes())
            .merge(assets::routes())
            .merge(authorization::routes())
            .merge(deep_links::routes())
            .merge(access::routes())
            .merge(gradebook::routes())
            .merge(roster::routes())
            .route("/jwks", get(key_set))
            .layer(DefaultBodyLimit::max(LONGEST_BODY))
            .with_state(self.0.clone())
    }

    /// What the service has to know about it.
    pub(super) fn registration(&self) -> Value {
        let url = &self.0.url;
        json!({
            "name": NAME,
            "issuer": url,
            "clientId": CLIENT_ID,
            "authorizationEndpoint": format!("{url}/auth"),
            "tokenEndpoint": self.0.token_endpoint(),
            "jwksEndpoint": format!("{url}/jwks"),
            "metadata": { "deploymentIds": [DEPLOYMENT] },
        })
    }

    /// Where a person chooses who to be.
    pub(super) fn url(&self) -> &str {
        &self.0.url
    }

    /// The page of the course, as a person sees it.
    pub(super) fn course_page(&self, person: &Person) -> String {
        format!("{}/as/{}/course", self.0.url, person.id)
    }

    /// Where a person opens a link in a window of its own.
    pub(super) fn launch_page(&self, person: &Person, link: &str) -> String {
        format!("{}/as/{}/links/{link}/launch", self.0.url, person.id)
    }

    /// Where a teacher picks content of the tool in a window of its own.
    pub(super) fn picking_page(&self, teacher: &Person) -> String {
        format!("{}/as/{}/add/launch", self.0.url, teacher.id)
    }

    /// The id of the link with a title, and the points of its column where it has one.
    pub(super) fn find_link(&self, title: &str) -> Option<(String, Option<f64>)> {
        let school = self.0.school();
        let link = school.links().iter().find(|link| link.title == title)?;
        let points = school.columns_of(&link.id).next().map(|column| column.item.score_maximum);
        Some((link.id.clone(), points))
    }

    /// The gradebook, as a person sees it.
    pub(super) fn gradebook_page(&self, person: &Person) -> String {
        format!("{}/as/{}/gradebook", self.0.url, person.id)
    }

    /// The score that a student has for a link, as soon as it is there.
    pub(super) async fn grade(&self, student: &Person, link: &str, patience: Duration) -> anyhow::Result<Grade> {
        let mut scores = self.0.scores.subscribe();
        let arrived = async {
            loop {
                scores.borrow_and_update();
                if let Some(grade) = self.0.school().grade_of(student, link) {
                    return anyhow::Ok(grade.clone());
                }
                scores.changed().await?;
            }
        };
        tokio::time::timeout(patience, arrived).await.context("no score arrived in the gradebook in time")?
    }
}

impl Shared {
    fn school(&self) -> MutexGuard<'_, School> {
        self.school.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn token_endpoint(&self) -> String {
        format!("{}/token", self.url)
    }

    fn memberships(&self) -> String {
        format!("{}/memberships", self.url)
    }
}

/// The public key, as a set (RFC 7517).
async fn key_set(State(lms): State<Arc<Shared>>) -> Json<Value> {
    Json(json!({ "keys": [lms.key.public()] }))
}
