//! Powers of units: `cm^2`, `square metres`, `mètres carrés`, `Quadratmeter`, `平方米`.

use super::tables::NONE;
use super::{Unit, single};

/// `cm^2`, `cm2` and `s^-1` are a name and a power.
pub(super) fn split_power(part: &str) -> Option<(&str, i8)> {
    let (name, power) = match part.split_once('^') {
        Some((name, power)) => (name, power),
        None => {
            let name = part.trim_end_matches(|one: char| one.is_ascii_digit() || one == '-');
            (name, &part[name.len()..])
        }
    };
    let power = if power.is_empty() {
        if part.contains('^') { return Some((name, 1)) } else { 1 }
    } else {
        power.parse().ok()?
    };
    (-9..=9).contains(&power).then_some((name, power))
}

/// Stems of words for a second and for a third power, in front of a unit or behind it.
pub(super) const SQUARES: [&str; 16] = [
    "square",
    "sq",
    "quadra",
    "cuadrad",
    "carré",
    "carre",
    "kwadrat",
    "vierkant",
    "квадрат",
    "кв",
    "مربع",
    "वर्ग",
    "kare",
    "平方",
    "ตาราง",
    "ตร",
];
pub(super) const CUBES: [&str; 14] = [
    "cubic",
    "cubed",
    "cubes",
    "cubi",
    "cube",
    "cúbic",
    "kubi",
    "sześcien",
    "куб",
    "مكعب",
    "घन",
    "küp",
    "立方",
    "ลูกบาศก์",
];

pub(super) fn begins(word: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| word.starts_with(stem))
}

pub(super) fn count_letters(word: &str) -> usize {
    word.chars().count()
}

/// A power that stands behind its unit: `^2`, `squared`, `carrés`.
pub(super) fn suffix_power(part: &str) -> Option<i8> {
    let lower = part.to_lowercase();
    if single(part).is_none() && (begins(&lower, &SQUARES) || begins(&lower, &CUBES)) {
        return Some(if begins(&lower, &SQUARES) { 2 } else { 3 });
    }
    lower.strip_prefix('^').unwrap_or(&lower).parse().ok().filter(|power| (-9..=9).contains(power) && *power != 0)
}

/// A unit with its power in one word: `Quadratmeter`, `平方米`, `제곱미터`.
pub(super) fn glued_power(lower: &str) -> Option<Unit> {
    let glued = [
        ("quadrat", 2),
        ("kubik", 3),
        ("平方", 2),
        ("立方", 3),
        ("세제곱", 3),
        ("제곱", 2),
        ("ตาราง", 2),
        ("ลูกบาศก์", 3),
    ];
    let (rest, power) = glued.into_iter().find_map(|(stem, power)| Some((lower.strip_prefix(stem)?, power)))?;
    let one = Unit { factor: 1.0, offset: 0.0, dimension: NONE, currency: None, is_share: false };
    one.times(&single(rest)?, power)
}
