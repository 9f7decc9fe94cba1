//! What the OpenAPI document says of webhooks: requests that the service makes (platform-api section 6).

use events::document::{DeliveryHeaders, EVENT_ID};
use events::platform::PlatformEvent;
use kernel::id::EventId;
use kernel::time::Timestamp;
use serde_json::{Map, Value, json};
use utoipa::openapi::path::Paths;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Content as MediaType, PathItem, PathsBuilder};

pub(crate) const HEADERS: DeliveryHeaders = DeliveryHeaders {
    description: "Sent to every active endpoint of the workspace that wants the event. Check the signature before \
    anything else, answer soon, and treat an event whose `eventId` you know as a duplicate. What isn't answered with a \
    2xx is delivered again, as the operator of the service has set it: after 5, 25 and 125 seconds unless said \
    otherwise; a redirect is a failure.",
    event: ("X-Platform-Event", "evaluation.completed"),
    signature: (
        "X-Platform-Signature",
        "HMAC-SHA-256 of the body's bytes in lower-case hexadecimal digits, keyed with the endpoint's secret, or for an \
         endpoint whose `signatureVersion` is `hashed` with the lower-case hexadecimal SHA-256 digest of the secret. \
         While replaced secrets still sign, the first attempt is signed with the newest and each retry with the next \
         older one, in turn",
    ),
    id: "Standard Webhooks: the event's `eventId`",
    standard_signature: "Standard Webhooks: `v1,` and the signature of id, timestamp and body in Base64, keyed with what follows `whsec_` \
         in the secret, decoded, or with the secret's own bytes where it has another form; one for every secret that \
         signs, separated by spaces",
};

/// The webhooks by their events' names. Reserved events are never sent, so nothing is said of them.
pub(crate) fn webhooks() -> Paths {
    let document = |paths: PathsBuilder, event: &PlatformEvent| paths.path(event.name(), delivery(*event));
    PlatformEvent::ALL.iter().fold(PathsBuilder::new(), document).build()
}

fn delivery(event: PlatformEvent) -> PathItem {
    let (summary, fields) = told(event);
    let example = body(event, fields);
    let schema = example.iter().fold(ObjectBuilder::new(), |schema, (name, value)| {
        schema.property(name, member(event, name, value)).required(name)
    });
    let schema = match event {
        PlatformEvent::EvaluationCompleted => schema.property("version", version()),
        _ => schema,
    };
    let mut media = MediaType::new(Some(schema));
    media.example = Some(Value::Object(example));
    HEADERS.delivery(event.name(), summary, media)
}

/// What the event of a review has, and that of a first grade has not.
fn version() -> ObjectBuilder {
    let description =
        "Which grade of the evaluation this is, from 2; absent from the first. Of two that arrive, the higher counts.";
    ObjectBuilder::new().schema_type(Type::Integer).description(Some(description))
}

/// When an event is sent, and an example of its own fields.
fn told(event: PlatformEvent) -> (&'static str, Value) {
    const ID: &str = "01a1ff30-6b2a-72ae-a2de-cdf9131645c9";
    const OTHER: &str = "01a1ff30-6b2a-72ae-a2de-cdf9131645ca";
    const PREVIEW: &str = "https://lectern.example.com/preview/…";
    match event {
        PlatformEvent::EvaluationCompleted => (
            "An evaluation finished grading, or a person gave it another grade",
            json!({ "evaluationId": ID, "questionId": OTHER, "status": "COMPLETED", "evaluationType": "open_ended", "score": 7.5,
                "maxScore": 10, "normalizedScore": 75, "needsReview": false, "reviewReasons": [] }),
        ),
        PlatformEvent::EvaluationFailed => (
            "An evaluation failed",
            json!({ "evaluationId": ID, "questionId": OTHER, "status": "FAILED", "error": "The grader did not answer.",
                "needsReview": false, "reviewReasons": [] }),
        ),
        PlatformEvent::CourseDeployed => (
            "A course was generated",
            json!({ "courseRequestId": ID, "courseId": ID, "status": "COMPLETED", "title": "Cells",
                "previewUrl": PREVIEW, "publicUrl": null }),
        ),
        PlatformEvent::CourseCompleted => (
            "The generation of a course failed",
            json!({ "courseRequestId": ID, "status": "FAILED", "error": "The generator did not answer." }),
        ),
        PlatformEvent::SlideCompleted => (
            "The generation of a slide deck ended; `status` is `COMPLETED` or `FAILED`",
            json!({ "slideRequestId": ID, "platformSlideId": ID, "status": "COMPLETED", "previewUrl": PREVIEW }),
        ),
        PlatformEvent::VideoCompleted => (
            "The generation of a video's scenes ended; `status` is `COMPLETED` or `FAILED`",
            json!({ "videoRequestId": ID, "videoId": OTHER, "status": "COMPLETED", "previewUrl": PREVIEW }),
        ),
        PlatformEvent::TestDeployed => (
            "A test was generated",
            json!({ "testRequestId": ID, "classroomTestId": OTHER, "status": "COMPLETED", "title": "Cells",
                "previewUrl": PREVIEW, "publicUrl": null }),
        ),
        PlatformEvent::TestCompleted => (
            "The generation of a test failed",
            json!({ "testRequestId": ID, "status": "FAILED", "error": "The generator did not answer." }),
        ),
        PlatformEvent::LtiLaunchCompleted => (
            "An LTI launch was validated and stored",
            json!({ "sessionId": ID, "messageType": "LtiResourceLinkRequest", "deploymentId": "1",
                "resourceLinkId": "42", "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
                "contextId": "7", "traceId": OTHER }),
        ),
        PlatformEvent::LtiGradeSynced => (
            "A score was posted to the LMS",
            json!({ "sessionId": ID, "resourceLinkId": "42", "evaluationId": OTHER, "submissionId": null,
                "ltiRegistrationId": OTHER, "traceId": ID, "scoreGiven": 7.5, "scoreMaximum": 10, "userId": "29", "syncedAt": "2026-11-21T17:38:45.007Z" }),
        ),
        PlatformEvent::LtiGradeSyncFailed => (
            "A score could not be posted, after all retries",
            json!({ "sessionId": ID, "error": "The LMS did not answer." }),
        ),
        PlatformEvent::BillingLowBalance => (
            "The balance fell below what the workspace is warned of, once until credits are bought",
            json!({ "workspaceId": ID, "balanceUsd": 4.2, "thresholdUsd": 5 }),
        ),
        PlatformEvent::BillingCapReached => (
            "A spending cap was reached, once in its period: a soft one is spent, a hard one has no room for another evaluation \
             like the last",
            json!({ "workspaceId": ID, "keyId": OTHER, "period": "day", "level": "hard", "capUsd": 10, "spentUsd": 9.98 }),
        ),
        PlatformEvent::BillingPaymentFailed => (
            "A payment failed. `amountUsd` is null for another currency than US dollars",
            json!({ "workspaceId": ID, "amountUsd": 12.5, "amount": "12.50", "currency": "USD",
                "reason": "invoice.payment_failed" }),
        ),
        PlatformEvent::KeyExpiring => (
            "A key of the workspace ends within 14, 3 or 1 days, once for each",
            json!({ "workspaceId": ID, "keyId": OTHER, "keyName": "production", "days": 3, "expiresAt": "2026-11-24T17:38:45.007Z" }),
        ),
    }
}

/// An example of a whole body: what every event has, and its own fields.
fn body(event: PlatformEvent, fields: Value) -> Map<String, Value> {
    let every = json!({ "event": event.name(), "eventId": EVENT_ID, "createdAt": "2026-11-21T17:38:45.007Z" });
    let members = [every, fields].into_iter().filter_map(|part| match part {
        Value::Object(members) => Some(members),
        _ => None,
    });
    members.flatten().collect()
}

/// A text or nothing.
fn nullable() -> SchemaType {
    SchemaType::from_iter([Type::String, Type::Null])
}

/// A member as its example and its name tell.
fn member(event: PlatformEvent, name: &str, example: &Value) -> Schema {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let of_format =
        |format| ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(format)));
    match (name, example) {
        ("event", _) => text.enum_values(Some([event.name()])).into(),
        ("status", Value::String(status)) => match event {
            PlatformEvent::SlideCompleted | PlatformEvent::VideoCompleted => {
                text.enum_values(Some(["COMPLETED", "FAILED"])).into()
            }
            _ => text.enum_values(Some([status.as_str()])).into(),
        },
        // A score is of an evaluation or of a submission.
        ("evaluationId" | "submissionId", _) if event == PlatformEvent::LtiGradeSynced => {
            of_format(KnownFormat::Uuid).schema_type(nullable()).into()
        }
        // Null where the cap is the workspace's own.
        ("keyId", _) if event == PlatformEvent::BillingCapReached => {
            of_format(KnownFormat::Uuid).schema_type(nullable()).into()
        }
        // Null where the payment is in another currency, or the processor does not say.
        ("amountUsd", _) if event == PlatformEvent::BillingPaymentFailed => {
            ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::Number, Type::Null])).into()
        }
        ("amount" | "currency", _) if event == PlatformEvent::BillingPaymentFailed => {
            text.schema_type(nullable()).into()
        }
        // Null where the learner was erased before the evaluation ended.
        ("questionId", _) => of_format(KnownFormat::Uuid).schema_type(nullable()).into(),
        (_, Value::Bool(_)) => ObjectBuilder::new().schema_type(Type::Boolean).into(),
        (_, Value::Number(_)) => ObjectBuilder::new().schema_type(Type::Number).into(),
        (_, Value::Array(_)) => ArrayBuilder::new().items(text).into(),
        // What can be null is a page's address.
        (_, Value::Null) => {
            let address = text.format(Some(SchemaFormat::Custom("uri".to_owned())));
            address.schema_type(nullable()).into()
        }
        (_, Value::String(value)) if value.parse::<EventId>().is_ok() => of_format(KnownFormat::Uuid).into(),
        (_, Value::String(value)) if Timestamp::parse_rfc3339(value).is_some() => {
            of_format(KnownFormat::DateTime).into()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_that_is_sent_is_documented_with_an_example() {
        let document = serde_json::to_value(webhooks()).unwrap();
        let names: Vec<_> = document.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names.len(), PlatformEvent::ALL.len());
        for event in PlatformEvent::ALL {
            let media = &document[event.name()]["post"]["requestBody"]["content"]["application/json"];
            let (example, schema) = (media["example"].as_object().unwrap(), &media["schema"]);
            assert_eq!(example["event"], event.name());
            assert!(example.keys().all(|field| schema["properties"].get(field).is_some()), "{media}");
        }
    }
}
