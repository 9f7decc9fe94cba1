//! Numbers, units, money, ranges and ordinals.

use language::fill;
use language::numerals::Separators;

use super::Voice;
use super::pieces::Piece;

/// An amount in words, how many pieces it takes, and the marks behind it.
pub(super) struct Amount {
    pub(super) said: String,
    pub(super) pieces: usize,
}

/// The amount that stands at the beginning of some pieces.
pub(super) fn amount(pieces: &[Piece], before: &str, voice: &Voice) -> Option<Amount> {
    if is_dated(pieces, before, voice) {
        return None;
    }
    money(pieces, voice).or_else(|| measured(pieces, voice)).or_else(|| range(pieces, voice))
}

/// "1492 г.": what stands behind a year is no unit.
fn is_dated(pieces: &[Piece], before: &str, voice: &Voice) -> bool {
    let [year, next, ..] = pieces else { return false };
    let of_year = (3..=4).contains(&year.core.len()) && year.core.bytes().all(|byte| byte.is_ascii_digit());
    let abbreviated = format!("{}.", next.core);
    of_year
        && next.trail.starts_with('.')
        && voice.speech.abbreviation(&abbreviated, [before, &year.core], "").is_some()
}

/// Whether a core is a number by itself.
pub(super) fn is_number(core: &str) -> bool {
    core.starts_with(|first: char| first.is_ascii_digit())
        && core.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
}

/// A number with the decimal separator of the language: 3.5 in a German text is 3,5.
pub(super) fn number(written: &str, voice: &Voice) -> String {
    if voice.separators == Separators::Point {
        return written.to_owned();
    }
    match written.split_once('.') {
        Some((whole, fraction)) if fraction.len() != 3 && !fraction.contains(['.', ',']) && !whole.contains(',') => {
            format!("{whole},{fraction}")
        }
        _ => written.to_owned(),
    }
}

/// The number that a text begins with, and what follows it.
fn leading_number(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let separates = |at: usize| matches!(bytes[at], b'.' | b',') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    let end = (0..bytes.len()).find(|at| !bytes[*at].is_ascii_digit() && !separates(*at)).unwrap_or(bytes.len());
    (end > 0).then(|| text.split_at(end))
}

/// "60 000" is one number where thousands are set apart by spaces.
fn grouped(pieces: &[Piece], voice: &Voice) -> Option<(String, usize)> {
    let first = pieces.first()?;
    let (digits, rest) = leading_number(&first.core)?;
    if !rest.is_empty()
        || voice.separators != Separators::CommaWithSpaces
        || digits.len() > 3
        || !first.trail.is_empty()
    {
        return None;
    }
    let is_group = |piece: &&Piece| {
        piece.lead.is_empty() && piece.core.bytes().take(3).filter(u8::is_ascii_digit).count() == 3 && {
            let tail = &piece.core[3..];
            tail.is_empty() || tail.starts_with(',') && is_number(&piece.core)
        }
    };
    let mut number = digits.to_owned();
    let mut taken = 1;
    for piece in pieces[1..].iter().take_while(is_group) {
        number.push_str(&piece.core);
        taken += 1;
        if !piece.trail.is_empty() {
            break;
        }
    }
    (taken > 1).then_some((number, taken))
}

/// "5 km/h", "20 °C", "30%", "%30".
fn measured(pieces: &[Piece], voice: &Voice) -> Option<Amount> {
    let first = pieces.first()?;
    let speech = voice.speech;
    if let Some(number) = first.core.strip_prefix('%').filter(|number| is_number(number)) {
        return Some(Amount { said: speech.counted(speech.unit("%")?, number), pieces: 1 });
    }
    if let Some((number, taken)) = grouped(pieces, voice) {
        let unit = pieces.get(taken).filter(|unit| unit.lead.is_empty() && pieces[taken - 1].trail.is_empty());
        let forms = unit.and_then(|unit| speech.unit(&unit.core));
        return Some(match forms {
            Some(forms) => Amount { said: speech.counted(forms, &number), pieces: taken + 1 },
            None => Amount { said: number, pieces: taken },
        });
    }
    let sign = first.core.strip_prefix(['-', '−', '–']);
    let (digits, rest) = leading_number(sign.unwrap_or(&first.core))?;
    let count = number(digits, voice);
    let negative = |said: String| if sign.is_some() { format!("{} {said}", speech.signs.negative) } else { said };
    if !rest.is_empty() {
        let power = rest.replace("^2", "²").replace("^3", "³");
        let forms = speech.unit(&power).or_else(|| speech.unit(rest))?;
        return Some(Amount { said: negative(speech.counted(forms, &count)), pieces: 1 });
    }
    let next = pieces.get(1).filter(|next| first.trail.is_empty() && next.lead.is_empty());
    match next.and_then(|next| unit_of(&next.core, voice)) {
        Some(forms) => Some(Amount { said: negative(speech.counted(forms, &count)), pieces: 2 }),
        None if sign.is_some() || count != digits => Some(Amount { said: negative(count), pieces: 1 }),
        None => None,
    }
}

/// A unit, or one unit per another.
fn unit_of(symbol: &str, voice: &Voice) -> Option<&'static str> {
    voice.speech.unit(symbol).or_else(|| voice.speech.unit(&symbol.replace("^2", "²").replace("^3", "³")))
}

/// "$5.50", "€ 12", "12 €", "$5 million".
fn money(pieces: &[Piece], voice: &Voice) -> Option<Amount> {
    let first = pieces.first()?;
    let in_front = currency_in_front(&first.core, voice);
    if let Some((forms, rest)) = in_front {
        if let Some((digits, "")) = leading_number(rest) {
            let magnitude = pieces.get(1).filter(|next| first.trail.is_empty() && is_magnitude(&next.core, voice));
            return Some(match magnitude {
                Some(next) => Amount { said: format!("{digits} {} {}", next.core, many(forms)), pieces: 2 },
                None => Amount { said: priced(digits, forms, voice), pieces: 1 },
            });
        }
        let digits = pieces.get(1).filter(|next| rest.is_empty() && is_number(&next.core))?;
        return Some(Amount { said: priced(&digits.core, forms, voice), pieces: 2 });
    }
    let (digits, rest) = leading_number(&first.core)?;
    if let Some(forms) = voice.speech.currency(rest) {
        return Some(Amount { said: priced(digits, forms, voice), pieces: 1 });
    }
    let next = pieces.get(1).filter(|_| rest.is_empty() && first.trail.is_empty())?;
    if let Some(forms) = voice.speech.currency(&next.core) {
        return Some(Amount { said: priced(digits, forms, voice), pieces: 2 });
    }
    let sign = pieces.get(2).filter(|_| next.trail.is_empty() && is_magnitude(&next.core, voice))?;
    let forms = voice.speech.currency(&sign.core)?;
    Some(Amount { said: format!("{digits} {} {}", next.core, many(forms)), pieces: 3 })
}

fn currency_in_front<'t>(core: &'t str, voice: &Voice) -> Option<(&'static str, &'t str)> {
    let end = core.find(|character: char| character.is_ascii_digit()).unwrap_or(core.len());
    Some((voice.speech.currency(&core[..end])?, &core[end..]))
}

/// The form of many.
fn many(forms: &str) -> &str {
    let mut listed = forms.split(',');
    let (first, second, third) = (listed.next(), listed.next(), listed.next());
    third.or(second).or(first).unwrap_or_default()
}

/// A number word of at least a thousand: "million".
fn is_magnitude(word: &str, voice: &Voice) -> bool {
    let word = word.to_lowercase();
    let listed = language::teaching(&voice.tag).answers.numbers.split(' ');
    let value = |entry: &str| entry.split_once('=').filter(|(known, _)| word.starts_with(known))?.1.parse::<u64>().ok();
    listed.filter_map(value).any(|value| value >= 1000)
}

/// "$5.50" is "5 dollars 50".
fn priced(digits: &str, forms: &str, voice: &Voice) -> String {
    let speech = voice.speech;
    let parts = digits.rsplit_once(['.', ',']).filter(|(_, cents)| cents.len() == 2 && !speech.cents.is_empty());
    match parts {
        Some((whole, "00")) => speech.counted(forms, whole),
        Some((whole, cents)) => {
            fill(speech.cents, &[("n", &speech.counted(forms, whole)), ("c", cents.trim_start_matches('0'))])
        }
        None => speech.counted(forms, &number(digits, voice)),
    }
}

/// "5–10 km", "1914–1918", "5 – 10"; with a hyphen only where it can be no code or date.
fn range(pieces: &[Piece], voice: &Voice) -> Option<Amount> {
    let first = pieces.first()?;
    let (from, rest) = leading_number(&first.core)?;
    let (to, taken, tail) = if rest.is_empty() {
        let dash = pieces.get(1).filter(|dash| first.trail.is_empty() && matches!(dash.core.as_str(), "–" | "—"));
        let next = pieces.get(2).filter(|_| dash.is_some())?;
        let (to, tail) = leading_number(&next.core)?;
        (to, 3, tail)
    } else {
        let dash = rest.chars().next().filter(|dash| matches!(dash, '–' | '—' | '-' | '−' | '~'))?;
        let (to, tail) = leading_number(&rest[dash.len_utf8()..])?;
        let grows = from.parse::<f64>().ok() < to.parse::<f64>().ok() && !from.starts_with('0');
        if dash == '-' && !grows {
            return None;
        }
        (to, 1, tail)
    };
    let speech = voice.speech;
    let said = |to: &str| fill(speech.signs.range, &[("a", &number(from, voice)), ("b", to)]);
    if !tail.is_empty() {
        return Some(Amount { said: said(&speech.counted(speech.unit(tail)?, to)), pieces: taken });
    }
    let after = pieces.get(taken).filter(|_| pieces[taken - 1].trail.is_empty());
    let unit = after.and_then(|next| unit_of(&next.core, voice).or_else(|| speech.currency(&next.core)));
    Some(match unit {
        Some(forms) => Amount { said: said(&speech.counted(forms, &number(to, voice))), pieces: taken + 1 },
        None => Amount { said: said(&number(to, voice)), pieces: taken },
    })
}

/// "3." in front of a word, in languages where a dot makes an ordinal.
pub(super) fn ordinal(pieces: &[Piece], before: &str, voice: &Voice) -> Option<String> {
    let [first, next, ..] = pieces else { return None };
    let dotted =
        voice.ordinal_dots && first.trail == "." && (1..=2).contains(&first.core.len()) && is_number(&first.core);
    if !dotted || !next.core.starts_with(char::is_alphabetic) {
        return None;
    }
    let number = first.core.parse().ok()?;
    Some(voice.speech.ordinal(number, &before.to_lowercase()).unwrap_or_else(|| first.core.clone()))
}
