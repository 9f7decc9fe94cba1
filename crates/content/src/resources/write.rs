//! Creating and changing resources: idempotency, versions, one transaction.
//!
//! Two editors at once never overwrite each other unseen. A change reads the resource and writes its row in one
//! transaction: on PostgreSQL the second of two fails to serialize and runs again, and sees the first one's
//! version; on SQLite there is one writer.

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, JsonBody};
use edge::door::KeyCaller;
use edge::idempotency::{Kept, KeyedRequest, Repeatable, Retention};
use edge::params::Params;
use edge::problem::Problem;
use edge::versions::IfMatch;
use http::StatusCode;
use kernel::id::{ClassroomId, OrganizationId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::Tx;

use super::{Resource, find, load_place};
use crate::links::Links;
use crate::{Content, ContentKey, classroom_param, organization_of};

/// A classroom of the caller's organization.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) organization: OrganizationId,
    pub(crate) classroom: ClassroomId,
    /// The language of what is made there without saying in which.
    pub(crate) locale: String,
}

impl Place {
    /// The organization and the classroom.
    pub(crate) fn ids(&self) -> (OrganizationId, ClassroomId) {
        (self.organization, self.classroom)
    }

    /// The language that a caller gave, or that of the classroom.
    pub(crate) fn language(&self, given: Option<&String>) -> String {
        given.unwrap_or(&self.locale).clone()
    }
}

/// A request with the variables of its path and its body, if it has a key.
///
/// # Errors
/// 400 for a key that is none.
pub(crate) fn keyed(
    repeatable: &Repeatable,
    path: impl Serialize,
    body: &JsonBody,
) -> Result<Option<KeyedRequest>, Problem> {
    Ok(repeatable.key()?.of(|| json!({ "path": path, "body": body.value().ok() })))
}

/// Carries out a POST that makes something, once for each idempotency key. `input` is what was read of the body.
pub(crate) async fn post<T: Send + Sync + 'static>(
    content: Content,
    key: ContentKey,
    name: &'static str,
    keyed: Result<Option<KeyedRequest>, Problem>,
    input: Result<T, Problem>,
    act: impl Fn(&mut Tx<'_>, OrganizationId, &T) -> Result<Answer, Problem> + Send + Sync + 'static,
) -> Result<Answer, Problem> {
    let (keyed, input) = content.door.accept_by_key(&key, name, Problem::both(keyed, input)).await?;
    let door = content.door.clone();
    let write = move |tx: &mut Tx<'_>, caller: &KeyCaller| {
        let organization = organization_of(caller)?;
        let claim = keyed.clone().map(|request| request.claim(caller.owner_id.clone(), Retention::Day));
        door.idempotency.once(tx, claim.as_ref(), |tx| Ok((act(tx, organization, &input)?, Kept::Same)))
    };
    let answer = content.door.write_by_key(key, name, write).await?;
    Ok(if answer.is_replay { with_version_of_body(answer) } else { answer })
}

/// A replay has the first answer's body; its version stands in there.
fn with_version_of_body(answer: Answer) -> Answer {
    #[derive(Deserialize)]
    struct Versioned {
        version: i64,
    }
    match serde_json::from_str::<Versioned>(&answer.body) {
        Ok(Versioned { version }) => answer.with_version(version),
        Err(_) => answer,
    }
}

/// A POST that creates a resource in the classroom of its path.
pub(crate) type Create = (State<Content>, ContentKey, Params<String>, Repeatable, JsonBody);

/// Creates a resource in a classroom: `act` stores it. The answer is the resource.
pub(crate) async fn create<B: Body<Context = ()> + Send + Sync + 'static, R: Resource>(
    (State(content), key, Params(classroom), repeatable, body): Create,
    name: &'static str,
    status: StatusCode,
    act: impl Fn(&mut Tx<'_>, &Place, &B) -> Result<R, Problem> + Send + Sync + 'static,
) -> Result<Answer, Problem> {
    let keyed = keyed(&repeatable, [&classroom], &body);
    let input = Problem::both(classroom_param(&classroom), body.read());
    let links = content.links.clone();
    post(content, key, name, keyed, input, move |tx, organization, (classroom, request)| {
        let place = load_place(tx, organization, *classroom)?;
        let new = act(tx, &place, request)?;
        stored(tx, &links, &new, status)
    })
    .await
}

/// The resource that a path's classroom and id name: 400 for a classroom that is no id, 404 for what the
/// organization does not have there.
pub(crate) fn load<R: Resource>(
    tx: &mut Tx<'_>,
    links: &Links,
    organization: OrganizationId,
    (classroom, id): &(String, String),
) -> Result<R, Problem> {
    let unknown = Problem::NotFound(R::KIND.name());
    let classroom = classroom_param(classroom)?;
    let Ok(id) = id.parse::<R::Id>() else { return Err(unknown) };
    find(tx, links, organization, classroom, id)?.ok_or(unknown)
}

/// Changes or removes the resource that a path's classroom and id name, if it still is the version that the client
/// expects. `input` is what was read of the body. `act` must write the resource's own row: that is what two
/// editors at once are told apart by.
pub(crate) async fn change<R: Resource, T: Send + Sync + 'static>(
    content: Content,
    key: ContentKey,
    name: &'static str,
    path: (String, String),
    expected: IfMatch,
    input: Result<T, Problem>,
    act: impl Fn(&mut Tx<'_>, R, &T) -> Result<Answer, Problem> + Send + Sync + 'static,
) -> Result<Answer, Problem> {
    let request = expected.read().and_then(|expected| Ok((expected, input?)));
    let (expected, input) = content.door.accept_by_key(&key, name, request).await?;
    let links = content.links.clone();
    let write = move |tx: &mut Tx<'_>, caller: &KeyCaller| {
        let resource = load::<R>(tx, &links, organization_of(caller)?, &path)?;
        expected.permit(resource.version())?;
        act(tx, resource, &input)
    };
    content.door.write_by_key(key, name, write).await
}

/// A PATCH of the resource that its path names.
pub(crate) type Update = (State<Content>, ContentKey, Params<(String, String)>, IfMatch, JsonBody);

/// Changes a resource by the members of the body: [`change`].
pub(crate) async fn update<B: Body<Context = ()> + Send + Sync + 'static, R: Resource>(
    (State(content), key, Params(path), expected, body): Update,
    name: &'static str,
    act: impl Fn(&mut Tx<'_>, &Links, R, &B) -> Result<Answer, Problem> + Send + Sync + 'static,
) -> Result<Answer, Problem> {
    let links = content.links.clone();
    let act = move |tx: &mut Tx<'_>, resource, changes: &B| act(tx, &links, resource, changes);
    change(content, key, name, path, expected, body.read(), act).await
}

/// An answer with a resource as it is stored now.
pub(crate) fn stored<R: Resource>(
    tx: &mut Tx<'_>,
    links: &Links,
    resource: &R,
    status: StatusCode,
) -> Result<Answer, Problem> {
    let found: Option<R> = find(tx, links, resource.organization_id(), resource.classroom_id(), resource.id())?;
    let resource = found.ok_or(Problem::NotFound(R::KIND.name()))?;
    Ok(Answer::json(status, &resource).with_version(resource.version()))
}
