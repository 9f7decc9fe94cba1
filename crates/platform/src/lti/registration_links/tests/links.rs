//! Links are made, listed and revoked.

use std::time::Duration;

use kernel::id::RegistrationLinkId;
use kernel::secret::sha256_hex;

use testkit::both_stores;

use super::*;

const DAY: Duration = Duration::from_secs(24 * 3600);

#[both_stores]
async fn a_link_is_shown_once_and_its_token_is_stored_nowhere(test: TestStore) {
    let stage = Stage::new(test).await;
    let body = json!({ "name": "Riverside Moodle", "metadata": { "launchUrl": "https://app.example.com/lti" } });
    let call = || stage.app.post(REGISTRATION_LINKS).key(&stage.tenant.key).idempotency("k-1").json(&body);
    let made = call().send().await.expect(201);
    assert_eq!(made["expiresAt"], "2026-01-03T03:04:05.000Z", "a day later");
    let again = call().send().await;
    assert!(again.is_replay());
    assert_eq!(again.expect(201), json!({ "id": made["id"], "url": null, "expiresAt": made["expiresAt"] }));
    call().json(&nothing()).send().await.expect(409);
    let expected = json!({
        "id": made["id"], "platformWorkspaceId": stage.tenant.workspace, "name": "Riverside Moodle",
        "metadata": { "launchUrl": "https://app.example.com/lti" }, "status": "open", "lastFailure": null,
        "registrationId": null, "expiresAt": made["expiresAt"], "usedAt": null,
        "createdAt": "2026-01-02T03:04:05.000Z",
    });
    assert_eq!(stage.shown().await, expected);
    let token = made["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let stored = "SELECT (SELECT count(*) FROM lti_registration_link WHERE token_digest = $1)
        + 100 * (SELECT count(*) FROM idempotency WHERE body LIKE $2)";
    let (digest, part) = (sha256_hex(token.as_bytes()), format!("%{token}%"));
    let count = stage.app.read(move |tx| tx.find(stored, &[&digest, &part], |row| row.get::<i64>(0))).await;
    assert_eq!(count, Some(1));
}

#[both_stores]
async fn a_replay_is_answered_after_the_end_of_the_link(test: TestStore) {
    let stage = Stage::new(test).await;
    let body = json!({ "expiresAt": "2026-01-02T03:05:00Z" });
    let call = || stage.app.post(REGISTRATION_LINKS).key(&stage.tenant.key).json(&body);
    let made = call().idempotency("k-1").send().await.expect(201);
    stage.app.test.clock.advance(Duration::from_secs(60));
    assert_eq!(call().idempotency("k-1").send().await.expect(201)["id"], made["id"]);
    assert_eq!(call().idempotency("k-2").send().await.faults(), ["expiresAt"]);
    assert_eq!(stage.shown().await["status"], "expired");
}

#[both_stores]
async fn every_fault_of_a_body_is_named(test: TestStore) {
    let stage = Stage::new(test).await;
    let faults =
        async |body: Value| stage.app.post(REGISTRATION_LINKS).key(&stage.tenant.key).json(&body).send().await.faults();
    for name in ["", "x".repeat(201).as_str(), "a\nb"] {
        assert_eq!(faults(json!({ "name": name })).await, ["name"], "{name:?}");
    }
    for end in ["2026-01-02T03:04:05Z", "2026-01-09T03:04:05.001Z", "tomorrow"] {
        assert_eq!(faults(json!({ "expiresAt": end })).await, ["expiresAt"], "{end}");
    }
    let wrong = json!({
        "name": 5, "metadata": { "launchUrl": "javascript:alert(1)", "tokenAudience": "" }, "expiresAt": 5,
    });
    assert_eq!(faults(wrong).await, ["name", "metadata.launchUrl", "metadata.tokenAudience", "expiresAt"]);
    let latest = json!({ "expiresAt": "2026-01-09T03:04:05Z" });
    stage.app.post(REGISTRATION_LINKS).key(&stage.tenant.key).json(&latest).send().await.expect(201);
}

#[both_stores]
async fn a_list_is_newest_first_with_limit_and_offset_and_without_addresses(test: TestStore) {
    let stage = Stage::new(test).await;
    let other = stage.app.tenant("hillside").await;
    link(&stage.app, &other, &nothing()).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        stage.app.test.clock.advance(Duration::from_millis(1));
        ids.insert(0, stage.link(nothing()).await.id);
    }
    let list = async |query: &str| {
        let path = format!("{REGISTRATION_LINKS}{query}");
        let page = stage.app.get(&path).key(&stage.tenant.key).send().await.expect(200);
        assert_eq!(page["total"], 3);
        let items = page["items"].as_array().unwrap().clone();
        assert!(items.iter().all(|item| item.get("url").is_none()));
        items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(list("").await, ids);
    assert_eq!(list("?limit=2").await, ids[..2]);
    assert_eq!(list("?limit=2&offset=2").await, ids[2..]);
    let operator = stage.app.operator("o@example.com").await;
    let path = format!("{REGISTRATION_LINKS}?workspaceId={}", other.workspace);
    assert_eq!(stage.app.get(&path).cookie(&operator).send().await.expect(200)["total"], 1);
}

#[both_stores]
async fn a_revoked_link_connects_nothing_and_stays_in_the_list(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let other = stage.app.tenant("hillside").await;
    let path = format!("{REGISTRATION_LINKS}/{}", made.id);
    let unknown = format!("{REGISTRATION_LINKS}/{}", stage.app.test.ambient.id::<RegistrationLinkId>());
    for (path, key) in [(&path, &other.key), (&unknown, &stage.tenant.key)] {
        stage.app.delete(path).key(key).send().await.expect(404);
    }
    assert!(preview(&stage.app, &made, &query(&stage.lms)).await.is_ok());
    for _ in 0..2 {
        let revoked = stage.app.delete(&path).key(&stage.tenant.key).send().await.expect(200);
        assert_eq!(revoked, json!({ "success": true }));
    }
    assert_eq!(stage.shown().await["status"], "revoked");
    assert_eq!(preview(&stage.app, &made, &query(&stage.lms)).await, Err(Reason::RevokedLink));
    assert!(is_refused(stage.connect(&made).await, Reason::RevokedLink));
    assert_eq!(stage.lms.registration_posts(), 0);
}

#[both_stores]
async fn a_used_link_is_not_revoked(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    stage.connect(&made).await.unwrap();
    let path = format!("{REGISTRATION_LINKS}/{}", made.id);
    stage.app.delete(&path).key(&stage.tenant.key).send().await.expect(409);
    assert_eq!(stage.shown().await["status"], "used");
    stage.app.test.clock.advance(DAY * 8);
    assert_eq!(stage.shown().await["status"], "used");
}

#[both_stores]
async fn a_workspace_has_at_most_a_hundred_open_links(test: TestStore) {
    let stage = Stage::new(test).await;
    let mut last = None;
    for _ in 0..100 {
        last = Some(stage.link(nothing()).await);
    }
    let more = async || stage.app.post(REGISTRATION_LINKS).key(&stage.tenant.key).json(&nothing()).send().await;
    assert_eq!(more().await.expect(409)["error"]["code"], "platform_conflict");
    let path = format!("{REGISTRATION_LINKS}/{}", last.unwrap().id);
    stage.app.delete(&path).key(&stage.tenant.key).send().await.expect(200);
    more().await.expect(201);
    more().await.expect(409);
    stage.app.test.clock.advance(DAY);
    more().await.expect(201);
}

#[both_stores]
async fn of_links_that_have_ended_the_newest_are_kept(test: TestStore) {
    let stage = Stage::new(test).await;
    let workspace = stage.tenant.workspace;
    let ambient = stage.app.test.ambient.clone();
    let fill = move |tx: &mut Tx<'_>| {
        for n in 0_i64..1100 {
            let (id, digest) = (ambient.id::<RegistrationLinkId>(), format!("digest {n}"));
            tx.execute(
                "INSERT INTO lti_registration_link (id, workspace_id, token_digest, expires_at, created_at)
                 VALUES ($1, $2, $3, 1, $4)",
                &[&id, &workspace, &digest, &n],
            )?;
        }
        Ok::<_, store::StoreError>(())
    };
    stage.app.test.store.write("test", fill).await.unwrap();
    stage.link(nothing()).await;
    let kept = "SELECT count(*) FROM lti_registration_link WHERE created_at >= 100";
    assert_eq!(stage.app.count(kept).await, 1001);
    assert_eq!(stage.app.count("SELECT count(*) FROM lti_registration_link").await, 1001);
}
