//! Requests at the limits that the OpenAPI document gives, and just beyond them. A surface sends them to itself and so
//! shows that the document says what the code enforces.
//!
//! [`body_cases`] and [`query_cases`] are derived from the schemas alone: an operation that is added is covered without
//! a word. [`unlimited`] names what has no limit, so that no new field escapes. They must never judge answers: that is
//! the part of [`Expected`], which callers ask for the verdict.

mod values;

use serde_json::{Value, json};

use super::{Contract, Reply, schema};
use values::{filler, sample, unfit};

/// What the document says of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The place is right: other places of the request may be wrong.
    Allowed,
    /// The answer is a 400 that names the place.
    Refused,
    /// The same, or a 404: an id of the wrong form names nothing.
    Unknown,
}

/// A request that differs from a right one in one place.
#[derive(Clone, Debug)]
pub struct Case<T> {
    /// The place, as the details of a 400 name it: `items[0].type`.
    pub path: String,
    /// What was done there: `maxLength 200, exceeded`.
    pub rule: String,
    /// What the document says of it.
    pub expected: Expected,
    /// The body, or the query.
    pub request: T,
}

impl<T> Case<T> {
    /// Whether a list names this case of an operation. An entry is the operation, the place, the case, and the reason; the case is
    /// the rule, or `allowed` for all values that the schema of the place alone allows.
    pub fn is_among(&self, exceptions: &[(&str, &str, &str, &str)], operation: &str) -> bool {
        exceptions.iter().any(|(name, place, rule, _)| {
            let is_meant = *rule == self.rule || *rule == "allowed" && self.expected == Expected::Allowed;
            *name == operation && *place == self.path && is_meant
        })
    }

    /// What is wrong with the answer, for a person to repair. `None` when the code does as the document says.
    pub fn fault(&self, operation: &str, reply: &Reply) -> Option<String> {
        let is_named = reply.status == 400 && reply.faults().contains(&self.path);
        let (is_right, remedy) = match self.expected {
            Expected::Allowed => (
                !is_named && !matches!(reply.status.as_u16(), 413 | 415 | 500..),
                "the document allows it and the code does not: correct the schema beside the operation, or the reader",
            ),
            Expected::Refused => (
                is_named,
                "the document forbids it and the answer is no 400 that names it: correct the schema, or the reader",
            ),
            Expected::Unknown => (
                is_named || reply.status == 404,
                "the document forbids it and the answer is neither a 404 nor a 400 that names it: correct the schema",
            ),
        };
        let body: String = reply.body.chars().take(300).collect();
        let Self { path, rule, .. } = self;
        (!is_right).then(|| format!("{operation}, {path} ({rule}): {remedy}. It answered {}: {body}", reply.status))
    }
}

/// Bodies that differ from an example in one place, derived from the schema of the body.
pub fn body_cases(document: &Value, body_schema: &Value, example: &Value) -> Vec<Case<Value>> {
    let mut walk = Walk { document, cases: Vec::new() };
    let whole = Place { body: example.clone(), pointer: String::new(), path: String::new() };
    walk.members(schema::resolved(document, body_schema), &whole);
    walk.cases
}

/// Queries that break or just keep what the document says of an operation's parameters.
pub fn query_cases(document: &Value, operation: &Value) -> Vec<Case<String>> {
    let parameters: Vec<&Value> =
        operation["parameters"].as_array().into_iter().flatten().filter(|one| one["in"] == "query").collect();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let given = |one: &&Value| {
        let example = one.get("example").cloned();
        (text(&one["name"]), text(&example.unwrap_or_else(|| sample(document, &one["schema"]))))
    };
    let required: Vec<(String, String)> = parameters.iter().filter(|one| one["required"] == true).map(given).collect();
    let query = |changed: &str, value: Option<String>| {
        let others = required.iter().filter(|(name, _)| name != changed).cloned();
        let pairs = others.chain(value.map(|value| (changed.to_owned(), value)));
        pairs.map(|(name, value)| format!("{name}={}", percent_encoded(&value))).collect::<Vec<_>>().join("&")
    };
    let mut cases = Vec::new();
    for parameter in &parameters {
        let name = text(&parameter["name"]);
        if parameter["required"] == true {
            let (path, rule) = (name.clone(), "required, left out".to_owned());
            cases.push(Case { path, rule, expected: Expected::Refused, request: query(&name, None) });
        }
        let mut walk = Walk { document, cases: Vec::new() };
        let place = Place { body: json!({ (name.as_str()): null }), pointer: format!("/{name}"), path: name.clone() };
        walk.limits(schema::resolved(document, &parameter["schema"]), &place);
        // A query has texts only: `1.5` is of the wrong type, a number where a text is wanted is not.
        cases.extend(walk.cases.into_iter().filter(|case| case.rule != WRONG_TYPE).map(|case| {
            let Case { path, rule, expected, request } = case;
            Case { path, rule, expected, request: query(&name, Some(text(&request[&name]))) }
        }));
    }
    cases
}

/// The fields of all bodies that have no limit in the document, but for known ones: the operation, the place, and the reason.
pub fn fields_without_limit(contract: &Contract, known: &[(&str, &str, &str)]) -> Vec<String> {
    let mut missing = Vec::new();
    for (operation, _) in contract.operations() {
        let Some((schema, _)) = contract.documented_body(&operation) else { continue };
        let is_known = |found: &String| {
            known.iter().any(|(name, path, _)| *name == operation && found.starts_with(&format!("{path} needs")))
        };
        let found = unlimited(&contract.document, schema).into_iter();
        missing.extend(found.filter(|found| !is_known(found)).map(|found| format!("{operation}: {found}")));
    }
    missing
}

/// The places of a body that have no limit in the document: texts, numbers and lists of any size, and objects of which
/// nothing is said.
fn unlimited(document: &Value, body_schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find_unlimited(document, body_schema, String::new(), &mut found);
    found
}

const WRONG_TYPE: &str = "of another type";

fn percent_encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { (byte as char).into() } else { format!("%{byte:02X}") })
        .collect()
}

/// A schema apart from the null that it may allow as well, and whether it does.
fn without_null<'a>(document: &'a Value, schema: &'a Value) -> (&'a Value, bool) {
    let schema = schema::resolved(document, schema);
    for choice in ["oneOf", "anyOf"] {
        if let Some(options) = schema[choice].as_array() {
            let (null, others): (Vec<_>, Vec<_>) = options.iter().partition(|option| option["type"] == "null");
            if let [only] = others.as_slice() {
                return (schema::resolved(document, only), !null.is_empty());
            }
        }
    }
    let allows_null = schema["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
    (schema, allows_null)
}

/// The type of a schema that is of one type, or of it and null.
fn type_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or_default(),
        one => one.as_str().unwrap_or_default(),
    }
}

fn find_unlimited(document: &Value, schema: &Value, path: String, found: &mut Vec<String>) {
    let (schema, _) = without_null(document, schema);
    let has = |names: &[&str]| names.iter().any(|name| schema.get(*name).is_some());
    match type_of(schema) {
        "object" => {
            let properties = schema["properties"].as_object();
            if properties.is_none() && schema.get("additionalProperties").is_none_or(|more| more == false) {
                found.push(format!("{path} needs properties or additionalProperties"));
            }
            for (name, member) in properties.into_iter().flatten() {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                find_unlimited(document, member, path, found);
            }
        }
        "array" => {
            if !has(&["maxItems"]) {
                found.push(format!("{path} needs maxItems"));
            }
            find_unlimited(document, &schema["items"], format!("{path}[0]"), found);
        }
        "string" if !has(&["maxLength", "enum", "format", "pattern"]) => {
            found.push(format!("{path} needs maxLength, enum, format or pattern"));
        }
        "integer" | "number" => {
            for (limit, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
                if !has(&[limit, exclusive]) {
                    found.push(format!("{path} needs {limit}"));
                }
            }
        }
        "string" | "boolean" => {}
        other => found.push(format!("{path} is of type {other:?}, which has no rule here")),
    }
}

/// A place in a body that has something there.
struct Place {
    body: Value,
    pointer: String,
    path: String,
}

impl Place {
    fn value(&self) -> &Value {
        self.body.pointer(&self.pointer).expect("the place is in the body")
    }

    fn with(&self, value: Value) -> Value {
        let mut body = self.body.clone();
        *body.pointer_mut(&self.pointer).expect("the place is in the body") = value;
        body
    }

    /// A member, which gets this value where it has none.
    fn member(&self, name: &str, value: impl FnOnce() -> Value) -> Self {
        let mut object = self.value().clone();
        if object.get(name).is_none_or(Value::is_null) {
            object[name] = value();
        }
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Self { body: self.with(object), pointer: format!("{}/{name}", self.pointer), path }
    }

    /// The first item.
    fn first(&self, item: impl FnOnce() -> Value) -> Self {
        let mut items = self.value().as_array().cloned().unwrap_or_default();
        if items.is_empty() {
            items.push(item());
        }
        Self {
            body: self.with(items.into()),
            pointer: format!("{}/0", self.pointer),
            path: format!("{}[0]", self.path),
        }
    }

    fn without(&self, name: &str) -> Value {
        let mut object = self.value().clone();
        object.as_object_mut().expect("an object has members").shift_remove(name);
        self.with(object)
    }
}

struct Walk<'a> {
    document: &'a Value,
    cases: Vec<Case<Value>>,
}

impl Walk<'_> {
    fn add(&mut self, path: &str, rule: impl Into<String>, expected: Expected, request: Value) {
        self.cases.push(Case { path: path.to_owned(), rule: rule.into(), expected, request });
    }

    /// The members of an object.
    fn members(&mut self, schema: &Value, place: &Place) {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let inner = place.member(name, || sample(self.document, member));
            let is_required = required.contains(&name.as_str());
            let expected = if is_required { Expected::Refused } else { Expected::Allowed };
            if is_required || !place.path.is_empty() {
                self.add(&inner.path, format!("required: {is_required}, left out"), expected, place.without(name));
            }
            let (own, allows_null) = without_null(self.document, member);
            let expected = if allows_null { Expected::Allowed } else { Expected::Refused };
            self.add(&inner.path, format!("nullable: {allows_null}, null"), expected, inner.with(Value::Null));
            self.limits(own, &inner);
        }
    }

    /// Everything that is said of one value.
    fn limits(&mut self, schema: &Value, place: &Place) {
        let wrong = match type_of(schema) {
            "string" => json!(7),
            "array" => json!({}),
            "object" => json!([]),
            _ => json!("seven"),
        };
        self.add(&place.path, WRONG_TYPE, Expected::Refused, place.with(wrong));
        for word in schema["enum"].as_array().into_iter().flatten() {
            self.add(&place.path, format!("enum, {word}"), Expected::Allowed, place.with(word.clone()));
        }
        match type_of(schema) {
            "string" => self.texts(schema, place),
            "integer" | "number" => self.numbers(schema, place),
            "array" => self.lists(schema, place),
            "object" => self.members(schema, place),
            _ => {}
        }
    }

    fn texts(&mut self, schema: &Value, place: &Place) {
        for (rule, value) in unfit(schema) {
            let expected = if rule == "format uuid" { Expected::Unknown } else { Expected::Refused };
            self.add(&place.path, format!("{rule}, broken"), expected, place.with(value.into()));
        }
        if let Some(length) = schema["maxLength"].as_u64() {
            let (at, beyond) = (filler(schema, length), filler(schema, length + 1));
            self.add(&place.path, format!("maxLength {length}, reached"), Expected::Allowed, place.with(at.into()));
            self.add(
                &place.path,
                format!("maxLength {length}, exceeded"),
                Expected::Refused,
                place.with(beyond.into()),
            );
        }
        if let Some(length) = schema["minLength"].as_u64().filter(|length| *length > 0) {
            let (at, below) = (filler(schema, length), filler(schema, length - 1));
            if schema["format"].is_null() {
                self.add(&place.path, format!("minLength {length}, reached"), Expected::Allowed, place.with(at.into()));
            }
            self.add(&place.path, format!("minLength {length}, missed"), Expected::Refused, place.with(below.into()));
        }
    }

    fn numbers(&mut self, schema: &Value, place: &Place) {
        let is_whole = type_of(schema) == "integer";
        for (name, is_lower, is_exclusive) in [
            ("minimum", true, false),
            ("maximum", false, false),
            ("exclusiveMinimum", true, true),
            ("exclusiveMaximum", false, true),
        ] {
            let Some(limit) = schema[name].as_f64() else { continue };
            // Wide enough for a reader that rounds the last digit.
            let step = limit.abs().max(0.001) / 1000.0;
            let (inner, outer) = match (is_whole, is_lower) {
                (true, true) => (limit + 1.0, limit - 1.0),
                (true, false) => (limit - 1.0, limit + 1.0),
                (false, true) => (limit + step, limit - step),
                (false, false) => (limit - step, limit + step),
            };
            let (allowed, refused) = if is_exclusive { (inner, limit) } else { (limit, outer) };
            let number = |number: f64| if is_whole { whole(number) } else { json!(number) };
            self.add(&place.path, format!("{name} {limit}, kept"), Expected::Allowed, place.with(number(allowed)));
            self.add(&place.path, format!("{name} {limit}, broken"), Expected::Refused, place.with(number(refused)));
        }
        if is_whole {
            self.add(&place.path, "integer, broken", Expected::Refused, place.with(json!(1.5)));
        }
    }

    fn lists(&mut self, schema: &Value, place: &Place) {
        let inner = place.first(|| sample(self.document, &schema["items"]));
        let of = |count: u64| {
            let count = usize::try_from(count).expect("a list in a test fits the memory");
            place.with(vec![inner.value().clone(); count].into())
        };
        let limit = |name: &str| schema[name].as_u64();
        if let Some(most) = limit("maxItems") {
            self.add(&place.path, format!("maxItems {most}, reached"), Expected::Allowed, of(most));
            self.add(&place.path, format!("maxItems {most}, exceeded"), Expected::Refused, of(most + 1));
        }
        if let Some(fewest) = limit("minItems").filter(|fewest| *fewest > 0) {
            self.add(&place.path, format!("minItems {fewest}, missed"), Expected::Refused, of(fewest - 1));
        }
        let (items, allows_null) = without_null(self.document, &schema["items"]);
        let expected = if allows_null { Expected::Allowed } else { Expected::Refused };
        self.add(&inner.path, format!("nullable: {allows_null}, null"), expected, inner.with(Value::Null));
        self.limits(items, &inner);
    }
}

/// A whole number as clients write it: `5`, not `5.0`.
fn whole(number: f64) -> Value {
    serde_json::from_str(&format!("{number:.0}")).expect("digits are a number")
}

#[cfg(test)]
mod tests;
