//! `POST /v1/platform/agent/billing/session` (platform-api section 5).
//!
//! The processor is asked between two transactions. The first writes the visit, so that a repeated request goes on with the same
//! one: its id is the processor's idempotency key. The second writes the answer.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{At, Body, Check, OptionalJsonBody, any_text, integer};
use edge::door::Access;
use edge::idempotency::{Claim, Kept, Repeatable, Retention};
use edge::problem::{PlatformErrorBody, Problem};
use http::StatusCode;
use kernel::id::{BillingSessionId, WorkspaceId};
use kernel::money::MicroUsd;
use kernel::secret::sha256_hex;
use kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{KeyedRecord as _, Record as _, Tx, sql};
use url::{Host, Url};

use super::{BillingSession, Mode, State as Progress};
use crate::Platform;
use crate::billing::processor::Processor;
use crate::billing::processor::calls::{MadeSession, NewCustomer, NewSession};
use crate::billing::{problem_of, take_turn};
use crate::callers::{self, Credential};
use crate::credentials::UnverifiedKeys;
use crate::named::NamedInQuery;
use crate::workspaces::{Workspace, processor_customer};

/// USD 999,999.99: processors take no larger payment at once.
const MOST_CREDITS: u64 = 99_999_999;
const LONGEST_URL: usize = 2048;

/// What to go to the processor's page for.
#[derive(Body)]
pub(super) struct CreateBillingSessionRequest {
    /// `setup` registers a payment method, `payment` buys credits; `setup` when it is absent.
    #[field(default)]
    mode: Mode,
    /// Credits of USD 0.01 to buy, a whole number from 1. Required with `payment`, and not taken with `setup`.
    #[field(integer(1..=MOST_CREDITS), example = 500, rule = belongs_to(mode, credits))]
    credits: Option<u64>,
    /// Where the page leads when it is done: an https address. The operator's when it is absent.
    #[field(page_url(), example = "https://app.example.com/billing/done")]
    success_url: Option<String>,
    /// Where the page leads when the person leaves it: an https address. The operator's when it is absent.
    #[field(page_url(), example = "https://app.example.com/billing")]
    cancel_url: Option<String>,
}

/// The rule of credits: they are bought or not mentioned.
fn belongs_to(at: &mut At<'_>, mode: &Mode, credits: &Option<u64>) {
    match (mode, credits) {
        (Mode::Payment, None) => drop(at.member("credits").refuse::<()>("is required with the mode payment")),
        (Mode::Setup, Some(_)) => drop(at.member("credits").refuse::<()>("is taken with the mode payment only")),
        _ => {}
    }
}

/// An address that a browser is sent to, as the caller wrote it: processors fill in names in braces.
fn page_url() -> impl Check<Value = String> {
    let text = any_text().length(0..=LONGEST_URL).format("uri");
    text.parsed(|text| {
        if is_page_url(&text) {
            Ok(text)
        } else {
            Err("must be an https address of at most 2048 characters, without a password")
        }
    })
}

/// Whether a person may be sent there: by https, or to this very machine.
fn is_page_url(text: &str) -> bool {
    let Some(url) =
        Some(text).filter(|text| text.chars().count() <= LONGEST_URL).and_then(|text| Url::parse(text).ok())
    else {
        return false;
    };
    let is_local = match url.host() {
        Some(Host::Domain(host)) => host == "localhost",
        Some(Host::Ipv4(host)) => host.is_loopback(),
        Some(Host::Ipv6(host)) => host.is_loopback(),
        None => false,
    };
    let is_safe = url.scheme() == "https" || (url.scheme() == "http" && is_local);
    is_safe && url.has_host() && url.username().is_empty() && url.password().is_none()
}

/// A page of the processor.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BillingSession)]
pub struct ShownSession {
    /// Where to send the person.
    #[schema(format = "uri", example = "https://checkout.processor.example/c/pay/cs_test_a1")]
    url: String,
    /// When the page ends.
    expires_at: Timestamp,
}

/// A visit that is begun.
#[derive(Clone)]
struct Begun {
    session: BillingSession,
    workspace: Workspace,
    customer_key: String,
    claim: Option<Claim>,
}

/// The first transaction's answer, as it is kept for a repeated request.
#[derive(Serialize, Deserialize)]
struct BegunId {
    id: BillingSessionId,
}

/// Makes a page of the payment processor on which a person registers a payment method or buys credits.
///
/// The workspace becomes the processor's customer when it is not yet. What the person did there is known as soon as the processor
/// reports it. A workspace without credits, and one whose e-mail address is not verified, may ask too.
#[utoipa::path(
    post, path = "/v1/platform/agent/billing/session", tag = "Agent", operation_id = "createBillingSession",
    request_body = Option<CreateBillingSessionRequest>,
    params(NamedInQuery),
    responses(
        (status = 201, description = "The page is ready", body = ShownSession),
        (status = 409, description = "There is no payment processor, it refuses the request, or the idempotency key was used for \
            another request", body = PlatformErrorBody),
    )
)]
pub async fn create(
    State(platform): State<Platform>,
    credential: Credential<UnverifiedKeys>,
    named: NamedInQuery,
    repeatable: Repeatable,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Result<Answer, Problem> {
    let parts = platform.clone();
    let (begun, urls) =
        callers::act(Access::Claim, &platform.door, credential, "billing_session.begin", move |tx, caller| {
            let read = body.read::<CreateBillingSessionRequest>();
            let (key, (named, request)) = Problem::both(repeatable.key(), Problem::both(named.optional(), read))?;
            let workspace = caller.workspace(tx, named)?;
            parts.processor()?;
            let keyed = key.of(|| json!({ "workspace": workspace, "body": body.value().ok() }));
            let scope = caller.idempotency_scope();
            let part = keyed.as_ref().map(|keyed| keyed.claim_part(scope.clone(), "begin"));
            let claim = keyed.map(|keyed| keyed.claim(scope, Retention::Day));
            let begun = parts.door.idempotency.once(tx, part.as_ref(), |tx| {
                let id = begin(tx, workspace, &request)?;
                Ok((Answer::ok(&BegunId { id }), Kept::Same))
            })?;
            let BegunId { id } = serde_json::from_str(&begun.body).map_err(Problem::unexpected)?;
            Ok((load(tx, id, claim)?, (request.success_url, request.cancel_url)))
        })
        .await?;
    let processor = platform.processor()?;
    let made = match made_before(&begun.session) {
        Some(made) => made,
        None => ask(&platform, processor, &begun, urls).await.map_err(|error| *error)?,
    };
    finish(&platform, begun, made).await
}

/// Writes the visit.
fn begin(
    tx: &mut Tx<'_>,
    workspace: WorkspaceId,
    request: &CreateBillingSessionRequest,
) -> Result<BillingSessionId, Problem> {
    let amount = request.credits.map_or(Some(MicroUsd::ZERO), MicroUsd::from_credits);
    let session = BillingSession {
        id: tx.ambient().id(),
        workspace_id: workspace,
        mode: request.mode,
        amount: amount.ok_or_else(|| Problem::field("credits", "is too much"))?,
        state: Progress::Open,
        customer_id: None,
        processor_id: None,
        url: None,
        expires_at: None,
        top_up_id: None,
        created_at: tx.now(),
        ended_at: None,
    };
    session.insert(tx)?;
    Ok(session.id)
}

fn load(tx: &mut Tx<'_>, id: BillingSessionId, claim: Option<Claim>) -> Result<Begun, Problem> {
    let session = load_session(tx, id)?;
    let workspace = Workspace::load(tx, session.workspace_id)?;
    let deleted = sql!(
        "SELECT count(*) FROM processor_event
         WHERE workspace_id = {workspace.id} AND type = 'customer.deleted' AND outcome = 'applied'"
    )
    .find(tx, |row| row.get::<i64>(0))?;
    // The processor refuses a key that comes with other parameters, and gives the deleted customer again for an old one.
    let about = json!([deleted, workspace.name, workspace.email]).to_string();
    let customer_key = format!("customer:{}:{}", workspace.id, &sha256_hex(about.as_bytes())[..16]);
    Ok(Begun { session, workspace, customer_key, claim })
}

fn load_session(tx: &mut Tx<'_>, id: BillingSessionId) -> Result<BillingSession, Problem> {
    let found =
        sql!("SELECT {BillingSession::*} FROM billing_session WHERE id = {id}").find(tx, BillingSession::from_row)?;
    found.ok_or(Problem::NotFound("Billing session"))
}

/// The page of a request that was carried out before.
fn made_before(session: &BillingSession) -> Option<MadeSession> {
    Some(MadeSession {
        processor_id: session.processor_id.clone()?,
        url: session.url.clone()?,
        expires_at: session.expires_at?,
    })
}

/// Asks the processor for the customer, where there is none, and for the page.
async fn ask(
    platform: &Platform,
    processor: &Processor,
    begun: &Begun,
    (success_url, cancel_url): (Option<String>, Option<String>),
) -> Result<MadeSession, Box<Problem>> {
    let Begun { session, workspace, customer_key, .. } = begun;
    let known = session.customer_id.clone().or_else(|| workspace.processor_customer_id.clone());
    let customer = match known {
        Some(customer) => customer,
        None => {
            let new = NewCustomer {
                workspace: workspace.id,
                name: &workspace.name,
                email: workspace.email.as_deref(),
                idempotency_key: customer_key.clone(),
            };
            processor.create_customer(&new).await.map_err(problem_of)?
        }
    };
    let (id, workspace_id) = (session.id, session.workspace_id);
    let note = move |tx: &mut Tx<'_>| note_customer(tx, id, workspace_id, &customer);
    let customer = platform.door.store.claim("billing_session.customer", note).await?;
    let options = processor.options();
    let new = NewSession {
        id,
        workspace: workspace_id,
        customer: &customer,
        amount: (session.mode == Mode::Payment).then_some(session.amount),
        success_url: success_url.as_deref().unwrap_or(options.success_url.as_str()),
        cancel_url: cancel_url.as_deref().unwrap_or(options.cancel_url.as_str()),
    };
    Ok(processor.create_session(&new).await.map_err(problem_of)?)
}

/// Fixes the customer of a visit: the workspace's, which becomes this one where it had none.
fn note_customer(
    tx: &mut Tx<'_>,
    id: BillingSessionId,
    workspace: WorkspaceId,
    customer: &str,
) -> Result<String, Problem> {
    take_turn(tx, workspace)?;
    let mut session = load_session(tx, id)?;
    if let Some(fixed) = session.customer_id {
        return Ok(fixed);
    }
    let fixed = processor_customer::set(tx, workspace, customer)?.unwrap_or_else(|| customer.to_owned());
    session.customer_id = Some(fixed.clone());
    session.update(tx)?;
    Ok(fixed)
}

/// Writes the page and the answer.
async fn finish(platform: &Platform, begun: Begun, made: MadeSession) -> Result<Answer, Problem> {
    let (parts, id) = (platform.clone(), begun.session.id);
    let workspace = begun.session.workspace_id;
    let write = move |tx: &mut Tx<'_>| {
        parts.door.idempotency.once(tx, begun.claim.as_ref(), |tx| {
            take_turn(tx, workspace)?;
            let mut session = load_session(tx, id)?;
            session.processor_id = Some(made.processor_id.clone());
            session.url = Some(made.url.clone());
            session.expires_at = Some(made.expires_at);
            session.update(tx)?;
            let shown = ShownSession { url: made.url.clone(), expires_at: made.expires_at };
            Ok((Answer::json(StatusCode::CREATED, &shown), Kept::Same))
        })
    };
    platform.door.store.claim("billing_session.finish", write).await
}

#[cfg(test)]
mod tests;
