//! Mail through a server on PyPI's `aiosmtpd`, which defers, rejects and hangs as the recipient's address says.

use std::time::Duration;

use identity::jobs;
use kernel::ambient::Ambient;
use kernel::id::UserId;
use mail::templates::Templates;
use mail::{MailOptions, Mailer, Security, SmtpServer, Way};
use serde_json::{Value, json};
use store::jobs::{Worker, WorkerOptions};
use testkit::{TestStore, both_stores};
use url::Url;

use crate::service::{Service, call, partner};

/// The state and the error of the job that is left.
async fn job(service: &Service) -> Option<(String, Option<String>)> {
    let read = |tx: &mut store::Tx<'_>| {
        tx.find("SELECT state, last_error FROM job", &[], |row| Ok::<_, store::StoreError>((row.get(0)?, row.get(1)?)))
    };
    service.test.store.read("test", read).await.unwrap()
}

async fn messages(to: &str) -> Vec<Value> {
    let url = partner("LECTERN_TEST_SMTP_URL");
    let told = call("GET", &format!("{url}/messages?to={to}"), None).await.json();
    told.as_array().unwrap().clone()
}

/// Asks for a new password and runs the jobs.
async fn ask(service: &Service, email: &str) {
    service.admin(email).await;
    let asked = service.post("/auth/password-reset", &json!({ "email": email })).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    run(service).await;
}

async fn run(service: &Service) {
    let url = partner("LECTERN_TEST_SMTP_URL");
    let control = call("GET", &format!("{url}/control"), None).await.json();
    let server = Url::parse(control["smtpUrl"].as_str().unwrap()).unwrap();
    let way = Way::Smtp(SmtpServer {
        host: server.host_str().unwrap().to_owned(),
        port: server.port().unwrap(),
        security: Security::Unencrypted,
        credentials: None,
        extra_ca_pem: None,
    });
    let from = "Lectern <lectern@lectern.example>".parse().unwrap();
    let ambient = service.test.ambient.clone();
    let mailer = Mailer::open(MailOptions { from, way, templates: Templates::default() }, ambient.clone()).unwrap();
    let handlers = jobs::handlers(&service.identity, mailer);
    Worker::new(service.test.store.clone(), ambient, handlers, WorkerOptions::default()).run_queued().await.unwrap();
}

#[both_stores]
async fn a_mail_arrives_with_both_parts_and_after_a_deferral(test: TestStore) {
    let service = Service::new(test);
    // The server remembers whom it deferred.
    let to = format!("defer1-{}@example.com", Ambient::system().id::<UserId>());
    let to = to.as_str();
    ask(&service, to).await;
    let (state, why) = job(&service).await.unwrap();
    assert!(state == "queued" && why.unwrap().contains("451"), "it is tried again");
    assert!(messages(to).await.is_empty());
    service.test.clock.advance(Duration::from_secs(10 * 60));
    run(&service).await;
    assert_eq!(job(&service).await, None);
    let messages = messages(to).await;
    assert_eq!(messages.len(), 1);
    let whole = messages[0].to_string();
    for part in ["multipart/alternative", "text/plain", "text/html", "Choose a new password"] {
        assert!(whole.contains(part), "{part}: {whole}");
    }
}

#[both_stores]
async fn a_rejected_mail_is_given_up_and_a_hanging_server_is_tried_again(test: TestStore) {
    let service = Service::new(test);
    ask(&service, "reject-reset@example.com").await;
    let (state, why) = job(&service).await.unwrap();
    assert!(state == "failed" && why.unwrap().contains("550"));
    let forget = |tx: &mut store::Tx<'_>| tx.execute("DELETE FROM job", &[]);
    service.test.store.write::<_, store::StoreError, _>("test", forget).await.unwrap();
    ask(&service, "hang-reset@example.com").await;
    assert_eq!(job(&service).await.unwrap().0, "queued");
}
