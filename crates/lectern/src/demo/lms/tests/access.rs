use lti::Reason;

use super::*;

/// The claims of an assertion that is in order.
fn assertion() -> Value {
    let now = NOW.as_seconds();
    json!({
        "iss": CLIENT_ID, "sub": CLIENT_ID, "aud": format!("{URL}/token"), "iat": now, "exp": now + 300, "jti": "j-1",
    })
}

async fn ask(test: &Test, assertion: &str, change: Option<(&str, &str)>) -> Reply {
    let mut fields = vec![
        ("grant_type", "client_credentials"),
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        ("client_assertion", assertion),
        ("scope", ags::SCOPE_SCORE),
    ];
    if let Some((name, value)) = change {
        fields.retain(|(own, _)| *own != name);
        fields.push((name, value));
    }
    test.post_form("/token", &fields).await
}

#[tokio::test]
async fn the_tool_gets_those_of_the_scopes_that_it_may_have() {
    let test = Test::new().await;
    let scope = format!("{} {} urn:other", ags::SCOPE_SCORE, ags::SCOPE_LINE_ITEM);
    let reply = ask(&test, &tool_key().sign(&assertion()), Some(("scope", &scope))).await;
    assert_eq!((reply.status, &reply.headers["cache-control"]), (StatusCode::OK, &"no-store".parse().unwrap()));
    let token = lti::access_token::AccessToken::parse(reply.text.as_bytes()).unwrap();
    assert!(token.allows(ags::SCOPE_SCORE) && token.allows(ags::SCOPE_LINE_ITEM) && !token.allows("urn:other"));
    assert_eq!(token.life, Duration::from_secs(3600));
}

#[tokio::test]
async fn an_assertion_that_is_not_in_order_gets_no_token() {
    let test = Test::new().await;
    let now = NOW.as_seconds();
    for (index, (name, value, reason)) in [
        ("iss", json!("other"), "iss must be"),
        ("sub", json!("other"), "sub must be"),
        ("aud", json!("http://localhost:1/token"), "aud must be"),
        ("aud", json!([format!("{URL}/token"), "x"]), "aud must be"),
        ("exp", json!(now - 61), "exp must lie ahead"),
        ("exp", json!(now + 86_400), "exp must lie ahead"),
        ("exp", json!("soon"), "exp must lie ahead"),
        ("iat", json!(now + 61), "iat must not"),
        ("jti", json!(""), "jti must be"),
    ]
    .into_iter()
    .enumerate()
    {
        let fresh = |which: &str| with(assertion(), "jti", json!(format!("{which}-{index}")));
        for wrong in [with(fresh("other"), name, value), without(fresh("absent"), name)] {
            let reply = ask(&test, &tool_key().sign(&wrong), None).await;
            let error = reply.json();
            assert_eq!(
                (reply.status, &error["error"]),
                (StatusCode::UNAUTHORIZED, &json!("invalid_client")),
                "{wrong}"
            );
            assert!(error["error_description"].as_str().unwrap().starts_with(reason), "{wrong}: {error}");
        }
    }
}

#[tokio::test]
async fn only_the_tools_own_key_signs_and_each_assertion_counts_once() {
    let test = Test::new().await;
    let signed = tool_key().sign(&assertion());
    let (_, rest) = signed.split_once('.').unwrap();
    let (payload, _) = rest.split_once('.').unwrap();
    // {"alg":"none"}
    let unsigned = format!("eyJhbGciOiJub25lIn0.{payload}.");
    let (head, signature) = signed.rsplit_once('.').unwrap();
    let other = if signature.starts_with('A') { 'B' } else { 'A' };
    for (wrong, token, reason) in [
        ("a foreign key", foreign_key().sign(&assertion()), Reason::UnknownKey.sentence()),
        ("the platform's key", KEYS[0].sign(&assertion()), Reason::UnknownKey.sentence()),
        ("no signature", unsigned, Reason::Algorithm.sentence()),
        ("another signature", format!("{head}.{other}{}", &signature[1..]), Reason::Signature.sentence()),
        ("no token", "x.y.z".to_owned(), Reason::NotAToken.sentence()),
        ("too long", "x".repeat(200_000), "the token is longer"),
    ] {
        let reply = ask(&test, &token, None).await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{wrong}");
        assert!(reply.text.contains(reason), "{wrong}: {}", reply.text);
    }
    assert_eq!(ask(&test, &signed, None).await.status, StatusCode::OK);
    assert_eq!(ask(&test, &signed, None).await.json()["error"], "invalid_client", "replayed");
}

#[tokio::test]
async fn a_request_for_a_token_is_of_the_one_kind_and_names_a_scope() {
    let test = Test::new().await;
    let signed = tool_key().sign(&assertion());
    for (name, value, code) in [
        ("grant_type", "password", "unsupported_grant_type"),
        ("client_assertion_type", "x", "invalid_request"),
        ("client_assertion", "", "invalid_request"),
        ("scope", "urn:other", "invalid_scope"),
    ] {
        let reply = ask(&test, &signed, Some((name, value))).await;
        assert_eq!((reply.status, &reply.json()["error"]), (StatusCode::BAD_REQUEST, &json!(code)), "{name}");
    }
}
