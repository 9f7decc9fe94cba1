//! The one place that every generation comes past when it ends, whoever asked for it: directly, or as an output of an
//! expansion. It runs in the transaction that ends the generation, exactly once for each.
//!
//! What a workspace that is linked to the organization is told and charged for follows from here.

use billing::usage::{self, NewUsage, Service};
use events::platform::{PlatformEvent, PlatformFact, record_for_workspace};
use kernel::id::OrganizationId;
use kernel::money::MicroUsd;
use serde_json::{Map, Value, json};
use store::{StoreError, Tx};

use crate::links::Links;
use crate::resources::{Failure, Kind};

/// Finds the workspaces that are linked to an organization. They belong to the platform surface, which this crate doesn't
/// know: the program puts the two together.
pub type LinkedWorkspaces = fn(&mut Tx<'_>, OrganizationId) -> Result<Vec<String>, StoreError>;

/// A generation that has ended.
pub(crate) struct Ended<'a> {
    pub(crate) organization: OrganizationId,
    /// What was to be made.
    pub(crate) kind: Kind,
    /// By what the client knows its request: the resource that it asked for, or the expansion.
    pub(crate) request_id: &'a str,
    pub(crate) ending: Ending<'a>,
}

/// How it ended.
pub(crate) enum Ending<'a> {
    /// The resource is whole, and stored.
    Made { resource_id: &'a str, title: &'a str, is_public: bool, links: &'a Links },
    /// There is nothing to look at; a resource only where one was stored before it was generated.
    Failed { resource_id: Option<&'a str>, failure: &'a Failure },
}

/// Tells each linked workspace that a generation has ended (platform-api section 6).
///
/// # Errors
/// Any [`StoreError`].
pub(crate) fn announce(tx: &mut Tx<'_>, linked: LinkedWorkspaces, ended: &Ended<'_>) -> Result<(), StoreError> {
    let workspaces = linked(tx, ended.organization)?;
    if workspaces.is_empty() {
        return Ok(());
    }
    if let Some(fact) = fact(ended) {
        workspaces.iter().try_for_each(|workspace| record_for_workspace(tx, workspace, &fact).map(|_| ()))?;
    }
    workspaces.iter().try_for_each(|workspace| count(tx, workspace, ended))
}

/// Counts what was made in a workspace's statistics. Generation is free.
fn count(tx: &mut Tx<'_>, workspace: &str, ended: &Ended<'_>) -> Result<(), StoreError> {
    let Ending::Made { resource_id, .. } = ended.ending else { return Ok(()) };
    let (Ok(workspace), Ok(subject)) = (workspace.parse(), resource_id.parse()) else { return Ok(()) };
    let service = match ended.kind {
        Kind::Module => Service::Module,
        Kind::Course => Service::Course,
        Kind::Test => Service::Test,
        Kind::Slide => Service::Slide,
        Kind::Video => Service::Video,
    };
    let free = MicroUsd::ZERO;
    usage::record(
        tx,
        &NewUsage {
            workspace,
            organization: Some(ended.organization),
            service,
            subject,
            credit_cost: free,
            billable: free,
            finalized: free,
            input_tokens: 0,
            output_tokens: 0,
        },
    )
}

/// The event with the document's fields. There is none of modules.
fn fact(ended: &Ended<'_>) -> Option<PlatformFact> {
    let told = match ended.kind {
        Kind::Module => None,
        Kind::Course => {
            let events = (PlatformEvent::CourseDeployed, PlatformEvent::CourseCompleted);
            Some(deployable(ended, events, "courseRequestId", "courseId"))
        }
        Kind::Test => {
            let events = (PlatformEvent::TestDeployed, PlatformEvent::TestCompleted);
            Some(deployable(ended, events, "testRequestId", "classroomTestId"))
        }
        Kind::Slide => Some(completable(ended, PlatformEvent::SlideCompleted, "slideRequestId", "platformSlideId")),
        Kind::Video => Some(completable(ended, PlatformEvent::VideoCompleted, "videoRequestId", "videoId")),
    };
    let subject_id = match ended.ending {
        Ending::Made { resource_id, .. } => resource_id,
        Ending::Failed { resource_id, .. } => resource_id.unwrap_or(ended.request_id),
    };
    told.map(|(event, fields)| PlatformFact { event, subject_id: subject_id.to_owned(), fields })
}

type Told = (PlatformEvent, Map<String, Value>);

/// A kind with an event of its own for failures.
fn deployable(
    ended: &Ended<'_>,
    (made, failed): (PlatformEvent, PlatformEvent),
    request: &'static str,
    resource: &'static str,
) -> Told {
    let request_id = (request, json!(ended.request_id));
    match ended.ending {
        Ending::Made { resource_id, title, is_public, links } => {
            let fields = [
                request_id,
                (resource, json!(resource_id)),
                ("status", json!("COMPLETED")),
                ("title", json!(title)),
                ("previewUrl", json!(links.preview(ended.kind, &resource_id))),
                ("publicUrl", json!(links.public(ended.kind, &resource_id, is_public))),
            ];
            (made, object(fields))
        }
        Ending::Failed { failure, .. } => {
            (failed, object([request_id, ("status", json!("FAILED")), ("error", json!(failure.message))]))
        }
    }
}

/// A kind whose one event tells by its status how it ended.
fn completable(ended: &Ended<'_>, event: PlatformEvent, request: &'static str, resource: &'static str) -> Told {
    let (resource_id, status, preview) = match ended.ending {
        Ending::Made { resource_id, links, .. } => {
            (Some(resource_id), "COMPLETED", Some(links.preview(ended.kind, &resource_id)))
        }
        Ending::Failed { resource_id, .. } => (resource_id, "FAILED", None),
    };
    let fields = [
        (request, json!(ended.request_id)),
        (resource, json!(resource_id)),
        ("status", json!(status)),
        ("previewUrl", json!(preview)),
    ];
    (event, object(fields))
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests;
