//! Grades what a learner answered on a page: choices and blanks, by code alone.
//!
//! Answers that only a person can judge are never given points here, and never called wrong. Nothing is stored.
//! Where to read next: [`crate::pages::questions`], which shows the verdicts.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization as _;

/// How an item is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// By choosing one or several options.
    Select,
    /// By choosing one of two.
    TrueFalse,
    /// By filling in a text.
    Blank,
    /// By writing freely.
    OpenEnded,
    /// By handing in work.
    Submission,
}

impl ItemKind {
    /// The kind by its name on the wire; an unknown one is answered freely, so that nobody is graded by a guess.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "select" => Self::Select,
            "true-false" => Self::TrueFalse,
            "blank" => Self::Blank,
            "submission" => Self::Submission,
            _ => Self::OpenEnded,
        }
    }

    /// Whether this program can tell right from wrong.
    pub(crate) fn is_graded(self) -> bool {
        matches!(self, Self::Select | Self::TrueFalse | Self::Blank)
    }
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// As the key has it.
    Right,
    /// Something else.
    Wrong,
    /// Nothing was chosen or written.
    Unanswered,
    /// A person has to judge it.
    Ungraded,
}

/// Judges the answer to one item. `given` are the texts of chosen options, or one written text.
pub(crate) fn grade<T: AsRef<str>>(kind: ItemKind, key: &[String], given: &[T]) -> Verdict {
    if !kind.is_graded() {
        return Verdict::Ungraded;
    }
    if given.iter().all(|text| text.as_ref().trim().is_empty()) {
        return Verdict::Unanswered;
    }
    let is_right = match kind {
        ItemKind::Blank => given.first().is_some_and(|text| {
            let text = normal(text.as_ref());
            key.iter().any(|right| normal(right) == text)
        }),
        _ => chosen(given) == chosen(key),
    };
    if is_right { Verdict::Right } else { Verdict::Wrong }
}

/// Options as a set. Only their white space may differ: a form's line ends are not those of the stored text.
pub(crate) fn chosen<T: AsRef<str>>(options: &[T]) -> BTreeSet<String> {
    options.iter().map(|option| spaced(option.as_ref())).collect()
}

/// One space where there is any white space, none at the ends.
pub(crate) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The form in which two texts that say the same are equal: compatible characters are one (but 10³ is not 103),
/// case, white space, kinds of dashes and apostrophes, and punctuation at the ends don't matter.
pub(crate) fn normal(text: &str) -> String {
    let raised: String = text.chars().map(plain).map(unraised).collect();
    let mut folded: String = raised.nfkc().flat_map(char::to_lowercase).map(plain).nfkc().collect();
    // Lower case of a dotted capital I is an i with one dot more.
    let mut is_on_i = false;
    folded.retain(|character| {
        let is_dot = is_on_i && character == '\u{307}';
        is_on_i = is_dot || character == 'i';
        !is_dot
    });
    let folded = spaced(&folded);
    let trimmed = folded.trim_matches(is_outer);
    if trimmed.is_empty() { folded } else { trimmed.to_owned() }
}

/// An exponent stays one: it is marked before compatibility would make it a digit of the number.
fn unraised(character: char) -> String {
    match character {
        '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁺' | '⁻' | 'ⁿ' => {
            format!("^{}", character.nfkc().next().unwrap_or(character))
        }
        other => other.into(),
    }
}

fn plain(character: char) -> char {
    match character {
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '’' | '‘' | 'ʼ' | '`' | '´' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        other => other,
    }
}

fn is_outer(character: char) -> bool {
    let is_meaningful =
        matches!(character, '+' | '-' | '%' | '#' | '$' | '*' | '=' | '<' | '>' | '/' | '^' | '|' | '~' | '&' | '@');
    let is_foreign =
        matches!(character, '。' | '、' | '「' | '」' | '『' | '』' | '،' | '؟' | '؛' | '।' | '…' | '¿' | '¡');
    character.is_whitespace() || is_foreign || (character.is_ascii_punctuation() && !is_meaningful)
}

/// What a learner sent, by the items' ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers(BTreeMap<String, Vec<String>>);

impl Answers {
    /// Begins the names of the form's fields.
    pub(crate) const FIELD_PREFIX: &'static str = "answer-";

    /// Reads the fields of a form; what is not an answer is left out.
    pub(crate) fn from_fields(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut answers = BTreeMap::<String, Vec<String>>::new();
        for (name, value) in fields {
            if let Some(id) = name.strip_prefix(Self::FIELD_PREFIX) {
                answers.entry(id.to_owned()).or_default().push(value);
            }
        }
        Self(answers)
    }

    /// The answers to some items only.
    pub(crate) fn only_to(mut self, is_wanted: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|item, _| is_wanted(item));
        self
    }

    /// What was answered to an item.
    pub(crate) fn to(&self, item: &str) -> &[String] {
        self.0.get(item).map_or(&[], Vec::as_slice)
    }
}

/// The points of a whole test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Score {
    /// Points for right answers.
    pub(crate) earned: f64,
    /// Points of the items that are graded here.
    pub(crate) gradable: f64,
    /// Points of the items that a person has to grade.
    pub(crate) open: f64,
}

/// What it takes to pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Passing {
    /// A share of all points, in percent.
    Percentage(f64),
    /// So many points.
    Points(f64),
}

impl Passing {
    /// The points that it takes, of so many in all.
    pub(crate) fn points(self, total: f64) -> f64 {
        match self {
            Self::Percentage(percent) => total * percent / 100.0,
            Self::Points(points) => points,
        }
    }
}

/// Whether a test is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Whatever the open points bring.
    Passed,
    /// Whatever the open points bring.
    NotPassed,
    /// It depends on points that a person gives.
    Undecided,
}

/// Sums of scores differ from what a person would sum in their last bits.
const ROUNDING: f64 = 1e-9;

impl Score {
    /// Counts an item.
    pub(crate) fn add(&mut self, points: f64, verdict: Verdict) {
        match verdict {
            Verdict::Ungraded => self.open += points,
            Verdict::Right => {
                self.earned += points;
                self.gradable += points;
            }
            Verdict::Wrong | Verdict::Unanswered => self.gradable += points,
        }
    }

    /// Earned points as a share of those that could be earned here, 0 to 100; `None` when none could.
    pub(crate) fn percent(&self) -> Option<f64> {
        (self.gradable > 0.0).then(|| 100.0 * self.earned / self.gradable)
    }

    /// Whether that passes; open points may still turn it either way.
    pub(crate) fn outcome(&self, passing: Passing) -> Outcome {
        let total = self.gradable + self.open;
        if total <= 0.0 {
            return Outcome::Undecided;
        }
        let needed = passing.points(total);
        if self.earned + ROUNDING >= needed {
            Outcome::Passed
        } else if self.earned + self.open + ROUNDING < needed {
            Outcome::NotPassed
        } else {
            Outcome::Undecided
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn verdict(kind: ItemKind, key: &[&str], given: &[&str]) -> Verdict {
        grade(kind, &texts(key), &texts(given))
    }

    #[test]
    fn a_choice_is_right_when_exactly_the_key_was_chosen() {
        let of = |given: &[&str]| verdict(ItemKind::Select, &["a", "b"], given);
        assert_eq!(of(&["b", "a"]), Verdict::Right);
        assert_eq!(of(&["a", "a", "b"]), Verdict::Right);
        for wrong in [&["a"][..], &["a", "b", "c"], &["c"], &["A", "b"]] {
            assert_eq!(of(wrong), Verdict::Wrong, "{wrong:?}");
        }
        assert_eq!(verdict(ItemKind::TrueFalse, &["True"], &["True"]), Verdict::Right);
        assert_eq!(verdict(ItemKind::Select, &["one\ntwo"], &["one\r\ntwo"]), Verdict::Right);
    }

    #[test]
    fn a_blank_is_right_in_any_normal_form_of_an_accepted_text() {
        let right = [
            ("Mauer", " mauer. "),
            ("the cell", "The  Cell"),
            ("café", "cafe\u{301}"),
            ("ﬁlm", "film"),
            ("１２", "12"),
            ("don't", "Don’t!"),
            ("1914-1918", "1914–1918"),
            ("İzmir", "izmir"),
            ("10³", "10^3"),
            ("-3", "−3"),
            ("東京", "東京。"),
            ("...", "..."),
        ];
        for (key, given) in right {
            assert_eq!(verdict(ItemKind::Blank, &["other", key], &[given]), Verdict::Right, "{key} {given}");
        }
        let wrong = [("10³", "103"), ("-3", "3"), ("50%", "50"), ("C++", "C"), ("a b", "ab"), ("wall", "walls")];
        for (key, given) in wrong {
            assert_eq!(verdict(ItemKind::Blank, &[key], &[given]), Verdict::Wrong, "{key} {given}");
        }
    }

    #[test]
    fn nothing_is_unanswered_and_free_answers_are_ungraded() {
        assert_eq!(verdict(ItemKind::Select, &["a"], &[]), Verdict::Unanswered);
        assert_eq!(verdict(ItemKind::Blank, &["a"], &[" \u{a0}"]), Verdict::Unanswered);
        for kind in ["open-ended", "submission", "hologram"] {
            assert_eq!(verdict(ItemKind::of(kind), &["a"], &["a"]), Verdict::Ungraded, "{kind}");
        }
    }

    #[test]
    fn a_mebibyte_of_dots_takes_linear_time() {
        let dots = |bytes: usize| format!("i{}", "\u{307}".repeat(bytes / 2));
        assert_eq!(normal(&dots(1 << 20)), "i");
        testkit::assert_linear("dots", 1 << 17, dots, |text| drop(normal(text)));
    }

    #[test]
    fn answers_are_read_from_the_fields_that_are_theirs() {
        let fields = [("answer-q1", "a"), ("answer-q1", "b"), ("other", "x"), ("answer-", "y")];
        let answers = Answers::from_fields(fields.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(answers.to("q1"), ["a", "b"]);
        assert!(answers.to("q2").is_empty());
    }

    #[test]
    fn open_points_leave_it_open_only_while_they_matter() {
        let score = |earned: f64, open: f64| Score { earned, gradable: 10.0, open };
        let half = Passing::Percentage(50.0);
        assert_eq!(score(5.0, 0.0).outcome(half), Outcome::Passed);
        assert_eq!(score(4.9, 0.0).outcome(half), Outcome::NotPassed);
        assert_eq!(score(6.0, 2.0).outcome(half), Outcome::Passed);
        assert_eq!(score(5.0, 2.0).outcome(half), Outcome::Undecided);
        assert_eq!(score(1.0, 2.0).outcome(half), Outcome::NotPassed);
        assert_eq!(score(5.0, 2.0).outcome(Passing::Points(7.0)), Outcome::Undecided);
        assert_eq!(Score::default().outcome(half), Outcome::Undecided);
        let thirds = Score { earned: 0.1 + 0.2, gradable: 0.3, open: 0.0 };
        assert_eq!(thirds.outcome(Passing::Percentage(100.0)), Outcome::Passed);
        assert_eq!(Score { earned: 1.0, gradable: 4.0, open: 5.0 }.percent(), Some(25.0));
        assert_eq!(Score { open: 5.0, ..Score::default() }.percent(), None);
    }

    proptest! {
        #[test]
        fn the_normal_form_is_its_own(text in "\\PC{0,12}") {
            let once = normal(&text);
            prop_assert_eq!(normal(&once), once.clone());
            prop_assert_eq!(grade(ItemKind::Blank, std::slice::from_ref(&text), &[format!("  {text} ")]),
                if text.trim().is_empty() { Verdict::Unanswered } else { Verdict::Right });
        }

        #[test]
        fn the_order_of_choices_means_nothing(key in prop::collection::vec("[a-c]", 1..4), seed in any::<prop::sample::Index>()) {
            let mut given = key.clone();
            given.rotate_left(seed.index(key.len()));
            prop_assert_eq!(grade(ItemKind::Select, &key, &given), Verdict::Right);
        }
    }
}
