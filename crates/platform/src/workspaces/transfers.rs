//! `GET /v1/platform/workspaces/{id}/ledger`: what moved a workspace's credits.

use axum::extract::State;
use billing::ledger::{self, Account, Entry, EntryFilter, Place, TransferKind};
use edge::answer::Answer;
use edge::cursor::{Cursors, LONGEST_CURSOR, Position};
use edge::paging;
use edge::params::Params;
use edge::problem::Problem;
use edge::query::{Parameters, Query, one_of, text, timestamp};
use kernel::id::SubjectId;
use kernel::money::MicroUsd;
use kernel::time::Timestamp;
use serde::Serialize;
use serde_json::Number;

use super::path_param;
use crate::Platform;
use crate::callers::{self, Credential};

edge::documented_words! {
    /// Why money moved: free credits of a new workspace, credits that were added, a price that was set aside, paid from what
    /// was set aside, or given back, and a price that was paid at once.
    pub LedgerTransferKind = TransferKind::WORDS
}

edge::documented_words! {
    /// Where money is. `free` and `credits` can be spent, `reserved_free` and `reserved_credits` are set aside; the others say
    /// where money came from or went.
    pub LedgerAccount = Account::WORDS
}

/// A movement of a workspace's money. It never changes.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerTransfer {
    /// Its number in the workspace, from 1 without a gap.
    #[schema(minimum = 1)]
    sequence: i64,
    /// Why money moved.
    #[schema(value_type = LedgerTransferKind)]
    kind: &'static str,
    /// Where it was.
    #[schema(value_type = LedgerAccount)]
    from: &'static str,
    /// Where it went.
    #[schema(value_type = LedgerAccount)]
    to: &'static str,
    /// How much moved.
    #[schema(value_type = f64, minimum = 0, example = 0.03)]
    amount_usd: Number,
    /// What could be spent after it: free and other credits. Null in a list whose `createdBefore` has more than 100,000 newer
    /// transfers.
    #[schema(value_type = Option<f64>, required, minimum = 0, example = 4.97)]
    balance_after_usd: Option<Number>,
    /// The evaluation that it pays for; null for grants and top-ups.
    #[schema(value_type = Option<String>, required, format = Uuid)]
    evaluation_id: Option<SubjectId>,
    /// What was noted as credits were added, such as the payment.
    #[schema(required, example = "Invoice 2026-014")]
    reason: Option<String>,
    /// When it was.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Entry> for LedgerTransfer {
    fn from(entry: Entry) -> Self {
        let is_of_evaluation = !matches!(entry.kind, TransferKind::Grant | TransferKind::TopUp);
        Self {
            sequence: entry.sequence,
            kind: entry.kind.as_str(),
            from: entry.from.as_str(),
            to: entry.to.as_str(),
            amount_usd: entry.amount.to_usd_number(),
            balance_after_usd: entry.balance_after.map(MicroUsd::to_usd_number),
            evaluation_id: is_of_evaluation.then_some(entry.subject),
            reason: entry.note,
            created_at: entry.created_at,
        }
    }
}

/// A part of a workspace's ledger.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerPage {
    /// The transfers, newest first.
    items: Vec<LedgerTransfer>,
    /// The `cursor` of the next page; null at the end of the list.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Lists the transfers of a workspace's ledger, newest first, with the balance after each. A key sees those of its own
/// workspace.
///
/// Ask for the next page with `nextCursor` as `cursor` and the same filters, until it is null. A page may have fewer
/// transfers than `limit`, or none, and a next one: a request looks at 10,000 transfers at most.
#[utoipa::path(
    get, path = "/v1/platform/workspaces/{id}/ledger", tag = "Workspaces", operation_id = "listLedgerTransfers",
    params(
        ("limit" = Option<u32>, Query, description = "Transfers on a page, 1 to 100; 20 when it is absent", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "Where to go on: the `nextCursor` of the last page", min_length = 1, max_length = 200),
        ("kind" = Option<LedgerTransferKind>, Query, description = "Only transfers of this kind"),
        ("createdAfter" = Option<String>, Query, description = "Only transfers after this instant", format = DateTime),
        ("createdBefore" = Option<String>, Query, description = "Only transfers before this instant", format = DateTime),
    ),
    responses((status = 200, description = "A page of the list", body = LedgerPage))
)]
pub async fn list(
    State(platform): State<Platform>,
    credential: Credential,
    Params(id): Params<String>,
    query: Query,
) -> Result<Answer, Problem> {
    let cursors = platform.cursors.clone();
    callers::read(&platform.door, credential, "ledger.list", move |tx, caller| {
        let request = query.read(Request::read)?;
        let workspace = caller.workspace(tx, Some(path_param(&id)?))?;
        let list = format!("ledger {workspace}");
        let from = request.cursor.map(|cursor| place(&cursors, &list, &cursor)).transpose()?;
        let page = ledger::list(tx, workspace, &request.filter, from, request.limit)?;
        let next_cursor = page.next.map(|place| cursors.write(&list, &position(place)));
        let items = page.entries.into_iter().map(LedgerTransfer::from).collect();
        Ok(Answer::ok(&LedgerPage { items, next_cursor }))
    })
    .await
}

struct Request {
    limit: u32,
    cursor: Option<String>,
    filter: EntryFilter,
}

impl Request {
    fn read(parameters: &mut Parameters<'_>) -> Option<Self> {
        let limit = paging::limit(parameters);
        let cursor = parameters.optional("cursor", text(1..=LONGEST_CURSOR));
        let kind = parameters.optional("kind", one_of(TransferKind::WORDS));
        let after = parameters.optional("createdAfter", timestamp);
        let before = parameters.optional("createdBefore", timestamp);
        let filter = EntryFilter { kind: kind?, after: after?, before: before? };
        Some(Self { limit: u32::try_from(limit?).unwrap_or(u32::MAX), cursor: cursor?, filter })
    }
}

/// A place in the ledger as a cursor holds it: the transfer's number where other lists have a time, and the balance where
/// they have an id.
fn position(place: Place) -> Position {
    let balance = place.balance.map(|balance| balance.micros().to_string()).unwrap_or_default();
    Position { created_at: Timestamp::from_millis(place.sequence), id: balance }
}

fn place(cursors: &Cursors, list: &str, cursor: &str) -> Result<Place, Problem> {
    let position = cursors.position(list, cursor)?;
    let balance = position.id.parse().ok().and_then(MicroUsd::from_micros);
    Ok(Place { sequence: position.created_at.as_millis(), balance })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, exact};

    #[both_stores]
    async fn a_key_follows_its_workspaces_money_to_the_cent(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let operator = app.operator("o@example.com").await;
        let body = json!({ "amount": 500, "reason": "Invoice 2026-014" });
        app.post(&tenant.path("/credits")).cookie(&operator).json(&body).send().await.expect(200);
        let evaluation = app.evaluate(&tenant, &exact()).await;
        let path = tenant.path("/ledger");
        let listed = app.get(&path).key(&tenant.key).send().await.expect(200);
        let now = &listed["items"][0]["createdAt"];
        let expected = json!({
            "items": [
                { "sequence": 3, "kind": "charge", "from": "free", "to": "revenue", "amountUsd": 0.01,
                  "balanceAfterUsd": 5.99, "evaluationId": evaluation["id"], "reason": null, "createdAt": now },
                { "sequence": 2, "kind": "top_up", "from": "grants", "to": "credits", "amountUsd": 5,
                  "balanceAfterUsd": 6, "evaluationId": null, "reason": "Invoice 2026-014", "createdAt": now },
                { "sequence": 1, "kind": "grant", "from": "grants", "to": "free", "amountUsd": 1,
                  "balanceAfterUsd": 1, "evaluationId": null, "reason": null, "createdAt": now },
            ],
            "nextCursor": null,
        });
        assert_eq!(listed, expected);
        let mut seen = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = app.get(&format!("{path}?limit=1{cursor}")).cookie(&operator).send().await.expect(200);
            seen.extend(page["items"].as_array().unwrap().clone());
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(Value::from(seen), expected["items"]);
        let top_ups = app.get(&format!("{path}?kind=top_up")).key(&tenant.key).send().await.expect(200);
        assert_eq!(top_ups["items"], json!([expected["items"][1]]));
        app.finish().await;
    }

    #[both_stores]
    async fn a_cursor_belongs_to_one_workspaces_ledger(test: TestStore) {
        let app = App::new(test);
        let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
        app.evaluate(&tenant, &exact()).await;
        let page = app.get(&tenant.path("/ledger?limit=1")).key(&tenant.key).send().await.expect(200);
        let cursor = page["nextCursor"].as_str().unwrap();
        let path = other.path(&format!("/ledger?cursor={cursor}"));
        assert_eq!(app.get(&path).key(&other.key).send().await.faults(), ["cursor"]);
        let wrong = tenant.path("/ledger?kind=gift&createdAfter=x&cursor=&page=2");
        let faults = app.get(&wrong).key(&tenant.key).send().await.faults();
        assert_eq!(faults, ["cursor", "kind", "createdAfter", "page"]);
        app.get(&tenant.path("/ledger")).key(&other.key).send().await.expect(404);
        app.finish().await;
    }
}
