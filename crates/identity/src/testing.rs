//! The surface in a test: its routes and those of sign-in on a store of their own, in process, with the clock, the mails and the
//! workers in the test's hands.

use std::sync::LazyLock;

use axum::Router;
use axum::routing::post;
use edge::admins::{self, NewAdmin};
use edge::context::Tracking;
use edge::door::Door;
use edge::keys::KeyRules;
use edge::origin::OwnOrigin;
use edge::passwords;
use edge::problem::unknown_route;
use edge::rate::Sharing;
use edge::sessions::{login, logout};
use http::Method;
use kernel::id::{OrganizationId, UserId};
use kernel::secret::MasterKey;
use mail::templates::Templates;
use mail::{MailOptions, Mailer, Way};
use serde_json::{Value, json};
use store::jobs::{Worker, WorkerOptions};
use store::{StoreError, Tx};
use testkit::TestStore;
use testkit::http::{Call, Contract, Reply};
use totp_rs::{Builder, Secret};
use url::Url;

use crate::first_run::Installer;
use crate::oidc::ProviderSettings;
use crate::{Identity, jobs};

pub(crate) const EMAIL: &str = "admin@example.com";
pub(crate) const PASSWORD: &str = "correct horse";
const PAGE: &str = "https://lectern.example/console";

/// [`PASSWORD`] hashed: once for all tests.
static HASH: LazyLock<String> = LazyLock::new(|| passwords::hash(&PASSWORD.into()).unwrap());

/// What the surface promises of every answer.
pub(crate) static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| Contract { document: serde_json::to_value(crate::api::openapi()).unwrap(), assert_envelope });

/// A refusal is JSON, or a page where the document lists one.
fn assert_envelope(reply: &Reply, about: &str) {
    if reply.header("content-type").starts_with("text/html") {
        return;
    }
    assert_eq!(reply.json()["statusCode"], reply.status.as_u16(), "{about}");
    assert!(reply.header("content-type").starts_with("application/json"), "{about}");
}

pub(crate) struct App {
    pub(crate) test: TestStore,
    pub(crate) identity: Identity,
    mails: tempfile::TempDir,
    router: Router,
}

impl App {
    pub(crate) fn new(test: TestStore) -> Self {
        Self::with(test, &[], false)
    }

    /// An installation that may be set up.
    pub(crate) fn empty(test: TestStore, installer: impl Installer + 'static) -> Self {
        Self::making(test, &[], false, |identity| identity.installing(installer))
    }

    pub(crate) fn with(test: TestStore, providers: &[ProviderSettings], operators_need_a_factor: bool) -> Self {
        Self::making(test, providers, operators_need_a_factor, |identity| identity)
    }

    fn making(
        test: TestStore,
        providers: &[ProviderSettings],
        operators_need_a_factor: bool,
        complete: impl FnOnce(Identity) -> Identity,
    ) -> Self {
        let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
        let base_url = Url::parse("https://lectern.example").unwrap();
        let (origin, rules) = (OwnOrigin::of(&base_url), KeyRules { requires_verified_email: true });
        let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, Sharing::ManyProcesses, rules)
            .requiring_operator_second_factor(operators_need_a_factor);
        let identity = complete(Identity::new(door.clone(), &master, &base_url, providers).unwrap());
        let sign_in = Router::new()
            .route("/auth/login", post(login::login))
            .route("/auth/logout", post(logout::logout))
            .with_state(door.clone());
        let router =
            crate::api::router(identity.clone()).merge(sign_in).fallback(unknown_route).layer(Tracking::new(door));
        Self { test, identity, mails: tempfile::tempdir().unwrap(), router }
    }

    pub(crate) fn get(&self, path: &str) -> Call<'_> {
        Call::new(&self.router, &CONTRACT, Method::GET, path)
    }

    /// From one of the service's own pages.
    pub(crate) fn post(&self, path: &str) -> Call<'_> {
        Call::new(&self.router, &CONTRACT, Method::POST, path).header("referer", PAGE)
    }

    /// From nowhere.
    pub(crate) fn post_bare(&self, path: &str) -> Call<'_> {
        Call::new(&self.router, &CONTRACT, Method::POST, path)
    }

    pub(crate) fn patch(&self, path: &str) -> Call<'_> {
        Call::new(&self.router, &CONTRACT, Method::PATCH, path)
    }

    pub(crate) fn delete(&self, path: &str) -> Call<'_> {
        Call::new(&self.router, &CONTRACT, Method::DELETE, path)
    }

    pub(crate) async fn write<T: Send + 'static>(
        &self,
        act: impl Fn(&mut Tx<'_>) -> Result<T, StoreError> + Send + Sync + 'static,
    ) -> T {
        self.test.store.write("test", act).await.unwrap()
    }

    /// The one number that a statement without parameters gives.
    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        self.write(move |tx| tx.find(sql, &[], |row| row.get(0))).await.unwrap_or(0)
    }

    /// The operations of the audit log, oldest first.
    pub(crate) async fn audited(&self) -> Vec<String> {
        let list = |tx: &mut Tx<'_>| {
            tx.query("SELECT operation FROM audit_entry ORDER BY created_at, id", &[], |row| row.get(0))
        };
        self.write(list).await
    }

    pub(crate) async fn admin(&self, email: &str) -> UserId {
        self.make(email, false).await
    }

    pub(crate) async fn operator(&self, email: &str) -> UserId {
        self.make(email, true).await
    }

    async fn make(&self, email: &str, is_operator: bool) -> UserId {
        let (ambient, email) = (self.test.ambient.clone(), email.to_owned());
        self.write(move |tx| {
            let new = NewAdmin { email: email.clone(), password_hash: HASH.clone(), is_operator };
            admins::create(tx, &ambient, &new)
        })
        .await
    }

    pub(crate) async fn organization(&self, slug: &'static str) -> OrganizationId {
        let id: OrganizationId = self.test.ambient.id();
        self.write(move |tx| {
            let now = tx.now();
            tx.execute(
                "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, $2, $2, $3, $3)",
                &[&id, &slug, &now],
            )
        })
        .await;
        id
    }

    pub(crate) async fn sign_in_with(&self, email: &str, password: &str, more: Value) -> Reply {
        let mut body = json!({ "email": email, "password": password, "timezone": "UTC" });
        more.as_object().unwrap().iter().for_each(|(name, value)| body[name] = value.clone());
        self.post("/auth/login").json(&body).send().await
    }

    /// The cookie of a new session.
    pub(crate) async fn sign_in(&self, email: &str) -> String {
        let reply = self.sign_in_with(email, PASSWORD, json!({})).await;
        reply.expect(200);
        cookie_of(&reply)
    }

    /// What an authenticator app shows now.
    pub(crate) fn totp_code(&self, secret: &str) -> String {
        let secret = Secret::try_from_base32(secret).unwrap();
        let now = u64::try_from(self.test.ambient.now().as_seconds()).unwrap();
        Builder::new().with_secret(secret.as_ref()).build().unwrap().generate(now).to_string()
    }

    /// Runs the jobs that are due; how many there were.
    pub(crate) async fn run_jobs(&self) -> usize {
        let from = "Lectern <lectern@lectern.example>".parse().unwrap();
        let options =
            MailOptions { from, way: Way::Folder(self.mails.path().to_owned()), templates: Templates::default() };
        self.run_jobs_with(options).await
    }

    pub(crate) async fn run_jobs_with(&self, options: MailOptions) -> usize {
        let TestStore { store, ambient, .. } = &self.test;
        let mailer = Mailer::open(options, ambient.clone()).unwrap();
        let handlers = jobs::handlers(&self.identity, mailer);
        let worker = Worker::new(store.clone(), ambient.clone(), handlers, WorkerOptions::default());
        worker.run_queued().await.unwrap()
    }

    /// The mails that were sent, in no order.
    pub(crate) fn mails(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.mails.path()).unwrap();
        files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
    }

    /// The tokens of the links in the mails to an address.
    pub(crate) fn tokens_for(&self, address: &str) -> Vec<String> {
        let mails = self.mails().into_iter().filter(|mail| mail.contains(&format!("To: {address}\r\n")));
        let token = |mail: String| {
            let line = mail.lines().find(|line| line.starts_with("https://lectern.example/")).unwrap().to_owned();
            line.split_once("?token=").unwrap().1.to_owned()
        };
        mails.map(token).collect()
    }
}

/// What a browser would send back of a session.
pub(crate) fn cookie_of(reply: &Reply) -> String {
    let cookies = reply.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let session = cookies.into_iter().find(|cookie| cookie.starts_with("jwt=")).unwrap();
    session.split(';').next().unwrap().to_owned()
}
