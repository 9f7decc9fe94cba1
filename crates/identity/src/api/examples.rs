//! The examples of the OpenAPI document: the people of the school whose course the content surface tells of, in
//! `examples/*.json` as [`edge::openapi::illustrate`] reads them. That the answers are of the documented form and that the service
//! takes the requests is shown by the tests of `illustrations`.

pub(super) const FILES: [&str; 6] = [
    include_str!("examples/first_run.json"),
    include_str!("examples/sessions.json"),
    include_str!("examples/second_factors.json"),
    include_str!("examples/passkeys.json"),
    include_str!("examples/users.json"),
    include_str!("examples/members.json"),
];
