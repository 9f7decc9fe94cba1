//! Reads the fields of a JSON object and collects every fault with its path.
//!
//! [`super::Body`] reads a whole object by a list of its members; this is what it uses, and what an object whose members
//! depend on each other is read by: `fields.required("name", text(1..=200))`.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::checks::Check;
use crate::problem::{Detail, Problem};

/// More faults than this are not worth listing.
pub(crate) const MOST_DETAILS: usize = 100;

/// Reads an object; the error holds all faults.
pub(super) fn read<T>(value: &Value, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Result<T, Problem> {
    let mut details = Vec::new();
    let mut at = At { path: String::new(), details: &mut details };
    let result = at.object(value).and_then(|mut fields| read(&mut fields));
    match result {
        Some(result) if details.is_empty() => Ok(result),
        _ => Err(Problem::Invalid(details)),
    }
}

/// A place in the request, and where its faults go.
pub struct At<'a> {
    path: String,
    details: &'a mut Vec<Detail>,
}

impl<'a> At<'a> {
    /// Notes a fault of this place. Always `None`, so that a check can end with it.
    pub fn refuse<T>(&mut self, message: impl Into<String>) -> Option<T> {
        if self.details.len() < MOST_DETAILS {
            self.details.push(Detail { path: self.path.clone(), message: message.into() });
        }
        None
    }

    /// The members of an object, or a fault.
    pub fn object<'v, 's>(&'s mut self, value: &'v Value) -> Option<Fields<'s>>
    where
        'v: 's,
    {
        match value {
            Value::Object(members) => {
                let at = At { path: self.path.clone(), details: &mut *self.details };
                Some(Fields { members, at, asked: Vec::new() })
            }
            _ => self.refuse("must be an object"),
        }
    }

    /// The place of a member of this one.
    pub fn member(&mut self, name: &str) -> At<'_> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        At { path, details: &mut *self.details }
    }

    /// The place of an item of this array.
    pub fn item(&mut self, index: usize) -> At<'_> {
        let mut path = self.path.clone();
        let _ = write!(path, "[{index}]");
        At { path, details: &mut *self.details }
    }
}

/// The members of one object.
pub struct Fields<'a> {
    members: &'a Map<String, Value>,
    at: At<'a>,
    /// The names asked for.
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    fn get(&mut self, name: &'static str) -> Option<&'a Value> {
        self.asked.push(name);
        self.members.get(name)
    }

    /// A field that must be there.
    pub fn required<T>(&mut self, name: &'static str, check: impl Check<Value = T>) -> Option<T> {
        match self.get(name) {
            Some(value) => check.read(value, &mut self.at.member(name)),
            None => self.at.member(name).refuse("is required"),
        }
    }

    /// A field that may be absent or null: `Some(None)`. A wrong one is `None`.
    pub fn optional<T>(&mut self, name: &'static str, check: impl Check<Value = T>) -> Option<Option<T>> {
        match self.get(name) {
            None | Some(Value::Null) => Some(None),
            Some(value) => check.read(value, &mut self.at.member(name)).map(Some),
        }
    }

    /// A field of a change: absent leaves it alone, `Some(None)`. Null is a fault like any other wrong value.
    pub fn change<T>(&mut self, name: &'static str, check: impl Check<Value = T>) -> Option<Option<T>> {
        match self.get(name) {
            None => Some(None),
            Some(value) => check.read(value, &mut self.at.member(name)).map(Some),
        }
    }

    /// A field of a change that null clears: absent leaves it alone, `Some(None)`; cleared is `Some(Some(None))`.
    pub fn clearable<T>(&mut self, name: &'static str, check: impl Check<Value = T>) -> Option<Option<Option<T>>> {
        match self.get(name) {
            None => Some(None),
            Some(Value::Null) => Some(Some(None)),
            Some(value) => check.read(value, &mut self.at.member(name)).map(|value| Some(Some(value))),
        }
    }

    /// Whether none of the fields asked for is there.
    pub(super) fn has_asked_in_vain(&self) -> bool {
        !self.asked.iter().any(|name| self.members.contains_key(*name))
    }

    pub(super) fn refuse_as_empty<T>(&mut self) -> Option<T> {
        let names = self.asked.join(", ");
        self.at.refuse(format!("must have at least one of {names}"))
    }

    /// The object itself, for what no single field can tell.
    pub fn members(&self) -> &'a Map<String, Value> {
        self.members
    }

    /// The object's place.
    pub fn at(&mut self) -> &mut At<'a> {
        &mut self.at
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::body::{Body, JsonBody, integer, label, list, number, object, one_of, text};

    fn details(value: &Value) -> Vec<(String, String)> {
        let result = read(value, |fields| {
            let name = fields.required("name", text(1..=5));
            let limit = fields.optional("limit", integer(1..=10_u32));
            let events = fields.required("events", list(1..=3, one_of(&[("a", 1), ("b", 2)])));
            Some((name?, limit?, events?))
        });
        match result {
            Err(Problem::Invalid(details)) => details.into_iter().map(|d| (d.path, d.message)).collect(),
            Err(other) => panic!("{other}"),
            Ok(_) => Vec::new(),
        }
    }

    #[test]
    fn every_fault_is_named_at_once_with_its_path() {
        let found = details(&json!({ "name": 5, "limit": "many", "events": ["a", "z", 3] }));
        let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["name", "limit", "events[1]", "events[2]"]);
        assert_eq!(found[2].1, "must be one of a, b");
    }

    #[test]
    fn limits_are_inclusive_and_count_characters() {
        assert!(details(&json!({ "name": "äöüßé", "limit": 10, "events": ["a"] })).is_empty());
        assert!(details(&json!({ "name": "a", "limit": 3.0, "events": ["b"] })).is_empty());
        for wrong in [
            json!({ "name": "äöüßéx", "events": ["a"] }),
            json!({ "name": "  ", "events": ["a"] }),
            json!({ "name": "a", "limit": 0, "events": ["a"] }),
            json!({ "name": "a", "limit": 1.5, "events": ["a"] }),
            json!({ "name": "a", "limit": 1e300, "events": ["a"] }),
            json!({ "name": "a", "events": [] }),
            json!({ "name": null, "events": ["a"] }),
            json!({ "events": ["a"] }),
        ] {
            assert_eq!(details(&wrong).len(), 1, "{wrong}");
        }
    }

    #[test]
    fn a_label_has_no_control_characters() {
        let judge = |value: Value| read(&value, |fields| fields.required("name", label(1..=20)));
        assert_eq!(judge(json!({ "name": "Zoë’s key" })).unwrap(), "Zoë’s key");
        for wrong in ["evil\u{1b}[2J", "two\nlines"] {
            assert!(judge(json!({ "name": wrong })).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn numbers_and_objects_have_limits() {
        let judge = |value: Value| read(&value, |fields| fields.required("n", number(0.5..=3.0)));
        assert_eq!(judge(json!({ "n": 3 })).unwrap().to_bits(), 3.0_f64.to_bits());
        for wrong in [json!(0.4), json!(3.1), json!(-1), json!("1"), json!(null), json!(1e308)] {
            assert!(judge(json!({ "n": wrong })).is_err());
        }
        let judge = |value: Value| read(&value, |fields| fields.required("o", object(13)));
        assert_eq!(judge(json!({ "o": { "b": 1, "a": 2 } })).unwrap().to_string(), r#"{"b":1,"a":2}"#);
        for wrong in [json!({ "b": 1, "a": 23 }), json!([]), json!(null), json!("{}")] {
            assert!(judge(json!({ "o": wrong })).is_err());
        }
    }

    /// Of a note that can be cleared, and a title that can't.
    #[derive(Body)]
    #[body(changes)]
    struct Change {
        #[field(text(1..=5))]
        title: Option<String>,
        #[field(text(1..=5))]
        note: Option<Option<String>>,
    }

    fn changed(value: Value) -> Result<(Option<String>, Option<Option<String>>), Problem> {
        JsonBody::of(value).read().map(|Change { title, note }| (title, note))
    }

    #[test]
    fn an_absent_field_stays_and_null_clears_only_what_can_be_cleared() {
        assert_eq!(changed(json!({ "title": "a" })).unwrap(), (Some("a".into()), None));
        assert_eq!(changed(json!({ "note": null })).unwrap(), (None, Some(None)));
        assert_eq!(changed(json!({ "note": "b", "id": 7 })).unwrap(), (None, Some(Some("b".into()))));
        for wrong in [json!({ "title": null }), json!({ "title": null, "note": null }), json!({ "note": 1 })] {
            assert!(changed(wrong).is_err());
        }
    }

    #[test]
    fn a_change_of_nothing_is_a_fault_that_names_what_could_be_changed() {
        for empty in [json!({}), json!({ "id": "x", "Title": "a" })] {
            let Err(Problem::Invalid(details)) = changed(empty) else { panic!("accepted") };
            let expected = Detail { path: String::new(), message: "must have at least one of title, note".to_owned() };
            assert_eq!(details, [expected]);
        }
    }

    #[test]
    fn a_body_that_is_no_object_is_one_fault() {
        assert_eq!(details(&json!([])), [(String::new(), "must be an object".to_owned())]);
    }

    proptest! {
        #[test]
        fn no_value_makes_the_reader_panic(name in ".{0,10}", limit in any::<f64>(), events in proptest::collection::vec(".{0,3}", 0..5)) {
            let _ = details(&json!({ "name": name, "limit": limit, "events": events }));
        }
    }
}
