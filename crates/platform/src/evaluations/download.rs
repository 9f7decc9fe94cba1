//! `GET /v1/platform/files/{fileId}`: the bytes of an evaluation's file, for whoever has its signed link.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use edge::context::{Context, FreeToHold};
use edge::params::Params;
use edge::problem::Problem;
use edge::ranges::{self, FileHead};
use files::FileKey;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue};
use kernel::id::{FileId, WorkspaceId};
use serde::Deserialize;

use crate::Platform;
use crate::stored_files::{StoredBytes, storage_problem};

/// Also of a link that is not valid: whoever guesses ids learns nothing by them.
const NOT_FOUND: Problem = Problem::NotFound("File");

/// The two parameters of a signed link.
#[derive(Debug, Default, Deserialize)]
pub struct Signed {
    #[serde(default)]
    expires: String,
    #[serde(default)]
    signature: String,
}

/// A file, by the signed link that an evaluation gave, whole or in part.
///
/// Anybody who has the link may call it: the signature is the credential, and it expires.
#[utoipa::path(
    get, path = "/v1/platform/files/{fileId}", tag = "Evaluations", operation_id = "getFile",
    security(()),
    params(
        ("expires" = String, Query, description = "As in the link"),
        ("signature" = String, Query, description = "As in the link"),
        ("Range" = Option<String>, Header, description = "One range of bytes: `bytes=0-1023`"),
        ("If-Range" = Option<String>, Header, description = "The `ETag` of the file that the range is to be a part of"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the file that the client has"),
    ),
    responses(
        (
            status = 200, description = "The file", content_type = "application/octet-stream",
            headers(
                ("ETag" = String, description = "The file's content; a file never changes"),
                ("Accept-Ranges" = String, description = "`bytes`")
            )
        ),
        (
            status = 206, description = "The range of the file that `Range` names",
            content_type = "application/octet-stream",
            headers(
                ("ETag" = String, description = "The file's content; a file never changes"),
                ("Content-Range" = String, description = "Which bytes these are, and the file's length")
            )
        ),
        (
            status = 304, description = "The client has the file",
            headers(("ETag" = String, description = "The file's content; a file never changes"))
        ),
        (
            status = 416, description = "The file does not have the range", body = edge::problem::PlatformErrorBody,
            headers(("Content-Range" = String, description = "The file's length"))
        ),
        (status = 404, description = "There is no such file, or the link was changed or has expired: which of them is not told",
            body = edge::problem::PlatformErrorBody),
    )
)]
pub async fn download(
    State(platform): State<Platform>,
    Params(id): Params<String>,
    signed: Result<Query<Signed>, QueryRejection>,
    Context(context): Context,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let file: FileId = id.parse().map_err(|_| NOT_FOUND)?;
    let found = platform.door.store.read("files.find", move |tx| {
        tx.find("SELECT workspace_id, file_name, mime_type FROM evaluation_file WHERE id = $1", &[&file], |row| {
            Ok((row.get::<WorkspaceId>(0)?, row.get::<String>(1)?, row.get::<String>(2)?))
        })
    });
    let (workspace, name, mime_type) = found.await.map_err(Problem::from)?.ok_or(NOT_FOUND)?;
    let key = FileKey { workspace, file };
    let Query(Signed { expires, signature }) = signed.map_err(|_| NOT_FOUND)?;
    let now = platform.door.ambient.now();
    platform.files.links.check(key, &expires, &signature, now).map_err(|_| NOT_FOUND)?;
    context.tenant.get_or_init(|| workspace.to_string().into());
    // A file that is gone is a 404 instead of a response that breaks off.
    let length = platform.files.store.size_bytes(key).await.map_err(storage_problem)?;
    let head = FileHead { tag: file.to_string(), length };
    let source = StoredBytes { store: platform.files.store.clone(), key };
    let mut response = ranges::respond(&headers, &head, source, (&platform.door.responses, context.holder()))?;
    response.extensions_mut().insert(FreeToHold);
    let headers = response.headers_mut();
    let media_type = HeaderValue::from_str(&mime_type);
    headers.insert(CONTENT_TYPE, media_type.unwrap_or(HeaderValue::from_static("application/octet-stream")));
    headers.insert(CONTENT_DISPOSITION, disposition(&name));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    // What a learner sent is never run on this origin.
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'"));
    Ok(response)
}

/// The name in the form that takes any characters (RFC 8187).
fn disposition(name: &str) -> HeaderValue {
    let encoded: String = name
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    HeaderValue::from_str(&format!("attachment; filename*=UTF-8''{encoded}")).expect("it is ASCII")
}

#[cfg(test)]
mod tests {
    use files::FileKey;
    use serde_json::Value;
    use testkit::{TestStore, both_stores};

    use super::super::LINK_LIFE;
    use crate::testing::{App, EVALUATIONS, Form, Tenant, open};

    const PAGE: &str = "# A page\n<script>alert(1)</script>";

    /// An evaluation with a page of a learner's: its path, and the page's link without the service's address.
    async fn start(test: TestStore) -> (App, Tenant, String, String) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let form = Form::of(&open()).file("answerFiles", "my page ü.md", "text/markdown", PAGE).into_bytes();
        let made = app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form).send().await.expect(201);
        let link = link_of(&made);
        (app, tenant, format!("{EVALUATIONS}/{}", made["id"].as_str().unwrap()), link)
    }

    fn link_of(evaluation: &Value) -> String {
        let url = evaluation["answerFiles"][0]["url"].as_str().unwrap();
        url.strip_prefix("https://lectern.example").unwrap().to_owned()
    }

    #[both_stores]
    async fn a_link_gives_the_bytes_without_a_key_and_so_that_no_browser_runs_them(test: TestStore) {
        let (app, _, _, link) = start(test).await;
        let reply = app.get(&link).send().await;
        assert_eq!((reply.status.as_u16(), reply.body.as_str()), (200, PAGE));
        for (name, value) in [
            ("content-type", "text/markdown"),
            ("content-disposition", "attachment; filename*=UTF-8''my%20page%20%C3%BC.md"),
            ("cache-control", "private, no-store"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "sandbox; default-src 'none'"),
        ] {
            assert_eq!(reply.header(name), value, "{name}");
        }
    }

    #[both_stores]
    async fn a_part_of_a_file_is_206_and_one_outside_of_it_416(test: TestStore) {
        let (app, _, _, link) = start(test).await;
        let length = PAGE.len();
        let part = app.get(&link).header("range", "bytes=2-7").send().await;
        assert_eq!((part.status.as_u16(), part.body.as_str()), (206, &PAGE[2..8]));
        assert_eq!(part.header("content-range"), format!("bytes 2-7/{length}"));
        let rest = app.get(&link).header("range", "bytes=-5").send().await;
        assert_eq!((rest.status.as_u16(), rest.body.as_str()), (206, &PAGE[length - 5..]));
        let outside = app.get(&link).header("range", &format!("bytes={length}-")).send().await;
        assert_eq!(outside.status.as_u16(), 416);
        assert_eq!(outside.json()["error"]["code"], "platform_invalid_request");
        assert_eq!(outside.header("content-range"), format!("bytes */{length}"));
    }

    #[both_stores]
    async fn a_file_has_a_tag_for_all_time(test: TestStore) {
        let (app, _, _, link) = start(test).await;
        let whole = app.get(&link).send().await;
        assert_eq!(whole.header("accept-ranges"), "bytes");
        let tag = whole.header("etag").to_owned();
        assert!(tag.starts_with('"'), "a strong tag: {tag}");
        let known = app.get(&link).header("if-none-match", &tag).send().await;
        assert_eq!((known.status.as_u16(), known.body.as_str()), (304, ""));
        let resumed = app.get(&link).header("range", "bytes=3-").header("if-range", &tag).send().await;
        assert_eq!((resumed.status.as_u16(), resumed.body.as_str()), (206, &PAGE[3..]));
        let other = app.get(&link).header("range", "bytes=3-").header("if-range", "\"other\"").send().await;
        assert_eq!((other.status.as_u16(), other.body.as_str()), (200, PAGE));
    }

    #[both_stores]
    async fn a_file_that_is_gone_from_the_store_is_not_found(test: TestStore) {
        let (app, tenant, _, link) = start(test).await;
        let id = link.strip_prefix("/v1/platform/files/").unwrap().split('?').next().unwrap().parse().unwrap();
        app.platform.files.store.delete(FileKey { workspace: tenant.workspace, file: id }).await.unwrap();
        app.get(&link).send().await.expect(404);
    }

    #[both_stores]
    async fn a_changed_link_is_answered_as_one_to_no_file(test: TestStore) {
        let (app, tenant, _, link) = start(test).await;
        let (path, query) = link.split_once('?').unwrap();
        let (expires, signature) = query.split_once('&').unwrap();
        let later = format!("expires={}", expires.trim_start_matches("expires=").parse::<i64>().unwrap() + 1);
        let last = if signature.ends_with('A') { "B" } else { "A" };
        let unknown = format!("/v1/platform/files/{}?{query}", tenant.workspace);
        let unknown = app.get(&unknown).send().await.expect(404);
        let changed = format!("{}{last}", &signature[..signature.len() - 1]);
        for query in [
            format!("{later}&{signature}"),
            format!("{expires}&{changed}"),
            format!("{expires}0&{signature}"),
            expires.to_owned(),
            signature.to_owned(),
            String::new(),
            format!("{expires}&{expires}&{signature}"),
            "expires=%ff".into(),
            format!("expires=-1&{signature}"),
            format!("expires=x&{signature}"),
            format!("{expires}&signature="),
        ] {
            assert_eq!(app.get(&format!("{path}?{query}")).send().await.expect(404), unknown, "{query}");
        }
        app.get(path).key(&tenant.key).send().await.expect(404);
    }

    #[both_stores]
    async fn a_link_holds_for_one_file_only(test: TestStore) {
        let (app, tenant, _, link) = start(test).await;
        let form = Form::of(&open()).file("answerFiles", "b.txt", "text/plain", "b").into_bytes();
        let other = app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form).send().await.expect(201);
        let other = link_of(&other);
        let (other_path, query) = (other.split_once('?').unwrap().0, link.split_once('?').unwrap().1);
        app.get(&format!("{other_path}?{query}")).send().await.expect(404);
        for id in [tenant.workspace.to_string().as_str(), "no-uuid", "%00", "..%2f..%2fetc%2fpasswd"] {
            app.get(&format!("/v1/platform/files/{id}?{query}")).send().await.expect(404);
        }
    }

    #[both_stores]
    async fn a_link_expires_and_the_evaluation_gives_a_new_one(test: TestStore) {
        let (app, tenant, evaluation, link) = start(test).await;
        app.test.clock.advance(LINK_LIFE - std::time::Duration::from_secs(1));
        assert_eq!(app.get(&link).send().await.status.as_u16(), 200);
        app.test.clock.advance(std::time::Duration::from_secs(1));
        app.get(&link).send().await.expect(404);
        let renewed = link_of(&app.get(&evaluation).key(&tenant.key).send().await.expect(200));
        assert_eq!(app.get(&renewed).send().await.body, PAGE);
    }
}
