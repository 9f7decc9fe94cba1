//! The pages over a store with a few resources, for tests that ask as a browser does.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::{Extension, Router};
use billing::catalog::Catalog;
use content::Content;
use content::links::Links;
use content::resources::Kind;
use edge::admins::{self, NewAdmin};
use edge::body::BodyLimit;
use edge::context::Tracking;
use edge::door::Door;
use edge::keys::KeyRules;
use edge::operations::Draining;
use edge::origin::OwnOrigin;
use edge::problem::unknown_route;
use edge::rate::Sharing;
use edge::sessions;
use files::signed::FileLinks;
use files::storage::StorageOptions;
use files::text::ExtractorOptions;
use files::{Extractor, FileStore, RenderingKey};
use kernel::id::{ClassroomId, OrganizationId};
use kernel::secret::MasterKey;
use net::{OutboundClient, OutboundPolicy};
use platform::evaluations::{Graders, Processors};
use platform::workspaces::create::{NewWorkspace, insert};
use platform::{Files, Platform, PlatformOptions};
use serde_json::Value;
use store::{StoreError, ToColumn, Tx};
use tempfile::TempDir;
use testkit::TestStore;
use url::Url;

/// The longest body in these tests, in bytes.
pub(crate) const BODY_LIMIT_BYTES: usize = 20_000;

/// The service in a test.
pub(crate) struct Service {
    pub(crate) test: TestStore,
    pub(crate) router: Router,
    _files: TempDir,
    files: FileStore,
    links: Links,
    /// The path that a proxy takes away.
    root: String,
    pub(crate) place: (OrganizationId, ClassroomId),
}

/// A row in the making: a table's columns.
type Columns = BTreeMap<&'static str, Value>;

impl Service {
    /// Makes an account, with a session where its token is given.
    pub(crate) async fn account(&self, token: Option<&'static str>) {
        let ambient = self.test.ambient.clone();
        let make = move |tx: &mut Tx<'_>| {
            let new = NewAdmin { email: "a@example.com".to_owned(), password_hash: "!".to_owned(), is_operator: false };
            let user = admins::create(tx, &ambient, &new)?;
            if let Some(token) = token {
                sessions::open(tx, &token.into(), user, "UTC", sessions::Method::Password)?;
            }
            Ok::<_, StoreError>(())
        };
        self.test.store.write("test", make).await.unwrap();
    }

    /// A service at `base`, with an organization and a classroom.
    pub(crate) async fn new(test: TestStore, base: &str) -> Self {
        Self::with_options(test, base, web::PageOptions::default()).await
    }

    /// The same with what an operator decides about pages.
    pub(crate) async fn with_options(test: TestStore, base: &str, options: web::PageOptions) -> Self {
        let master = MasterKey::from_hex(&"11".repeat(32)).unwrap();
        let base_url = Url::parse(base).unwrap();
        let origin = OwnOrigin::of(&base_url);
        let door = Door::new(
            test.store.clone(),
            test.ambient.clone(),
            &master,
            origin,
            Sharing::ManyProcesses,
            KeyRules { requires_verified_email: true },
        );
        let allow_networks = vec!["127.0.0.0/8".parse().unwrap()];
        let policy = OutboundPolicy { allow_networks, allow_http: true, extra_ca_pem: None };
        let outbound = OutboundClient::new(policy).unwrap();
        let folder = TempDir::new().unwrap();
        let content = Content::new(door.clone(), outbound.clone(), &master, &base_url);
        let platform = platform(&content, &outbound, &master, &base_url, &folder);
        let links = content.links.clone();
        let tracking = Tracking::new(door);
        let api = platform::api::router(platform.clone());
        let router = web::router(content, platform, &base_url, options, Draining::default())
            .merge(api)
            .fallback(unknown_route)
            .layer((Extension(BodyLimit(BODY_LIMIT_BYTES)), tracking));
        let ambient = test.ambient.clone();
        let make = move |tx: &mut Tx<'_>| {
            let organization = content::organizations::create::create(tx, &ambient, "Riverside")?.id;
            let classroom = content::classrooms::create::create(tx, &ambient, organization, "Class 7b", "en")?.id;
            Ok::<_, StoreError>((organization, classroom))
        };
        let place = test.store.write("test", make).await.unwrap();
        let root = base_url.path().trim_end_matches('/').to_owned();
        let files = FileStore::open(&StorageOptions::Folder(folder.path().to_owned())).unwrap();
        Self { test, router, _files: folder, files, links, root, place }
    }

    /// The path of a resource's public page.
    pub(crate) fn public(&self, kind: Kind, id: &str) -> String {
        format!("/public/{}/{id}", kind.plural())
    }

    /// The path of a resource's preview.
    pub(crate) fn preview(&self, kind: Kind, id: &str) -> String {
        let url = Url::parse(&self.links.preview(kind, &id)).unwrap();
        url.path().strip_prefix(&self.root).unwrap().to_owned()
    }

    /// The path of the page where a video is edited.
    pub(crate) fn edit_page(&self, video: &str) -> String {
        let token = self.links.edit_token(video.parse().unwrap());
        format!("/videos/edit/{token}")
    }

    /// Stores what was rendered of a video's first version: a file with these bytes.
    pub(crate) async fn add_film(&self, video: &str, bytes: &'static str) {
        let (file, poster): (kernel::id::FileId, kernel::id::FileId) = (self.test.ambient.id(), self.test.ambient.id());
        let row = [
            ("video_id", video.into()),
            ("organization_id", self.place.0.to_string().into()),
            ("file_id", file.to_string().into()),
            ("poster_id", poster.to_string().into()),
            ("video_version", 1.into()),
            ("width", 1280.into()),
            ("height", 720.into()),
            ("duration_ms", 4000.into()),
            ("size_bytes", Value::from(bytes.len())),
            ("burns_captions", 0.into()),
            ("captions", "WEBVTT\n".into()),
            ("transcript", "One.".into()),
            ("chapters", "[]".into()),
            ("rendered_at", 0.into()),
        ];
        self.insert("video_file", row.into_iter().collect()).await;
        for (file, bytes) in [(file, bytes), (poster, "a picture")] {
            let key = RenderingKey { organization: self.place.0, file };
            self.files.put(key, bytes.into()).await.unwrap();
        }
    }

    /// Stores a resource that is public and whole but for what `given` says otherwise; its id.
    pub(crate) async fn add(&self, kind: Kind, given: Value) -> String {
        let id: kernel::id::ModuleId = self.test.ambient.id();
        let mut columns = self.defaults(kind);
        columns.insert("id", id.to_string().into());
        let mut scenes = Vec::new();
        for (name, value) in given.as_object().unwrap().clone() {
            match (name.as_str(), value) {
                ("scenes", Value::Array(given)) => scenes = given,
                (_, value) => {
                    let name: &'static str = name.leak();
                    columns.insert(name, value);
                }
            }
        }
        self.insert(kind.as_str(), columns).await;
        for (sequence, scene) in (1..).zip(scenes) {
            let scene_id: kernel::id::SceneId = self.test.ambient.id();
            let row = [
                ("id", scene_id.to_string().into()),
                ("video_id", id.to_string().into()),
                ("sequence", Value::from(sequence)),
                ("display_text", scene[0].clone()),
                ("script", scene[1].clone()),
                ("duration_seconds", scene[2].clone()),
            ];
            self.insert("scene", row.into_iter().collect()).await;
        }
        id.to_string()
    }

    fn defaults(&self, kind: Kind) -> Columns {
        let (organization, classroom) = self.place;
        let mut columns: Columns = [
            ("organization_id", organization.to_string().into()),
            ("classroom_id", classroom.to_string().into()),
            ("slug", "slug".into()),
            ("description", "".into()),
            ("status", "completed".into()),
            ("language", "en".into()),
            ("metadata", "{}".into()),
            ("version", 1.into()),
            ("created_at", 0.into()),
            ("updated_at", 0.into()),
        ]
        .into_iter()
        .collect();
        let own: &[(&str, Value)] = match kind {
            Kind::Module => &[
                ("title", "Cells".into()),
                ("type", "markdown".into()),
                ("is_public", 1.into()),
                ("content", "<p>A cell is alive.</p>".into()),
                ("quizzes", "[]".into()),
            ],
            Kind::Course => &[("title", "Biology".into())],
            Kind::Video => {
                &[("title", "Cells".into()), ("aspect_ratio", "16:9".into()), ("target_duration_seconds", 20.into())]
            }
            Kind::Slide => &[("title", "Cells".into()), ("content", "<section><h2>A</h2></section>".into())],
            Kind::Test => &[
                ("name", "Cells".into()),
                ("subject", "Biology".into()),
                ("level", "MEDIUM".into()),
                ("time_limit_minutes", 15.into()),
                ("passing_value_type", "PERCENTAGE".into()),
                ("passing_value", 60.0.into()),
                ("items", "[]".into()),
            ],
        };
        columns.extend(own.iter().cloned());
        if kind != Kind::Module {
            columns.insert("visibility", "PUBLIC".into());
        }
        columns
    }

    /// Makes a workspace with a link that registers a learning platform; the token of the link.
    pub(crate) async fn registration_link(&self, name: Option<&str>) -> String {
        let id: kernel::id::RegistrationLinkId = self.test.ambient.id();
        let make = move |tx: &mut Tx<'_>| insert(tx, &NewWorkspace::named("Riverside".into(), id.to_string()));
        let workspace = self.test.store.write("test", make).await.unwrap();
        let token = kernel::secret::random_token(&self.test.ambient);
        let now = self.test.ambient.now();
        let mut row: Columns = [
            ("id", id.to_string().into()),
            ("workspace_id", workspace.to_string().into()),
            ("token_digest", kernel::secret::sha256_hex(token.as_bytes()).into()),
            ("expires_at", now.plus(std::time::Duration::from_secs(24 * 3600)).as_millis().into()),
            ("created_at", now.as_millis().into()),
        ]
        .into_iter()
        .collect();
        row.extend(name.map(|name| ("name", name.into())));
        self.insert("lti_registration_link", row).await;
        token
    }

    async fn insert(&self, table: &'static str, columns: Columns) {
        let names: Vec<&str> = columns.keys().copied().collect();
        let places: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
        let sql: &'static str =
            format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), places.join(", ")).leak();
        let insert = move |tx: &mut Tx<'_>| {
            let values: Vec<Box<dyn ToColumn>> = columns.values().map(parameter).collect();
            let values: Vec<&dyn ToColumn> = values.iter().map(AsRef::as_ref).collect();
            tx.execute(sql, &values).map(drop)
        };
        self.test.store.write("test", insert).await.unwrap();
    }
}

fn platform(
    content: &Content,
    outbound: &OutboundClient,
    master: &MasterKey,
    base_url: &Url,
    folder: &TempDir,
) -> Platform {
    let files = Files::new(
        FileStore::open(&StorageOptions::Folder(folder.path().to_owned())).unwrap(),
        FileLinks::new(master, base_url),
        Extractor::new(ExtractorOptions::new("/nowhere/lectern".into())),
    );
    let graders = Graders::new(Arc::new(grading::Builtin), None, Processors::new(1));
    let options = PlatformOptions {
        outage_delays: Vec::new(),
        find_origin: |_, _, _| Ok(None),
        prices: Catalog::default(),
        operator_emails: Vec::new(),
        invoice_terms: None,
        processor: None,
        x402: None,
        job_types: Vec::new(),
        draw_scene: |_, _| Ok(b"a picture".to_vec()),
    };
    Platform::new(content.clone(), outbound.clone(), master, base_url, graders, files, options)
}

/// Texts and numbers as they are; arrays and objects as JSON text.
pub(crate) fn parameter(value: &Value) -> Box<dyn ToColumn> {
    match value {
        Value::String(text) => Box::new(text.clone()),
        Value::Number(number) if number.is_f64() => Box::new(number.as_f64().unwrap()),
        Value::Number(number) => Box::new(number.as_i64().unwrap()),
        other => Box::new(other.to_string()),
    }
}
