//! The fields of a query or form.

use url::form_urlencoded;

/// Fields in their order.
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads `application/x-www-form-urlencoded`, as a query or a body.
    pub(super) fn read(text: &[u8]) -> Self {
        Self(form_urlencoded::parse(text).into_owned().collect())
    }

    /// A field that is filled in. One that comes twice is none: two readers could take it for different texts.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(own, _)| own == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (Some(value), None) if !value.is_empty() => Some(value),
            _ => None,
        }
    }

    /// Whether a field has this value.
    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        self.get(name) == Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_empty_or_comes_twice_is_none() {
        let fields = Fields::read(b"a=1&b=&c=1&c=2&d=x+%26");
        assert_eq!(fields.get("a"), Some("1"));
        assert_eq!((fields.get("b"), fields.get("c"), fields.get("e")), (None, None, None));
        assert!(fields.is("d", "x &"));
    }
}
