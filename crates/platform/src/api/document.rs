//! What the OpenAPI document says of every operation of a sort: parameters and answers that follow from the operation's
//! credential, method and path. An operation that documents one of them itself keeps its own words.

use edge::openapi::{AnswerHeader, Described, RATE_LIMIT, describe_headers, inline_scalars, operations_of, set_tags};
use edge::problem::PlatformErrorBody;
use utoipa::ToSchema as _;
use utoipa::openapi::OpenApi;

/// The groups of operations, each with what they are about.
const TAGS: [(&str, &str); 12] = [
    ("Evaluations", "Learners' answers are graded, and people review the grades"),
    ("Questions", "What answers are evaluated for: figures, the answers to review next, and grading again"),
    ("Learners", "What learners know, and their erasure"),
    ("API keys", "Platform API keys of a workspace"),
    ("Webhooks", "Endpoints that are told of events, and the requests that they get"),
    ("LTI", "Learning platforms that launch here and get grades back"),
    ("Videos", "The review of a video by its edit link: scenes, rendering, and what was rendered"),
    ("Submissions", "Tests that learners took in a launch from a learning platform"),
    ("Workspaces", "Customers with their credits, limits and billing"),
    ("Agent", "What a program does for its workspace: the verification of its e-mail address, and how it pays"),
    ("Statistics", "Usage by service, day and workspace"),
    ("Operations", "Work in the background and the audit log, for operators"),
];
/// The description of operations that have no other, by their credential.
const BY_CREDENTIAL: [(&str, &str); 1] =
    [("platformKey", "A key acts on its own workspace; an operator, or a key with `platform:admin`, on every one.")];
/// Creates that answer a repeated request with the first one's answer.
const REPEATABLE: [&str; 9] = [
    "/v1/platform/evaluations",
    "/v1/platform/evaluations/reviews",
    "/v1/platform/api-keys",
    "/v1/platform/workspaces",
    "/v1/platform/workspaces/from-organization",
    "/v1/platform/webhooks",
    "/v1/platform/lti/registrations",
    "/v1/platform/lti/registration-links",
    "/v1/platform/agent/billing/session",
];
/// Changes that may be repeated likewise.
const REPEATABLE_ENDS: [&str; 7] =
    ["/review", "/regrade", "/rotate", "/credits", "/rotate-secret", "/test", "/redeliver"];
/// Lists that come in pages.
const PAGED_ENDS: [&str; 1] = ["/deliveries"];

/// Completes every operation.
pub(super) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations_of(item) {
            complete_operation(method, path, Described::new(operation, PlatformErrorBody::name()));
        }
    }
    inline_scalars(document);
    describe_headers(document);
    set_tags(document, &TAGS);
}

fn complete_operation(method: &str, path: &str, mut described: Described<'_>) {
    described.take(&["operatorSession", "platformKey"]);
    let is_repeatable =
        method == "POST" && (REPEATABLE.contains(&path) || REPEATABLE_ENDS.iter().any(|end| path.ends_with(end)));
    let is_paged = method == "GET" && PAGED_ENDS.iter().any(|end| path.ends_with(end));
    if is_repeatable {
        described.header("Idempotency-Key", "1 to 255 visible ASCII characters");
        described.error("409", "The idempotency key was used for another request, or the state stands against it");
    }
    if method == "POST" && path == "/v1/platform/evaluations" {
        described.error("402", "The workspace's credits don't suffice");
    }
    let is_for_keys = described.is_for("platformKey");
    if is_for_keys {
        described.error("400", "The request is invalid; every fault is named");
        described.error("401", "The key is missing, invalid, revoked or expired");
        described.error(
            "403",
            "The workspace is suspended, its e-mail address is not verified, or the caller may not do this",
        );
        described.error("404", "There is no such thing for this caller");
        described.error("429", "The workspace's rate limit is exceeded");
    }
    if path.ends_with("/render") {
        described.let_body_be_absent();
    }
    if described.takes_a_body() {
        described.error("413", "The body is too large");
        described.error("415", "The body is of another type");
    }
    described.complete_requests(path);
    described.complete_wording(&BY_CREDENTIAL);
    described.error("500", "An unexpected error");
    described.error("503", "Try again; a create with the same idempotency key");
    described.answer_headers(|status, add| {
        let is_success = status.starts_with('2');
        add(true, &[AnswerHeader::XRequestId]);
        add(is_for_keys && status != "401" && !status.starts_with('5'), &RATE_LIMIT);
        add(is_repeatable && is_success, &[AnswerHeader::IdempotentReplayed]);
        add(is_paged && is_success, &[AnswerHeader::XTotalCount, AnswerHeader::Link]);
        add(status == "401", &[AnswerHeader::WwwAuthenticate]);
        add(matches!(status, "429" | "503"), &[AnswerHeader::RetryAfter]);
    });
}
