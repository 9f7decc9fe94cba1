//! The document that was reviewed. A change of the API is a change of that file, for a reviewer to see.

const REVIEWED: &str = include_str!("../../../../openapi/platform.json");
const RENEW: &str = "cargo run -q -p lectern -- openapi platform > openapi/platform.json";

#[test]
fn the_document_is_the_reviewed_one() {
    let document = serde_json::to_string_pretty(&super::openapi()).unwrap() + "\n";
    let differing = REVIEWED.lines().zip(document.lines()).position(|(reviewed, now)| reviewed != now);
    let first = differing.unwrap_or(REVIEWED.lines().count().min(document.lines().count()));
    let line = |text: &str| text.lines().nth(first).unwrap_or("(the end)").to_owned();
    assert!(
        document == REVIEWED,
        "the OpenAPI document is not the reviewed one of openapi/platform.json from line {} on:\n  reviewed: {}\n  now:      {}\n\
         Renew it and look at the difference:\n  {RENEW}\n  git diff openapi/platform.json",
        first + 1,
        line(REVIEWED),
        line(&document),
    );
}
