use std::time::Duration;

use kernel::id::WorkspaceId;
use serde_json::json;
use store::{StoreError, Tx};
use testkit::{TestStore, both_stores};

use super::{buyer, finalize};
use crate::testing::{App, exact};

const DAY: Duration = Duration::from_secs(24 * 3600);

impl App {
    /// The number of an invoice of a workspace, made whatever the clock says.
    pub(crate) async fn invoice(&self, workspace: WorkspaceId) -> String {
        let terms = self.platform.invoice_terms.clone().unwrap();
        let write = move |tx: &mut Tx<'_>| {
            let number = format!("{}-{workspace}", terms.series);
            let (invoice, _) = terms.invoice(
                number.clone(),
                invoices::Draft {
                    workspace_id: workspace,
                    month: "2025-12".to_owned(),
                    issued_at: tx.now().to_string(),
                    buyer: buyer(tx, workspace)?.unwrap_or_default(),
                    figures: invoices::Figures::default(),
                    carries: invoices::Carries::default(),
                },
            );
            let now = tx.now();
            let document = json!(invoice).to_string();
            tx.execute(
                "INSERT INTO invoice (number, series, sequence, workspace_id, month, total_cents, carries, resume_sequence,
                    document, created_at)
                 SELECT $1, 'test', count(*) + 1, $2, -1, 0, '{}', 0, $3, $4 FROM invoice",
                &[&number, &workspace, &document, &now],
            )?;
            Ok::<_, StoreError>(number)
        };
        self.test.store.write("test", write).await.unwrap()
    }
}

#[both_stores]
async fn a_month_becomes_an_invoice_in_every_form(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("riverside").await;
    let operator = app.operator("o@example.com").await;
    // What is given is no sale.
    for body in [json!({ "amount": 1190, "sold": true }), json!({ "amount": 500, "reason": "A present" })] {
        app.post(&tenant.path("/credits")).cookie(&operator).json(&body).send().await.expect(200);
    }
    for _ in 0..3 {
        app.evaluate(&tenant, &exact()).await;
    }
    app.test.clock.advance(DAY * 31);
    finalize(&app.platform).await.unwrap();
    finalize(&app.platform).await.unwrap();
    let listed = app.get(&tenant.path("/invoices")).key(&tenant.key).send().await.expect(200);
    assert_eq!(listed["total"], 1);
    let invoice = &listed["items"][0];
    let expected = json!({
        "number": "INV-000001", "workspaceId": tenant.workspace, "month": "2026-01",
        "issuedAt": "2026-02-02T03:04:05.000Z", "currency": "USD",
        "seller": { "name": "Lectern GmbH", "address": ["Hauptstraße 1"], "taxIds": ["DE123456789"] },
        "buyer": { "name": "riverside", "email": "riverside@example.com" },
        "sales": [{ "kind": "credits_bought", "count": 1, "amountUsd": 11.9 }],
        "used": [{ "kind": "free_credits_used", "count": 3, "amountUsd": 0.03 }],
        "netUsd": 10, "taxes": [{ "name": "VAT", "percent": "19", "amountUsd": 1.9 }], "taxIncluded": true,
        "totalUsd": 11.9,
    });
    assert_eq!(invoice, &expected);
    let path = tenant.path("/invoices/INV-000001");
    assert_eq!(&app.get(&path).key(&tenant.key).send().await.expect(200), invoice);
    for (path, accept, media_type, begin) in [
        (format!("{path}.csv"), "", "text/csv; charset=utf-8", "number,month"),
        (path.clone(), "text/csv", "text/csv; charset=utf-8", "number,month"),
        (format!("{path}?format=html"), "", "text/html; charset=utf-8", "<!DOCTYPE html>"),
        (format!("{path}.pdf"), "text/html", "application/pdf", "%PDF-"),
    ] {
        let reply = app.get(&path).key(&tenant.key).header("accept", accept).send().await;
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("content-type"), media_type, "{path}");
        assert!(reply.body.starts_with(begin), "{path}");
    }
    let wrong = app.get(&format!("{path}?format=doc")).key(&tenant.key).send().await;
    assert_eq!(wrong.faults(), ["format"]);
}

#[both_stores]
async fn invoices_of_others_do_not_exist(test: TestStore) {
    let app = App::new(test);
    let (tenant, other) = (app.tenant("riverside").await, app.tenant("hillside").await);
    let number = app.invoice(tenant.workspace).await;
    let path = tenant.path(&format!("/invoices/{number}"));
    app.get(&path).key(&tenant.key).send().await.expect(200);
    for path in [path, other.path(&format!("/invoices/{number}")), tenant.path("/invoices")] {
        app.get(&path).key(&other.key).send().await.expect(404);
    }
    assert_eq!(app.get(&other.path("/invoices")).key(&other.key).send().await.expect(200)["total"], 0);
}
