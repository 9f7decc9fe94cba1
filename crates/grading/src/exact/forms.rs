//! The form that a question asks for: "factorise", "in lowest terms", "in km", "to 2 decimal places".
//!
//! A form is demanded only where the reference has it; else the question was misread, and an equal value is enough. What can't be
//! read as an expression has no form and is never refused here. "As a decimal" refuses no fraction: a calculation copied from the
//! question is refused elsewhere, and any other fraction shows that the learner knows the number. [`FormPhrases`] holds the classroom's words.

mod shapes;

use std::borrow::Cow;

use language::FormPhrases;
use language::script::is_unspaced;

use super::compare::{self, numbers::numeral};
use super::evaluate;
use super::expressions::Expression;
use super::number_words;
use super::phrases::LowerText;
use super::units::{self, Unit};
use super::values::{Scalar, Value};
use super::vocabulary::Words;

/// What a question demands besides the value.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    demands: Vec<Demand>,
    /// Items count in their order.
    pub(super) is_ordered: bool,
}

/// One form.
#[derive(Clone, Debug, PartialEq)]
enum Demand {
    Factored,
    Expanded,
    Simplified,
    LowestTerms,
    PrimeFactors,
    Scientific,
    Fraction,
    Percentage,
    Exact,
    Places(i64),
    Figures(usize),
    In(Unit),
}

const MOST_QUESTION_BYTES: usize = 4_000;
const MOST_UNIT_WORDS: usize = 3;

impl Forms {
    /// The forms that a question in plain characters asks for.
    pub(super) fn of(question: &str, lower: &LowerText, words: &Words) -> Self {
        if question.is_empty() || question.len() > MOST_QUESTION_BYTES {
            return Self::default();
        }
        let phrases = language::find_teaching(words.tag).map_or(&FormPhrases::UNKNOWN, |teaching| &teaching.forms);
        let unit = target_unit(question, phrases);
        let asks = |list: &str| list.split('|').any(|phrase| lower.holds(phrase));
        let named = [
            (phrases.factor, Demand::Factored),
            (phrases.expand, Demand::Expanded),
            (phrases.simplify, Demand::Simplified),
            (phrases.lowest_terms, Demand::LowestTerms),
            (phrases.prime_factors, Demand::PrimeFactors),
            (phrases.scientific, Demand::Scientific),
            (phrases.fraction, Demand::Fraction),
            (phrases.percentage, Demand::Percentage),
            (phrases.exact, Demand::Exact),
        ];
        let mut demands: Vec<Demand> =
            named.into_iter().filter(|(list, _)| asks(list)).map(|(_, demand)| demand).collect();
        let nearest = phrases.nearest.split('|').position(|phrase| lower.holds(phrase));
        let places = counted(lower.as_str(), phrases.places, words).or_else(|| nearest.map(|at| at + 1));
        demands.extend(places.and_then(|places| i64::try_from(places).ok()).map(Demand::Places));
        demands.extend(counted(lower.as_str(), phrases.figures, words).map(Demand::Figures));
        demands.extend(unit.map(Demand::In));
        Self { demands, is_ordered: asks(phrases.order) }
    }

    /// Whether an answer of the right value lacks a form that the question asks for and the reference has.
    pub(super) fn are_missed(&self, reference: &Value, answer: &Value) -> bool {
        let (Some(reference), Some(answer)) = (scalar_of(reference), scalar_of(answer)) else { return false };
        self.demands.iter().any(|demand| demand.has(&reference) && !demand.allows(&reference, &answer))
    }
}

/// The scalar that a value is or gives a name to.
fn scalar_of(value: &Value) -> Option<Cow<'_, Scalar>> {
    match value {
        Value::Scalar(scalar) => Some(Cow::Borrowed(scalar)),
        Value::Named { value, .. } => scalar_of(value),
        Value::Equation(left, right) => match compare::defined(left, right)? {
            Value::Scalar(scalar) => Some(Cow::Owned(scalar)),
            _ => None,
        },
        _ => None,
    }
}

impl Demand {
    /// Whether the reference has the form, so that the question means it.
    fn has(&self, reference: &Scalar) -> bool {
        let expression = &reference.expression;
        match self {
            Self::Simplified => true,
            Self::Percentage => reference.unit.as_ref().is_some_and(|unit| unit.is_share),
            Self::Exact => shapes::is_irrational(expression),
            Self::In(unit) => reference.unit.as_ref() == Some(unit),
            Self::Places(places) => decimals(expression).unwrap_or(0) <= *places,
            Self::Figures(figures) => numeral(expression).is_some_and(|(_, written)| written.significant <= *figures),
            Self::Fraction => shapes::has_fraction(expression) && reference.unit.is_none(),
            _ => self.allows(reference, reference),
        }
    }

    fn allows(&self, reference: &Scalar, answer: &Scalar) -> bool {
        let (wanted, given) = (&reference.expression, &answer.expression);
        let is_share = answer.unit.as_ref().is_some_and(|unit| unit.is_share);
        match self {
            Self::Factored => shapes::factors(given) >= shapes::factors(wanted).max(2),
            Self::Expanded => !shapes::has_brackets(given),
            Self::Simplified => shapes::Untidy::of(given).is_within(shapes::Untidy::of(wanted)),
            Self::LowestTerms => !shapes::Untidy::of(given).has_reducible_fraction,
            Self::PrimeFactors => shapes::is_prime_product(given),
            Self::Scientific => shapes::is_scientific(given) || has_exponent(&answer.text),
            Self::Fraction => !is_share && (shapes::has_fraction(given) || decimals(given).is_none()),
            Self::Percentage => is_share || evaluate::same_value(wanted, given).is_some(),
            Self::Exact => decimals(given).is_none(),
            Self::Places(places) => decimals(given).is_none_or(|own| own <= *places) && !shapes::is_irrational(given),
            Self::Figures(figures) => numeral(given).is_none_or(|(_, written)| written.significant <= *figures),
            Self::In(unit) => answer.unit.as_ref().is_none_or(|own| own == unit || own.may_mean(unit)),
        }
    }
}

/// The decimals of an expression that is a numeral with a decimal separator.
fn decimals(expression: &Expression) -> Option<i64> {
    numeral(expression)?.1.decimals
}

/// `6.02e23`
fn has_exponent(text: &str) -> bool {
    let mantissa = text.trim_start_matches(['-', '+']).split(['e', 'E']).next().unwrap_or_default();
    let whole = mantissa.split(['.', ',']).next().unwrap_or_default();
    mantissa.len() < text.trim_start_matches(['-', '+']).len() && whole.len() == 1 && !whole.starts_with('0')
}

/// The number in the place of `#` in one of the patterns: "to 2 decimal places".
fn counted(question: &str, patterns: &str, words: &Words) -> Option<usize> {
    patterns.split('|').filter_map(|pattern| pattern.split_once('#')).find_map(|(before, after)| {
        question.match_indices(after).find_map(|(at, _)| {
            let head = question[..at].trim_end();
            let is_part = |one: char| one.is_alphanumeric() && !before.contains(one);
            let from = head.char_indices().rev().take_while(|(_, one)| is_part(*one)).last()?.0;
            let number = &head[from..];
            let count = number.parse().ok().or_else(|| number_words::in_digits(number, words)?.parse().ok())?;
            (head[..from].trim_end().ends_with(before.trim_end()) && count <= 12).then_some(count)
        })
    })
}

/// The unit behind a preposition: "in km", "en metros cuadrados", "km cinsinden".
fn target_unit(question: &str, phrases: &FormPhrases) -> Option<Unit> {
    let parts: Vec<&str> = question
        .split(|one: char| one.is_whitespace() || matches!(one, '(' | ')' | '?' | ',' | ':' | ';'))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    // Words of scripts without spaces stand in one word with others.
    let is_same = |one: &str, word: &str| one == word || one.starts_with(is_unspaced) && word.ends_with(one);
    let lists = |list: &str, word: &str| {
        let word = word.to_lowercase();
        list.split(' ').any(|one| !one.is_empty() && is_same(one, &word))
    };
    let read = |from: usize| {
        (1..=MOST_UNIT_WORDS).rev().find_map(|count| units::parse(&parts.get(from..from + count)?.join(" ")))
    };
    (0..parts.len()).rev().find_map(|at| {
        if lists(phrases.into_unit, parts[at]) {
            read(at + 1).filter(|_| !lists(phrases.into_unit, parts.get(at + 1).unwrap_or(&"")))
        } else if at > 0 && lists(phrases.behind_unit, parts[at]) {
            units::parse(parts[at - 1])
        } else {
            None
        }
    })
}
