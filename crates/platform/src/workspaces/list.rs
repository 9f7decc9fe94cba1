//! `GET /v1/platform/workspaces` (platform-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::openapi::variant_of;
use edge::problem::Problem;
use edge::query::Query;
use serde::ser::{Error as _, Serialize, Serializer};
use store::{Record as _, StoreError, Tx, sql};
use utoipa::openapi::{RefOr, Schema};

use super::Workspace;
use crate::Platform;
use crate::callers::{self, Caller, Credential};

/// A workspace in a list: without what the payment processor calls it.
#[derive(Debug)]
pub struct ListedWorkspace(Workspace);

const LEFT_OUT: [&str; 5] = [
    "processorCustomerId",
    "processorSubscriptionId",
    "processorSubscriptionItemIdFast",
    "processorSubscriptionItemIdStandard",
    "processorSubscriptionItemIdAdvanced",
];

fn is_listed(member: &str) -> bool {
    !LEFT_OUT.contains(&member)
}

impl Serialize for ListedWorkspace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut workspace = serde_json::to_value(&self.0).map_err(S::Error::custom)?;
        if let Some(members) = workspace.as_object_mut() {
            members.retain(|name, _| is_listed(name));
        }
        workspace.serialize(serializer)
    }
}

impl utoipa::PartialSchema for ListedWorkspace {
    fn schema() -> RefOr<Schema> {
        variant_of::<Workspace>("A workspace in a list: without what the payment processor calls it.", |workspace| {
            workspace.properties.retain(|name, _| is_listed(name));
            workspace.required.retain(|name| is_listed(name));
        })
    }
}

impl utoipa::ToSchema for ListedWorkspace {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        <Workspace as utoipa::ToSchema>::schemas(schemas);
    }
}

/// Lists the workspaces that the caller can access, newest first: a key's own, or all of them.
#[utoipa::path(
    get, path = "/v1/platform/workspaces", tag = "Workspaces", operation_id = "listWorkspaces",
    responses((status = 200, description = "The workspaces, newest first", body = Vec<ListedWorkspace>))
)]
pub async fn list(State(platform): State<Platform>, credential: Credential, query: Query) -> Result<Answer, Problem> {
    callers::read(&platform.door, credential, "workspaces.list", move |tx, caller| {
        query.read_none()?;
        let listed: Vec<ListedWorkspace> = accessible(tx, caller)?.into_iter().map(ListedWorkspace).collect();
        Ok(Answer::ok(&listed))
    })
    .await
}

fn accessible(tx: &mut Tx<'_>, caller: &Caller) -> Result<Vec<Workspace>, Problem> {
    match caller {
        Caller::Key { workspace, is_service_admin: false, .. } => Ok(vec![Workspace::load(tx, *workspace)?]),
        Caller::Key { .. } | Caller::Operator(..) | Caller::Member { .. } => {
            caller.manages_the_service()?;
            Ok(all(tx)?)
        }
    }
}

/// Every workspace, newest first.
pub fn all(tx: &mut Tx<'_>) -> Result<Vec<Workspace>, StoreError> {
    let mut workspaces = sql!("SELECT {Workspace::*} FROM workspace ORDER BY created_at DESC, id DESC")
        .query(tx, Workspace::from_row)?;
    let balances = billing::ledger::balances(tx)?;
    for workspace in &mut workspaces {
        workspace.set_balance(&balances.get(&workspace.id).copied().unwrap_or_default());
    }
    Ok(workspaces)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Value;
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, WORKSPACES, exact};

    fn slugs(listed: &Value) -> Vec<&str> {
        listed.as_array().unwrap().iter().map(|workspace| workspace["slug"].as_str().unwrap()).collect()
    }

    #[both_stores]
    async fn a_key_lists_its_own_workspace_and_whoever_manages_the_service_all_of_them(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        app.test.clock.advance(Duration::from_millis(1));
        let other = app.tenant("hillside").await;
        let (admin_key, _) = app.mint(other.workspace, true, None).await;
        let operator = app.operator("o@example.com").await;
        app.evaluate(&tenant, &exact()).await;
        assert_eq!(slugs(&app.get(WORKSPACES).key(&tenant.key).send().await.expect(200)), ["riverside"]);
        let all = app.get(WORKSPACES).key(&admin_key).send().await.expect(200);
        assert_eq!(slugs(&all), ["hillside", "riverside"], "the newest first");
        assert_eq!(app.get(WORKSPACES).cookie(&operator).send().await.expect(200), all);
        assert_eq!((&all[0]["freeCreditBalance"], &all[1]["freeCreditBalance"]), (&100.into(), &99.into()));
        let admin = app.admin("a@example.com").await;
        app.get(WORKSPACES).cookie(&admin).send().await.expect(403);
    }

    #[both_stores]
    async fn a_listed_workspace_is_the_whole_one_without_the_processors_fields(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let listed = app.get(WORKSPACES).key(&tenant.key).send().await.expect(200)[0].take();
        let mut whole = app.get(&tenant.path("")).key(&tenant.key).send().await.expect(200);
        let hidden: Vec<_> = ["CustomerId", "SubscriptionId"]
            .into_iter()
            .chain(["SubscriptionItemIdFast", "SubscriptionItemIdStandard", "SubscriptionItemIdAdvanced"])
            .map(|name| whole.as_object_mut().unwrap().shift_remove(&format!("processor{name}")))
            .collect();
        assert_eq!(hidden, vec![Some(Value::Null); 5]);
        assert_eq!(listed, whole);
    }
}
