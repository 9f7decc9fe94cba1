//! `POST /auth/setup`: makes the first administrator, and signs them in.

use std::net::SocketAddr;

use axum::Extension;
use axum::extract::{ConnectInfo, Request, State};
use axum::response::{IntoResponse as _, Response};
use edge::admins;
use edge::answer::Answer;
use edge::audit::{self, PersonalChange};
use edge::body::{Body, Check as _, JsonBody, any_text, label, text};
use edge::passwords;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::{self, Method, login};
use http::StatusCode;
use http::header::SET_COOKIE;
use kernel::id::{ClassroomId, OrganizationId, WorkspaceId};
use kernel::secret::{ExposeSecret as _, SecretString, random_token};
use serde::Serialize;
use store::Tx;

use super::{DONE, Installation, NewInstallation, status};
use crate::Identity;
use crate::forms::LONGEST_BODY_BYTES;
use crate::invitations::create::address;

const FOREIGN: Problem = Problem::Forbidden(
    "This is only possible from this service's own pages. Behind a proxy, set LECTERN_BASE_URL to the public address first.",
);

/// The first administrator, and what is to be there.
#[derive(Body)]
pub struct SetupRequest {
    /// The code that the service printed when it started.
    #[field(text(1..=100), example = "3f9a2-77c01-aa0b1-9cde4")]
    code: String,
    /// The administrator's e-mail address.
    #[field(text(1..=254).format("email").parsed(address), example = "admin@example.com")]
    email: String,
    /// At least 8 characters.
    #[field(
        text(passwords::FEWEST_CHARACTERS..=passwords::MOST_BYTES).format("password").map(SecretString::from),
        example = "correct horse battery staple"
    )]
    password: SecretString,
    /// The first organization's name, 1 to 200 characters.
    #[field(label(1..=200), example = "Riverside School")]
    organization: String,
    /// The first classroom's name, 1 to 200 characters.
    #[field(label(1..=200), example = "Biology 7b")]
    classroom: String,
    /// An IANA time zone name.
    #[field(any_text().parsed(login::time_zone), example = "Europe/Berlin")]
    timezone: String,
}

/// What was made. The keys are shown this once.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetupResult {
    /// The address to sign in with.
    #[schema(format = "email")]
    email: String,
    #[schema(value_type = String, format = "uuid")]
    organization_id: OrganizationId,
    #[schema(value_type = String, format = "uuid")]
    classroom_id: ClassroomId,
    #[schema(value_type = String, format = "uuid")]
    workspace_id: WorkspaceId,
    /// The raw content key.
    content_api_key: Option<String>,
    /// The raw platform key.
    platform_api_key: Option<String>,
}

/// Makes the first administrator of an empty installation, who operates the service, with an organization, a classroom, a workspace and
/// a key of each surface. It takes the code that the service printed, and is gone when somebody has an account. The answer
/// signs the administrator in.
#[utoipa::path(
    post, path = "/auth/setup", tag = "First run", operation_id = "createSetup", security(()), request_body = SetupRequest,
    responses(
        (status = 201, description = "Made, and signed in", body = SetupResult),
        (status = 400, description = "The body is invalid, or the code is wrong", body = ContentErrorBody),
        (status = 403, description = "The request comes from another site", body = ContentErrorBody),
        (status = 404, description = "Somebody has an account already", body = ContentErrorBody),
        (status = 409, description = "Something of these names was made in the meantime", body = ContentErrorBody),
        (status = 413, description = "The body is larger than 8 KiB", body = ContentErrorBody),
        (status = 429, description = "Too many wrong codes, or too many passwords at once", body = ContentErrorBody),
    )
)]
pub async fn create(
    State(identity): State<Identity>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    request: Request,
) -> Result<Response, Problem> {
    if !identity.door.own_origin.is_proven_by(request.headers()) {
        return Err(FOREIGN);
    }
    if !status::is_open(&identity).await? {
        return Err(DONE);
    }
    let request: SetupRequest = JsonBody::of_short_request(request, LONGEST_BODY_BYTES).await.read()?;
    let peer = peer.map(|Extension(ConnectInfo(peer))| peer.ip());
    identity.admit_code(&request.code, peer).await?;
    let (token, result) = make(&identity, request).await?;
    let mut response = Answer::json(StatusCode::CREATED, &result).into_response();
    response.headers_mut().insert(SET_COOKIE, sessions::cookie_of(&identity.door, &token));
    Ok(response)
}

/// Makes everything and the session in one transaction, which a second browser's waits for.
async fn make(identity: &Identity, request: SetupRequest) -> Result<(SecretString, SetupResult), Problem> {
    let installer = identity.installer.clone().ok_or(DONE)?;
    let SetupRequest { email, password, organization, classroom, timezone, .. } = request;
    let password_hash = crate::password_hash(password).await?;
    let new = NewInstallation { email: email.clone(), password_hash, organization, classroom };
    let token = SecretString::from(random_token(&identity.door.ambient));
    let given = token.clone();
    let install = move |tx: &mut Tx<'_>| {
        if admins::is_anybody(tx)? {
            return Err(DONE);
        }
        let made = installer.install(tx, &new)?;
        let joined = PersonalChange { organization: Some(made.organization), ..PersonalChange::default() };
        audit::record_of_person(tx, "createSetup", made.user, &joined)?;
        sessions::open(tx, &given, made.user, &timezone, Method::Password)?;
        Ok(made)
    };
    let made = identity.door.store.write("first_run.create", install).await?;
    Ok((token, SetupResult::of(email, &made)))
}

impl SetupResult {
    fn of(email: String, made: &Installation) -> Self {
        let raw = |key: &Option<SecretString>| key.as_ref().map(|key| key.expose_secret().to_owned());
        Self {
            email,
            organization_id: made.organization,
            classroom_id: made.classroom,
            workspace_id: made.workspace,
            content_api_key: raw(&made.content_key),
            platform_api_key: raw(&made.platform_key),
        }
    }
}
