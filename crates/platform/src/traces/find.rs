//! Follows a trace from any id that is part of it.
//!
//! An id leads up to where its trace began, one step at a time, and down to everything below it, at most the newest
//! [`MOST`] of each sort.

use billing::ledger::find_reservation;
use kernel::id::{EvaluationId, LaunchId, LinkId, OrganizationId, SubjectId, SubmissionId, WorkspaceId};
use store::{Record as _, StoreError, Tx, sql};

use super::{FindOrigin, Origin, Trace, TracedEvaluation, TracedLaunch, TracedLink, TracedScore};
use crate::evaluations::EvaluationRow;
use crate::lti::links::Link;
use crate::lti::sessions::LaunchSession;
use crate::lti::sync::SyncRow;
use crate::submissions::{Submission, SubmissionSummary};

/// As many of each sort are shown.
pub const MOST: usize = 100;

/// What an id names, and what that leads up to.
#[derive(Default)]
struct Focus {
    evaluation: Option<EvaluationRow>,
    submission: Option<Submission>,
    launch: Option<LaunchSession>,
    link: Option<Link>,
    /// The score whose launch is gone.
    trace_of_score: Option<String>,
}

/// The workspace that an id belongs to, for who may see all of them; `None` where nothing has the id. Content belongs to the
/// workspace that is linked to its organization longest.
///
/// # Errors
/// Any [`StoreError`].
pub fn workspace_of(tx: &mut Tx<'_>, id: &str) -> Result<Option<WorkspaceId>, StoreError> {
    sql!(
        "SELECT workspace_id FROM evaluation WHERE id = {id}
         UNION ALL SELECT workspace_id FROM submission WHERE id = {id}
         UNION ALL SELECT workspace_id FROM lti_launch WHERE id = {id}
         UNION ALL SELECT workspace_id FROM lti_link WHERE id = {id}
         UNION ALL SELECT workspace_id FROM lti_sync WHERE subject_id = {id}
         LIMIT 1"
    )
    .find(tx, |row| row.get(0))
}

/// The trace around an id of a workspace, or of the content of its organization; `None` where nothing has the id.
///
/// # Errors
/// Any [`StoreError`].
pub fn find(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    id: &str,
    find_origin: FindOrigin,
) -> Result<Option<Trace>, StoreError> {
    let organization = sql!("SELECT organization_id FROM workspace WHERE id = {workspace}")
        .find(tx, |row| row.get::<Option<OrganizationId>>(0))?
        .flatten();
    let origin_of = |tx: &mut Tx<'_>, id: &str| match organization {
        Some(organization) => find_origin(tx, organization, id),
        None => Ok(None),
    };
    let focus = Focus::of(tx, workspace, id)?;
    let own = origin_of(tx, id)?;
    if focus.is_empty() && own.is_none() && !is_trace(tx, workspace, id)? {
        return Ok(None);
    }
    let trace_id =
        focus.trace_id().or_else(|| own.as_ref().map(|origin| origin.trace_id(id))).unwrap_or_else(|| id.to_owned());
    let origin = match (own, &focus.link) {
        (Some(own), _) => Some(own),
        (None, Some(link)) => origin_of(tx, &link.resource_id)?,
        (None, None) => origin_of(tx, &trace_id)?,
    };
    // An id of content narrows its trace to what leads to that resource.
    let resource = origin.as_ref().filter(|_| focus.is_empty() && trace_id != id).map(|_| id);
    below(tx, workspace, &focus, &trace_id, resource, origin).map(Some)
}

fn is_trace(tx: &mut Tx<'_>, workspace: WorkspaceId, id: &str) -> Result<bool, StoreError> {
    let found = sql!(
        "SELECT 1 FROM lti_link WHERE workspace_id = {workspace} AND trace_id = {id}
         UNION ALL SELECT 1 FROM lti_sync WHERE workspace_id = {workspace} AND trace_id = {id} LIMIT 1"
    )
    .find(tx, |_| Ok(()))?;
    Ok(found.is_some())
}

impl Origin {
    fn trace_id(&self, id: &str) -> String {
        self.source.as_ref().map_or_else(|| id.to_owned(), |source| source.expansion_id.clone())
    }
}

impl Focus {
    fn of(tx: &mut Tx<'_>, workspace: WorkspaceId, id: &str) -> Result<Self, StoreError> {
        let mut focus = Self::default();
        if let Ok(id) = id.parse::<EvaluationId>() {
            focus.evaluation = EvaluationRow::find(tx, id)?.filter(|row| row.workspace == workspace);
        }
        let submission = match &focus.evaluation {
            Some(evaluation) => {
                sql!("SELECT submission_id FROM submission_evaluation WHERE evaluation_id = {evaluation.id}")
                    .find(tx, |row| row.get::<SubmissionId>(0))?
            }
            None => id.parse().ok(),
        };
        if let Some(id) = submission {
            focus.submission = Submission::find(tx, id)?.filter(|row| row.workspace_id == workspace);
        }
        let session: Option<LaunchId> = match (&focus.submission, &focus.evaluation) {
            (Some(submission), _) => Some(submission.session_id),
            (None, Some(evaluation)) => evaluation.launch_session().and_then(|session| session.parse().ok()),
            (None, None) => id.parse().ok(),
        };
        if let Some(id) = session {
            focus.launch =
                sql!("SELECT {LaunchSession::*} FROM lti_launch WHERE id = {id} AND workspace_id = {workspace}")
                    .find(tx, LaunchSession::from_row)?;
        }
        let link: Option<LinkId> = match (&focus.launch, &focus.submission) {
            (Some(launch), _) => launch.link_id,
            (None, Some(submission)) => Some(submission.link_id),
            (None, None) => id.parse().ok(),
        };
        if let Some(id) = link {
            focus.link = Link::find(tx, workspace, id)?;
        }
        if let Some(evaluation) = focus.evaluation.as_ref().filter(|_| focus.launch.is_none()) {
            let score = SyncRow::load(tx, SubjectId::of(evaluation.id))?;
            focus.trace_of_score = score.and_then(|score| score.trace_id);
        }
        Ok(focus)
    }

    fn is_empty(&self) -> bool {
        self.evaluation.is_none() && self.submission.is_none() && self.launch.is_none() && self.link.is_none()
    }

    fn trace_id(&self) -> Option<String> {
        let of_submission = self.submission.as_ref().map(|submission| submission.trace_id.clone());
        let of_launch = || self.launch.as_ref().map(LaunchSession::trace);
        let of_link = || self.link.as_ref().map(|link| link.trace_id.clone());
        let of_evaluation = || self.evaluation.as_ref().map(|evaluation| evaluation.id.to_string());
        of_submission.or_else(of_launch).or_else(of_link).or_else(|| self.trace_of_score.clone()).or_else(of_evaluation)
    }
}

/// What is on the way from the beginning to the focus, and everything below it.
fn below(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    focus: &Focus,
    trace_id: &str,
    resource: Option<&str>,
    origin: Option<Origin>,
) -> Result<Trace, StoreError> {
    let way = Way {
        link: focus.link.as_ref().map(|link| link.id),
        session: focus.launch.as_ref().map(|launch| launch.id),
        resource,
    };
    let mut is_cut = false;
    let links = match &focus.link {
        Some(link) => vec![link.clone()],
        None if focus.is_empty() => cut(list_links(tx, workspace, trace_id, &way)?, &mut is_cut),
        None => Vec::new(),
    };
    let launches = match &focus.launch {
        Some(launch) => vec![launch.clone()],
        None if focus.evaluation.is_none() && focus.submission.is_none() => {
            cut(list_launches(tx, workspace, trace_id, &way)?, &mut is_cut)
        }
        None => Vec::new(),
    };
    let submissions = match (&focus.submission, &focus.evaluation) {
        (Some(submission), _) => vec![submission.clone()],
        (None, Some(_)) => Vec::new(),
        (None, None) => cut(list_submissions(tx, workspace, trace_id, &way)?, &mut is_cut),
    };
    let scores = cut(list_scores(tx, workspace, trace_id, focus, &way)?, &mut is_cut);
    let evaluations = cut(list_evaluations(tx, focus, &submissions, &scores)?, &mut is_cut);
    let (source, resources) = origin.map_or((None, Vec::new()), |origin| (origin.source, origin.resources));
    Ok(Trace {
        trace_id: trace_id.to_owned(),
        platform_workspace_id: workspace,
        source,
        resources,
        links: links.into_iter().map(TracedLink::from).collect(),
        launches: launches.into_iter().map(TracedLaunch::from).collect(),
        submissions: submissions.into_iter().map(|submission| SubmissionSummary::split(submission).1).collect(),
        evaluations,
        scores: scores.into_iter().map(TracedScore::from).collect(),
        is_cut,
    })
}

/// What everything below has to have come by; what is absent narrows nothing.
struct Way<'a> {
    link: Option<LinkId>,
    session: Option<LaunchId>,
    resource: Option<&'a str>,
}

/// One more than are shown, which tells that there are more.
fn limit() -> i64 {
    i64::try_from(MOST + 1).unwrap_or(i64::MAX)
}

fn cut<T>(mut found: Vec<T>, is_cut: &mut bool) -> Vec<T> {
    *is_cut |= found.len() > MOST;
    found.truncate(MOST);
    found
}

fn list_links(tx: &mut Tx<'_>, workspace: WorkspaceId, trace_id: &str, way: &Way<'_>) -> Result<Vec<Link>, StoreError> {
    let limit = limit();
    sql!(
        "SELECT {Link::*} FROM lti_link WHERE workspace_id = {workspace} AND trace_id = {trace_id}
            AND (CAST({way.resource} AS TEXT) IS NULL OR resource_id = {way.resource})
         ORDER BY created_at DESC, id DESC LIMIT {limit}"
    )
    .query(tx, Link::from_row)
}

fn list_launches(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    trace_id: &str,
    way: &Way<'_>,
) -> Result<Vec<LaunchSession>, StoreError> {
    let limit = limit();
    sql!(
        "SELECT {LaunchSession::*} FROM lti_launch WHERE workspace_id = {workspace} AND trace_id = {trace_id}
            AND (CAST({way.link} AS TEXT) IS NULL OR link_id = {way.link})
            AND (CAST({way.resource} AS TEXT) IS NULL OR link_id IN
                (SELECT l.id FROM lti_link l WHERE l.workspace_id = {workspace} AND l.resource_id = {way.resource}))
         ORDER BY created_at DESC, id DESC LIMIT {limit}"
    )
    .query(tx, LaunchSession::from_row)
}

fn list_submissions(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    trace_id: &str,
    way: &Way<'_>,
) -> Result<Vec<Submission>, StoreError> {
    let limit = limit();
    sql!(
        "SELECT {Submission::*} FROM submission WHERE workspace_id = {workspace} AND trace_id = {trace_id}
            AND (CAST({way.session} AS TEXT) IS NULL OR session_id = {way.session})
            AND (CAST({way.link} AS TEXT) IS NULL OR link_id = {way.link})
            AND (CAST({way.resource} AS TEXT) IS NULL OR test_id = {way.resource} OR link_id IN
                (SELECT l.id FROM lti_link l WHERE l.workspace_id = {workspace} AND l.resource_id = {way.resource}))
         ORDER BY submitted_at DESC, id DESC LIMIT {limit}"
    )
    .query(tx, Submission::from_row)
}

/// The score of the focus, or those of everything below it.
fn list_scores(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    trace_id: &str,
    focus: &Focus,
    way: &Way<'_>,
) -> Result<Vec<SyncRow>, StoreError> {
    let subject = match (&focus.submission, &focus.evaluation) {
        (Some(submission), _) => Some(SubjectId::of(submission.id)),
        (None, Some(evaluation)) => Some(SubjectId::of(evaluation.id)),
        (None, None) => None,
    };
    if let Some(subject) = subject {
        return Ok(SyncRow::load(tx, subject)?.into_iter().collect());
    }
    let limit = limit();
    sql!(
        "SELECT {SyncRow::*} FROM lti_sync WHERE workspace_id = {workspace} AND trace_id = {trace_id}
            AND (CAST({way.session} AS TEXT) IS NULL OR session_id = {way.session})
            AND (CAST({way.link} AS TEXT) IS NULL OR session_id IN
                (SELECT l.id FROM lti_launch l WHERE l.workspace_id = {workspace} AND l.trace_id = {trace_id}
                    AND l.link_id = {way.link}))
            AND (CAST({way.resource} AS TEXT) IS NULL OR session_id IN
                (SELECT l.id FROM lti_launch l JOIN lti_link k ON k.id = l.link_id
                 WHERE l.workspace_id = {workspace} AND l.trace_id = {trace_id} AND k.resource_id = {way.resource}))
         ORDER BY created_at DESC, subject_id DESC LIMIT {limit}"
    )
    .query(tx, SyncRow::from_row)
}

/// The evaluation of the focus, or those of the submissions and scores below it.
fn list_evaluations(
    tx: &mut Tx<'_>,
    focus: &Focus,
    submissions: &[Submission],
    scores: &[SyncRow],
) -> Result<Vec<TracedEvaluation>, StoreError> {
    if let Some(evaluation) = &focus.evaluation {
        let submission = focus.submission.as_ref().map(|submission| submission.id);
        return Ok(vec![traced(tx, evaluation, submission)?]);
    }
    let mut found: Vec<(String, Option<SubmissionId>)> = Vec::new();
    for submission in submissions {
        let ids = sql!("SELECT evaluation_id FROM submission_evaluation WHERE submission_id = {submission.id}")
            .query(tx, |row| row.get::<String>(0))?;
        found.extend(ids.into_iter().map(|id| (id, Some(submission.id))));
    }
    found.extend(scores.iter().filter_map(|score| Some((score.evaluation()?.to_string(), None))));
    found.truncate(MOST + 1);
    let ids: Vec<String> = found.iter().map(|(id, _)| id.clone()).collect();
    let rows = EvaluationRow::find_all(tx, &ids)?;
    rows.iter()
        .map(|row| {
            let submission =
                found.iter().find(|(id, _)| *id == row.id.to_string()).and_then(|(_, submission)| *submission);
            traced(tx, row, submission)
        })
        .collect()
}

fn traced(
    tx: &mut Tx<'_>,
    row: &EvaluationRow,
    submission_id: Option<SubmissionId>,
) -> Result<TracedEvaluation, StoreError> {
    Ok(TracedEvaluation {
        id: row.id,
        submission_id,
        question_id: row.question,
        status: row.status,
        score: row.score,
        max_score: row.max_score,
        needs_review: !row.review_reasons().is_empty(),
        review_reasons: row.review_reasons().to_vec(),
        ledger: find_reservation(tx, SubjectId::of(row.id))?.map(Into::into),
        created_at: row.created_at,
    })
}

impl From<Link> for TracedLink {
    fn from(link: Link) -> Self {
        Self {
            id: link.id,
            lti_registration_id: link.registration_id,
            resource_id: link.resource_id,
            title: link.title,
            context_id: link.context_id,
            created_at: link.created_at,
        }
    }
}

impl From<LaunchSession> for TracedLaunch {
    fn from(launch: LaunchSession) -> Self {
        Self {
            session_id: launch.id,
            lti_registration_id: launch.registration_id,
            link_id: launch.link_id,
            resource_link_id: launch.resource_link_id,
            user_id: launch.user_id,
            created_at: launch.created_at,
        }
    }
}

impl From<SyncRow> for TracedScore {
    fn from(score: SyncRow) -> Self {
        Self {
            evaluation_id: score.evaluation(),
            submission_id: score.submission(),
            line_item: score.line_item.clone(),
            sync: score.into(),
        }
    }
}
