//! Hands in a test: the page of the launch calls [`hand_in`] with the learner's answers.

use billing::catalog::{Catalog, PriceSnapshot, Tier};
use kernel::id::{LinkId, SubmissionId};
use store::{KeyedRecord as _, Record as _, StoreError, Tx, sql};

use super::course::CourseTests;
use super::follow::settle;
use super::row::{Submission, SubmittedItem};
use super::{GradedSubmission, Status};
use crate::Platform;
use crate::evaluations::open_answer::{self, OpenAnswer, Ungraded};
use crate::lti::GuardedRegistration;
use crate::lti::registrations::{Registration, TestSettings};
use crate::lti::sessions::LaunchSession;

/// Attempts of a learner where the registration sets no limit, so that nobody fills the database.
const MOST_ATTEMPTS: u32 = 100;
/// A learner is told of that limit when so many attempts are left.
const NEAR_THE_END: u32 = 10;
/// Two forms that arrive at once may want the same attempt number: one of them tries again.
const TRIES: u32 = 5;

/// A test with its answers. The page has judged the items that have a key.
#[derive(Clone, Debug)]
pub struct AnsweredTest {
    /// What tells this form from others of the launch: 1 to 64 characters.
    pub attempt_id: String,
    /// The test.
    pub test_id: String,
    /// Its version.
    pub test_version: i64,
    /// Its name.
    pub title: String,
    /// Its language.
    pub language: String,
    /// The field of knowledge; may be empty.
    pub subject: String,
    /// The points that it takes to pass.
    pub passing_score: f64,
    /// The items in their order. Those without points are open.
    pub items: Vec<SubmittedItem>,
    /// The course whose link was launched; `None` for a linked test.
    pub course: Option<CourseTests>,
}

/// Why a test is not handed in.
#[derive(Debug, thiserror::Error)]
pub enum NotHandedIn {
    /// The learner has no attempt left.
    #[error("the learner has no attempt left")]
    NoAttemptLeft,
    /// The registration was deleted, is inactive, or its workspace is suspended.
    #[error("the registration of the platform ended")]
    Ended,
    /// The store is away, or a defect.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LaunchSession {
    /// The learner as evaluations and mastery name them: two platforms may call two people the same.
    pub fn learner_id(&self) -> Option<String> {
        self.user_id.as_ref().map(|user| format!("{}:{user}", self.registration_id))
    }

    fn taker(&self) -> String {
        self.learner_id().unwrap_or_else(|| format!("session:{}", self.id))
    }
}

/// Stores a test that was handed in, and begins to grade its open answers. A form that is sent again finds its submission.
///
/// # Errors
/// [`NotHandedIn`].
pub async fn hand_in(
    platform: &Platform,
    session: &LaunchSession,
    link: LinkId,
    test: AnsweredTest,
) -> Result<SubmissionId, NotHandedIn> {
    let mut tries = 0;
    loop {
        let (session, test, prices) = (session.clone(), test.clone(), platform.prices.clone());
        let write = move |tx: &mut Tx<'_>| store(tx, &session, link, &test, &prices);
        let stored = platform.door.store.write("submissions.hand_in", write).await;
        match stored {
            Err(NotHandedIn::Store(StoreError::Unique { .. })) if tries < TRIES => tries += 1,
            stored => return stored,
        }
    }
}

/// Whether a form of a launch was handed in already.
///
/// # Errors
/// Any [`StoreError`].
pub async fn is_handed_in(platform: &Platform, session: &LaunchSession, attempt_id: &str) -> Result<bool, StoreError> {
    let (session, attempt_id) = (session.id, attempt_id.to_owned());
    let find = move |tx: &mut Tx<'_>| Ok(Submission::find_attempt(tx, session, &attempt_id)?.is_some());
    platform.door.store.read("submissions.attempt", find).await
}

/// How a learner stands with a test.
#[derive(Debug)]
pub struct Standing {
    /// The newest submission, with the points that its items have.
    pub newest: Option<GradedSubmission>,
    /// Tries that are left; `None` where they are not counted.
    pub attempts_left: Option<u32>,
}

/// How the learner of a launch stands with a test of its link.
///
/// # Errors
/// Any [`StoreError`].
pub async fn standing(platform: &Platform, session: &LaunchSession, test_id: &str) -> Result<Standing, StoreError> {
    let (session, test_id) = (session.clone(), test_id.to_owned());
    let read = move |tx: &mut Tx<'_>| {
        let registration = Registration::find(tx, session.registration_id)?;
        let settings = registration.map(|registration| registration.settings().tests.unwrap_or_default());
        let newest = newest(tx, &session, &test_id)?;
        let taken = newest.as_ref().map_or(0, |newest| u32::try_from(newest.attempt_number).unwrap_or(u32::MAX));
        let left = match settings.and_then(|settings| settings.attempts) {
            Some(allowed) => Some(allowed.saturating_sub(taken)),
            None => Some(MOST_ATTEMPTS.saturating_sub(taken)).filter(|left| *left <= NEAR_THE_END),
        };
        Ok(Standing { newest: newest.map(|newest| GradedSubmission::of(tx, newest)).transpose()?, attempts_left: left })
    };
    platform.door.store.read("submissions.standing", read).await
}

/// The newest submission of the learner of a launch to a test of its link.
fn newest(tx: &mut Tx<'_>, session: &LaunchSession, test_id: &str) -> Result<Option<Submission>, StoreError> {
    let (registration, link, taker) = (session.registration_id, &session.resource_link_id, session.taker());
    sql!(
        "SELECT {Submission::*} FROM submission
         WHERE registration_id = {registration} AND resource_link_id = {link} AND taker = {taker}
            AND test_id = {test_id}
         ORDER BY attempt_number DESC LIMIT 1"
    )
    .find(tx, Submission::from_row)
}

fn store(
    tx: &mut Tx<'_>,
    session: &LaunchSession,
    link: LinkId,
    test: &AnsweredTest,
    prices: &Catalog,
) -> Result<SubmissionId, NotHandedIn> {
    if let Some(found) = Submission::find_attempt(tx, session.id, &test.attempt_id)? {
        return Ok(found.id);
    }
    let settings = settings_of(tx, session)?.ok_or(NotHandedIn::Ended)?;
    let taken = newest(tx, session, &test.test_id)?.map_or(0, |newest| newest.attempt_number);
    if taken >= i64::from(settings.attempts.unwrap_or(MOST_ATTEMPTS)) {
        return Err(NotHandedIn::NoAttemptLeft);
    }
    let mut submission = row(tx, session, link, test, taken + 1);
    submission.insert(tx)?;
    let price = prices.evaluation(settings.tier.unwrap_or(Tier::Advanced), tx.now());
    for item in submission.items.iter().filter(|item| item.score.is_none()) {
        let evaluation = open_answer::begin(tx, &open(&submission, item, test, price.clone()))?;
        sql!(
            "INSERT INTO submission_evaluation (evaluation_id, submission_id, item_id)
             VALUES ({evaluation}, {submission.id}, {item.item_id})"
        )
        .execute_later(tx)?;
    }
    settle(tx, &mut submission)?;
    submission.update(tx)?;
    Ok(submission.id)
}

/// The settings of the platform's tests; `None` where it may not hand in any more.
fn settings_of(tx: &mut Tx<'_>, session: &LaunchSession) -> Result<Option<TestSettings>, StoreError> {
    // Held until this transaction ends: an erasure of the learner, or of the registration, comes before it or after it.
    if !session.hold(tx)? {
        return Ok(None);
    }
    let active = GuardedRegistration::find_active(tx, session.registration_id)?;
    Ok(active.map(|registration| registration.settings().tests.unwrap_or_default()))
}

fn row(tx: &Tx<'_>, session: &LaunchSession, link: LinkId, test: &AnsweredTest, attempt_number: i64) -> Submission {
    Submission {
        id: tx.ambient().id(),
        workspace_id: session.workspace_id,
        session_id: session.id,
        attempt_id: test.attempt_id.clone(),
        registration_id: session.registration_id,
        link_id: link,
        resource_link_id: session.resource_link_id.clone().unwrap_or_default(),
        taker: session.taker(),
        attempt_number,
        test_id: test.test_id.clone(),
        test_version: test.test_version,
        title: test.title.clone(),
        language: test.language.clone(),
        learner_id: session.learner_id(),
        items: test.items.clone(),
        status: Status::Grading,
        score: None,
        max_score: test.items.iter().map(|item| item.max_score).sum(),
        passing_score: test.passing_score,
        needs_review: false,
        version: 0,
        trace_id: session.trace(),
        submitted_at: tx.now(),
        graded_at: None,
        course: test.course.clone(),
    }
}

fn open<'a>(
    submission: &'a Submission,
    item: &'a SubmittedItem,
    test: &'a AnsweredTest,
    price: PriceSnapshot,
) -> OpenAnswer<'a> {
    OpenAnswer {
        workspace: submission.workspace_id,
        submission: submission.id,
        item_id: &item.item_id,
        test_id: &submission.test_id,
        question: &item.question,
        answer: item.answers.first().map(String::as_str).unwrap_or_default(),
        reference: Some(item.correct_answers.join("\n")).filter(|reference| !reference.trim().is_empty()),
        language: &submission.language,
        subject: Some(test.subject.clone()).filter(|subject| !subject.trim().is_empty()),
        price,
        max_score: item.max_score,
        learner_id: submission.learner_id.clone(),
        ungraded: if item.answers.is_empty() {
            Some(Ungraded::HandedInElsewhere)
        } else {
            submission.learner_id.is_none().then_some(Ungraded::Anonymous)
        },
    }
}
