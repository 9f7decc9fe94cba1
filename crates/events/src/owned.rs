//! The operations of an owner on its webhook endpoints, with their refusals, as both APIs have them. Each works in the
//! caller's transaction. The surfaces decide who may act for the owner, and document the operations.
//! Where to read next: [`crate::endpoints`] and [`crate::deliveries`].

use edge::answer::Answer;
use edge::idempotency::Kept;
use edge::paging::Page;
use edge::problem::Problem;
use http::StatusCode;
use kernel::id::{EndpointId, EventId};
use kernel::secret::{Sealer, SecretString};
use store::{StoreError, Tx};

use crate::Surface;
use crate::deliveries::{self, Delivery, DeliveryState, LogQuery, RedeliverError};
use crate::endpoints::{
    self, CreateEndpointError, Endpoint, EndpointStatus, NewEndpoint, Registration, RotateSecretError, Rotation,
};
use crate::requests::RotateWebhookSecretRequest;
use crate::views::RotatedWebhookSecret;

/// The answer of both APIs where the caller has no endpoint of this id.
pub const NO_ENDPOINT: Problem = Problem::NotFound("Webhook endpoint");
const NO_DELIVERY: Problem = Problem::NotFound("Delivery");

/// Registers an endpoint, and gives its secret to be shown once.
///
/// # Errors
/// 409 where the owner has as many as there may be.
pub fn register(
    tx: &mut Tx<'_>,
    sealer: &Sealer,
    registration: Registration,
) -> Result<(Endpoint, SecretString), Problem> {
    let (new, secret) = NewEndpoint::new(tx.ambient(), sealer, registration);
    let surface = new.surface();
    let endpoint = endpoints::create(tx, &new).map_err(|error| match (error, surface) {
        (CreateEndpointError::TooMany, Surface::Content) => {
            Problem::Conflict("The organization has too many webhook endpoints.")
        }
        (CreateEndpointError::TooMany, Surface::Platform) => {
            Problem::Conflict("The workspace has too many webhook endpoints.")
        }
        (CreateEndpointError::Store(error), _) => error.into(),
    })?;
    Ok((endpoint, secret))
}

/// An endpoint of an owner for whom the caller may act.
#[derive(Clone, Debug)]
pub struct OwnedEndpoint {
    /// The surface whose events it gets.
    pub surface: Surface,
    /// The organization or workspace.
    pub owner_id: String,
    /// The endpoint.
    pub id: EndpointId,
}

impl OwnedEndpoint {
    /// Whether it is told anything.
    ///
    /// # Errors
    /// 404 where the owner has no such endpoint.
    pub fn status(&self, tx: &mut Tx<'_>) -> Result<EndpointStatus, Problem> {
        endpoints::find_status(tx, self.surface, &self.owner_id, self.id)?.ok_or(NO_ENDPOINT)
    }

    /// Deletes it with its deliveries.
    ///
    /// # Errors
    /// 404 where the owner has no such endpoint.
    pub fn delete(&self, tx: &mut Tx<'_>) -> Result<(), Problem> {
        let is_deleted = endpoints::delete(tx, self.surface, &self.owner_id, self.id)?;
        if is_deleted { Ok(()) } else { Err(NO_ENDPOINT) }
    }

    /// A page of its log, and how many deliveries the log has in this state.
    ///
    /// # Errors
    /// Any [`StoreError`].
    pub fn log(
        &self,
        tx: &mut Tx<'_>,
        state: Option<DeliveryState>,
        page: Page,
    ) -> Result<(Vec<Delivery>, u64), StoreError> {
        let total = deliveries::count(tx, self.id, state)?;
        let listed = match page.offset(total) {
            None => Vec::new(),
            Some(offset) => deliveries::list(tx, self.id, LogQuery { state, offset, limit: page.limit })?,
        };
        Ok((listed, total))
    }

    /// Sends it a delivery that only tries it out.
    ///
    /// # Errors
    /// 404 and 409, as [`RedeliverError`] says.
    pub fn send_test(&self, tx: &mut Tx<'_>) -> Result<(Answer, Kept), Problem> {
        let queued = deliveries::send_test(tx, self.surface, &self.owner_id, self.id)?;
        Ok((Answer::json(StatusCode::ACCEPTED, &queued), Kept::Same))
    }

    /// Delivers an event once more.
    ///
    /// # Errors
    /// 404 and 409, as [`RedeliverError`] says.
    pub fn redeliver(&self, tx: &mut Tx<'_>, event: EventId) -> Result<(Answer, Kept), Problem> {
        let queued = deliveries::redeliver(tx, self.surface, &self.owner_id, self.id, event)?;
        Ok((Answer::json(StatusCode::ACCEPTED, &queued), Kept::Same))
    }

    /// Replaces its secret.
    ///
    /// # Errors
    /// 404 and 409, as [`RotateSecretError`] says.
    pub fn rotate_secret(
        &self,
        tx: &mut Tx<'_>,
        sealer: &Sealer,
        request: RotateWebhookSecretRequest,
    ) -> Result<(Answer, Kept), Problem> {
        let (rotation, secret) = Rotation::new(tx.ambient(), sealer, self.id, request.secret, request.overlap);
        let rotated = endpoints::rotate_secret(tx, self.surface, &self.owner_id, &rotation)?;
        Ok((Answer::ok(&RotatedWebhookSecret::new(self.id, &secret, rotated)), Kept::Sealed))
    }
}

/// The event that a path names.
///
/// # Errors
/// 404 for what is no id.
pub fn event_param(text: &str) -> Result<EventId, Problem> {
    text.parse().map_err(|_| NO_DELIVERY)
}

impl From<RedeliverError> for Problem {
    fn from(error: RedeliverError) -> Self {
        match error {
            RedeliverError::UnknownEndpoint => NO_ENDPOINT,
            RedeliverError::UnknownDelivery => NO_DELIVERY,
            RedeliverError::Disabled => Self::Conflict("The endpoint is disabled: its receiver answered 410."),
            RedeliverError::Pending => Self::Conflict("The delivery is still being made."),
            RedeliverError::Store(error) => error.into(),
        }
    }
}

impl From<RotateSecretError> for Problem {
    fn from(error: RotateSecretError) -> Self {
        match error {
            RotateSecretError::Unknown => NO_ENDPOINT,
            RotateSecretError::TooMany => Self::Conflict(
                "Three replaced secrets sign already: wait for one to stop, or rotate with overlapSeconds 0.",
            ),
            RotateSecretError::Store(error) => error.into(),
        }
    }
}
