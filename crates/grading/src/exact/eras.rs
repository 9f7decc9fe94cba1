//! Years with an era: 44 BC, AD 79, 44 v. Chr., 79 apr. J.-C., 44 до н. э.

use language::lists::holds;

/// A year of one of the two eras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EraYear {
    year: u32,
    is_before: bool,
}

/// Abbreviations and words for the era before, letters only, lower case. They hold those for the era after, so they are tried first.
const BEFORE: &str = " bc bce vchr vuz avjc avantjc avantjesuschrist avantjésuschrist anec avec ac adc acn antesdecristo antesdeera \
    aec pne przednasząerą przedchr донэ донашейэры дорхх дорождествахристова доне днеери донашоїери дорх mö moö isa \
    milattanönce miladanönce 公元前 前 紀元前 기원전 قم قبلالميلاد ईपू ईसापूर्व avanticristo przedchrystusem предхристом beforechrist beforecommonera vorchristus vorchristi voorchr \
    voorchristus vc avantnotreère avantlanotre aj aec ปีก่อนคริสต์ศักราช ก่อนคริสต์ศักราช ปีก่อนคริสตกาล ก่อนคริสตกาล ปีก่อนคศ ก่อนคศ ";
const AFTER: &str = " ad ce nchr nuz apjc aprjc aprèsjc aprèsjésuschrist dc dec nc ne naszejery нэ нашейэры отрх не нашоїери ms milattansonra \
    公元 西元 西暦 기원후 서기 م ميلادي ईस्वी ई nachchristus nachchristi dopocristo despuésdecristo depoisdecristo nachristus pochrystusie annodomini nachr คศ คริสต์ศักราช ";
/// Words between a year and its era, or in front of both.
const BESIDE: &str = " year yr im jahr jahre en lan in anno año an anul w roku r roku г год году года в у рік році р yılı yılında yıl 年 년 عام سنة सन् वर्ष \
    circa c ca um around about около на the of del dell nell el o do it was ปี ในปี ปีที่ เมื่อ เมื่อปี ";

impl EraYear {
    /// Whether a year without an era is this one: of our era, or of the one that the question names.
    pub(super) fn is_near(self, wanted: Self, is_era_named: bool) -> bool {
        self.year == wanted.year && (!wanted.is_before || is_era_named)
    }
}

/// Whether a question names the era before.
pub(super) fn are_named(question: &str) -> bool {
    let squeeze = |word: &str| word.chars().filter(|one| one.is_alphanumeric()).collect::<String>().to_lowercase();
    let words: Vec<String> =
        question.split_whitespace().map(squeeze).filter(|word| !word.is_empty()).take(400).collect();
    (1..=3).any(|count| {
        words.windows(count).any(|window| window.concat().chars().count() > 1 && holds(BEFORE, &window.concat()))
    })
}

const MOST_BYTES: usize = 80;
const MOST_ERA_WORDS: usize = 5;

/// The era that words beside a year say: `true` for the one before. The era stands next to the year, but for words such as "year".
fn era(text: &str, is_behind: bool) -> Option<bool> {
    let lower = text.to_lowercase();
    let mut words: Vec<String> = lower
        .split(|one: char| one.is_whitespace() || one == ',')
        .map(|word| word.chars().filter(|one| !one.is_ascii_punctuation() && *one != '。').collect())
        .filter(|word: &String| !word.is_empty())
        .collect();
    if !is_behind {
        words.reverse();
    }
    let joined = |from: usize, to: usize| {
        let part = words.get(from..to)?;
        Some(if is_behind { part.concat() } else { part.iter().rev().map(String::as_str).collect() })
    };
    let beside = words.iter().take_while(|word| holds(BESIDE, word)).count();
    let known = |list: &str| {
        (0..=beside).any(|from| {
            (from + 1..=from + MOST_ERA_WORDS).any(|to| joined(from, to).is_some_and(|text| holds(list, &text)))
        })
    };
    if known(BEFORE) { Some(true) } else { known(AFTER).then_some(false) }
}

/// The year that a text in plain characters is, with its era where it says one.
pub(super) fn parse(text: &str) -> Option<(EraYear, bool)> {
    let text = text.trim().trim_end_matches(['!', '?']);
    if text.len() > MOST_BYTES {
        return None;
    }
    let from = text.find(|one: char| one.is_ascii_digit())?;
    let is_digit = |one: char| one.is_ascii_digit() || one == ',' || one == '.';
    let length = text[from..].find(|one: char| !is_digit(one)).unwrap_or(text.len() - from);
    let digits = text[from..from + length].trim_end_matches([',', '.']);
    let behind = &text[from + length..];
    if behind.contains(|one: char| one.is_ascii_digit() || "+*/=^%$<>".contains(one))
        || text[..from].contains(['-', '+', '$', '='])
    {
        return None;
    }
    let year: u32 = digits.replace([',', '.'], "").parse().ok().filter(|year| (1..=99_999).contains(year))?;
    let is_alone = |text: &str| {
        text.to_lowercase().split(|one: char| !one.is_alphanumeric()).all(|word| word.is_empty() || holds(BESIDE, word))
    };
    match (era(&text[..from], false), era(behind, true)) {
        (Some(_), Some(_)) => None,
        (None, None) => {
            (is_alone(&text[..from]) && is_alone(behind)).then_some((EraYear { year, is_before: false }, false))
        }
        (Some(is_before), None) | (None, Some(is_before)) => Some((EraYear { year, is_before }, true)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_year_has_many_forms_and_two_eras() {
        for text in [
            "44 BC",
            "44 B.C.",
            "44 BCE",
            "44 v. Chr.",
            "44 av. J.-C.",
            "44 a. C.",
            "44 a.C.",
            "44 до н. э.",
            "44 г. до н. э.",
            "44 до н.е.",
            "44 p.n.e.",
            "M.Ö. 44",
            "公元前44年",
            "紀元前44年",
            "기원전 44년",
            "44 ق.م",
            "ई.पू. 44",
            "in 44 BC",
            "He died in 44 BC, in March",
            "44 г. до н.э.",
            "44 ปีก่อนคริสต์ศักราช",
            "ก่อน ค.ศ. 44",
        ] {
            assert_eq!(parse(text), Some((EraYear { year: 44, is_before: true }, true)), "{text}");
        }
        for text in [
            "AD 79",
            "79 AD",
            "79 CE",
            "79 n. Chr.",
            "79 apr. J.-C.",
            "79 d. C.",
            "79 н. э.",
            "79 n.e.",
            "公元79年",
            "ค.ศ. 79",
        ] {
            assert_eq!(parse(text), Some((EraYear { year: 79, is_before: false }, true)), "{text}");
        }
        assert_eq!(parse("79"), Some((EraYear { year: 79, is_before: false }, false)));
        for text in ["44 km", "44 cats", "-44", "44 BC to 31 BC", "x = 44", "AD", "พ.ศ. 2310"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
