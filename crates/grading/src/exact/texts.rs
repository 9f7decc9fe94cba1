//! Answers in words: equal, in a sentence, or as a list.
//!
//! A sentence counts when it says the reference and, besides, only what the question says and what holds sentences
//! together. What is negated, or stands between alternatives, counts for nothing.

mod lists;

use language::script::{is_thai, is_unspaced};
use language::segments;

use super::task::Task;
use super::vocabulary::Words as Vocabulary;
use super::{folding, names};
use lists::{in_other_order, items, list, pair, with_commas};

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
    /// The right items in another order than the question asks for.
    Shuffled,
    /// It says a part of what is wanted, and nothing else.
    Less,
    /// Different, with words in common or too long to be understood.
    Near,
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
const NAMED: f64 = 0.75;
const NAMED_WITH_MORE: f64 = 0.7;
/// Words that a name may have besides.
const MOST_TITLES: usize = 3;
/// A longer reference is a sentence, which may be said in other words.
const MOST_SURE_WORDS: usize = 6;
const MOST_COMPARED_WORDS: usize = 40;
const FEWEST_COMMON_LETTERS: usize = 4;
const FEWEST_JOINED_BYTES: usize = 5;
const MOST_ITEMS: usize = 64;

/// Compares an answer in words with a reference.
pub(super) fn compare(reference: &str, answer: &str, task: &Task) -> Words {
    let (language, vocabulary) = (task.language.as_str(), task.words);
    let answer = vocabulary.without_copula(answer);
    let wanted = folding::words(reference, language);
    let given = folding::words(answer, language);
    if wanted.is_empty() || given.is_empty() {
        let is_same = wanted.is_empty() && reference.trim() == answer.trim();
        return if is_same { Words::Same(SURE) } else { Words::Different };
    }
    let bare = |words| bare(words, vocabulary);
    if bare(&wanted) == bare(&given) {
        return Words::Same(SURE);
    }
    if let Some(verdict) = truth(&wanted, &given, task) {
        return verdict;
    }
    if bare(placed(&wanted, vocabulary)) == bare(&given) || bare(&wanted) == bare(placed(&given, vocabulary)) {
        return Words::Same(PLACED);
    }
    let joined = wanted.concat();
    if joined.len() >= FEWEST_JOINED_BYTES && joined == given.concat() {
        return Words::Same(JOINED);
    }
    if names::are_same(reference, answer, task) {
        return Words::Same(NAMED);
    }
    let items_of = |reference: &str| items(reference, language, vocabulary, wanted.len());
    let items = items_of(reference);
    if items.len() > 1 {
        let more = items_of(&with_commas(reference, &[], vocabulary.tag));
        let verdict = list(&items, answer, &given, task);
        let is_open = more.len() > items.len() && !matches!(verdict, Words::Same(_));
        return if is_open { list(&more, answer, &given, task) } else { verdict };
    }
    if let Some(pair) = pair(&wanted, vocabulary)
        && !task.forms.is_ordered
        && in_other_order(&pair, &given, vocabulary)
    {
        return Words::Same(JOINED);
    }
    if folding::words(reference, "en") == folding::words(answer, "en") {
        return Words::Marks;
    }
    match in_sentence(&wanted, answer, task) {
        Words::Different | Words::Several if names_more(reference, answer, task) => Words::Same(NAMED_WITH_MORE),
        Words::Different if says_part(&wanted, &given, task) => Words::Less,
        Words::Different if is_near(&wanted, &given, task) => Words::Near,
        verdict => verdict,
    }
}

/// Whether an answer says some of the reference's words and no others: "Cadillac Mountain" of "the summit of Cadillac Mountain". What it
/// leaves out makes nothing else of it, as the number of "World War II" does.
fn says_part(wanted: &[String], given: &[String], task: &Task) -> bool {
    let alike = |one: &String, other: &String| one == other || is_inflected(one, other);
    let is_wanted = |word: &String| task.words.is_article(word) || wanted.iter().any(|one| alike(one, word));
    let is_new = |word: &String| !task.words.is_function_word(word) && !task.asked.contains(word);
    let mut left_out = wanted.iter().filter(|word| !given.iter().any(|one| alike(one, word))).peekable();
    wanted.len() <= MOST_COMPARED_WORDS
        && given.len() <= MOST_COMPARED_WORDS
        && given.iter().all(is_wanted)
        && given.iter().any(is_new)
        && left_out.peek().is_some()
        && !left_out.any(|word| makes_another(word, task.words))
}

/// Whether a difference is less than certain: the texts share a word of content, or the reference is a sentence.
fn is_near(wanted: &[String], given: &[String], task: &Task) -> bool {
    let counts = |word: &&String| !task.words.is_function_word(word) && !task.asked.contains(*word);
    let wanted: Vec<&String> = wanted.iter().filter(counts).collect();
    let is_shared = |word: &&String| wanted.iter().any(|one| one == word || is_inflected(one, word));
    wanted.len() > MOST_SURE_WORDS || given.iter().filter(counts).take(MOST_COMPARED_WORDS).any(|word| is_shared(&word))
}

/// Whether two words begin alike for more than half of the longer one.
fn is_inflected(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    common >= FEWEST_COMMON_LETTERS && common * 2 > one.chars().count().max(other.chars().count())
}

/// What a reference stands for: itself, itself without what it says in brackets at its end, and each side of an "or".
pub(super) fn forms<'r>(reference: &'r str, vocabulary: &Vocabulary) -> Vec<&'r str> {
    let mut forms = vec![reference];
    let unclosed = reference.trim_end().strip_suffix(')');
    // What stands apart is an aside; `Na^(+)` is one word.
    let aside = unclosed.and_then(|inner| inner.find(" (")).filter(|at| !reference[..*at].trim().is_empty());
    if let Some(at) = aside {
        forms.push(reference[..at].trim_end());
    }
    let sides: Vec<&str> = forms.iter().flat_map(|form| sides(form, vocabulary)).collect();
    if sides.len() > forms.len() {
        forms.extend(sides.into_iter().filter(|side| !side.is_empty()));
    }
    forms
}

/// The sides of "this or that".
fn sides<'t>(text: &'t str, vocabulary: &Vocabulary) -> Vec<&'t str> {
    let (mut sides, mut from, mut at) = (Vec::new(), 0, 0);
    for word in text.split_inclusive(' ') {
        let end = at + word.len();
        if at > 0 && end < text.len() && vocabulary.is_alternative(&word.trim().to_lowercase()) {
            sides.push(text[from..at].trim());
            from = end;
        }
        at = end;
    }
    sides.push(text[from..].trim());
    sides
}

/// Whether an answer is the name that a reference is, of two words or more, with a title, a first name or the like:
/// "Admiral Graf Spee". A number makes another name of it, as in "World War II".
fn names_more(reference: &str, answer: &str, task: &Task) -> bool {
    let (language, vocabulary) = (task.language.as_str(), task.words);
    let capitalised = |text: &str| -> Vec<String> {
        let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
        text.split_whitespace().filter(is_name).flat_map(|word| folding::words(word, language)).collect()
    };
    let (wanted, given) = (folding::words(reference, language), folding::words(answer, language));
    let wanted = bare(&wanted, vocabulary);
    if wanted.len() < 2 || capitalised(reference) != wanted || answer.contains([',', ';', '\n', '/', '?']) {
        return false;
    }
    let mut named = capitalised(answer).into_iter();
    if !wanted.iter().all(|word| named.any(|one| one == *word)) || given.len() > wanted.len() + MOST_TITLES {
        return false;
    }
    !given.iter().filter(|word| !wanted.contains(word)).any(|word| makes_another(word, vocabulary))
}

/// Whether a word more makes something else of what the others say: a negation, an alternative, a number, a sign.
fn makes_another(word: &str, vocabulary: &Vocabulary) -> bool {
    let is_roman = || word.chars().all(|letter| matches!(letter, 'i' | 'v' | 'x'));
    vocabulary.is_negator(word)
        || vocabulary.is_alternative(word)
        || vocabulary.is_conjunction(word)
        || !word.contains(char::is_alphabetic)
        || word.contains(|one: char| one.is_ascii_digit())
        || is_roman()
}

/// Without the preposition at the beginning, where the other text has none: "at night" and "night", but not "in" and "on".
fn placed<'w>(words: &'w [String], vocabulary: &Vocabulary) -> &'w [String] {
    match words {
        [first, rest @ ..] if !rest.is_empty() && vocabulary.is_preposition(first) => rest,
        words => words,
    }
}

/// Without what says at the beginning that it is no exact number, and without an article after it.
fn bare<'w>(words: &'w [String], vocabulary: &Vocabulary) -> &'w [String] {
    let without = |words: &'w [String], is_left_out: &dyn Fn(&str) -> bool| match words {
        [first, rest @ ..] if !rest.is_empty() && is_left_out(first) => rest,
        words => words,
    };
    let words = without(words, &|word| vocabulary.is_hedge(word));
    without(words, &|word| vocabulary.is_article(word))
}

/// Yes and no, true and false, with a negation. A letter says it where the question asks for truth, or where it stands alone beside
/// a word: `F` and `false`.
fn truth(wanted: &[String], given: &[String], task: &Task) -> Option<Words> {
    let vocabulary = task.words;
    let (word, is_denied) = match wanted {
        [word] => (word, false),
        [negator, word] if vocabulary.is_negator(negator) => (word, true),
        _ => return None,
    };
    let is_letter = |word: &str| word.len() == 1 && word.is_ascii();
    let other_is_word = matches!(given, [only] if !is_letter(only) && vocabulary.truth(only).is_some());
    let wanted = vocabulary.truth(word).filter(|_| !is_letter(word) || task.asks_for_truth || other_is_word)?;
    let wanted = wanted != is_denied;
    let mut said = None;
    let mut is_negated = false;
    for (at, word) in given.iter().enumerate() {
        let polarity = vocabulary.truth(word).filter(|_| given.len() == 1 || !is_letter(word));
        // "no" at the beginning is an answer, elsewhere a negation.
        let negates = vocabulary.is_negator(word) && (polarity.is_none() || at > 0);
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

/// The words, those of scripts without spaces character by character; of Thai word by word.
fn spread(words: &[String]) -> Vec<String> {
    let each = |word: &String| -> Vec<String> {
        if word.starts_with(is_thai) {
            segments::words(word).into_iter().map(|(_, word)| word.to_owned()).collect()
        } else if word.starts_with(is_unspaced) {
            word.chars().map(String::from).collect()
        } else {
            vec![word.clone()]
        }
    };
    words.iter().flat_map(each).collect()
}

/// The words of a clause, in which a reference of one Thai word stands by itself: a dictionary that doesn't know the word would divide it
/// together with its neighbours.
fn spread_around(wanted: &[String], words: &[String]) -> Vec<String> {
    let [wanted] = wanted else { return spread(words) };
    if !wanted.starts_with(is_thai) {
        return spread(words);
    }
    let parted = words.iter().flat_map(|word| {
        let (mut parts, mut from) = (Vec::new(), 0);
        for (at, found) in word.match_indices(wanted.as_str()) {
            parts.extend([word[from..at].to_owned(), found.to_owned()]);
            from = at + found.len();
        }
        parts.push(word[from..].to_owned());
        parts
    });
    spread(&parted.filter(|part| !part.is_empty()).collect::<Vec<_>>())
}

/// The reference within a sentence that says nothing else.
fn in_sentence(wanted: &[String], answer: &str, task: &Task) -> Words {
    let vocabulary = task.words;
    let whole = bare(wanted, vocabulary);
    let wanted = spread(whole);
    let asked = spread(&task.asked);
    let is_negative = wanted.iter().any(|word| vocabulary.is_negator(word));
    let mut verdict = Words::Different;
    let (mut is_said, mut was_other) = (false, false);
    for clause in answer.split(['.', '!', '?', ';', '\n', ',', ':']) {
        let words = spread_around(whole, &folding::words(clause, &task.language));
        for part in words.split(|word| vocabulary.is_correction(word)) {
            let place = part.windows(wanted.len()).position(|window| window == wanted);
            let negates = !is_negative && part.iter().any(|word| vocabulary.is_negator(word));
            let Some(place) = place else {
                let says_more = part.iter().any(|word| !vocabulary.is_function_word(word) && !asked.contains(word));
                let is_reason = part.first().is_some_and(|first| vocabulary.is_reason(first));
                was_other |= says_more && !negates && !is_reason;
                continue;
            };
            if negates {
                verdict = Words::Negated;
            } else if stands_alone(part, place, &wanted, &asked, vocabulary) {
                is_said = true;
            } else {
                was_other = true;
            }
        }
    }
    let given = || spread_around(whole, &folding::words(answer, &task.language));
    let has = || given().windows(wanted.len()).any(|window| window == wanted);
    if is_said && !was_other {
        Words::Same(IN_SENTENCE)
    } else if is_said || was_other && verdict == Words::Different && has() {
        Words::Several
    } else {
        verdict
    }
}

/// Whether a clause says the reference and otherwise only what was asked.
fn stands_alone(words: &[String], place: usize, wanted: &[String], asked: &[String], vocabulary: &Vocabulary) -> bool {
    let end = place + wanted.len();
    let reason = words[end..].iter().position(|word| vocabulary.is_reason(word) && word.chars().count() > 2);
    let upto = reason.map_or(words.len(), |at| end + at);
    let others = || words[..place].iter().chain(&words[end..upto]);
    if others().any(|word| vocabulary.is_alternative(word)) {
        return false;
    }
    if others().any(|word| !vocabulary.is_function_word(word) && !asked.contains(word)) {
        return false;
    }
    let says_asked = others().any(|word| asked.contains(word) && !vocabulary.is_function_word(word));
    let links =
        |word: &String| vocabulary.is_copula(word) || vocabulary.is_function_word(word) || vocabulary.marks_topic(word);
    let has_verb = others().any(links);
    if says_asked && !has_verb {
        return false;
    }
    // Where the question names the reference itself, its place in the sentence decides: it must be what is spoken of.
    let is_offered = asked.windows(wanted.len()).any(|window| window == wanted);
    let is_first = words[..place].iter().all(|word| vocabulary.is_function_word(word));
    !is_offered || is_first
}
