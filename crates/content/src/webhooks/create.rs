//! `POST /v1/content/organizations/{organizationId}/webhooks` (content-api section 4).

use axum::extract::State;
use edge::answer::Answer;
use edge::body::{Body, Check as _, JsonBody, list, one_of};
use edge::idempotency::{Kept, Repeatable};
use edge::params::Params;
use edge::problem::{ContentErrorBody, Problem};
use edge::sessions::PresentedSession;
use events::Surface;
use events::endpoints::{Registration, SignatureVersion};
use events::owned::register;
use events::requests::{is_allowed, receiver_url};
use http::StatusCode;
use kernel::secret::ExposeSecret as _;
use net::OutboundClient;
use serde_json::json;

use super::{ContentEventName, EVENTS, WebhookEndpoint};
use crate::Content;

/// Where to tell what.
#[derive(Body)]
#[body(context = OutboundClient)]
pub struct CreateWebhookRequest {
    /// A public https address.
    #[field(receiver_url(), example = "https://lms.example.com/hooks/lectern", rule = is_allowed(url, context))]
    url: String,
    /// At least one of `content.completed` and `content.failed`.
    #[field(
        list(1..=100, one_of(EVENTS).shown_as::<ContentEventName>()),
        example = ["content.completed", "content.failed"]
    )]
    events: Vec<&'static str>,
}

/// Registers a webhook endpoint. Its signing secret is in this answer only.
#[utoipa::path(
    post, path = "/v1/content/organizations/{organizationId}/webhooks", tag = "Webhooks",
    operation_id = "createWebhook", security(("adminSession" = [])), request_body = CreateWebhookRequest,
    params(Repeatable),
    responses(
        (status = 201, description = "Registered; the secret is shown this once", body = WebhookEndpoint),
        (status = 409, description = "Too many endpoints, or the idempotency key was used for another request",
            body = ContentErrorBody),
    )
)]
pub async fn create(
    State(content): State<Content>,
    session: PresentedSession,
    Params(organization): Params<String>,
    repeatable: Repeatable,
    body: JsonBody,
) -> Result<Answer, Problem> {
    let parts = content.clone();
    let door = &content.door;
    door.write_by_admin(session, "webhooks.create", move |tx, admin| {
        let owner = admin.manages(tx, &organization)?.to_string();
        let read = body.read_in::<CreateWebhookRequest>(&parts.outbound);
        let (key, request) = Problem::both(repeatable.key(), read)?;
        let claim = key.claim(owner.clone(), || json!(body.value().ok()));
        parts.door.idempotency.once(tx, claim.as_ref(), |tx| {
            let registration = Registration {
                surface: Surface::Content,
                owner_id: owner.clone(),
                url: request.url,
                events: request.events.iter().map(|event| (*event).to_owned()).collect(),
                secret: None,
                signature_version: SignatureVersion::Plain,
            };
            let (endpoint, secret) = register(tx, &parts.webhook_secrets, registration)?;
            let secret = secret.expose_secret().to_owned();
            Ok((Answer::json(StatusCode::CREATED, &WebhookEndpoint::of(endpoint, Some(secret))), Kept::Sealed))
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use testkit::{TestStore, both_stores};

    use crate::testing::{App, Call, Tenant};

    const URL: &str = "https://lms.example.com/hooks?x=1";

    async fn signed_in(test: TestStore) -> (App, Tenant, String) {
        let app = App::new(test);
        let tenant = app.tenant("Riverside").await;
        let cookie = app.admin_of("a@example.com", &[&tenant]).await;
        (app, tenant, cookie)
    }

    fn create<'a>(app: &'a App, tenant: &Tenant, cookie: &str, body: &Value) -> Call<'a> {
        app.post(&tenant.path("webhooks")).cookie(cookie).json(body)
    }

    #[both_stores]
    async fn the_secret_is_in_the_answer_to_the_creation(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let body = json!({ "url": URL, "events": ["content.failed", "content.completed", "content.failed"] });
        let mut made = create(&app, &tenant, &cookie, &body).send().await.expect(201);
        let secret = made.as_object_mut().unwrap().shift_remove("secret").unwrap();
        assert!(secret.as_str().unwrap().len() >= 32);
        assert!(made["id"].as_str().unwrap().parse::<kernel::id::EndpointId>().is_ok());
        made.as_object_mut().unwrap().shift_remove("id");
        assert_eq!(
            made,
            json!({
                "organizationId": tenant.organization,
                "url": URL,
                "events": ["content.failed", "content.completed"],
                "status": "ACTIVE",
            })
        );
        let sealed =
            app.read(|tx| tx.find("SELECT sealed_secret FROM webhook_endpoint", &[], |row| row.get::<String>(0)));
        assert!(!sealed.await.unwrap().contains(secret.as_str().unwrap()), "encrypted at rest");
    }

    #[both_stores]
    async fn only_public_https_addresses_are_taken(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let before = app.stored().await;
        for url in [
            json!("http://lms.example.com/hooks"),
            json!("ftp://lms.example.com"),
            json!("/hooks"),
            json!(""),
            json!(5),
            json!("https://localhost/"),
            json!("https://127.0.0.1/"),
            json!("https://10.0.0.1/"),
            json!("https://[::1]/"),
            json!("https://192.168.1.1/"),
            json!("https://169.254.169.254/latest"),
            json!("https://100.64.0.1/"),
            json!("https://[::ffff:10.0.0.1]/"),
            json!("https://2130706433/"),
            json!("https://0x7f.1/"),
            json!("https://user:pw@lms.example.com/"),
            json!("https://metadata.internal/"),
            json!("https://224.0.0.1/"),
            json!(format!("https://lms.example.com/{}", "x".repeat(2048))),
            Value::Null,
        ] {
            let body = json!({ "url": url, "events": ["content.completed"] });
            assert_eq!(create(&app, &tenant, &cookie, &body).send().await.faults(), ["url"], "{url}");
        }
        assert_eq!(app.stored().await, before);
    }

    #[both_stores]
    async fn every_unknown_event_is_named(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let events = json!(["content.completed", "content.started", 5, "CONTENT.FAILED", "*"]);
        let body = json!({ "url": "nowhere", "events": events });
        let reply = create(&app, &tenant, &cookie, &body).send().await;
        assert_eq!(reply.faults(), ["url", "events[1]", "events[2]", "events[3]", "events[4]"]);
        for events in [json!([]), json!("content.completed"), json!({}), Value::Null] {
            let body = json!({ "url": URL, "events": events });
            assert_eq!(create(&app, &tenant, &cookie, &body).send().await.faults(), ["events"], "{events}");
        }
        assert_eq!(create(&app, &tenant, &cookie, &json!({})).send().await.faults(), ["url", "events"]);
        assert_eq!(app.count("SELECT count(*) FROM webhook_endpoint").await, 0);
    }

    #[both_stores]
    async fn a_replay_is_byte_identical_secret_included(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let body = json!({ "url": URL, "events": ["content.completed"] });
        let first = create(&app, &tenant, &cookie, &body).idempotency("k").send().await;
        first.expect(201);
        let replay = create(&app, &tenant, &cookie, &body).idempotency("k").send().await;
        assert!(!first.is_replay() && replay.is_replay());
        assert_eq!((replay.status, &replay.body), (first.status, &first.body));
        let secret = first.json()["secret"].as_str().unwrap().to_owned();
        let kept = app.read(|tx| tx.find("SELECT body FROM idempotency", &[], |row| row.get::<String>(0)));
        assert!(!kept.await.unwrap().contains(&secret), "the kept answer is encrypted");
        let other = json!({ "url": URL, "events": ["content.failed"] });
        create(&app, &tenant, &cookie, &other).idempotency("k").send().await.expect(409);
        assert_eq!(app.count("SELECT count(*) FROM webhook_endpoint").await, 1);
    }

    #[both_stores]
    async fn an_organization_has_a_limited_number_of_endpoints(test: TestStore) {
        let (app, tenant, cookie) = signed_in(test).await;
        let body = json!({ "url": URL, "events": ["content.completed"] });
        for _ in 0..events::endpoints::MAX_ENDPOINTS_PER_OWNER {
            create(&app, &tenant, &cookie, &body).send().await.expect(201);
        }
        create(&app, &tenant, &cookie, &body).send().await.expect(409);
    }
}
