//! What belongs together in a matching question: two lists, and a key that links the places of one to those of the other.

use serde_json::{Map, Value};

use super::letters::{digit, place_of};
use super::values::text_of;

/// Most entries of a list.
const MOST: usize = 20;

/// The texts of a list; none where it is something else.
pub(super) fn listed(value: &Value) -> Option<Vec<String>> {
    texts(value.as_array()?.iter().collect())
}

/// The texts of one side of a matching question: a list, or an object whose members are named by places ("a", "b", …).
pub(super) fn side(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Object(members) => texts(by_places(members)?),
        _ => listed(value),
    }
}

fn texts(values: Vec<&Value>) -> Option<Vec<String>> {
    let plain = values.iter().all(|value| value.is_string() || value.is_number());
    ((2..=MOST).contains(&values.len()) && plain).then(|| values.into_iter().map(text_of).collect())
}

/// The members of an object in the order of their names, where these count from "a" or from "1".
fn by_places(members: &Map<String, Value>) -> Option<Vec<&Value>> {
    let places = members.iter().map(|(name, value)| {
        let at = match place(name)? {
            Place::Letter(at) => at,
            Place::Number(number) => number.checked_sub(1)?,
        };
        Some((at, value))
    });
    let mut found: Vec<(usize, &Value)> = places.collect::<Option<_>>()?;
    found.sort_by_key(|(at, _)| *at);
    let counts = found.iter().enumerate().all(|(at, (place, _))| at == *place);
    counts.then(|| found.into_iter().map(|(_, value)| value).collect())
}

/// The pairs that a key makes of two lists. None where it does not link each of the left ones to one of the right ones.
pub(super) fn linked(left: &[String], right: &[String], key: &Value) -> Option<Vec<(String, String)>> {
    let links = match key {
        Value::Array(values) => values.iter().map(link_of_values).collect::<Option<Vec<Link>>>()?,
        Value::Object(members) => members
            .iter()
            .map(|(from, to)| Some((place(from)?, place(&text_of(to))?)))
            .collect::<Option<Vec<Link>>>()?,
        Value::String(text) => links_of_text(text)?,
        _ => return None,
    };
    let side = |from_left: bool| {
        let places: Vec<Place> = links.iter().map(|link| if from_left { link.0 } else { link.1 }).collect();
        resolved(&places, if from_left { left.len() } else { right.len() })
    };
    let (from, to) = (side(true)?, side(false)?);
    let mut linked = from.clone();
    linked.sort_unstable();
    linked.dedup();
    let whole = linked.len() == left.len() && from.len() == left.len();
    whole.then(|| from.into_iter().zip(to).map(|(from, to)| (left[from].clone(), right[to].clone())).collect())
}

/// A place in a list as the key names it.
#[derive(Debug, Clone, Copy)]
enum Place {
    Letter(usize),
    Number(usize),
}

type Link = (Place, Place);

/// Places from 0. Numbers count from 0 where one is 0, and from 1 where one is as high as there are entries.
fn resolved(places: &[Place], count: usize) -> Option<Vec<usize>> {
    let numbers =
        || places.iter().filter_map(|place| if let Place::Number(number) = place { Some(*number) } else { None });
    let (zero, one) = (numbers().any(|number| number == 0), numbers().any(|number| number == count));
    if zero && one || !zero && !one && numbers().next().is_some() {
        return None;
    }
    let place = |place: &Place| match place {
        Place::Letter(at) => Some(*at),
        Place::Number(number) => number.checked_sub(usize::from(one)),
    };
    places.iter().map(|found| place(found).filter(|at| *at < count)).collect()
}

/// Whether a text is a key that links places: "1b 2d 3c".
pub(super) fn is_key(text: &str) -> bool {
    links_of_text(text).is_some_and(|links| {
        links
            .iter()
            .all(|(from, to)| matches!((from, to), (Place::Number(_), Place::Letter(_)) | (Place::Letter(_), _)))
    })
}

/// `[0, 2]`, `["a", 3]`.
fn link_of_values(value: &Value) -> Option<Link> {
    let [from, to] = value.as_array()?.as_slice() else { return None };
    Some((place(&text_of(from))?, place(&text_of(to))?))
}

/// "1-2, 2-4", "1b 2d", "A → 3; B → 1".
fn links_of_text(text: &str) -> Option<Vec<Link>> {
    let mut places: Vec<Place> = Vec::new();
    for run in text.split(|sign: char| !sign.is_alphanumeric()).filter(|run| !run.is_empty()) {
        // "1b" is a number and a letter.
        let end = run.find(|sign: char| digit(sign).is_none()).unwrap_or(run.len());
        let (digits, rest) = run.split_at(end);
        let letter_first = rest.char_indices().nth(1).map_or(rest.len(), |(at, _)| at);
        let (letter, behind) = rest.split_at(letter_first);
        for part in [digits, letter, behind].into_iter().filter(|part| !part.is_empty()) {
            places.push(place(part)?);
        }
    }
    let pairs = places.chunks_exact(2);
    let whole = pairs.remainder().is_empty() && places.len() >= 4;
    whole.then(|| pairs.map(|pair| (pair[0], pair[1])).collect())
}

fn place(text: &str) -> Option<Place> {
    let text = text.trim();
    let digits: Option<Vec<usize>> = text.chars().map(digit).collect();
    match digits.as_deref() {
        Some([]) => None,
        Some([tens, ones]) => Some(Place::Number(tens * 10 + ones)),
        Some([only]) => Some(Place::Number(*only)),
        Some(_) => None,
        None => place_of(text).map(Place::Letter),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pairs(key: Value) -> Option<Vec<String>> {
        let (left, right) = (["p", "q", "r"].map(str::to_owned), ["x", "y", "z"].map(str::to_owned));
        let linked = linked(&left, &right, &key)?;
        Some(linked.iter().map(|(left, right)| format!("{left}{right}")).collect())
    }

    #[test]
    fn a_key_links_the_places_of_two_lists() {
        let told = Some(["py", "qz", "rx"].map(str::to_owned).to_vec());
        for key in [
            json!([[0, 1], [1, 2], [2, 0]]),
            json!([[1, 2], [2, 3], [3, 1]]),
            json!("1-2, 2-3, 3-1"),
            json!("1b 2c 3a"),
            json!("1) b; 2) c; 3) a"),
            json!("A → 2, B → 3, C → 1"),
            json!("١-ب، ٢-ج، ٣-أ"),
            json!({ "1": 2, "2": 3, "3": 1 }),
        ] {
            assert_eq!(pairs(key.clone()), told, "{key}");
        }
    }

    #[test]
    fn a_key_that_links_in_part_or_doubtfully_links_nothing() {
        for key in [
            json!("1-2, 2-3"),
            json!("1-2, 1-3, 3-1"),
            json!([[1, 2], [2, 1], [1, 1]]),
            json!("x"),
            json!(7),
            json!("1-2-3"),
        ] {
            assert_eq!(pairs(key.clone()), None, "{key}");
        }
    }
}
