//! The measure of launches: an axum server that reads the form, verifies the RS256 signature of its ID token with the
//! library of the service, and answers nothing. It reads no claim and stores nothing.

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::serve::ListenerExt as _;
use clap::Args;
use http::StatusCode;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, DecodingKey, crypto};

/// Before the token, in the body of the form.
const FIELD: &str = "id_token=";

/// Whose tokens.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The platform's public key, as a JSON Web Key.
    #[arg(long)]
    key: String,
}

pub(super) async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let key: Jwk = serde_json::from_str(&arguments.key).context("the key")?;
    let key = DecodingKey::from_jwk(&key)?;
    let listener = lectern::app::listen("127.0.0.1:0".parse()?)?;
    super::say(&listener.local_addr()?)?;
    let listener = listener.tap_io(|stream| {
        // A server without it is slower at most; both sides of a contest have it.
        let _ = stream.set_nodelay(true);
    });
    let answer = move |form: Bytes| {
        let status = if is_signed(&form, &key) { StatusCode::OK } else { StatusCode::BAD_REQUEST };
        async move { status }
    };
    let router = Router::new().fallback(answer);
    axum::serve(listener, router).with_graceful_shutdown(super::parent_is_done()).await?;
    Ok(())
}

/// Whether the form has a token that the key signed.
fn is_signed(form: &[u8], key: &DecodingKey) -> bool {
    let token =
        std::str::from_utf8(form).ok().and_then(|form| form.split('&').find_map(|pair| pair.strip_prefix(FIELD)));
    let parts = token.and_then(|token| token.rsplit_once('.'));
    parts.is_some_and(|(message, signature)| {
        crypto::verify(signature, message.as_bytes(), key, Algorithm::RS256).unwrap_or(false)
    })
}

#[cfg(test)]
mod tests {
    use lti::ToolKey;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_is_taken_with_the_token_that_the_key_signed_and_with_no_other() {
        let [key, other] = [(); 2].map(|()| ToolKey::from_pkcs8(&ToolKey::generate()).unwrap());
        let public: Jwk = serde_json::from_value(key.public().clone()).unwrap();
        let public = DecodingKey::from_jwk(&public).unwrap();
        let takes = |form: String| is_signed(form.as_bytes(), &public);
        let token = key.sign(&json!({ "sub": "learner-1" }));
        assert!(takes(format!("state=x&id_token={token}")));
        assert!(takes(format!("id_token={token}&state=x")));
        assert!(!takes(format!("state=x&id_token={}", other.sign(&json!({ "sub": "learner-1" })))));
        assert!(!takes(format!("state=x&id_token={}", token.replace('.', ".e"))));
        assert!(!takes(format!("state={token}")));
    }
}
