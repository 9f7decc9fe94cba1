//! The document says truly which members a body needs, and which of them may be null.

use serde_json::{Map, Value, json};
use testkit::{TestStore, both_stores};

use super::illustrations::{about_own, stand_ins};
use crate::testing::{App, CONTRACT, Reply, SIGN_IN_PAGE, Things, schema};

/// The members that a schema asks for, as an example has them, down to the parts of its lists.
fn required_only(schema: &Value, example: &Value) -> Value {
    let schema = schema::resolved(&CONTRACT.document, schema);
    match (schema["properties"].as_object(), example) {
        (Some(properties), Value::Object(example)) => {
            let needed = names(&schema["required"]);
            let kept = example.iter().filter(|(name, _)| needed.contains(&name.as_str()));
            kept.map(|(name, value)| (name.clone(), required_only(&properties[name], value)))
                .collect::<Map<_, _>>()
                .into()
        }
        (None, Value::Array(items)) => items.iter().map(|item| required_only(&schema["items"], item)).collect(),
        _ => example.clone(),
    }
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn is_nullable(schema: &Value) -> bool {
    let is_null = |option: &Value| option["type"] == "null";
    names(&schema["type"]).contains(&"null")
        || ["oneOf", "anyOf"].iter().any(|choice| schema[*choice].as_array().is_some_and(|all| all.iter().any(is_null)))
}

/// The members that may be absent, each with its schema.
fn optional(schema: &Value) -> Vec<(&str, &Value)> {
    let needed = names(&schema["required"]);
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(|(name, schema)| (name.as_str(), schema)).filter(|(name, _)| !needed.contains(name)).collect()
}

/// The schema of the parts of a list of things, where a member is one.
fn part_of(member: &Value) -> Option<&'static Value> {
    let reference = member["items"]["$ref"].as_str()?;
    let part = CONTRACT.document.pointer(reference.trim_start_matches('#'))?;
    part["properties"].is_object().then_some(part)
}

/// An operation that takes a body, on things of its own.
struct Operation<'a> {
    app: &'a App,
    name: String,
    things: Things,
}

impl Operation<'_> {
    async fn send(&self, body: &Value) -> Reply {
        // Only so many replaced secrets may sign at once.
        self.app.write(|tx| tx.execute("UPDATE webhook_endpoint SET former_secrets = ''", &[])).await;
        let call = self.things.bare_call(self.app, &self.name).header("referer", SIGN_IN_PAGE);
        call.key(&self.things.tenant.key).cookie(&self.things.cookie).json(body).send().await
    }

    async fn takes(&self, body: &Value, about: &str) {
        let reply = self.send(body).await;
        assert!(reply.status.is_success(), "{} with {about}, {body}: {} {}", self.name, reply.status, reply.body);
    }

    /// Null is taken exactly where the document says so.
    async fn judges_null(&self, body: &Value, path: &str, member: &Value) {
        let reply = self.send(body).await;
        let is_taken = match reply.status.as_u16() {
            400 => false,
            status if (200..300).contains(&status) => true,
            status => panic!("{} with null as {path}: {status} {}", self.name, reply.body),
        };
        assert_eq!(is_taken, is_nullable(member), "{} with null as {path}: {}", self.name, reply.body);
    }

    /// Walks the parts of a list that a body may have.
    async fn walk_parts(&self, base: &Value, member: &str, part: &Value, examples: &Value) {
        let with = |item: Value| {
            let mut body = base.clone();
            body[member] = json!([item]);
            body
        };
        let mut minimal = json!({});
        for example in examples.as_array().into_iter().flatten() {
            minimal = required_only(part, example);
            if self.send(&with(minimal.clone())).await.status.is_success() {
                break;
            }
        }
        self.takes(&with(minimal.clone()), &format!("what is required of {member}")).await;
        for (name, schema) in optional(part) {
            let mut item = minimal.clone();
            item[name] = Value::Null;
            self.judges_null(&with(item), &format!("{member}[0].{name}"), schema).await;
        }
    }
}

#[both_stores]
async fn what_is_required_is_enough_and_null_is_taken_where_the_document_says_so(test: TestStore) {
    let app = App::new(test);
    for (n, (name, _)) in CONTRACT.operations().into_iter().enumerate() {
        let Some((schema, example)) = CONTRACT.documented_body(&name) else { continue };
        let email = format!("{n}@example.com");
        let operation = Operation { app: &app, name, things: Things::of_operator(&app, &email).await };
        let example = about_own(&stand_ins(&operation.things, &email), example);
        let base = required_only(schema, &example);
        let is_change = schema["minProperties"] == 1;
        if is_change {
            let reply = operation.send(&base).await;
            assert_eq!(reply.faults(), [""], "{} needs a member", operation.name);
        } else {
            operation.takes(&base, "what is required").await;
        }
        for (member, value) in example.as_object().unwrap() {
            let mut body = base.clone();
            body[member] = value.clone();
            operation.takes(&body, "one member more").await;
        }
        for (member, schema) in optional(schema) {
            let mut body = base.clone();
            body[member] = Value::Null;
            operation.judges_null(&body, member, schema).await;
            if let Some(part) = part_of(schema) {
                operation.walk_parts(&base, member, part, &example[member]).await;
            }
        }
    }
}

#[test]
fn what_a_body_requires_is_never_null() {
    for (operation, _) in CONTRACT.operations() {
        let Some((schema, _)) = CONTRACT.documented_body(&operation) else { continue };
        for name in names(&schema["required"]) {
            assert!(!is_nullable(&schema["properties"][name]), "{operation}: {name}");
        }
    }
}
