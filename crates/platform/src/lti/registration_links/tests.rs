mod connections;
mod faults;
mod links;
mod races;

use serde_json::{Value, json};
use store::{ToColumn, Tx};
use testkit::TestStore;
use testkit::lms::Lms;

use super::LEASE;
use super::connect::{self, Connected, NotConnected, PlatformQuery};
use super::platform_calls::Applicant;
use super::refusal::{Reason, Refusal};
use crate::testing::{App, REGISTRATION_LINKS, REGISTRATIONS, Tenant};

/// A service, a platform that it does not know, and a workspace.
struct Stage {
    app: App,
    lms: Lms,
    tenant: Tenant,
}

/// A link that was made.
struct Link {
    id: String,
    token: String,
}

impl Stage {
    async fn new(test: TestStore) -> Self {
        let (app, lms) = (App::reaching_this_machine(test), Lms::start().await);
        let tenant = app.tenant("riverside").await;
        Self { app, lms, tenant }
    }

    async fn link(&self, body: Value) -> Link {
        link(&self.app, &self.tenant, &body).await
    }

    /// Opens the link in the platform, and confirms.
    async fn connect(&self, link: &Link) -> Result<Connected, Refusal> {
        connect_with(&self.app, link, &query(&self.lms)).await
    }

    /// The one link as the list shows it.
    async fn shown(&self) -> Value {
        let list = self.app.get(REGISTRATION_LINKS).key(&self.tenant.key).send().await.expect(200);
        assert_eq!(list["total"], 1);
        list["items"][0].clone()
    }

    async fn registrations(&self) -> Vec<Value> {
        let list = self.app.get(REGISTRATIONS).key(&self.tenant.key).send().await.expect(200);
        list["items"].as_array().unwrap().clone()
    }

    /// Waits until the platform was asked to register the service so often.
    async fn wait_for_posts(&self, posts: usize) {
        while self.lms.registration_posts() < posts {
            tokio::task::yield_now().await;
        }
    }

    async fn change(&self, sql: &'static str, value: impl ToColumn + Send + Sync + 'static) {
        let change = move |tx: &mut Tx<'_>| tx.execute(sql, &[&value]);
        assert_eq!(self.app.test.store.write("test", change).await.unwrap(), 1);
    }
}

async fn link(app: &App, tenant: &Tenant, body: &Value) -> Link {
    let made = app.post(REGISTRATION_LINKS).key(&tenant.key).json(body).send().await.expect(201);
    let url = made["url"].as_str().unwrap();
    let token = url.strip_prefix("https://lectern.example/v1/platform/lti/register/").unwrap();
    assert_eq!(token.len(), 43);
    Link { id: made["id"].as_str().unwrap().to_owned(), token: token.to_owned() }
}

/// What the platform adds when it opens a link.
fn query(lms: &Lms) -> PlatformQuery {
    let [(_, openid_configuration), (_, token)]: [_; 2] = lms.registration_query().try_into().unwrap();
    PlatformQuery { openid_configuration, registration_token: Some(token) }
}

async fn connect_with(app: &App, link: &Link, query: &PlatformQuery) -> Result<Connected, Refusal> {
    connect::connect(&app.platform, &link.token, query).await.map_err(refusal)
}

async fn preview(app: &App, link: &Link, query: &PlatformQuery) -> Result<connect::Invitation, Reason> {
    connect::preview(&app.platform, &link.token, query).await.map_err(|not| refusal(not).reason)
}

#[track_caller]
fn refusal(not: NotConnected) -> Refusal {
    match not {
        NotConnected::Refused(refusal) => refusal,
        NotConnected::Store(error) => panic!("{error}"),
    }
}

fn is_refused<T: std::fmt::Debug>(outcome: Result<T, Refusal>, reason: Reason) -> bool {
    outcome.is_err_and(|refusal| refusal.reason == reason)
}

fn nothing() -> Value {
    json!({})
}
