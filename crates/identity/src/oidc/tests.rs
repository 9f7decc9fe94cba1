use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use edge::admins::{self, Role};
use kernel::secret::SecretString;
use serde_json::{Value, json};
use testkit::http::Reply;
use testkit::lms::Lms;
use testkit::oidc::{CLIENT_ID, CLIENT_SECRET, IdentityProvider};
use testkit::{TestStore, both_stores};
use tokio::net::TcpListener;
use totp_rs::{Builder, Secret};

use super::{GroupRole, ProviderSettings, SecondFactorRule};
use crate::testing::{App, EMAIL, cookie_of};

fn settings(provider: &IdentityProvider) -> ProviderSettings {
    ProviderSettings {
        name: "school".to_owned(),
        issuer: provider.issuer().to_owned(),
        client_id: CLIENT_ID.to_owned(),
        client_secret: Some(SecretString::from(CLIENT_SECRET)),
        scopes: vec!["openid".to_owned(), "email".to_owned()],
        trusted_email_claim: None,
        groups_claim: "groups".to_owned(),
        operator_groups: Vec::new(),
        organization_groups: Vec::new(),
        creates_accounts: false,
        second_factor: SecondFactorRule::Token { acr: Vec::new() },
        extra_ca_pem: None,
    }
}

async fn start(test: TestStore) -> (App, IdentityProvider) {
    start_with(test, |_| {}).await
}

async fn start_with(test: TestStore, change: impl FnOnce(&mut ProviderSettings)) -> (App, IdentityProvider) {
    let provider = IdentityProvider::start(&test.ambient).await;
    let mut settings = settings(&provider);
    change(&mut settings);
    let app = App::with(test, &[settings], false);
    app.admin(EMAIL).await;
    (app, provider)
}

/// A sign-in that has begun: where it leads, and the cookie.
async fn begin(app: &App, query: &str) -> (String, String) {
    let begun = app.get(&format!("/auth/oidc/school/login{query}")).send().await;
    assert_eq!(begun.status.as_u16(), 303, "{}", begun.body);
    let cookie = begun.header("set-cookie");
    assert!(cookie.contains("; Path=/auth/oidc; Max-Age=600; HttpOnly; SameSite=Lax; Secure"), "{cookie}");
    (begun.header("location").to_owned(), cookie.split(';').next().unwrap().to_owned())
}

async fn end(app: &App, cookie: &str, query: &str) -> Reply {
    app.get(&format!("/auth/oidc/school/callback?{query}")).cookie(cookie).send().await
}

/// A whole sign-in whose token is changed.
async fn sign_in(app: &App, provider: &IdentityProvider, change: impl FnOnce(&mut Value)) -> Reply {
    let (address, cookie) = begin(app, "").await;
    end(app, &cookie, &provider.authorize(&address, change)).await
}

#[both_stores]
async fn a_verified_address_signs_its_admin_in_and_the_subject_ever_after(test: TestStore) {
    let (app, provider) = start(test).await;
    let signed_in = sign_in(&app, &provider, |_| {}).await;
    let body = signed_in.expect(200);
    assert_eq!((&body["user"]["email"], &body["secondFactorRequired"]), (&json!(EMAIL), &json!(false)));
    let sessions = app.get("/auth/sessions").cookie(&cookie_of(&signed_in)).send().await.expect(200);
    assert_eq!(sessions[0]["method"], "oidc");
    let moved = |claims: &mut Value| {
        claims["email"] = json!("new@example.com");
        claims["email_verified"] = json!(false);
    };
    assert_eq!(sign_in(&app, &provider, moved).await.expect(200)["user"]["email"], EMAIL);
    assert_eq!(app.count("SELECT count(*) FROM oidc_identity").await, 1);
}

/// Makes a token's claims wrong.
type Change = fn(&mut Value);

#[both_stores]
async fn a_token_that_says_something_wrong_signs_nobody_in(test: TestStore) {
    let (app, provider) = start(test).await;
    let changes: [(&str, Change); 13] = [
        ("nonce", |claims| claims["nonce"] = json!("x")),
        ("no nonce", |claims| drop(claims.as_object_mut().unwrap().remove("nonce"))),
        ("issuer", |claims| claims["iss"] = json!("https://evil.example")),
        ("audience", |claims| claims["aud"] = json!("other")),
        ("party", |claims| claims["azp"] = json!("other")),
        ("no party", |claims| claims["aud"] = json!([CLIENT_ID, "other"])),
        ("expired", |claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 61)),
        ("no expiry", |claims| drop(claims.as_object_mut().unwrap().remove("exp"))),
        ("future", |claims| claims["iat"] = json!(claims["iat"].as_i64().unwrap() + 120)),
        ("old", |claims| claims["iat"] = json!(claims["iat"].as_i64().unwrap() - 3600)),
        ("no issue time", |claims| drop(claims.as_object_mut().unwrap().remove("iat"))),
        ("no subject", |claims| drop(claims.as_object_mut().unwrap().remove("sub"))),
        ("long subject", |claims| claims["sub"] = json!("x".repeat(256))),
    ];
    for (name, change) in changes {
        let refused = sign_in(&app, &provider, change).await;
        assert_eq!((refused.status.as_u16(), refused.header("set-cookie")), (401, ""), "{name}");
    }
    let (address, cookie) = begin(&app, "").await;
    let query = provider.authorize_with(&address, Lms::other_key(), |_| {});
    end(&app, &cookie, &query).await.expect(401);
    assert_eq!(app.count("SELECT count(*) FROM admin_session").await, 0);
    let several = |claims: &mut Value| {
        claims["aud"] = json!([CLIENT_ID, "other"]);
        claims["azp"] = json!(CLIENT_ID);
    };
    sign_in(&app, &provider, several).await.expect(200);
}

#[both_stores]
async fn an_address_that_nobody_vouches_for_or_nobody_has_is_refused(test: TestStore) {
    let (app, provider) = start(test).await;
    let changes: [fn(&mut Value); 4] = [
        |claims| claims["email_verified"] = json!(false),
        |claims| drop(claims.as_object_mut().unwrap().remove("email_verified")),
        |claims| drop(claims.as_object_mut().unwrap().remove("email")),
        |claims| claims["email"] = json!("nobody@example.com"),
    ];
    for change in changes {
        sign_in(&app, &provider, change).await.expect(403);
    }
    assert_eq!(app.count("SELECT count(*) FROM oidc_identity").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM admin_user").await, 1);
}

#[both_stores]
async fn another_subject_does_not_get_the_account_of_a_known_address(test: TestStore) {
    let (app, provider) = start(test).await;
    sign_in(&app, &provider, |_| {}).await.expect(200);
    let refused = sign_in(&app, &provider, |claims| claims["sub"] = json!("subject-2")).await.expect(403);
    assert!(refused["message"].as_str().unwrap().contains("another account"), "{refused}");
    assert_eq!(app.count("SELECT count(*) FROM admin_session").await, 1);
}

#[both_stores]
async fn the_browser_the_state_and_the_issuer_have_to_be_those_of_the_login(test: TestStore) {
    let (app, provider) = start(test).await;
    let (address, cookie) = begin(&app, "").await;
    let (_, other_cookie) = begin(&app, "").await;
    let query = provider.authorize(&address, |_| {});
    end(&app, "x=1", &query).await.expect(401);
    end(&app, &other_cookie, &query).await.expect(401);
    let renamed = format!("{}={}", cookie.split('=').next().unwrap(), other_cookie.split_once('=').unwrap().1);
    end(&app, &renamed, &query).await.expect(401);
    end(&app, &cookie, &query.replace("iss=http%3A%2F%2F127.0.0.1", "iss=http%3A%2F%2Fevil")).await.expect(401);
    end(&app, &cookie, query.split("&iss=").next().unwrap()).await.expect(401);
    end(&app, &cookie, &query.replace("code=", "error=access_denied&x=")).await.expect(401);
    end(&app, &cookie, &query).await.expect(200);
    end(&app, &cookie, &query).await.expect(401);
    let (address, cookie) = begin(&app, "").await;
    let query = provider.authorize(&address, |_| {});
    app.test.clock.advance(Duration::from_secs(600));
    end(&app, &cookie, &query).await.expect(401);
    app.get("/auth/oidc/nowhere/login").send().await.expect(404);
}

#[both_stores]
async fn the_browser_returns_to_a_path_of_this_service_only(test: TestStore) {
    let (app, provider) = start(test).await;
    let (address, cookie) = begin(&app, "?returnTo=%2Fconsole%3Fa%3D1&timezone=Europe%2FBerlin").await;
    let returned = end(&app, &cookie, &provider.authorize(&address, |_| {})).await;
    assert_eq!((returned.status.as_u16(), returned.header("location")), (303, "/console?a=1"));
    for wrong in ["https://evil.example", "//evil.example", "/%5Cevil.example", "x", "/a%0d%0ab"] {
        let refused = app.get(&format!("/auth/oidc/school/login?returnTo={wrong}")).send().await;
        assert_eq!(refused.faults(), ["returnTo"], "{wrong}");
    }
    let refused = app.get("/auth/oidc/school/login?timezone=Mars").send().await;
    assert_eq!(refused.faults(), ["timezone"]);
}

#[both_stores]
async fn accounts_and_roles_are_made_as_the_operator_configured(test: TestStore) {
    let (app, provider) = start_with(test, |settings| {
        settings.creates_accounts = true;
        settings.trusted_email_claim = Some("upn".to_owned());
        settings.operator_groups = vec!["it".to_owned()];
        settings.organization_groups = [("staff", Role::Teacher), ("teachers", Role::Admin)]
            .map(|(group, role)| GroupRole { group: group.to_owned(), slug: "riverside".to_owned(), role })
            .to_vec();
    })
    .await;
    let organization = app.organization("riverside").await;
    let as_in = |groups: Value| {
        move |claims: &mut Value| {
            claims["upn"] = json!("New@Example.com");
            claims["email_verified"] = json!(false);
            claims["groups"] = groups;
        }
    };
    let path = format!("/v1/content/organizations/{organization}/invitations");
    let first = sign_in(&app, &provider, as_in(json!(["teachers", "it"]))).await;
    assert_eq!(
        first.expect(200)["user"],
        json!({ "id": first.json()["user"]["id"], "email": "new@example.com", "isOperator": true })
    );
    let second = sign_in(&app, &provider, as_in(json!("teachers"))).await;
    assert_eq!(second.expect(200)["user"]["isOperator"], false);
    app.get(&path).cookie(&cookie_of(&second)).send().await.expect(200);
    let roles = async |session: &Reply| {
        let me = app.get("/auth/me").cookie(&cookie_of(session)).send().await.expect(200);
        me["organizations"].as_array().unwrap().iter().map(|own| own["role"].clone()).collect::<Vec<_>>()
    };
    let both = sign_in(&app, &provider, as_in(json!(["staff", "teachers"]))).await;
    assert_eq!(roles(&both).await, ["ADMIN"], "the role that includes the other counts");
    let demoted = sign_in(&app, &provider, as_in(json!("staff"))).await;
    assert_eq!(roles(&demoted).await, ["TEACHER"]);
    app.get(&path).cookie(&cookie_of(&demoted)).send().await.expect(403);
    let third = sign_in(&app, &provider, as_in(Value::Null)).await;
    assert!(roles(&third).await.is_empty());
    app.get(&path).cookie(&cookie_of(&third)).send().await.expect(403);
    app.sign_in_with("new@example.com", "!", json!({})).await.expect(401);
}

#[both_stores]
async fn groups_neither_lower_nor_take_a_role_that_no_group_gives(test: TestStore) {
    let (app, provider) = start_with(test, |settings| {
        let (group, slug) = ("staff".to_owned(), "riverside".to_owned());
        settings.organization_groups = vec![GroupRole { group, slug, role: Role::Teacher }];
    })
    .await;
    let organization = app.organization("riverside").await;
    let join = |role| {
        app.write(move |tx| {
            let user = admins::find(tx, EMAIL)?.expect("the test has an admin");
            admins::join(tx, user, organization, role)
        })
    };
    join(Role::Admin).await;
    for groups in [json!(["staff"]), json!([])] {
        let signed_in = sign_in(&app, &provider, |claims| claims["groups"] = groups.clone()).await;
        let me = app.get("/auth/me").cookie(&cookie_of(&signed_in)).send().await.expect(200);
        assert_eq!(me["organizations"][0]["role"], "ADMIN", "{groups}");
    }
    join(Role::Reviewer).await;
    let raised = sign_in(&app, &provider, |claims| claims["groups"] = json!(["staff"])).await;
    let me = app.get("/auth/me").cookie(&cookie_of(&raised)).send().await.expect(200);
    assert_eq!(me["organizations"][0]["role"], "TEACHER");
}

#[both_stores]
async fn an_invited_address_accepts_by_signing_in(test: TestStore) {
    let (app, provider) = start(test).await;
    let organization = app.organization("riverside").await;
    app.operator("operator@example.com").await;
    let operator = app.sign_in("operator@example.com").await;
    let path = format!("/v1/content/organizations/{organization}/invitations");
    let body = json!({ "email": "ann@example.com" });
    app.post(&path).cookie(&operator).json(&body).send().await.expect(201);
    let as_ann = |is_verified: bool| {
        move |claims: &mut Value| {
            claims["sub"] = json!("ann");
            claims["email"] = json!("ann@example.com");
            claims["email_verified"] = json!(is_verified);
        }
    };
    sign_in(&app, &provider, as_ann(false)).await.expect(403);
    let ann = sign_in(&app, &provider, as_ann(true)).await;
    ann.expect(200);
    app.get(&path).cookie(&cookie_of(&ann)).send().await.expect(200);
    let [used] =
        app.get(&path).cookie(&operator).send().await.expect(200).as_array().unwrap().clone().try_into().unwrap();
    assert!(used["acceptedAt"].is_string());
}

#[both_stores]
async fn where_this_service_asks_for_a_second_factor_the_session_waits(test: TestStore) {
    let (app, provider) = start_with(test, |settings| settings.second_factor = SecondFactorRule::Totp).await;
    let signed_in = sign_in(&app, &provider, |_| {}).await;
    assert_eq!(signed_in.expect(200)["secondFactorRequired"], true);
    let cookie = cookie_of(&signed_in);
    let refused = app.get("/auth/sessions").cookie(&cookie).send().await.expect(401);
    assert_eq!(refused["code"], "second_factor_required");
    app.post("/auth/totp/verify").cookie(&cookie).json(&json!({ "code": "123456" })).send().await.expect(409);
    app.post("/auth/totp/enroll").cookie(&cookie).send().await.expect(200);
    app.get("/auth/sessions").cookie(&cookie).send().await.expect(401);
}

#[both_stores]
async fn a_sign_in_counts_as_one_with_a_second_factor_where_the_token_says_so(test: TestStore) {
    let provider = IdentityProvider::start(&test.ambient).await;
    let rule = SecondFactorRule::Token { acr: vec!["gold".to_owned(), "silver".to_owned()] };
    let settings = ProviderSettings { second_factor: rule, ..settings(&provider) };
    let app = App::with(test, &[settings], true);
    app.operator(EMAIL).await;
    let (address, _) = begin(&app, "").await;
    assert!(address.contains("&acr_values=gold+silver"), "{address}");
    provider.tell_userinfo(json!({ "sub": "subject-1", "amr": ["mfa"], "groups": [] }));
    let session_of = async |change: fn(&mut Value)| cookie_of(&sign_in(&app, &provider, change).await);
    let unproven: [fn(&mut Value); 5] = [
        |_| {},
        |claims| claims["amr"] = json!(["pwd", "otp"]),
        |claims| claims["amr"] = json!("mfa"),
        |claims| claims["acr"] = json!("bronze"),
        |claims| claims["acr"] = json!("gold silver"),
    ];
    for change in unproven {
        let cookie = session_of(change).await;
        let refused = app.get("/auth/sessions").cookie(&cookie).send().await.expect(403);
        assert_eq!(refused["code"], "second_factor_missing");
    }
    let proven: [fn(&mut Value); 2] =
        [|claims| claims["amr"] = json!(["pwd", "mfa"]), |claims| claims["acr"] = json!("silver")];
    for change in proven {
        let cookie = session_of(change).await;
        let sessions = app.get("/auth/sessions").cookie(&cookie).send().await.expect(200);
        assert_eq!(sessions[0]["method"], "oidc_mfa");
    }
}

#[both_stores]
async fn an_operator_of_a_trusted_provider_needs_no_factor_here(test: TestStore) {
    let provider = IdentityProvider::start(&test.ambient).await;
    let settings = ProviderSettings { second_factor: SecondFactorRule::Provider, ..settings(&provider) };
    let app = App::with(test, &[settings], true);
    app.operator(EMAIL).await;
    let cookie = cookie_of(&sign_in(&app, &provider, |_| {}).await);
    app.get("/auth/sessions").cookie(&cookie).send().await.expect(200);
}

/// What an app shows now.
fn code(app: &App, secret: &str) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let now = u64::try_from(app.test.ambient.now().as_seconds()).unwrap();
    Builder::new().with_secret(secret.as_ref()).build().unwrap().generate(now).to_string()
}

#[both_stores]
async fn an_account_without_a_password_sets_a_factor_up_right_after_its_sign_in(test: TestStore) {
    let (app, provider) = start_with(test, |settings| settings.creates_accounts = true).await;
    let as_ann = |claims: &mut Value| {
        claims["sub"] = json!("ann");
        claims["email"] = json!("ann@example.com");
    };
    let stale = cookie_of(&sign_in(&app, &provider, as_ann).await);
    app.test.clock.advance(Duration::from_secs(600));
    let cookie = cookie_of(&sign_in(&app, &provider, as_ann).await);
    let enrolled = app.post("/auth/totp/enroll").cookie(&cookie).send().await.expect(200);
    let secret = enrolled["secret"].as_str().unwrap();
    let body = json!({ "code": code(&app, secret) });
    app.post("/auth/totp/confirm").cookie(&stale).json(&body).send().await.expect(403);
    app.post("/auth/totp/confirm").cookie(&cookie).json(&body).send().await.expect(200);
    app.get("/auth/sessions").cookie(&stale).send().await.expect(401);
    let sessions = app.get("/auth/sessions").cookie(&cookie).send().await.expect(200);
    assert_eq!(sessions[0]["method"], "oidc_totp");
    let waiting = sign_in(&app, &provider, as_ann).await;
    assert_eq!(waiting.expect(200)["secondFactorRequired"], true, "the token vouches for no second factor");
    app.test.clock.advance(Duration::from_secs(30));
    let waiting = cookie_of(&waiting);
    let body = json!({ "code": code(&app, secret) });
    app.post("/auth/totp/verify").cookie(&waiting).json(&body).send().await.expect(204);
    app.get("/auth/sessions").cookie(&waiting).send().await.expect(200);
}

#[both_stores]
async fn a_provider_that_fails_is_left_alone_for_a_moment(test: TestStore) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    // Hangs up on everybody.
    let server = tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            drop(connection);
        }
    });
    let provider = IdentityProvider::start(&test.ambient).await;
    let settings = ProviderSettings { issuer: format!("http://{address}"), ..settings(&provider) };
    let app = App::with(test, &[settings], false);
    let login = async || app.get("/auth/oidc/school/login").send().await.expect(503);
    login().await;
    let first = calls.load(Ordering::Relaxed);
    assert!(first > 0);
    futures_util::future::join_all((0..20).map(|_| login())).await;
    assert_eq!(calls.load(Ordering::Relaxed), first, "answered from memory");
    app.test.clock.advance(Duration::from_secs(10));
    login().await;
    assert!(calls.load(Ordering::Relaxed) > first);
    server.abort();
}

#[both_stores]
async fn a_provider_that_changes_its_key_or_goes_away_is_asked_seldom(test: TestStore) {
    let (app, provider) = start(test).await;
    sign_in(&app, &provider, |_| {}).await.expect(200);
    sign_in(&app, &provider, |_| {}).await.expect(200);
    assert_eq!(provider.key_set_requests(), 1);
    provider.publish(&[Lms::other_key()]);
    app.test.clock.advance(Duration::from_secs(10));
    let (address, cookie) = begin(&app, "").await;
    let query = provider.authorize_with(&address, Lms::other_key(), |_| {});
    end(&app, &cookie, &query).await.expect(200);
    assert_eq!(provider.key_set_requests(), 2);
    sign_in(&app, &provider, |_| {}).await.expect(401);
    assert_eq!(provider.key_set_requests(), 2, "not again within ten seconds");
    app.test.clock.advance(Duration::from_secs(3600));
    provider.describe("issuer", json!("https://evil.example"));
    begin(&app, "").await;
    app.test.clock.advance(Duration::from_secs(24 * 3600));
    app.get("/auth/oidc/school/login").send().await.expect(503);
}

#[both_stores]
async fn a_provider_whose_endpoints_are_not_its_own_kind_is_refused(test: TestStore) {
    let (app, provider) = start(test).await;
    provider.describe("token_endpoint", json!("ftp://127.0.0.1/token"));
    app.get("/auth/oidc/school/login").send().await.expect(503);
    provider.describe("token_endpoint", json!("no address"));
    app.get("/auth/oidc/school/login").send().await.expect(503);
    let listed = app.get("/auth/oidc").send().await.expect(200);
    let login_url = "https://lectern.example/auth/oidc/school/login";
    assert_eq!(listed, json!([{ "name": "school", "loginUrl": login_url }]));
}

#[both_stores]
async fn a_known_admin_is_not_made_again(test: TestStore) {
    let (app, provider) = start_with(test, |settings| settings.creates_accounts = true).await;
    sign_in(&app, &provider, |claims| claims["email"] = json!(" Admin@EXAMPLE.com ")).await.expect(200);
    let count = app.write(admins::list).await.len();
    assert_eq!(count, 1);
}

#[both_stores]
async fn what_the_token_leaves_out_is_asked_of_userinfo_for_the_same_subject(test: TestStore) {
    let (app, provider) = start(test).await;
    let thin = |claims: &mut Value| {
        ["email", "email_verified"].iter().for_each(|name| drop(claims.as_object_mut().unwrap().remove(*name)));
    };
    let told =
        |subject: &str, is_verified: bool| json!({ "sub": subject, "email": EMAIL, "email_verified": is_verified });
    sign_in(&app, &provider, thin).await.expect(403);
    provider.tell_userinfo(told("somebody-else", true));
    app.test.clock.advance(Duration::from_secs(3600));
    sign_in(&app, &provider, thin).await.expect(401);
    provider.tell_userinfo(told("subject-1", false));
    sign_in(&app, &provider, thin).await.expect(403);
    provider.tell_userinfo(told("subject-1", true));
    sign_in(&app, &provider, thin).await.expect(200);
    let unverified = |claims: &mut Value| {
        claims["sub"] = json!("subject-2");
        claims["email_verified"] = json!(false);
    };
    sign_in(&app, &provider, unverified).await.expect(403);
}
