//! Questions with lettered options: which letters an answer chooses, by letter or by the option's text.

use super::folding;
use super::task::Task;
use super::vocabulary::Words;

/// An option of the question.
struct Choice {
    letter: char,
    words: Vec<String>,
}

const MOST_CHOICES: usize = 12;

/// Whether an answer chooses what the reference chooses; `None` where this is no choice of letters.
pub(super) fn compare(reference: &str, answer: &str, task: &Task) -> Option<bool> {
    let language = task.language.as_str();
    let choices = choices(&task.question, language);
    let says_truth = || matches!(folding::words(answer, language).as_slice(), [only] if only.len() > 1 && task.words.truth(only).is_some());
    if choices.is_empty() && (task.asks_for_truth || says_truth()) {
        return None;
    }
    let of_reference = folding::words(reference, language);
    let wanted = chosen(&choices, reference, task);
    let is_choice = choices.len() >= 2 && !wanted.is_empty() || is_letter_alone(reference);
    if !is_choice || wanted.is_empty() {
        return None;
    }
    let is_letters = of_reference.iter().all(|word| word.chars().count() == 1);
    if choices.is_empty() && !is_letters {
        return None;
    }
    let mut given = chosen(&choices, answer, task);
    given.sort_unstable();
    given.dedup();
    let mut wanted = wanted;
    wanted.sort_unstable();
    wanted.dedup();
    Some(given == wanted)
}

/// `B`, `(b)`, `B.`
fn is_letter_alone(text: &str) -> bool {
    let bare = text.trim().trim_matches(['(', ')', '[', ']', '.', ':', '"', '\'', '*', ' ']);
    bare.len() == 1 && bare.starts_with(|one: char| matches!(one, 'a'..='h' | 'A'..='H'))
}

/// The options that a question lists: letters in order from A, each with `)`, `.` or `:` behind it.
fn choices(question: &str, language: &str) -> Vec<Choice> {
    let mut found: Vec<(usize, usize, char)> = Vec::new();
    let mut previous = ' ';
    for (at, character) in question.char_indices() {
        let next = u8::try_from(found.len()).ok().map(|count| char::from(b'A' + count));
        let after = question[at + character.len_utf8()..].chars().next();
        let is_marked = matches!(after, Some(')' | '.' | ':')) && !previous.is_alphanumeric();
        if next == Some(character.to_ascii_uppercase()) && is_marked && found.len() < MOST_CHOICES {
            let start = if previous == '(' { at - 1 } else { at };
            found.push((start, at + character.len_utf8() + 1, character.to_ascii_uppercase()));
        }
        previous = character;
    }
    let ends = found.iter().skip(1).map(|(start, ..)| *start).chain([question.len()]);
    let choices: Vec<Choice> = found
        .iter()
        .zip(ends)
        .filter_map(|((_, from, letter), to)| {
            let words = folding::words(question.get(*from..to)?, language);
            Some(Choice { letter: *letter, words })
        })
        .collect();
    if choices.len() < 2 { Vec::new() } else { choices }
}

/// The letters that a text chooses and doesn't take back.
fn chosen(choices: &[Choice], text: &str, task: &Task) -> Vec<char> {
    let mut letters = Vec::new();
    for clause in clauses(text, task) {
        letters_in(clause, choices, task.words, &mut letters);
        let words = folding::words(clause, &task.language);
        let mut named: Vec<Named> = Vec::new();
        for choice in choices.iter().filter(|choice| !choice.words.is_empty() && choice.words.len() <= words.len()) {
            for (at, window) in words.windows(choice.words.len()).enumerate() {
                if window == choice.words {
                    named.push(Named { from: at, to: at + choice.words.len(), letter: choice.letter });
                }
            }
        }
        letters.extend(outermost(named));
    }
    letters
}

/// An option's words in a clause: from one word to before another.
struct Named {
    from: usize,
    to: usize,
    letter: char,
}

/// The options that are named; one within a longer one isn't meant.
fn outermost(mut named: Vec<Named>) -> Vec<char> {
    named.sort_by_key(|one| (one.from, std::cmp::Reverse(one.to)));
    let mut widest: Option<(usize, usize)> = None;
    let is_meant = |one: &Named| match widest {
        Some((from, to)) if one.to <= to => (one.from, one.to) == (from, to),
        _ => {
            widest = Some((one.from, one.to));
            true
        }
    };
    named.into_iter().filter(is_meant).map(|one| one.letter).collect()
}

/// The clauses of a text that don't negate.
fn clauses<'t>(text: &'t str, task: &Task) -> Vec<&'t str> {
    let mut at = 0;
    let turn = text.split_inclusive(' ').find_map(|word| {
        let from = at;
        at += word.len();
        (from > 0 && task.words.is_correction(&word.trim().to_lowercase())).then_some((from, at))
    });
    let (first, second) = turn.map_or((text, ""), |(end, from)| (&text[..end], &text[from..]));
    let is_affirmed =
        |clause: &&str| !folding::words(clause, &task.language).iter().any(|word| task.words.is_negator(word));
    [first, second].into_iter().flat_map(|half| half.split([';', '!', '\n'])).filter(is_affirmed).collect()
}

/// Letters that stand for options: alone, marked, or behind a word such as "option". "A cell" chooses nothing.
fn letters_in(clause: &str, choices: &[Choice], vocabulary: &Words, letters: &mut Vec<char>) {
    let known = |letter: char| match choices {
        [] => matches!(letter, 'A'..='H'),
        choices => choices.iter().any(|choice| choice.letter == letter),
    };
    let tokens: Vec<&str> = clause.split_whitespace().collect();
    for (at, token) in tokens.iter().enumerate() {
        let parts: Vec<&str> = token.split([',', '/', '&', '+']).filter(|part| !part.is_empty()).collect();
        for (place, part) in parts.iter().enumerate() {
            let bare = part.trim_matches(['(', ')', '[', ']', '.', ':', '"', '\'', '*', '?']);
            let Some(letter) = bare.chars().next().filter(|_| bare.len() == 1).map(|one| one.to_ascii_uppercase())
            else {
                continue;
            };
            let is_marked = *part != bare || parts.len() > 1 || token.ends_with(',');
            let is_last = at + 1 == tokens.len() && place + 1 == parts.len();
            let next = tokens.get(at + 1).map(|next| next.to_lowercase());
            let joins = |word: &str| {
                vocabulary.is_alternative(word)
                    || vocabulary.is_conjunction(word)
                    || vocabulary.is_copula(word)
                    || word == "&"
            };
            let before = at.checked_sub(1).map(|before| tokens[before].to_lowercase());
            let is_named = before.as_deref().is_some_and(|word| vocabulary.is_choice_word(word.trim_end_matches(':')));
            let is_capital = bare.starts_with(|one: char| one.is_ascii_uppercase());
            if known(letter)
                && (is_marked
                    || is_last && (is_capital || tokens.len() <= 2)
                    || is_named
                    || next.is_some_and(|word| joins(&word) && is_capital))
            {
                letters.push(letter);
            }
        }
    }
}
