//! Units of measurement: their size in base units and their dimension, from symbols and from names in several languages.

/// Length, mass, time, current, temperature, amount, luminous intensity, angle, information.
type Dimension = [i8; 9];

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

const NONE: Dimension = [0; 9];
const LENGTH: Dimension = [1, 0, 0, 0, 0, 0, 0, 0, 0];
const AREA: Dimension = [2, 0, 0, 0, 0, 0, 0, 0, 0];
const VOLUME: Dimension = [3, 0, 0, 0, 0, 0, 0, 0, 0];
const MASS: Dimension = [0, 1, 0, 0, 0, 0, 0, 0, 0];
const TIME: Dimension = [0, 0, 1, 0, 0, 0, 0, 0, 0];
const CURRENT: Dimension = [0, 0, 0, 1, 0, 0, 0, 0, 0];
const TEMPERATURE: Dimension = [0, 0, 0, 0, 1, 0, 0, 0, 0];
const AMOUNT: Dimension = [0, 0, 0, 0, 0, 1, 0, 0, 0];
const LIGHT: Dimension = [0, 0, 0, 0, 0, 0, 1, 0, 0];
const ANGLE: Dimension = [0, 0, 0, 0, 0, 0, 0, 1, 0];
const BITS: Dimension = [0, 0, 0, 0, 0, 0, 0, 0, 1];
const SPEED: Dimension = [1, 0, -1, 0, 0, 0, 0, 0, 0];
const FORCE: Dimension = [1, 1, -2, 0, 0, 0, 0, 0, 0];
const PRESSURE: Dimension = [-1, 1, -2, 0, 0, 0, 0, 0, 0];
const ENERGY: Dimension = [2, 1, -2, 0, 0, 0, 0, 0, 0];
const POWER: Dimension = [2, 1, -3, 0, 0, 0, 0, 0, 0];
const FREQUENCY: Dimension = [0, 0, -1, 0, 0, 0, 0, 0, 0];
const CHARGE: Dimension = [0, 0, 1, 1, 0, 0, 0, 0, 0];
const VOLTAGE: Dimension = [2, 1, -3, -1, 0, 0, 0, 0, 0];
const RESISTANCE: Dimension = [2, 1, -3, -2, 0, 0, 0, 0, 0];
const CAPACITY: Dimension = [-2, -1, 4, 2, 0, 0, 0, 0, 0];
const FIELD: Dimension = [0, 1, -2, -1, 0, 0, 0, 0, 0];
const FLUX: Dimension = [2, 1, -2, -1, 0, 0, 0, 0, 0];
const INDUCTANCE: Dimension = [2, 1, -2, -2, 0, 0, 0, 0, 0];

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3_600.0;
const DAY: f64 = 86_400.0;
const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// Symbols that take SI prefixes; their case matters.
const PREFIXED: [(&str, f64, Dimension); 26] = [
    ("m", 1.0, LENGTH),
    ("g", 1e-3, MASS),
    ("s", 1.0, TIME),
    ("A", 1.0, CURRENT),
    ("K", 1.0, TEMPERATURE),
    ("mol", 1.0, AMOUNT),
    ("cd", 1.0, LIGHT),
    ("lm", 1.0, LIGHT),
    ("rad", 1.0, ANGLE),
    ("Hz", 1.0, FREQUENCY),
    ("Bq", 1.0, FREQUENCY),
    ("N", 1.0, FORCE),
    ("Pa", 1.0, PRESSURE),
    ("bar", 1e5, PRESSURE),
    ("J", 1.0, ENERGY),
    ("cal", 4.184, ENERGY),
    ("eV", 1.602_176_634e-19, ENERGY),
    ("Wh", HOUR, ENERGY),
    ("W", 1.0, POWER),
    ("C", 1.0, CHARGE),
    ("V", 1.0, VOLTAGE),
    ("Ω", 1.0, RESISTANCE),
    ("F", 1.0, CAPACITY),
    ("T", 1.0, FIELD),
    ("l", 1e-3, VOLUME),
    ("L", 1e-3, VOLUME),
];

const PREFIXES: [(&str, f64); 18] = [
    ("Y", 1e24),
    ("Z", 1e21),
    ("E", 1e18),
    ("P", 1e15),
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("da", 1e1),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("μ", 1e-6),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
];

/// Symbols without prefixes; their case matters.
const SYMBOLS: [(&str, f64, Dimension); 46] = [
    ("min", MINUTE, TIME),
    ("h", HOUR, TIME),
    ("hr", HOUR, TIME),
    ("hrs", HOUR, TIME),
    ("d", DAY, TIME),
    ("sec", 1.0, TIME),
    ("secs", 1.0, TIME),
    ("mins", MINUTE, TIME),
    ("wk", 7.0 * DAY, TIME),
    ("yr", 365.25 * DAY, TIME),
    ("t", 1e3, MASS),
    ("u", 1.660_539_066_60e-27, MASS),
    ("lb", 0.453_592_37, MASS),
    ("lbs", 0.453_592_37, MASS),
    ("oz", 0.028_349_523_125, MASS),
    ("in", 0.0254, LENGTH),
    ("ft", 0.3048, LENGTH),
    ("yd", 0.9144, LENGTH),
    ("yds", 0.9144, LENGTH),
    ("mi", 1_609.344, LENGTH),
    ("nmi", 1_852.0, LENGTH),
    ("ly", 9.460_730_472_580_8e15, LENGTH),
    ("au", 1.495_978_707e11, LENGTH),
    ("AU", 1.495_978_707e11, LENGTH),
    ("Å", 1e-10, LENGTH),
    ("ha", 1e4, AREA),
    ("ac", 4_046.856_422_4, AREA),
    ("gal", 3.785_411_784e-3, VOLUME),
    ("cc", 1e-6, VOLUME),
    ("ccm", 1e-6, VOLUME),
    ("mph", 0.447_04, SPEED),
    ("kph", 1.0 / 3.6, SPEED),
    ("kmh", 1.0 / 3.6, SPEED),
    ("kt", 1_852.0 / HOUR, SPEED),
    ("atm", 101_325.0, PRESSURE),
    ("mmHg", 133.322_387_415, PRESSURE),
    ("psi", 6_894.757_293_168, PRESSURE),
    ("PS", 735.498_75, POWER),
    ("hp", 745.699_871_582, POWER),
    ("°", DEGREE, ANGLE),
    ("deg", DEGREE, ANGLE),
    ("Wb", 1.0, FLUX),
    ("H", 1.0, INDUCTANCE),
    ("rpm", 1.0 / 60.0, FREQUENCY),
    ("B", 8.0, BITS),
    ("b", 1.0, BITS),
];

/// Prefixes of names.
const NAME_PREFIXES: [(&str, f64); 11] = [
    ("kilo", 1e3),
    ("centi", 1e-2),
    ("milli", 1e-3),
    ("mili", 1e-3),
    ("mega", 1e6),
    ("giga", 1e9),
    ("tera", 1e12),
    ("micro", 1e-6),
    ("nano", 1e-9),
    ("deci", 1e-1),
    ("hecto", 1e2),
];

/// Names in lower case, in the languages of schools that measure; plurals where they aren't formed by `s`, `e` or `n`.
const NAMES: &[(&str, f64, Dimension)] = &[
    ("meter", 1.0, LENGTH),
    ("metre", 1.0, LENGTH),
    ("mètre", 1.0, LENGTH),
    ("metro", 1.0, LENGTH),
    ("metri", 1.0, LENGTH),
    ("metr", 1.0, LENGTH),
    ("metry", 1.0, LENGTH),
    ("metrów", 1.0, LENGTH),
    ("метр", 1.0, LENGTH),
    ("метра", 1.0, LENGTH),
    ("метров", 1.0, LENGTH),
    ("м", 1.0, LENGTH),
    ("км", 1e3, LENGTH),
    ("см", 1e-2, LENGTH),
    ("мм", 1e-3, LENGTH),
    ("километров", 1e3, LENGTH),
    ("километра", 1e3, LENGTH),
    ("километр", 1e3, LENGTH),
    ("米", 1.0, LENGTH),
    ("公里", 1e3, LENGTH),
    ("千米", 1e3, LENGTH),
    ("厘米", 1e-2, LENGTH),
    ("inch", 0.0254, LENGTH),
    ("inches", 0.0254, LENGTH),
    ("foot", 0.3048, LENGTH),
    ("feet", 0.3048, LENGTH),
    ("yard", 0.9144, LENGTH),
    ("mile", 1_609.344, LENGTH),
    ("meile", 1_609.344, LENGTH),
    ("gram", 1e-3, MASS),
    ("gramm", 1e-3, MASS),
    ("gramme", 1e-3, MASS),
    ("gramo", 1e-3, MASS),
    ("grama", 1e-3, MASS),
    ("grammo", 1e-3, MASS),
    ("grammi", 1e-3, MASS),
    ("kilo", 1.0, MASS),
    ("кг", 1.0, MASS),
    ("г", 1e-3, MASS),
    ("килограмм", 1.0, MASS),
    ("килограммов", 1.0, MASS),
    ("грамм", 1e-3, MASS),
    ("граммов", 1e-3, MASS),
    ("千克", 1.0, MASS),
    ("公斤", 1.0, MASS),
    ("克", 1e-3, MASS),
    ("pound", 0.453_592_37, MASS),
    ("ounce", 0.028_349_523_125, MASS),
    ("tonne", 1e3, MASS),
    ("tonelada", 1e3, MASS),
    ("second", 1.0, TIME),
    ("sekunde", 1.0, TIME),
    ("seconde", 1.0, TIME),
    ("segundo", 1.0, TIME),
    ("secondi", 1.0, TIME),
    ("секунд", 1.0, TIME),
    ("秒", 1.0, TIME),
    ("с", 1.0, TIME),
    ("minute", MINUTE, TIME),
    ("minuto", MINUTE, TIME),
    ("minuti", MINUTE, TIME),
    ("минут", MINUTE, TIME),
    ("分钟", MINUTE, TIME),
    ("hour", HOUR, TIME),
    ("stunde", HOUR, TIME),
    ("heure", HOUR, TIME),
    ("hora", HOUR, TIME),
    ("ora", HOUR, TIME),
    ("ore", HOUR, TIME),
    ("uur", HOUR, TIME),
    ("час", HOUR, TIME),
    ("часа", HOUR, TIME),
    ("часов", HOUR, TIME),
    ("ч", HOUR, TIME),
    ("小时", HOUR, TIME),
    ("day", DAY, TIME),
    ("tag", DAY, TIME),
    ("jour", DAY, TIME),
    ("día", DAY, TIME),
    ("dia", DAY, TIME),
    ("giorni", DAY, TIME),
    ("week", 7.0 * DAY, TIME),
    ("woche", 7.0 * DAY, TIME),
    ("semaine", 7.0 * DAY, TIME),
    ("semana", 7.0 * DAY, TIME),
    ("month", 365.25 * DAY / 12.0, TIME),
    ("monat", 365.25 * DAY / 12.0, TIME),
    ("year", 365.25 * DAY, TIME),
    ("jahr", 365.25 * DAY, TIME),
    ("ampere", 1.0, CURRENT),
    ("amp", 1.0, CURRENT),
    ("kelvin", 1.0, TEMPERATURE),
    ("mole", 1.0, AMOUNT),
    ("candela", 1.0, LIGHT),
    ("radian", 1.0, ANGLE),
    ("degree", DEGREE, ANGLE),
    ("grad", DEGREE, ANGLE),
    ("degré", DEGREE, ANGLE),
    ("grado", DEGREE, ANGLE),
    ("gradi", DEGREE, ANGLE),
    ("hertz", 1.0, FREQUENCY),
    ("newton", 1.0, FORCE),
    ("pascal", 1.0, PRESSURE),
    ("atmosphere", 101_325.0, PRESSURE),
    ("joule", 1.0, ENERGY),
    ("calorie", 4.184, ENERGY),
    ("watt", 1.0, POWER),
    ("horsepower", 745.699_871_582, POWER),
    ("coulomb", 1.0, CHARGE),
    ("volt", 1.0, VOLTAGE),
    ("ohm", 1.0, RESISTANCE),
    ("farad", 1.0, CAPACITY),
    ("tesla", 1.0, FIELD),
    ("liter", 1e-3, VOLUME),
    ("litre", 1e-3, VOLUME),
    ("litro", 1e-3, VOLUME),
    ("litri", 1e-3, VOLUME),
    ("литр", 1e-3, VOLUME),
    ("литров", 1e-3, VOLUME),
    ("л", 1e-3, VOLUME),
    ("升", 1e-3, VOLUME),
    ("gallon", 3.785_411_784e-3, VOLUME),
    ("hectare", 1e4, AREA),
    ("hektar", 1e4, AREA),
    ("acre", 4_046.856_422_4, AREA),
    ("knot", 1_852.0 / HOUR, SPEED),
    ("byte", 8.0, BITS),
    ("bit", 1.0, BITS),
];

const SHARES: [(&str, f64); 14] = [
    ("%", 1e-2),
    ("percent", 1e-2),
    ("per cent", 1e-2),
    ("percentage", 1e-2),
    ("pct", 1e-2),
    ("prozent", 1e-2),
    ("pourcent", 1e-2),
    ("pour cent", 1e-2),
    ("por ciento", 1e-2),
    ("por cento", 1e-2),
    ("per cento", 1e-2),
    ("процентов", 1e-2),
    ("процента", 1e-2),
    ("‰", 1e-3),
];

const CURRENCIES: [(&str, &str, f64); 33] = [
    ("＄", "USD", 1.0),
    ("$", "USD", 1.0),
    ("usd", "USD", 1.0),
    ("dollar", "USD", 1.0),
    ("dollars", "USD", 1.0),
    ("cent", "USD", 0.01),
    ("cents", "USD", 0.01),
    ("¢", "USD", 0.01),
    ("€", "EUR", 1.0),
    ("eur", "EUR", 1.0),
    ("euro", "EUR", 1.0),
    ("euros", "EUR", 1.0),
    ("£", "GBP", 1.0),
    ("gbp", "GBP", 1.0),
    ("pence", "GBP", 0.01),
    ("¥", "JPY", 1.0),
    ("jpy", "JPY", 1.0),
    ("yen", "JPY", 1.0),
    ("円", "JPY", 1.0),
    ("yuan", "CNY", 1.0),
    ("cny", "CNY", 1.0),
    ("rmb", "CNY", 1.0),
    ("元", "CNY", 1.0),
    ("₹", "INR", 1.0),
    ("inr", "INR", 1.0),
    ("rs", "INR", 1.0),
    ("rupees", "INR", 1.0),
    ("₽", "RUB", 1.0),
    ("рублей", "RUB", 1.0),
    ("₩", "KRW", 1.0),
    ("zł", "PLN", 1.0),
    ("₺", "TRY", 1.0),
    ("chf", "CHF", 1.0),
];

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
