//! Lists of words: items in any order, unless the question asks for one.

use std::collections::HashSet;

use super::{MOST_ITEMS, SURE, Vocabulary, Words, bare};
use crate::exact::folding;
use crate::exact::task::Task;

const LIST_MARKS: [char; 4] = [',', ';', '\n', '、'];

/// The items of a list, folded.
pub(super) fn items(text: &str, language: &str, vocabulary: &Vocabulary, words: usize) -> Vec<Vec<String>> {
    if !text.contains(LIST_MARKS) || words > 400 {
        return Vec::new();
    }
    let mut items = Vec::new();
    for part in text.split(LIST_MARKS) {
        let mut item = Vec::new();
        for word in folding::words(part, language) {
            if vocabulary.is_conjunction(&word) {
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

/// The text with commas for conjunctions that are written in one word with what they join.
pub(super) fn with_commas(text: &str, wanted: &[Vec<String>], language: &str) -> String {
    let attached: &[&str] = match language {
        "zh" => &["以及", "和", "与", "及"],
        "ja" => &["と", "や"],
        "ko" => &["과 ", "와 "],
        "th" => &["และ"],
        "ar" => &[" و"],
        _ => return text.to_owned(),
    };
    let is_own = |conjunction: &str| {
        wanted.iter().flatten().any(|word| match language {
            "ar" => word.starts_with(conjunction.trim()),
            "ko" => word.ends_with(conjunction.trim()),
            _ => word.contains(conjunction),
        })
    };
    attached.iter().filter(|one| !is_own(one)).fold(text.to_owned(), |text, one| text.replace(one, ", "))
}

/// Right items against all that were asked for and all that were said.
pub(super) fn list(wanted: &[Vec<String>], answer: &str, given: &[String], task: &Task) -> Words {
    let (language, vocabulary, asked) = (task.language.as_str(), task.words, &task.asked);
    if given.iter().any(|word| vocabulary.is_negator(word))
        && !wanted.concat().iter().any(|word| vocabulary.is_negator(word))
    {
        return Words::Negated;
    }
    if given.iter().any(|word| vocabulary.is_alternative(word)) {
        return Words::Several;
    }
    let answer = with_commas(answer, wanted, vocabulary.tag);
    let said = items(&answer, language, vocabulary, given.len());
    let asked: HashSet<&String> = asked.iter().collect();
    let content = |words: &[String]| -> Vec<String> {
        let kept = words.iter().filter(|word| !vocabulary.is_function_word(word) && !asked.contains(word));
        kept.cloned().collect()
    };
    let mut is_found = vec![false; wanted.len()];
    let mut found_in_order = Vec::new();
    let mut others = 0;
    if said.len() > 1 {
        for item in &said {
            let own = content(item);
            let fits = |one: &Vec<String>| {
                bare(one, vocabulary) == bare(item, vocabulary) || !own.is_empty() && content(one) == own
            };
            match wanted.iter().position(fits) {
                Some(at) => {
                    is_found[at] = true;
                    found_in_order.push(at);
                }
                None if own.is_empty() && !item.is_empty() && said.len() > wanted.len() => {}
                None => others += 1,
            }
        }
    } else {
        let mut covered = vec![false; given.len()];
        for (at, item) in wanted.iter().enumerate() {
            let item = bare(item, vocabulary);
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
        let is_shuffled = task.forms.is_ordered && !found_in_order.is_sorted();
        return if is_shuffled { Words::Shuffled } else { Words::Same(SURE) };
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
pub(super) fn pair(words: &[String], vocabulary: &Vocabulary) -> Option<(Vec<String>, Vec<String>)> {
    let at = words.iter().position(|word| vocabulary.is_conjunction(word))?;
    let (left, right) = (&words[..at], &words[at + 1..]);
    (!left.is_empty() && !right.is_empty()).then(|| (left.to_vec(), right.to_vec()))
}

pub(super) fn in_other_order(wanted: &(Vec<String>, Vec<String>), given: &[String], vocabulary: &Vocabulary) -> bool {
    let same = |one: &[String], other: &[String]| bare(one, vocabulary) == bare(other, vocabulary);
    pair(given, vocabulary).is_some_and(|(left, right)| same(&left, &wanted.1) && same(&right, &wanted.0))
}
