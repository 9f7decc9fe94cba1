//! Whether two expressions have the same value: exactly where fractions allow it, else by their values at points.
//!
//! Values are complex, so that roots and logarithms of negative numbers are no holes; names get values from their
//! own letters, the same at every call. A sum says how large its parts were: what cancels is compared by that.

use super::expressions::{Expression, Function};
use super::ratio::Ratio;

/// How sure a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    /// The values are close at every point that was tried.
    Probed,
    /// The values are the same.
    Exact,
}

const POINTS: usize = 8;
/// At this point and later ones names are negative.
const NEGATIVE_FROM: usize = 5;
const FEWEST_POINTS: usize = 3;
/// Terms of a number up to which what they cancel out to is known to a tenth.
const LARGEST_CANCELLED: f64 = 1e12;

/// Whether the values are the same, and how sure that is.
pub(super) fn same_value(one: &Expression, other: &Expression) -> Option<Certainty> {
    if let (Expression::Number(left), Expression::Number(right)) = (one, other) {
        return (left.canonical == right.canonical).then_some(Certainty::Exact);
    }
    // What is written the same is the same, infinite or not.
    if one == other {
        return Some(Certainty::Exact);
    }
    if let (Some(left), Some(right)) = (exact(one), exact(other)) {
        return (left == right).then_some(Certainty::Exact);
    }
    proportional(one, other, &|ratio: Complex| ratio.is_close_to(Complex::real(1.0))).then_some(Certainty::Probed)
}

/// Whether one is a constant multiple of the other and the factor is as wanted.
pub(super) fn proportional(one: &Expression, other: &Expression, wanted: &dyn Fn(Complex) -> bool) -> bool {
    let has_names = has_names(one) || has_names(other);
    let mut factor: Option<Complex> = None;
    let mut compared = 0;
    for point in 0..if has_names { POINTS } else { 1 } {
        let (left, right) = (value(one, point), value(other, point));
        if !left.value.is_finite() || !right.value.is_finite() {
            continue;
        }
        if point >= NEGATIVE_FROM && (left.value.im.abs() > 1e-12 || right.value.im.abs() > 1e-12) {
            continue;
        }
        let (small_left, small_right) = (left.is_nothing(), right.is_nothing());
        if small_left != small_right {
            return false;
        }
        // Of 10^300 - 10^300 + 5 nothing is left that could be told from nothing.
        if small_left && !has_names && left.scale.max(right.scale) > LARGEST_CANCELLED {
            return false;
        }
        compared += 1;
        if small_left {
            continue;
        }
        let ratio = left.value.over(right.value);
        // Cancellation in a sum leaves few digits; they decide what counts as the same.
        let slack = 1e-13 * (left.scale / left.value.size() + right.scale / right.value.size());
        let agrees = |known: &Complex| ratio.minus(*known).size() <= known.size() * (1e-10 + slack.min(1e-4));
        if !factor.get_or_insert(ratio).is_finite() || !factor.as_ref().is_some_and(agrees) {
            return false;
        }
    }
    let enough = compared >= if has_names { FEWEST_POINTS } else { 1 };
    enough && factor.is_none_or(wanted)
}

/// The real value of an expression without names.
pub(super) fn number(expression: &Expression) -> Option<f64> {
    if has_names(expression) {
        return None;
    }
    let value = value(expression, 0).value;
    (value.re.is_finite() && value.im.abs() <= 1e-12 * value.re.abs().max(1e-300)).then_some(value.re)
}

/// The exact value, where it is a fraction that fits.
pub(super) fn exact(expression: &Expression) -> Option<Ratio> {
    match expression {
        Expression::Number(numeral) => numeral.ratio,
        Expression::Negative(inner) => Some(exact(inner)?.negated()),
        Expression::Sum(terms) => terms.iter().try_fold(Ratio::whole(0), |sum, term| sum.plus(exact(term)?)),
        Expression::Product(factors) => {
            factors.iter().try_fold(Ratio::whole(1), |product, factor| product.times(exact(factor)?))
        }
        Expression::Quotient(above, below) => exact(above)?.over(exact(below)?),
        Expression::Power(base, exponent) => exact(base)?.power(exact(exponent)?.as_whole()?),
        Expression::Call(Function::Factorial, arguments) => {
            let count = exact(arguments.first()?)?.as_whole().filter(|count| (0..=33).contains(count))?;
            Some(Ratio::whole((1..=count).product()))
        }
        Expression::Call(..) | Expression::Name(_) => None,
    }
}

/// Whether there is something whose value is open. π, e, i and ∞ are known.
pub(super) fn has_names(expression: &Expression) -> bool {
    match expression {
        Expression::Name(name) => !matches!(name.as_str(), "π" | "e" | "i" | "∞"),
        Expression::Number(_) => false,
        Expression::Sum(parts) | Expression::Product(parts) | Expression::Call(_, parts) => parts.iter().any(has_names),
        Expression::Negative(inner) => has_names(inner),
        Expression::Quotient(one, other) | Expression::Power(one, other) => has_names(one) || has_names(other),
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Complex {
    pub(super) re: f64,
    im: f64,
}

/// A value with the size of the largest thing that it was summed up from.
#[derive(Clone, Copy)]
struct Scaled {
    value: Complex,
    scale: f64,
}

impl Scaled {
    fn is_nothing(self) -> bool {
        self.value.size() <= 1e-13 * self.scale || self.value.size() == 0.0
    }
}

impl Complex {
    pub(super) fn real(re: f64) -> Self {
        Self { re, im: 0.0 }
    }

    pub(super) fn is_real(self) -> bool {
        self.im.abs() <= 1e-9 * self.re.abs()
    }

    pub(super) fn is_positive_real(self) -> bool {
        self.re > 0.0 && self.im.abs() <= 1e-9 * self.re
    }

    fn is_close_to(self, other: Self) -> bool {
        self.minus(other).size() <= 1e-9 * other.size()
    }

    pub(super) fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }

    fn size(self) -> f64 {
        self.re.hypot(self.im)
    }

    fn plus(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }

    fn minus(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }

    fn times(self, other: Self) -> Self {
        if self.im == 0.0 && other.im == 0.0 {
            return Self::real(self.re * other.re);
        }
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }

    fn over(self, other: Self) -> Self {
        if self.im == 0.0 && other.im == 0.0 {
            return Self::real(self.re / other.re);
        }
        let size = other.re * other.re + other.im * other.im;
        let top = self.times(Self { re: other.re, im: -other.im });
        Self { re: top.re / size, im: top.im / size }
    }

    fn exp(self) -> Self {
        let size = self.re.exp();
        if self.im == 0.0 { Self::real(size) } else { Self { re: size * self.im.cos(), im: size * self.im.sin() } }
    }

    fn ln(self) -> Self {
        if self.im == 0.0 && self.re > 0.0 {
            return Self::real(self.re.ln());
        }
        Self { re: self.size().ln(), im: self.im.atan2(self.re) }
    }

    fn power(self, exponent: Self) -> Self {
        if self.size() == 0.0 {
            return Self::real(if exponent.size() == 0.0 {
                1.0
            } else if exponent.re > 0.0 {
                0.0
            } else {
                f64::NAN
            });
        }
        let is_whole = exponent.im == 0.0 && exponent.re.fract() == 0.0;
        if self.im == 0.0 && exponent.im == 0.0 && (self.re > 0.0 || is_whole) {
            return Self::real(self.re.powf(exponent.re));
        }
        self.ln().times(exponent).exp()
    }

    fn sqrt(self) -> Self {
        if self.im == 0.0 {
            let root = self.re.abs().sqrt();
            return if self.re < 0.0 { Self { re: 0.0, im: root } } else { Self::real(root) };
        }
        self.power(Self::real(0.5))
    }
}

fn value(expression: &Expression, point: usize) -> Scaled {
    let plain = |value: Complex| Scaled { value, scale: value.size() };
    match expression {
        Expression::Number(numeral) => plain(Complex::real(numeral.approximate)),
        Expression::Name(name) => plain(named(name, point)),
        Expression::Negative(inner) => {
            let inner = value(inner, point);
            Scaled { value: Complex { re: -inner.value.re, im: -inner.value.im }, scale: inner.scale }
        }
        Expression::Sum(terms) => {
            let start = Scaled { value: Complex::real(0.0), scale: 0.0 };
            terms
                .iter()
                .map(|term| value(term, point))
                .fold(start, |sum, term| Scaled { value: sum.value.plus(term.value), scale: sum.scale.max(term.scale) })
        }
        Expression::Product(factors) => {
            let factors = factors.iter().map(|factor| value(factor, point));
            factors.fold(plain(Complex::real(1.0)), |product, factor| Scaled {
                value: product.value.times(factor.value),
                scale: product.scale * factor.scale,
            })
        }
        Expression::Quotient(above, below) => {
            let (above, below) = (value(above, point), value(below, point));
            if below.is_nothing() {
                return plain(Complex::real(f64::NAN));
            }
            Scaled { value: above.value.over(below.value), scale: above.scale / below.value.size() }
        }
        Expression::Power(base, exponent) => {
            let (base, power) = (value(base, point), value(exponent, point));
            let root = exact(exponent).filter(|ratio| ratio.is_odd_below() && ratio.as_whole().is_none());
            if let (Some(root), true) = (root, base.value.im == 0.0 && base.value.re < 0.0) {
                let size = base.value.re.abs().powf(power.value.re);
                return plain(Complex::real(if root.is_odd_above() { -size } else { size }));
            }
            let result = base.value.power(power.value);
            let grown = (base.scale / base.value.size()).max(1.0);
            Scaled { value: result, scale: result.size() * if grown.is_finite() { grown } else { 1.0 } }
        }
        Expression::Call(function, arguments) => {
            let values: Vec<Complex> = arguments.iter().map(|argument| value(argument, point).value).collect();
            plain(call(*function, &values))
        }
    }
}

/// A name's value at a point: neither whole nor near anything special.
fn named(name: &str, point: usize) -> Complex {
    match name {
        "π" => return Complex::real(std::f64::consts::PI),
        "e" => return Complex::real(std::f64::consts::E),
        "i" => return Complex { re: 0.0, im: 1.0 },
        "∞" => return Complex::real(f64::INFINITY),
        _ => {}
    }
    let seed = language::normal::stable_hash(name).rotate_left(7) ^ 0x9e37_79b9_7f4a_7c15;
    let mixed = seed.wrapping_mul(2_654_435_761_u64.wrapping_add(2 * point as u64 * 97_531)) >> 40;
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
    let share = mixed as f64 / f64::from(1_u32 << 24);
    let size = 0.31 + share * 2.17 + if point % 2 == 1 { 0.83 } else { 0.0 };
    Complex::real(if point >= NEGATIVE_FROM { -size } else { size })
}

fn call(function: Function, arguments: &[Complex]) -> Complex {
    let nothing = Complex::real(f64::NAN);
    let Some(&first) = arguments.first() else { return nothing };
    let real = |apply: fn(f64) -> f64| if first.im.abs() < 1e-12 { Complex::real(apply(first.re)) } else { nothing };
    match function {
        Function::Sqrt => first.sqrt(),
        Function::Root => match arguments.get(1) {
            Some(inside) if inside.im == 0.0 && inside.re < 0.0 && (first.re % 2.0).abs() == 1.0 => {
                Complex::real(-(-inside.re).powf(1.0 / first.re))
            }
            Some(inside) => inside.power(Complex::real(1.0).over(first)),
            None => nothing,
        },
        Function::Abs => Complex::real(first.size()),
        Function::Exp => first.exp(),
        Function::Ln => first.ln(),
        Function::Log => {
            let base = arguments.get(1).copied().unwrap_or(Complex::real(10.0));
            first.ln().over(base.ln())
        }
        Function::Sin => real(f64::sin),
        Function::Cos => real(f64::cos),
        Function::Tan => real(f64::tan),
        Function::Cot => real(|one| 1.0 / one.tan()),
        Function::Sec => real(|one| 1.0 / one.cos()),
        Function::Csc => real(|one| 1.0 / one.sin()),
        Function::Arcsin => real(f64::asin),
        Function::Arccos => real(f64::acos),
        Function::Arctan => real(f64::atan),
        Function::Sinh => real(f64::sinh),
        Function::Cosh => real(f64::cosh),
        Function::Tanh => real(f64::tanh),
        Function::Floor => real(f64::floor),
        Function::Ceil => real(f64::ceil),
        Function::Factorial => real(factorial),
        Function::Binomial => match arguments.get(1) {
            Some(below) if first.im == 0.0 && below.im == 0.0 => Complex::real(
                (factorial(first.re) / (factorial(below.re) * factorial(first.re - below.re)) * 1e7).round() / 1e7,
            ),
            _ => nothing,
        },
    }
}

/// Γ(x + 1) by Lanczos' approximation.
fn factorial(x: f64) -> f64 {
    const PARTS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.0 && x.fract() == 0.0 {
        return f64::NAN;
    }
    if x.fract() == 0.0 && x <= 170.0 {
        return (1..=170).take_while(|step| f64::from(*step) <= x).map(f64::from).product();
    }
    if x < -0.5 {
        return std::f64::consts::PI / ((std::f64::consts::PI * (x + 1.0)).sin() * factorial(-x - 1.0));
    }
    let base = x + 7.5;
    let series =
        PARTS.iter().skip(1).zip(1_u32..).fold(PARTS[0], |sum, (part, step)| sum + part / (x + f64::from(step)));
    (2.0 * std::f64::consts::PI).sqrt() * base.powf(x + 0.5) * (-base).exp() * series
}
