//! Words that say how others are meant: that something is or becomes more or less, what it is compared with, that it is not so.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use language::script::is_unspaced;

use super::words::{Word, fold};

/// How a word changes the sense of the words beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// Something is or becomes more.
    More,
    /// Something is or becomes less.
    Less,
    /// The other side of a comparison follows.
    Than,
    /// The words beside it are denied.
    Denial,
}

/// The words of a language that have a sense, folded.
#[derive(Default)]
struct Senses {
    whole: HashMap<String, Sense>,
    /// Beginnings of words by their first letter, the longest first.
    beginnings: HashMap<char, Vec<(String, Sense)>>,
}

static SENSES: LazyLock<HashMap<&'static str, Senses>> =
    LazyLock::new(|| language::taught().map(|(tag, teaching)| (tag, Senses::of(tag, &teaching.answers))).collect());

impl Senses {
    fn of(tag: &str, answers: &language::Answers) -> Self {
        let lists = [
            (answers.more, Sense::More),
            (answers.less, Sense::Less),
            (answers.than, Sense::Than),
            (answers.negations, Sense::Denial),
        ];
        let mut senses = Self::default();
        for (list, sense) in lists {
            list.split(' ').for_each(|word| senses.add(tag, word, sense));
        }
        senses.beginnings.values_mut().for_each(|known| known.sort_by_key(|(beginning, _)| Reverse(beginning.len())));
        senses
    }

    fn add(&mut self, tag: &str, word: &str, sense: Sense) {
        let (is_beginning, word) = word.strip_suffix('*').map_or((false, word), |beginning| (true, beginning));
        // Signs of writing without spaces are words, which are not folded.
        let is_unspaced = word.contains(is_unspaced);
        let folded = if is_unspaced { word.to_owned() } else { fold(word, tag) };
        let Some(first) = folded.chars().next() else { return };
        if is_beginning || is_unspaced {
            self.beginnings.entry(first).or_default().push((folded, sense));
        } else {
            self.whole.insert(folded, sense);
        }
    }

    fn beginning(&self, text: &str) -> Option<(&str, Sense)> {
        let known = self.beginnings.get(&text.chars().next()?)?;
        known.iter().find(|(beginning, _)| text.starts_with(beginning)).map(|(said, sense)| (said.as_str(), *sense))
    }
}

/// The sense of a folded word.
pub(super) fn of(tag: &str, folded: &str) -> Option<Sense> {
    let senses = SENSES.get(tag)?;
    senses.whole.get(folded).copied().or_else(|| senses.beginning(folded).map(|(_, sense)| sense))
}

/// Finds the senses in writing without spaces, whose words are its characters.
pub(super) fn mark_unspaced(tag: &str, text: &str, words: &mut [Word]) {
    let Some(senses) = SENSES.get(tag) else { return };
    let mut read_to = 0;
    for word in words.iter_mut().filter(|word| word.folded.starts_with(is_unspaced)) {
        // The signs of a longer word have no sense of their own: "少なく" denies nothing.
        if word.start >= read_to
            && let Some((said, sense)) = senses.beginning(&text[word.start..])
        {
            word.sense = Some(sense);
            read_to = word.start + said.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::Reader;
    use super::*;

    fn senses(tag: &str, text: &str) -> Vec<Sense> {
        Reader::new(tag).words(text, 100).into_iter().filter_map(|word| word.sense).collect()
    }

    #[test]
    fn senses_are_found_with_and_without_spaces() {
        assert_eq!(
            senses("en", "It does not rise, it's lower than before."),
            [Sense::Denial, Sense::More, Sense::Less, Sense::Than]
        );
        assert_eq!(senses("fr", "Il n'augmente pas"), [Sense::More, Sense::Denial]);
        assert_eq!(senses("ja", "少なくなる。高くない。"), [Sense::Less, Sense::More, Sense::Denial]);
        assert_eq!(senses("zh", "不是减少"), [Sense::Denial, Sense::Less]);
        assert_eq!(senses("ko", "늘지 않는다"), [Sense::Denial]);
        assert_eq!(senses("th", "ราคาไม่ลดลง แต่เพิ่มขึ้นมากกว่าเดิม"), [Sense::Denial, Sense::Less, Sense::More, Sense::More]);
        assert_eq!(senses("xx", "not more"), []);
    }
}
