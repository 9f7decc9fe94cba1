//! One of everything that an operation's path can name, so that each operation can be called.

use kernel::id::{JobId, OrganizationId, WorkspaceId};
use serde_json::{Value, json};
use store::{Record as _, StoreError, Tx};

use super::{
    App, CONTRACT, Call, EVALUATIONS, Form, REGISTRATION_LINKS, REGISTRATIONS, Tenant, exact, open, registration,
};
use crate::billing::payment_methods::store_example as store_payment_method;
use crate::lti::sessions;
use crate::submissions::{Status, Submission};
use crate::videos::tests::store_rendered_video;

const WEBHOOKS: &str = "/v1/platform/webhooks";

/// A workspace with a key, a webhook endpoint with a delivery that failed, a registered learning platform with a launch and a
/// test that was handed in, a link to register another, a learner, and an evaluation with a file.
pub(crate) struct Things {
    pub(crate) tenant: Tenant,
    /// A key of the same workspace with the scope `platform:admin`.
    pub(crate) admin_key: String,
    slug: &'static str,
    pub(crate) organization: OrganizationId,
    /// The signed link of the file, without the service's address.
    pub(crate) link: String,
    webhook: String,
    registration: String,
    submission: String,
    session: String,
    registration_link: String,
    event: String,
    evaluation: String,
    question: String,
    spare_key: String,
    invoice: String,
    payment_method: String,
    job: String,
    /// Edits a video that has been rendered.
    edit_token: String,
    /// A scene of it.
    scene: String,
}

impl Things {
    /// Makes them; the slug must be free.
    pub(crate) async fn of(app: &App, slug: &'static str) -> Self {
        let tenant = app.tenant(slug).await;
        let organization = app.organization(slug).await;
        let (admin_key, _) = app.mint(tenant.workspace, true, None).await;
        let (_, spare_key) = app.mint(tenant.workspace, false, None).await;
        let webhook = json!({ "url": "https://lms.example.com/", "events": ["lti.grade_synced"] });
        let webhook = app.post(WEBHOOKS).key(&tenant.key).json(&webhook).send().await.expect(201);
        let webhook = text(&webhook["id"]);
        let sent = app.post(&format!("{WEBHOOKS}/{webhook}/test")).key(&tenant.key).send().await.expect(202);
        let failed = "UPDATE delivery SET state = 'failed', attempts = 4, finished_at = created_at";
        app.test.store.write("test", move |tx| tx.execute(failed, &[])).await.unwrap();
        let body = registration(slug);
        let registration = app.post(REGISTRATIONS).key(&tenant.key).json(&body).send().await.expect(201);
        let registration = text(&registration["id"]);
        let session = sessions::store_example(app, &registration).await;
        let link = app.post(REGISTRATION_LINKS).key(&tenant.key).json(&json!({})).send().await.expect(201);
        let registration_link = text(&link["id"]);
        let mut asked = open();
        asked["learnerExternalId"] = json!("l");
        asked["conceptTags"] = json!(["light"]);
        asked["clientMetadata"] = json!({ "ltiLaunchSessionId": "unknown" });
        let form = Form::of(&asked).file("answerFiles", "answer.txt", "text/plain", "Rayleigh.");
        let evaluation =
            app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form.into_bytes()).send().await.expect(201);
        let link = evaluation["answerFiles"][0]["url"].as_str().unwrap();
        let tenant_of = tenant.workspace;
        let invoice = app.invoice(tenant_of).await;
        let edit_token = store_rendered_video(app, organization).await;
        let video = app.get(&format!("/v1/platform/videos/edit/{edit_token}")).send().await.expect(200);
        Self {
            link: link.strip_prefix("https://lectern.example").unwrap().to_owned(),
            event: text(&sent["eventId"]),
            evaluation: text(&evaluation["id"]),
            question: text(&evaluation["questionId"]),
            spare_key: spare_key.to_string(),
            invoice,
            payment_method: store_payment_method(app, tenant.workspace).await,
            job: failed_job(app).await,
            edit_token,
            scene: text(&video["scenes"][0]["id"]),
            tenant,
            admin_key,
            slug,
            organization,
            webhook,
            submission: submission(app, tenant_of, &registration).await,
            registration,
            session,
            registration_link,
        }
    }

    /// A call of an operation (`GET /path/{with}/names`) on these things, well-formed but without a credential.
    pub(crate) fn call<'a>(&self, app: &'a App, operation: &str) -> Call<'a> {
        let call = self.bare_call(app, operation, "");
        match self.body(operation) {
            Some(body) => call.json(&body),
            None => call,
        }
    }

    /// The same call, naming the workspace in its query where the operation reads one.
    pub(crate) fn named_call<'a>(&self, app: &'a App, operation: &str) -> Call<'a> {
        let parameters = CONTRACT.documented(operation)["parameters"].as_array();
        let is_read = parameters.into_iter().flatten().any(|parameter| parameter["name"] == "workspaceId");
        let query = if is_read { format!("workspaceId={}", self.tenant.workspace) } else { String::new() };
        let call = self.bare_call(app, operation, &query);
        match self.body(operation) {
            Some(body) => call.json(&body),
            None => call,
        }
    }

    /// The same call without its body, and with a query.
    pub(crate) fn bare_call<'a>(&self, app: &'a App, operation: &str, query: &str) -> Call<'a> {
        let (method, template) = operation.split_once(' ').unwrap();
        let path = if template.contains("{fileId}") { self.link.clone() } else { self.path(operation) };
        let query = match (operation, query) {
            ("GET /v1/platform/api-keys", "") => format!("?workspaceId={}", self.tenant.workspace),
            (_, "") => String::new(),
            (_, query) => format!("?{query}"),
        };
        app.call(method.parse().unwrap(), &format!("{path}{query}"))
    }

    /// A call with exactly this query: nothing stands for what it leaves out.
    pub(crate) fn queried_call<'a>(&self, app: &'a App, operation: &str, query: &str) -> Call<'a> {
        let (method, _) = operation.split_once(' ').unwrap();
        app.call(method.parse().unwrap(), &format!("{}?{query}", self.path(operation)))
    }

    /// The path of an operation on these things, without a query.
    pub(crate) fn path(&self, operation: &str) -> String {
        let (_, template) = operation.split_once(' ').unwrap();
        let owned = match template {
            path if path.contains("/admin/jobs/") => &self.job,
            path if path.contains("/evaluations/") => &self.evaluation,
            path if path.contains("/questions/") => &self.question,
            path if path.contains("/api-keys/") => &self.spare_key,
            path if path.contains("/payment-methods/") => &self.payment_method,
            path if path.contains("/webhooks/") => &self.webhook,
            path if path.contains("/lti/registrations/") => &self.registration,
            path if path.contains("/submissions/") || path.contains("/traces/") => &self.submission,
            path if path.contains("/lti/sessions/") => &self.session,
            path if path.contains("/lti/registration-links/") => &self.registration_link,
            _ => &self.tenant.workspace.to_string(),
        };
        let path = template.replace("{id}", owned).replace("{eventId}", &self.event).replace("{learnerId}", "l");
        let file = self.link.split(['/', '?']).rev().nth(1).unwrap_or_default();
        let path = path.replace("{fileId}", file).replace("{number}", &self.invoice);
        let path = path.replace("{editToken}", &self.edit_token).replace("{name}", "captions.vtt");
        let path = path.replace("{sceneId}", &self.scene);
        assert!(!path.contains('{'), "{operation} names something that is not among the test's things");
        path
    }

    /// A JSON body that the operation accepts; `None` where it reads none.
    pub(crate) fn body(&self, operation: &str) -> Option<Value> {
        let mut body = Self::sample_body(operation)?;
        for (name, value) in [
            ("workspaceId", json!(self.tenant.workspace)),
            ("organizationId", json!(self.organization)),
            ("slug", json!(format!("{}-another", self.slug))),
            ("clientId", json!(format!("{}-another", self.slug))),
        ] {
            if body.get(name).is_some() {
                body[name] = value;
            }
        }
        if let Some(review) = body.pointer_mut("/reviews/0/evaluationId") {
            *review = json!(self.evaluation);
        }
        Some(body)
    }

    /// Such a body, with what depends on the things left out.
    pub(crate) fn sample_body(operation: &str) -> Option<Value> {
        match operation {
            "POST /v1/platform/evaluations" => Some(exact()),
            "POST /v1/platform/evaluations/{id}/review" => Some(json!({ "score": 7, "reviewer": "Ms Curie" })),
            "POST /v1/platform/evaluations/reviews" => Some(json!({
                "reviews": [{ "evaluationId": "018f4a3c-7b1d-7c3e-9a52-3f1d2b4c5d6e", "score": 7, "reviewer": "Ms Curie" }]
            })),
            "POST /v1/platform/questions/{id}/regrade" => Some(json!({ "dryRun": false, "limit": 50 })),
            "POST /v1/platform/agent/billing/session" => Some(json!({ "mode": "payment", "credits": 500 })),
            "POST /v1/platform/api-keys" => Some(json!({ "name": "another", "workspaceId": null })),
            "PUT /v1/platform/workspaces/{id}/caps" => Some(json!({ "lowBalanceUsd": 2.5 })),
            "PUT /v1/platform/api-keys/{id}/caps" => Some(json!({})),
            "POST /v1/platform/webhooks" => {
                Some(json!({ "url": "https://lms.example.com/", "events": ["evaluation.failed"] }))
            }
            "POST /v1/platform/webhooks/{id}/rotate-secret" => Some(json!({ "overlapSeconds": 60 })),
            "PATCH /v1/platform/videos/edit/{editToken}" => Some(json!({ "title": "Cells" })),
            "POST /v1/platform/videos/edit/{editToken}/part-drafts" => Some(json!({ "place": 0 })),
            "POST /v1/platform/videos/edit/{editToken}/render" => Some(json!({ "resolution": "1080p" })),
            "POST /v1/platform/workspaces" => Some(json!({ "name": "Another", "slug": null })),
            "POST /v1/platform/workspaces/from-organization" => {
                Some(json!({ "organizationId": null, "name": "Another", "slug": null }))
            }
            "POST /v1/platform/lti/registrations" => Some(registration("tool-1")),
            "POST /v1/platform/lti/registration-links" => Some(json!({ "name": "Riverside Moodle" })),
            "POST /v1/platform/lti/registrations/{id}/lti-sync" => Some(json!({ "resourceLinkId": "link-1" })),
            "PUT /v1/platform/lti/registrations/{id}" => Some(json!({ "name": "Another" })),
            "PATCH /v1/platform/workspaces/{id}" => Some(json!({ "planCode": "standard" })),
            "POST /v1/platform/workspaces/{id}/credits" => Some(json!({ "amount": 5 })),
            "POST /v1/platform/workspaces/{id}/link" => Some(json!({ "organizationId": null })),
            _ => None,
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A job that failed.
async fn failed_job(app: &App) -> String {
    let insert = |tx: &mut Tx<'_>| {
        let (id, now) = (tx.ambient().id::<JobId>(), tx.now());
        tx.execute(
            "INSERT INTO job (id, kind, tenant, payload, state, priority, run_at, attempt, lapses, last_error, created_at,
                updated_at)
             VALUES ($1, 'SendNotice', 'tenant', '{\"version\":1}', 'failed', 0, $2, 3, 0, 'no mail server', $2, $2)",
            &[&id, &now],
        )?;
        Ok::<_, StoreError>(id.to_string())
    };
    app.test.store.write("test", insert).await.unwrap()
}

/// A test that was handed in, with its score.
async fn submission(app: &App, workspace: WorkspaceId, registration: &str) -> String {
    let registration_id = registration.parse().unwrap();
    let insert = move |tx: &mut Tx<'_>| {
        let submission = Submission {
            id: tx.ambient().id(),
            workspace_id: workspace,
            session_id: tx.ambient().id(),
            attempt_id: "a".to_owned(),
            registration_id,
            link_id: tx.ambient().id(),
            resource_link_id: "link-1".to_owned(),
            taker: "l".to_owned(),
            attempt_number: 1,
            test_id: "t".to_owned(),
            test_version: 1,
            title: "Cells".to_owned(),
            language: "en".to_owned(),
            learner_id: Some("l".to_owned()),
            items: Vec::new(),
            status: Status::Graded,
            score: Some(1.0),
            max_score: 2.0,
            passing_score: 1.0,
            needs_review: false,
            version: 1,
            trace_id: "t".to_owned(),
            submitted_at: tx.now(),
            graded_at: Some(tx.now()),
            course: None,
        };
        submission.insert(tx)?;
        Ok::<_, StoreError>(submission.id.to_string())
    };
    app.test.store.write("test", insert).await.unwrap()
}
