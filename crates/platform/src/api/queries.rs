//! Query strings: lists and statistics refuse parameters that they do not take, because a filter that is silently ignored
//! returns wrong data; other operations ignore them.

use testkit::{TestStore, both_stores};

use crate::testing::{App, CONTRACT, Things};

/// Lists and reports whose answers are no arrays.
const OTHERS: [&str; 14] = [
    "GET /v1/platform/admin/stats",
    "GET /v1/platform/evaluations",
    "GET /v1/platform/learners/{learnerId}/mastery",
    "GET /v1/platform/lti/registrations",
    "GET /v1/platform/questions",
    "GET /v1/platform/questions/{id}/review-queue",
    "GET /v1/platform/submissions",
    "GET /v1/platform/lti/sessions/{id}/roster",
    "GET /v1/platform/lti/registration-links",
    "GET /v1/platform/workspaces/{id}/invoices",
    "GET /v1/platform/workspaces/{id}/ledger",
    "GET /v1/platform/admin/queues",
    "GET /v1/platform/admin/jobs",
    "GET /v1/platform/admin/audit-log",
];

fn is_strict(operation: &str) -> bool {
    let answer = &CONTRACT.documented(operation)["responses"]["200"]["content"]["application/json"]["schema"];
    OTHERS.contains(&operation) || answer["type"] == "array"
}

#[both_stores]
async fn lists_and_statistics_name_every_parameter_that_they_do_not_take_once_the_caller_is_known(test: TestStore) {
    let app = App::new(test);
    let things = Things::of(&app, "riverside").await;
    let mut strict = 0;
    let reads = CONTRACT.operations().into_iter().map(|(operation, _)| operation);
    // What needs no key has tests of its own.
    let keyless = ["/files/", "/videos/edit/", "/verify-email", "/.well-known/"];
    let reads = reads.filter(|name| name.starts_with("GET") && !keyless.iter().any(|part| name.contains(part)));
    for operation in reads {
        let named = if operation.ends_with("/api-keys") {
            format!("workspaceId={}&", things.tenant.workspace)
        } else {
            String::new()
        };
        let call = || things.bare_call(&app, &operation, &format!("{named}unheard=of&Limit=1"));
        call().send().await.expect(401);
        let reply = call().key(&things.admin_key).send().await;
        if is_strict(&operation) {
            assert_eq!(reply.faults(), ["unheard", "Limit"], "{operation}");
            strict += 1;
        } else {
            assert_eq!(reply.status.as_u16(), 200, "{operation}: {}", reply.body);
        }
    }
    assert!(strict >= 8, "{strict} lists and reports");
}
