//! Places for values in an operator's file: `{name}`. Braces around anything but a lower-case word are text, so that style
//! sheets can stand in a page as they are.

/// Where a place begins and ends, and what it is called.
struct Place<'a> {
    start: usize,
    end: usize,
    name: &'a str,
}

/// The places of a text, in order.
fn places(text: &str) -> impl Iterator<Item = Place<'_>> {
    text.match_indices('{').filter_map(|(start, _)| {
        let rest = &text[start + 1..];
        let length = rest.bytes().take_while(|byte| byte.is_ascii_lowercase() || *byte == b'_').count();
        let is_place = length > 0 && rest.as_bytes().get(length) == Some(&b'}');
        is_place.then(|| Place { start, end: start + length + 2, name: &rest[..length] })
    })
}

/// The names of a text's places.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    places(text).map(|place| place.name)
}

/// Puts values in their places, in one pass: a value that holds braces stays as it is.
pub(super) fn fill(text: &str, values: &[(&'static str, String)]) -> String {
    let mut filled = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for place in places(text) {
        if let Some((_, value)) = values.iter().find(|(name, _)| *name == place.name) {
            filled.push_str(&text[done..place.start]);
            filled.push_str(value);
            done = place.end;
        }
    }
    filled.push_str(&text[done..]);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_sheet_has_no_places_and_values_are_not_filled_again() {
        let page = "<style>p{color:red} a { b: c } {}{A}</style>{name} {other}{name";
        assert_eq!(names(page).collect::<Vec<_>>(), ["name", "other"]);
        assert_eq!(
            fill(page, &[("name", "{other}".to_owned()), ("other", "é".to_owned())]),
            "<style>p{color:red} a { b: c } {}{A}</style>{other} é{name"
        );
    }
}
