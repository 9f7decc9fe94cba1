//! One attempt: sign, post, judge the answer. No transaction is open meanwhile.
//!
//! Of the answer only the status and `Retry-After` are looked at. Its body goes nowhere: a body in a log
//! or in a row would let a tenant read what the service can reach.

use std::sync::Arc;
use std::time::Duration;

use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use net::header::HeaderMap;
use net::{Acknowledgement, Limits, OutboundClient, OutboundError, StatusCode};

use super::claim::ClaimedDelivery;
use super::outcome::{Outcome, Verdict};
use super::request::{Message, headers};
use super::schedule::{RetrySchedule, retry_after};
use super::target::{Target, TargetError, Targets};
use crate::endpoints::ClaimedEndpoint;

/// Longer answers cost the connection, not the delivery.
const MAX_RESPONSE_BYTES: usize = 16 * 1024;

/// What every attempt needs.
pub(super) struct Sender {
    pub(super) client: OutboundClient,
    pub(super) targets: Targets,
    pub(super) ambient: Ambient,
    pub(super) schedule: RetrySchedule,
    pub(super) timeout: Duration,
}

/// Why an attempt came to no answer, in one word for the row.
type ErrorClass = &'static str;

impl Sender {
    pub(super) async fn attempt(&self, delivery: ClaimedDelivery) -> Outcome {
        let started_at = self.ambient.now();
        let ClaimedDelivery { event_id, event_type, body, attempt, turn, endpoint, token } = delivery;
        let message = Message { event_id, event_type: &event_type, body: &body, turn, sent_at: started_at };
        let answer = match self.request(&endpoint, &message) {
            Ok((target, headers)) => {
                let limits = Limits { timeout: self.timeout, max_response_bytes: MAX_RESPONSE_BYTES };
                let answer = self.client.notify(&target.url, headers, body.into_bytes(), limits).await;
                answer.map_err(OutboundError::class)
            }
            Err(class) => Err(class),
        };
        let ended_at = self.ambient.now();
        let (verdict, error) = self.judge(&answer, turn, ended_at);
        let status_code = answer.ok().map(|answer| answer.status.as_u16());
        let outcome = Outcome {
            event_id,
            endpoint_id: endpoint.id,
            token,
            attempt,
            started_at,
            ended_at,
            status_code,
            error,
            verdict,
        };
        report(&outcome);
        outcome
    }

    fn request(
        &self,
        endpoint: &ClaimedEndpoint,
        message: &Message<'_>,
    ) -> Result<(Arc<Target>, HeaderMap), ErrorClass> {
        let target = self.targets.open(endpoint).map_err(|error| match error {
            TargetError::Refused => OutboundError::Refused.class(),
            TargetError::Secret => "secret",
        })?;
        let signers = target.signers(message.sent_at);
        let headers = headers(endpoint.surface, endpoint.signature_version, &signers, message);
        let headers = headers.map_err(|_| "header")?;
        drop(signers);
        Ok((target, headers))
    }

    fn judge(
        &self,
        answer: &Result<Acknowledgement, ErrorClass>,
        turn: u32,
        ended_at: Timestamp,
    ) -> (Verdict, Option<ErrorClass>) {
        let asked = match answer {
            Ok(answer) if answer.status.is_success() => return (Verdict::Delivered, None),
            Ok(answer) if answer.status == StatusCode::GONE => return (Verdict::Gone, Some("gone")),
            Ok(answer) => retry_after(&answer.headers, ended_at),
            Err(_) => None,
        };
        let error = match answer {
            Ok(answer) if answer.status.is_redirection() => "redirect",
            Ok(_) => "status",
            Err(class) => class,
        };
        let delay = self.schedule.delay_after(turn, asked);
        (delay.map_or(Verdict::Failed, |delay| Verdict::RetryAt(ended_at.plus(delay))), Some(error))
    }
}

fn report(outcome: &Outcome) {
    let Outcome { event_id, endpoint_id, attempt, status_code, error, .. } = outcome;
    let name = match outcome.verdict {
        Verdict::Delivered => "delivered",
        Verdict::RetryAt(_) => "retry",
        Verdict::Failed => "failed",
        Verdict::Gone => "gone",
    };
    metrics::counter!("lectern_webhook_attempts_total", "outcome" => name).increment(1);
    match outcome.verdict {
        Verdict::Delivered => tracing::debug!(%event_id, %endpoint_id, attempt, status_code, "webhook delivered"),
        Verdict::RetryAt(at) => {
            tracing::info!(%event_id, %endpoint_id, attempt, status_code, error, retry_at = %at, "webhook attempt failed");
        }
        Verdict::Failed | Verdict::Gone => {
            tracing::warn!(%event_id, %endpoint_id, attempt, status_code, error, "webhook delivery failed");
        }
    }
}
