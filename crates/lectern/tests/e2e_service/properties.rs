//! Random sources, valid and mutated: never a 5xx, and what is accepted comes to an end with the built-in
//! generator.

use axum::Router;
use axum::body::Body;
use content::ContentKeys;
use content::classrooms::create as classrooms;
use content::organizations::create as organizations;
use edge::keys::{self, KeyRules, NewKey};
use edge::operations::Draining;
use files::storage::StorageOptions;
use files::text::ExtractorOptions;
use http::Request;
use http_body_util::BodyExt as _;
use kernel::secret::{ExposeSecret as _, MasterKey};
use lectern::app::{App, AppOptions, Role};
use lectern::rendering::RenderingOptions;
use mail::templates::Templates;
use mail::{MailOptions, Way};
use metrics_exporter_prometheus::PrometheusBuilder;
use net::OutboundPolicy;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value, json};
use store::StoreError;
use store::jobs::Worker;
use testkit::{TestStore, both_stores};
use tokio::runtime::Handle;
use tower::ServiceExt as _;

use super::client::EXPANSIONS;

const CASES: u32 = 96;
const SENTENCES: [&str; 12] = [
    "A cell is the smallest unit of life.",
    "Der Zellkern enthält das Erbgut der Zelle.",
    "La photosynthèse transforme la lumière en énergie chimique.",
    "細胞は生命の最小単位です。",
    "Клетка — это наименьшая единица жизни.",
    "الخلية هي أصغر وحدة في الحياة.",
    "H2O boils at 100 °C (212 °F); ice melts at 0 °C.",
    "<p>Mitochondria: <b>powerhouses</b> &amp; more</p><script>alert(1)</script>",
    "# Heading\n\n- first point\n- second point\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "What is 2 + 2? A) 3 B) 4 C) 5",
    "\u{202e}right to left\u{200b} and zero width",
    "",
];
const NAMES: [&str; 14] = [
    "text",
    "content",
    "body",
    "objectives",
    "items",
    "questions",
    "definition",
    "answer",
    "options",
    "table",
    "id",
    "title",
    "name",
    "type",
];

fn text() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => vec(select(&SENTENCES[..]), 1..5).prop_map(|parts| Value::from(parts.join(" "))),
        1 => ".{0,40}".prop_map(|text| Value::from(text.replace('\0', " "))),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => text(),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(|number| json!(number)),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| prop_oneof![vec(inner.clone(), 0..5).prop_map(Value::from), object(inner)])
}

fn object(member: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let members = vec((select(&NAMES[..]), member), 0..8);
    members
        .prop_map(|members| Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
}

/// A lesson as a customer would send it.
fn lesson() -> impl Strategy<Value = Value> {
    let fields = vec((select(&NAMES[..10]), value()), 0..8);
    let titled = (text(), fields).prop_map(|(title, fields)| {
        let mut lesson: Map<String, Value> = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        lesson.insert("title".into(), title);
        Value::Object(lesson)
    });
    prop_oneof![3 => titled, 1 => text()]
}

fn payload() -> impl Strategy<Value = Value> {
    let language = select(vec!["en", "de", "zh-Hant", "ar", "xx", "sr-Latn-RS"]);
    (vec(lesson(), 1..6), text(), language, 0..3_u8).prop_map(|(lessons, title, language, variant)| match variant {
        0 => json!({ "language": language, "category": { "name": title }, "level": { "title": title, "lessons": lessons } }),
        1 => json!({ "language": language, "categories": [{ "title": title, "levels": [{}, { "name": title, "lessons": lessons }] }] }),
        _ => json!({ "language": language, "title": title, "lessons": lessons }),
    })
}

/// What is done to a valid request.
#[derive(Clone, Debug)]
enum Mutation {
    None,
    Replace(Vec<Index>, Value),
    Truncate(Index),
    Flip(Index, u8),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        5 => Just(Mutation::None),
        5 => (vec(any::<Index>(), 0..6), value()).prop_map(|(path, value)| Mutation::Replace(path, value)),
        1 => any::<Index>().prop_map(Mutation::Truncate),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Flip(at, byte)),
    ]
}

fn apply(mutation: &Mutation, mut request: Value) -> Vec<u8> {
    if let Mutation::Replace(path, value) = mutation {
        replace(&mut request, path, value);
    }
    let mut bytes = request.to_string().into_bytes();
    match mutation {
        Mutation::None | Mutation::Replace(..) => {}
        Mutation::Truncate(at) => bytes.truncate(at.index(bytes.len())),
        Mutation::Flip(at, byte) => {
            let at = at.index(bytes.len());
            bytes[at] ^= byte;
        }
    }
    bytes
}

/// Puts a value where the path leads, or as far as it goes.
fn replace(place: &mut Value, path: &[Index], value: &Value) {
    let children: Vec<&mut Value> = match place {
        Value::Object(members) => members.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    match path.split_first() {
        Some((step, rest)) if !children.is_empty() => {
            let chosen = step.index(children.len());
            children.into_iter().nth(chosen).into_iter().for_each(|child| replace(child, rest, value));
        }
        _ => place.clone_from(value),
    }
}

/// The service put together as the program does.
struct Service {
    router: Router,
    worker: Worker,
    key: String,
    classroom: String,
}

impl Service {
    async fn on(test: &TestStore) -> Self {
        let ambient = test.ambient.clone();
        let make = move |tx: &mut store::Tx<'_>| {
            let organization = organizations::create(tx, &ambient, "Riverside")?.id;
            let classroom = classrooms::create(tx, &ambient, organization, "Class 7b", "en")?.id;
            let new = NewKey {
                name: "test".into(),
                rate_limit_per_minute: 100_000,
                expires_at: None,
                is_service_admin: false,
            };
            let minted = keys::create::<ContentKeys>(tx, &ambient, &organization.to_string(), &new)?;
            Ok::<_, StoreError>((minted.raw.expose_secret().to_owned(), classroom.to_string()))
        };
        let (key, classroom) = test.store.write("test", make).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let options = AppOptions {
            storage: StorageOptions::Folder(folder.path().to_owned()),
            extractor: ExtractorOptions::new("lectern".into()),
            mail: MailOptions {
                from: "lectern@lectern.example".parse().unwrap(),
                way: Way::Folder(folder.path().join("mail")),
                templates: Templates::default(),
            },
            model: None,
            processor: None,
            requires_operator_totp: false,
            audit_retention: edge::audit::USUAL_RETENTION,
            identity_providers: Vec::new(),
            key_rules: KeyRules { requires_verified_email: true },
            store: test.options.clone(),
            base_url: "https://lectern.example".parse().unwrap(),
            master: MasterKey::from_hex(&"11".repeat(32)).unwrap(),
            outbound: OutboundPolicy::default(),
            has_base_url: true,
            webhook_retry_delays: Vec::new(),
            lti_retry_delays: Vec::new(),
            x402: None,
            outage_delays: Vec::new(),
            prices: billing::catalog::Catalog::default(),
            operator_emails: Vec::new(),
            invoice_terms: None,
            pages: web::PageOptions::default(),
            rendering: RenderingOptions {
                program: "lectern".into(),
                search_path: "/nowhere".into(),
                at_once: 1,
                folder: folder.path().join("renderings"),
                speech: None,
            },
            workers: 1,
            body_limit_bytes: edge::body::DEFAULT_BODY_LIMIT_BYTES,
            responses: edge::responses::ResponseLimits::default(),
        };
        let app = App::on(test.store.clone(), options, test.ambient.clone()).unwrap();
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        Self { router: app.router(Role::All, Draining::default(), metrics), worker: app.worker(), key, classroom }
    }

    async fn send(&self, request: http::request::Builder, body: Vec<u8>) -> (u16, Value) {
        let request =
            request.header("authorization", format!("Bearer {}", self.key)).header("content-type", "application/json");
        let response = self.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&body).unwrap())
    }

    /// Creates an expansion and, where it was accepted, runs it to its end.
    async fn expand(&self, body: Vec<u8>) -> Result<(), TestCaseError> {
        let (status, answer) = self.send(Request::post(EXPANSIONS), body).await;
        prop_assert!([202, 400, 404].contains(&status), "{status} {answer}");
        if status != 202 {
            return Ok(());
        }
        prop_assert_eq!(self.worker.run_queued().await.unwrap(), 1);
        let path = format!("{EXPANSIONS}/{}", answer["id"].as_str().unwrap());
        let (_, job) = self.send(Request::get(path), Vec::new()).await;
        // A source without a word to teach from is the only reason to fail.
        let is_empty = job["error"]["code"] == "source_empty";
        prop_assert!(job["status"] == "completed" || is_empty, "{job}");
        Ok(())
    }
}

#[both_stores]
async fn no_source_brings_the_service_down_and_every_accepted_one_ends(test: TestStore) {
    let service = Service::on(&test).await;
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let strategy = (payload(), mutation());
    let check = |(payload, mutation): (Value, Mutation)| {
        let body = apply(&mutation, json!({ "classroomId": service.classroom, "payload": payload }));
        Handle::current().block_on(service.expand(body))
    };
    tokio::task::block_in_place(|| TestRunner::new_with_rng(config, rng).run(&strategy, check).unwrap());
}
