//! A job in a list, and what the document says of it: the job's own schema without the manifests of its outputs.

use edge::openapi::variant_of;
use serde::Serialize;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::expansions::rows::Expansion;
use crate::expansions::view::{ExpansionJob, OutputRow};

/// A job in a list: its outputs have no manifests.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct ListedExpansionJob(ExpansionJob);

impl ListedExpansionJob {
    pub(super) fn of(expansion: &Expansion) -> Self {
        Self(ExpansionJob::without_manifests(expansion))
    }
}

/// The document's name of an output of a listed job.
enum ListedOutput {}

impl PartialSchema for ListedExpansionJob {
    fn schema() -> RefOr<Schema> {
        let description = "An expansion job in a list, without the manifests of its outputs.";
        variant_of::<ExpansionJob>(description, |job| {
            if let Some(RefOr::T(Schema::Array(outputs))) = job.properties.get_mut("outputs") {
                outputs.items = Ref::from_schema_name(ListedOutput::name()).into();
            }
        })
    }
}

impl ToSchema for ListedExpansionJob {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((ListedOutput::name().into_owned(), ListedOutput::schema()));
        ExpansionJob::schemas(schemas);
    }
}

impl PartialSchema for ListedOutput {
    fn schema() -> RefOr<Schema> {
        variant_of::<OutputRow>("One requested output of a listed job.", |output| {
            output.properties.remove("manifest");
            output.required.retain(|name| name != "manifest");
        })
    }
}

impl ToSchema for ListedOutput {}
