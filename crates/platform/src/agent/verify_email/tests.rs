use std::time::Duration;

use futures_util::future::join_all;
use kernel::id::OrganizationId;
use mail::templates::Templates;
use mail::{MailOptions, Mailer, Security, SmtpServer, Way};
use serde_json::{Value, json};
use store::StoreError;
use store::jobs::{Worker, WorkerOptions};
use testkit::{TestStore, both_stores};

use crate::jobs::handlers;
use crate::testing::{App, EVALUATIONS, Tenant, WORKSPACES, exact};
use crate::workspaces::create::NewWorkspace;

const LINK: &str = "/v1/platform/agent/verify-email";
const RESEND: &str = "/v1/platform/agent/verify-email/resend";

/// A workspace with an address that isn't verified, and its first mail on the way.
async fn start(test: TestStore) -> (App, Tenant) {
    let app = App::new(test);
    let email = Some("ann@example.com".to_owned());
    let tenant =
        app.tenant_of(NewWorkspace { email, ..NewWorkspace::named("riverside".into(), "riverside".into()) }).await;
    (app, tenant)
}

/// The paths of the links in the mails to an address, those that hold longest last.
fn links_to(app: &App, address: &str) -> Vec<String> {
    let mails = app.mails().into_iter().filter(|mail| mail.contains(&format!("To: {address}\r\n")));
    let link = |mail: String| {
        let line = mail.lines().find(|line| line.starts_with("https://")).unwrap().to_owned();
        line.strip_prefix("https://lectern.example").unwrap().to_owned()
    };
    let mut links: Vec<_> = mails.map(link).collect();
    links.sort();
    links
}

async fn is_verified(app: &App, tenant: &Tenant) -> bool {
    app.get(&tenant.path("")).key(&tenant.key).send().await.status == 200
}

async fn follow(app: &App, link: &str) -> u16 {
    app.get(link).send().await.status.as_u16()
}

#[both_stores]
async fn the_link_of_the_mail_verifies_the_address_as_often_as_it_is_followed(test: TestStore) {
    let (app, tenant) = start(test).await;
    assert_eq!((app.run_jobs().await, app.mails().len()), (1, 1));
    let [link] = links_to(&app, "ann@example.com").try_into().unwrap();
    assert!(!is_verified(&app, &tenant).await);
    app.post(EVALUATIONS).key(&tenant.key).json(&exact()).send().await.expect(403);
    for _ in 0..2 {
        let page = app.get(&link).header("accept", "text/html,application/json;q=0.9").send().await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
        assert!(
            page.body.contains("<h1>Your e-mail address is verified</h1>")
                && page.header("content-security-policy").contains("'none'")
        );
    }
    let wrong = app.get(&format!("{link}x")).header("accept", "text/html").send().await;
    assert_eq!(wrong.status.as_u16(), 400);
    assert!(wrong.body.contains("<h1>Your e-mail address could not be verified</h1>"), "{}", wrong.body);
    app.get(&format!("{link}x")).send().await.expect(400);
    let json = app.get(&link).header("accept", "application/json").send().await.expect(200);
    assert_eq!(json, json!({ "emailVerified": true }));
    assert!(is_verified(&app, &tenant).await);
    app.evaluate(&tenant, &exact()).await;
    app.finish().await;
}

#[both_stores]
async fn every_new_address_gets_a_mail_and_no_other_change_does(test: TestStore) {
    let app = App::new(test);
    let operator = app.operator("o@example.com").await;
    let body = json!({ "name": "One", "slug": "one", "email": "one@example.com" });
    let one = app.post(WORKSPACES).cookie(&operator).json(&body).send().await.expect(201);
    let organization: OrganizationId = app.test.ambient.id();
    let insert = move |tx: &mut store::Tx<'_>| {
        let now = tx.now();
        tx.execute(
            "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, 'x', 'x', $2, $2)",
            &[&organization, &now],
        )?;
        Ok::<_, StoreError>(())
    };
    app.test.store.write("test", insert).await.unwrap();
    let body = json!({ "organizationId": organization, "name": "Two", "slug": "two", "email": "two@example.com" });
    app.post(&format!("{WORKSPACES}/from-organization")).cookie(&operator).json(&body).send().await.expect(201);
    let body = json!({ "name": "Three", "slug": "three" });
    app.post(WORKSPACES).cookie(&operator).json(&body).send().await.expect(201);
    app.run_jobs().await;
    let path = format!("{WORKSPACES}/{}", one["id"].as_str().unwrap());
    for change in [
        json!({ "email": "new@example.com" }),
        json!({ "email": "new@example.com" }),
        json!({ "name": "First" }),
        json!({ "email": null }),
    ] {
        app.patch(&path).cookie(&operator).json(&change).send().await.expect(200);
        app.run_jobs().await;
    }
    let count = |address| links_to(&app, address).len();
    assert_eq!((count("one@example.com"), count("two@example.com"), count("new@example.com")), (1, 1, 1));
    assert_eq!(app.mails().len(), 3);
    app.finish().await;
}

#[both_stores]
async fn a_link_holds_for_the_address_that_it_was_sent_to(test: TestStore) {
    let (app, tenant) = start(test).await;
    let operator = app.operator("o@example.com").await;
    app.run_jobs().await;
    let change = async |email: Value| {
        app.patch(&tenant.path("")).cookie(&operator).json(&json!({ "email": email })).send().await.expect(200)
    };
    change(json!("bob@example.com")).await;
    let [link] = links_to(&app, "ann@example.com").try_into().unwrap();
    assert_eq!(app.get(&link).send().await.faults(), ["token"]);
    assert!(!is_verified(&app, &tenant).await);
    app.run_jobs().await;
    let [new_link] = links_to(&app, "bob@example.com").try_into().unwrap();
    assert_eq!(follow(&app, &new_link).await, 200);
    change(json!("ann@example.com")).await;
    assert_eq!(follow(&app, &new_link).await, 400);
    change(Value::Null).await;
    assert_eq!(follow(&app, &link).await, 400);
}

#[both_stores]
async fn an_address_that_changed_before_its_mail_was_sent_gets_none(test: TestStore) {
    let (app, tenant) = start(test).await;
    let operator = app.operator("o@example.com").await;
    let change = json!({ "email": "bob@example.com" });
    app.patch(&tenant.path("")).cookie(&operator).json(&change).send().await.expect(200);
    assert_eq!((app.run_jobs().await, app.mails().len()), (2, 1));
    assert_eq!(links_to(&app, "bob@example.com").len(), 1);
    app.finish().await;
}

#[both_stores]
async fn an_expired_a_forged_and_a_missing_token_are_refused(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.run_jobs().await;
    let [link] = links_to(&app, "ann@example.com").try_into().unwrap();
    let elsewhere = link.replace(&tenant.workspace.to_string(), "0192aee1-5a3b-7c2d-8e4f-123456789abc");
    for wrong in
        [LINK.to_owned(), format!("{LINK}?token="), format!("{LINK}?token=a.b.c"), format!("{link}x"), elsewhere]
    {
        assert_eq!(app.get(&wrong).send().await.faults(), ["token"], "{wrong}");
    }
    app.test.clock.advance(Duration::from_secs(24 * 60 * 60));
    let expired = app.get(&link).send().await.expect(400);
    assert!(expired["error"]["message"].as_str().unwrap().contains("expired"), "{expired}");
    assert!(!is_verified(&app, &tenant).await);
}

#[both_stores]
async fn another_mail_may_be_asked_for_once_a_minute(test: TestStore) {
    let (app, tenant) = start(test).await;
    let sent = app.post(RESEND).key(&tenant.key).send().await;
    assert_eq!(sent.expect(202), json!({ "email": "ann@example.com" }), "the first is no answer to having asked");
    app.test.clock.advance(Duration::from_secs(20));
    let early = app.post(RESEND).key(&tenant.key).send().await;
    assert_eq!(early.expect(429)["error"]["code"], "platform_rate_limit_exceeded");
    assert_eq!(early.header("retry-after"), "40");
    app.test.clock.advance(Duration::from_secs(40));
    app.post(RESEND).key(&tenant.key).send().await.expect(202);
    assert_eq!(app.run_jobs().await, 3);
    let links = links_to(&app, "ann@example.com");
    assert_eq!(links.len(), 3);
    assert_eq!((follow(&app, &links[0]).await, follow(&app, &links[2]).await), (200, 200));
    app.finish().await;
}

#[both_stores]
async fn of_many_requests_at_once_one_sends_a_mail(test: TestStore) {
    let (app, tenant) = start(test).await;
    let replies = join_all((0..8).map(|_| app.post(RESEND).key(&tenant.key).send())).await;
    let count = |status: u16| replies.iter().filter(|reply| reply.status == status).count();
    assert_eq!((count(202), count(429)), (1, 7));
    assert_eq!(app.run_jobs().await, 2);
    app.finish().await;
}

#[both_stores]
async fn a_mail_is_for_the_address_of_the_callers_own_workspace_and_for_nobody_who_is_verified(test: TestStore) {
    let (app, tenant) = start(test).await;
    app.test.clock.advance(Duration::from_secs(60));
    let resend = |query: String| app.post(&format!("{RESEND}{query}"));
    let of = |tenant: &Tenant| format!("?workspaceId={}", tenant.workspace);
    resend(String::new()).send().await.expect(401);
    let verified = app.tenant("hillside").await;
    app.run_jobs().await;
    let mails = app.mails().len();
    resend(String::new()).key(&verified.key).send().await.expect(202);
    resend(String::new()).key(&verified.key).send().await.expect(429);
    assert_eq!((app.run_jobs().await, app.mails().len()), (1, mails));
    let nameless = app.tenant_of(NewWorkspace::named("lakeside".into(), "lakeside".into())).await;
    resend(String::new()).key(&nameless.key).send().await.expect(409);
    resend(of(&tenant)).key(&verified.key).send().await.expect(404);
    let operator = app.operator("o@example.com").await;
    assert_eq!(resend(String::new()).cookie(&operator).send().await.faults(), ["workspaceId"]);
    resend(of(&tenant)).cookie(&operator).send().await.expect(202);
}

#[both_stores]
async fn a_mail_that_can_not_be_sent_is_tried_again_and_then_left_to_the_operator(test: TestStore) {
    let (app, _) = start(test).await;
    // Nothing listens there.
    let way = Way::Smtp(SmtpServer {
        host: "127.0.0.1".into(),
        port: 1,
        security: Security::Unencrypted,
        credentials: None,
        extra_ca_pem: None,
    });
    let options = MailOptions { from: "lectern@school.example".parse().unwrap(), way, templates: Templates::default() };
    let mailer = Mailer::open(options, app.test.ambient.clone()).unwrap();
    let (store, ambient) = (app.test.store.clone(), app.test.ambient.clone());
    let worker = Worker::new(store, ambient, handlers(&app.platform, mailer), WorkerOptions::default());
    for seconds in [0, 10, 60, 600] {
        app.test.clock.advance(Duration::from_secs(seconds));
        assert_eq!(worker.run_queued().await.unwrap(), 1);
        assert_eq!(app.count("SELECT count(*) FROM job WHERE state = 'queued'").await, 1);
    }
    app.test.clock.advance(Duration::from_secs(3600));
    assert_eq!(worker.run_queued().await.unwrap(), 1);
    assert_eq!(
        app.count("SELECT count(*) FROM job WHERE state = 'failed' AND last_error LIKE 'mail can''t be sent%'").await,
        1
    );
}
