use super::*;

const BOOK: [&str; 2] = [ags::SCOPE_LINE_ITEM, ags::SCOPE_SCORE];
const SCORES: &str = "/lineitems/1/scores";

fn score() -> Value {
    json!({
        "scoreGiven": 4, "scoreMaximum": 5, "activityProgress": "Completed", "gradingProgress": "FullyGraded",
        "userId": ANN.subject, "timestamp": "2026-11-21T17:38:45.000Z", "comment": "Well <i>done</i>",
    })
}

async fn post_score(test: &Test, token: &str, score: &Value) -> StatusCode {
    test.post(SCORES, Some(token), ags::SCORE_TYPE, score.to_string()).await.status
}

#[tokio::test]
async fn a_score_is_shown_on_the_scale_of_its_column() {
    let test = Test::with_links().await;
    let token = test.token(&BOOK).await;
    assert_eq!(post_score(&test, &token, &score()).await, StatusCode::NO_CONTENT);
    let grade = test.lms.grade(&ANN, "link-1", Duration::ZERO).await.unwrap();
    assert_eq!((grade.points, grade.maximum), (Some(16.0), 20.0));
    let page = test.get("/as/park/gradebook", None).await.text;
    assert!(page.contains("<span class=\"points\">16</span>"), "{page}");
    assert!(page.contains("Graded, <time datetime=\"2026-11-21"), "{page}");
    assert!(page.contains("Well &#60;i&#62;done"), "{page}");
}

#[tokio::test]
async fn a_score_that_is_not_final_shows_no_points() {
    let test = Test::with_links().await;
    let token = test.token(&BOOK).await;
    let pending = with(score(), "gradingProgress", json!("PendingManual"));
    assert_eq!(post_score(&test, &token, &pending).await, StatusCode::NO_CONTENT);
    assert_eq!(test.lms.grade(&ANN, "link-1", Duration::ZERO).await.unwrap().points, None);
    let page = test.get("/as/ann/gradebook", None).await.text;
    assert!(page.contains("Waits for a person") && !page.contains("class=\"points\""), "{page}");
}

#[tokio::test]
async fn a_score_that_is_not_in_order_is_not_written() {
    let test = Test::with_links().await;
    let token = test.token(&BOOK).await;
    for (name, value, expected) in [
        ("scoreGiven", json!(-1), 400),
        ("scoreMaximum", json!(0), 400),
        ("scoreMaximum", json!(null), 400),
        ("timestamp", json!("2026-11-21T17:38:45"), 400),
        ("timestamp", json!("yesterday"), 400),
        ("activityProgress", json!("Done"), 400),
        ("gradingProgress", json!("Graded"), 400),
        ("comment", json!("x".repeat(2001)), 400),
        ("userId", json!(TEACHER.subject), 422),
        ("userId", json!("ann"), 422),
    ] {
        assert_eq!(post_score(&test, &token, &with(score(), name, value)).await, expected, "{name}");
    }
    let elsewhere = test.post("/lineitems/3/scores", Some(&token), ags::SCORE_TYPE, score().to_string()).await;
    assert_eq!(elsewhere.status, StatusCode::NOT_FOUND);
    let as_json = test.post(SCORES, Some(&token), "application/json", score().to_string()).await;
    assert_eq!(as_json.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(test.lms.0.school().grade_of(&ANN, "link-1").is_none());
}

#[tokio::test]
async fn only_a_later_score_replaces_another() {
    let test = Test::with_links().await;
    let token = test.token(&BOOK).await;
    assert_eq!(post_score(&test, &token, &score()).await, StatusCode::NO_CONTENT);
    let better = with(score(), "scoreGiven", json!(5));
    assert_eq!(post_score(&test, &token, &better).await, StatusCode::CONFLICT, "of the same time");
    let later = with(better, "timestamp", json!("2026-11-21T18:38:46+01:00"));
    assert_eq!(post_score(&test, &token, &later).await, StatusCode::NO_CONTENT);
    assert_eq!(test.lms.grade(&ANN, "link-1", Duration::ZERO).await.unwrap().points, Some(20.0));
}

#[tokio::test]
async fn the_gradebook_opens_for_a_token_of_the_right_scope_only() {
    let test = Test::with_links().await;
    let (columns, scores) = (test.token(&[ags::SCOPE_LINE_ITEM]).await, test.token(&[ags::SCOPE_SCORE]).await);
    let reading = test.token(&[ags::SCOPE_LINE_ITEM_READONLY]).await;
    assert_eq!(post_score(&test, "x", &score()).await, StatusCode::UNAUTHORIZED);
    assert_eq!(post_score(&test, &columns, &score()).await, StatusCode::FORBIDDEN);
    assert_eq!(test.get("/lineitems", None).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(test.get("/lineitems", Some(&scores)).await.status, StatusCode::FORBIDDEN);
    assert_eq!(test.get("/lineitems", Some(&reading)).await.status, StatusCode::OK);
    let item = json!({ "label": "Essay", "scoreMaximum": 5 }).to_string();
    let made = test.post("/lineitems", Some(&reading), ags::LINE_ITEM_TYPE, item).await;
    assert_eq!(made.status, StatusCode::FORBIDDEN);
    test.clock.advance(Duration::from_secs(3600));
    assert_eq!(test.get("/lineitems", Some(&reading)).await.status, StatusCode::UNAUTHORIZED, "an hour later");
}

#[tokio::test]
async fn columns_are_found_by_their_resource_page_by_page_and_made() {
    let test = Test::with_links().await;
    let token = test.token(&BOOK).await;
    let item = json!({ "label": "Essay", "scoreMaximum": 5, "resourceLinkId": "link-2", "tag": "final" });
    let make = async |item: &Value| test.post("/lineitems", Some(&token), ags::LINE_ITEM_TYPE, item.to_string()).await;
    let made = make(&item).await;
    assert_eq!((made.status, &made.json()["id"]), (StatusCode::CREATED, &json!(format!("{URL}/lineitems/2"))));
    assert_eq!(test.get("/lineitems/2", Some(&token)).await.json(), made.json());
    assert_eq!(test.get("/lineitems/3", Some(&token)).await.status, StatusCode::NOT_FOUND);
    let found = test.get("/lineitems?resource_id=7", Some(&token)).await.json();
    assert_eq!((found.as_array().unwrap().len(), &found[0]["resourceLinkId"]), (1, &json!("link-1")));
    let first = test.get("/lineitems?limit=1", Some(&token)).await;
    let links = first.headers.get_all("link").iter().map(|link| link.to_str().unwrap());
    let next = lti::next_page(&format!("{URL}/lineitems").parse().unwrap(), links).unwrap().unwrap();
    let second = test.get(&next.as_str()[URL.len()..], Some(&token)).await;
    assert_eq!((&second.json()[0]["tag"], second.headers.get("link")), (&json!("final"), None));
    for (name, value, expected) in [
        ("label", json!(" "), 400),
        ("scoreMaximum", json!(0), 400),
        ("tag", json!("x".repeat(2001)), 400),
        ("resourceLinkId", json!("link-9"), 422),
    ] {
        assert_eq!(make(&with(item.clone(), name, value)).await.status, expected, "{name}");
    }
}
