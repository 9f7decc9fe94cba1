use axum::extract::FromRequestParts as _;
use std::time::Duration;

use futures_util::future::join_all;
use kernel::secret::ExposeSecret as _;
use testkit::{TestStore, both_stores};
use url::Url;

use super::*;
use crate::keys::NewKey;

struct Keys;

impl KeySurface for Keys {
    const NAME: &'static str = "content";
    const PREFIX: &'static str = "svc_content_";
    const INVALID_KEY: &'static str = "No such key.";

    fn authenticate(tx: &mut Tx<'_>, token_hash: &str, _: KeyRules) -> Result<KnownKey, Problem> {
        keys::authenticate_alone::<Self>(tx, token_hash)
    }
}

const RULES: KeyRules = KeyRules { requires_verified_email: true };

async fn present(door: &Door, raw: &str) -> PresentedKey<Keys> {
    let request = http::Request::builder().header("authorization", format!("Bearer {raw}")).body(()).unwrap();
    PresentedKey::from_request_parts(&mut request.into_parts().0, door).await.unwrap()
}

#[both_stores]
async fn a_key_that_nobody_held_is_refused_by_the_head_of_a_request_with_a_body(test: TestStore) {
    let origin = OwnOrigin::of(&Url::parse("https://lectern.example").unwrap());
    let master = MasterKey::generate(&test.ambient);
    let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, Sharing::OneProcess, RULES);
    let post = async |raw: &str| {
        let request = http::Request::post("/").header("authorization", format!("Bearer {raw}")).body(()).unwrap();
        PresentedKey::<Keys>::from_request_parts(&mut request.into_parts().0, &door).await.map(|_| ())
    };
    let false_key = format!("svc_content_{}", "x".repeat(43));
    assert!(matches!(post(&false_key).await, Err(Problem::Unauthorized(_))));
    let ambient = test.ambient.clone();
    let new = NewKey { name: "k".into(), rate_limit_per_minute: 40, expires_at: None, is_service_admin: false };
    let minted = test.store.write("test", move |tx| keys::create::<Keys>(tx, &ambient, "owner", &new)).await.unwrap();
    post(minted.raw.expose_secret()).await.unwrap();
    test.store.write("test", move |tx| keys::revoke::<Keys>(tx, "owner", minted.key.id)).await.unwrap();
    post(minted.raw.expose_secret()).await.unwrap();
    let known = present(&door, minted.raw.expose_secret()).await;
    let written = door.write_by_key(known, "test", |_, _| Ok(())).await;
    assert!(matches!(written, Err(Problem::Unauthorized(_))), "having been known authorizes nothing");
}

#[both_stores]
async fn a_key_authorizes_nothing_from_the_instant_at_which_it_expires(test: TestStore) {
    let origin = OwnOrigin::of(&Url::parse("https://lectern.example").unwrap());
    let master = MasterKey::generate(&test.ambient);
    let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, Sharing::OneProcess, RULES);
    let (ambient, life) = (test.ambient.clone(), Duration::from_secs(60));
    let expires_at = Some(ambient.now().plus(life));
    let new = NewKey { name: "k".into(), rate_limit_per_minute: 40, expires_at, is_service_admin: false };
    let minted = test.store.write("test", move |tx| keys::create::<Keys>(tx, &ambient, "owner", &new));
    let raw = minted.await.unwrap().raw;
    let read = async || door.read_by_key(present(&door, raw.expose_secret()).await, "test", |_, _| Ok(())).await;
    test.clock.advance(life - Duration::from_millis(1));
    read().await.unwrap();
    test.clock.advance(Duration::from_millis(1));
    assert!(matches!(read().await, Err(Problem::Unauthorized(_))));
}

#[both_stores]
async fn a_request_of_several_transactions_is_counted_once(test: TestStore) {
    let origin = OwnOrigin::of(&Url::parse("https://lectern.example").unwrap());
    let master = MasterKey::generate(&test.ambient);
    let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, Sharing::ManyProcesses, RULES);
    let ambient = test.ambient.clone();
    let new = NewKey { name: "k".into(), rate_limit_per_minute: 1, expires_at: None, is_service_admin: false };
    let minted = test.store.write("test", move |tx| keys::create::<Keys>(tx, &ambient, "owner", &new));
    let raw = minted.await.unwrap().raw;
    let mut request = http::Request::builder().header("authorization", format!("Bearer {}", raw.expose_secret()));
    let context = Arc::new(crate::context::RequestContext::new(http::HeaderValue::from_static("one")));
    request.extensions_mut().unwrap().insert(context);
    let mut parts = request.body(()).unwrap().into_parts().0;
    let key = PresentedKey::<Keys>::from_request_parts(&mut parts, &door).await.unwrap();
    door.read_by_key(key.clone(), "test", |_, _| Ok(())).await.unwrap();
    door.write_by_key(key, "test", |_, _| Ok(())).await.unwrap();
    let next = door.read_by_key(present(&door, raw.expose_secret()).await, "test", |_, _| Ok(())).await;
    assert!(matches!(next, Err(Problem::TooManyRequests { .. })));
}

#[both_stores]
async fn requests_that_open_a_shared_window_at_once_are_all_decided(test: TestStore) {
    let origin = OwnOrigin::of(&Url::parse("https://lectern.example").unwrap());
    let master = MasterKey::generate(&test.ambient);
    let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, Sharing::ManyProcesses, RULES);
    let ambient = test.ambient.clone();
    let new = NewKey { name: "k".into(), rate_limit_per_minute: 40, expires_at: None, is_service_admin: false };
    let minted = test.store.write("test", move |tx| keys::create::<Keys>(tx, &ambient, "owner", &new));
    let raw = minted.await.unwrap().raw;
    let answers =
        join_all((0..64).map(|_| async {
            door.read_by_key(present(&door, raw.expose_secret()).await, "test", |_, _| Ok(())).await
        }))
        .await;
    let admitted = answers.iter().filter(|answer| answer.is_ok()).count();
    let refused = answers.iter().filter(|answer| matches!(answer, Err(Problem::TooManyRequests { .. }))).count();
    assert_eq!((admitted, refused), (40, 24));
}

#[both_stores]
async fn a_key_whose_limit_was_lowered_below_its_uses_is_refused_at_once(test: TestStore) {
    let origin = OwnOrigin::of(&Url::parse("https://lectern.example").unwrap());
    let master = MasterKey::generate(&test.ambient);
    let door = Door::new(test.store.clone(), test.ambient.clone(), &master, origin, Sharing::ManyProcesses, RULES);
    let ambient = test.ambient.clone();
    let new = NewKey { name: "k".into(), rate_limit_per_minute: 1000, expires_at: None, is_service_admin: false };
    let minted = test.store.write("test", move |tx| keys::create::<Keys>(tx, &ambient, "owner", &new));
    let raw = minted.await.unwrap().raw;
    let read = async || door.read_by_key(present(&door, raw.expose_secret()).await, "test", |_, _| Ok(())).await;
    for _ in 0..20 {
        read().await.unwrap();
    }
    let lower = |tx: &mut Tx<'_>| tx.execute("UPDATE api_key SET rate_limit_per_minute = 10", &[]);
    test.store.write("test", lower).await.unwrap();
    assert!(matches!(read().await, Err(Problem::TooManyRequests { .. })));
}
