//! `POST /v1/content/classrooms/{classroomId}/imports`: a package of another system, or of this one, becomes resources.
//!
//! One after the other: who asks is known and counted, there is room for the upload, it arrives, it is unpacked and
//! judged ([`drafts`], [`checks`]) with no transaction open, and one transaction stores everything ([`rows`]).

mod checks;
mod drafts;
mod rows;

use std::time::Duration;

use axum::extract::{Request, State};
use edge::answer::Answer;
use edge::body::{BodyRules, read_whole};
use edge::door::KeyCaller;
use edge::idempotency::Repeatable;
use edge::params::Params;
use edge::problem::{ContentErrorBody, Detail, Problem};
use interchange::limits::MAX_PACKAGE_BYTES;
use interchange::{Finding, ImportError};
use kernel::id::{CourseId, ModuleId, TestId};
use kernel::secret::sha256_hex;
use serde::Serialize;
use serde_json::json;
use store::Tx;

use self::drafts::Draft;
use super::desk::Size;
use super::report::ExchangeReport;
use crate::resources;
use crate::{Content, ContentKey, classroom_param, organization_of};

/// What is uploaded. What it is, its bytes say.
const MEDIA_TYPES: &[&str] = &[
    "application/zip",
    "application/octet-stream",
    "application/x-zip-compressed",
    "application/vnd.ims.imsccv1p1",
    "application/vnd.ims.imsccv1p2",
    "application/vnd.ims.imsccv1p3",
    "text/html",
    "application/xhtml+xml",
];
const RULES: BodyRules = BodyRules {
    limit_bytes: MAX_PACKAGE_BYTES,
    timeout: Duration::from_secs(60),
    takes: |essence| MEDIA_TYPES.contains(&essence),
    otherwise: || {
        Problem::UnsupportedUpload(
            "The Content-Type must be application/zip for a package or text/html for a page, without Content-Encoding.",
        )
    },
};
/// More findings than this are not worth listing when nothing is imported.
const MOST_DETAILS: usize = 100;

/// What came of an import.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportResult {
    /// The course of a cartridge; null where there is none.
    #[schema(required)]
    pub course: Option<ImportedCourse>,
    /// All modules, those of the course first and in its order.
    pub modules: Vec<ImportedModule>,
    /// All tests, those of the course first and in its order.
    pub tests: Vec<ImportedTest>,
    /// What could not be kept.
    pub report: ExchangeReport,
}

/// A course that was made.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedCourse {
    /// Names it.
    pub id: CourseId,
    /// What it is called.
    pub title: String,
}

/// A module that was made.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedModule {
    /// Names it.
    pub id: ModuleId,
    /// What it is called.
    pub title: String,
    /// `link` and `test` stand for a link and a test.
    #[serde(rename = "type")]
    #[schema(example = "markdown")]
    pub kind: String,
    /// The course that it is part of; null for a module of the classroom alone.
    #[schema(required)]
    pub course_id: Option<CourseId>,
    /// Its place in the course, from 1.
    #[schema(required)]
    pub sequence: Option<i64>,
}

/// A test that was made.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedTest {
    /// Names it.
    pub id: TestId,
    /// What it is called.
    pub name: String,
}

/// Imports a QTI package (2.0 to 3.0), a Common Cartridge (1.0 to 1.3) or an HTML page into a classroom. Everything that
/// is made is private. What can't be kept is in the report; an upload of which nothing can be kept is a 400.
#[utoipa::path(
    post, path = "/v1/content/classrooms/{classroomId}/imports", tag = "Exchange",
    operation_id = "importPackage", security(("contentKey" = [])),
    request_body(
        description = "The file itself, at most 20 MiB",
        content((super::export::PackageFile = "application/zip"), (super::export::PackageFile = "text/html"))
    ),
    responses(
        (status = 201, description = "What was made of it", body = ImportResult),
        (status = 400, description = "Nothing of it can be imported: each detail has the file in the package, and a code and a sentence", body = ContentErrorBody),
        (status = 413, description = "The upload is larger than 20 MiB", body = ContentErrorBody),
        (status = 415, description = "The upload is of another type", body = ContentErrorBody),
    )
)]
pub async fn import(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    repeatable: Repeatable,
    request: Request,
) -> Result<Answer, Problem> {
    let admit = |_: &mut Tx<'_>, caller: &KeyCaller| organization_of(caller);
    let organization = content.door.read_by_key(key.clone(), "exchange.admit", admit).await?;
    let (repeat_key, id) = Problem::both(repeatable.key(), classroom_param(&classroom))?;
    let _room = content.desk.room(organization).await?;
    let upload = read_whole(request, &RULES).await?;
    let unpacking = content.desk.hand(organization, Size::Many).await?.compute(move || {
        let digest = sha256_hex(&upload);
        let imported = interchange::import(&upload).map_err(|error| refusal(&error))?;
        Ok::<_, Problem>((digest, Draft::of(imported)?))
    });
    let (digest, draft) = unpacking.await??;
    let keyed = repeat_key.of(|| json!({ "path": [classroom], "upload": digest }));
    let links = content.links.clone();
    let act = move |tx: &mut Tx<'_>, organization, draft: &Draft| {
        let place = resources::load_place(tx, organization, id)?;
        rows::add(tx, &links, &place, draft)
    };
    resources::post(content, key, "imports.create", Ok(keyed), Ok(draft), act).await
}

/// Why nothing is imported: the file in the package, and a stable code with a sentence.
fn refusal(error: &ImportError) -> Problem {
    let detail =
        |path: &str, code: &str, message: &str| Detail { path: path.to_owned(), message: format!("{code}: {message}") };
    let mut details = vec![detail(error.file().unwrap_or_default(), error.code(), &error.to_string())];
    match error {
        ImportError::PackageTooLarge => return Problem::TooLarge { limit_bytes: MAX_PACKAGE_BYTES },
        ImportError::Nothing { report } => {
            let named = |finding: &Finding| {
                detail(&finding.file, json!(finding.code).as_str().unwrap_or_default(), &finding.message)
            };
            details.extend(report.findings.iter().take(MOST_DETAILS - 1).map(named));
        }
        _ => {}
    }
    Problem::Invalid(details)
}
