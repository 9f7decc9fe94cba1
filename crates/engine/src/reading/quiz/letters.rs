//! The letters and numbers in front of options, in the alphabets that authors count with.

/// Each in the order of counting. Capitals and small letters are alike.
const ALPHABETS: [&str; 14] = [
    "abcdefgh",
    "абвгдежз",
    "абвгґдеє",
    "αβγδεζηθ",
    "أبجدهوزح",
    "ابجدهوزح",
    "アイウエオカキク",
    "あいうえおかきく",
    "가나다라마바사아",
    "㉠㉡㉢㉣㉤㉥㉦㉧",
    "ㄱㄴㄷㄹㅁㅂㅅㅇ",
    "甲乙丙丁戊己庚辛",
    "कखगघङचछज",
    "①②③④⑤⑥⑦⑧",
];
/// What may stand between a letter and its option.
const BEHIND: [char; 8] = [')', '.', ':', ']', '、', '）', '．', '：'];

/// A dash between them has spaces around it: "A-flat" is a note.
const DASHES: [&str; 3] = [" – ", " — ", " - "];

/// The places that a letter or number may name, from 0: "Г" is the fourth letter in Russian and in Ukrainian.
fn places(label: &str) -> impl Iterator<Item = usize> {
    let mut characters = label.chars();
    let only = characters.next().filter(|_| characters.next().is_none());
    let lower = only.and_then(|letter| letter.to_lowercase().next());
    let numbered = only.and_then(digit).filter(|number| *number > 0).map(|number| number - 1);
    let lettered = ALPHABETS.iter().filter_map(move |letters| letters.chars().position(|letter| Some(letter) == lower));
    numbered.into_iter().chain(lettered)
}

/// The value of a digit of any script that writes numbers with ten signs.
pub(super) fn digit(sign: char) -> Option<usize> {
    const ZEROS: [char; 6] = ['0', '٠', '۰', '०', '๐', '０'];
    ZEROS.iter().find_map(|zero| {
        let value = (sign as usize).checked_sub(*zero as usize)?;
        (value < 10).then_some(value)
    })
}

/// The place that a letter or number names, from 0.
pub(super) fn place_of(label: &str) -> Option<usize> {
    places(label).next()
}

/// Whether a letter or number may name a place.
pub(super) fn names_place(label: &str, place: usize) -> bool {
    places(label).any(|found| found == place)
}

/// The letter or number in front of an option, and what follows.
pub(super) fn split_letter(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let inner = text.strip_prefix(['(', '[', '（']).unwrap_or(text);
    let end = inner.char_indices().nth(1)?.0;
    let (label, rest) = inner.split_at(end);
    let is_circled = label.starts_with(|sign: char| ('①'..='㉿').contains(&sign));
    let dashed = || DASHES.iter().find_map(|dash| rest.strip_prefix(dash));
    let behind = rest.strip_prefix(BEHIND).or_else(dashed).or(Some(rest).filter(|_| is_circled))?;
    let spaced = is_circled
        || dashed().is_some()
        || behind.starts_with([' ', '\t'])
        || !behind.starts_with(|first: char| first.is_ascii());
    (places(label).next().is_some() && spaced && !behind.trim().is_empty()).then(|| (label, behind.trim()))
}

/// The options of one line: "A: 12 / B: 14 / C: 16", "a) red b) blue".
pub(super) fn in_one_line(text: &str) -> Option<Vec<&str>> {
    let mut starts: Vec<usize> = Vec::new();
    for (at, _) in text.char_indices().filter(|(_, sign)| !sign.is_whitespace()) {
        let begins =
            text[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || "(/|;,".contains(before));
        let labelled = || split_letter(&text[at..]).is_some_and(|(label, _)| names_place(label, starts.len()));
        if begins && labelled() {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| text[*start..end].trim_matches(|sign: char| sign.is_whitespace() || "/|;,".contains(sign)));
    let parts: Vec<&str> = parts.collect();
    (starts.len() > 1 && starts[0] == 0).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_count_in_many_alphabets() {
        for (label, place) in [
            ("b", 1),
            ("B", 1),
            ("3", 2),
            ("٣", 2),
            ("Б", 1),
            ("ب", 1),
            ("イ", 1),
            ("乙", 1),
            ("나", 1),
            ("㉡", 1),
            ("②", 1),
        ] {
            assert_eq!(place_of(label), Some(place), "{label}");
        }
        assert!(names_place("Г", 3) && names_place("Д", 4) && names_place("Д", 5));
        assert_eq!(place_of("0"), None);
        assert_eq!(place_of("ab"), None);
    }

    #[test]
    fn a_letter_is_told_from_its_option() {
        for (text, parted) in [
            ("A) Paris", Some(("A", "Paris"))),
            ("(b) Rome", Some(("b", "Rome"))),
            ("Б) 4", Some(("Б", "4"))),
            ("甲、长江", Some(("甲", "长江"))),
            ("① 물", Some(("①", "물"))),
            ("ア．4", Some(("ア", "4"))),
            ("1 – bundle of His", Some(("1", "bundle of His"))),
            ("A-flat", None),
            ("A bird", None),
            ("3.5 m", None),
        ] {
            assert_eq!(split_letter(text), parted, "{text}");
        }
    }

    #[test]
    fn options_on_one_line_are_parted_by_their_letters() {
        for (text, parts) in [
            ("A: 12 / B: 14 / C: 16", vec!["A: 12", "B: 14", "C: 16"]),
            ("a) red b) dark blue", vec!["a) red", "b) dark blue"]),
            ("أ) قلم ب) كتاب", vec!["أ) قلم", "ب) كتاب"]),
        ] {
            assert_eq!(in_one_line(text), Some(parts), "{text}");
        }
        for text in ["red, blue", "see a) and c)", "A: 12", ""] {
            assert_eq!(in_one_line(text), None, "{text}");
        }
    }
}
