//! Quantities in a text: a number with its unit.

use language::script::is_unspaced;

use super::words::Word;
use crate::exact::units::{self, Unit};

/// Quantities of a text that are read.
const MOST_QUANTITIES: usize = 64;
/// Numbers that are tried, and bytes behind each where its unit may stand.
const MOST_NUMBERS: usize = 256;
const MOST_UNIT_BYTES: usize = 64;
/// Words of a unit, as in "metres per second".
const MOST_UNIT_WORDS: usize = 3;
/// Characters of a unit in writing without spaces.
const MOST_UNIT_SIGNS: usize = 8;
/// How far two numbers may be apart, as a share of the larger, to be one number that somebody rounded.
const ROUNDED: f64 = 0.01;

/// A number with its unit.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    number: f64,
    unit: Unit,
}

/// The quantities of a text whose words are these.
pub(super) fn read(text: &str, words: &[Word]) -> Vec<Quantity> {
    let numbers = words.iter().filter(|word| word.is_number).take(MOST_NUMBERS);
    let quantity = |word: &Word| {
        let behind = &text[word.end..];
        let behind = &behind[..behind.floor_char_boundary(MOST_UNIT_BYTES)];
        let behind = behind.trim_start_matches([' ', '\u{a0}', '\u{202f}', '-']);
        Some(Quantity { number: word.folded.parse().ok()?, unit: unit(behind)? })
    };
    numbers.filter_map(quantity).take(MOST_QUANTITIES).collect()
}

/// The unit that a text begins with, as many words as belong to it.
fn unit(text: &str) -> Option<Unit> {
    let is_between = |sign: char| sign.is_whitespace() || matches!(sign, ',' | ';' | ':' | '!' | '?' | '(' | ')' | '"');
    let first = text.split(is_between).next().filter(|first| !first.is_empty())?;
    let ends = text.char_indices().filter(|(_, sign)| is_between(*sign)).map(|(at, _)| at).chain([text.len()]);
    let named: Vec<&str> = ends.take(MOST_UNIT_WORDS).map(|end| text[..end].trim_end_matches('.')).collect();
    let spaced = named.iter().rev().find_map(|name| units::parse(name));
    spaced.or_else(|| {
        let ends = first.char_indices().map(|(at, sign)| (at + sign.len_utf8(), sign)).take(MOST_UNIT_SIGNS);
        let ends: Vec<(usize, char)> = ends.collect();
        let is_glued = first.contains(is_unspaced);
        ends.into_iter().rev().filter(|_| is_glued).find_map(|(end, _)| units::parse(&first[..end]))
    })
}

/// How the quantities of an answer agree with those of a reference, from -1 to 1: the mean over the reference's that the answer has
/// another amount of, or the same. 0 where it has nothing to compare.
pub(super) fn agreement(reference: &[Quantity], answer: &[Quantity]) -> f64 {
    let agrees = |wanted: &Quantity| {
        let mut alike = answer.iter().filter(|given| wanted.unit.is_like(&given.unit)).peekable();
        if alike.peek().is_none() {
            return answer.iter().any(|given| wanted.has_another_unit(given)).then_some(-1.0);
        }
        Some(if alike.any(|given| wanted.is_near(given)) { 1.0 } else { -1.0 })
    };
    let agreements: Vec<f64> = reference.iter().filter_map(agrees).collect();
    if agreements.is_empty() { 0.0 } else { agreements.iter().sum::<f64>() / agreements.len() as f64 }
}

impl Quantity {
    /// Whether it is the same number of something else. Signs for temperatures are those of other units as well.
    fn has_another_unit(&self, other: &Self) -> bool {
        let is_temperature = self.unit.is_temperature() || other.unit.is_temperature();
        self.number.to_bits() == other.number.to_bits() && !is_temperature && !self.unit.may_mean(&other.unit)
    }

    fn is_near(&self, other: &Self) -> bool {
        let (one, other) = (self.unit.in_base_units(self.number), other.unit.in_base_units(other.number));
        (one - other).abs() <= ROUNDED * one.abs().max(other.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::Reader;
    use super::*;

    fn of(tag: &str, text: &str) -> Vec<Quantity> {
        read(text, &Reader::new(tag).words(text, 100))
    }

    #[test]
    fn quantities_agree_across_units_and_spellings() {
        for (tag, one, other, expected) in [
            ("en", "It is 5 km long.", "about 5,000 metres", 1.0),
            ("en", "It is 5 km long.", "about 5 miles", -1.0),
            ("en", "5 degrees Celsius", "Five °C or colder.", 1.0),
            ("en", "5 degrees Celsius", "Five °F or colder.", -1.0),
            ("en", "9.8 m/s^2", "9.8 metres per second", -1.0),
            ("en", "3 kg", "3 apples", 0.0),
            ("en", "It is 5 km away.", "It is 5 kg away.", -1.0),
            ("en", "5 °C", "5 C", 0.0),
            ("ja", "3776メートル", "約3776mです。", 1.0),
            ("ja", "3776メートル", "約3776kmです。", -1.0),
            ("de", "2,5 Stunden", "150 Minuten", 1.0),
        ] {
            let agreement = agreement(&of(tag, one), &of(tag, other));
            assert!((agreement - expected).abs() < 1e-9, "{one} / {other}: {agreement}");
        }
    }
}
