//! What the OpenAPI document says of every operation of a sort: parameters and answers that follow from the operation's
//! credential, method and path. An operation that documents one of them itself keeps its own words.

use edge::openapi::{AnswerHeader, Described, RATE_LIMIT, describe_headers, inline_scalars, operations_of, set_tags};
use edge::problem::ContentErrorBody;
use utoipa::ToSchema as _;
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{OpenApi, RefOr};

use crate::resources::{Kind, LEFT_OUT};

/// The groups of operations, each with what they are about.
const TAGS: [(&str, &str); 12] = [
    ("Admin session", "Sign-in and sign-out of administrators"),
    ("Organizations", "The organizations that an administrator manages, and operators make"),
    ("API keys", "Content API keys of an organization"),
    ("Webhooks", "Endpoints that are told of ended expansions, and the requests that they get"),
    ("Classrooms", "The classrooms that a key can see, and administrators make"),
    ("Expansions", "Source JSON becomes classroom content"),
    ("Modules", "Lessons with quiz items"),
    ("Courses", "Ordered sets of modules"),
    ("Videos", "Scenes with a script each"),
    ("Slides", "Slide decks"),
    ("Tests", "Items that a learner takes as a whole"),
    ("Exchange", "Packages for other systems, and from them"),
];
/// The description of operations that have no other, by their credential.
const BY_CREDENTIAL: [(&str, &str); 2] = [
    (
        "contentKey",
        "A key sees its own organization; what another organization has is not found. In the place of a key, an admin's session \
         may act for the organization that the header `Lectern-Organization` names.",
    ),
    ("adminSession", "The session is the one that `POST /auth/login` starts."),
];
pub(super) const RESOURCES: &str = "/v1/content/classrooms/{classroomId}/";

/// An operation's place in the document.
struct Place<'a> {
    method: &'static str,
    path: &'a str,
    described: Described<'a>,
}

/// Completes every operation.
pub(super) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations_of(item) {
            let described = Described::new(operation, ContentErrorBody::name());
            Place { method, path, described }.complete();
        }
    }
    inline_scalars(document);
    describe_listed(document);
    describe_headers(document);
    set_tags(document, &TAGS);
}

/// Describes `ListedModule` and the like, with which lists answer: the resource whose long members may be absent.
fn describe_listed(document: &mut OpenApi) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    for kind in Kind::ALL {
        let Some(RefOr::T(Schema::Object(whole))) = schemas.get(kind.name()) else { continue };
        let mut listed = whole.clone();
        listed.required.retain(|name| !LEFT_OUT.contains(&name.as_str()));
        schemas.insert(format!("Listed{}", kind.name()), Schema::Object(listed).into());
    }
}

impl Place<'_> {
    fn complete(mut self) {
        if self.path.starts_with(RESOURCES) {
            self.complete_resource();
        }
        if self.path.ends_with("/rotate-secret") {
            self.described.let_body_be_absent();
        }
        if self.described.is_for("contentKey") {
            self.described.error("401", "The key is invalid or missing");
            self.described.error("403", "An admin's session names an organization that the admin can't manage");
            self.described.error("429", "The key's rate limit is exceeded");
        } else if self.described.is_for("adminSession") {
            self.complete_managed();
        }
        if self.described.has_parameter("Idempotency-Key") {
            self.described.error("400", "The idempotency key is invalid");
        }
        if self.method == "GET" && !self.described.is_for("contentKey") {
            self.described.error("429", "Large responses to this client are still being read");
        }
        if self.described.takes_a_body() {
            self.described.error("413", "The body is too large");
            self.described.error("415", "The body is not JSON");
        }
        self.described.error("500", "An unexpected error");
        self.described.error("503", "Try again; a create with the same idempotency key");
        self.described.complete_requests(self.path);
        self.described.complete_wording(&BY_CREDENTIAL);
        self.complete_headers();
    }

    /// An operation of a signed-in administrator.
    fn complete_managed(&mut self) {
        self.described.error("401", "Not signed in");
        if self.path.contains("{organizationId}") {
            self.described.error("403", "The admin cannot manage the organization");
        }
        if self.described.takes_a_body() {
            self.described.error("400", "The body is invalid");
        } else if self.method == "GET" {
            self.described.error("400", "The query has a parameter");
        }
    }

    /// An operation on a classroom's resources.
    fn complete_resource(&mut self) {
        self.described.error("400", "The request is invalid; every fault is listed");
        self.described.error("404", "There is no such classroom or resource");
        let rest = self.path.trim_start_matches(RESOURCES);
        let (is_collection, is_resource) = (!rest.contains('/'), rest.ends_with('}'));
        match self.method {
            "GET" if is_resource => {
                self.described.header("If-None-Match", "Versions that the client has, such as `\"7\"`");
                self.described.response("304", "The client has this version", None);
            }
            "GET" if is_collection => self.complete_list(),
            // A draft is stored nowhere, so each is a new one.
            "POST" if rest.ends_with("/part-drafts") => {}
            "POST" => {
                self.described.header("Idempotency-Key", "1 to 255 visible ASCII characters");
                self.described
                    .error("409", "The idempotency key was used for another request, or the state stands against it");
            }
            "PATCH" | "DELETE" => {
                self.described.header("If-Match", "The versions that may be changed, such as `\"7\"`, or `*`");
                self.described.error("412", "The resource was changed since the version that If-Match names");
            }
            _ => {}
        }
    }

    fn complete_list(&mut self) {
        for (name, description, highest) in [
            ("limit", "Things on a page, 1 to 100; 20 when it is absent", Some(100)),
            ("page", "Which page, from 1; 1 when it is absent", None),
        ] {
            let schema =
                ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(highest.map(f64::from));
            self.described.parameter(name, ParameterIn::Query, description, schema);
        }
        let words = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["summary"]));
        let description = "`summary` leaves out `content`, `scenes`, `items` and `metadata`";
        self.described.parameter("fields", ParameterIn::Query, description, words);
    }

    /// What is said beside the bodies.
    fn complete_headers(&mut self) {
        let (is_counted, is_repeatable) =
            (self.described.is_for("contentKey"), self.described.has_parameter("Idempotency-Key"));
        let (is_versioned, is_list) = (self.is_versioned(), self.described.has_parameter("page"));
        let sets_cookie = self.path.starts_with("/auth/");
        self.described.answer_headers(|status, add| {
            let is_success = status.starts_with('2');
            add(true, &[AnswerHeader::XRequestId]);
            add(is_counted && !matches!(status, "401" | "403") && !status.starts_with('5'), &RATE_LIMIT);
            add(is_versioned && (is_success || status == "304"), &[AnswerHeader::ETag]);
            add(is_list && is_success, &[AnswerHeader::XTotalCount, AnswerHeader::Link]);
            add(is_repeatable && is_success, &[AnswerHeader::IdempotentReplayed]);
            add(sets_cookie && is_success, &[AnswerHeader::SetCookie]);
            add(status == "401", &[AnswerHeader::WwwAuthenticate]);
            add(matches!(status, "429" | "503"), &[AnswerHeader::RetryAfter]);
        });
    }

    /// Whether a success is about one version of a resource: one that is still there. An export is about a job.
    fn is_versioned(&self) -> bool {
        let Some(rest) = self.path.strip_prefix(RESOURCES) else { return false };
        match self.method {
            "GET" => rest.ends_with('}') || rest.ends_with("/export"),
            // What an import makes has a version each.
            "POST" => !rest.starts_with("integrations/") && rest != "imports" && !rest.ends_with("/part-drafts"),
            "PATCH" => true,
            "DELETE" => rest.ends_with("/scenes/{sceneId}"),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn document() -> Value {
        serde_json::to_value(crate::api::openapi()).unwrap()
    }

    fn parameters(operation: &Value) -> Vec<&str> {
        let parameters = operation["parameters"].as_array().unwrap();
        parameters.iter().filter_map(|parameter| parameter["name"].as_str()).collect()
    }

    #[test]
    fn every_kind_documents_its_pages_versions_and_keys() {
        let document = document();
        for (kind, id) in [("modules", "moduleId"), ("courses", "courseId")] {
            let collection = &document["paths"][format!("/v1/content/classrooms/{{classroomId}}/{kind}")];
            assert_eq!(parameters(&collection["get"]), ["classroomId", "limit", "page", "fields"], "{kind}");
            let headers = collection["get"]["responses"]["200"]["headers"].as_object().unwrap();
            assert!(["Link", "X-Total-Count"].iter().all(|name| headers.contains_key(*name)), "{kind}");
            assert_eq!(parameters(&collection["post"]), ["classroomId", "Idempotency-Key"], "{kind}");
            let one = &document["paths"][format!("/v1/content/classrooms/{{classroomId}}/{kind}/{{{id}}}")];
            assert_eq!(parameters(&one["get"]), ["classroomId", id, "If-None-Match"], "{kind}");
            for method in ["patch", "delete"] {
                assert_eq!(parameters(&one[method]), ["classroomId", id, "If-Match"], "{kind}");
                assert!(one[method]["responses"]["412"].is_object(), "{kind}");
            }
        }
    }

    #[test]
    fn errors_have_the_envelope_and_304_has_no_body() {
        let document = document();
        let one = &document["paths"]["/v1/content/classrooms/{classroomId}/modules/{moduleId}"]["get"]["responses"];
        let envelope = json!({ "$ref": "#/components/schemas/ContentErrorBody" });
        for status in ["400", "401", "404", "429", "500", "503"] {
            assert_eq!(one[status]["content"]["application/json"]["schema"], envelope, "{status}");
        }
        assert_eq!(one["304"]["content"], Value::Null);
    }
}
