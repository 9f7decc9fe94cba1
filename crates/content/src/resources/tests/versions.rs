//! Versions: what a change starts from, and what a client has already.

use futures_util::future::join_all;
use serde_json::json;
use testkit::{TestStore, both_stores};

use super::{called, created, deleted, kinds, label, made};
use crate::testing::App;

#[both_stores]
async fn a_version_counts_the_changes_and_is_the_etag(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, change) in kinds() {
        let created = app.post(&tenant.resources(kind)).key(&tenant.key).json(&body).send().await;
        assert_eq!(
            (&created.expect(super::created(kind))["version"], created.header("etag")),
            (&json!(1), "\"1\""),
            "{kind}"
        );
        let path = tenant.resources(&format!("{kind}/{}", created.json()["id"].as_str().unwrap()));
        for version in 2..=3 {
            app.test.clock.advance(std::time::Duration::from_secs(1));
            let changed = app.patch(&path).key(&tenant.key).json(&change).send().await;
            changed.expect(200);
            let etag = format!("\"{version}\"");
            assert_eq!(changed.header("etag"), etag, "{kind}");
            let read = app.get(&path).key(&tenant.key).send().await;
            assert_eq!((&read.expect(200)["version"], read.header("etag")), (&json!(version), etag.as_str()), "{kind}");
        }
        let read = app.get(&path).key(&tenant.key).send().await.json();
        assert_eq!(read["createdAt"], created.json()["createdAt"]);
        assert_ne!(read["updatedAt"], read["createdAt"]);
    }
}

#[both_stores]
async fn a_change_that_starts_from_another_version_changes_nothing(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, change) in kinds() {
        let path = made(&app, &tenant, kind, &body).await;
        app.patch(&path).key(&tenant.key).json(&change).send().await.expect(200);
        let before = app.stored().await;
        for stale in ["\"1\"", "\"3\"", "\"\"", "\"1\", \"3\"", "W/\"2\""] {
            for call in [app.patch(&path).json(&json!({ label(kind): "Stale" })), app.delete(&path)] {
                let refused = call.key(&tenant.key).header("if-match", stale).send().await;
                let body = refused.expect(412);
                assert_eq!(body["error"], "Precondition Failed", "{kind} {stale}");
            }
        }
        for malformed in ["2", "w/\"2\"", "*, \"2\"", "\"2", ""] {
            for call in [app.patch(&path).json(&change), app.delete(&path)] {
                let refused = call.key(&tenant.key).header("if-match", malformed).send().await;
                assert_eq!(refused.faults(), ["If-Match"], "{kind} {malformed}");
            }
        }
        assert_eq!(app.stored().await, before);
        for (version, current) in ["\"2\"", "*", "\"9\", \"4\""].into_iter().enumerate() {
            let changed = app.patch(&path).key(&tenant.key).header("if-match", current).json(&change).send().await;
            changed.expect(200);
            assert_eq!(changed.header("etag"), format!("\"{}\"", version + 3), "{kind} {current}");
        }
        app.delete(&path).key(&tenant.key).header("if-match", "\"5\"").send().await.expect(deleted(kind));
        app.delete(&path).key(&tenant.key).header("if-match", "\"5\"").send().await.expect(404);
    }
}

#[both_stores]
async fn of_two_editors_at_once_one_is_told_that_it_came_late(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, _) in kinds() {
        let path = made(&app, &tenant, kind, &body).await;
        let editors = (0..8).map(|n| {
            let body = json!({ label(kind): format!("Editor {n}") });
            app.patch(&path).key(&tenant.key).header("if-match", "\"1\"").json(&body).send()
        });
        let replies = join_all(editors).await;
        let heard: Vec<_> = replies.iter().enumerate().filter(|(_, reply)| reply.status == 200).collect();
        assert_eq!(heard.len(), 1, "{kind}");
        assert_eq!(replies.iter().filter(|reply| reply.status == 412).count(), 7, "{kind}");
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(read[label(kind)], format!("Editor {}", heard[0].0), "{kind}");
        assert_eq!(read["version"], 2, "{kind}");
    }
}

#[both_stores]
async fn editors_of_different_fields_at_once_lose_nothing(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, _) in kinds() {
        let path = made(&app, &tenant, kind, &body).await;
        let changes = [
            json!({ label(kind): "Changed" }),
            json!({ "description": "Changed" }),
            json!({ "language": "fr" }),
            json!({ "metadata": { "changed": true } }),
        ];
        let editors = changes.iter().map(|change| app.patch(&path).key(&tenant.key).json(change).send());
        for reply in join_all(editors).await {
            reply.expect(200);
        }
        let read = app.get(&path).key(&tenant.key).send().await.expect(200);
        assert_eq!(read["version"], 5, "{kind}");
        for change in &changes {
            for (field, value) in change.as_object().unwrap() {
                assert_eq!(&read[field], value, "{kind}");
            }
        }
    }
}

#[both_stores]
async fn what_the_client_has_is_not_sent_again(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, change) in kinds() {
        let path = made(&app, &tenant, kind, &body).await;
        let read = async |known: &str| app.get(&path).key(&tenant.key).header("if-none-match", known).send().await;
        for known in ["\"1\"", "W/\"1\"", "\"7\", \"1\"", "*"] {
            let reply = read(known).await;
            assert_eq!(
                (reply.status.as_u16(), reply.body.as_str(), reply.header("etag")),
                (304, "", "\"1\""),
                "{kind} {known}"
            );
            assert_eq!(reply.header("content-type"), "");
        }
        app.patch(&path).key(&tenant.key).json(&change).send().await.expect(200);
        assert_eq!(read("\"1\"").await.expect(200)["version"], 2, "{kind}");
        assert_eq!(read("1").await.faults(), ["If-None-Match"], "{kind}");
    }
}

#[both_stores]
async fn a_repeated_create_has_one_effect_and_one_answer(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    for (kind, body, _) in kinds() {
        let send = |key: &str, body: &serde_json::Value| {
            app.post(&tenant.resources(kind)).key(&tenant.key).idempotency(key).json(body).send()
        };
        let first = send(kind, &body).await;
        first.expect(created(kind));
        let before = app.stored().await;
        let replay = send(kind, &body).await;
        assert_eq!((replay.status, &replay.body), (first.status, &first.body), "{kind}");
        assert!(!first.is_replay() && replay.is_replay());
        assert_eq!(replay.header("etag"), "\"1\"", "{kind}");
        send(kind, &called(kind, "Another")).await.expect(409);
        assert_eq!(send("a b", &body).await.faults(), ["Idempotency-Key"]);
        assert_eq!(app.stored().await, before);
        let at_once = join_all((0..6).map(|_| send("at-once", &called(kind, "At once")))).await;
        assert_eq!(at_once.iter().filter(|reply| !reply.is_replay()).count(), 1, "{kind}");
        assert!(at_once.iter().all(|reply| reply.status == created(kind) && reply.body == at_once[0].body), "{kind}");
        send("retried", &json!({})).await.expect(400);
        send("retried", &body).await.expect(created(kind));
    }
}
