use lti::claims;

use super::hints::Purpose;
use super::*;

/// What the tool answers to the teacher's request.
fn answer(test: &Test) -> Value {
    let now = NOW.as_seconds();
    json!({
        "iss": CLIENT_ID, "aud": URL, "iat": now, "exp": now + 300, "nonce": "n-1",
        claims::MESSAGE_TYPE: claims::DEEP_LINKING_RESPONSE,
        claims::LTI_VERSION: claims::VERSION,
        claims::DEPLOYMENT_ID: DEPLOYMENT,
        claims::DEEP_LINKING_DATA: test.lms.0.hints.seal(Purpose::DeepLinking, &TEACHER.id),
        claims::DEEP_LINKING_MESSAGE: "Enjoy <it>",
        claims::CONTENT_ITEMS: [item(test)],
    })
}

fn item(test: &Test) -> Value {
    json!({
        "type": "ltiResourceLink", "title": "Cells", "url": format!("{}/v1/platform/lti/launch", test.tool),
        "custom": { "resource": "7" }, "lineItem": { "label": "Cells", "scoreMaximum": 12, "resourceId": "7" },
    })
}

async fn post(test: &Test, key: &ToolKey, answer: &Value) -> Reply {
    test.post_form("/deep-links", &[("JWT", &key.sign(answer))]).await
}

#[tokio::test]
async fn what_a_teacher_picked_becomes_a_link_with_its_column() {
    let test = Test::new().await;
    let reply = post(&test, tool_key(), &answer(&test)).await;
    assert_eq!(reply.status, StatusCode::OK);
    assert!(reply.text.contains("1 link was added. Lectern says: Enjoy &#60;it&#62;"), "{}", reply.text);
    let school = test.lms.0.school();
    let link = school.link("link-1").unwrap();
    assert_eq!((link.title.as_str(), &link.custom["resource"]), ("Cells", &json!("7")));
    let column = school.columns_of("link-1").next().unwrap();
    assert_eq!((column.item.score_maximum, column.item.resource_id.as_deref()), (12.0, Some("7")));
}

#[tokio::test]
async fn who_picks_nothing_adds_nothing_and_a_link_needs_no_column() {
    let test = Test::new().await;
    let reply = post(&test, tool_key(), &with(answer(&test), claims::CONTENT_ITEMS, json!([]))).await;
    assert!(reply.status == 200 && reply.text.contains("Nothing was added."), "{}", reply.text);
    let plain = without(item(&test), "lineItem");
    let two = with(answer(&test), claims::CONTENT_ITEMS, json!([plain, plain]));
    let reply = post(&test, tool_key(), &with(two, "nonce", json!("n-2"))).await;
    assert!(reply.text.contains("2 links were added."), "{}", reply.text);
    assert!(test.lms.0.school().columns().is_empty());
}

#[tokio::test]
async fn an_answer_that_is_not_the_tools_to_this_request_adds_nothing() {
    let test = Test::new().await;
    let now = NOW.as_seconds();
    const DATA: &str = "belongs to no choice";
    const MESSAGE: &str = "no deep linking response";
    for (index, (name, value, reason)) in [
        ("iss", json!("other"), "iss must be"),
        ("aud", json!("http://localhost:1"), "aud must be"),
        ("exp", json!(now - 61), "exp must lie ahead"),
        ("iat", json!(now + 61), "iat must not"),
        ("nonce", json!(""), "nonce must be"),
        (claims::MESSAGE_TYPE, json!(claims::DEEP_LINKING_REQUEST), MESSAGE),
        (claims::LTI_VERSION, json!("1.2"), MESSAGE),
        (claims::DEPLOYMENT_ID, json!("other"), MESSAGE),
        (claims::DEEP_LINKING_DATA, json!("x"), DATA),
        (claims::DEEP_LINKING_DATA, json!(test.lms.0.hints.seal(Purpose::Login, &TEACHER.id)), DATA),
    ]
    .into_iter()
    .enumerate()
    {
        let fresh = |which: &str| with(answer(&test), "nonce", json!(format!("{which}-{index}")));
        for wrong in [with(fresh("other"), name, value), without(fresh("absent"), name)] {
            let reply = post(&test, tool_key(), &wrong).await;
            assert!(reply.status == StatusCode::BAD_REQUEST && reply.text.contains(reason), "{wrong}: {}", reply.text);
        }
    }
    let reply = post(&test, foreign_key(), &answer(&test)).await;
    assert!(reply.status == StatusCode::BAD_REQUEST && reply.text.contains("not believed"), "{}", reply.text);
    assert_eq!(test.post_form("/deep-links", &[]).await.status, StatusCode::BAD_REQUEST);
    assert!(test.lms.0.school().links().is_empty());
}

#[tokio::test]
async fn an_answer_counts_once() {
    let test = Test::new().await;
    let answer = answer(&test);
    assert_eq!(post(&test, tool_key(), &answer).await.status, StatusCode::OK);
    assert_eq!(post(&test, tool_key(), &answer).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(test.lms.0.school().links().len(), 1);
}

#[tokio::test]
async fn all_items_are_in_order_or_none_is_added() {
    let test = Test::new().await;
    let good = item(&test);
    let column = |maximum: Value| json!({ "label": "Cells", "scoreMaximum": maximum });
    for (index, (name, value)) in [
        ("type", json!("html")),
        ("title", json!("x".repeat(2001))),
        ("url", json!("https://evil.example/")),
        ("url", json!("javascript:alert(1)")),
        ("custom", json!({ "resource": 7 })),
        ("lineItem", column(json!(0))),
        ("lineItem", column(json!("many"))),
    ]
    .into_iter()
    .enumerate()
    {
        let items = json!([good, with(good.clone(), name, value)]);
        let answer = with(with(answer(&test), claims::CONTENT_ITEMS, items), "nonce", json!(format!("n-{index}")));
        let reply = post(&test, tool_key(), &answer).await;
        assert!(reply.status == 400 && reply.text.contains("Item 2 of"), "{name}: {}", reply.text);
    }
    for (nonce, items) in [("many", json!(vec![good.clone(); 51])), ("none", json!("x"))] {
        let answer = with(with(answer(&test), claims::CONTENT_ITEMS, items), "nonce", json!(nonce));
        assert_eq!(post(&test, tool_key(), &answer).await.status, StatusCode::BAD_REQUEST, "{nonce}");
    }
    assert!(test.lms.0.school().links().is_empty());
}
