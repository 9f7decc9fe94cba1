//! One attempt: an access token, the line item, the score. No transaction is open meanwhile.
//!
//! Platforms refuse a score that is not later than the one that they have, with 409 (Moodle) or 400 (Canvas, Open edX). So
//! such an answer may mean that an earlier attempt arrived.

use std::time::Duration;

use kernel::time::Timestamp;
use lti::access_token::AccessToken;
use lti::ags::{
    ActivityProgress, GradingProgress, SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY, SCOPE_SCORE, SCORE_TYPE, Score,
    Submission, scores_of,
};
use net::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use net::{Acknowledgement, Limits, StatusCode, Url};

use super::claim::{ClaimedSync, LeasedScore};
use super::fault::{Endpoint, Fault, Obstacle, TokenFault};
use super::follow;
use super::line_items::LineItems;
use super::outcome::{Outcome, Verdict};
use super::results;
use crate::Platform;
use crate::lti::registrations::Status;
use crate::lti::tokens::bearer;

/// The limits of one call of the platform.
pub(super) const LIMITS: Limits = Limits { timeout: Duration::from_secs(10), max_response_bytes: 64 * 1024 };
/// The time of an attempt, with the token and the line item.
pub(super) const ATTEMPT: Duration = Duration::from_secs(40);
/// How long a score waits for a line item that another one makes.
const BUSY: Duration = Duration::from_secs(1);
/// Claims beyond the schedule that a score gets when processes die while they send it.
const SPARE_LEASES: u32 = 16;

/// Makes attempts.
pub(super) struct Sender {
    pub(super) platform: Platform,
    pub(super) line_items: LineItems,
    /// The waits between attempts; one more attempt is made than there are waits.
    pub(super) retry_delays: Vec<Duration>,
}

impl Sender {
    pub(super) async fn attempt(&self, sync: ClaimedSync) -> Outcome {
        let result = match tokio::time::timeout(ATTEMPT, self.deliver(&sync)).await {
            Ok(result) => result,
            Err(_) => Err(Fault::Slow),
        };
        let ended_at = self.platform.door.ambient.now();
        let verdict = self.judge(&sync, result, ended_at);
        report(&sync, &verdict);
        let LeasedScore { subject_id, scored_at, .. } = sync.score;
        Outcome { subject_id, token: sync.token, scored_at, ended_at, verdict }
    }

    fn judge(&self, sync: &ClaimedSync, result: Result<Url, Fault>, ended_at: Timestamp) -> Verdict {
        match result {
            Ok(line_item) => Verdict::Synced(line_item.into()),
            Err(Fault::Busy) => Verdict::Later(ended_at.plus(BUSY)),
            Err(Fault::Obstacle(obstacle)) => Verdict::Failed(obstacle.to_string()),
            Err(fault) => match self.retry_delays.get(usize::try_from(sync.score.attempts).unwrap_or(usize::MAX)) {
                Some(delay) => Verdict::Retry {
                    at: ended_at.plus(*delay),
                    error: fault.to_string(),
                    is_unanswered: fault.is_unanswered(),
                },
                None => Verdict::Failed(fault.to_string()),
            },
        }
    }

    /// Sends the score; the column that took it.
    async fn deliver(&self, sync: &ClaimedSync) -> Result<Url, Fault> {
        if sync.registration.status == Status::Inactive {
            return Err(Obstacle::Inactive.into());
        }
        follow::check_grades(sync.score.grades.as_ref())?;
        let planned = u32::try_from(self.retry_delays.len()).unwrap_or(u32::MAX);
        if sync.score.leases > planned.saturating_add(1 + SPARE_LEASES) {
            return Err(Obstacle::GivenUp.into());
        }
        match self.try_once(sync).await {
            // The platform may have taken the token back before its time.
            Err(Fault::Unauthorized) => self.try_once(sync).await,
            result => result,
        }
    }

    async fn try_once(&self, sync: &ClaimedSync) -> Result<Url, Fault> {
        let scopes = scopes(sync);
        let (tokens, tool_keys) = (&self.platform.lti_tokens, &self.platform.tool_keys);
        let token = tokens.get(tool_keys, &sync.registration, &scopes).await.map_err(Fault::Token)?;
        if !token.allows(SCOPE_SCORE) {
            return Err(Obstacle::NoScoreScope.into());
        }
        let result = self.post(sync, &token).await;
        if matches!(result, Err(Fault::Unauthorized)) {
            tokens.forget(&sync.registration, &scopes, &token).await;
        }
        result
    }

    async fn post(&self, sync: &ClaimedSync, token: &AccessToken) -> Result<Url, Fault> {
        let token = bearer(token).ok_or(Fault::Token(TokenFault::Unusable))?;
        let line_item = self.line_items.of(sync, &token).await?;
        let score = score(sync)?;
        let body = serde_json::to_vec(&score).expect("a score is JSON");
        let headers =
            HeaderMap::from_iter([(AUTHORIZATION, token), (CONTENT_TYPE, HeaderValue::from_static(SCORE_TYPE))]);
        let answer = self.platform.outbound.notify(&scores_of(&line_item), headers, body, LIMITS).await;
        let answer = answer.map_err(|error| Fault::NoAnswer(Endpoint::Scores, error))?;
        match answer.status {
            // The page of a login or of maintenance: whoever sent it has no gradebook.
            status if status.is_success() && is_page(&answer) => Err(Fault::Unreadable(Endpoint::Scores)),
            status if status.is_success() => Ok(line_item),
            status @ (StatusCode::CONFLICT | StatusCode::BAD_REQUEST) => self.settle(sync, line_item, status).await,
            StatusCode::UNAUTHORIZED => Err(Fault::Unauthorized),
            status => {
                if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
                    self.line_items.forget(sync).await?;
                }
                Err(Fault::Answer(Endpoint::Scores, status))
            }
        }
    }

    /// Finds out whether the platform has a score that it refuses, by what is known of earlier attempts and by the points
    /// that its gradebook shows.
    async fn settle(&self, sync: &ClaimedSync, line_item: Url, status: StatusCode) -> Result<Url, Fault> {
        let is_conflict = status == StatusCode::CONFLICT;
        match sync.score.may_have_arrived() {
            // It has this score, or a newer one.
            true if is_conflict => return Ok(line_item),
            false if !is_conflict => return Err(Fault::Answer(Endpoint::Scores, status)),
            _ => {}
        }
        if results::show(&self.platform, sync, &line_item).await {
            return Ok(line_item);
        }
        Err(if is_conflict { Obstacle::LaterGrade.into() } else { Fault::InDoubt(status) })
    }
}

/// Whether the body is an HTML page.
fn is_page(answer: &Acknowledgement) -> bool {
    let kind = answer.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let is_html = ["text/html", "application/xhtml+xml"].iter().any(|html| kind.eq_ignore_ascii_case(html));
    // Servers that answer nothing, or JSON, may call that HTML too.
    let start = answer.start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&answer.start);
    is_html && start.trim_ascii_start().first() == Some(&b'<')
}

/// The scopes of the access token: those that the launch offers, of those that are needed.
fn scopes(sync: &ClaimedSync) -> Vec<&'static str> {
    let grades = sync.score.grades.as_ref();
    [SCOPE_LINE_ITEM, SCOPE_LINE_ITEM_READONLY, SCOPE_SCORE]
        .into_iter()
        .filter(|scope| grades.is_some_and(|grades| grades.allows(scope)))
        .collect()
}

fn score(sync: &ClaimedSync) -> Result<Score, Obstacle> {
    let score = &sync.score;
    Ok(Score {
        score_given: Some(score.score_given),
        score_maximum: Some(score.score_maximum),
        activity_progress: ActivityProgress::Completed,
        grading_progress: GradingProgress::FullyGraded,
        user_id: score.user_id.clone().ok_or(Obstacle::Anonymous)?,
        timestamp: score.scored_at,
        comment: score.comment.clone(),
        submission: Some(Submission { submitted_at: score.submitted_at }),
    })
}

fn report(sync: &ClaimedSync, verdict: &Verdict) {
    let (subject_id, registration_id) = (sync.score.subject_id, sync.registration.id);
    let outcome = match verdict {
        Verdict::Synced(_) => {
            tracing::debug!(%subject_id, %registration_id, "grade synced");
            "synced"
        }
        Verdict::Later(_) => "later",
        Verdict::Retry { at, error, .. } => {
            tracing::info!(%subject_id, %registration_id, error, retry_at = %at, "grade sync attempt failed");
            "retry"
        }
        Verdict::Failed(error) => {
            tracing::warn!(%subject_id, %registration_id, error, "grade sync failed");
            "failed"
        }
    };
    metrics::counter!("lectern_lti_sync_attempts_total", "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_is_a_page_whatever_the_type_says() {
        let answer = |kind: &'static str, start: &[u8]| Acknowledgement {
            status: StatusCode::OK,
            headers: HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]),
            start: start.to_vec(),
        };
        for (kind, start) in [
            ("text/html", b"<html>".as_slice()),
            ("Text/HTML; charset=utf-8", b"\xef\xbb\xbf\r\n <!doctype html>"),
            ("application/xhtml+xml", b"<?xml"),
        ] {
            assert!(is_page(&answer(kind, start)), "{kind}");
        }
        for (kind, start) in [("text/html", b"".as_slice()), ("text/html", b" {}"), ("application/json", b"<")] {
            assert!(!is_page(&answer(kind, start)), "{kind}");
        }
    }
}
