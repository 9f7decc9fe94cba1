//! API keys of an organization or a workspace.

use askama::Template;
use http::Method;
use serde_json::{Value, json};

use super::organizations::frame;
use super::reveal::{Reveal, Secret};
use super::{FormState, Page};
use crate::api::keys::{CreatedKey, Key};
use crate::fields::Fields;
use crate::owner::{Ids, Owner};
use crate::shell::Shell;
use crate::visit::{Operation, Visit, page_with};

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    shell: Shell,
    form: FormState,
    owner: Owner,
    keys: Vec<Key>,
    idempotency_key: String,
}

pub(crate) async fn list(visit: Visit, owner: Owner) -> Page {
    keys_page(&visit, owner, FormState::default()).await
}

async fn keys_page(visit: &Visit, owner: Owner, form: FormState) -> Page {
    let keys = visit.read(owner.operation("listApiKeys", "listPlatformKeys"), &owner.keys("")).await?;
    visit.note(&create_operation(&owner, &creation_path(&owner), json!({ "name": "Nightly import" }), ""));
    let shell = frame(visit, &owner, "API keys", "API keys").await?;
    let idempotency_key = visit.idempotency_key();
    Ok(page_with(form.status(), &KeysPage { shell, form, owner, keys, idempotency_key }))
}

/// The collection that keys are created in. The platform surface takes the workspace in the body.
fn creation_path(owner: &Owner) -> String {
    if owner.is_workspace() { "/v1/platform/api-keys".to_owned() } else { owner.keys("") }
}

fn create_operation<'a>(owner: &Owner, path: &'a str, mut body: Value, key: &'a str) -> Operation<'a> {
    if owner.is_workspace() {
        body["workspaceId"] = Value::from(owner.id.as_str());
    }
    let id = owner.operation("createApiKey", "createPlatformKey");
    Operation { id, method: Method::POST, path, body: Some(body), idempotency_key: Some(key), ..Operation::default() }
}

pub(crate) async fn create(visit: Visit, owner: Owner, fields: Fields) -> Page {
    let mut body = json!({ "name": fields.get("name") });
    if let Some(day) = fields.given("expiresAt") {
        body["expiresAt"] = Value::from(format!("{day}T00:00:00Z"));
    }
    if let Some(limit) = fields.number("rateLimitPerMinute").filter(|_| !owner.is_workspace()) {
        body["rateLimitPerMinute"] = limit;
    }
    if owner.is_workspace() && fields.has("scope", "platform:admin") {
        body["scopes"] = json!(["platform:admin"]);
    }
    let path = creation_path(&owner);
    match visit.send::<CreatedKey>(create_operation(&owner, &path, body, fields.get("key"))).await {
        Ok(created) => reveal(&visit, &owner, created).await,
        Err(problem) => keys_page(&visit, owner, FormState::refused(fields, problem)?).await,
    }
}

pub(crate) async fn rotate(visit: Visit, owner: Owner, ids: Ids, fields: Fields) -> Page {
    let path = owner.keys(&format!("/{}/rotate", ids.get("key")));
    let id = owner.operation("rotateApiKey", "rotatePlatformKey");
    let idempotency_key = Some(fields.get("key"));
    let rotate = Operation { id, method: Method::POST, path: &path, idempotency_key, ..Operation::default() };
    let created: CreatedKey = visit.send(rotate).await?;
    reveal(&visit, &owner, created).await
}

pub(crate) async fn revoke(visit: Visit, owner: Owner, ids: Ids) -> Page {
    let path = owner.keys(&format!("/{}/revoke", ids.get("key")));
    let id = owner.operation("revokeApiKey", "revokePlatformKey");
    visit.act(Operation { id, method: Method::POST, path: &path, ..Operation::default() }).await?;
    Ok(visit.done(&owner.page("/keys"), "key-revoked"))
}

async fn reveal(visit: &Visit, owner: &Owner, created: CreatedKey) -> Page {
    let shell = frame(visit, owner, "API keys", "Your new key").await?;
    let secret = Secret {
        title: "Copy the key now",
        text: "It is shown this once. Whoever has it acts for you: keep it in a secret store, not in a chat or a repository.",
        value: created.api_key,
        more: format!("The key is named {}. Send it as “Authorization: Bearer” with each request.", created.name),
    };
    Reveal { shell, secret, back: owner.page("/keys") }.page()
}
