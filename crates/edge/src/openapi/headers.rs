//! The headers of answers. Each is described once, among the document's components; answers refer to it.

use std::collections::BTreeSet;

use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr, Response};

use super::operations_of;

/// A header of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerHeader {
    /// The version of a resource.
    ETag,
    /// Says that an answer is a repeated one.
    IdempotentReplayed,
    /// The other pages.
    Link,
    /// How many requests a window has.
    RateLimitLimit,
    /// How many of them are left.
    RateLimitRemaining,
    /// When they begin anew.
    RateLimitReset,
    /// When to try again.
    RetryAfter,
    /// The session.
    SetCookie,
    /// How to authenticate.
    WwwAuthenticate,
    /// Which request it was.
    XRequestId,
    /// How many things there are.
    XTotalCount,
}

/// What is said of the rate limit, on every answer to a request that was counted.
pub const RATE_LIMIT: [AnswerHeader; 3] =
    [AnswerHeader::RateLimitLimit, AnswerHeader::RateLimitRemaining, AnswerHeader::RateLimitReset];

impl AnswerHeader {
    const ALL: [Self; 11] = [
        Self::ETag,
        Self::IdempotentReplayed,
        Self::Link,
        Self::RateLimitLimit,
        Self::RateLimitRemaining,
        Self::RateLimitReset,
        Self::RetryAfter,
        Self::SetCookie,
        Self::WwwAuthenticate,
        Self::XRequestId,
        Self::XTotalCount,
    ];

    /// As specifications write it; the wire has it in lower case.
    const fn name(self) -> &'static str {
        match self {
            Self::ETag => "ETag",
            Self::IdempotentReplayed => "Idempotent-Replayed",
            Self::Link => "Link",
            Self::RateLimitLimit => "RateLimit-Limit",
            Self::RateLimitRemaining => "RateLimit-Remaining",
            Self::RateLimitReset => "RateLimit-Reset",
            Self::RetryAfter => "Retry-After",
            Self::SetCookie => "Set-Cookie",
            Self::WwwAuthenticate => "WWW-Authenticate",
            Self::XRequestId => "X-Request-Id",
            Self::XTotalCount => "X-Total-Count",
        }
    }

    fn header(self) -> Header {
        let (description, schema_type, example) = match self {
            Self::ETag => ("The resource's version in quotation marks", Type::String, "\"7\""),
            Self::IdempotentReplayed => (
                "`true` where an earlier request with the same idempotency key got this answer; else absent",
                Type::String,
                "true",
            ),
            Self::Link => (
                "RFC 8288: the `first`, `prev`, `next` and `last` page",
                Type::String,
                "<https://lectern.example.com/v1/content/classrooms/01a1ff30-2df1-7f8f-9190-b3c8aca5893b/modules?limit=20&page=2>; rel=\"next\"",
            ),
            Self::RateLimitLimit => ("Requests that the key may make in 60 seconds", Type::Integer, "60"),
            Self::RateLimitRemaining => ("Requests that are left of them", Type::Integer, "59"),
            Self::RateLimitReset => ("Seconds until the 60 are over", Type::Integer, "60"),
            Self::RetryAfter => ("Seconds after which it is worth trying again", Type::Integer, "5"),
            Self::SetCookie => {
                ("The session's cookie `jwt`", Type::String, "jwt=…; Path=/; HttpOnly; SameSite=Lax; Secure")
            }
            Self::WwwAuthenticate => ("The scheme of keys", Type::String, "Bearer"),
            Self::XRequestId => ("The request's id: the client's own where it sent one", Type::String, "order-7"),
            Self::XTotalCount => ("How many things there are on all pages", Type::Integer, "42"),
        };
        let schema = ObjectBuilder::new().schema_type(schema_type.clone());
        let example = match schema_type {
            Type::Integer => serde_json::from_str(example).ok(),
            _ => Some(example.into()),
        };
        HeaderBuilder::new().description(Some(description)).schema(Some(schema)).example(example).build()
    }

    /// Says that an answer has it.
    pub fn add_to(self, response: &mut Response) {
        let reference = Ref::new(format!("#/components/headers/{}", self.name()));
        response.headers.entry(self.name().to_owned()).or_insert(RefOr::Ref(reference));
    }
}

/// Describes those that the document's answers refer to.
pub fn describe(document: &mut OpenApi) {
    let items = document.paths.paths.values_mut();
    let operations = items.flat_map(|item| operations_of(item).into_iter().map(|(_, operation)| operation));
    let responses = operations.flat_map(|operation| operation.responses.responses.values());
    let headers = responses.filter_map(|response| match response {
        RefOr::T(response) => Some(response.headers.iter()),
        RefOr::Ref(_) => None,
    });
    // A header that an answer describes itself needs no component.
    let referred = headers.flatten().filter(|(_, header)| matches!(header, RefOr::Ref(_)));
    let names: BTreeSet<String> = referred.map(|(name, _)| name.clone()).collect();
    let listed = AnswerHeader::ALL.into_iter().filter(|header| names.contains(header.name()));
    let described = listed.map(|header| (header.name().to_owned(), RefOr::T(header.header())));
    document.components.get_or_insert_default().headers.extend(described);
}
