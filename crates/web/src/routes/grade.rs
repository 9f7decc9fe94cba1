//! Has the open answers of a form graded, within the budget of the organization whose test it is.
//!
//! Answers are counted in a transaction before they are graded, and graded with nothing of the page held. No answer is stored. An
//! answer that gets no grade, because the budget is used up or the grader fails, is left to a person, and the page says so. Where to
//! read next: [`content::page_grading`] counts, [`platform::evaluations`] grades.

use std::collections::BTreeMap;
use std::time::Duration;

use content::page_grading::{self, Reservation};
use content::resources::Resource as _;
use content::tests::{Test, TestItem};
use edge::context::Context;
use grading::{DetailLevel, EvaluationType, FeedbackOptions, Submission};
use kernel::id::OrganizationId;
use kernel::turns::Turn;
use store::{StoreError, Tx};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Pages;
use super::open::OpenPage;
use super::respond::RenderedPage;
use super::show::{items, test_item};
use crate::answers::{AnswerForm, OpenGrade, OpenGrades};
use crate::pages::error::Missing;
use crate::pages::test::AnswerUse;

/// How long a page waits for its grades.
const PATIENCE: Duration = Duration::from_secs(45);
/// The open answers of one form that are graded; the rest is left to a person.
const MOST_OF_A_FORM: usize = 50;

/// An open answer, and the name under which the page looks for its grade.
struct OpenAnswer {
    grade_name: String,
    submission: Submission,
}

impl Pages {
    /// The page with what came of a form.
    pub(super) async fn check(
        &self,
        (turn, opened): (Turn, OpenPage),
        mut form: AnswerForm,
        answer_use: AnswerUse,
        context: &Context,
    ) -> Result<RenderedPage, Missing> {
        let open = opened.test().map(|test| (test.organization_id(), open_answers(test, &form)));
        let Some((organization, open)) = open.filter(|(_, open)| !open.is_empty()) else {
            return self.make(turn, opened, Some(form), answer_use, context).await;
        };
        let address = opened.address.clone();
        drop((turn, opened));
        form.grades = self.grade(organization, open, context).await?;
        let turn = self.turn(context).await?;
        let opened = self.open(&turn, address, context).await?;
        self.make(turn, opened, Some(form), answer_use, context).await
    }

    /// Grades as many answers as the organization's day has left.
    async fn grade(
        &self,
        organization: OrganizationId,
        open: Vec<OpenAnswer>,
        context: &Context,
    ) -> Result<OpenGrades, Missing> {
        let request_id = context.0.request_id.to_str().unwrap_or_default();
        let Some(_turn) = self.0.grading_turns.take().await else {
            tracing::warn!(request_id, "too many pages wait for grades");
            return Ok(OpenGrades::default());
        };
        let wanted = u32::try_from(open.len()).unwrap_or(u32::MAX);
        let reserve = move |tx: &mut Tx<'_>| page_grading::reserve(tx, organization, wanted);
        let store = &self.0.content.door.store;
        let reserved = store.write::<_, StoreError, _>("page_grading.reserve", reserve).await;
        let reservation = reserved.map_err(|error| {
            tracing::warn!(request_id, %error, "the answers of a page could not be counted");
            Missing::Unavailable
        })?;
        let granted = usize::try_from(reservation.answers).unwrap_or(usize::MAX);
        let grades = self.grade_all(open.into_iter().take(granted), request_id).await;
        self.give_back(organization, reservation, granted.saturating_sub(grades.len()), request_id).await;
        Ok(OpenGrades(grades))
    }

    async fn grade_all(&self, open: impl Iterator<Item = OpenAnswer>, request_id: &str) -> BTreeMap<String, OpenGrade> {
        let mut grading = JoinSet::new();
        for OpenAnswer { grade_name, submission } in open {
            let platform = self.0.platform.clone();
            grading.spawn(async move {
                let max_score = submission.max_score;
                let graded = timeout(PATIENCE, platform.grade_unrecorded(submission)).await;
                (grade_name, max_score, graded)
            });
        }
        let mut grades = BTreeMap::new();
        while let Some(ended) = grading.join_next().await {
            match ended {
                Ok((name, max_score, Ok(Ok(grade)))) => {
                    let share = grade.score / max_score;
                    grades
                        .insert(name, OpenGrade { share, needs_review: grade.needs_review, feedback: grade.feedback });
                }
                Ok((_, _, Ok(Err(error)))) => {
                    tracing::warn!(request_id, code = error.code, "an open answer of a page got no grade");
                }
                Ok((_, _, Err(_))) => tracing::warn!(request_id, "an open answer of a page was not graded in time"),
                Err(error) => tracing::error!(request_id, %error, "the grading of a page's answer crashed"),
            }
        }
        grades
    }

    async fn give_back(
        &self,
        organization: OrganizationId,
        reservation: Reservation,
        ungraded: usize,
        request_id: &str,
    ) {
        let Some(ungraded) = u32::try_from(ungraded).ok().filter(|ungraded| *ungraded > 0) else { return };
        let give_back = move |tx: &mut Tx<'_>| page_grading::give_back(tx, organization, reservation, ungraded);
        let store = &self.0.content.door.store;
        if let Err(error) = store.write::<_, StoreError, _>("page_grading.give_back", give_back).await {
            tracing::warn!(request_id, %error, "answers of a page without a grade stay counted");
        }
    }
}

/// The open answers of a form, or the one to the item that it checks.
fn open_answers(test: &Test, form: &AnswerForm) -> Vec<OpenAnswer> {
    let items: Vec<_> =
        items::<TestItem>(&test.items).into_iter().map(|item| test_item(item, &test.language)).collect();
    let checked = form.checked_of(items.iter().map(|item| item.id.as_str()));
    let looked_at = items.iter().filter(|item| checked.is_none_or(|id| id == item.id));
    let open = looked_at.filter_map(|item| {
        let answer = item.open_answer(&form.answers)?;
        let points = item.points?;
        let mut submission = Submission::new(EvaluationType::OpenEnded, item.question.as_str(), answer, points);
        let mut references = item.key.iter().cloned();
        submission.reference_answer = references.next();
        submission.other_references = references.collect();
        submission.language.clone_from(&test.language);
        submission.subject = Some(test.subject.clone()).filter(|subject| !subject.trim().is_empty());
        submission.feedback = FeedbackOptions { detail_level: DetailLevel::Brief, ..FeedbackOptions::default() };
        submission.tenant = test.organization_id().to_string();
        Some(OpenAnswer { grade_name: item.grade_name(), submission })
    });
    open.take(MOST_OF_A_FORM).collect()
}
