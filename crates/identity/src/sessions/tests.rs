use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::testing::{App, EMAIL};

const SESSIONS: &str = "/auth/sessions";

#[both_stores]
async fn an_admin_sees_and_ends_own_sessions_only(test: TestStore) {
    let app = App::new(test);
    app.admin(EMAIL).await;
    app.admin("other@example.com").await;
    let (one, two) = (app.sign_in(EMAIL).await, app.sign_in(EMAIL).await);
    let foreign = app.sign_in("other@example.com").await;
    let listed = app.get(SESSIONS).cookie(&one).send().await;
    assert!(!listed.body.contains(one.strip_prefix("jwt=").unwrap()), "{}", listed.body);
    let listed = listed.expect(200);
    let sessions = listed.as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions.iter().filter(|session| session["isCurrent"] == json!(true)).count(), 1);
    assert_eq!(sessions[0]["method"], "password");
    let other = sessions.iter().find(|session| session["isCurrent"] == json!(false)).unwrap();
    let path = format!("{SESSIONS}/{}", other["id"].as_str().unwrap());
    app.delete(&path).cookie(&foreign).send().await.expect(404);
    app.delete(&path).cookie(&one).send().await.expect(204);
    app.delete(&path).cookie(&one).send().await.expect(404);
    app.get(SESSIONS).cookie(&two).send().await.expect(401);
    app.get(SESSIONS).cookie(&foreign).send().await.expect(200);
    app.delete(&format!("{SESSIONS}/x")).cookie(&one).send().await.expect(404);
}

#[both_stores]
async fn all_others_end_at_once(test: TestStore) {
    let app = App::new(test);
    app.admin(EMAIL).await;
    let (one, two, three) = (app.sign_in(EMAIL).await, app.sign_in(EMAIL).await, app.sign_in(EMAIL).await);
    let revoked = app.post(&format!("{SESSIONS}/revoke-others")).cookie(&two).send().await.expect(200);
    assert_eq!(revoked, json!({ "revoked": 2 }));
    for (cookie, status) in [(one, 401), (two, 200), (three, 401)] {
        app.get(SESSIONS).cookie(&cookie).send().await.expect(status);
    }
    let foreign = app.post_bare(&format!("{SESSIONS}/revoke-others")).header("origin", "https://evil.example");
    foreign.cookie("jwt=x").send().await.expect(403);
}
