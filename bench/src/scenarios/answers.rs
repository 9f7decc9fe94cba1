//! What is evaluated: requests as an integration would send them.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::load::{Load, Patch, Request};

/// The status of the answer with a grade.
pub(crate) const EVALUATED: u16 = 201;

/// An answer that code compares.
pub(crate) fn exact() -> Value {
    json!({
        "evaluationType": "exact",
        "questionText": "A train travels 150 kilometres in two and a half hours. What is its average speed?",
        "learnerAnswer": "60 km/h",
        "referenceAnswer": "60 km/h",
        "maxScore": 5,
        "clientMetadata": { "assignment": "physics-7b-03" },
    })
}

/// An answer that a grader reads.
pub(crate) fn open() -> Value {
    json!({
        "evaluationType": "open_ended",
        "questionText": "Why does a cell need mitochondria?",
        "learnerAnswer": "They release the energy from sugar that the cell needs for its work.",
        "referenceAnswer": "Mitochondria release energy from sugar, which the cell uses for everything it does.",
    })
}

/// The same at the tier where one judgement is enough.
pub(crate) fn open_standard() -> Value {
    let mut body = open();
    body["tier"] = json!("standard");
    body
}

/// Evaluations that are answered with their grade.
pub(crate) fn load_of(address: SocketAddr, key: &str, body: &Value) -> Load {
    Load { address, request: request(address, key, body, &[]), expected_status: EVALUATED }
}

/// The request for an evaluation, with more headers than it needs.
pub(crate) fn request(address: SocketAddr, key: &str, body: &Value, more: &[(&str, &str)]) -> Request {
    let authorization = format!("Bearer {key}");
    let headers = [&[("authorization", authorization.as_str())], more].concat();
    Request::new(address, "POST /v1/platform/evaluations", &headers, Some(&body.to_string()), Patch::None)
}
