//! The events of the platform surface (platform-api section 6): their names, and how one is recorded.
//!
//! A name is either dispatched or reserved. What is reserved can be subscribed to and has no [`PlatformEvent`], so
//! nothing can record it.

use kernel::id::EventId;
use kernel::time::Timestamp;
use serde_json::{Map, Value};
use store::{StoreError, Tx};

use crate::{NewEvent, Surface, record};

macro_rules! events {
    ({ $($(#[$doc:meta])* $event:ident = $name:literal,)* } reserved { $($reserved:literal,)* }) => {
        /// An event that workspaces are told.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PlatformEvent {
            $($(#[$doc])* $event,)*
        }

        impl PlatformEvent {
            /// Every event that is dispatched.
            pub const ALL: &[Self] = &[$(Self::$event,)*];

            /// The name, as receivers read it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$event => $name,)*
                }
            }
        }

        /// Accepted when subscribing, never dispatched.
        pub const RESERVED: &[&str] = &[$($reserved,)*];

        /// Every name that an endpoint can subscribe to, reserved ones included, each beside itself.
        pub const SUBSCRIBABLE: &[(&str, &str)] = &[$(($name, $name),)* $(($reserved, $reserved),)*];
    };
}

events! {
    {
        /// An evaluation finished grading.
        EvaluationCompleted = "evaluation.completed",
        /// An evaluation failed.
        EvaluationFailed = "evaluation.failed",
        /// A course was generated.
        CourseDeployed = "course.deployed",
        /// The generation of a course failed: in spite of its name.
        CourseCompleted = "course.completed",
        /// The generation of a slide deck ended.
        SlideCompleted = "slide.completed",
        /// The generation of a video's scenes ended; nothing is rendered.
        VideoCompleted = "video.completed",
        /// A test was generated.
        TestDeployed = "test.deployed",
        /// The generation of a test failed: in spite of its name.
        TestCompleted = "test.completed",
        /// An LTI launch was validated and stored.
        LtiLaunchCompleted = "lti.launch_completed",
        /// A score was posted to the LMS.
        LtiGradeSynced = "lti.grade_synced",
        /// A score could not be posted, after all retries.
        LtiGradeSyncFailed = "lti.grade_sync_failed",
        /// The balance fell below what the workspace is warned of.
        BillingLowBalance = "billing.low_balance",
        /// A spending cap was reached.
        BillingCapReached = "billing.cap_reached",
        /// A payment failed.
        BillingPaymentFailed = "billing.payment_failed",
        /// A key ends soon.
        KeyExpiring = "key.expiring",
    }
    reserved {
        "assessment.deployed",
        "assessment.submitted",
        "slide.deployed",
        "video.deployed",
        "lti.launch_failed",
    }
}

/// Something that a workspace is told.
#[derive(Clone, Debug)]
pub struct PlatformFact {
    /// What happened.
    pub event: PlatformEvent,
    /// What it happened to: an evaluation, a resource, a launch.
    pub subject_id: String,
    /// The event's documented fields. `event`, `eventId` and `createdAt` are added to them.
    pub fields: Map<String, Value>,
}

/// Records a fact and queues its deliveries to the workspace's endpoints that subscribed to it. Gives the event's id.
///
/// # Errors
/// Any [`StoreError`].
pub fn record_for_workspace(tx: &mut Tx<'_>, workspace_id: &str, fact: &PlatformFact) -> Result<EventId, StoreError> {
    let id: EventId = tx.ambient().id();
    let name = fact.event.name();
    let event = NewEvent {
        id,
        surface: Surface::Platform,
        owner_id: workspace_id.to_owned(),
        event_type: name,
        subject_id: fact.subject_id.clone(),
        body: body(name, id, tx.now(), fact.fields.clone()),
    };
    record(tx, &event)?;
    Ok(id)
}

/// The text that receivers get: the event's fields and what every event has.
pub(crate) fn body(name: &str, id: EventId, created_at: Timestamp, fields: Map<String, Value>) -> String {
    let mut body = Map::with_capacity(fields.len() + 3);
    body.insert("event".to_owned(), name.into());
    body.insert("eventId".to_owned(), id.to_string().into());
    body.insert("createdAt".to_owned(), created_at.to_string().into());
    for (field, value) in fields {
        debug_assert!(!body.contains_key(&field) || field == "event", "{field} is a field of every event");
        body.entry(field).or_insert(value);
    }
    Value::Object(body).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use kernel::ambient::Ambient;

    use super::*;

    #[test]
    fn the_names_are_those_of_the_documents_table() {
        let dispatched: Vec<_> = PlatformEvent::ALL.iter().map(|event| event.name()).collect();
        assert_eq!(
            dispatched,
            [
                "evaluation.completed",
                "evaluation.failed",
                "course.deployed",
                "course.completed",
                "slide.completed",
                "video.completed",
                "test.deployed",
                "test.completed",
                "lti.launch_completed",
                "lti.grade_synced",
                "lti.grade_sync_failed",
                // These are not of the document.
                "billing.low_balance",
                "billing.cap_reached",
                "billing.payment_failed",
                "key.expiring",
            ]
        );
        let reserved =
            ["assessment.deployed", "assessment.submitted", "slide.deployed", "video.deployed", "lti.launch_failed"];
        assert_eq!(RESERVED, reserved);
        let subscribable: HashSet<_> =
            SUBSCRIBABLE.iter().map(|(word, name)| (*word == *name).then_some(*name)).collect();
        assert_eq!(subscribable, dispatched.into_iter().chain(reserved).map(Some).collect());
    }

    #[test]
    fn a_body_has_its_fields_at_the_top_and_what_every_event_has() {
        let (ambient, _) = Ambient::fixed(Timestamp::from_millis(1_795_282_725_007), 1);
        let id: EventId = ambient.id();
        let fields = serde_json::json!({ "evaluationId": "7", "score": 7.5, "event": "another" });
        let Value::Object(fields) = fields else { unreachable!() };
        let text = body("evaluation.completed", id, ambient.now(), fields);
        assert_eq!(
            text,
            format!(
                r#"{{"event":"evaluation.completed","eventId":"{id}","createdAt":"2026-11-21T17:38:45.007Z","evaluationId":"7","score":7.5}}"#
            )
        );
    }
}
