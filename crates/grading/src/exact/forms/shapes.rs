//! What an expression looks like, its value aside.

use crate::exact::evaluate;
use crate::exact::expressions::{Expression, Function};

/// More terms are not compared with each other.
const MOST_TERMS: usize = 16;

/// What a simplified expression doesn't have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Untidy {
    /// 6/8, (6x)/4
    pub(super) has_reducible_fraction: bool,
    /// √50
    has_square_in_root: bool,
    /// 2x + 3x
    has_like_terms: bool,
    /// 2·3x, x·x
    has_open_product: bool,
    /// x + 3(x + 1)
    has_brackets_in_sum: bool,
    /// (x² - 1)/(x - 1)
    has_names_below: bool,
}

impl Untidy {
    pub(super) fn of(expression: &Expression) -> Self {
        let mut untidy = Self::default();
        untidy.collect(expression);
        untidy
    }

    /// Whether everything that is untidy here is so there.
    pub(super) fn is_within(self, other: Self) -> bool {
        let pairs = [
            (self.has_reducible_fraction, other.has_reducible_fraction),
            (self.has_square_in_root, other.has_square_in_root),
            (self.has_like_terms, other.has_like_terms),
            (self.has_open_product, other.has_open_product),
            (self.has_brackets_in_sum, other.has_brackets_in_sum),
            (self.has_names_below, other.has_names_below),
        ];
        pairs.into_iter().all(|(mine, theirs)| !mine || theirs)
    }

    fn collect(&mut self, expression: &Expression) {
        match expression {
            Expression::Sum(terms) => {
                self.has_like_terms |= !is_mixed_number(terms) && has_like_terms(terms);
                self.has_brackets_in_sum |= terms.iter().any(has_brackets);
            }
            Expression::Product(factors) => {
                let plain = |one: &&Expression| matches!(one, Expression::Number(_));
                let is_power_of_ten = |one: &Expression| matches!(one, Expression::Power(base, _) if is_ten(base));
                let numbers = factors.iter().filter(plain).count();
                self.has_open_product |= numbers > 1 && !factors.iter().any(is_power_of_ten);
                let bases: Vec<&Expression> = factors.iter().map(base_of).filter(|base| is_name(base)).collect();
                self.has_open_product |= (1..bases.len()).any(|at| bases[..at].contains(&bases[at]));
            }
            Expression::Quotient(above, below) => {
                self.has_names_below |= evaluate::has_names(below);
                let common = divisor(content(above), content(below));
                self.has_reducible_fraction |= common > 1 || content(below) == 1 && is_whole(below);
            }
            Expression::Call(Function::Sqrt, inner) => {
                let whole = inner.first().and_then(evaluate::exact).and_then(|value| value.as_whole());
                self.has_square_in_root |= whole.is_some_and(|whole| has_square_factor(whole.unsigned_abs()));
            }
            _ => {}
        }
        expression.parts().into_iter().for_each(|part| self.collect(part));
    }
}

fn is_name(expression: &Expression) -> bool {
    matches!(expression, Expression::Name(_)) && evaluate::has_names(expression)
}

fn is_ten(expression: &Expression) -> bool {
    matches!(expression, Expression::Number(ten) if ten.canonical == ("1".to_owned(), 1))
}

fn is_whole(expression: &Expression) -> bool {
    matches!(expression, Expression::Number(number) if number.decimals.is_none())
}

fn base_of(expression: &Expression) -> &Expression {
    match expression {
        Expression::Power(base, _) => base,
        other => other,
    }
}

/// 2 1/2
fn is_mixed_number(terms: &[Expression]) -> bool {
    matches!(terms, [whole, Expression::Quotient(above, below)] if is_whole(whole) && is_whole(above) && is_whole(below))
}

/// Whether two terms are rational multiples of each other.
fn has_like_terms(terms: &[Expression]) -> bool {
    let is_rational = |ratio: evaluate::Complex| {
        let near = |times: i32| {
            (ratio.re * f64::from(times)).fract().abs().min(1.0 - (ratio.re * f64::from(times)).fract().abs())
        };
        ratio.is_real() && (1..=60).any(|times| near(times) < 1e-9)
    };
    let terms = &terms[..terms.len().min(MOST_TERMS)];
    (1..terms.len()).any(|at| terms[..at].iter().any(|one| evaluate::proportional(one, &terms[at], &is_rational)))
}

fn has_square_factor(value: u128) -> bool {
    value > 1 && (2..=1_000_u128).take_while(|root| root * root <= value).any(|root| value.is_multiple_of(root * root))
}

fn divisor(mut one: u128, mut other: u128) -> u128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// The greatest whole number that divides an expression as it is written.
fn content(expression: &Expression) -> u128 {
    match expression {
        Expression::Number(number) => match number.ratio.and_then(|ratio| ratio.as_whole()) {
            Some(whole) => whole.unsigned_abs(),
            None => 1,
        },
        Expression::Negative(inner) => content(inner),
        Expression::Sum(terms) => terms.iter().map(content).fold(0, divisor),
        Expression::Product(factors) => factors.iter().map(content).fold(1, u128::saturating_mul),
        _ => 1,
    }
}

/// The factors of a product: each one with names as often as it is there, and a number as one more.
pub(super) fn factors(expression: &Expression) -> usize {
    fn count(expression: &Expression, has_number: &mut bool) -> usize {
        match expression {
            Expression::Negative(inner) => count(inner, has_number),
            Expression::Product(factors) => factors.iter().map(|factor| count(factor, has_number)).sum(),
            Expression::Quotient(above, below) if !evaluate::has_names(below) => count(above, has_number),
            Expression::Power(base, exponent) if evaluate::has_names(base) => {
                let times = evaluate::exact(exponent).and_then(|exponent| exponent.as_whole()).unwrap_or(1);
                count(base, has_number) * usize::try_from(times.clamp(1, 64)).unwrap_or(1)
            }
            other if evaluate::has_names(other) => 1,
            other => {
                *has_number |= content(other) > 1 || !is_whole(other);
                0
            }
        }
    }
    let mut has_number = false;
    let named = count(expression, &mut has_number);
    named + usize::from(has_number && named > 0)
}

/// Whether a sum with names is multiplied or raised to a power.
pub(super) fn has_brackets(expression: &Expression) -> bool {
    let is_sum = |one: &Expression| matches!(one, Expression::Sum(_)) && evaluate::has_names(one);
    let here = match expression {
        Expression::Product(factors) => factors.iter().any(is_sum),
        Expression::Power(base, exponent) => is_sum(base) && evaluate::exact(exponent).is_some(),
        Expression::Negative(inner) => is_sum(inner),
        _ => false,
    };
    here || expression.parts().into_iter().any(has_brackets)
}

pub(super) fn has_fraction(expression: &Expression) -> bool {
    matches!(expression, Expression::Quotient(..)) || expression.parts().into_iter().any(has_fraction)
}

/// Whether there is a root, π or a function, so that no numeral says it all.
pub(super) fn is_irrational(expression: &Expression) -> bool {
    match expression {
        Expression::Name(name) => matches!(name.as_str(), "π" | "e"),
        Expression::Call(function, _) => !matches!(function, Function::Factorial | Function::Binomial | Function::Abs),
        other => other.parts().into_iter().any(is_irrational),
    }
}

/// A number from 1 to 10 times a power of ten.
pub(super) fn is_scientific(expression: &Expression) -> bool {
    let is_power = |one: &Expression| matches!(one, Expression::Power(base, _) if is_ten(base));
    match expression {
        Expression::Negative(inner) => is_scientific(inner),
        Expression::Product(factors) => match factors.as_slice() {
            [Expression::Negative(first), power] => {
                is_scientific(&Expression::Product(vec![(**first).clone(), power.clone()]))
            }
            [Expression::Number(first), power] => is_power(power) && (1.0..10.0).contains(&first.approximate),
            _ => false,
        },
        other => is_power(other),
    }
}

/// A prime, or a product of primes and of their powers.
pub(super) fn is_prime_product(expression: &Expression) -> bool {
    let is_prime = |value: u128| {
        value > 1 && (2..=1_000_u128).take_while(|one| one * one <= value).all(|one| !value.is_multiple_of(one))
    };
    match expression {
        Expression::Number(_) => is_whole(expression) && is_prime(content(expression)),
        Expression::Power(base, _) => is_prime_product(base),
        Expression::Product(factors) => factors.iter().all(is_prime_product),
        _ => false,
    }
}
