//! The body of a request for an evaluation: JSON, or a multipart form with the same fields and files beside them
//! (platform-api section 4). A form becomes the JSON that it stands for, so that both are judged by the same rules.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::multipart::{Field, Multipart};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Request};
use edge::body::{BodyRules, JsonBody, read_whole};
use edge::problem::{Detail, Problem};
use files::{Incoming, MAX_FILE_BYTES, TooLarge};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use kernel::turns::FairTurn;
use serde_json::{Map, Value};

use super::Role;
use crate::Platform;
use crate::callers::{self, Credential};

/// The longest form with everything in it, in bytes.
const MAX_FORM_BYTES: usize = 25 * 1024 * 1024;
/// Files of a field (platform-api section 8).
const MOST_FILES: usize = 10;
/// More fields are not looked at.
const MOST_FIELDS: usize = 200;
const FORM_TIMEOUT: Duration = Duration::from_secs(120);
/// Forms of one workspace that wait to be read.
const MOST_FORMS_WAITING: usize = 16;
/// What a client is told to wait when it sends too many forms at once.
const BUSY: Duration = Duration::from_secs(5);

const GIVEN_TWICE: &str = "must be given once";

/// Fields that hold JSON text; the others are texts themselves.
const JSON_FIELDS: [&str; 7] =
    ["rubric", "rubricCriteria", "submitter", "conceptTags", "feedbackOptions", "clientMetadata", "maxScore"];

/// The texts of a form.
const TEXT_FIELDS: [&str; 13] = [
    "evaluationType",
    "questionText",
    "learnerAnswer",
    "tier",
    "language",
    "referenceAnswer",
    "subject",
    "gradeLevel",
    "difficulty",
    "learnerExternalId",
    "processingMode",
    "idempotencyKey",
    "mode",
];

/// Some clients give every part a file's name; only what nobody would read is refused.
fn is_field(name: &str) -> bool {
    JSON_FIELDS.contains(&name) || TEXT_FIELDS.contains(&name)
}

/// What a request brought. It never rejects the request by itself: the caller has to be known first.
pub(super) struct EvaluationBody {
    /// The fields.
    pub(super) fields: JsonBody,
    /// The files, or what is wrong with them.
    pub(super) files: Result<Vec<Upload>, Problem>,
}

/// A file of a request.
#[derive(Clone, Debug)]
pub(super) struct Upload {
    pub(super) role: Role,
    pub(super) incoming: Incoming,
}

/// A turn to hold a form in memory, to be kept until its files are stored. `None` for JSON, which is small.
pub(super) type Reading = Option<FairTurn<String>>;

/// Reads the body. What is wrong with it is found in it; a form is read for a caller who may send one only.
///
/// # Errors
/// For a form, 401, 403 or 429 as the credential deserves, and 429 when the caller has too many forms on the way.
pub(super) async fn read_body(
    platform: &Platform,
    credential: &Credential,
    request: Request,
) -> Result<(EvaluationBody, Reading), Problem> {
    let media_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("multipart/form-data") {
        return Ok((EvaluationBody { fields: JsonBody::of_request(request).await, files: Ok(Vec::new()) }, None));
    }
    let owner = callers::read(&platform.door, credential.clone(), "evaluations.admit", |_, caller| {
        Ok(caller.idempotency_scope())
    })
    .await?;
    if platform.uploads.waiting(&owner) >= MOST_FORMS_WAITING {
        return Err(Problem::TooManyRequests { message: "Too many forms are being read.", retry_after: BUSY });
    }
    let turn = platform.uploads.take(owner).await;
    let body = read_form(request)
        .await
        .unwrap_or_else(|problem| EvaluationBody { fields: JsonBody::refused(problem), files: Ok(Vec::new()) });
    Ok((body, Some(turn)))
}

async fn read_form(request: Request) -> Result<EvaluationBody, Problem> {
    let rules = BodyRules {
        limit_bytes: MAX_FORM_BYTES,
        timeout: FORM_TIMEOUT,
        takes: |essence| essence == "multipart/form-data",
        otherwise: || Problem::UnsupportedMediaType,
    };
    let content_type = request.headers().get(CONTENT_TYPE).cloned().ok_or(Problem::UnsupportedMediaType)?;
    let bytes = read_whole(request, &rules).await?;
    let whole = Request::builder().method("POST").header(CONTENT_TYPE, content_type).body(Body::from(bytes));
    let mut whole = whole.map_err(Problem::unexpected)?;
    // The limit above is the form's; the framework's own is 2 MB.
    DefaultBodyLimit::disable().apply(&mut whole);
    let form = Multipart::from_request(whole, &()).await.map_err(|_| malformed())?;
    let mut parts = Parts::default();
    parts.read(form).await?;
    parts.finish()
}

/// The name that a client gives a file, in any of the ways that there are.
fn name_of_file(field: &Field<'_>) -> Option<String> {
    let disposition = field.headers().get(CONTENT_DISPOSITION)?;
    files::name::extended(disposition.as_bytes()).or_else(|| field.file_name().map(str::to_owned))
}

fn malformed() -> Problem {
    Problem::MalformedForm
}

/// What was read of a form so far.
#[derive(Default)]
struct Parts {
    fields: Map<String, Value>,
    tags: Vec<Value>,
    uploads: Vec<Upload>,
    faults: Vec<Detail>,
}

impl Parts {
    async fn read(&mut self, mut form: Multipart) -> Result<(), Problem> {
        let mut count = 0;
        while let Some(field) = form.next_field().await.map_err(|_| malformed())? {
            count += 1;
            if count > MOST_FIELDS {
                return Err(malformed());
            }
            let name = field.name().unwrap_or_default().to_owned();
            match Role::of_field(&name) {
                Some(role) => self.read_file(role, &name, field).await?,
                None if name_of_file(&field).is_some() && !is_field(&name) => {
                    self.fault(&name, "must be rubricFiles or answerFiles, as it is a file");
                }
                None => self.read_field(name, field).await?,
            }
        }
        Ok(())
    }

    async fn read_file(&mut self, role: Role, name: &str, field: Field<'_>) -> Result<(), Problem> {
        let claimed_type = field.content_type().map(str::to_owned);
        let claimed_name = name_of_file(&field);
        let bytes: Bytes = field.bytes().await.map_err(|_| malformed())?;
        // A browser sends a file field that nobody chose a file for as a part without a name and without bytes.
        if bytes.is_empty() && claimed_name.as_deref().is_none_or(str::is_empty) {
            return Ok(());
        }
        if self.uploads.iter().filter(|upload| upload.role == role).count() >= MOST_FILES {
            self.fault(name, &format!("must have at most {MOST_FILES} files"));
            return Ok(());
        }
        // Hashing and decoding ten megabytes takes longer than others may wait for this thread.
        let judged = tokio::task::spawn_blocking(move || {
            Incoming::judge(bytes, claimed_type.as_deref(), claimed_name.as_deref(), MAX_FILE_BYTES)
        });
        let judged = judged.await.map_err(Problem::unexpected)?;
        let incoming = judged.map_err(|TooLarge { limit_bytes }| Problem::TooLarge { limit_bytes })?;
        self.uploads.push(Upload { role, incoming });
        Ok(())
    }

    async fn read_field(&mut self, name: String, field: Field<'_>) -> Result<(), Problem> {
        let bytes = field.bytes().await.map_err(|_| malformed())?;
        let Ok(text) = std::str::from_utf8(&bytes) else {
            self.fault(&name, "must be UTF-8");
            return Ok(());
        };
        if text.contains('\0') {
            self.fault(&name, "must not have NUL characters");
            return Ok(());
        }
        let value = match name.as_str() {
            // An empty field of a form is one that was not filled in.
            name if text.trim().is_empty() && name != "learnerAnswer" => return Ok(()),
            // Also as people write forms: the field once for each tag.
            "conceptTags" if !text.trim_start().starts_with('[') && text.trim() != "null" => {
                self.tags.push(text.into());
                return Ok(());
            }
            name if JSON_FIELDS.contains(&name) => match kernel::json::parse(text.as_bytes()) {
                Ok(value) => value,
                Err(error) => {
                    self.fault(name, &format!("must be JSON: {error}"));
                    return Ok(());
                }
            },
            _ => text.into(),
        };
        if self.fields.insert(name.clone(), value).is_some() {
            self.fault(&name, GIVEN_TWICE);
        }
        Ok(())
    }

    fn fault(&mut self, path: &str, message: &str) {
        let detail = Detail { path: path.to_owned(), message: message.to_owned() };
        if !self.faults.contains(&detail) {
            self.faults.push(detail);
        }
    }

    fn finish(mut self) -> Result<EvaluationBody, Problem> {
        let tags = std::mem::take(&mut self.tags);
        if !tags.is_empty() && self.fields.insert("conceptTags".to_owned(), tags.into()).is_some() {
            self.fault("conceptTags", GIVEN_TWICE);
        }
        let fields = JsonBody::of(Value::Object(self.fields));
        let files = if self.faults.is_empty() { Ok(self.uploads) } else { Err(Problem::Invalid(self.faults)) };
        Ok(EvaluationBody { fields, files })
    }
}

#[cfg(test)]
mod tests;
