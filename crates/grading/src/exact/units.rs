//! Units of measurement: their size in base units and their dimension, from symbols and from names in several languages.

mod powers;
mod tables;

use language::script::is_unspaced;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use powers::{CUBES, SQUARES, begins, count_letters, glued_power, split_power, suffix_power};
use tables::{
    ANGLE, CURRENCIES, DEGREE, DEGREES, Dimension, MASS, NAME_PREFIXES, NONE, POUND, PREFIXED, PREFIXES, TEMPERATURE,
};

/// A unit, or a product of units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
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
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.dimension == other.dimension && self.currency == other.currency
    }

    /// Whether one of both has a name that could mean the other: a degree is one of an angle or of a temperature, a pound is a
    /// weight or money.
    pub(crate) fn may_mean(&self, other: &Self) -> bool {
        let is_degree = |unit: &Self| unit.dimension == ANGLE && unit.factor == DEGREE;
        let is_temperature = |unit: &Self| unit.dimension == TEMPERATURE && unit.offset != 0.0;
        let is_weight = |unit: &Self| unit.dimension == MASS && unit.factor == POUND;
        let is_money = |unit: &Self| unit.currency == Some("GBP") && unit.factor == 1.0;
        let one_means_other =
            |one: &Self, other: &Self| is_degree(one) && is_temperature(other) || is_weight(one) && is_money(other);
        one_means_other(self, other) || one_means_other(other, self)
    }

    /// Whether it measures temperatures.
    pub(crate) fn is_temperature(&self) -> bool {
        self.dimension == TEMPERATURE
    }

    /// How many base units so many of it are.
    pub(crate) fn in_base_units(&self, number: f64) -> f64 {
        number * self.factor + self.offset
    }

    /// Whether it measures angles, whose unit radian is written or not.
    pub(super) fn is_angle(&self) -> bool {
        self.dimension == ANGLE
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
pub(crate) fn parse(text: &str) -> Option<Unit> {
    let text = text.trim();
    if text.is_empty() || text.len() > 80 {
        return None;
    }
    let lower = text.to_lowercase();
    if let Some(factor) = tables::share(&lower) {
        return Some(Unit { factor, offset: 0.0, dimension: NONE, currency: None, is_share: true });
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

const MOST_SCALE_BYTES: usize = 50;

/// Celsius, Fahrenheit or Kelvin behind a word or sign for degrees, or alone.
fn temperature(lower: &str) -> Option<Unit> {
    let scale = |factor, offset| Unit { factor, offset, dimension: TEMPERATURE, currency: None, is_share: false };
    let squeezed = lower.replace([' ', '.', 'º'], "");
    let degrees = DEGREES.iter().filter_map(|word| squeezed.strip_prefix(word).or_else(|| squeezed.strip_suffix(word)));
    let name = degrees.min_by_key(|rest| rest.len()).unwrap_or(&squeezed);
    let is_sign_behind = name.len() < squeezed.len();
    let has = |stems: &[&str]| name.len() < MOST_SCALE_BYTES && stems.iter().any(|stem| name.contains(stem));
    if has(&[
        "celsi",
        "centigrad",
        "centígrad",
        "celsj",
        "цельс",
        "摄氏",
        "摂氏",
        "セ氏",
        "섭씨",
        "مئوي",
        "سيلسيوس",
        "सेल्सियस",
        "เซลเซียส",
    ]) || is_sign_behind && name == "c"
    {
        Some(scale(1.0, 273.15))
    } else if has(&["fahrenheit", "farenheit", "фаренг", "华氏", "華氏", "화씨", "فهرنهايت", "फ़ारेनहाइट", "ฟาเรนไฮต์"])
        || is_sign_behind && name == "f"
    {
        Some(scale(5.0 / 9.0, 273.15 - 32.0 * 5.0 / 9.0))
    } else {
        (is_sign_behind && name == "k").then(|| scale(1.0, 0.0))
    }
}

/// Units with `/`, `per`, `*` or spaces between them.
fn product(text: &str) -> Option<Unit> {
    let mut unit = Unit { factor: 1.0, offset: 0.0, dimension: NONE, currency: None, is_share: false };
    let mut sign = 1;
    let mut next_power = None;
    let mut count = 0;
    let spaced = text.replace('/', " / ").replace(['*', '(', ')', '.'], " ").replace("all'", " / ").replace("l'", "");
    // "กิโลเมตรต่อชั่วโมง" has no spaces.
    let spaced = if spaced.contains("ต่อ") { spaced.replace("ต่อ", " ต่อ ") } else { spaced };
    let mut parts = spaced.split_whitespace().peekable();
    while let Some(part) = parts.next() {
        match part.to_lowercase().as_str() {
            "/" | "per" | "pro" | "par" | "por" | "в" | "на" | "na" | "al" | "à" | "ต่อ" => sign = -1,
            // Behind a stroke it is Ukrainian for an hour, elsewhere Russian for a year.
            "год" if sign < 0 => {
                unit = unit.times(&single("h")?, -1)?;
                count += 1;
            }
            word if begins(word, &SQUARES) && count_letters(word) < 13 && single(part).is_none() => {
                next_power = Some(2);
            }
            word if begins(word, &CUBES) && count_letters(word) < 13 && single(part).is_none() => next_power = Some(3),
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

fn single(name: &str) -> Option<Unit> {
    let of = |factor, dimension| Unit { factor, offset: 0.0, dimension, currency: None, is_share: false };
    // `Grad` is no billion radians.
    if name.chars().count() > 3
        && let Some((factor, dimension)) = tables::named(&name.to_lowercase())
    {
        return Some(of(factor, dimension));
    }
    if let Some((factor, dimension)) = tables::symbol(name) {
        return Some(of(factor, dimension));
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
    if let Some((code, factor)) = tables::currency(&lower) {
        return Some(money(code, factor));
    }
    if name.chars().count() < 3 && !name.starts_with(|one: char| !one.is_alphabetic() || is_unspaced(one)) {
        let near = |symbol: &str| symbol.to_lowercase() == lower && lower.len() > 1;
        let metric = ["km", "cm", "mm", "kg", "mg", "ml"].into_iter().find(|symbol| near(symbol));
        return metric.and_then(|symbol| if symbol == name { None } else { single(symbol) }).or_else(|| named(&lower));
    }
    let lower = plain_letters(&lower);
    named(&lower).or_else(|| glued_power(&lower)).or_else(|| {
        let (prefix, factor) = NAME_PREFIXES.iter().find(|(prefix, _)| lower.starts_with(prefix))?;
        named(lower[prefix.len()..].trim_start_matches('-')).map(|unit| Unit { factor: unit.factor * factor, ..unit })
    })
}

/// Without the marks on Latin letters: `kilómetros`, `mètres`.
fn plain_letters(lower: &str) -> String {
    let is_latin = |one: char| one.is_ascii() || matches!(one, 'à'..='ɏ');
    if lower.is_ascii() || !lower.chars().all(is_latin) {
        return lower.to_owned();
    }
    let letters = lower.nfd().filter(|one| !is_combining_mark(*one));
    letters
        .map(|one| match one {
            'ł' => 'l',
            'ı' => 'i',
            one => one,
        })
        .collect()
}

/// Endings of the plural and of cases.
const ENDINGS: [&str; 21] =
    ["s", "es", "n", "en", "e", "y", "ow", "a", "u", "i", "om", "ов", "а", "ы", "у", "и", "ів", "ам", "ах", "ен", "і"];

fn named(lower: &str) -> Option<Unit> {
    let stem = |end: &&str| lower.strip_suffix(*end).filter(|stem| stem.chars().count() > 2);
    let found = tables::named(lower).or_else(|| ENDINGS.iter().filter_map(stem).find_map(tables::named));
    found.map(|(factor, dimension)| Unit { factor, offset: 0.0, dimension, currency: None, is_share: false })
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
            ("km", "kilómetros"),
            ("km", "quilômetros"),
            ("km", "chilometri"),
            ("km", "километров"),
            ("km", "кілометрів"),
            ("km", "kilometrów"),
            ("km", "キロメートル"),
            ("km", "킬로미터"),
            ("kg", "kilos"),
            ("kg", "кілограми"),
            ("h", "godzin"),
            ("h", "hrs"),
            ("min", "dakika"),
            ("l", "litres"),
            ("m^2", "sq m"),
            ("m^2", "sqm"),
            ("m^2", "Quadratmeter"),
            ("m^2", "metros cuadrados"),
            ("m^2", "mètres carrés"),
            ("m^2", "квадратных метров"),
            ("m^2", "кв. м"),
            ("m^2", "平方米"),
            ("m^3", "Kubikmeter"),
            ("m^3", "metri cubi"),
            ("km/h", "kilometri all'ora"),
            ("km/h", "км/год"),
            ("km/h", "километров в час"),
            ("°C", "градусов Цельсия"),
            ("°C", "摄氏度"),
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
