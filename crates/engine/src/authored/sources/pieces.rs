//! A lesson's value as JSON, in pieces that are not too long for an excerpt.
//!
//! A value that fits is one piece, as it came. A longer list or object is cut between its members, a longer string behind its
//! lines, sentences or words. Each piece has the shape of the whole: a piece of `{"steps": […]}` is `{"steps": […]}` with
//! some of the steps. Members keep their order. See `sources/add.rs` for what becomes of the pieces.

use serde_json::{Map, Value};

use crate::authored::plain::{LONGEST, cut};
use crate::reading::flat::flat_text;
use crate::reading::pointer::Pointer;

/// Longest piece with the names around it, in characters. Where they are longer, the piece goes without them: a long name
/// would otherwise be repeated with each of many pieces.
const LONGEST_WITH_NAMES: usize = 2 * LONGEST;

/// A value or a piece of it, with the place that it came from.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) value: Value,
    pub(super) pointer: String,
}

/// The pieces of a value, in order.
pub(super) fn pieces(value: &Value, pointer: &Pointer) -> Vec<Piece> {
    if length(value) <= LONGEST {
        return vec![Piece { value: value.clone(), pointer: pointer.written() }];
    }
    match value {
        Value::String(text) => {
            let cuts = cut(text).into_iter();
            cuts.map(|piece| Piece { value: piece.into(), pointer: pointer.written() }).collect()
        }
        Value::Array(elements) => {
            let members = elements.iter().enumerate().map(|(at, element)| (None, element, pointer.index(at)));
            of_members(members.collect(), pointer)
        }
        Value::Object(object) => {
            let members = object.iter().map(|(name, value)| (Some(name.as_str()), value, pointer.key(name)));
            of_members(members.collect(), pointer)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            vec![Piece { value: value.clone(), pointer: pointer.written() }]
        }
    }
}

/// What a reader reads in a value: its names and texts, line by line, without markup.
pub(super) fn text_of(value: &Value) -> String {
    let mut lines = Vec::new();
    each_line(value, &mut lines);
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// A member of a list, which has no name, or of an object.
type Member<'v> = (Option<&'v str>, &'v Value, Pointer);

fn of_members(members: Vec<Member<'_>>, whole: &Pointer) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut group: Vec<Member<'_>> = Vec::new();
    let mut group_length = 0;
    for member in members {
        let own = member.0.map_or(0, |name| name.chars().count()) + length(member.1);
        if !group.is_empty() && group_length + own > LONGEST {
            found.push(grouped(std::mem::take(&mut group), whole));
            group_length = 0;
        }
        if own > LONGEST {
            let (name, value, pointer) = member;
            found.extend(pieces(value, &pointer).into_iter().map(|piece| with_name(name, piece)));
        } else {
            group_length += own;
            group.push(member);
        }
    }
    if !group.is_empty() {
        found.push(grouped(group, whole));
    }
    found
}

/// Neighbours as one piece; a single one is known by its own place.
fn grouped(group: Vec<Member<'_>>, whole: &Pointer) -> Piece {
    let pointer = if let [(_, _, own)] = group.as_slice() { own.written() } else { whole.written() };
    let is_object = group.iter().all(|(name, _, _)| name.is_some());
    let value = if is_object {
        let named = group.into_iter().filter_map(|(name, value, _)| Some((name?.to_owned(), value.clone())));
        Value::Object(named.collect::<Map<_, _>>())
    } else {
        group.into_iter().map(|(_, value, _)| value.clone()).collect()
    };
    Piece { value, pointer }
}

fn with_name(name: Option<&str>, piece: Piece) -> Piece {
    if length(&piece.value) + name.map_or(0, |name| name.chars().count()) > LONGEST_WITH_NAMES {
        return piece;
    }
    let value = match name {
        Some(name) => Value::Object(Map::from_iter([(name.to_owned(), piece.value)])),
        None => Value::Array(vec![piece.value]),
    };
    Piece { value, ..piece }
}

fn length(value: &Value) -> usize {
    match value {
        // Without the marks and escapes of JSON, which are few.
        Value::String(text) => text.chars().count(),
        other => other.to_string().chars().count(),
    }
}

fn each_line(value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => lines.push(number.to_string()),
        Value::String(text) => lines.push(flat_text(text)),
        Value::Array(values) => values.iter().for_each(|value| each_line(value, lines)),
        Value::Object(members) => {
            for (name, value) in members {
                lines.push(name.clone());
                each_line(value, lines);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn cut_up(value: &Value) -> Vec<Piece> {
        pieces(value, &Pointer::root("/f"))
    }

    #[test]
    fn a_value_that_fits_is_one_piece_as_it_came() {
        for value in [json!(null), json!(4), json!("a <b>"), json!({ "b": [1, { "a": "x" }], "a": "" })] {
            assert_eq!(cut_up(&value), [Piece { value, pointer: "/f".into() }]);
        }
    }

    #[test]
    fn a_long_list_is_cut_between_its_elements() {
        let steps: Vec<String> = (0..40).map(|at| format!("{at}: {}", "x".repeat(100))).collect();
        let found = cut_up(&json!({ "note": "n", "steps": steps }));
        assert_eq!(found[0], Piece { value: json!({ "note": "n" }), pointer: "/f/note".into() });
        let elements = found[1..].iter().flat_map(|piece| piece.value["steps"].as_array().unwrap().clone());
        assert_eq!(elements.collect::<Vec<_>>(), steps);
        assert!(found[1..].iter().all(|piece| piece.pointer == "/f/steps") && found.len() > 3);
    }

    #[test]
    fn a_long_text_is_cut_where_it_stands() {
        let text = "Every cell has a wall. ".repeat(100);
        let found = cut_up(&json!([{ "text": text }, 5]));
        let texts: Vec<&str> = found.iter().filter_map(|piece| piece.value[0]["text"].as_str()).collect();
        assert_eq!(texts.join(" "), text.trim());
        assert_eq!(
            (found[0].pointer.as_str(), found.last().unwrap()),
            ("/f/0/text", &Piece { value: json!([5]), pointer: "/f/1".into() })
        );
    }

    #[test]
    fn a_very_long_name_is_not_repeated_with_every_piece() {
        let found = cut_up(&json!({ "n".repeat(5_000): "Every cell has a wall. ".repeat(400) }));
        assert!(found.iter().all(|piece| length(&piece.value) <= LONGEST_WITH_NAMES));
    }

    proptest! {
        #[test]
        fn pieces_are_short_and_hold_every_word(
            words in proptest::collection::vec("[a-z]{1,9}", 1..900), width in 1..60_usize, depth in 0..4_usize,
        ) {
            let rows: Vec<Value> = words.chunks(width).map(|row| json!({ "row": row.join(" ") })).collect();
            let value = (0..depth).fold(Value::Array(rows), |value, _| json!({ "in": [value, "end"] }));
            let found = cut_up(&value);
            prop_assert!(found.iter().all(|piece| length(&piece.value) <= LONGEST_WITH_NAMES));
            let texts: String = found.iter().map(|piece| text_of(&piece.value) + " ").collect();
            let read: Vec<&str> = texts.split_whitespace().filter(|word| !["row", "in", "end"].contains(word)).collect();
            let given: Vec<&str> = words.iter().map(String::as_str).filter(|word| !["row", "in", "end"].contains(word)).collect();
            prop_assert_eq!(read, given);
        }
    }
}
