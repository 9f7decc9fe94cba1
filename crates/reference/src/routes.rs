//! The addresses of the reference.
//!
//! | below `/docs` | pages |
//! |---|---|
//! | ``, `/platform`, `/identity` | a surface: its operations and schemas |
//! | `/{surface}/{operationId}`, `/{surface}/schemas/{name}` | an operation, a schema |
//! | `/events`, `/events/{name}` | what webhooks are told |
//! | `/errors`, `/changelog`, `/guides`, `/guides/{name}` | the index of errors, texts |
//! | `/search` | the search for browsers without scripts |
//! | `/assets/{version}/{name}` | style sheets, scripts, font, `search.json` |

use std::sync::Arc;

use askama::Template as _;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use edge::context::FreeToHold;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use kernel::secret::sha256_hex;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::assets;
use crate::library::Library;
use crate::pages::{self, Missing};

/// No inline script or style runs, nothing is loaded from elsewhere, nobody frames a page. Scripts call this origin alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types 'none'";
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Everybody sees the same page; a browser asks each time whether it still holds.
const ASKING: HeaderValue = HeaderValue::from_static("public, no-cache");
const NEVER: HeaderValue = HeaderValue::from_static("no-store");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Makes the OpenAPI documents of the surfaces, each when somebody reads the reference for the first time.
#[derive(Clone, Copy, Debug)]
pub struct Documents {
    /// `/v1/content`
    pub content: fn() -> Value,
    /// `/v1/platform`
    pub platform: fn() -> Value,
    /// `/auth`
    pub identity: fn() -> Value,
}

#[derive(Clone)]
struct Docs(Arc<Parts>);

struct Parts {
    root: String,
    documents: Documents,
    /// Read when somebody asks: most servers never show it, and it takes megabytes.
    library: OnceCell<(Library, Bytes)>,
}

/// The routes of the reference; `root` is the path of the service's public address, without a slash at its end.
pub fn router(root: &str, documents: Documents) -> Router {
    let docs = Docs(Arc::new(Parts { root: root.to_owned(), documents, library: OnceCell::new() }));
    Router::new()
        .route("/docs", get(show))
        .route("/docs/content", get(index_of_content))
        .route("/docs/search", get(search))
        .route("/docs/assets/{version}/{name}", get(asset))
        .route("/docs/{*rest}", get(show))
        .with_state(docs)
}

impl Docs {
    /// The library with the index that scripts search.
    async fn library(&self) -> &(Library, Bytes) {
        let parts = self.0.clone();
        let read = move || {
            let library = Library::read(&parts.root, &parts.documents);
            let index = Bytes::from(library.index());
            (library, index)
        };
        let read = async || tokio::task::spawn_blocking(read).await.expect("reading the documents does not panic");
        self.0.library.get_or_init(read).await
    }
}

async fn show(State(docs): State<Docs>, uri: Uri, headers: HeaderMap) -> Response {
    let (library, _) = docs.library().await;
    match pages::page(library, uri.path()) {
        Some(Ok(html)) => kept(html, headers.get(IF_NONE_MATCH)),
        Some(Err(_)) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        None => missing(library),
    }
}

async fn index_of_content(State(docs): State<Docs>) -> Redirect {
    Redirect::permanent(&format!("{}/docs", docs.0.root))
}

/// What is searched.
#[derive(Deserialize)]
struct Search {
    #[serde(default)]
    q: String,
}

async fn search(State(docs): State<Docs>, uri: Uri) -> Response {
    let (library, _) = docs.library().await;
    let query = Query::<Search>::try_from_uri(&uri).map(|Query(search)| search.q).unwrap_or_default();
    let query: String = query.chars().take(200).collect();
    match pages::results(library, &query) {
        Ok(html) => complete((StatusCode::OK, html).into_response(), HTML, NEVER),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// A file. A page of another release gets the file that there is, and may not keep it.
async fn asset(
    State(docs): State<Docs>,
    Path((version, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let (library, index) = docs.library().await;
    let (asset, is_current) = match assets::ASSETS.find(&version, &name) {
        Some(found) => found,
        // The index follows from the documents, which the digest of the files does not cover.
        None if name == "search.json" => return free(tagged(index.clone(), JSON, headers.get(IF_NONE_MATCH))),
        None => return missing(library),
    };
    let keeping = if is_current { FOR_EVER } else { NEVER };
    let bytes = Bytes::from_static(asset.bytes);
    free(complete(bytes.into_response(), HeaderValue::from_static(asset.media_type), keeping))
}

/// A response whose bytes all responses share.
fn free(mut response: Response) -> Response {
    response.extensions_mut().insert(FreeToHold);
    response
}

fn kept(html: String, known: Option<&HeaderValue>) -> Response {
    tagged(html.into(), HTML, known)
}

/// A body that may be kept as long as its digest is the same.
fn tagged(body: Bytes, media_type: HeaderValue, known: Option<&HeaderValue>) -> Response {
    let tag = format!("\"{}\"", &sha256_hex(&body)[..32]);
    let is_known =
        known.and_then(|known| known.to_str().ok()).is_some_and(|known| known == "*" || known.contains(&tag));
    let response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { body.into_response() };
    let mut response = complete(response, media_type, ASKING);
    response.headers_mut().insert(ETAG, HeaderValue::from_str(&tag).expect("a digest is ASCII"));
    response
}

fn missing(library: &Library) -> Response {
    let html = Missing::new(library).render().unwrap_or_else(|_| "There is no such page.".to_owned());
    complete((StatusCode::NOT_FOUND, html).into_response(), HTML, NEVER)
}

fn complete(mut response: Response, media_type: HeaderValue, keeping: HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(CACHE_CONTROL, keeping);
    let fixed = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_FRAME_OPTIONS, "DENY"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Sign-in takes requests that say where they come from; nobody else is told.
        (REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
