//! Query strings, read parameter by parameter, so that one answer names every fault.
//!
//! Lists and statistics read theirs strictly: a parameter that the operation does not take, or that is given twice, is a fault,
//! because a filter that is silently ignored returns wrong data. A query is judged only after the caller is known (401, 403
//! and 429 come before 400): [`Query`] never rejects a request by itself. Bodies are read the same way: [`crate::body`].

mod checks;

use std::borrow::Cow;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::Uri;
use http::request::Parts;
use url::form_urlencoded;

pub use checks::{boolean, id, integer, number, one_of, text, timestamp};

use crate::body::MOST_DETAILS;
use crate::problem::{Detail, Problem};

/// The path and the query of a request, not judged yet.
#[derive(Clone, Debug)]
pub struct Query(Uri);

impl Query {
    /// Reads the parameters that an operation takes; every other one is a fault.
    ///
    /// # Errors
    /// 400 naming every wrong, repeated or unknown parameter.
    pub fn read<T>(&self, read: impl FnOnce(&mut Parameters<'_>) -> Option<T>) -> Result<T, Problem> {
        let given = self.given();
        let mut parameters = Parameters::of(&given);
        let value = read(&mut parameters);
        parameters.refuse_unknown();
        parameters.verdict(value)
    }

    /// Reads the parameters that an operation takes and ignores others: for operations that neither list nor report.
    ///
    /// # Errors
    /// 400 naming every wrong or repeated parameter.
    pub fn read_known<T>(&self, read: impl FnOnce(&mut Parameters<'_>) -> Option<T>) -> Result<T, Problem> {
        let given = self.given();
        let mut parameters = Parameters::of(&given);
        let value = read(&mut parameters);
        parameters.verdict(value)
    }

    /// Accepts a query without any parameter.
    ///
    /// # Errors
    /// 400 naming every parameter.
    pub fn read_none(&self) -> Result<(), Problem> {
        self.read(|_| Some(()))
    }

    /// The address of the same operation with some parameters replaced and all others as they were given.
    pub fn link(&self, base: &str, replaced: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.given().iter().filter(|(name, _)| replaced.iter().all(|(new, _)| new != name)));
        query.extend_pairs(replaced);
        format!("{base}{}?{}", self.0.path(), query.finish())
    }

    fn given(&self) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
        form_urlencoded::parse(self.0.query().unwrap_or_default().as_bytes()).collect()
    }
}

impl From<Uri> for Query {
    fn from(uri: Uri) -> Self {
        Self(uri)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.uri.clone()))
    }
}

/// The parameters of one query, and the faults found so far.
pub struct Parameters<'a> {
    given: &'a [(Cow<'a, str>, Cow<'a, str>)],
    /// The names asked for.
    known: Vec<&'static str>,
    details: Vec<Detail>,
}

impl<'a> Parameters<'a> {
    fn of(given: &'a [(Cow<'a, str>, Cow<'a, str>)]) -> Self {
        Self { given, known: Vec::new(), details: Vec::new() }
    }

    /// A parameter that may be absent: `Some(None)`. A wrong one is `None`.
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        check: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<Option<T>> {
        self.known.push(name);
        let mut values = self.given.iter().filter(|(given, _)| given == name).map(|(_, value)| value);
        match (values.next(), values.next()) {
            (None, _) => Some(None),
            (Some(value), None) => match check(value) {
                Ok(value) => Some(Some(value)),
                Err(message) => self.refuse(name, message),
            },
            (Some(_), Some(_)) => self.refuse(name, "must be given once"),
        }
    }

    /// Notes a fault of a parameter. Always `None`, so that a check can end with it.
    pub fn refuse<T>(&mut self, name: &str, message: impl Into<String>) -> Option<T> {
        if self.details.len() < MOST_DETAILS {
            self.details.push(Detail { path: name.to_owned(), message: message.into() });
        }
        None
    }

    fn refuse_unknown(&mut self) {
        let takes = match self.known.as_slice() {
            [] => "none".to_owned(),
            known => known.join(", "),
        };
        let mut refused: Vec<&str> = Vec::new();
        for (name, _) in self.given {
            if !self.known.contains(&&**name) && !refused.contains(&&**name) && self.details.len() < MOST_DETAILS {
                refused.push(name);
                // A name that is empty is shown as what stands in the query.
                let shown = if name.is_empty() { "=" } else { name };
                let _: Option<()> =
                    self.refuse(shown, format!("is not a parameter of this operation, which takes {takes}"));
            }
        }
    }

    fn verdict<T>(self, value: Option<T>) -> Result<T, Problem> {
        match value {
            Some(value) if self.details.is_empty() => Ok(value),
            _ => Err(Problem::Invalid(self.details)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn query(query: &str) -> Query {
        format!("/things?{query}").parse::<Uri>().unwrap().into()
    }

    type Faults = Vec<(String, String)>;

    fn read(text: &str) -> Result<(Option<u64>, Option<bool>), Faults> {
        let read = query(text).read(|parameters| {
            let size = parameters.optional("size", integer(1..=9));
            let is_new = parameters.optional("isNew", boolean);
            Some((size?, is_new?))
        });
        read.map_err(details)
    }

    fn details(problem: Problem) -> Faults {
        match problem {
            Problem::Invalid(details) => details.into_iter().map(|detail| (detail.path, detail.message)).collect(),
            other => panic!("{other}"),
        }
    }

    fn names(text: &str) -> Vec<String> {
        read(text).unwrap_err().into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn parameters_are_read_and_may_be_absent() {
        assert_eq!(read("size=7&isNew=false"), Ok((Some(7), Some(false))));
        assert_eq!(read(""), Ok((None, None)));
        assert_eq!(read("isNew=tru%65"), Ok((None, Some(true))));
    }

    #[test]
    fn unknown_repeated_and_wrong_parameters_are_all_named_at_once() {
        assert_eq!(names("Size=7&isNew=x&size=0&sort=a&sort=b&=1"), ["size", "isNew", "Size", "sort", "="]);
        assert_eq!(names("size=7&size=7"), ["size"]);
        let message = "is not a parameter of this operation, which takes size, isNew".to_owned();
        assert_eq!(read("siz%65s=1"), Err(vec![("sizes".to_owned(), message)]));
    }

    #[test]
    fn an_operation_without_parameters_takes_none() {
        query("").read_none().unwrap();
        let found = details(query("a=1").read_none().unwrap_err());
        assert_eq!(found, [("a".to_owned(), "is not a parameter of this operation, which takes none".to_owned())]);
    }

    #[test]
    fn faults_are_listed_up_to_a_limit() {
        let many: String = (0..MOST_DETAILS * 2).map(|n| format!("p{n}=&")).collect();
        assert_eq!(names(&many).len(), MOST_DETAILS);
    }

    #[test]
    fn an_operation_that_does_not_list_ignores_unknown_parameters() {
        let read = |text: &str| query(text).read_known(|parameters| parameters.optional("size", integer(1..=9)));
        assert_eq!(read("sort=a&size=2").unwrap(), Some(2));
        assert_eq!(details(read("sort=a&size=2&size=3").unwrap_err())[0].0, "size");
    }

    #[test]
    fn a_link_keeps_what_it_does_not_replace() {
        let query = query("tag=a%20%3E%22b&cursor=old&limit=5");
        let link = query.link("https://lectern.example/sub", &[("cursor", "new")]);
        assert_eq!(link, "https://lectern.example/sub/things?tag=a+%3E%22b&limit=5&cursor=new");
    }

    proptest! {
        #[test]
        fn any_query_is_read_or_refused_by_name(text in "[!-~]{0,40}") {
            let Ok(uri) = format!("/things?{text}").parse::<Uri>() else { return Ok(()) };
            if let Err(problem) = Query::from(uri).read(|parameters| parameters.optional("a", integer(1..=9))) {
                prop_assert!(!details(problem).is_empty());
            }
        }
    }
}
