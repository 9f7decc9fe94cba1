//! Names of people: with titles or without, in either order, with middle names or initials.

use language::lists::holds;
use unicode_normalization::char::is_combining_mark;

use super::folding;
use super::task::Task;

/// Words in front of and behind a name that are not part of it, in any language: a name keeps its titles in translation.
const TITLES: &str = " dr prof professor mr mrs ms miss sir dame lord lady rev reverend gen general col colonel capt captain lt sgt \
    sen senator gov pres president justice judge jr jnr junior sr snr senior phd md esq herr frau m mme mlle monsieur madame don dona \
    senor senora sra signor signora dott dottor pan pani dhr mevr mevrouw meneer bay bayan г н г-н г-жа пан пані ";
/// Parts of a name that are written small.
const PARTICLES: &str = " von van der den de da di del della du la le los las dos bin ibn al el ter ten zu zur af ";

const MOST_WORDS: usize = 8;

/// The words of a name, titles and what stands in brackets aside; `None` where it can't be a name.
fn parts(text: &str, language: &str, needs_capitals: bool) -> Option<Vec<String>> {
    let plain = without_asides(text);
    let count = |part: &str| part.split_whitespace().count();
    let title_only = |part: &str| folding::words(part, language).iter().all(|word| holds(TITLES, word));
    let turned = match plain.split(',').collect::<Vec<_>>().as_slice() {
        [_] => plain.clone(),
        [name, title] if title_only(title) => (*name).to_owned(),
        [last, first] if (1..=2).contains(&count(last)) && (1..=3).contains(&count(first)) => format!("{first} {last}"),
        _ => return None,
    };
    let is_written_so = |one: char| {
        one.is_alphabetic() || one == ' ' || matches!(one, '.' | '-' | '\'' | '"') || is_combining_mark(one)
    };
    if !turned.chars().all(is_written_so) || count(&turned) > MOST_WORDS {
        return None;
    }
    let is_name = |word: &str| {
        word.starts_with(|one: char| one.is_uppercase() || matches!(one, '"' | '\''))
            || holds(PARTICLES, &word.to_lowercase())
    };
    if turned.split_whitespace().any(|word| needs_capitals && !is_name(word) && !holds(TITLES, word.trim_matches('.')))
    {
        return None;
    }
    let mut words = folding::words(&turned, language);
    if count(&turned) > 1 {
        words.retain(|word| !holds(TITLES, word));
    }
    (!words.is_empty()).then_some(words)
}

/// Without what stands in brackets behind a space.
fn without_asides(text: &str) -> String {
    let Some((before, aside)) = text.split_once(" (") else { return text.to_owned() };
    let behind = aside.split_once(')').map_or("", |(_, behind)| behind);
    format!("{before}{behind}")
}

/// `J.` and `John`
fn agree(one: &str, other: &str) -> bool {
    let is_initial = |word: &str| word.chars().count() == 1;
    one == other || (is_initial(one) || is_initial(other)) && one.chars().next() == other.chars().next()
}

/// Whether two texts name one person. The first and the last name agree; the middle names of one are among the other's.
pub(super) fn are_same(reference: &str, answer: &str, task: &Task) -> bool {
    let language = task.language.as_str();
    let (Some(wanted), Some(given)) = (parts(reference, language, true), parts(answer, language, false)) else {
        return false;
    };
    let is_roman = |word: &String| word.chars().all(|letter| matches!(letter, 'i' | 'v' | 'x'));
    if given
        .iter()
        .any(|word| task.words.is_negator(word) || task.words.is_alternative(word) || task.words.is_conjunction(word))
    {
        return false;
    }
    if wanted == given {
        return true;
    }
    if let ([only], [firsts @ .., last]) = (wanted.as_slice(), given.as_slice()) {
        let is_named = parts(answer, language, true).is_some() && (1..=3).contains(&firsts.len());
        return task.asks_for_person && only == last && is_named;
    }
    let (Some((last, firsts)), Some((given_last, given_firsts))) = (wanted.split_last(), given.split_last()) else {
        return false;
    };
    let (Some((first, middle)), Some((given_first, given_middle))) = (firsts.split_first(), given_firsts.split_first())
    else {
        return false;
    };
    let (short, long) =
        if middle.len() <= given_middle.len() { (middle, given_middle) } else { (given_middle, middle) };
    let mut rest = long.iter();
    let are_among = short.iter().all(|word| rest.any(|other| agree(word, other)));
    let changes = |word: &String| is_roman(word) && word.len() > 1;
    last == given_last && !is_roman(last) && agree(first, given_first) && are_among && !long.iter().any(changes)
}
