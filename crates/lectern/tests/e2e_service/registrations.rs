//! A learning platform registers itself by a link, over real sockets, and then launches.

use http::Method;
use serde_json::{Value, json};
use testkit::lms::{CLIENT_ID, Lms};
use testkit::{TestStore, both_stores};
use url::Url;

use super::client::Client;
use super::launches::{PAGES, get, launch, post};
use super::process::Installation;

const LINKS: &str = "/v1/platform/lti/registration-links";
const REGISTRATIONS: &str = "/v1/platform/lti/registrations";

async fn call(installation: &Installation, client: &Client, method: Method, path: &str, body: Value) -> Value {
    let key = format!("Bearer {}", installation.platform_key);
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let reply = client.send(method.clone(), path, &[("authorization", key.as_str())], body.into()).await.unwrap();
    reply.expect(if method == Method::POST { 201 } else { 200 })
}

#[both_stores]
async fn a_platform_that_registered_itself_launches(test: TestStore) {
    let (installation, lms) = (Installation::new(&test), Lms::start().await);
    let server = installation.serve().await;
    let client = &server.client;
    let made = call(&installation, client, Method::POST, LINKS, json!({ "name": "Riverside Moodle" })).await;
    let link = Url::parse(made["url"].as_str().unwrap()).unwrap();

    let opened = Url::parse(&lms.open_link(link.as_str())).unwrap();
    let asked = get(client, &format!("{}?{}", opened.path(), opened.query().unwrap()), &[PAGES]).await;
    let html = String::from_utf8(asked.body.to_vec()).unwrap();
    assert!(asked.status == 200 && html.contains("Riverside Moodle"), "{html}");
    let list = call(&installation, client, Method::GET, REGISTRATIONS, Value::Null).await;
    assert_eq!(list["total"], 0, "nothing happened so far");

    let fields: Vec<(&str, String)> = lms.registration_query();
    let connected = post(client, link.path(), &fields, &[PAGES]).await;
    let html = String::from_utf8(connected.body.to_vec()).unwrap();
    assert!(connected.status == 200 && html.contains(CLIENT_ID), "{html}");
    let again = post(client, link.path(), &fields, &[PAGES]).await;
    assert_eq!(again.status, 410);

    let list = call(&installation, client, Method::GET, REGISTRATIONS, Value::Null).await;
    assert_eq!((&list["total"], &list["items"][0]["clientId"]), (&json!(1), &json!(CLIENT_ID)));
    let links = call(&installation, client, Method::GET, LINKS, Value::Null).await;
    assert_eq!(links["items"][0]["registrationId"], list["items"][0]["id"]);
    assert!(!launch(client, &lms, "learner-1").await.is_empty());
}
