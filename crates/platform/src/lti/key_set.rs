//! `GET /v1/platform/lti/.well-known/jwks.json`: the public keys of the service as a tool (platform-api section 4).

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use edge::answer::Answer;
use edge::openapi::AnyObject;
use edge::problem::Problem;
use http::HeaderValue;
use http::header::CACHE_CONTROL;
use kernel::json::JsonText;
use serde::Serialize;

use crate::Platform;

/// Far below the time for which a new key is announced.
const CACHED: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// A JSON Web Key Set (RFC 7517).
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LtiKeySet)]
pub struct KeySet {
    /// RSA keys for RS256, each with its `kid`. A key stays a day longer than it signs.
    #[schema(value_type = Vec<AnyObject>)]
    keys: Vec<JsonText>,
}

/// The public keys that verify what this service signs for learning platforms.
///
/// Anybody may read them: a public key opens nothing. Keep the set for the hour that `Cache-Control` says; a new key is in it
/// a day before it signs.
#[utoipa::path(
    get, path = "/v1/platform/lti/.well-known/jwks.json", tag = "LTI", operation_id = "getLtiKeySet", security(()),
    responses((status = 200, description = "The key set", body = KeySet))
)]
pub async fn get(State(platform): State<Platform>) -> Result<Response, Problem> {
    let keys = platform.tool_keys.published().await?;
    let mut response = Answer::ok(&KeySet { keys }).into_response();
    response.headers_mut().insert(CACHE_CONTROL, CACHED);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use crate::testing::App;

    #[both_stores]
    async fn anybody_may_read_the_public_keys_and_keep_them_for_an_hour(test: TestStore) {
        let app = App::new(test);
        let reply = app.get("/v1/platform/lti/.well-known/jwks.json").send().await;
        assert_eq!(reply.headers["cache-control"], "public, max-age=3600");
        let set = reply.expect(200);
        let known = lti::KeySet::parse(set.to_string().as_bytes()).unwrap();
        assert!(known.has(app.platform.tool_keys.signing().await.unwrap().id()));
    }
}
