use std::time::Duration;

use serde_json::{Value, json};
use testkit::http::Reply;
use testkit::passkey::Authenticator;
use testkit::{TestStore, both_stores};

use crate::testing::{App, EMAIL, PASSWORD, cookie_of};

const ORIGIN: &str = "https://lectern.example";
const PASSKEYS: &str = "/auth/passkeys";

/// A challenge for a new passkey.
async fn enroll(app: &App, cookie: &str) -> Value {
    let body = json!({ "password": PASSWORD });
    app.post("/auth/passkeys/enroll").cookie(cookie).json(&body).send().await.expect(200)
}

async fn confirm(app: &App, cookie: &str, challenge: &Value, credential: &Value) -> Reply {
    let body = json!({ "ceremony": challenge["ceremony"], "name": "Phone", "credential": credential });
    app.post(PASSKEYS).cookie(cookie).json(&body).send().await
}

/// Adds a passkey; what the service says of it.
async fn add(app: &App, cookie: &str) -> (Authenticator, Value) {
    let mut authenticator = Authenticator::at(ORIGIN);
    let challenge = enroll(app, cookie).await;
    let credential = authenticator.register(&challenge["publicKey"]);
    let added = confirm(app, cookie, &challenge, &credential).await.expect(201);
    (authenticator, added)
}

/// An admin with a passkey, the session that added it, and what the service said.
async fn with_passkey(test: TestStore) -> (App, String, Authenticator, Value) {
    let app = App::new(test);
    app.admin(EMAIL).await;
    let cookie = app.sign_in(EMAIL).await;
    let (authenticator, added) = add(&app, &cookie).await;
    (app, cookie, authenticator, added)
}

async fn challenge(app: &App) -> Value {
    app.post("/auth/passkeys/challenge").send().await.expect(200)
}

async fn answer(app: &App, challenge: &Value, credential: &Value) -> Reply {
    let body = json!({ "ceremony": challenge["ceremony"], "credential": credential, "timezone": "UTC" });
    app.post("/auth/passkeys/login").json(&body).send().await
}

async fn sign_in(app: &App, authenticator: &mut Authenticator) -> Reply {
    let challenge = challenge(app).await;
    let credential = authenticator.sign_in(&challenge["publicKey"]);
    answer(app, &challenge, &credential).await
}

#[both_stores]
async fn a_passkey_signs_its_admin_in_without_a_password(test: TestStore) {
    let (app, _, mut authenticator, added) = with_passkey(test).await;
    let signed_in = sign_in(&app, &mut authenticator).await;
    assert_eq!(signed_in.expect(200)["user"]["email"], EMAIL);
    let cookie = cookie_of(&signed_in);
    let sessions = app.get("/auth/sessions").cookie(&cookie).send().await.expect(200);
    assert_eq!(sessions[0]["method"], "passkey");
    let listed = app.get(PASSKEYS).cookie(&cookie).send().await.expect(200);
    assert_eq!((&listed[0]["id"], &listed[0]["name"]), (&added["id"], &json!("Phone")));
    assert!(listed[0]["lastUsedAt"].is_string(), "{listed}");
    sign_in(&app, &mut authenticator).await.expect(200);
}

#[both_stores]
async fn options_ask_for_a_passkey_that_knows_its_owner_and_verifies_them(test: TestStore) {
    let (app, cookie, authenticator, _) = with_passkey(test).await;
    let registration = enroll(&app, &cookie).await;
    let options = &registration["publicKey"];
    let selection = &options["authenticatorSelection"];
    assert_eq!((&selection["residentKey"], &selection["userVerification"]), (&json!("required"), &json!("required")));
    assert_eq!((&options["rp"]["id"], &options["user"]["name"]), (&json!("lectern.example"), &json!(EMAIL)));
    assert_eq!(options["excludeCredentials"].as_array().map(Vec::len), Some(1));
    let options = &challenge(&app).await["publicKey"];
    assert_eq!((&options["rpId"], &options["userVerification"]), (&json!("lectern.example"), &json!("required")));
    assert_eq!(options["allowCredentials"], json!([]), "nobody is named");
    drop(authenticator);
}

#[both_stores]
async fn a_passkey_is_a_second_factor_beside_the_password(test: TestStore) {
    let app = App::with(test, &[], true);
    app.operator(EMAIL).await;
    let (cookie, other) = (app.sign_in(EMAIL).await, app.sign_in(EMAIL).await);
    let (mut authenticator, added) = add(&app, &cookie).await;
    app.get("/auth/sessions").cookie(&cookie).send().await.expect(200);
    app.get("/auth/sessions").cookie(&other).send().await.expect(401);
    let asked = app.sign_in_with(EMAIL, PASSWORD, json!({})).await.expect(401);
    assert_eq!(asked["code"], "second_factor_required");
    let codes = added["recoveryCodes"].as_array().unwrap();
    assert_eq!(codes.len(), 10);
    app.sign_in_with(EMAIL, PASSWORD, json!({ "recoveryCode": codes[0] })).await.expect(200);
    app.sign_in_with(EMAIL, PASSWORD, json!({ "code": "123456" })).await.expect(409);
    let signed_in = cookie_of(&sign_in(&app, &mut authenticator).await);
    app.get("/auth/sessions").cookie(&signed_in).send().await.expect(200);
    let (_, second) = add(&app, &signed_in).await;
    assert_eq!(second["recoveryCodes"], json!([]), "the earlier ones hold");
    app.get("/auth/sessions").cookie(&cookie).send().await.expect(200);
}

#[both_stores]
async fn a_fresh_sign_in_by_a_passkey_renews_recovery_codes(test: TestStore) {
    let (app, _, mut authenticator, added) = with_passkey(test).await;
    let renew =
        async |cookie: &str, body: Value| app.post("/auth/totp/recovery-codes").cookie(cookie).json(&body).send().await;
    let by_code = app.sign_in_with(EMAIL, PASSWORD, json!({ "recoveryCode": added["recoveryCodes"][0] })).await;
    by_code.expect(200);
    let refused = renew(&cookie_of(&by_code), json!({})).await;
    assert_eq!(refused.faults(), ["code"], "a recovery code is no passkey");
    let cookie = cookie_of(&sign_in(&app, &mut authenticator).await);
    renew(&cookie, json!({ "recoveryCode": "abcd-efgh-jkmn-pqrs" })).await.expect(401);
    let renewed = renew(&cookie, json!({})).await.expect(200);
    let with = async |code: &Value| app.sign_in_with(EMAIL, PASSWORD, json!({ "recoveryCode": code })).await;
    with(&added["recoveryCodes"][1]).await.expect(401);
    with(&renewed["recoveryCodes"][0]).await.expect(200);
    app.test.clock.advance(Duration::from_secs(600));
    renew(&cookie, json!({})).await.expect(403);
}

#[both_stores]
async fn a_session_alone_adds_no_passkey(test: TestStore) {
    let app = App::new(test);
    app.admin(EMAIL).await;
    app.admin("other@example.com").await;
    let (cookie, other) = (app.sign_in(EMAIL).await, app.sign_in("other@example.com").await);
    let enroll_with = async |body: Value| app.post("/auth/passkeys/enroll").cookie(&cookie).json(&body).send().await;
    assert_eq!(enroll_with(json!({})).await.faults(), ["password"]);
    enroll_with(json!({ "password": "wrong" })).await.expect(401);
    let challenge = enroll(&app, &cookie).await;
    let credential = Authenticator::at(ORIGIN).register(&challenge["publicKey"]);
    let of_another = confirm(&app, &other, &challenge, &credential).await;
    assert_eq!(of_another.faults(), ["ceremony"], "the challenge is another admin's");
    for _ in 0..9 {
        enroll_with(json!({ "password": "wrong" })).await.expect(401);
    }
    enroll_with(json!({ "password": PASSWORD })).await.expect(429);
}

#[both_stores]
async fn a_registration_counts_once_in_time_and_from_this_origin(test: TestStore) {
    let app = App::new(test);
    app.admin(EMAIL).await;
    let cookie = app.sign_in(EMAIL).await;
    let begun = enroll(&app, &cookie).await;
    for origin in ["https://evil.example", "http://lectern.example", "https://sub.lectern.example"] {
        let credential = Authenticator::at(origin).register(&begun["publicKey"]);
        assert_eq!(confirm(&app, &cookie, &begun, &credential).await.faults(), ["credential"], "{origin}");
    }
    let mut careless = Authenticator::at(ORIGIN);
    careless.verifies_user = false;
    let credential = careless.register(&begun["publicKey"]);
    assert_eq!(confirm(&app, &cookie, &begun, &credential).await.faults(), ["credential"]);
    let mut authenticator = Authenticator::at(ORIGIN);
    let credential = authenticator.register(&begun["publicKey"]);
    let mut damaged = begun.clone();
    damaged["ceremony"] = json!(format!("{}A", begun["ceremony"].as_str().unwrap()));
    assert_eq!(confirm(&app, &cookie, &damaged, &credential).await.faults(), ["ceremony"]);
    confirm(&app, &cookie, &begun, &credential).await.expect(201);
    assert_eq!(confirm(&app, &cookie, &begun, &credential).await.faults(), ["ceremony"]);
    let again = enroll(&app, &cookie).await;
    let credential = authenticator.register(&again["publicKey"]);
    let known = confirm(&app, &cookie, &again, &credential).await;
    assert!([400, 409].contains(&known.status.as_u16()), "{}", known.body);
    let late = enroll(&app, &cookie).await;
    let credential = Authenticator::at(ORIGIN).register(&late["publicKey"]);
    app.test.clock.advance(Duration::from_secs(300));
    assert_eq!(confirm(&app, &cookie, &late, &credential).await.faults(), ["ceremony"]);
    assert_eq!(app.count("SELECT count(*) FROM passkey").await, 1);
}

#[both_stores]
async fn a_sign_in_counts_once_in_time_and_for_its_challenge(test: TestStore) {
    let (app, _, mut authenticator, _) = with_passkey(test).await;
    let begun = challenge(&app).await;
    let credential = authenticator.sign_in(&begun["publicKey"]);
    let other = challenge(&app).await;
    answer(&app, &other, &credential).await.expect(401);
    answer(&app, &begun, &credential).await.expect(200);
    let replayed = answer(&app, &begun, &credential).await;
    // The counter tells, or the challenge.
    assert!([400, 401].contains(&replayed.status.as_u16()), "{}", replayed.body);
    let late = challenge(&app).await;
    let credential = authenticator.sign_in(&late["publicKey"]);
    app.test.clock.advance(Duration::from_secs(300));
    assert_eq!(answer(&app, &late, &credential).await.faults(), ["ceremony"]);
    let forgotten = app.write(edge::second_factors::passkeys::sweep).await;
    assert_eq!(forgotten, 2, "of the registration and of the sign-in");
}

#[both_stores]
async fn only_the_passkeys_owner_is_signed_in(test: TestStore) {
    let (app, _, mut authenticator, _) = with_passkey(test).await;
    let stranger = app.admin("other@example.com").await;
    let begun = challenge(&app).await;
    let mut credential = authenticator.sign_in(&begun["publicKey"]);
    let handle = credential["response"]["userHandle"].clone();
    credential["response"]["userHandle"] = json!(base64_of(stranger.uuid().as_bytes()));
    answer(&app, &begun, &credential).await.expect(401);
    credential["response"]["userHandle"] = Value::Null;
    answer(&app, &begun, &credential).await.expect(401);
    credential["response"]["userHandle"] = handle;
    let signature = credential["response"]["signature"].take();
    credential["response"]["signature"] = credential["response"]["authenticatorData"].clone();
    answer(&app, &begun, &credential).await.expect(401);
    credential["response"]["signature"] = signature;
    answer(&app, &begun, &credential).await.expect(200);
    let mut unknown = Authenticator::at(ORIGIN);
    let registration = json!({ "user": { "id": base64_of(stranger.uuid().as_bytes()) }, "rp": { "id": "x" } });
    unknown.register(&registration);
    sign_in(&app, &mut unknown).await.expect(401);
    authenticator.verifies_user = false;
    sign_in(&app, &mut authenticator).await.expect(401);
    app.post_bare("/auth/passkeys/challenge").send().await.expect(403);
    let foreign = app.post_bare("/auth/passkeys/login").header("origin", "https://evil.example");
    foreign.json(&json!({})).send().await.expect(403);
}

#[both_stores]
async fn a_removed_passkey_signs_nobody_in_and_ends_what_it_opened(test: TestStore) {
    let (app, cookie, mut authenticator, added) = with_passkey(test).await;
    let signed_in = cookie_of(&sign_in(&app, &mut authenticator).await);
    let path = format!("{PASSKEYS}/{}", added["id"].as_str().unwrap());
    let remove = async |body: Value| app.delete(&path).cookie(&cookie).json(&body).send().await;
    assert_eq!(remove(json!({})).await.faults(), ["code"]);
    remove(json!({ "password": "wrong" })).await.expect(401);
    let waiting = challenge(&app).await;
    remove(json!({ "password": PASSWORD })).await.expect(204);
    remove(json!({ "password": PASSWORD })).await.expect(404);
    app.get("/auth/sessions").cookie(&signed_in).send().await.expect(401);
    let credential = authenticator.sign_in(&waiting["publicKey"]);
    answer(&app, &waiting, &credential).await.expect(401);
    app.sign_in_with(EMAIL, PASSWORD, json!({})).await.expect(200);
    assert_eq!(app.count("SELECT count(*) FROM recovery_code").await, 0, "they went with the last factor");
}

#[both_stores]
async fn the_app_and_passkeys_are_removed_one_by_one(test: TestStore) {
    let (app, cookie, mut authenticator, added) = with_passkey(test).await;
    app.test.clock.advance(Duration::from_secs(30));
    let status = app.get("/auth/totp").cookie(&cookie).send().await.expect(200);
    assert_eq!(status, json!({ "isEnabled": false, "recoveryCodesLeft": 10 }));
    app.delete("/auth/totp").cookie(&cookie).json(&json!({ "password": PASSWORD })).send().await.expect(409);
    let code = json!({ "recoveryCode": added["recoveryCodes"][0] });
    let path = format!("{PASSKEYS}/{}", added["id"].as_str().unwrap());
    let stranger = format!("{PASSKEYS}/0192aee1-5a3b-7c2d-8e4f-123456789abc");
    app.delete(&stranger).cookie(&cookie).json(&code).send().await.expect(404);
    sign_in(&app, &mut authenticator).await.expect(200);
    app.delete(&path).cookie(&cookie).json(&code).send().await.expect(204);
}

fn base64_of(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}
