//! The document's limits are those that the code enforces: every body and query is sent at its limits and beyond them.

use std::time::Duration;

use testkit::http::boundaries::{body_cases, fields_without_limit, query_cases};
use testkit::http::description;
use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, Things};

/// A case may set the workspace's rate limit to 1: the next one comes a window later.
const WINDOW: Duration = Duration::from_secs(60);

const EVALUATIONS: &str = "GET /v1/platform/evaluations";
const EVALUATE: &str = "POST /v1/platform/evaluations";
const REVIEW: &str = "POST /v1/platform/evaluations/{id}/review";
const REVIEW_MANY: &str = "POST /v1/platform/evaluations/reviews";
const QUESTIONS: &str = "GET /v1/platform/questions";
const REGRADE: &str = "POST /v1/platform/questions/{id}/regrade";
const BILLING: &str = "POST /v1/platform/agent/billing/session";
const SUBMISSIONS: &str = "GET /v1/platform/submissions";
const LEDGER: &str = "GET /v1/platform/workspaces/{id}/ledger";
const JOBS: &str = "GET /v1/platform/admin/jobs";
const AUDIT_LOG: &str = "GET /v1/platform/admin/audit-log";
const DRAFT_SCENE: &str = "POST /v1/platform/videos/edit/{editToken}/part-drafts";
const DOWNLOAD: &str = "GET /v1/platform/files/{fileId}";

/// Places whose readers judge by more than the schema: the operation, the place, the case, and the reason. The case is the
/// rule, or `allowed` for all values that the schema of the place alone allows.
const EXCEPTIONS: [(&str, &str, &str, &str); 17] = [
    (LEDGER, "cursor", "allowed", "a cursor is one that the list gave"),
    (JOBS, "cursor", "allowed", "a cursor is one that the list gave"),
    (AUDIT_LOG, "cursor", "allowed", "a cursor is one that the list gave"),
    (BILLING, "credits", "nullable: true, null", "the example buys some"),
    (EVALUATIONS, "cursor", "allowed", "a cursor is one that the list gave"),
    (QUESTIONS, "cursor", "allowed", "a cursor is one that the list gave"),
    (REGRADE, "cursor", "allowed", "a cursor is one that the last answer gave"),
    (REVIEW_MANY, "reviews", "maxItems 100, reached", "each names another evaluation"),
    (SUBMISSIONS, "cursor", "allowed", "a cursor is one that the list gave"),
    (EVALUATE, "processingMode", "enum, \"model\"", "the test's service has no model"),
    (EVALUATE, "referenceAnswer", "nullable: true, null", "the example's type needs one"),
    (REVIEW, "score", "nullable: true, null", "the example's evaluation has no rubric, so it needs a score"),
    (REVIEW, "score", "maximum 1000000, kept", "the highest score is the evaluation's"),
    (REVIEW, "criteria", "maxItems 100, reached", "the example's evaluation has no rubric"),
    (DRAFT_SCENE, "place", "maximum 10000, kept", "has to be the place of a scene, or of the next one"),
    (DOWNLOAD, "expires", "required, left out", "what is wrong with a link is not told: 404"),
    (DOWNLOAD, "signature", "required, left out", "what is wrong with a link is not told: 404"),
];

/// Places without a limit in the document: the operation, the place, and the reason.
const UNLIMITED: [(&str, &str, &str); 0] = [];

#[test]
fn the_document_says_what_generated_clients_need() {
    let faults = description::faults(&CONTRACT.document);
    assert!(faults.is_empty(), "complete the document, beside the operation: {faults:#?}");
}

#[test]
fn every_field_of_a_body_has_a_limit_in_the_document() {
    let missing = fields_without_limit(&CONTRACT, &UNLIMITED);
    assert!(
        missing.is_empty(),
        "give these the limits that their readers enforce, as attributes of the schema: {missing:#?}"
    );
}

#[both_stores]
async fn every_body_is_judged_as_the_document_says(test: TestStore) {
    let app = App::new(test);
    let mut faults = Vec::new();
    for (n, (operation, _)) in CONTRACT.operations().into_iter().enumerate() {
        let Some((schema, _)) = CONTRACT.documented_body(&operation) else { continue };
        let things = Things::of(&app, Box::leak(format!("riverside-{n}").into_boxed_str())).await;
        let example = things.body(&operation).unwrap_or_else(|| panic!("{operation} needs a body in Things"));
        for case in body_cases(&CONTRACT.document, schema, &example) {
            if case.is_among(&EXCEPTIONS, &operation) {
                continue;
            }
            app.test.clock.advance(WINDOW);
            let call = things.bare_call(&app, &operation, "").key(&things.admin_key);
            faults.extend(case.fault(&operation, &call.json(&case.request).send().await));
        }
    }
    assert!(faults.is_empty(), "{} differences between the document and the code: {faults:#?}", faults.len());
}

#[both_stores]
async fn every_query_is_judged_as_the_document_says(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let mut faults = Vec::new();
    for (operation, _) in CONTRACT.operations() {
        for case in query_cases(&CONTRACT.document, CONTRACT.documented(&operation)) {
            if case.is_among(&EXCEPTIONS, &operation) {
                continue;
            }
            let call = things.queried_call(&app, &operation, &case.request).key(&things.admin_key);
            let reply = match things.body(&operation) {
                Some(body) => call.json(&body).send().await,
                None => call.send().await,
            };
            faults.extend(case.fault(&operation, &reply));
        }
    }
    assert!(faults.is_empty(), "{} differences between the document and the code: {faults:#?}", faults.len());
}

#[test]
fn every_exception_is_about_an_operation_that_there_is() {
    let named = EXCEPTIONS.iter().map(|(operation, path, ..)| (operation, path));
    for (operation, path) in named.chain(UNLIMITED.iter().map(|(operation, path, _)| (operation, path))) {
        assert!(!CONTRACT.documented(operation).is_null(), "{operation} is gone: remove what is said of its {path}");
    }
}
