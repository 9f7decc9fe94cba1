//! What every test here needs: a store, endpoints, events, deliverers, and a look at the rows.

use std::time::Duration;

use events::deliveries::{self, Delivery, LogQuery};
use events::endpoints::{
    self, Endpoint, NewEndpoint, Registration, RotateSecretError, Rotated, Rotation, SignatureVersion,
};
use events::platform::{PlatformEvent, PlatformFact, record_for_workspace};
use events::{Deliverer, DelivererOptions, NewEvent, Surface, record};
use kernel::id::{EndpointId, EventId};
use kernel::secret::{ExposeSecret, MasterKey, Sealer};
use net::signing::EndpointSecret;
use net::{OutboundClient, OutboundPolicy};
use store::StoreError;
use testkit::TestStore;

pub(crate) const COMPLETED: &str = "content.completed";

pub(crate) struct Stage {
    pub(crate) test: TestStore,
    sealer: Sealer,
}

/// A delivery with its attempts, as rows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) state: String,
    /// Number, status code, error.
    pub(crate) attempts: Vec<(u32, Option<i64>, Option<String>)>,
}

impl Stage {
    pub(crate) fn new(test: TestStore) -> Self {
        let sealer = MasterKey::generate(&test.ambient).sealer("webhook secrets");
        Self { test, sealer }
    }

    pub(crate) fn deliverer(&self) -> Deliverer {
        self.deliverer_with(DelivererOptions::default())
    }

    pub(crate) fn deliverer_with(&self, options: DelivererOptions) -> Deliverer {
        let allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
        let client = OutboundClient::new(OutboundPolicy { allow_networks, allow_http: true, extra_ca_pem: None });
        let TestStore { store, ambient, .. } = &self.test;
        Deliverer::new(store.clone(), client.unwrap(), self.sealer.clone(), ambient.clone(), options)
    }

    pub(crate) fn advance(&self, millis: u64) {
        self.test.clock.advance(Duration::from_millis(millis));
    }

    /// An endpoint of `owner` for [`COMPLETED`].
    pub(crate) async fn endpoint(&self, owner: &str, url: &str) -> (Endpoint, EndpointSecret) {
        self.endpoint_for(owner, url, &[COMPLETED]).await
    }

    pub(crate) async fn endpoint_for(&self, owner: &str, url: &str, events: &[&str]) -> (Endpoint, EndpointSecret) {
        let (new, secret) = self.prepare(owner, url, events);
        let made = self.test.store.write("test", move |tx| endpoints::create(tx, &new)).await;
        (made.unwrap(), EndpointSecret::new(secret))
    }

    pub(crate) fn prepare(
        &self,
        owner: &str,
        url: &str,
        events: &[&str],
    ) -> (NewEndpoint, kernel::secret::SecretString) {
        let registration = Registration {
            surface: Surface::Content,
            owner_id: owner.to_owned(),
            url: url.to_owned(),
            events: events.iter().map(|name| (*name).to_owned()).collect(),
            secret: None,
            signature_version: SignatureVersion::Plain,
        };
        NewEndpoint::new(&self.test.ambient, &self.sealer, registration)
    }

    /// An endpoint of a workspace, and the secret that its owner was shown.
    pub(crate) async fn platform_endpoint(&self, owner: &str, url: &str, events: &[&str]) -> (Endpoint, String) {
        self.platform_endpoint_with(owner, url, events, None, SignatureVersion::Plain).await
    }

    pub(crate) async fn platform_endpoint_with(
        &self,
        owner: &str,
        url: &str,
        events: &[&str],
        secret: Option<&str>,
        signature_version: SignatureVersion,
    ) -> (Endpoint, String) {
        let registration = Registration {
            surface: Surface::Platform,
            owner_id: owner.to_owned(),
            url: url.to_owned(),
            events: events.iter().map(|name| (*name).to_owned()).collect(),
            secret: secret.map(|text| text.to_owned().into()),
            signature_version,
        };
        let (new, secret) = NewEndpoint::new(&self.test.ambient, &self.sealer, registration);
        let made = self.test.store.write("test", move |tx| endpoints::create(tx, &new)).await;
        (made.unwrap(), secret.expose_secret().to_owned())
    }

    /// Records an event of a workspace.
    pub(crate) async fn fact(&self, owner: &'static str, event: PlatformEvent, fields: serde_json::Value) -> EventId {
        let serde_json::Value::Object(fields) = fields else { panic!("an object") };
        let fact = PlatformFact { event, subject_id: "subject".to_owned(), fields };
        let recorded = self.test.store.write("test", move |tx| record_for_workspace(tx, owner, &fact)).await;
        recorded.map_err(|error: StoreError| error).unwrap()
    }

    /// Replaces a secret; the new one, as its owner is shown it.
    pub(crate) async fn rotate(
        &self,
        owner: &'static str,
        endpoint: &Endpoint,
        overlap: Duration,
    ) -> Result<(Rotated, String), RotateSecretError> {
        let (rotation, secret) = Rotation::new(&self.test.ambient, &self.sealer, endpoint.id, None, overlap);
        let surface = endpoint.surface;
        let rotated = self.test.store.write("test", move |tx| endpoints::rotate_secret(tx, surface, owner, &rotation));
        Ok((rotated.await?, secret.expose_secret().to_owned()))
    }

    /// The newest deliveries of an endpoint.
    pub(crate) async fn log(&self, endpoint: EndpointId) -> Vec<Delivery> {
        let query = LogQuery { state: None, offset: 0, limit: 100 };
        let listed = self.test.store.read("test", move |tx| deliveries::list(tx, endpoint, query)).await;
        listed.map_err(|error: StoreError| error).unwrap()
    }

    /// Records [`COMPLETED`] for `owner`.
    pub(crate) async fn event(&self, owner: &str, body: &str) -> EventId {
        let id = self.test.ambient.id();
        self.try_event(id, owner, body).await.unwrap();
        id
    }

    pub(crate) async fn try_event(&self, id: EventId, owner: &str, body: &str) -> Result<(), StoreError> {
        let event = NewEvent {
            id,
            surface: Surface::Content,
            owner_id: owner.to_owned(),
            event_type: COMPLETED,
            subject_id: "expansion".to_owned(),
            body: body.to_owned(),
        };
        self.test.store.write("test", move |tx| record(tx, &event)).await
    }

    pub(crate) async fn list(&self, owner: &'static str) -> Vec<Endpoint> {
        let listed = self.test.store.read("test", move |tx| endpoints::list(tx, Surface::Content, owner)).await;
        listed.map_err(|error: StoreError| error).unwrap()
    }

    pub(crate) async fn delete(&self, owner: &'static str, id: EndpointId) -> bool {
        let deleted = self.test.store.write("test", move |tx| endpoints::delete(tx, Surface::Content, owner, id)).await;
        deleted.map_err(|error: StoreError| error).unwrap()
    }

    /// The delivery's rows; `None` when there is no such delivery.
    pub(crate) async fn rows(&self, event: EventId, endpoint: EndpointId) -> Option<Rows> {
        let read = self.test.store.read("test", move |tx| {
            let state = tx.find(
                "SELECT state FROM delivery WHERE event_id = $1 AND endpoint_id = $2",
                &[&event, &endpoint],
                |row| row.get(0),
            )?;
            let attempts = tx.query(
                "SELECT attempt, status_code, error FROM delivery_attempt
                 WHERE event_id = $1 AND endpoint_id = $2 ORDER BY attempt",
                &[&event, &endpoint],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )?;
            Ok::<_, StoreError>(state.map(|state| Rows { state, attempts }))
        });
        read.await.unwrap()
    }

    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        let read = self.test.store.read("test", move |tx| tx.find(sql, &[], |row| row.get(0)));
        read.await.map_err(|error: StoreError| error).unwrap().unwrap_or(0)
    }

    pub(crate) async fn text(&self, sql: &'static str) -> String {
        let read = self.test.store.read("test", move |tx| tx.find(sql, &[], |row| row.get(0)));
        read.await.map_err(|error: StoreError| error).unwrap().unwrap()
    }

    pub(crate) async fn execute(&self, sql: &'static str) {
        let written = self.test.store.write("test", move |tx| tx.execute(sql, &[])).await;
        written.map_err(|error: StoreError| error).unwrap();
    }
}

pub(crate) fn rows(state: &str, attempts: &[(u32, Option<i64>, Option<&str>)]) -> Option<Rows> {
    let attempts = attempts.iter().map(|(number, status, error)| (*number, *status, error.map(str::to_owned)));
    Some(Rows { state: state.to_owned(), attempts: attempts.collect() })
}

pub(crate) fn text(secret: &EndpointSecret) -> String {
    secret.text().expose_secret().to_owned()
}
