//! The fields of a form or a query, as the browser sends them.

use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::{Form, RequestExt as _};
use http::StatusCode;
use http::request::Parts;
use serde_json::{Map, Value};

use crate::problem::ApiProblem;

/// Names and values, in the order of the form. A name may come more than once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

/// The fields of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filters(pub(crate) Fields);

impl Fields {
    /// The value of a field; empty when it is absent.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default()
    }

    /// The value of a field, without outer space, unless it is empty.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The value of a field as it was typed, with all its spaces, such as a password; empty when it is absent.
    pub(crate) fn typed(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// All values of a field.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Whether a field has a value, such as a checkbox that is ticked.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.0.iter().any(|(key, given)| key == name && given == value)
    }

    /// The same fields with another value for one of them; an empty value takes the field out.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.0.retain(|(key, _)| key != name);
        if !value.is_empty() {
            self.0.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The same fields, where one is left without its value, such as a password that no page repeats.
    pub(crate) fn blanked(mut self, name: &str) -> Self {
        self.0.iter_mut().filter(|(key, _)| key == name).for_each(|(_, value)| value.clear());
        self
    }

    /// The names of the fields, as often as they come.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The fields of these names, with their values, as a query.
    pub(crate) fn query(&self, names: &[&str]) -> String {
        let pairs = names.iter().filter_map(|name| self.given(name).map(|value| (*name, value)));
        query(pairs)
    }

    /// A JSON object of the fields that are given, as text.
    pub(crate) fn texts(&self, names: &[&str]) -> Map<String, Value> {
        let given = names.iter().filter_map(|name| self.given(name).map(|value| (*name, value)));
        given.map(|(name, value)| (name.to_owned(), Value::from(value))).collect()
    }

    /// The value of a field as a JSON number. Text that is no number stays text, for the API to refuse with its reason.
    pub(crate) fn number(&self, name: &str) -> Option<Value> {
        let text = self.given(name)?;
        let whole = text.parse::<i64>().ok().map(Value::from);
        let number =
            whole.or_else(|| text.parse::<f64>().ok().and_then(|n| serde_json::Number::from_f64(n).map(Value::Number)));
        Some(number.unwrap_or_else(|| Value::from(text)))
    }
}

impl From<Vec<(String, String)>> for Fields {
    fn from(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }
}

/// A query of names and values, percent-encoded, with its question mark; empty without any.
pub(crate) fn query<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::new();
    for (name, value) in pairs {
        text.push(if text.is_empty() { '?' } else { '&' });
        text.push_str(name);
        text.push('=');
        for byte in value.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                text.push(char::from(byte));
            } else {
                text.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    text
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = ApiProblem;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiProblem> {
        let form = request.extract::<Form<Vec<(String, String)>>, _>().await;
        match form {
            // Nobody types a NUL character, and no store takes one.
            Ok(Form(pairs)) => {
                Ok(Self(pairs.into_iter().map(|(name, value)| (name, value.replace('\0', ""))).collect()))
            }
            Err(refused) if refused.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(ApiProblem::form_too_large()),
            Err(_) => Err(ApiProblem::form_unreadable()),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Filters {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiProblem> {
        let query = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        Ok(Self(Fields(query.map(|Query(pairs)| pairs).unwrap_or_default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_can_hold_anything() {
        assert_eq!(query([("a", "x&y=ü"), ("b", "1")]), "?a=x%26y%3D%C3%BC&b=1");
        assert_eq!(query([]), "");
    }

    #[test]
    fn a_number_stays_a_number_and_nonsense_stays_text() {
        let fields = Fields(vec![("a".into(), " 1.5 ".into()), ("b".into(), "x".into()), ("c".into(), "7".into())]);
        assert_eq!(fields.number("a"), Some(Value::from(1.5)));
        assert_eq!(fields.number("b"), Some(Value::from("x")));
        assert_eq!(fields.number("c"), Some(Value::from(7)));
        assert_eq!(fields.number("d"), None);
    }
}
