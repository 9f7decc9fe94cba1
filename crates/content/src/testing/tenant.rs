//! Organizations with everything that a test needs of them.

use std::time::Duration;

use edge::admins::{self, NewAdmin, Role};
use edge::keys::{self, NewKey};
use http::header::SET_COOKIE;
use kernel::id::{ClassroomId, KeyId, OrganizationId};
use kernel::secret::ExposeSecret as _;
use serde_json::{Value, json};

use super::App;
use crate::classrooms::create as classrooms;
use crate::organizations::create as organizations;
use crate::{ContentKeys, classrooms::Classroom};

pub(crate) const SIGN_IN_PAGE: &str = "https://lectern.example/console/sign-in";
/// The password of every admin in a test.
pub(crate) const PASSWORD: &str = "correct horse";
/// [`PASSWORD`] hashed with the least work that Argon2 allows.
const CHEAP_HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$bGVjdGVybi10ZXN0LXNhbA$DCIvl3BJkQNA9Dun8DTzfs5UdW/51joPwWA/ie0JuAo";
pub(crate) const EXPANSIONS: &str = "/v1/content/integrations/expansions";

/// An organization with a classroom and a key.
#[derive(Clone)]
pub(crate) struct Tenant {
    pub(crate) organization: OrganizationId,
    pub(crate) classroom: ClassroomId,
    pub(crate) key: String,
    pub(crate) key_id: KeyId,
}

impl Tenant {
    /// The path of something of this organization, for its admins.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/v1/content/organizations/{}/{rest}", self.organization)
    }

    /// The path of the classroom's resources of a kind, or of one of them (`modules/{id}`).
    pub(crate) fn resources(&self, rest: &str) -> String {
        format!("/v1/content/classrooms/{}/{rest}", self.classroom)
    }

    /// A body that the create endpoint accepts.
    pub(crate) fn source(&self) -> Value {
        json!({
            "classroomId": self.classroom,
            "payload": {
                "language": "en",
                "category": "Biology",
                "level": { "title": "Cells", "lessons": [{ "title": "The cell", "text": "A cell is alive." }] },
            },
        })
    }

    /// The body with another payload.
    pub(crate) fn source_of(&self, payload: Value) -> Value {
        json!({ "classroomId": self.classroom, "payload": payload })
    }
}

impl App {
    /// An organization with a classroom and a key that no test exhausts.
    pub(crate) async fn tenant(&self, name: &'static str) -> Tenant {
        let ambient = self.test.ambient.clone();
        let make = move |tx: &mut store::Tx<'_>| {
            let organization = organizations::create(tx, &ambient, name)?.id;
            Ok((organization, classrooms::create(tx, &ambient, organization, "Class 7b", "en")?.id))
        };
        let (organization, classroom) = self.write(make).await;
        let (key, key_id) = self.mint(organization, 100_000, None).await;
        Tenant { organization, classroom, key, key_id }
    }

    pub(crate) async fn classroom(&self, of: &Tenant, name: &'static str, locale: &'static str) -> Classroom {
        let (ambient, organization) = (self.test.ambient.clone(), of.organization);
        self.write(move |tx| classrooms::create(tx, &ambient, organization, name, locale)).await
    }

    /// Another key of an organization.
    pub(crate) async fn mint(
        &self,
        organization: OrganizationId,
        limit: u32,
        life: Option<Duration>,
    ) -> (String, KeyId) {
        let ambient = self.test.ambient.clone();
        let expires_at = life.map(|life| ambient.now().plus(life));
        let new = NewKey { name: "test".into(), rate_limit_per_minute: limit, expires_at, is_service_admin: false };
        let owner = organization.to_string();
        let minted = self.write(move |tx| {
            let minted = keys::create::<ContentKeys>(tx, &ambient, &owner, &new)?;
            Ok((minted.raw.expose_secret().to_owned(), minted.key.id))
        });
        minted.await
    }

    /// Makes an admin of some organizations and signs in; the cookie.
    pub(crate) async fn admin_of(&self, email: &str, tenants: &[&Tenant]) -> String {
        self.sign_up(email, tenants, Role::Admin, false).await
    }

    /// Makes an operator and signs in; the cookie.
    pub(crate) async fn operator(&self, email: &str) -> String {
        self.sign_up(email, &[], Role::Admin, true).await
    }

    /// Makes somebody with a role in an organization and signs in; the cookie.
    pub(crate) async fn member_of(&self, email: &str, tenant: &Tenant, role: Role) -> String {
        self.sign_up(email, &[tenant], role, false).await
    }

    async fn sign_up(&self, email: &str, tenants: &[&Tenant], role: Role, is_operator: bool) -> String {
        let ambient = self.test.ambient.clone();
        let organizations: Vec<_> = tenants.iter().map(|tenant| tenant.organization).collect();
        let new = NewAdmin { email: email.to_owned(), password_hash: CHEAP_HASH.to_owned(), is_operator };
        let make = move |tx: &mut store::Tx<'_>| {
            let user = admins::create(tx, &ambient, &new)?;
            organizations.iter().try_for_each(|organization| admins::join(tx, user, *organization, role))
        };
        self.write(make).await;
        self.sign_in(email).await
    }

    /// Signs in through the front door; the cookie.
    pub(crate) async fn sign_in(&self, email: &str) -> String {
        let form = json!({ "email": email, "password": PASSWORD, "timezone": "Europe/Berlin" });
        let reply = self.post("/auth/login").header("referer", SIGN_IN_PAGE).json(&form).send().await;
        reply.expect(200);
        reply.header(SET_COOKIE.as_str()).split(';').next().unwrap().to_owned()
    }

    /// Makes a resource of a kind (`modules`) in the tenant's classroom.
    pub(crate) async fn make(&self, tenant: &Tenant, kind: &str, body: &Value) -> Value {
        let reply = self.post(&tenant.resources(kind)).key(&tenant.key).json(body).send().await;
        assert!(reply.status.is_success(), "{kind}: {}", reply.body);
        reply.json()
    }

    /// Has a body accepted; the job's id.
    pub(crate) async fn expand(&self, tenant: &Tenant, body: &Value) -> String {
        let job = self.post(EXPANSIONS).key(&tenant.key).json(body).send().await.expect(202);
        job["id"].as_str().unwrap().to_owned()
    }

    /// How a job stands.
    pub(crate) async fn job(&self, tenant: &Tenant, id: &str) -> Value {
        self.get(&format!("{EXPANSIONS}/{id}")).key(&tenant.key).send().await.expect(200)
    }

    /// What came of a job.
    pub(crate) async fn result(&self, tenant: &Tenant, id: &str) -> Value {
        self.get(&format!("{EXPANSIONS}/{id}/result")).key(&tenant.key).send().await.expect(200)
    }
}
