//! Registration links: the platform's administrator connects it with an address that works once.

use http::Method;
use serde_json::Value;

use super::Page;
use super::organizations::frame;
use super::reveal::{Reveal, Secret};
use crate::api::lti::CreatedLink;
use crate::fields::{Fields, query};
use crate::format;
use crate::owner::{Ids, Owner};
use crate::visit::{Operation, Visit};

const LINKS: &str = "/v1/platform/lti/registration-links";

pub(crate) async fn create(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let path = format!("{LINKS}{}", query([("workspaceId", owner.id.as_str())]));
    let body = Some(Value::Object(fields.texts(&["name"])));
    let (id, idempotency_key) = ("createLtiRegistrationLink", Some(fields.get("key")));
    let create = Operation { id, method: Method::POST, path: &path, body, idempotency_key, ..Operation::default() };
    let created: CreatedLink = visit.send(create).await?;
    let shell = frame(&visit, &owner, "LTI", "The registration link").await?;
    let secret = Secret {
        title: "Copy the link now",
        text: "It is shown this once and connects one platform. Give it to the platform's administrator, who enters it as registration URL.",
        value: created.url,
        more: format!("The link ends on {}.", format::day(&created.expires_at)),
    };
    Reveal { shell, secret, back: owner.page("/lti") }.page()
}

pub(crate) async fn revoke(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let path = format!("{LINKS}/{}", ids.get("link"));
    let id = "revokeLtiRegistrationLink";
    visit.act(Operation { id, method: Method::DELETE, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page("/lti"), "link-revoked"))
}
