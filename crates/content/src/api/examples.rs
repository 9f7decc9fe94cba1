//! The examples of the OpenAPI document: one small biology course, told in `examples/*.json` as [`edge::openapi::illustrate`]
//! reads them. That the service takes the requests and that the answers are of the documented form is shown by the tests of
//! `illustrations`.

pub(super) const FILES: [&str; 8] = [
    include_str!("examples/admin.json"),
    include_str!("examples/modules.json"),
    include_str!("examples/courses.json"),
    include_str!("examples/videos.json"),
    include_str!("examples/slides.json"),
    include_str!("examples/tests.json"),
    include_str!("examples/expansions.json"),
    include_str!("examples/exchange.json"),
];
