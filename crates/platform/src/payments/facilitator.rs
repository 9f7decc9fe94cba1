//! Calls of the facilitator.

use std::time::Duration;

use edge::problem::Problem;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use kernel::secret::SecretString;
use net::{OpenOperatorClientError, OperatorClient, OutboundError, Url};
use serde_json::Value;
use x402::facilitator::{Settlement, Verification, read_settlement, read_verification, request};
use x402::{Offer, Payment};

const VERIFY_TIMEOUT: Duration = Duration::from_secs(10);
/// A transfer may have to wait for a block or two.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(40);
const LONGEST_ANSWER: usize = 64 * 1024;
/// What a client is told to wait when the facilitator is away.
const AWAY: Duration = Duration::from_secs(5);

/// Verifies and settles payments.
pub(super) struct Facilitator(OperatorClient);

/// What came of asking for a settlement.
pub(super) enum Settled {
    /// The facilitator said what it did.
    Said(Settlement),
    /// It was not asked: nothing reached it.
    NotSent(&'static str),
    /// It was asked, and did not say.
    Unknown(String),
}

impl Facilitator {
    pub(super) fn open(
        url: &Url,
        token: Option<&SecretString>,
        extra_ca_pem: Option<&[u8]>,
    ) -> Result<Self, OpenOperatorClientError> {
        super::client(url, token, extra_ca_pem).map(Self)
    }

    /// # Errors
    /// 503 where there is no verdict.
    pub(super) async fn verify(&self, payment: &Payment, offer: &Offer) -> Result<Verification, Problem> {
        let body = request(payment, &offer.requirements(payment.version));
        let answer = self.post("verify", &body, VERIFY_TIMEOUT).await;
        let verdict = answer.as_ref().ok().and_then(|(_, answer)| read_verification(answer));
        verdict.ok_or_else(|| {
            let why = answer.map_or_else(|error| error.to_string(), |(status, _)| format!("it answered {status}"));
            tracing::warn!(why, "the x402 facilitator gave no verdict");
            away()
        })
    }

    pub(super) async fn settle(&self, payment: &Payment, requirements: &Value) -> Settled {
        match self.post("settle", &request(payment, requirements), SETTLE_TIMEOUT).await {
            Ok((status, answer)) => match read_settlement(&answer) {
                Some(Settlement::Refused(why)) if status.is_server_error() => Settled::Said(Settlement::Doubtful(why)),
                Some(settlement) => Settled::Said(settlement),
                None if status == StatusCode::TOO_MANY_REQUESTS => Settled::NotSent("the facilitator is busy"),
                None => Settled::Unknown(format!("the facilitator answered {status}")),
            },
            Err(OutboundError::Refused | OutboundError::Dns | OutboundError::Connect | OutboundError::Tls) => {
                Settled::NotSent("the facilitator can't be reached")
            }
            Err(error) => Settled::Unknown(error.to_string()),
        }
    }

    /// What the facilitator supports, for the doctor.
    pub(super) async fn supported(&self) -> Result<(StatusCode, Value), OutboundError> {
        let answer = self.0.get("supported", HeaderMap::new(), VERIFY_TIMEOUT, LONGEST_ANSWER).await?;
        read(answer, VERIFY_TIMEOUT).await
    }

    async fn post(&self, path: &str, body: &Value, within: Duration) -> Result<(StatusCode, Value), OutboundError> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let answer = self.0.post(path, headers, body.to_string().into_bytes(), within, LONGEST_ANSWER).await?;
        read(answer, within).await
    }
}

/// Status and JSON of an answer; null for what is no JSON.
pub(super) async fn read(mut answer: net::Incoming, within: Duration) -> Result<(StatusCode, Value), OutboundError> {
    let status = answer.status();
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk(within).await? {
        body.extend_from_slice(&chunk);
    }
    Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
}

/// Nothing is stored, nothing is paid: the same payment may come again.
pub(super) fn away() -> Problem {
    Problem::NotReady { message: "The payment can't be verified at the moment. Nothing was paid.", retry_after: AWAY }
}
