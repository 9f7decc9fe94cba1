//! `GET /memberships`: who takes part in the course, for the tool (Names and Role Provisioning Services 2.0).

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::header::{CONTENT_TYPE, LINK};
use http::{HeaderMap, HeaderValue};
use lti::nrps::{MEMBERSHIPS_TYPE, SCOPE};
use serde_json::json;

use super::Shared;
use super::access::NotAdmitted;
use super::form::Fields;
use super::messages::{course, role_uri};
use super::school::{Role, people};

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/memberships", get(list))
}

/// With `limit`, a page of so many; `role` names the only role that is listed, by its URI.
async fn list(
    State(lms): State<Arc<Shared>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, NotAdmitted> {
    lms.admit(&headers, &[SCOPE])?;
    let asked = Fields::read(query.unwrap_or_default().as_bytes());
    let number = |name: &str| asked.get(name).and_then(|number| number.parse::<usize>().ok());
    let (limit, passed) = (number("limit").unwrap_or(usize::MAX).max(1), number("offset").unwrap_or(0));
    let role = asked.get("role");
    let is_wanted = |own: Role| role.is_none_or(|wanted| wanted == role_uri(own));
    let mut wanted = people().filter(|person| is_wanted(person.role)).skip(passed);
    let members: Vec<_> = wanted
        .by_ref()
        .take(limit)
        .map(|person| {
            let (given, family) = person.names();
            json!({
                "user_id": person.subject, "status": "Active", "roles": [role_uri(person.role)],
                "name": person.name, "given_name": given, "family_name": family,
            })
        })
        .collect();
    let is_last = wanted.next().is_none();
    let id = lms.memberships();
    let body = Json(json!({ "id": id, "context": course(), "members": members }));
    let mut response = ([(CONTENT_TYPE, MEMBERSHIPS_TYPE)], body.into_response().into_body()).into_response();
    if !is_last {
        let mut next = url::form_urlencoded::Serializer::new(String::new());
        next.append_pair("limit", &limit.to_string()).append_pair("offset", &(passed + limit).to_string());
        next.extend_pairs(role.map(|role| ("role", role)));
        let link = HeaderValue::from_str(&format!("<{id}?{}>; rel=\"next\"", next.finish()));
        response.headers_mut().extend(link.ok().map(|link| (LINK, link)));
    }
    Ok(response)
}
