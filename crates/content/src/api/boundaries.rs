//! The document's limits are those that the code enforces: every body and query is sent at its limits and beyond them.

use testkit::http::boundaries::{body_cases, fields_without_limit, query_cases};
use testkit::http::description;
use testkit::{TestStore, both_stores};

use super::illustrations::{about_own, stand_ins};
use crate::testing::{App, CONTRACT, SIGN_IN_PAGE, Things};

/// The largest body that the service takes where nobody configured another: the longest content fits into it.
const BODY_LIMIT_BYTES: usize = edge::body::DEFAULT_BODY_LIMIT_BYTES;

const LOGIN: &str = "POST /auth/login";
const AUDIT_LOG: &str = "GET /v1/content/organizations/{organizationId}/audit-log";
const EXPANSIONS: &str = "GET /v1/content/integrations/expansions";
const CREATE_MODULE: &str = "POST /v1/content/classrooms/{classroomId}/modules";
const UPDATE_MODULE: &str = "PATCH /v1/content/classrooms/{classroomId}/modules/{moduleId}";
const CREATE_TEST: &str = "POST /v1/content/classrooms/{classroomId}/tests";
const UPDATE_TEST: &str = "PATCH /v1/content/classrooms/{classroomId}/tests/{testId}";
const CREATE_VIDEO: &str = "POST /v1/content/classrooms/{classroomId}/videos";
const DRAFT_TEST_ITEM: &str = "POST /v1/content/classrooms/{classroomId}/tests/{testId}/part-drafts";
const DRAFT_MODULE_PART: &str = "POST /v1/content/classrooms/{classroomId}/modules/{moduleId}/part-drafts";
const DRAFT_SLIDE: &str = "POST /v1/content/classrooms/{classroomId}/slides/{slideId}/part-drafts";
const DRAFT_SCENE: &str = "POST /v1/content/classrooms/{classroomId}/videos/{videoId}/part-drafts";

const BY_TYPE: &str = "how many there are, and which, depends on the item's type";

const OF_A_PART: &str = "has to be the place of a part, or of the next one";

/// Places whose readers judge by more than the schema: the operation, the place, the case, and the reason. The case is the
/// rule, or `allowed` for all values that the schema of the place alone allows.
const EXCEPTIONS: [(&str, &str, &str, &str); 20] = [
    (AUDIT_LOG, "cursor", "allowed", "a cursor is one that the log gave"),
    (LOGIN, "email", "format email, broken", "an account that can't be is answered like one that is not there"),
    (CREATE_MODULE, "quizzes[0].options", "allowed", BY_TYPE),
    (CREATE_MODULE, "quizzes[0].correctAnswers", "allowed", BY_TYPE),
    (CREATE_MODULE, "quizzes[0].correctAnswers[0]", "allowed", BY_TYPE),
    (UPDATE_MODULE, "quizzes[0].options", "allowed", BY_TYPE),
    (UPDATE_MODULE, "quizzes[0].correctAnswers", "allowed", BY_TYPE),
    (UPDATE_MODULE, "quizzes[0].correctAnswers[0]", "allowed", BY_TYPE),
    (UPDATE_TEST, "items[0].options", "allowed", BY_TYPE),
    (UPDATE_TEST, "items[0].correctAnswers", "allowed", BY_TYPE),
    (UPDATE_TEST, "items[0].correctAnswers[0]", "allowed", BY_TYPE),
    (CREATE_TEST, "passingValue", "maximum 1000000, kept", "so many points; of percent there are 100"),
    (UPDATE_TEST, "passingValue", "maximum 1000000, kept", "so many points; of percent there are 100"),
    (UPDATE_TEST, "passingValueType", "allowed", "must fit the passing value that is there"),
    (EXPANSIONS, "cursor", "allowed", "a cursor is one that the list gave"),
    (DRAFT_TEST_ITEM, "place", "maximum 10000, kept", OF_A_PART),
    (DRAFT_MODULE_PART, "place", "maximum 10000, kept", OF_A_PART),
    (DRAFT_SLIDE, "place", "maximum 10000, kept", OF_A_PART),
    (DRAFT_SCENE, "place", "maximum 10000, kept", OF_A_PART),
    (CREATE_VIDEO, "scenes[0].id", "format uuid, broken", "has no meaning in a new video"),
];

/// Places without a limit in the document: the operation, the place, and the reason.
const UNLIMITED: [(&str, &str, &str); 1] =
    [(LOGIN, "timezone", "the names of the time zone database are no list here")];

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
    let app = App::with_body_limit(test, BODY_LIMIT_BYTES);
    let mut faults = Vec::new();
    for (n, (operation, _)) in CONTRACT.operations().into_iter().enumerate() {
        let Some((schema, example)) = CONTRACT.documented_body(&operation) else { continue };
        let email = format!("{n}@example.com");
        let things = Things::of_operator(&app, &email).await;
        let example = about_own(&stand_ins(&things, &email), example);
        for case in body_cases(&CONTRACT.document, schema, &example) {
            if case.is_among(&EXCEPTIONS, &operation) {
                continue;
            }
            let call = things.bare_call(&app, &operation).header("referer", SIGN_IN_PAGE);
            let reply = call.key(&things.tenant.key).cookie(&things.cookie).json(&case.request).send().await;
            faults.extend(case.fault(&operation, &reply));
        }
    }
    assert!(faults.is_empty(), "{} differences between the document and the code: {faults:#?}", faults.len());
}

#[both_stores]
async fn every_query_is_judged_as_the_document_says(test: TestStore) {
    let app = App::new(test);
    let things = Things::of_operator(&app, "a@example.com").await;
    let mut faults = Vec::new();
    for (operation, _) in CONTRACT.operations() {
        for case in query_cases(&CONTRACT.document, CONTRACT.documented(&operation)) {
            if case.is_among(&EXCEPTIONS, &operation) {
                continue;
            }
            let call = things.queried_call(&app, &operation, &case.request).header("referer", SIGN_IN_PAGE);
            let call = call.key(&things.tenant.key).cookie(&things.cookie);
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
