//! The operations that are alike for all kinds of resources: their routes and what the document says of them, made from
//! the kind's names. A kind's other operations document themselves in its own folder.

use axum::routing::{self, MethodRouter};
use edge::openapi::optional_text;
use edge::problem::ContentErrorBody;
use http::StatusCode;
use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, ParameterIn};
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Content as MediaType, PathItem, PathsBuilder, Ref, RefOr, Response, ResponseBuilder, Schema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use super::document::RESOURCES;
use crate::Content;
use crate::generation::generated::Generated;
use crate::generation::retry;
use crate::resources::{self, Delete, Kind};

/// A list of a kind's resources, one of them, and its deletion. `one` is what the document says of reading one.
pub(super) fn common<R: Delete + ToSchema>(one: &str) -> OpenApiRouter<Content> {
    let kind = R::KIND;
    let list = operation(kind, &format!("list{}s", kind.name()))
        .summary(Some(format!("A page of a classroom's {}, newest first.", kind.plural())))
        .response(
            "200",
            answer(&format!("The {} of the page", kind.plural()), ArrayBuilder::new().items(listed(kind))),
        );
    let get = operation(kind, &format!("get{}", kind.name()))
        .summary(Some(one))
        .response("200", answer(&format!("The {}", kind.as_str()), reference::<R>()));
    let (deleted, schemas_of_answer) = match R::STATUS {
        StatusCode::NO_CONTENT => (ResponseBuilder::new().description(R::ANSWER).build(), Vec::new()),
        _ => (answer(R::ANSWER, reference::<R::Answer>()), schemas::<R::Answer>()),
    };
    let delete = operation(kind, &format!("delete{}", kind.name()))
        .summary(Some(R::SUMMARY))
        .response(R::STATUS.as_str(), deleted);
    let (many, one) = (format!("{RESOURCES}{}", kind.plural()), path_of_one(kind));
    OpenApiRouter::new()
        .routes(route(&many, HttpMethod::Get, list, (Vec::new(), routing::get(resources::list::<R>))))
        .routes(route(&one, HttpMethod::Get, get, (schemas::<R>(), routing::get(resources::get::<R>))))
        .routes(route(&one, HttpMethod::Delete, delete, (schemas_of_answer, routing::delete(resources::delete::<R>))))
}

/// Another try of a generation that failed. `source` is what the resource is generated from.
pub(super) fn retry<R: Generated + ToSchema>(source: &str) -> UtoipaMethodRouter<Content> {
    let (kind, word) = (R::KIND, R::KIND.as_str());
    let versions = format!("The versions of the {word} that may be retried, or `*`");
    let refusal = |description: String| answer(&description, reference::<ContentErrorBody>());
    let retry = operation(kind, &format!("retry{}", kind.name()))
        .summary(Some(format!("Generates a {word} again whose generation failed, from {source} now.")))
        .parameter(optional_text("If-Match", ParameterIn::Header, &versions))
        .response("202", answer(&format!("The {word}; it is `queued`"), reference::<R>()))
        .response("409", refusal(format!("The {word} did not fail")))
        .response("412", refusal(format!("The {word} was changed since")));
    route(
        &format!("{}/retry", path_of_one(kind)),
        HttpMethod::Post,
        retry,
        (schemas::<R>(), routing::post(retry::retry::<R>)),
    )
}

/// The schema of a resource in a list.
pub(super) fn listed(kind: Kind) -> Ref {
    Ref::from_schema_name(format!("Listed{}", kind.name()))
}

fn path_of_one(kind: Kind) -> String {
    format!("{RESOURCES}{}/{{{}Id}}", kind.plural(), kind.as_str())
}

fn operation(kind: Kind, id: &str) -> OperationBuilder {
    OperationBuilder::new()
        .tag(format!("{}s", kind.name()))
        .operation_id(Some(id))
        .security(SecurityRequirement::new::<_, [&str; 0], &str>("contentKey", []))
}

fn answer(description: &str, body: impl Into<RefOr<Schema>>) -> Response {
    ResponseBuilder::new().description(description).content("application/json", MediaType::new(Some(body))).build()
}

fn reference<T: ToSchema>() -> Ref {
    Ref::from_schema_name(T::name())
}

/// The schemas of a body and its parts.
fn schemas<T: ToSchema>() -> Vec<(String, RefOr<Schema>)> {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    schemas
}

/// The route of an operation and its entry in the document, with the schemas that it names.
fn route(
    path: &str,
    method: HttpMethod,
    operation: impl Into<Operation>,
    (schemas, handler): (Vec<(String, RefOr<Schema>)>, MethodRouter<Content>),
) -> UtoipaMethodRouter<Content> {
    (schemas, PathsBuilder::new().path(path, PathItem::new(method, operation)).build(), handler)
}
