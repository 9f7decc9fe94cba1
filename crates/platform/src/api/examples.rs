//! The examples of the OpenAPI document: answers about the biology course of the content surface, told in `examples/*.json` as
//! [`edge::openapi::illustrate`] reads them. That the service takes the requests and that the answers are of the documented form
//! is shown by the tests of `illustrations`.

pub(super) const FILES: [&str; 10] = [
    include_str!("examples/evaluations.json"),
    include_str!("examples/questions.json"),
    include_str!("examples/workspaces.json"),
    include_str!("examples/keys.json"),
    include_str!("examples/webhooks.json"),
    include_str!("examples/lti.json"),
    include_str!("examples/submissions.json"),
    include_str!("examples/videos.json"),
    include_str!("examples/agent.json"),
    include_str!("examples/operations.json"),
];
