//! Says what a learner's answers on a page are worth: choices by the set of options, blanks by the exact grader.
//!
//! An open answer is worth what a grader said of it before ([`OpenGrades`]); without a grade it is ungraded, never wrong. Nothing is
//! stored. Where to read next: [`crate::pages::questions`], which shows the verdicts, and [`crate::routes`], which has open answers
//! graded.

mod blanks;
mod score;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use score::{Outcome, Passing, Score};

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

    /// Whether code can tell right from wrong.
    pub(crate) fn is_graded(self) -> bool {
        matches!(self, Self::Select | Self::TrueFalse | Self::Blank)
    }
}

/// What an answer is worth, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// As the key has it.
    Right,
    /// Some of it is as the key has it.
    Partly,
    /// Something else.
    Wrong,
    /// An open answer that has points.
    Graded,
    /// Nothing was chosen or written.
    Unanswered,
    /// A person has to judge it.
    Ungraded,
}

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    pub(crate) verdict: Verdict,
    /// The share of the points, from 0 to 1; `None` where nobody gave any.
    pub(crate) share: Option<f64>,
    /// The share is an estimate: a person should look.
    pub(crate) is_estimate: bool,
    /// What the grader says to the learner.
    pub(crate) comments: Vec<String>,
}

impl Mark {
    fn new(verdict: Verdict, share: Option<f64>) -> Self {
        Self { verdict, share, is_estimate: false, comments: Vec::new() }
    }

    /// All of the points, some or none.
    pub(crate) fn of_share(share: f64) -> Self {
        let verdict = match share {
            share if share >= 1.0 => Verdict::Right,
            share if share > 0.0 => Verdict::Partly,
            _ => Verdict::Wrong,
        };
        Self::new(verdict, Some(share.clamp(0.0, 1.0)))
    }

    fn unanswered() -> Self {
        Self::new(Verdict::Unanswered, Some(0.0))
    }

    fn ungraded() -> Self {
        Self::new(Verdict::Ungraded, None)
    }
}

/// An item as far as its answers are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) kind: ItemKind,
    pub(crate) question: &'a str,
    /// The language of the item.
    pub(crate) language: &'a str,
    pub(crate) key: &'a [String],
}

/// Judges the answer to one item. `given` are the texts of chosen options, or one written text.
pub(crate) fn grade<T: AsRef<str>>(asked: &Asked<'_>, given: &[T]) -> Mark {
    if asked.kind == ItemKind::Submission {
        return Mark::ungraded();
    }
    if given.iter().all(|text| text.as_ref().trim().is_empty()) {
        return Mark::unanswered();
    }
    match (asked.kind, given.first()) {
        (ItemKind::Select | ItemKind::TrueFalse, _) => {
            Mark::of_share(if chosen(given) == chosen(asked.key) { 1.0 } else { 0.0 })
        }
        (ItemKind::Blank, Some(text)) => blanks::compare(asked.question, asked.language, asked.key, text.as_ref()),
        _ => Mark::ungraded(),
    }
}

/// Options as a set. Only their white space may differ: a form's line ends are not those of the stored text.
pub(crate) fn chosen<T: AsRef<str>>(options: &[T]) -> BTreeSet<String> {
    options.iter().map(|option| spaced(option.as_ref())).collect()
}

/// One space where there is any white space, none at the ends.
pub(crate) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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

/// A form whose answers are checked: all of them, or those to one item.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnswerForm {
    pub(crate) answers: Answers,
    /// The item whose own button was pressed.
    pub(crate) checked: Option<String>,
    /// The page's script asks for that item alone.
    pub(crate) wants_item: bool,
    /// What graders said of open answers.
    pub(crate) grades: OpenGrades,
}

impl AnswerForm {
    /// The name of an item's own button.
    const CHECK_FIELD: &'static str = "check";
    /// The field, with its value, by which a script asks for the checked item alone.
    const PART: (&'static str, &'static str) = ("part", "item");

    /// Reads the fields of a form.
    pub(crate) fn from_fields(fields: Vec<(String, String)>) -> Self {
        let value_of = |wanted: &str| fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        Self {
            checked: value_of(Self::CHECK_FIELD),
            wants_item: value_of(Self::PART.0).is_some_and(|value| value == Self::PART.1),
            answers: Answers::from_fields(fields),
            grades: OpenGrades::default(),
        }
    }

    /// The item that is checked alone, by its id; `None` where all are. An id that no item has checks all.
    pub(crate) fn checked_of<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        let checked = self.checked.as_deref()?;
        ids.into_iter().find(|id| *id == checked)
    }
}

/// What a grader said of an open answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OpenGrade {
    /// The share of the points, from 0 to 1.
    pub(crate) share: f64,
    pub(crate) needs_review: bool,
    /// In the language of the item.
    pub(crate) feedback: String,
}

impl OpenGrade {
    /// The mark of the answer.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            verdict: Verdict::Graded,
            share: Some(self.share.clamp(0.0, 1.0)),
            is_estimate: self.needs_review,
            comments: vec![self.feedback.clone()],
        }
    }
}

/// The grades of open answers, by the items' fingerprints: a grade belongs to the question that was asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OpenGrades(pub(crate) BTreeMap<String, OpenGrade>);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn mark(kind: ItemKind, key: &[String], given: &[String]) -> Mark {
        grade(&Asked { kind, question: "Which?", language: "en", key }, given)
    }

    fn verdict(kind: ItemKind, key: &[&str], given: &[&str]) -> Verdict {
        mark(kind, &texts(key), &texts(given)).verdict
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
    fn nothing_is_unanswered_and_free_answers_are_ungraded() {
        assert_eq!(verdict(ItemKind::Select, &["a"], &[]), Verdict::Unanswered);
        assert_eq!(verdict(ItemKind::Blank, &["a"], &[" \u{a0}"]), Verdict::Unanswered);
        for kind in ["open-ended", "hologram"] {
            assert_eq!(verdict(ItemKind::of(kind), &["a"], &["a"]), Verdict::Ungraded, "{kind}");
            assert_eq!(verdict(ItemKind::of(kind), &["a"], &[" "]), Verdict::Unanswered, "{kind}");
        }
        assert_eq!(verdict(ItemKind::Submission, &["a"], &[]), Verdict::Ungraded, "it is handed in elsewhere");
    }

    #[test]
    fn a_mebibyte_takes_linear_time() {
        let dots = |bytes: usize| texts(&[&format!("i{}", "\u{307}".repeat(bytes / 2))]);
        let key = texts(&["izmir"]);
        testkit::assert_linear("dots", 1 << 15, dots, |text| drop(mark(ItemKind::Blank, &key, text)));
    }

    #[test]
    fn answers_are_read_from_the_fields_that_are_theirs() {
        let fields = [("answer-q1", "a"), ("answer-q1", "b"), ("other", "x"), ("answer-", "y")];
        let answers = Answers::from_fields(fields.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(answers.to("q1"), ["a", "b"]);
        assert!(answers.to("q2").is_empty());
    }

    #[test]
    fn a_form_names_the_item_that_is_checked_alone() {
        let form = |fields: &[(&str, &str)]| {
            AnswerForm::from_fields(fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
        };
        let one = form(&[("answer-q1", "a"), ("check", "q1"), ("part", "item")]);
        assert_eq!((one.checked_of(["q0", "q1"].into_iter()), one.wants_item), (Some("q1"), true));
        assert_eq!(one.checked_of(["q0"].into_iter()), None, "an unknown item");
        let all = form(&[("answer-q1", "a"), ("part", "page")]);
        assert_eq!((all.checked_of(["q1"].into_iter()), all.wants_item), (None, false));
    }

    proptest! {
        #[test]
        fn a_key_is_right_as_it_is_written(text in "\\PC{0,12}") {
            let given = [format!("  {text} ")];
            let expected = if text.trim().is_empty() { Verdict::Unanswered } else { Verdict::Right };
            prop_assert_eq!(mark(ItemKind::Blank, std::slice::from_ref(&text), &given).verdict, expected);
        }

        #[test]
        fn the_order_of_choices_means_nothing(key in prop::collection::vec("[a-c]", 1..4), seed in any::<prop::sample::Index>()) {
            let mut given = key.clone();
            given.rotate_left(seed.index(key.len()));
            prop_assert_eq!(mark(ItemKind::Select, &key, &given).verdict, Verdict::Right);
        }
    }
}
