//! A platform is connected, and both sides know each other.

use ::lti::claims;
use testkit::both_stores;
use testkit::lms::{CLIENT_ID, DEPLOYMENT};

use super::*;

#[both_stores]
async fn the_platform_and_the_service_know_each_other(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let connected = stage.connect(&made).await.unwrap();
    assert_eq!(connected.name, "testkit at 127.0.0.1");
    assert_eq!((connected.client_id.as_str(), connected.deployment_id.as_deref()), (CLIENT_ID, Some(DEPLOYMENT)));
    let url = stage.lms.issuer();
    let expected = json!([{
        "id": connected.id, "platformWorkspaceId": stage.tenant.workspace, "name": "testkit at 127.0.0.1", "issuer": url,
        "clientId": CLIENT_ID, "authorizationEndpoint": format!("{url}/auth"), "tokenEndpoint": format!("{url}/token"),
        "jwksEndpoint": format!("{url}/jwks"), "status": "active", "metadata": { "productFamilyCode": "testkit" },
        "createdAt": "2026-01-02T03:04:05.000Z", "updatedAt": "2026-01-02T03:04:05.000Z",
    }]);
    assert_eq!(json!(stage.registrations().await), expected);
    let deployed = "SELECT count(*) FROM lti_deployment WHERE deployment_id = 'deployment-1'";
    assert_eq!(stage.app.count(deployed).await, 1);
    let [tool]: [Value; 1] = stage.lms.registered_tools().try_into().unwrap();
    let at = |path: &str| format!("https://lectern.example/v1/platform/lti/{path}");
    for (member, expected) in [
        ("client_name", json!("Lectern")),
        ("initiate_login_uri", json!(at("login"))),
        ("redirect_uris", json!([at("launch")])),
        ("jwks_uri", json!(at(".well-known/jwks.json"))),
    ] {
        assert_eq!(tool[member], expected, "{member}");
    }
    assert_eq!(tool[claims::TOOL_CONFIGURATION]["domain"], "lectern.example");
    let shown = stage.shown().await;
    assert_eq!((&shown["status"], &shown["registrationId"]), (&json!("used"), &json!(connected.id)));
    assert_eq!(shown["usedAt"], "2026-01-02T03:04:05.000Z");
}

#[both_stores]
async fn the_name_and_metadata_of_the_link_count(test: TestStore) {
    let stage = Stage::new(test).await;
    let mut configuration = stage.lms.configuration();
    configuration["authorization_server"] = json!("https://auth.lms.example/realm");
    stage.lms.claim_to_be(&configuration);
    let own = json!({ "own": 1.50, "productFamilyCode": "mine" });
    let made = stage.link(json!({ "name": "Riverside Moodle", "metadata": own })).await;
    let connected = stage.connect(&made).await.unwrap();
    assert_eq!(connected.name, "Riverside Moodle");
    let expected =
        json!({ "own": 1.50, "productFamilyCode": "mine", "tokenAudience": "https://auth.lms.example/realm" });
    assert_eq!(stage.registrations().await[0]["metadata"], expected);
}

#[both_stores]
async fn a_platform_need_not_tell_its_kind_nor_a_deployment(test: TestStore) {
    let stage = Stage::new(test).await;
    let mut configuration = stage.lms.configuration();
    configuration.as_object_mut().unwrap().shift_remove(claims::PLATFORM_CONFIGURATION);
    stage.lms.claim_to_be(&configuration);
    stage.lms.answer_registrations(&[(http::StatusCode::OK, r#"{"client_id":"c-1"}"#)]);
    let connected = stage.connect(&stage.link(nothing()).await).await.unwrap();
    assert_eq!((connected.name.as_str(), connected.deployment_id), ("127.0.0.1", None));
    assert_eq!(stage.registrations().await[0]["metadata"], Value::Null);
    assert_eq!(stage.app.count("SELECT count(*) FROM lti_deployment").await, 0);
}

#[both_stores]
async fn a_preview_shows_who_would_be_connected_and_changes_nothing(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(json!({ "name": "Riverside Moodle" })).await;
    let before = stage.app.stored().await;
    for _ in 0..3 {
        let invitation = preview(&stage.app, &made, &query(&stage.lms)).await.unwrap();
        assert_eq!(
            (invitation.workspace.as_str(), invitation.name.as_deref()),
            ("riverside", Some("Riverside Moodle"))
        );
        assert_eq!(format!("http://{}", invitation.platform), stage.lms.issuer());
    }
    assert_eq!(stage.app.stored().await, before);
    assert!(stage.connect(&made).await.is_ok());
}

#[both_stores]
async fn a_link_connects_one_platform_and_the_next_gets_another_link(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    stage.connect(&made).await.unwrap();
    assert!(is_refused(stage.connect(&made).await, Reason::UsedLink));
    assert_eq!(stage.lms.registration_posts(), 1);
    let second = stage.connect(&stage.link(nothing()).await).await.unwrap();
    assert_eq!(second.client_id, "tool-2");
    assert_eq!(stage.registrations().await.len(), 2);
}

#[both_stores]
async fn a_deleted_registration_leaves_its_link_used(test: TestStore) {
    let stage = Stage::new(test).await;
    let made = stage.link(nothing()).await;
    let connected = stage.connect(&made).await.unwrap();
    let path = format!("{REGISTRATIONS}/{}", connected.id);
    stage.app.delete(&path).key(&stage.tenant.key).send().await.expect(200);
    let shown = stage.shown().await;
    assert_eq!((&shown["status"], &shown["registrationId"]), (&json!("used"), &Value::Null));
    assert!(is_refused(stage.connect(&made).await, Reason::UsedLink));
}
