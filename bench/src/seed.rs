//! Rows to measure with: a customer with a key, modules to read, endpoints to deliver to.

use billing::ledger::{self, TopUpError};
use content::ContentKeys;
use content::webhooks::CONTENT_COMPLETED;
use edge::keys::NewKey;
use edge::problem::Problem;
use events::Surface;
use events::endpoints::{self, CreateEndpointError, NewEndpoint, Registration, SignatureVersion};
use kernel::ambient::Ambient;
use kernel::id::{ClassroomId, CourseId, ModuleId, OrganizationId};
use kernel::money::MicroUsd;
use kernel::secret::{ExposeSecret as _, Sealer};
use platform::credentials::PlatformKeys;
use platform::workspaces::create::{NewWorkspace, insert};
use store::{Store, StoreError, Tx};

/// More than any load generator can use up: the limiter works on every request and never refuses.
const UNREACHED_LIMIT: u32 = 1_000_000_000;
/// More than any load generator can spend.
const UNSPENT_CREDITS: u64 = 1_000_000_000;
/// Modules in one transaction.
const MODULES_PER_WRITE: usize = 500;
const PARAGRAPH: &str = "<p>A cell is the smallest unit of life. Its membrane decides what enters and what \
leaves; the cytoplasm holds the organelles, each with a task of its own. The nucleus keeps the DNA, the \
mitochondria release energy from sugar, and ribosomes build proteins from amino acids.</p>";
const QUIZZES: &str = r#"[{"id":"0192aee1-5a3b-7c2d-8e4f-123456789abc","sequence":1,"title":"The cell","question":"Which part of the cell keeps the DNA?","type":"select","options":["The nucleus","The membrane","The ribosome","The cytoplasm"],"correctAnswers":["The nucleus"],"showFeedback":true},{"id":"0192aee1-5a3b-7c2d-8e4f-123456789abd","sequence":2,"title":"The cell","question":"Mitochondria release energy from sugar.","type":"true-false","options":["True","False"],"correctAnswers":["True"],"showFeedback":true}]"#;

/// A customer.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) organization: OrganizationId,
    pub(crate) classroom: ClassroomId,
    pub(crate) key: String,
}

/// Makes a customer.
pub(crate) async fn world(store: &Store, ambient: &Ambient) -> Result<World, StoreError> {
    let ambient = ambient.clone();
    let make = move |tx: &mut Tx<'_>| {
        let organization = content::organizations::create::create(tx, &ambient, "Measured School")?.id;
        let classroom = content::classrooms::create::create(tx, &ambient, organization, "Biology 7b", "en")?.id;
        let new = NewKey {
            name: "bench".into(),
            rate_limit_per_minute: UNREACHED_LIMIT,
            expires_at: None,
            is_service_admin: false,
        };
        let minted = edge::keys::create::<ContentKeys>(tx, &ambient, &organization.to_string(), &new)?;
        Ok(World { organization, classroom, key: minted.raw.expose_secret().to_owned() })
    };
    store.write("bench.world", make).await
}

/// Makes another customer, whose key may send so many requests a minute, and gives the key.
pub(crate) async fn limited_key(store: &Store, ambient: &Ambient, per_minute: u32) -> Result<String, StoreError> {
    let ambient = ambient.clone();
    let make = move |tx: &mut Tx<'_>| {
        let organization = content::organizations::create::create(tx, &ambient, "Limited School")?.id;
        let new = NewKey {
            name: "limited".into(),
            rate_limit_per_minute: per_minute,
            expires_at: None,
            is_service_admin: false,
        };
        let minted = edge::keys::create::<ContentKeys>(tx, &ambient, &organization.to_string(), &new)?;
        Ok(minted.raw.expose_secret().to_owned())
    };
    store.write("bench.limited_key", make).await
}

/// Makes a workspace that can pay for everything, and gives its key.
pub(crate) async fn workspace(store: &Store, ambient: &Ambient) -> Result<String, Problem> {
    let credits = MicroUsd::from_credits(UNSPENT_CREDITS).ok_or(TopUpError::TooMuch).map_err(Problem::unexpected)?;
    workspace_with(store, ambient, "measured-school", Some(credits)).await
}

/// Makes a workspace that has nothing, and gives its key.
pub(crate) async fn poor_workspace(store: &Store, ambient: &Ambient) -> Result<String, Problem> {
    workspace_with(store, ambient, "paying-school", None).await
}

/// Makes a workspace with its free credits and others; without others, it has no free ones either.
async fn workspace_with(
    store: &Store,
    ambient: &Ambient,
    slug: &'static str,
    credits: Option<MicroUsd>,
) -> Result<String, Problem> {
    let ambient = ambient.clone();
    let make = move |tx: &mut Tx<'_>| {
        let named = NewWorkspace::named("Measured School".to_owned(), slug.to_owned());
        let new = NewWorkspace {
            email: Some("bench@example.com".to_owned()),
            is_email_verified: true,
            rate_limit_per_minute: UNREACHED_LIMIT,
            free_grant: if credits.is_some() { named.free_grant } else { MicroUsd::ZERO },
            ..named
        };
        let workspace = insert(tx, &new)?;
        if let Some(credits) = credits {
            ledger::top_up(tx, workspace, credits, None).map_err(Problem::unexpected)?;
        }
        let key = NewKey {
            name: "bench".into(),
            rate_limit_per_minute: UNREACHED_LIMIT,
            expires_at: None,
            is_service_admin: false,
        };
        let minted = edge::keys::create::<PlatformKeys>(tx, &ambient, &workspace.to_string(), &key)?;
        Ok(minted.raw.expose_secret().to_owned())
    };
    store.write("bench.workspace", make).await
}

/// Stores modules of about two kilobytes and gives their ids.
pub(crate) async fn modules(
    store: &Store,
    ambient: &Ambient,
    world: &World,
    count: usize,
) -> Result<Vec<String>, StoreError> {
    let ids: Vec<ModuleId> = (0..count).map(|_| ambient.id()).collect();
    for ids in ids.chunks(MODULES_PER_WRITE) {
        let (ids, world) = (ids.to_vec(), world.clone());
        store.write("bench.modules", move |tx| ids.iter().try_for_each(|id| module(tx, &world, *id))).await?;
    }
    Ok(ids.iter().map(ToString::to_string).collect())
}

fn module(tx: &mut Tx<'_>, world: &World, id: ModuleId) -> Result<(), StoreError> {
    let now = tx.now();
    tx.execute_later(
        "INSERT INTO module (id, organization_id, classroom_id, title, slug, description, type, status, language,
            is_public, content, quizzes, metadata, created_at, updated_at)
         VALUES ($1, $2, $3, 'The cell', 'the-cell', 'What cells are made of.', 'markdown', 'completed', 'en', 0, $4,
            $5, '{}', $6, $6)",
        &[&id, &world.organization, &world.classroom, &PARAGRAPH.repeat(4), &QUIZZES, &now],
    )
}

/// Stores a course of modules with so much text each, and the same modules beside it; gives the course's id.
pub(crate) async fn large_course(
    store: &Store,
    ambient: &Ambient,
    world: &World,
    count: usize,
    text_bytes: usize,
) -> Result<String, StoreError> {
    let course: CourseId = ambient.id();
    let of_world = world.clone();
    let make = move |tx: &mut Tx<'_>| {
        let now = tx.now();
        tx.execute(
            "INSERT INTO course (id, organization_id, classroom_id, title, slug, description, level, visibility, status,
                language, metadata, version, created_at, updated_at)
             VALUES ($1, $2, $3, 'Cells', 'cells', '', NULL, 'PRIVATE', 'completed', 'en', '{}', 1, $4, $4)",
            &[&course, &of_world.organization, &of_world.classroom, &now],
        )
    };
    store.write("bench.course", make).await?;
    let html = format!("<p>{}</p>", words(text_bytes));
    for sequence in 1..=i64::try_from(count).unwrap_or(i64::MAX) {
        let ids: [ModuleId; 2] = [ambient.id(), ambient.id()];
        let (world, html) = (world.clone(), html.clone());
        let make = move |tx: &mut Tx<'_>| {
            let now = tx.now();
            for (id, place) in ids.iter().zip([None, Some((course, sequence))]) {
                tx.execute_later(
                    "INSERT INTO module (id, organization_id, classroom_id, course_id, sequence, title, slug, description,
                        type, status, language, is_public, content, quizzes, metadata, created_at, updated_at)
                     VALUES ($1, $2, $3, $4, $5, 'The cell', 'the-cell', '', 'markdown', 'completed', 'en', 0, $6, '[]',
                        '{}', $7, $7)",
                    &[
                        id,
                        &world.organization,
                        &world.classroom,
                        &place.map(|(course, _)| course),
                        &place.map(|(_, sequence)| sequence),
                        &html,
                        &now,
                    ],
                )?;
            }
            Ok::<_, StoreError>(())
        };
        store.write("bench.large_module", make).await?;
    }
    Ok(course.to_string())
}

/// So many bytes of text that packs about as well as prose.
pub(crate) fn words(bytes: usize) -> String {
    let mut random: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut text = String::with_capacity(bytes + 16);
    while text.len() < bytes {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let length = 2 + random % 8;
        text.extend((0..length).map(|n| char::from(b'a' + u8::try_from((random >> (8 + 5 * n)) % 26).unwrap_or(0))));
        text.push(' ');
    }
    text.truncate(bytes);
    text
}

/// Registers a webhook endpoint for completed expansions.
pub(crate) async fn endpoint(
    store: &Store,
    ambient: &Ambient,
    sealer: &Sealer,
    owner: OrganizationId,
    url: &str,
) -> Result<(), CreateEndpointError> {
    let events = [CONTENT_COMPLETED.to_owned()];
    let registration = Registration {
        surface: Surface::Content,
        owner_id: owner.to_string(),
        url: url.to_owned(),
        events: events.to_vec(),
        secret: None,
        signature_version: SignatureVersion::default(),
    };
    let (new, _) = NewEndpoint::new(ambient, sealer, registration);
    store.write("bench.endpoint", move |tx| endpoints::create(tx, &new).map(drop)).await
}
