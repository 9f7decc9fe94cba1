//! What the OpenAPI documents of both surfaces are completed with: an operation documents what is its own, and what all
//! operations of a sort have in common is added here, once.

mod any_object;
mod examples;
mod headers;
mod parameters;
mod scalars;
mod servers;
mod wording;
mod words;

use utoipa::PartialSchema;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{Content as MediaType, OpenApi, Ref, RefOr, Required, ResponseBuilder};

pub use any_object::AnyObject;
pub use examples::illustrate;
pub use headers::{AnswerHeader, RATE_LIMIT, describe as describe_headers};
pub use scalars::inline_scalars;
pub use servers::{DEFAULT_SERVER, ServedDocument, set_server};
pub use words::words;

/// Describes the groups of operations, in this order.
pub fn set_tags(document: &mut OpenApi, tags: &[(&str, &str)]) {
    let tag =
        |(name, description): &(&str, &str)| TagBuilder::new().name(*name).description(Some(*description)).build();
    document.tags = Some(tags.iter().map(tag).collect());
}

/// Describes the credentials that operations take: a surface's keys, by their name and form, and an administrator's session.
pub fn set_credentials(document: &mut OpenApi, (key, form): (&str, &str), session: &str) {
    let components = document.components.get_or_insert_default();
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format(form).build();
    components.add_security_scheme(key, SecurityScheme::Http(bearer));
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(crate::sessions::COOKIE_NAME)));
    components.add_security_scheme(session, cookie);
}

/// The schema of an object that is like `T`'s but for its description and for what `change` changes.
pub fn variant_of<T: PartialSchema>(description: &str, change: impl FnOnce(&mut Object)) -> RefOr<Schema> {
    let mut schema = T::schema();
    if let RefOr::T(Schema::Object(object)) = &mut schema {
        object.description = Some(description.to_owned());
        change(object);
    }
    schema
}

/// The operations of a path by their methods.
pub fn operations_of(item: &mut PathItem) -> Vec<(&'static str, &mut Operation)> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    let methods = [("GET", get), ("PUT", put), ("POST", post), ("DELETE", delete), ("PATCH", patch)];
    methods.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?))).collect()
}

/// An operation that is being completed. What it documents itself stays as it is.
pub struct Described<'a> {
    operation: &'a mut Operation,
    error_schema: std::borrow::Cow<'static, str>,
}

impl<'a> Described<'a> {
    /// An operation whose errors have the envelope of this schema.
    pub fn new(operation: &'a mut Operation, error_schema: std::borrow::Cow<'static, str>) -> Self {
        Self { operation, error_schema }
    }

    /// Names the variables of its path, and says of its parameters what their names tell: ids are UUIDs, idempotency keys
    /// have a form. Of its body it says whether that may be left out.
    pub fn complete_requests(&mut self, path: &str) {
        let named = self.operation.parameters.take().unwrap_or_default();
        let variables = path.split(['{', '}']).skip(1).step_by(2).map(parameters::variable);
        self.operation.parameters = Some(variables.chain(named).collect()).filter(|all: &Vec<_>| !all.is_empty());
        let parameters = self.operation.parameters.iter_mut().flatten();
        parameters.for_each(parameters::complete);
        if let Some(RefOr::T(body)) = &mut self.operation.request_body {
            parameters::complete_body(body);
        }
    }

    /// Splits its text into a one-sentence summary and a description. An operation without a description of its own gets
    /// that of the first of these credentials that it takes.
    pub fn complete_wording(&mut self, by_credential: &[(&str, &str)]) {
        let common = by_credential.iter().find(|(credential, _)| self.is_for(credential)).map(|(_, text)| *text);
        wording::complete(self.operation, common);
    }

    /// Whether it takes a body.
    pub fn takes_a_body(&self) -> bool {
        self.operation.request_body.is_some()
    }

    /// Says that its body may be left out.
    pub fn let_body_be_absent(&mut self) {
        if let Some(RefOr::T(body)) = &mut self.operation.request_body {
            body.required = Some(Required::False);
        }
    }

    /// Says for each of its answers, by its status, which headers it has.
    pub fn answer_headers(&mut self, choose: impl Fn(&str, &mut dyn FnMut(bool, &[AnswerHeader]))) {
        for (status, response) in &mut self.operation.responses.responses {
            let RefOr::T(response) = response else { continue };
            choose(status, &mut |applies, headers| {
                headers.iter().filter(|_| applies).for_each(|header| header.add_to(response));
            });
        }
    }

    /// Whether it has a parameter of this name.
    pub fn has_parameter(&self, name: &str) -> bool {
        self.operation.parameters.iter().flatten().any(|known| is_named(known, name))
    }

    /// Whether it takes this credential.
    pub fn is_for(&self, credential: &str) -> bool {
        let security = self.operation.security.iter().flatten();
        let names = security.filter_map(|requirement| serde_json::to_value(requirement).ok());
        names.into_iter().any(|requirement| requirement.get(credential).is_some())
    }

    /// Says which credentials it takes, each of which will do.
    pub fn take(&mut self, credentials: &[&str]) {
        let requirement = |name: &&str| SecurityRequirement::new(*name, [""; 0]);
        self.operation.security.get_or_insert_with(|| credentials.iter().map(requirement).collect());
    }

    /// Adds a header that requests may have.
    pub fn header(&mut self, name: &str, description: &str) {
        self.parameter(name, ParameterIn::Header, description, ObjectBuilder::new().schema_type(Type::String));
    }

    /// Adds a parameter that requests may have.
    pub fn parameter(&mut self, name: &str, place: ParameterIn, description: &str, schema: ObjectBuilder) {
        if self.has_parameter(name) {
            return;
        }
        let parameter = optional(name, place, description, schema);
        self.operation.parameters.get_or_insert_default().push(parameter.into());
    }

    /// Adds an error that it may answer with.
    pub fn error(&mut self, status: &str, description: &str) {
        let schema = Ref::from_schema_name(self.error_schema.clone());
        self.response(status, description, Some(MediaType::new(Some(schema))));
    }

    /// Adds an answer.
    pub fn response(&mut self, status: &str, description: &str, body: Option<MediaType>) {
        let mut response = ResponseBuilder::new().description(description);
        if let Some(body) = body {
            response = response.content("application/json", body);
        }
        self.operation.responses.responses.entry(status.to_owned()).or_insert_with(|| response.into());
    }
}

/// A text that requests may have as a parameter.
pub fn optional_text(name: &str, place: ParameterIn, description: &str) -> Parameter {
    optional(name, place, description, ObjectBuilder::new().schema_type(Type::String))
}

fn optional(name: &str, place: ParameterIn, description: &str, schema: ObjectBuilder) -> Parameter {
    let parameter = ParameterBuilder::new().name(name).parameter_in(place).required(Required::False);
    parameter.description(Some(description)).schema(Some(schema)).build()
}

fn is_named(parameter: &RefOr<Parameter>, name: &str) -> bool {
    matches!(parameter, RefOr::T(known) if known.name == name)
}
