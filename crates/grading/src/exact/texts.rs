//! Answers in words: equal, in a sentence, or as a list.
//!
//! A sentence counts when it says the reference and, besides, only what the question says and what holds sentences
//! together. What is negated, or stands between alternatives, counts for nothing.

use std::collections::HashSet;

use super::folding;
use super::vocabulary;

/// What a comparison of words says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Words {
    /// Equal, and how sure that is.
    Same(f64),
    /// So many items of a list are right, of so many that count; the names of what is missing.
    Part {
        right: usize,
        counted: usize,
        missing: Vec<String>,
    },
    /// Right but for marks that this language tells words apart by.
    Marks,
    /// It is there and taken back.
    Negated,
    /// It is there with others beside it.
    Several,
    Different,
}

const SURE: f64 = 1.0;
const JOINED: f64 = 0.9;
const PLACED: f64 = 0.9;
const IN_SENTENCE: f64 = 0.85;
const NAMED_WITH_MORE: f64 = 0.7;
/// Words that a name may have besides.
const MOST_TITLES: usize = 3;
const FEWEST_JOINED_BYTES: usize = 5;
const MOST_ITEMS: usize = 64;

/// Compares an answer in words with a reference.
pub(super) fn compare(reference: &str, answer: &str, question: &str, language: &str) -> Words {
    let wanted = folding::words(reference, language);
    let given = folding::words(answer, language);
    if wanted.is_empty() || given.is_empty() {
        let is_same = wanted.is_empty() && reference.trim() == answer.trim();
        return if is_same { Words::Same(SURE) } else { Words::Different };
    }
    if bare(&wanted) == bare(&given) {
        return Words::Same(SURE);
    }
    if bare(placed(&wanted)) == bare(&given) || bare(&wanted) == bare(placed(&given)) {
        return Words::Same(PLACED);
    }
    let joined = wanted.concat();
    if joined.len() >= FEWEST_JOINED_BYTES && joined == given.concat() {
        return Words::Same(JOINED);
    }
    let asked = folding::words(question, language);
    if let Some(verdict) = truth(&wanted, &given) {
        return verdict;
    }
    let items = items(reference, language, &[',', ';', '\n', '、'], wanted.len());
    if items.len() > 1 {
        return list(&items, answer, &given, &asked, language);
    }
    if let Some(pair) = pair(&wanted)
        && in_other_order(&pair, &given)
    {
        return Words::Same(JOINED);
    }
    if folding::words(reference, "en") == folding::words(answer, "en") {
        return Words::Marks;
    }
    match in_sentence(&wanted, answer, &asked, language) {
        Words::Different | Words::Several if names_more(reference, answer, language) => Words::Same(NAMED_WITH_MORE),
        verdict => verdict,
    }
}

/// What a reference stands for: itself, itself without what it says in brackets at its end, and each side of an "or".
pub(super) fn forms(reference: &str) -> Vec<&str> {
    let mut forms = vec![reference];
    let unclosed = reference.trim_end().strip_suffix(')');
    // What stands apart is an aside; `Na^(+)` is one word.
    let aside = unclosed.and_then(|inner| inner.find(" (")).filter(|at| !reference[..*at].trim().is_empty());
    if let Some(at) = aside {
        forms.push(reference[..at].trim_end());
    }
    let sides: Vec<&str> = forms.iter().flat_map(|form| form.split(" or ")).map(str::trim).collect();
    if sides.len() > forms.len() {
        forms.extend(sides.into_iter().filter(|side| !side.is_empty()));
    }
    forms
}

/// Whether an answer is the name that a reference is, of two words or more, with a title, a first name or the like:
/// "Admiral Graf Spee". A number makes another name of it, as in "World War II".
fn names_more(reference: &str, answer: &str, language: &str) -> bool {
    let capitalised = |text: &str| -> Vec<String> {
        let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
        text.split_whitespace().filter(is_name).flat_map(|word| folding::words(word, language)).collect()
    };
    let (wanted, given) = (folding::words(reference, language), folding::words(answer, language));
    let wanted = bare(&wanted);
    if wanted.len() < 2 || capitalised(reference) != wanted || answer.contains([',', ';', '\n', '/', '?']) {
        return false;
    }
    let mut named = capitalised(answer).into_iter();
    if !wanted.iter().all(|word| named.any(|one| one == *word)) || given.len() > wanted.len() + MOST_TITLES {
        return false;
    }
    let is_roman = |word: &str| word.chars().all(|letter| matches!(letter, 'i' | 'v' | 'x'));
    let changes = |word: &String| {
        vocabulary::is_negator(word)
            || vocabulary::is_alternative(word)
            || matches!(word.as_str(), "and" | "und" | "et" | "y" | "e" | "и")
            || word.contains(|one: char| one.is_ascii_digit())
            || is_roman(word)
    };
    !given.iter().filter(|word| !wanted.contains(word)).any(changes)
}

/// Without the preposition at the beginning, where the other text has none: "at night" and "night", but not "in" and "on".
fn placed(words: &[String]) -> &[String] {
    const PREPOSITIONS: [&str; 17] = [
        "in", "at", "on", "from", "during", "by", "im", "am", "bei", "aus", "dans", "en", "au", "desde", "durante",
        "nel", "nella",
    ];
    match words {
        [first, rest @ ..] if !rest.is_empty() && PREPOSITIONS.contains(&first.as_str()) => rest,
        words => words,
    }
}

/// Without what says at the beginning that it is no exact number, and without an article after it.
fn bare(words: &[String]) -> &[String] {
    const HEDGES: [&str; 11] = [
        "about",
        "approximately",
        "around",
        "roughly",
        "circa",
        "ca",
        "etwa",
        "ungefaehr",
        "environ",
        "aproximadamente",
        "ongeveer",
    ];
    match words {
        [first, rest @ ..] if !rest.is_empty() && HEDGES.contains(&first.as_str()) => without_article(rest),
        words => without_article(words),
    }
}

/// Without an article at the beginning.
fn without_article(words: &[String]) -> &[String] {
    const ARTICLES: [&str; 26] = [
        "the", "a", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "l", "un", "une", "el", "los", "las",
        "una", "il", "lo", "gli", "i", "o", "os", "het", "de",
    ];
    match words {
        [first, rest @ ..] if !rest.is_empty() && ARTICLES.contains(&first.as_str()) => rest,
        words => words,
    }
}

/// Yes and no, true and false, in any language and with a negation.
fn truth(wanted: &[String], given: &[String]) -> Option<Words> {
    let [word] = wanted else { return None };
    let wanted = vocabulary::truth(word).filter(|_| word.chars().count() > 1 || !word.is_ascii())?;
    let mut said = None;
    let mut is_negated = false;
    for (at, word) in given.iter().enumerate() {
        let alone = given.len() == 1 || word.chars().count() > 1 || !word.is_ascii();
        let polarity = vocabulary::truth(word).filter(|_| alone);
        // "no" at the beginning is an answer, elsewhere a negation.
        let negates = vocabulary::is_negator(word) && (polarity.is_none() || at > 0);
        if negates {
            is_negated = true;
            if polarity.is_none() {
                continue;
            }
        }
        let Some(polarity) = polarity else { continue };
        let polarity = if negates { false } else { polarity != std::mem::take(&mut is_negated) };
        if said.is_some_and(|before| before != polarity) {
            return Some(Words::Several);
        }
        said = Some(polarity);
    }
    Some(match said {
        Some(said) if said == wanted && !(is_negated && wanted) => {
            Words::Same(if given.len() == 1 { SURE } else { IN_SENTENCE })
        }
        _ => Words::Different,
    })
}

/// The items of a list, folded.
fn items(text: &str, language: &str, marks: &[char], words: usize) -> Vec<Vec<String>> {
    if !text.contains(marks) || words > 400 {
        return Vec::new();
    }
    let connectors = ["and", "und", "et", "y", "e", "and/or", "en", "i", "oraz", "и", "ve", "و", "和"];
    let mut items = Vec::new();
    for part in text.split(marks) {
        let mut item = Vec::new();
        for word in folding::words(part, language) {
            if connectors.contains(&word.as_str()) {
                items.push(std::mem::take(&mut item));
            } else {
                item.push(word);
            }
        }
        items.push(item);
    }
    items.retain(|item| !item.is_empty());
    items.truncate(MOST_ITEMS);
    items
}

/// Right items against all that were asked for and all that were said.
fn list(wanted: &[Vec<String>], answer: &str, given: &[String], asked: &[String], language: &str) -> Words {
    if given.iter().any(|word| vocabulary::is_negator(word))
        && !wanted.concat().iter().any(|word| vocabulary::is_negator(word))
    {
        return Words::Negated;
    }
    if given.iter().any(|word| vocabulary::is_alternative(word)) {
        return Words::Several;
    }
    let said = items(answer, language, &[',', ';', '\n', '、'], given.len());
    let asked: HashSet<&String> = asked.iter().collect();
    let content = |words: &[String]| -> Vec<String> {
        let kept = words.iter().filter(|word| !vocabulary::is_function_word(word) && !asked.contains(word));
        kept.cloned().collect()
    };
    let mut is_found = vec![false; wanted.len()];
    let mut others = 0;
    if said.len() > 1 {
        for item in &said {
            let own = content(item);
            let fits = |one: &Vec<String>| bare(one) == bare(item) || !own.is_empty() && content(one) == own;
            match wanted.iter().position(fits) {
                Some(at) => is_found[at] = true,
                None if own.is_empty() && !item.is_empty() && said.len() > wanted.len() => {}
                None => others += 1,
            }
        }
    } else {
        let mut covered = vec![false; given.len()];
        for (at, item) in wanted.iter().enumerate() {
            let item = bare(item);
            if let Some(start) = given.windows(item.len()).position(|window| window == item) {
                is_found[at] = true;
                covered[start..start + item.len()].fill(true);
            }
        }
        let rest = given.iter().zip(&covered).filter(|(_, is_covered)| !**is_covered).map(|(word, _)| word.clone());
        others = content(&rest.collect::<Vec<_>>()).len();
    }
    let right = is_found.iter().filter(|is_found| **is_found).count();
    if right == wanted.len() && others == 0 {
        return Words::Same(SURE);
    }
    let missing =
        wanted.iter().zip(&is_found).filter(|(_, is_found)| !**is_found).map(|(item, _)| item.join(" ")).collect();
    if right == 0 {
        Words::Different
    } else {
        Words::Part { right, counted: wanted.len().max(right + others), missing }
    }
}

/// `salt and pepper` has two sides.
fn pair(words: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    let at = words.iter().position(|word| matches!(word.as_str(), "and" | "und" | "et" | "и" | "ve" | "oraz"))?;
    let (left, right) = (&words[..at], &words[at + 1..]);
    (!left.is_empty() && !right.is_empty()).then(|| (left.to_vec(), right.to_vec()))
}

fn in_other_order(wanted: &(Vec<String>, Vec<String>), given: &[String]) -> bool {
    pair(given).is_some_and(|(left, right)| bare(&left) == bare(&wanted.1) && bare(&right) == bare(&wanted.0))
}

/// The reference within a sentence that says nothing else.
fn in_sentence(wanted: &[String], answer: &str, asked: &[String], language: &str) -> Words {
    let wanted = bare(wanted);
    let is_negative = wanted.iter().any(|word| vocabulary::is_negator(word));
    let mut verdict = Words::Different;
    let mut is_said = false;
    let mut was_other = false;
    for clause in answer.split(['.', '!', '?', ';', '\n', ',', ':']) {
        let words = folding::words(clause, language);
        for part in words.split(|word| vocabulary::is_correction(word)) {
            let place = if part.len() < wanted.len() {
                None
            } else {
                part.windows(wanted.len()).position(|window| window == wanted)
            };
            let negates = !is_negative && part.iter().any(|word| vocabulary::is_negator(word));
            let Some(place) = place else {
                let says_more = part.iter().any(|word| !vocabulary::is_function_word(word) && !asked.contains(word));
                was_other |= says_more && !negates && !is_reason(part);
                continue;
            };
            if negates {
                verdict = Words::Negated;
            } else if stands_alone(part, place, wanted, asked) {
                is_said = true;
            } else {
                was_other = true;
            }
        }
    }
    if is_said && !was_other {
        Words::Same(IN_SENTENCE)
    } else if is_said || was_other && verdict == Words::Different && answer_has(answer, wanted, language) {
        Words::Several
    } else {
        verdict
    }
}

fn answer_has(answer: &str, wanted: &[String], language: &str) -> bool {
    folding::words(answer, language).windows(wanted.len()).any(|window| window == wanted)
}

/// A clause that gives a reason or what the learner thinks of it.
fn is_reason(words: &[String]) -> bool {
    const OPENERS: [&str; 16] = [
        "because",
        "since",
        "as",
        "which",
        "where",
        "weil",
        "denn",
        "da",
        "parce",
        "car",
        "porque",
        "perche",
        "omdat",
        "потому",
        "bo",
        "cunku",
    ];
    words.first().is_some_and(|first| OPENERS.contains(&first.as_str()))
}

/// Whether a clause says the reference and otherwise only what was asked.
fn stands_alone(words: &[String], place: usize, wanted: &[String], asked: &[String]) -> bool {
    let end = place + wanted.len();
    let reason =
        words[end..].iter().position(|word| is_reason(std::slice::from_ref(word)) && word != "as" && word != "da");
    let upto = reason.map_or(words.len(), |at| end + at);
    let others = || words[..place].iter().chain(&words[end..upto]);
    if others().any(|word| vocabulary::is_alternative(word) && word != "o" && word != "of" && word != "u") {
        return false;
    }
    if others().any(|word| !vocabulary::is_function_word(word) && !asked.contains(word)) {
        return false;
    }
    let says_asked = others().any(|word| asked.contains(word) && !vocabulary::is_function_word(word));
    let has_verb = others().any(|word| vocabulary::is_copula(word) || vocabulary::is_function_word(word));
    if says_asked && !has_verb {
        return false;
    }
    // Where the question names the reference itself, its place in the sentence decides: it must be what is spoken of.
    let is_offered = asked.windows(wanted.len()).any(|window| window == wanted);
    let is_first = words[..place].iter().all(|word| vocabulary::is_function_word(word));
    !is_offered || is_first
}
