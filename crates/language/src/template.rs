//! Texts with places for values, such as `{title}`.

/// Puts values in a template's braces, in one pass: a value that holds braces stays as it is.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}').map(|at| open + at) else { break };
        filled.push_str(&rest[..open]);
        let name = &rest[open + 1..close];
        if let Some((_, value)) = values.iter().find(|(key, _)| *key == name) {
            filled.push_str(value);
        }
        rest = &rest[close + 1..];
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_braces_is_not_filled_again() {
        assert_eq!(fill("{a} {b}", &[("a", "{b}"), ("b", "x")]), "{b} x");
    }
}
