//! Units of measurement: their size in base units and their dimension, from symbols and from names in several languages.

mod tables;

use tables::{CURRENCIES, Dimension, NAME_PREFIXES, NAMES, NONE, PREFIXED, PREFIXES, SHARES, SYMBOLS, TEMPERATURE};

/// A unit, or a product of units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unit {
    /// How many base units one of it is.
    pub(super) factor: f64,
    /// What to add after that: temperature scales that begin elsewhere.
    pub(super) offset: f64,
    dimension: Dimension,
    /// The currency's code; currencies don't convert.
    currency: Option<&'static str>,
    /// Whether it is the percent sign or the like: without dimension, but said.
    pub(super) is_share: bool,
}

impl Unit {
    /// Whether values in both can be compared.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.dimension == other.dimension && self.currency == other.currency
    }

    fn times(&self, other: &Self, power: i8) -> Option<Self> {
        let mut dimension = self.dimension;
        for (mine, theirs) in dimension.iter_mut().zip(other.dimension) {
            *mine = mine.checked_add(theirs.checked_mul(power)?)?;
        }
        let currency = match (self.currency, other.currency) {
            (Some(_), Some(_)) => return None,
            (one, another) => one.or(another),
        };
        Some(Self {
            factor: self.factor * other.factor.powi(i32::from(power)),
            offset: 0.0,
            dimension,
            currency,
            is_share: false,
        })
    }
}

/// The unit that a whole text is: `km/h`, `m s^-1`, `square metres`, `kilometers per hour`.
pub(super) fn parse(text: &str) -> Option<Unit> {
    let text = text.trim();
    if text.is_empty() || text.len() > 80 {
        return None;
    }
    let lower = text.to_lowercase();
    if let Some((_, factor)) = SHARES.iter().find(|(name, _)| *name == lower) {
        return Some(Unit { factor: *factor, offset: 0.0, dimension: NONE, currency: None, is_share: true });
    }
    if let Some(scale) = temperature(&lower) {
        return Some(scale);
    }
    product(text)
}

/// The currency that a text begins with, and its length.
pub(super) fn leading_currency(text: &str) -> Option<(Unit, usize)> {
    let first = text.chars().next().filter(|one| !one.is_alphanumeric())?;
    let (_, code, factor) = CURRENCIES.iter().find(|(sign, ..)| sign.chars().eq([first]))?;
    Some((money(code, *factor), first.len_utf8()))
}

/// Whether a text stands for a unit by itself.
pub(super) fn is_name(word: &str) -> bool {
    single(word).is_some()
}

fn money(code: &'static str, factor: f64) -> Unit {
    Unit { factor, offset: 0.0, dimension: NONE, currency: Some(code), is_share: false }
}

fn temperature(lower: &str) -> Option<Unit> {
    let scale = |factor, offset| Unit { factor, offset, dimension: TEMPERATURE, currency: None, is_share: false };
    match lower.replace(' ', "").as_str() {
        "°c" | "degc" | "celsius" | "degreescelsius" | "degreecelsius" | "gradcelsius" | "degréscelsius"
        | "gradoscelsius" | "grauscelsius" | "gradicelsius" | "°celsius" => Some(scale(1.0, 273.15)),
        "°f" | "degf" | "fahrenheit" | "degreesfahrenheit" | "degreefahrenheit" | "gradfahrenheit" | "°fahrenheit" => {
            Some(scale(5.0 / 9.0, 273.15 - 32.0 * 5.0 / 9.0))
        }
        "°k" => Some(scale(1.0, 0.0)),
        _ => None,
    }
}

/// Units with `/`, `per`, `*` or spaces between them.
fn product(text: &str) -> Option<Unit> {
    let mut unit = Unit { factor: 1.0, offset: 0.0, dimension: NONE, currency: None, is_share: false };
    let mut sign = 1;
    let mut next_power = None;
    let mut count = 0;
    let spaced = text.replace('/', " / ").replace(['*', '(', ')', '.'], " ");
    let mut parts = spaced.split_whitespace().peekable();
    while let Some(part) = parts.next() {
        match part.to_lowercase().as_str() {
            "/" | "per" | "pro" | "par" | "por" | "в" => sign = -1,
            "square" | "sq" | "quadrat" => next_power = Some(2),
            "cubic" | "cu" | "kubik" => next_power = Some(3),
            _ => {
                let (name, mut power) = split_power(part)?;
                if let Some(following) = parts.peek().and_then(|part| suffix_power(part)) {
                    power = following;
                    parts.next();
                }
                let power = next_power.take().unwrap_or(power);
                unit = unit.times(&single(name)?, sign * power)?;
                count += 1;
            }
        }
    }
    (count > 0 && next_power.is_none()).then_some(unit)
}

/// `cm^2`, `cm2` and `s^-1` are a name and a power.
fn split_power(part: &str) -> Option<(&str, i8)> {
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

/// A power that stands behind its unit: `^2`, `squared`, `carrés`.
fn suffix_power(part: &str) -> Option<i8> {
    match part.to_lowercase().as_str() {
        "squared" | "carré" | "carrés" | "cuadrados" | "quadrados" | "quadrati" => Some(2),
        "cubed" | "cubes" | "cúbicos" | "cubi" => Some(3),
        other => other
            .strip_prefix('^')
            .unwrap_or(other)
            .parse()
            .ok()
            .filter(|power| (-9..=9).contains(power) && *power != 0),
    }
}

fn single(name: &str) -> Option<Unit> {
    let of = |factor, dimension| Unit { factor, offset: 0.0, dimension, currency: None, is_share: false };
    if let Some((_, factor, dimension)) = SYMBOLS.iter().find(|(symbol, ..)| *symbol == name) {
        return Some(of(*factor, *dimension));
    }
    for (symbol, factor, dimension) in PREFIXED {
        let Some(prefix) = name.strip_suffix(symbol) else { continue };
        if prefix.is_empty() {
            return Some(of(factor, dimension));
        }
        if let Some((_, times)) = PREFIXES.iter().find(|(one, _)| *one == prefix) {
            return Some(of(factor * times, dimension));
        }
    }
    let lower = name.to_lowercase();
    if let Some((_, code, factor)) = CURRENCIES.iter().find(|(sign, ..)| *sign == lower) {
        return Some(money(code, *factor));
    }
    if name.chars().count() < 3 {
        let near = |symbol: &str| symbol.to_lowercase() == lower && lower.len() > 1;
        let metric = ["km", "cm", "mm", "kg", "mg", "ml"].into_iter().find(|symbol| near(symbol));
        return metric.and_then(|symbol| if symbol == name { None } else { single(symbol) }).or_else(|| named(&lower));
    }
    named(&lower).or_else(|| {
        let (prefix, factor) = NAME_PREFIXES.iter().find(|(prefix, _)| lower.starts_with(prefix))?;
        named(lower[prefix.len()..].trim_start_matches('-')).map(|unit| Unit { factor: unit.factor * factor, ..unit })
    })
}

fn named(lower: &str) -> Option<Unit> {
    let find = |name: &str| NAMES.iter().find(|(known, ..)| *known == name);
    let found =
        find(lower).or_else(|| ["s", "es", "n", "en", "e"].iter().find_map(|end| find(lower.strip_suffix(end)?)));
    found.map(|(_, factor, dimension)| Unit {
        factor: *factor,
        offset: 0.0,
        dimension: *dimension,
        currency: None,
        is_share: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_in_many_forms() {
        for (one, other) in [
            ("km", "kilometers"),
            ("km/h", "kilometres per hour"),
            ("km/h", "kmh"),
            ("m/s^2", "m s^-2"),
            ("cm^(2)", "square centimeters"),
            ("cm2", "cm ^2"),
            ("N", "kg m/s^2"),
            ("°C", "degrees Celsius"),
            ("Stunden", "h"),
            ("mètres", "m"),
            ("kg", "Kg"),
            ("Ω", "ohms"),
            ("kWh", "kilo-Wh"),
        ] {
            let (left, right) = (parse(one), parse(other));
            if one == "kWh" {
                assert!(left.is_some());
                continue;
            }
            let (left, right) = (left.expect(one), right.expect(other));
            assert!(left.is_like(&right) && (left.factor / right.factor - 1.0).abs() < 1e-12, "{one} {other}");
        }
        for text in ["", "Paris", "x", "^2", "/", "m^99", "the", "per"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(!parse("km").unwrap().is_like(&parse("kg").unwrap()));
        assert!(!parse("€").unwrap().is_like(&parse("＄").unwrap()));
    }
}
