//! What came of a test that was handed in: points as far as there are any, item by item.
//!
//! While the learner has attempts left, the page says what was right and keeps the keys to itself.

use askama::Template;
use platform::submissions::{GradedItem, GradedSubmission, Status};

use super::course::Position;
use super::inline::Inline;
use super::questions::{Feedback, Input, Item, Judged, Question, Summary};
use super::shell::{Access, Shell, Site, Stage};
use crate::answers::{Answers, ItemKind, Mark, OpenGrades};
use crate::texts::{Texts, fill};

/// The page.
#[derive(Template)]
#[template(path = "submission.html")]
pub(crate) struct SubmissionPage {
    shell: Shell,
    kind: &'static str,
    title: String,
    summary: Summary,
    questions: Vec<Question>,
    /// Where the test stands in the course that it is a part of.
    position: Option<Position>,
    /// Grades are on their way.
    is_pending: bool,
    /// The learner may try again.
    may_try_again: bool,
}

impl SubmissionPage {
    /// The page of a learner's newest submission.
    pub(crate) fn new(
        site: &Site,
        submission: GradedSubmission,
        attempts_left: Option<u32>,
        position: Option<Position>,
    ) -> Self {
        let mut shell = Shell::new(site, &submission.summary.language, Access::Launch, Stage::Whole);
        shell.is_answered = true;
        let texts = shell.texts;
        let shows_keys = attempts_left == Some(0);
        let language = &submission.summary.language;
        let numbered = (1..).zip(&submission.items);
        let questions: Vec<_> =
            numbered.map(|(number, item)| question(texts, language, item, number, shows_keys)).collect();
        Self {
            kind: texts.test,
            summary: summary(texts, &submission, attempts_left, &questions),
            is_pending: submission.summary.status == Status::Grading,
            may_try_again: attempts_left != Some(0),
            title: submission.summary.title,
            questions,
            position,
            shell,
        }
    }
}

fn question(texts: &'static Texts, language: &str, graded: &GradedItem, number: usize, shows_keys: bool) -> Question {
    let item = Item {
        id: graded.item_id.clone(),
        kind: ItemKind::of(&graded.kind),
        title: String::new(),
        question: graded.question.clone(),
        language: language.to_owned(),
        options: graded.options.clone(),
        key: graded.correct_answers.clone(),
        explanation: graded.explanation.clone(),
        points: Some(graded.max_score),
        shows_feedback: true,
    };
    let field = |answer: &String| (format!("{}{}", Answers::FIELD_PREFIX, graded.item_id), answer.clone());
    let answers = Answers::from_fields(graded.answers.iter().map(field));
    let judged = item.judge(&answers, &OpenGrades::default());
    let mut question = Question::new(texts, &item, number, Some(&as_handed_in(judged, graded)));
    question.hint = Inline::default();
    if let Some(feedback) = &mut question.feedback {
        if !shows_keys {
            feedback.lines.clear();
        }
        if let Some(score) = graded.score {
            let values = [("n", &*texts.number(score)), ("total", &*texts.number(graded.max_score))];
            let points = Inline::of(&fill(texts.points_of, &values));
            feedback.lines.retain(|line| *line != points);
            feedback.lines.insert(0, points);
        }
        if graded.evaluation_id.is_some() {
            open_feedback(texts, graded, feedback);
        }
    }
    question
}

/// The verdict by the points that the answer got when it was handed in. What was not answered stays so.
fn as_handed_in<'a>(judged: Judged<'a>, graded: &GradedItem) -> Judged<'a> {
    match graded.score {
        Some(score) if ItemKind::of(&graded.kind).is_graded() && graded.max_score > 0.0 && !judged.given.is_empty() => {
            Judged { mark: Mark::of_share(score / graded.max_score), ..judged }
        }
        _ => judged,
    }
}

/// What the learner is told of an open answer.
fn open_feedback(texts: &Texts, graded: &GradedItem, feedback: &mut Feedback) {
    let (tone, sign, words) = match graded.score {
        Some(_) if graded.needs_review => (feedback.tone, "•", texts.may_change),
        Some(_) => (feedback.tone, "✓", texts.is_graded),
        None if graded.has_failed => ("person", "?", texts.by_a_person),
        None => (feedback.tone, "…", texts.being_graded),
    };
    (feedback.tone, feedback.sign, feedback.words) = (tone, sign, words.to_owned());
    let said = graded.feedback.iter().filter(|text| !text.trim().is_empty());
    feedback.lines.extend(said.map(|text| Inline::of(text)));
}

fn summary(
    texts: &'static Texts,
    submission: &GradedSubmission,
    attempts_left: Option<u32>,
    questions: &[Question],
) -> Summary {
    let about = &submission.summary;
    let (tone, verdict) = match (about.passed, about.status) {
        (Some(true), _) => ("right", texts.passed),
        (Some(false), _) => ("wrong", texts.not_passed),
        (None, Status::Incomplete) => ("open", texts.by_a_person),
        (None, _) => ("open", texts.being_graded),
    };
    let mut lines = Vec::new();
    if let Some(score) = about.score {
        let values = [("n", &*texts.number(score)), ("total", &*texts.number(about.max_score))];
        lines.push(fill(texts.points_of, &values));
    }
    let needed = fill(texts.points, &[("n", &texts.number(about.passing_score))]);
    lines.push(fill(texts.to_pass, &[("value", &needed)]));
    if about.score.is_some() && about.needs_review {
        lines.push(texts.may_change.to_owned());
    }
    if submission.lti_sync.as_ref().is_some_and(platform::lti::sync::LtiSync::is_synced) {
        lines.push(texts.in_gradebook.to_owned());
    }
    lines.extend(attempts_left.map(|left| fill(texts.attempts_left, &[("n", &left.to_string())])));
    Summary { tone, verdict: verdict.to_owned(), lines, look_again: Summary::worth_another_look(questions) }
}
