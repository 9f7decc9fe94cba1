//! Numbers in words: composed in English, single words in other languages.

/// The text with a number in words at its start written in digits; `None` where there is none.
pub(super) fn in_digits(text: &str) -> Option<String> {
    if !text.starts_with(char::is_alphabetic) {
        return None;
    }
    let lower = text.to_lowercase();
    let (sign, lower) = ["minus ", "negative ", "moins ", "menos ", "meno ", "минус "]
        .iter()
        .find_map(|word| Some(("-", lower.strip_prefix(word)?)))
        .unwrap_or(("", lower.as_str()));
    let (value, rest) = english(lower).or_else(|| other_language(lower))?;
    Some(format!("{sign}{value}{}{rest}", if rest.is_empty() { "" } else { " " }))
}

const GROUPS: [(&str, u64); 4] =
    [("thousand", 1_000), ("million", 1_000_000), ("billion", 1_000_000_000), ("trillion", 1_000_000_000_000)];
const PARTS: [(&str, u64); 10] = [
    ("half", 2),
    ("third", 3),
    ("quarter", 4),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
];

/// The number that an English word is: one below twenty, or tens.
fn below_hundred(word: &str) -> Option<u64> {
    language::teaching("en").answers.number(word).map(u64::from)
}

/// The number that English words begin with, in digits, and the words behind it.
fn english(text: &str) -> Option<(String, String)> {
    let words: Vec<&str> = text.split([' ', '-']).filter(|word| !word.is_empty()).take(40).collect();
    let (mut total, mut group) = (0_u64, None::<u64>);
    let mut used = 0;
    let mut decimals: Option<String> = None;
    while let Some(word) = words.get(used) {
        let small = below_hundred(word).filter(|value| *value < 20);
        let tens = below_hundred(word).filter(|value| *value >= 20);
        let current = group.unwrap_or(0);
        if let Some(decimals) = &mut decimals {
            let Some(digit) = small.filter(|digit| *digit < 10) else { break };
            decimals.push_str(&digit.to_string());
        } else if let Some(value) = small {
            let fits =
                group.is_none() || current % 100 == 0 && current > 0 || value < 10 && current % 10 == 0 && current > 0;
            if !fits {
                return None;
            }
            group = Some(current + value);
        } else if let Some(value) = tens {
            if group.is_some_and(|group| group % 100 != 0 || group == 0) {
                return None;
            }
            group = Some(current + value);
        } else if *word == "a"
            && used == 0
            && matches!(words.get(1), Some(&("hundred" | "thousand" | "million" | "half" | "third" | "quarter")))
        {
            group = Some(1);
        } else if *word == "hundred" && (1..100).contains(&current) {
            group = Some(current * 100);
        } else if let Some((_, value)) = GROUPS.iter().find(|(name, _)| name == word).filter(|_| current > 0) {
            total = total.checked_add(current.checked_mul(*value)?)?;
            group = None;
        } else if *word == "and" && used > 0 && words.get(used + 1).is_some_and(|next| below_hundred(next).is_some()) {
            let continues = group.is_none() && total > 0 || current >= 100 && current % 100 == 0;
            if !continues {
                break;
            }
        } else if *word == "point"
            && used > 0
            && words.get(used + 1).is_some_and(|next| below_hundred(next).is_some_and(|value| value < 10))
        {
            decimals = Some(String::new());
        } else {
            break;
        }
        used += 1;
    }
    let part = |word: &str| PARTS.iter().find(|(name, _)| word.strip_suffix('s').unwrap_or(word) == *name);
    let part = words.get(used).and_then(|word| part(word).or_else(|| (*word == "halves").then_some(&PARTS[0])));
    let group = match (group, part) {
        (None, Some((name, below))) if used == 0 && *name == "half" => {
            return Some((format!("1/{below}"), words[1..].join(" ")));
        }
        (group, _) => group.or((total > 0).then_some(0))?,
    };
    let value = total + group;
    if let Some((_, below)) = part {
        return Some((format!("{value}/{below}"), words[used + 1..].join(" ")));
    }
    let decimals = decimals.map(|digits| format!(".{digits}")).unwrap_or_default();
    Some((format!("{value}{decimals}"), words[used..].join(" ")))
}

/// A word of another language that is a number by itself, in digits, and the words behind it.
fn other_language(text: &str) -> Option<(String, String)> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let others = language::taught().filter(|(tag, _)| *tag != "en");
    let value = others.into_iter().find_map(|(_, teaching)| teaching.answers.number(word))?;
    Some((value.to_string(), rest.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_numbers_compose() {
        for (words, digits) in [
            ("one thousand", "1000"),
            ("forty-two", "42"),
            ("Three hundred and five", "305"),
            ("two million three hundred thousand and one", "2300001"),
            ("twelve kilometers", "12 kilometers"),
            ("minus seven", "-7"),
            ("three point one four", "3.14"),
            ("two thirds", "2/3"),
            ("one half", "1/2"),
            ("half", "1/2"),
            ("a hundred", "100"),
            ("zwölf", "12"),
            ("quatre mètres", "4 mètres"),
        ] {
            assert_eq!(in_digits(words).as_deref(), Some(digits), "{words}");
        }
        for words in ["Paris", "one two", "twenty thirty", "hundred", "and", ""] {
            assert_eq!(in_digits(words), None, "{words}");
        }
    }
}
