//! Reading one resource, and a page of many: the operations of every kind.

use axum::extract::State;
use axum::response::Response;
use edge::answer::Answer;
use edge::paging::PageQuery;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::one_of;
use edge::versions::IfNoneMatch;
use http::StatusCode;

use super::rows::Total;
use super::summary::ListedFields;
use super::{Resource, load, rows};
use crate::{Content, ContentKey, classroom_param, organization_of};

/// Answers with the resource that a path's classroom and id name; 304 when the client has its version.
pub(crate) async fn get<R: Resource>(
    State(content): State<Content>,
    key: ContentKey,
    Params(path): Params<(String, String)>,
    known: IfNoneMatch,
) -> Result<Answer, Problem> {
    let name = R::TRANSACTIONS.get;
    let known = content.door.accept_by_key(&key, name, known.read()).await?;
    let links = content.links.clone();
    let read = move |tx: &mut store::Tx<'_>, caller: &edge::door::KeyCaller| {
        let found = load::<R>(tx, &links, organization_of(caller)?, &path)?;
        let version = found.version();
        if known.has(version) {
            return Ok(Answer::not_modified(version));
        }
        Ok(Answer::ok(&found).with_version(version))
    };
    content.door.read_by_key(key, name, read).await
}

/// Answers with a page of a classroom's resources of one kind, newest first.
pub(crate) async fn list<R: Resource>(
    State(content): State<Content>,
    key: ContentKey,
    Params(classroom): Params<String>,
    query: PageQuery,
) -> Result<Response, Problem> {
    let (parts, context) = (content.clone(), key.context().clone());
    let read = move |tx: &mut store::Tx<'_>, caller: &edge::door::KeyCaller| {
        let organization = organization_of(caller)?;
        let classroom = classroom_param(&classroom)?;
        let (page, fields) = query.read(|parameters| parameters.optional("fields", one_of(ListedFields::WORDS)))?;
        let unknown = Problem::NotFound("Classroom");
        let Total { total, changes } = rows::total(tx, R::KIND, organization, classroom)?.ok_or(unknown)?;
        let list = (organization, classroom);
        let mut body = parts.door.responses.spool(context.holder());
        match page.offset(total) {
            None => body.push(b"[]")?,
            Some(offset) => {
                let (mark, after) = parts.positions.locate::<R>(tx, list, changes, offset)?;
                let (links, from) = (&parts.links, (&mark, after));
                rows::write_page::<R>(tx, links, list, fields, from, page.limit, &mut body)?;
            }
        }
        Ok((query.describe(parts.links.base(), Answer::empty(StatusCode::OK), page, total), body.finish()?))
    };
    let (answer, body) = content.door.read_by_key(key, R::TRANSACTIONS.list, read).await?;
    Ok(answer.into_held(body))
}
