//! How a language is spoken: the words for signs, units, money and abbreviations.
//!
//! Entries of a list are parted by `;`, an entry's name and its forms by `=`, the forms by `,`. Which form goes with a
//! number is told by [`Plural`]. A form that places the number itself holds `{n}`; otherwise the number stands before it.

use crate::pace::Pace;
use crate::script::{is_thai, is_unspaced};
use crate::template::fill;
use crate::texts::Signs;

/// The words by which a language speaks what is written in signs.
#[derive(Clone, Copy, Debug)]
pub struct Speech {
    /// The words for signs.
    pub signs: Signs,
    /// Which form of a unit goes with a number.
    pub plural: Plural,
    /// Units as they are written behind a number, with their forms.
    pub units: &'static str,
    /// Signs of money, with the forms of their names.
    pub money: &'static str,
    /// How an amount `{n}` and its hundredths `{c}` are said; empty where the amount stays a decimal number.
    pub cents: &'static str,
    /// The names of the letters αβγδεθλμπρστφω, in this order, parted by spaces.
    pub greek: &'static str,
    /// The names of sin, cos, tan, log, ln and lim, in this order.
    pub functions: &'static str,
    /// Abbreviations with what is said for them. `#` stands for a number next to which alone
    /// they are abbreviations.
    pub abbreviations: &'static str,
    /// First to thirty-first, where a number with a dot is an ordinal; parted by `,`.
    pub ordinals: &'static str,
    /// Words behind which an ordinal takes `n` at its end.
    pub inflecting: &'static str,
    /// Words that begin a clause which says more of the noun before it, where no comma does.
    pub relatives: &'static str,
    /// Phrases that point at what only readers see.
    pub pointing: &'static str,
    /// How fast it is spoken.
    pub pace: Pace,
}

/// Longest name of a unit, and longest sign of one, whose case counts, in characters.
const LONGEST_UNIT: usize = 40;
const LONGEST_SIGN: usize = 3;

impl Speech {
    /// Whether a text begins with a unit or a currency, by its sign or its name.
    pub fn begins_with_unit(&self, text: &str) -> bool {
        let start: String = text.chars().take(LONGEST_UNIT).collect();
        let lower = start.to_lowercase();
        let Some(first) = lower.chars().next() else { return false };
        let begins = |name: &str| {
            if !name.chars().next().is_some_and(|letter| letter.to_lowercase().any(|letter| letter == first)) {
                return false;
            }
            let is_sign = name.chars().count() <= LONGEST_SIGN;
            let rest =
                if is_sign { start.strip_prefix(name) } else { lower.strip_prefix(name.to_lowercase().as_str()) };
            let ends = |rest: &str| name.ends_with(is_unspaced) || !rest.starts_with(char::is_alphanumeric);
            rest.is_some_and(ends)
        };
        let mut entries = self.units.split(';').chain(self.money.split(';')).filter_map(|entry| entry.split_once('='));
        entries.any(|(sign, forms)| begins(sign) || forms.split(',').any(begins))
    }

    /// How a unit is said, in all its forms; nothing where the unit is not known.
    pub fn forms_of(&self, unit: &str) -> impl Iterator<Item = &'static str> {
        let entry = self.units.split(';').filter_map(|entry| entry.split_once('=')).find(|(name, _)| *name == unit);
        entry.into_iter().flat_map(|(_, forms)| forms.split(','))
    }
}

/// Which form of a noun goes with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plural {
    /// All numbers take the only form.
    One,
    /// One takes the first form, other numbers the second.
    Two,
    /// Numbers below two take the first form.
    French,
    /// 1, 21, …; 2 to 4, 22 to 24, …; others. Fractions take the fourth form, or the second where there are three.
    Slavic,
    /// 1; 2 to 4, 22 to 24, …; others. Fractions take the fourth form.
    Polish,
    /// 3 to 10 take the second form.
    Arabic,
}

impl Plural {
    /// The place of the form that goes with a number.
    fn place(self, number: &str) -> usize {
        let whole = !number.contains(['.', ',', '٫']);
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        let last = digits.get(digits.len().saturating_sub(2)..).and_then(|end| end.parse::<usize>().ok()).unwrap_or(0);
        let few = (2..=4).contains(&(last % 10)) && !(12..=14).contains(&last);
        match self {
            Self::One => 0,
            Self::Two => usize::from(digits != "1" || !whole),
            Self::French => usize::from(!number.starts_with(['0', '1']) || whole && digits.len() > 1),
            Self::Slavic | Self::Polish if !whole => 3,
            Self::Slavic if last % 10 == 1 && last != 11 => 0,
            Self::Polish if digits == "1" => 0,
            Self::Slavic | Self::Polish => {
                if few {
                    1
                } else {
                    2
                }
            }
            Self::Arabic => usize::from(digits.len() <= 2 && (3..=10).contains(&last)),
        }
    }
}

impl Speech {
    /// The forms of a unit that stands behind a number.
    #[must_use]
    pub fn unit(&self, symbol: &str) -> Option<&'static str> {
        let symbol = if symbol == "L" { "l" } else { symbol };
        entry(self.units, symbol)
    }

    /// The forms of the name of a kind of money.
    #[must_use]
    pub fn currency(&self, sign: &str) -> Option<&'static str> {
        entry(self.money, sign)
    }

    /// What is said for an abbreviation, as it is written between two words. Some are abbreviations only next to a number, and say
    /// something else behind a word before it: "no. 5", "1492 г.", "в 1492 г.".
    #[must_use]
    pub fn abbreviation(&self, written: &str, before: [&str; 2], after: &str) -> Option<&'static str> {
        let numbered = before[1].ends_with(|last: char| last.is_numeric() || "IVX".contains(last));
        self.abbreviations.split(';').find_map(|listed| {
            let (name, said) = listed.split_once('=')?;
            let found = match name.split_once('#') {
                None => name == written,
                Some((name, "")) => name == written && after.starts_with(char::is_numeric),
                Some((lead, name)) => {
                    name == written && numbered && (lead.is_empty() || before[0].to_lowercase() == lead)
                }
            };
            found.then_some(said)
        })
    }

    /// Whether two words can be an abbreviation together: "z. B.".
    #[must_use]
    pub fn has_abbreviation_of_two(&self) -> bool {
        self.abbreviations.contains(". ")
    }

    /// A number with the form that goes with it.
    #[must_use]
    pub fn counted(&self, forms: &str, number: &str) -> String {
        let place = self.plural.place(number);
        let known: Vec<&str> = forms.split(',').collect();
        let form = known.get(place).or_else(|| known.get(if place > 2 { 1 } else { 0 })).copied().unwrap_or_default();
        if form.contains("{n}") {
            fill(form, &[("n", number)])
        } else if form.starts_with(|first| is_unspaced(first) && !is_thai(first)) || self.signs.number.ends_with('번')
        {
            format!("{number}{form}")
        } else {
            format!("{number} {form}")
        }
    }

    /// The name of a Greek letter.
    #[must_use]
    pub fn greek(&self, letter: char) -> Option<&'static str> {
        let letter = letter.to_lowercase().next()?;
        let place = "αβγδεθλμπρστφω".chars().position(|known| known == letter)?;
        self.greek.split(' ').nth(place)
    }

    /// The name of a function.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&'static str> {
        let place = ["sin", "cos", "tan", "log", "ln", "lim"].iter().position(|known| *known == name)?;
        self.functions.split(',').nth(place)
    }

    /// An ordinal in words, as it stands behind a word in lower case.
    #[must_use]
    pub fn ordinal(&self, number: usize, behind: &str) -> Option<String> {
        let word = self.ordinals.split(',').filter(|word| !word.is_empty()).nth(number.checked_sub(1)?)?;
        let inflected = self.inflecting.split(' ').any(|known| !known.is_empty() && known == behind);
        Some(format!("{word}{}", if inflected { "n" } else { "" }))
    }

    /// Whether a word begins a clause which says more of the noun before it.
    #[must_use]
    pub fn is_relative(&self, word: &str) -> bool {
        self.relatives.split(' ').any(|known| known == word)
    }

    /// The phrases that point at what only readers see.
    pub fn pointing(&self) -> impl Iterator<Item = &'static str> {
        self.pointing.split(';')
    }
}

fn entry(list: &'static str, name: &str) -> Option<&'static str> {
    list.split(';').find_map(|entry| entry.strip_prefix(name)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use crate::{all, speech};

    #[test]
    fn numbers_take_their_form_of_a_unit() {
        for (language, number, symbol, said) in [
            ("en", "1", "km", "1 kilometer"),
            ("en", "5", "km/h", "5 kilometers per hour"),
            ("en", "1.5", "h", "1.5 hours"),
            ("de", "1", "km", "1 Kilometer"),
            ("fr", "1,5", "km", "1,5 kilomètre"),
            ("fr", "12", "km", "12 kilomètres"),
            ("ru", "21", "км", "21 километр"),
            ("ru", "3", "км", "3 километра"),
            ("ru", "12", "км", "12 километров"),
            ("ru", "1,5", "км", "1,5 километра"),
            ("uk", "1,5", "км", "1,5 кілометра"),
            ("pl", "21", "m", "21 metrów"),
            ("pl", "2,5", "m", "2,5 metra"),
            ("ar", "5", "km", "5 كيلومترات"),
            ("ar", "20", "km", "20 كيلومتر"),
            ("zh", "5", "km", "5千米"),
            ("zh", "5", "%", "百分之5"),
            ("tr", "5", "%", "yüzde 5"),
            ("ko", "20", "°C", "섭씨 20도"),
            ("ja", "20", "℃", "20度"),
            ("th", "5", "km/h", "5 กิโลเมตรต่อชั่วโมง"),
        ] {
            let speech = speech(language);
            assert_eq!(speech.counted(speech.unit(symbol).unwrap(), number), said, "{language}");
        }
    }

    #[test]
    fn every_language_has_all_forms_of_every_list() {
        for language in all() {
            let speech = &language.speech;
            let forms = match speech.plural {
                super::Plural::One => 1..=1,
                super::Plural::Two | super::Plural::French | super::Plural::Arabic => 2..=2,
                super::Plural::Slavic => 3..=4,
                super::Plural::Polish => 4..=4,
            };
            for entry in speech.units.split(';').chain(speech.money.split(';')) {
                let (name, listed) = entry.split_once('=').unwrap();
                assert!(!name.is_empty() && forms.contains(&listed.split(',').count()), "{} {entry}", language.tag);
                assert!(listed.split(',').all(|form| !form.trim().is_empty()), "{} {entry}", language.tag);
            }
            for entry in speech.abbreviations.split(';') {
                assert!(
                    entry.split_once('=').is_some_and(|(name, said)| !name.is_empty() && !said.is_empty()),
                    "{entry}"
                );
            }
            assert_eq!(speech.greek.split(' ').count(), 14, "{}", language.tag);
            assert_eq!(speech.functions.split(',').count(), 6, "{}", language.tag);
            assert!(matches!(speech.ordinals.split(',').count(), 1 | 31), "{}", language.tag);
            assert!(
                speech.pointing().all(|phrase| !phrase.is_empty() && phrase == phrase.to_lowercase()),
                "{}",
                language.tag
            );
        }
    }

    #[test]
    fn some_abbreviations_need_a_number() {
        assert_eq!(speech("en").abbreviation("no.", ["he", "said"], ""), None);
        assert_eq!(speech("en").abbreviation("no.", ["", "see"], "5"), Some("number"));
        assert_eq!(speech("ru").abbreviation("г.", ["октября", "1492"], ""), Some("года"));
        assert_eq!(speech("ru").abbreviation("г.", ["В", "1492"], ""), Some("году"));
        assert_eq!(speech("ru").abbreviation("в.", ["начале", "XIX"], ""), Some("века"));
    }

    #[test]
    fn ordinals_agree_with_the_word_before_them() {
        assert_eq!(speech("de").ordinal(3, "am").as_deref(), Some("dritten"));
        assert_eq!(speech("de").ordinal(3, "der").as_deref(), Some("dritte"));
        assert_eq!(speech("tr").ordinal(12, "").as_deref(), Some("on ikinci"));
        assert_eq!(
            (speech("de").ordinal(0, ""), speech("de").ordinal(99, ""), speech("en").ordinal(3, "")),
            (None, None, None)
        );
    }
}
