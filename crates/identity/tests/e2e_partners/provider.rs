//! Sign-in through an identity provider on npm's `oidc-provider`, which goes wrong as a test wants.

use std::time::Duration;

use identity::oidc::{ProviderSettings, SecondFactorRule};
use kernel::secret::SecretString;
use serde_json::json;
use testkit::{TestStore, both_stores};

use crate::service::{Reply, Service, call, partner, put};

/// An issuer of the test's own, and a service that knows it.
struct Stage {
    service: Service,
    issuer: String,
}

impl Stage {
    async fn new(test: TestStore, name: &str, change: impl FnOnce(&mut ProviderSettings)) -> Self {
        let url = partner("LECTERN_TEST_OIDC_URL");
        let known = call("GET", &format!("{url}/control"), None).await.json();
        let issuer = format!("{url}/{name}-{}", if test.engine == testkit::Engine::Sqlite { "s" } else { "p" });
        let mut settings = ProviderSettings {
            name: "school".to_owned(),
            issuer: issuer.clone(),
            client_id: known["clientId"].as_str().unwrap().to_owned(),
            client_secret: Some(SecretString::from(known["clientSecret"].as_str().unwrap())),
            scopes: ["openid", "email"].map(str::to_owned).to_vec(),
            trusted_email_claim: None,
            groups_claim: "groups".to_owned(),
            operator_groups: Vec::new(),
            organization_groups: Vec::new(),
            creates_accounts: true,
            second_factor: SecondFactorRule::Token { acr: Vec::new() },
            extra_ca_pem: None,
        };
        change(&mut settings);
        Self { service: Service::with_providers(test, &[settings]), issuer }
    }

    async fn sign_in(&self, login: &str) -> Reply {
        let begun = self.service.get("/auth/oidc/school/login", "").await;
        assert_eq!(begun.status, 303, "{}", begun.body);
        let cookie = begun.header("set-cookie").split(';').next().unwrap().to_owned();
        let returned = call("GET", &format!("{}&login_hint={login}", begun.header("location")), None).await;
        let location = returned.header("location").to_owned();
        let path =
            location.strip_prefix("http://127.0.0.1:8080").unwrap_or_else(|| panic!("{} {location}", returned.body));
        self.service.get(path, &cookie).await
    }

    async fn fail(&self, kind: &str) {
        let answer = call("POST", &format!("{}/control/faults", self.issuer), Some(&json!({ "kind": kind }))).await;
        assert_eq!(answer.status, 200, "{kind}: {}", answer.body);
    }
}

#[both_stores]
async fn people_sign_in_with_the_roles_of_their_groups(test: TestStore) {
    let stage = Stage::new(test, "roles", |settings| settings.operator_groups = vec!["operators".to_owned()]).await;
    for (login, is_operator) in [("ann", true), ("bob", false), ("ann", true)] {
        let reply = stage.sign_in(login).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        let user = &reply.json()["user"];
        assert_eq!(user["email"], format!("{login}@school.example"));
        assert_eq!(user["isOperator"], is_operator, "{login}");
    }
    for (login, status) in [("bob2", 403), ("eve", 403), ("mallory", 403), ("nomail", 403), ("deny", 401)] {
        let reply = stage.sign_in(login).await;
        assert_eq!(reply.status, status, "{login}: {}", reply.body);
    }
}

#[both_stores]
async fn what_goes_wrong_at_the_provider_signs_nobody_in(test: TestStore) {
    let stage = Stage::new(test, "faults", |_| {}).await;
    let faults = [
        ("wrong_nonce", 401),
        ("no_nonce", 401),
        ("wrong_issuer", 401),
        ("wrong_audience", 401),
        ("more_audiences", 401),
        ("wrong_azp", 401),
        ("expired", 401),
        ("issued_later", 401),
        ("no_subject", 401),
        ("bad_signature", 401),
        ("unsigned", 401),
        ("mac_of_secret", 401),
        ("mac_of_public_key", 401),
        ("foreign_key", 401),
        ("unknown_key", 401),
        ("token_down", 503),
        ("token_refused", 401),
        ("token_garbage", 503),
        ("no_id_token", 503),
        ("wrong_state", 401),
        ("no_state", 401),
        ("callback_of_another", 401),
        ("wrong_code", 401),
    ];
    for (kind, status) in faults {
        stage.fail(kind).await;
        let reply = stage.sign_in("ann").await;
        assert_eq!((reply.status, reply.header("set-cookie")), (status, ""), "{kind}: {}", reply.body);
    }
    assert_eq!(stage.sign_in("ann").await.status, 200, "and all is well again");
}

#[both_stores]
async fn an_address_that_only_userinfo_has_is_asked_for(test: TestStore) {
    let stage = Stage::new(test, "userinfo", |_| {}).await;
    put(&format!("{}/control/settings", stage.issuer), &json!({ "claimsInIdToken": false })).await;
    for (kind, status) in [("userinfo_of_another", 401), ("userinfo_down", 503)] {
        stage.fail(kind).await;
        let reply = stage.sign_in("ann").await;
        assert_eq!((reply.status, reply.header("set-cookie")), (status, ""), "{kind}: {}", reply.body);
    }
    let reply = stage.sign_in("ann").await;
    assert_eq!((reply.status, &reply.json()["user"]["email"]), (200, &json!("ann@school.example")));
    assert_eq!(stage.sign_in("eve").await.status, 403);
}

#[both_stores]
async fn a_provider_that_is_away_at_first_is_asked_again(test: TestStore) {
    let stage = Stage::new(test, "away", |_| {}).await;
    for kind in ["discovery_down", "discovery_of_another"] {
        stage.fail(kind).await;
        assert_eq!(stage.service.get("/auth/oidc/school/login", "").await.status, 503, "{kind}");
        stage.service.test.clock.advance(Duration::from_secs(10));
    }
    assert_eq!(stage.sign_in("ann").await.status, 200);
}
