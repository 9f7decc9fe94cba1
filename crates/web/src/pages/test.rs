//! A test: all items in one form, and a result page with points, percent and what passes.

use askama::Template;

use super::course::Position;
use super::questions::{Input, Item, Question, Summary};
use super::shell::Shell;
use crate::answers::{Answers, Outcome, Passing, Score};
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
    pub(crate) taking: Taking,
}

/// What becomes of the answers.
#[derive(Clone, Debug)]
pub(crate) enum Taking {
    /// They are checked and forgotten.
    Checked,
    /// The same, because who looks is no learner of the course.
    Previewed,
    /// They are handed in.
    HandedIn {
        /// What tells this form from others.
        attempt: String,
        /// Tries that are left with this one; `None` where they are not counted.
        left: Option<u32>,
    },
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
    /// The value of the hidden field; empty where nothing is handed in.
    pub(crate) attempt: String,
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
    /// The test, to be taken.
    pub(crate) fn new(shell: Shell, test: Test) -> Self {
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
        let (attempt, note) = match test.taking {
            Taking::Checked => (String::new(), texts.not_saved),
            Taking::Previewed => (String::new(), texts.seen_as_teacher),
            Taking::HandedIn { attempt, left } => {
                facts.extend(left.map(|left| fill(texts.attempts_left, &[("n", &left.to_string())])));
                (attempt, texts.is_handed_in)
            }
        };
        let questions = (1..).zip(&test.items).map(|(number, item)| Question::new(texts, item, number, None)).collect();
        Self {
            kind: texts.test,
            title: test.name,
            description: test.description,
            facts,
            questions,
            position: test.position,
            attempt,
            note,
            shell,
        }
    }
}

impl TestResultPage {
    /// The test as it was taken.
    pub(crate) fn new(mut shell: Shell, test: Test, answers: &Answers) -> Self {
        shell.is_answered = true;
        let texts = shell.texts;
        let mut score = Score::default();
        let mut questions = Vec::with_capacity(test.items.len());
        for (number, item) in (1..).zip(&test.items) {
            let judged = item.judge(answers);
            score.add(item.points.unwrap_or_default(), judged.verdict);
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
    Summary { tone, verdict: verdict.to_owned(), lines, look_again: Summary::worth_another_look(questions) }
}
