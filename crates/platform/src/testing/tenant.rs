//! Workspaces with everything that a test needs of them.

use std::time::Duration;

use billing::ledger::{Funding, Spending};
use edge::admins::{self, NewAdmin, Role};
use edge::keys::{self, NewKey};
use edge::problem::Problem;
use kernel::id::{KeyId, OrganizationId, SessionId, SubjectId, TopUpId, WorkspaceId};
use kernel::secret::ExposeSecret as _;
use serde_json::{Value, json};
use store::Tx;

use super::App;
use crate::credentials::PlatformKeys;
use crate::workspaces::create::{NewWorkspace, insert};

/// A workspace with a verified e-mail address, its free credits and a key.
pub(crate) struct Tenant {
    pub(crate) workspace: WorkspaceId,
    pub(crate) key: String,
    pub(crate) key_id: KeyId,
}

impl Tenant {
    /// The path of the workspace, or of something in it.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("{}/{}{rest}", super::WORKSPACES, self.workspace)
    }
}

/// A body that the create endpoint accepts: graded by code, and right.
pub(crate) fn exact() -> Value {
    json!({
        "evaluationType": "exact",
        "questionText": "What is 6 times 7?",
        "learnerAnswer": "42",
        "referenceAnswer": "42",
    })
}

/// A body that the create endpoint accepts: graded by the grader.
pub(crate) fn open() -> Value {
    json!({
        "evaluationType": "open_ended",
        "questionText": "Why is the sky blue?",
        "learnerAnswer": "Because air scatters blue light more.",
    })
}

/// A body that registers a learning platform under a client id.
pub(crate) fn registration(client_id: &str) -> Value {
    json!({
        "name": "Riverside Moodle",
        "issuer": "https://lms.example.com",
        "clientId": client_id,
        "authorizationEndpoint": "https://lms.example.com/auth",
        "tokenEndpoint": "https://lms.example.com/token",
        "jwksEndpoint": "https://lms.example.com/jwks",
    })
}

impl App {
    /// A workspace with the given slug.
    pub(crate) async fn tenant(&self, slug: &'static str) -> Tenant {
        self.tenant_of(NewWorkspace {
            email: Some(format!("{slug}@example.com")),
            is_email_verified: true,
            rate_limit_per_minute: 100_000,
            ..NewWorkspace::named(slug.to_owned(), slug.to_owned())
        })
        .await
    }

    /// A workspace that has spent its free credits.
    pub(crate) async fn broke(&self, slug: &'static str) -> Tenant {
        let tenant = self.tenant(slug).await;
        self.spend_all(&tenant).await;
        tenant
    }

    /// Spends what a workspace has.
    pub(crate) async fn spend_all(&self, tenant: &Tenant) {
        let (workspace, id) = (tenant.workspace, self.test.ambient.id::<TopUpId>());
        let spend = move |tx: &mut Tx<'_>| {
            let amount = billing::ledger::find_balance(tx, workspace)?.expect("it was opened").available();
            let spending =
                Spending { workspace, subject: SubjectId::of(id), amount, funding: Funding::Balance, key: None };
            billing::ledger::charge(tx, &spending).map_err(Problem::unexpected)
        };
        self.test.store.write("test", spend).await.unwrap();
    }

    pub(crate) async fn tenant_of(&self, new: NewWorkspace) -> Tenant {
        let workspace = self.test.store.write("test", move |tx| insert(tx, &new)).await.unwrap();
        let (key, key_id) = self.mint(workspace, false, None).await;
        Tenant { workspace, key, key_id }
    }

    /// An organization of the content surface with the given slug.
    pub(crate) async fn organization(&self, slug: &'static str) -> OrganizationId {
        let id: OrganizationId = self.test.ambient.id();
        let make = move |tx: &mut Tx<'_>| {
            let now = tx.now();
            tx.execute(
                "INSERT INTO organization (id, name, slug, created_at, updated_at) VALUES ($1, $2, $2, $3, $3)",
                &[&id, &slug, &now],
            )
        };
        self.test.store.write("test", make).await.unwrap();
        id
    }

    /// Another key of a workspace.
    pub(crate) async fn mint(
        &self,
        workspace: WorkspaceId,
        is_service_admin: bool,
        life: Option<Duration>,
    ) -> (String, KeyId) {
        let ambient = self.test.ambient.clone();
        let expires_at = life.map(|life| ambient.now().plus(life));
        let new = NewKey { name: "test".into(), rate_limit_per_minute: 1, expires_at, is_service_admin };
        let owner = workspace.to_string();
        let minted = self.test.store.write("test", move |tx| {
            let minted = keys::create::<PlatformKeys>(tx, &ambient, &owner, &new)?;
            Ok::<_, Problem>((minted.raw.expose_secret().to_owned(), minted.key.id))
        });
        minted.await.unwrap()
    }

    /// The cookie of a new operator.
    pub(crate) async fn operator(&self, email: &str) -> String {
        self.sign_up(email, true).await
    }

    /// The cookie of a new admin who is no operator.
    pub(crate) async fn admin(&self, email: &str) -> String {
        self.sign_up(email, false).await
    }

    /// Somebody with a role in an organization; the cookie.
    pub(crate) async fn member(&self, email: &str, organization: OrganizationId, role: Role) -> String {
        let cookie = self.admin(email).await;
        let email = email.to_owned();
        let join = move |tx: &mut Tx<'_>| {
            let user = admins::find(tx, &email)?.expect("somebody was just signed up");
            admins::join(tx, user, organization, role)
        };
        self.test.store.write("test", join).await.unwrap();
        cookie
    }

    /// Gives a workspace to an organization.
    pub(crate) async fn link(&self, tenant: &Tenant, organization: OrganizationId) {
        let workspace = tenant.workspace;
        let link = move |tx: &mut Tx<'_>| {
            tx.execute("UPDATE workspace SET organization_id = $2 WHERE id = $1", &[&workspace, &organization])
        };
        self.test.store.write("test", link).await.unwrap();
    }

    async fn sign_up(&self, email: &str, is_operator: bool) -> String {
        let ambient = self.test.ambient.clone();
        let token = format!("session of {email}").replace([' ', '@', '.'], "-");
        let (email, cookie) = (email.to_owned(), format!("jwt={token}"));
        let make = move |tx: &mut Tx<'_>| {
            let new = NewAdmin { email: email.clone(), password_hash: "none".to_owned(), is_operator };
            let user = admins::create(tx, &ambient, &new)?;
            let hash = kernel::secret::sha256_hex(token.as_bytes());
            let (now, end) = (tx.now(), tx.now().plus(Duration::from_secs(30 * 24 * 3600)));
            tx.execute(
                "INSERT INTO admin_session (token_hash, id, user_id, timezone, created_at, expires_at)
                 VALUES ($1, $2, $3, 'UTC', $4, $5)",
                &[&hash, &tx.ambient().id::<SessionId>(), &user, &now, &end],
            )?;
            Ok::<_, store::StoreError>(())
        };
        self.test.store.write("test", make).await.unwrap();
        cookie
    }

    /// Grades an answer; the evaluation.
    pub(crate) async fn evaluate(&self, tenant: &Tenant, body: &Value) -> Value {
        self.post(super::EVALUATIONS).key(&tenant.key).json(body).send().await.expect(201)
    }

    /// Credits and free credits that a workspace has.
    pub(crate) async fn balance(&self, tenant: &Tenant) -> (Value, Value) {
        let workspace = self.get(&tenant.path("")).key(&tenant.key).send().await.expect(200);
        (workspace["creditBalance"].clone(), workspace["freeCreditBalance"].clone())
    }
}
