//! The examples of an OpenAPI document are there, of the documented form, and of one mind.

use serde_json::{Value, json};

use super::{Contract, schema};

impl Contract {
    /// The answers of success that an operation lists, each with its body as JSON, where it has one.
    pub fn successes(&self, operation: &str) -> impl Iterator<Item = (&String, Option<&Value>)> {
        let responses = self.documented(operation)["responses"].as_object().unwrap();
        let successes = responses.iter().filter(|(status, _)| status.starts_with('2'));
        successes.map(|(status, response)| (status, response["content"].get("application/json")))
    }

    /// Fails unless a body has an example, of the form that its schema gives it.
    pub fn assert_has_example(&self, media: &Value, about: &str) {
        let example = media.get("example").unwrap_or_else(|| panic!("{about} has no example"));
        let faults = schema::faults(&self.document, &media["schema"], example);
        assert!(faults.is_empty(), "the example of {about} is not of the documented form: {faults:#?}");
    }

    /// Fails for an operation whose JSON body, or whose JSON answer of success, has no example of its form.
    pub fn assert_every_operation_has_examples(&self) {
        for (operation, _) in self.operations() {
            if let Some(media) = self.documented(&operation)["requestBody"]["content"].get("application/json") {
                self.assert_has_example(media, &format!("the body of {operation}"));
            }
            for (status, media) in self.successes(&operation) {
                if let Some(media) = media {
                    self.assert_has_example(media, &format!("{status} of {operation}"));
                }
            }
        }
    }

    /// Fails for an operation whose example of an answer has something else than its example of a request. Judges those that
    /// `is_judged` chooses: the fields of a part are not those of the whole that is answered.
    pub fn assert_answers_fit_requests(&self, is_judged: impl Fn(&str) -> bool) {
        for (operation, _) in self.operations().into_iter().filter(|(operation, _)| is_judged(operation)) {
            let Some((_, request)) = self.documented_body(&operation) else { continue };
            for media in self.successes(&operation).filter_map(|(_, media)| media) {
                assert!(comes_back(request, &media["example"]), "{operation}");
            }
        }
    }
}

/// What is given of a thing comes back in the answer about it, where that has such a member.
fn comes_back(given: &Value, answered: &Value) -> bool {
    match (given, answered) {
        (Value::Object(given), Value::Object(answered)) => {
            given.iter().all(|(name, given)| answered.get(name).is_none_or(|answered| comes_back(given, answered)))
        }
        (Value::Array(given), Value::Array(answered)) => {
            given.len() == answered.len()
                && given.iter().zip(answered).all(|(given, answered)| comes_back(given, answered))
        }
        (Value::Number(given), Value::Number(answered)) => given.as_f64() == answered.as_f64(),
        // A change with null clears a text.
        (Value::Null, answered) => answered.is_null() || *answered == json!(""),
        (given, answered) => given == answered,
    }
}
