//! How hard a test is to be: what its label means for the number and the mix of its items.

use language::Cues;
use unicode_segmentation::UnicodeSegmentation;

use crate::drafts::QuizItemKind;

/// What a label like `EASY` comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::builtin) enum Difficulty {
    Easy,
    Medium,
    Hard,
}

impl Difficulty {
    /// What a label means; one that is not known is in the middle.
    pub(super) fn of(label: &str) -> Self {
        let label: String = label.chars().take(100).flat_map(char::to_lowercase).collect();
        let is_one_of = |stems: fn(&Cues) -> &'static str| {
            language::cues(stems).any(|stem| match stem.chars().all(|character| character.is_ascii_alphanumeric()) {
                true if stem.len() <= 2 => label.unicode_words().any(|word| word == stem),
                true => label.unicode_words().any(|word| word.starts_with(stem)),
                false => label.contains(stem),
            })
        };
        if is_one_of(|cues| cues.hard) {
            Self::Hard
        } else if is_one_of(|cues| cues.easy) {
            Self::Easy
        } else {
            Self::Medium
        }
    }

    /// Items of a test, where the prompt names no number.
    pub(super) fn items(self) -> usize {
        match self {
            Self::Easy => 8,
            Self::Medium => 10,
            Self::Hard => 12,
        }
    }

    /// Of so many items, those that ask for more than a fact.
    pub(super) fn tasks(self, items: usize) -> usize {
        match self {
            Self::Easy => items / 5,
            Self::Medium => items.div_ceil(4),
            Self::Hard => items.div_ceil(2),
        }
    }

    /// Items of a test that has nothing to ask facts from.
    pub(super) fn open_items(self) -> usize {
        match self {
            Self::Easy => 4,
            Self::Medium => 6,
            Self::Hard => 8,
        }
    }

    /// How much of the factual items a type may take, against the others.
    pub(super) fn share(self, kind: QuizItemKind) -> f64 {
        let shares = match self {
            Self::Easy => [5.0, 3.0, 1.5, 0.4, 0.2],
            Self::Medium => [4.5, 2.0, 2.0, 1.0, 1.0],
            Self::Hard => [3.0, 0.8, 3.0, 2.5, 2.0],
        };
        match kind {
            QuizItemKind::Select => shares[0],
            QuizItemKind::TrueFalse => shares[1],
            QuizItemKind::Blank => shares[2],
            QuizItemKind::OpenEnded => shares[3],
            QuizItemKind::Submission => shares[4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Difficulty::{self, Easy, Hard, Medium};

    #[test]
    fn labels_in_any_language_have_a_meaning() {
        for (label, expected) in [
            ("EASY", Easy),
            ("MEDIUM", Medium),
            ("HARD", Hard),
            ("", Medium),
            ("Anfänger (A1)", Easy),
            ("B2", Medium),
            ("C1", Hard),
            ("avancé", Hard),
            ("初级", Easy),
            ("상급 고급", Hard),
            ("grade 7", Medium),
        ] {
            assert_eq!(Difficulty::of(label), expected, "{label}");
        }
    }
}
