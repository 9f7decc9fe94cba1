//! From sign-in to a signed webhook, over real sockets, with the built-in generator.

use kernel::secret::SecretString;
use net::signing::EndpointSecret;
use serde_json::json;
use testkit::{TestStore, both_stores};

use super::client::EXPANSIONS;
use super::process::{Installation, Wait};
use super::receiver::Receiver;

#[both_stores]
async fn a_source_becomes_content_and_a_signed_webhook(test: TestStore) {
    let installation = Installation::new(&test);
    let (receiver, address) = Receiver::start().await;
    let mut server = installation.serve().await;
    let client = &mut server.client;
    let secret = installation.register(client, address).await;
    let classrooms = client.get("/v1/content/classrooms").await.unwrap().expect(200);
    assert_eq!(classrooms[0]["id"], json!(installation.classroom));

    let accepted = client.expand("order-1", &installation.source("Cells", 4)).await.unwrap();
    let id = accepted.expect(202)["id"].as_str().unwrap().to_owned();
    let wait = Wait::until("the webhook arrives");
    while receiver.received().is_empty() {
        wait.on().await;
    }
    let delivered = receiver.received().remove(0);
    let event = delivered.json();
    assert_eq!((&event["jobId"], &event["type"]), (&json!(id), &json!("content.completed")));
    assert_eq!(delivered.header("x-content-integration-event"), "content.completed");
    assert_eq!(delivered.header("content-type"), "application/json");
    let signature = delivered.header("x-content-integration-signature");
    assert!(signature.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) && signature.len() == 64);
    let secret = EndpointSecret::new(SecretString::from(secret));
    assert!(secret.verify_hex(&delivered.body, signature));
    assert_eq!(delivered.header("webhook-id"), event["id"].as_str().unwrap());
    let timestamp = delivered.header("webhook-timestamp").parse().unwrap();
    let id_of_event = delivered.header("webhook-id");
    assert!(secret.verify_standard(id_of_event, timestamp, &delivered.body, delivered.header("webhook-signature")));

    let result = client.get(&format!("{EXPANSIONS}/{id}/result")).await.unwrap().expect(200);
    assert_eq!(result["manifest"]["status"], "completed");
    for (output, places) in result["outputs"].as_array().unwrap().iter().zip(["modules", "videos", "tests"]) {
        let resource = output["resourceId"].as_str().unwrap();
        let path = format!("/v1/content/classrooms/{}/{places}/{resource}", installation.classroom);
        let read = client.get(&path).await.unwrap().expect(200);
        assert_eq!(read["id"], json!(resource));
        assert_eq!(read["metadata"]["expansionId"], json!(id));
    }
    let replay = client.expand("order-1", &installation.source("Cells", 4)).await.unwrap();
    assert_eq!(replay.body, accepted.body);
    assert_eq!(replay.headers["idempotent-replayed"], "true");
    server.terminate();
    assert_eq!(server.ended().await, Some(0));
}

#[both_stores]
async fn a_key_revoked_by_a_command_stops_beside_the_running_server(test: TestStore) {
    let installation = Installation::new(&test);
    let mut server = installation.serve().await;
    installation.sign_in(&mut server.client).await;
    let path = format!("/v1/content/organizations/{}/api-keys", installation.organization);
    let listed = server.client.get(&path).await.unwrap().expect(200);
    server.client.get("/v1/content/classrooms").await.unwrap().expect(200);
    let key = listed[0]["id"].as_str().unwrap();
    installation.run(&["key", "revoke", "--organization", &installation.organization, key]);
    server.client.get("/v1/content/classrooms").await.unwrap().expect(401);
    assert_eq!(server.client.get(&path).await.unwrap().expect(200)[0]["status"], "REVOKED");
}
