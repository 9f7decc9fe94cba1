use std::time::Duration;

use edge::admins::{self, NewAdmin};
use edge::problem::Problem;
use http::StatusCode;
use kernel::time::Timestamp;
use serde_json::{Value, json};
use store::{StoreError, Tx};
use testkit::{TestStore, both_stores};

use super::{GUESSES, Installation, Installer, NewInstallation, SUBJECT};
use crate::testing::{App, CONTRACT, EMAIL, PASSWORD, cookie_of};

const SETUP: &str = "/auth/setup";

/// Makes the administrator alone; its lock is the program's.
struct AdminAlone;

impl Installer for AdminAlone {
    fn made_at(&self, tx: &mut Tx<'_>) -> Result<Timestamp, StoreError> {
        let found = tx.find("SELECT created_at FROM master_key", &[], |row| row.get(0))?;
        Ok(found.unwrap_or(Timestamp::from_millis(0)))
    }

    fn install(&self, tx: &mut Tx<'_>, new: &NewInstallation) -> Result<Installation, Problem> {
        tx.execute("UPDATE master_key SET check_value = check_value", &[])?;
        let ambient = tx.ambient().clone();
        let admin = NewAdmin { email: new.email.clone(), password_hash: new.password_hash.clone(), is_operator: true };
        Ok(Installation {
            user: admins::create(tx, &ambient, &admin)?,
            organization: ambient.id(),
            classroom: ambient.id(),
            workspace: ambient.id(),
            content_key: Some("svc_content_x".into()),
            platform_key: Some("svc_platform_x".into()),
        })
    }
}

/// An installation without accounts, and its code.
async fn start(test: TestStore) -> (App, String) {
    let app = App::empty(test, AdminAlone);
    app.write(|tx| {
        let now = tx.now();
        tx.execute("INSERT INTO master_key (id, check_value, created_at) VALUES ('current', 'x', $1)", &[&now])
    })
    .await;
    let code = app.identity.setup_code().await.unwrap().unwrap();
    (app, code)
}

fn form(code: &str, email: &str) -> Value {
    json!({
        "code": code, "email": email, "password": PASSWORD, "organization": "Riverside", "classroom": "7b",
        "timezone": "UTC",
    })
}

#[both_stores]
async fn the_code_makes_the_first_operator_and_signs_in(test: TestStore) {
    let (app, code) = start(test).await;
    assert_eq!(app.get(SETUP).send().await.expect(200), json!({ "isOpen": true }));
    // People write codes as they like.
    let reply = app.post(SETUP).json(&form(&format!(" {} ", code.to_uppercase()), " Admin@Example.com")).send().await;
    let made = reply.expect(201);
    assert_eq!((&made["email"], &made["contentApiKey"]), (&json!(EMAIL), &json!("svc_content_x")));
    assert!(reply.header("set-cookie").contains("HttpOnly; SameSite=Lax; Secure"));
    let me = app.get("/auth/me").cookie(&cookie_of(&reply)).send().await.expect(200);
    assert_eq!((&me["email"], &me["isOperator"]), (&json!(EMAIL), &json!(true)));
    app.sign_in(EMAIL).await;
}

#[both_stores]
async fn the_example_of_the_document_is_accepted_with_the_right_code(test: TestStore) {
    let (app, code) = start(test).await;
    let (_, example) = CONTRACT.documented_body("POST /auth/setup").unwrap();
    let mut body = example.clone();
    body["code"] = json!(code);
    app.post(SETUP).json(&body).send().await.expect(201);
}

#[both_stores]
async fn with_the_first_account_setup_is_gone(test: TestStore) {
    let (app, code) = start(test).await;
    app.admin("somebody@example.com").await;
    assert_eq!(app.get(SETUP).send().await.expect(200), json!({ "isOpen": false }));
    app.post(SETUP).json(&form(&code, EMAIL)).send().await.expect(404);
    app.post(SETUP).json(&json!({})).send().await.expect(404);
    assert_eq!(app.identity.setup_code().await.unwrap(), None);
    assert_eq!(app.count("SELECT count(*) FROM admin_user").await, 1);
}

#[both_stores]
async fn of_two_browsers_at_once_one_makes_an_administrator(test: TestStore) {
    let (app, code) = start(test).await;
    let (one, two) = (form(&code, EMAIL), form(&code, "other@example.com"));
    let (one, two) = tokio::join!(app.post(SETUP).json(&one).send(), app.post(SETUP).json(&two).send());
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [StatusCode::CREATED, StatusCode::NOT_FOUND]);
    assert_eq!(app.count("SELECT count(*) FROM admin_user").await, 1);
    assert_eq!(app.count("SELECT count(*) FROM admin_session").await, 1);
    assert_eq!(app.audited().await, ["createSetup", "signIn"]);
}

#[both_stores]
async fn wrong_codes_are_refused_and_counted(test: TestStore) {
    let (app, code) = start(test).await;
    for wrong in ["x", &code[..code.len() - 1], &format!("{code}0")] {
        assert_eq!(app.post(SETUP).json(&form(wrong, EMAIL)).send().await.faults(), ["code"], "{wrong}");
    }
    let (throttle, now) = (&app.identity.setup_throttle, app.test.ambient.now());
    (0..GUESSES).for_each(|_| throttle.note_failure(SUBJECT, None, now));
    let refused = app.post(SETUP).json(&form(&code, EMAIL)).send().await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "900"));
    app.test.clock.advance(Duration::from_secs(15 * 60));
    app.post(SETUP).json(&form(&code, EMAIL)).send().await.expect(201);
}

#[both_stores]
async fn another_site_can_not_set_up_and_faults_are_named(test: TestStore) {
    let (app, code) = start(test).await;
    app.post_bare(SETUP).json(&form(&code, EMAIL)).send().await.expect(403);
    let foreign = app.post_bare(SETUP).header("origin", "https://evil.example");
    foreign.json(&form(&code, EMAIL)).send().await.expect(403);
    let short = json!({ "code": code, "email": "x", "password": "short", "timezone": "UTC" });
    let faults = app.post(SETUP).json(&short).send().await.faults();
    assert_eq!(faults, ["email", "password", "organization", "classroom"]);
    assert_eq!(app.count("SELECT count(*) FROM admin_user").await, 0);
}

#[both_stores]
async fn the_code_is_the_same_for_a_database_and_differs_between_databases(test: TestStore) {
    let (app, code) = start(test).await;
    assert_eq!(app.identity.setup_code().await.unwrap().as_deref(), Some(code.as_str()));
    assert_eq!((code.len(), code.matches('-').count()), (23, 3));
    app.write(|tx| tx.execute("UPDATE master_key SET created_at = created_at + 1", &[])).await;
    assert_ne!(app.identity.setup_code().await.unwrap(), Some(code));
}
