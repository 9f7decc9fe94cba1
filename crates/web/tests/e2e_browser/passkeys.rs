//! A passkey in a real browser: its authenticator is virtual, everything else is what a page of the service would do.

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
use identity::Identity;
use kernel::secret::MasterKey;
use serde_json::{Value, json};
use testkit::{Engine, TestStore};
use testkit_browser::*;
use url::Url;

const EMAIL: &str = "admin@example.com";
const PASSWORD: &str = "correct horse";

/// Has the page call the service, with the cookies that the browser keeps.
const CALL: &str = "const [method, path, body, done] = arguments;
    const init = { method, headers: { 'content-type': 'application/json' } };
    if (body !== null) init.body = JSON.stringify(body);
    fetch(path, init).then(async (reply) => {
        const text = await reply.text();
        done({ status: reply.status, body: text === '' ? null : JSON.parse(text) });
    }, (fault) => done({ status: 0, body: String(fault) }));";
/// Has the browser make a passkey as the service's options ask.
const REGISTER: &str = "const [options, done] = arguments;
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        .then((made) => done(made.toJSON()), (fault) => done(String(fault)));";
/// Has the browser answer a challenge with a passkey that it finds itself.
const ANSWER: &str = "const [options, done] = arguments;
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
        .then((found) => done(found.toJSON()), (fault) => done(String(fault)));";

/// A page of the service, in a browser with an authenticator.
struct Page<'d>(&'d WebDriver);

impl Page<'_> {
    async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.0.execute_async(script, arguments).await.unwrap().json().clone()
    }

    /// The body of an answer that has this status.
    async fn call(&self, status: u16, method: &str, path: &str, body: Value) -> Value {
        let mut reply = self.run(CALL, vec![json!(method), json!(path), body]).await;
        assert_eq!(reply["status"], status, "{method} {path}: {reply}");
        reply["body"].take()
    }

    /// Adds an authenticator that lives in the device and knows its owner.
    async fn plug_in(&self) {
        let options = json!({
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
            "isUserVerified": true,
        });
        self.0.cdp().send_raw("WebAuthn.enable", json!({})).await.unwrap();
        self.0.cdp().send_raw("WebAuthn.addVirtualAuthenticator", json!({ "options": options })).await.unwrap();
    }

    async fn sign_in_with_passkey(&self, status: u16) -> Value {
        let challenge = self.call(200, "POST", "/auth/passkeys/challenge", Value::Null).await;
        let credential = self.run(ANSWER, vec![challenge["publicKey"].clone()]).await;
        let body = json!({ "ceremony": challenge["ceremony"], "credential": credential, "timezone": "UTC" });
        self.call(status, "POST", "/auth/passkeys/login", body).await
    }
}

/// The routes of sign-in at an address that has a name, and an admin.
async fn router(test: &TestStore, base_url: &Url) -> Router {
    let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
    let (origin, rules) = (OwnOrigin::of(base_url), KeyRules { requires_verified_email: true });
    let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, Sharing::ManyProcesses, rules);
    let identity = Identity::new(door.clone(), &master, base_url, &[]).unwrap();
    let (ambient, password_hash) = (test.ambient.clone(), passwords::hash(&PASSWORD.into()).unwrap());
    let new = NewAdmin { email: EMAIL.to_owned(), password_hash, is_operator: false };
    test.store.write("test", move |tx| admins::create(tx, &ambient, &new)).await.unwrap();
    let sign_in = Router::new()
        .route("/auth/login", post(login::login))
        .route("/auth/logout", post(logout::logout))
        .with_state(door.clone());
    identity::api::router(identity).merge(sign_in).fallback(unknown_route).layer(Tracking::new(door))
}

#[test]
fn a_browsers_passkey_is_added_and_signs_in_without_a_password() {
    testkit::run(Engine::Sqlite, |test| async move {
        let listener = edge::server::listen(([127, 0, 0, 1], 0).into()).unwrap();
        let base = format!("http://localhost:{}", listener.local_addr().unwrap().port());
        let router = router(&test, &base.parse().unwrap()).await;
        let serving = tokio::spawn(edge::server::serve(listener, router, std::future::pending()));
        let outcome = open_driver().await.run_and_quit(async |driver| {
            // There is no page for it yet: any answer of the service is of its origin, but the policy of these answers forbids requests.
            driver.cdp().send_raw("Page.setBypassCSP", json!({ "enabled": true })).await?;
            driver.goto(&base).await?;
            let page = Page(&driver);
            page.plug_in().await;
            let signed_in = json!({ "email": EMAIL, "password": PASSWORD, "timezone": "UTC" });
            page.call(200, "POST", "/auth/login", signed_in).await;
            let challenge = page.call(200, "POST", "/auth/passkeys/enroll", json!({ "password": PASSWORD })).await;
            let credential = page.run(REGISTER, vec![challenge["publicKey"].clone()]).await;
            let body = json!({ "ceremony": challenge["ceremony"], "name": "Laptop", "credential": credential });
            let added = page.call(201, "POST", "/auth/passkeys", body).await;
            page.call(204, "POST", "/auth/logout", Value::Null).await;
            page.call(401, "GET", "/auth/sessions", Value::Null).await;

            assert_eq!(page.sign_in_with_passkey(200).await["user"]["email"], EMAIL);
            let sessions = page.call(200, "GET", "/auth/sessions", Value::Null).await;
            assert_eq!(sessions[0]["method"], "passkey");
            // The counter of the authenticator has moved on.
            page.sign_in_with_passkey(200).await;

            let again = page.call(200, "POST", "/auth/passkeys/enroll", json!({ "password": PASSWORD })).await;
            let refused = page.run(REGISTER, vec![again["publicKey"].clone()]).await;
            assert!(refused.as_str().is_some_and(|fault| fault.contains("InvalidStateError")), "{refused}");
            let path = format!("/auth/passkeys/{}", added["id"].as_str().unwrap());
            page.call(204, "DELETE", &path, json!({ "password": PASSWORD })).await;
            page.sign_in_with_passkey(401).await;
            Ok::<_, WebDriverError>(())
        });
        outcome.await.unwrap();
        serving.abort();
    });
}
