//! Which number of a sentence is worth asking for, and which others stand against it.
//!
//! A number is asked for only where no other would fit: it is exact, it counts, measures or dates something, and the sentence
//! does not make it up.

use std::collections::BTreeSet;

use language::profile::Profile;
use language::script::{is_thai, is_unspaced};

use crate::builtin::lesson::Lesson;
use crate::reading::flat::each_text;
use crate::text::numbers::{self, Number};

use super::pick;

/// Signs behind a measured number, and signs in front of an amount of money.
const SIGNS: [char; 8] = ['%', '°', '€', '£', '₽', '₹', '元', '円'];
const CURRENCIES: [char; 5] = ['$', '€', '£', '¥', '₹'];
/// Most other years on either side of one, and fewest of both sides together.
const MOST_YEARS: usize = 3;
/// Most numbers of a sentence of which one is asked for.
const MAX_NUMBERS: usize = 2;

/// How far before a number a Thai word makes it vague, in characters.
const THAI_REACH: usize = 20;

/// A number to ask for, with others on either side.
pub(super) struct Asked<'t> {
    pub(super) number: Number<'t>,
    /// It has a unit: years and counts are seldom worth learning by heart.
    pub(super) has_unit: bool,
    pub(super) below: Vec<String>,
    pub(super) above: Vec<String>,
}

/// A number worth asking for, with others that the sentence does not hold.
pub(super) fn asked_number<'t>(text: &'t str, profile: &Profile) -> Option<Asked<'t>> {
    if text.contains(['$', '\\', '=', '^']) {
        return None;
    }
    let found = numbers::find(text);
    // Digits that no number accounts for are parts of dates, codes or ranges.
    let digits = numbers::digits(text).count();
    let counted: usize = found.iter().map(|number| numbers::digits(number.text).count()).sum();
    if found.len() > MAX_NUMBERS || counted < digits {
        return None;
    }
    // "A ladder of 6.5 m stands 2.5 m from a wall" makes numbers up.
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let one = language::find_teaching(profile.tag).map_or("", |teaching| teaching.answers.one);
    let supposes = found.len() > 1 && one.split(' ').any(|article| article == first);
    // "20 to 30" and "20 or 30" leave either open.
    let is_range = found.windows(2).any(|pair| {
        let between = &text[pair[0].start + pair[0].text.len()..pair[1].start];
        between.split_whitespace().count() <= 1
    });
    // "31.5, or 31.50": one is the other.
    let said_twice =
        found.windows(2).any(|pair| pair[0].text.starts_with(pair[1].text) || pair[1].text.starts_with(pair[0].text));
    // One year tells what the other can't be.
    let has_years = found.iter().filter(|number| number.is_year()).count() > 1;
    if supposes || is_range || said_twice || has_years {
        return None;
    }
    let exact: Vec<Number<'_>> = found
        .iter()
        .copied()
        .filter(|number| number.text.len() > 1 || number.text > "2")
        .filter(|number| !is_vague(text, number) && is_measured(text, number, profile))
        .collect();
    let years: Vec<Number<'_>> = exact.iter().copied().filter(Number::is_year).collect();
    let choice = if years.is_empty() { &exact } else { &years };
    let number = *choice.get(pick(text, choice.len()))?;
    // A number in brackets, or behind a colon, is an example or a detail.
    let before = &text[..number.start];
    if before.contains([':', '：']) || before.matches(['(', '（']).count() > before.matches([')', '）']).count() {
        return None;
    }
    // The other number of a sentence may tell this one: "4.8 m, and one twelfth is 0.4 m".
    let has_unit = found.len() == 1 && !number.is_year() && has_unit(text, &number, profile);
    let (mut below, mut above) = numbers::around(number, &text[number.start + number.text.len()..]);
    for side in [&mut below, &mut above] {
        side.retain(|other| !found.iter().any(|known| known.text == other));
    }
    (below.len() + above.len() >= 3).then_some(Asked { number, has_unit, below, above })
}

impl Asked<'_> {
    /// The same year among other years of the material, on both sides of it: any other would be told from them at once. None where
    /// there are too few, not counting the neighbours, which would split hairs.
    pub(super) fn among(self, years: &BTreeSet<u32>, sentence: &str) -> Option<Self> {
        let year: u32 = self.number.text.parse().ok()?;
        let others = |years: &mut dyn Iterator<Item = &u32>| -> Vec<String> {
            years.map(u32::to_string).filter(|other| !sentence.contains(other.as_str())).take(MOST_YEARS).collect()
        };
        let (below, above) = (others(&mut years.range(..year - 1).rev()), others(&mut years.range(year + 2..)));
        let enough = !below.is_empty() && !above.is_empty() && below.len() + above.len() >= MOST_YEARS;
        enough.then_some(Self { below, above, ..self })
    }
}

/// The years that a lesson names.
pub(super) fn years(lesson: &Lesson) -> BTreeSet<u32> {
    let numbers = lesson.sentences.iter().flat_map(|sentence| numbers::find(&sentence.text)).filter(Number::is_year);
    numbers.filter_map(|number| number.text.parse().ok()).collect()
}

/// Whether a lesson calculates with a number, or names it again as an amount of money: then it is given, and not taught.
pub(super) fn is_given(lesson: &Lesson, number: &Number<'_>) -> bool {
    let mut calculates = false;
    let mut amounts = 0;
    for block in &lesson.reading.blocks {
        each_text(&block.body, &mut |text| {
            let named = numbers::find(text).into_iter().filter(|other| other.text == number.text);
            for other in named {
                calculates |= text.contains(['=', '×', '·', '÷']);
                amounts += usize::from(text[..other.start].ends_with(CURRENCIES));
            }
        });
    }
    calculates || amounts > 1
}

/// Whether a unit, a currency or a sign of percent stands beside a number.
fn has_unit(text: &str, number: &Number<'_>, profile: &Profile) -> bool {
    let (before, behind) = (&text[..number.start], text[number.start + number.text.len()..].trim_start());
    behind.starts_with(SIGNS) || before.ends_with(CURRENCIES) || language::speech(profile.tag).begins_with_unit(behind)
}

/// Whether a number counts or measures, or is a date, and is no name: "article 27" and "sign 215" are names.
fn is_measured(text: &str, number: &Number<'_>, profile: &Profile) -> bool {
    let (before, behind) = (&text[..number.start], &text[number.start + number.text.len()..]);
    let sign = behind.trim_start().starts_with(SIGNS);
    let next = behind.split_whitespace().next().unwrap_or_default().trim_end_matches(['.', ',', ';', ')']);
    let unit = language::taught().any(|(tag, _)| language::speech(tag).forms_of(next).next().is_some())
        || behind.trim_start().starts_with(is_thai)
            && language::speech(profile.tag).begins_with_unit(behind.trim_start());
    let currency = before.ends_with(CURRENCIES);
    if before.ends_with(['+', '§', '№']) || before.trim_end().ends_with(['§', '№']) {
        return false;
    }
    let is_month = |word: &str| {
        let word = word.trim_matches(|sign: char| !sign.is_alphabetic()).to_lowercase();
        language::taught().any(|(_, teaching)| teaching.answers.month(&word).is_some())
    };
    let day = !number.is_year()
        && (behind.split_whitespace().take(2).any(is_month)
            || before.split_whitespace().next_back().is_some_and(is_month));
    if day {
        return false;
    }
    let unspaced = before.ends_with(is_unspaced) || behind.starts_with(is_unspaced);
    let last = before.split_whitespace().next_back().map(str::to_lowercase);
    let little = last.is_none_or(|word| profile.is_stop(&word) || profile.opens_noun(&word));
    sign || unit || currency || unspaced || little
}

/// "About 30", "at least 30", "30 or more", "20 to 30": other numbers fit as well.
fn is_vague(text: &str, number: &Number<'_>) -> bool {
    let end = number.start + number.text.len();
    let words = |text: &str, last: bool| {
        let mut words: Vec<String> = text
            .split(|character: char| !character.is_alphanumeric() && character != '+')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        if last {
            words.reverse();
        }
        words.truncate(3);
        words
    };
    let clause = |text: &str| text.chars().take(40).collect::<String>();
    let before: String = {
        let start = text[..number.start].char_indices().rev().nth(40).map_or(0, |(at, _)| at);
        text[start..number.start].to_owned()
    };
    let (before_words, behind) = (words(&before, true), words(&clause(&text[end..]), false));
    // "อย่างน้อยวันละ 400 กรัม" says "at least" and "a day" before the number.
    let reach = before.trim_end().char_indices().rev().nth(THAI_REACH).map_or(0, |(at, _)| at);
    let near = before[reach..].split_whitespace().next_back().unwrap_or_default();
    let hedged = language::cues(|cues| cues.hedges).any(|hedge| {
        if hedge.starts_with(is_thai) {
            near.contains(hedge) || text[end..].trim_start().starts_with(hedge)
        } else if hedge.starts_with(is_unspaced) {
            before.ends_with(hedge)
        } else {
            before_words.iter().take(2).any(|word| word == hedge)
        }
    });
    let open = behind.first().is_some_and(|word| word.starts_with('+'))
        || language::taught().any(|(_, teaching)| {
            let lists = [teaching.answers.alternatives, teaching.answers.conjunctions];
            let holds = |list: &str, word: &str| list.split(' ').any(|known| known.trim_end_matches('*') == word);
            behind.iter().take(2).any(|word| lists.iter().any(|list| holds(list, word)))
                && behind.iter().any(|word| {
                    word.starts_with(|digit: char| digit.is_ascii_digit())
                        || holds(teaching.answers.more, word)
                        || holds(teaching.answers.less, word)
                })
        });
    hedged || open
}

#[cfg(test)]
mod tests {
    use language::profile;

    use super::*;

    fn number(text: &str) -> Option<&str> {
        asked_number(text, profile::of("en")).map(|asked| asked.number.text)
    }

    #[test]
    fn a_number_is_asked_for_only_where_no_other_fits() {
        assert_eq!(number("The war began in 1914 and changed Europe."), Some("1914"));
        assert_eq!(number("An adult has 206 bones in the body."), Some("206"));
        for vague in [
            "An adult needs about 30 minutes of it.",
            "Children sleep at least 10 hours.",
            "It takes 20 to 30 minutes, or 5–10 in summer.",
            "Bake it for 30 or more minutes.",
            "It takes 20 or 30 minutes.",
            "The parts are 10, 20, 30 and 40.",
            "See page A4 on 2024-05-01.",
            "The formula $x=50$ says so.",
            "It is told in article 27 of the law.",
            "Paint sign 215 red and blue today.",
            "A ladder of 6.5 m stands with its foot 2.5 m from a wall.",
        ] {
            assert_eq!(number(vague), None, "{vague}");
        }
        let thai = |text| asked_number(text, profile::of("th")).map(|asked| asked.number.text);
        assert_eq!(thai("ข้าวสวยหนึ่งทัพพีหนัก 60 กรัม"), Some("60"));
        assert_eq!(thai("ผู้ใหญ่ควรกินผักอย่างน้อยวันละ 400 กรัม"), None);
        assert_eq!(thai("ประเทศไทยมีพื้นที่ป่าประมาณ 102 ล้านไร่"), None);
    }
}
