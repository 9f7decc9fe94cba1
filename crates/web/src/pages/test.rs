//! A test: all items in one form, and a result page with points, percent and what passes.

use std::collections::BTreeMap;
use std::iter;

use askama::Template;

use super::course::Position;
use super::questions::{Input, Item, Question, Summary};
use super::shell::Shell;
use crate::answers::{AnswerForm, Answers, Outcome, Passing, Score};
use crate::texts::{Texts, fill};

/// A test as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) description: String,
    /// In minutes; 0 for no limit.
    pub(crate) time_limit_minutes: f64,
    pub(crate) passing: Passing,
    pub(crate) items: Vec<Item>,
    /// When it is read as a part of a course.
    pub(crate) position: Option<Position>,
    pub(crate) answer_use: AnswerUse,
}

/// What becomes of the answers.
#[derive(Clone, Debug)]
pub(crate) enum AnswerUse {
    /// They are checked and forgotten.
    Check,
    /// The same, because the reader is no learner of the course.
    Preview,
    /// They are handed in.
    HandIn(AttemptForm),
}

/// A form that is handed in.
#[derive(Clone, Debug)]
pub(crate) struct AttemptForm {
    /// What tells this form from others.
    pub(crate) id: String,
    /// Tries that are left with this one; `None` where they are not counted.
    pub(crate) left: Option<u32>,
    /// What the learner answered before the test was changed; `None` for a test that was not.
    pub(crate) kept: Option<Answers>,
}

/// The form.
#[derive(Template)]
#[template(path = "test.html")]
pub(crate) struct TestPage {
    pub(crate) shell: Shell,
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    /// Time, points, what passes.
    pub(crate) facts: Vec<String>,
    pub(crate) questions: Vec<Question>,
    pub(crate) position: Option<Position>,
    /// Hidden fields: name and value.
    pub(crate) hidden: Vec<(String, String)>,
    /// Why the form is shown again; empty the first time.
    pub(crate) notice: &'static str,
    /// What becomes of the answers, in words.
    pub(crate) note: &'static str,
}

/// What came of it.
#[derive(Template)]
#[template(path = "test_result.html")]
pub(crate) struct TestResultPage {
    pub(crate) shell: Shell,
    pub(crate) kind: &'static str,
    pub(crate) title: String,
    pub(crate) summary: Summary,
    pub(crate) questions: Vec<Question>,
    pub(crate) position: Option<Position>,
}

impl TestPage {
    /// The test, to be taken; with a form, as it was sent, and with the verdict on the one item that it checks. What is handed in is
    /// not checked before.
    pub(crate) fn new(mut shell: Shell, test: Test, form: Option<&AnswerForm>) -> Self {
        shell.is_answered = form.is_some();
        let texts = shell.texts;
        let mut facts = Vec::new();
        if test.time_limit_minutes > 0.0 {
            facts.push(fill(texts.time_limit, &[("n", &texts.number(test.time_limit_minutes))]));
        }
        if !test.items.is_empty() {
            let points: f64 = test.items.iter().filter_map(|item| item.points).sum();
            facts.push(fill(texts.points, &[("n", &texts.number(points))]));
            facts.push(to_pass(texts, test.passing));
        }
        let (note, attempt) = match test.answer_use {
            AnswerUse::Check => (texts.not_saved, None),
            AnswerUse::Preview => (texts.seen_as_teacher, None),
            AnswerUse::HandIn(attempt) => (texts.is_handed_in, Some(attempt)),
        };
        let left = attempt.as_ref().and_then(|attempt| attempt.left);
        facts.extend(left.map(|left| fill(texts.attempts_left, &[("n", &left.to_string())])));
        let kept = attempt.as_ref().and_then(|attempt| attempt.kept.as_ref());
        let questions = match form.filter(|_| attempt.is_none()) {
            Some(form) => Question::of_form(texts, &test.items, form),
            None => {
                let numbered = (1..).zip(&test.items);
                numbered.map(|(number, item)| Question::unanswered(texts, item, number, kept)).collect()
            }
        };
        let button = |(question, item): (Question, &Item)| {
            if attempt.is_none() { question.with_own_button(item) } else { question }
        };
        let questions = questions.into_iter().zip(&test.items).map(button).collect();
        Self {
            kind: texts.test,
            title: test.name,
            description: test.description,
            facts,
            questions,
            position: test.position,
            notice: if kept.is_some() { texts.test_changed } else { "" },
            hidden: attempt.map_or_else(Vec::new, |attempt| attempt.hidden_fields(&test.items)),
            note,
            shell,
        }
    }
}

impl AttemptForm {
    /// The hidden field that tells one form of a launch from another.
    pub(crate) const FIELD: &'static str = "attempt";

    /// What the form sends besides answers: which form it is, and which items the learner saw.
    fn hidden_fields(self, items: &[Item]) -> Vec<(String, String)> {
        let seen = items.iter().map(|item| (format!("{}{}", SeenItems::FIELD_PREFIX, item.id), item.fingerprint()));
        iter::once((Self::FIELD.to_owned(), self.id)).chain(seen).collect()
    }
}

/// The items that a form showed: the fingerprints by the items' ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SeenItems(BTreeMap<String, String>);

impl SeenItems {
    /// Begins the names of the form's fields.
    const FIELD_PREFIX: &'static str = "seen-";

    /// Reads the fields of a form.
    pub(crate) fn from_fields(fields: &[(String, String)]) -> Self {
        let seen =
            |(name, value): &(String, String)| Some((name.strip_prefix(Self::FIELD_PREFIX)?.to_owned(), value.clone()));
        Self(fields.iter().filter_map(seen).collect())
    }

    /// Whether the form showed other items than these. A form that does not say what it showed is taken at its word.
    pub(crate) fn differ_from(&self, items: &[Item]) -> bool {
        !self.0.is_empty() && (self.0.len() != items.len() || items.iter().any(|item| !self.has(item)))
    }

    /// Whether the form showed the item as it is.
    pub(crate) fn has(&self, item: &Item) -> bool {
        self.0.get(&item.id).is_some_and(|fingerprint| *fingerprint == item.fingerprint())
    }
}

impl TestResultPage {
    /// The test as it was taken.
    pub(crate) fn new(mut shell: Shell, test: Test, form: &AnswerForm) -> Self {
        shell.is_answered = true;
        let texts = shell.texts;
        let mut score = Score::default();
        let mut questions = Vec::with_capacity(test.items.len());
        for (number, item) in (1..).zip(&test.items) {
            let judged = item.judge(&form.answers, &form.grades);
            score.add(item.points.unwrap_or_default(), &judged.mark);
            questions.push(Question::new(texts, item, number, Some(&judged)));
        }
        let summary = summary(texts, &test, score, &questions);
        Self { kind: texts.test, title: test.name, summary, questions, position: test.position, shell }
    }
}

fn to_pass(texts: &Texts, passing: Passing) -> String {
    let value = match passing {
        Passing::Percentage(percent) => texts.share(percent),
        Passing::Points(points) => fill(texts.points, &[("n", &texts.number(points))]),
    };
    fill(texts.to_pass, &[("value", &value)])
}

fn summary(texts: &Texts, test: &Test, score: Score, questions: &[Question]) -> Summary {
    let (tone, verdict) = match score.outcome(test.passing) {
        Outcome::Passed => ("right", texts.passed),
        Outcome::NotPassed => ("wrong", texts.not_passed),
        Outcome::Undecided => ("open", texts.undecided),
    };
    let mut lines = Vec::new();
    if let Some(percent) = score.percent() {
        let values = [("n", &*texts.number(score.earned)), ("total", &*texts.number(score.gradable))];
        lines.push(format!("{} ({})", fill(texts.points_of, &values), texts.share(percent)));
    }
    lines.push(to_pass(texts, test.passing));
    if score.open > 0.0 {
        lines.push(fill(texts.open_points, &[("n", &texts.number(score.open))]));
    }
    if !score.is_final() {
        lines.push(texts.not_final.to_owned());
    }
    Summary { tone, verdict: verdict.to_owned(), lines, look_again: Summary::worth_another_look(questions) }
}
