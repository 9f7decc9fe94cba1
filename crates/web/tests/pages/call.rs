//! One request and its answer, as a browser would see it.

use axum::body::Body;
use content::resources::Kind;
use http::header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderName};
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use scraper::{Html, Selector};
use serde_json::Value;
use store::Tx;
use tower::ServiceExt as _;
use url::form_urlencoded;

use crate::service::{Service, parameter};

/// An answer.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Service {
    /// Changes a column of a resource.
    pub(crate) async fn set(&self, kind: Kind, id: &str, column: &str, value: Value) {
        // Statements are static: a cache of prepared ones lives by their address.
        let sql: &'static str = format!("UPDATE {} SET {column} = $1 WHERE id = $2", kind.as_str()).leak();
        let id = id.to_owned();
        let set = move |tx: &mut Tx<'_>| tx.execute(sql, &[&*parameter(&value), &id]).map(drop);
        self.test.store.write("test", set).await.unwrap();
    }

    /// Sets how many open answers the organization has graded a day.
    pub(crate) async fn set_budget(&self, per_day: i64) {
        let (organization, _) = self.place;
        let set = move |tx: &mut Tx<'_>| {
            let sql = "INSERT INTO page_grading (organization_id, per_day, day, answers) VALUES ($1, $2, 0, 0)";
            tx.execute(sql, &[&organization, &per_day]).map(drop)
        };
        self.test.store.write("test", set).await.unwrap();
    }

    /// How many open answers were counted.
    pub(crate) async fn answers_counted(&self) -> i64 {
        let count = |tx: &mut Tx<'_>| tx.find("SELECT answers FROM page_grading", &[], |row| row.get::<i64>(0));
        self.test.store.read("test", count).await.unwrap().unwrap_or_default()
    }

    /// How many rows a table has.
    pub(crate) async fn count(&self, table: &str) -> i64 {
        let sql: &'static str = format!("SELECT COUNT(*) FROM {table}").leak();
        let count = move |tx: &mut Tx<'_>| tx.find(sql, &[], |row| row.get::<i64>(0));
        self.test.store.read("test", count).await.unwrap().unwrap_or_default()
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn get_with(&self, path: &str, header: HeaderName, value: &str) -> Reply {
        self.send(Request::get(path).header(header, value).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn call(&self, method: Method, path: &str) -> Reply {
        self.send(Request::builder().method(method).uri(path).body(Body::empty()).unwrap()).await
    }

    /// Opens a page as a browser with this language does, or sends it a form.
    pub(crate) async fn browse(&self, path: &str, language: &str, form: Option<&[(&str, &str)]>) -> Reply {
        let request = Request::builder().uri(path).header(ACCEPT, "text/html").header(ACCEPT_LANGUAGE, language);
        let request = match form {
            None => request.body(Body::empty()),
            Some(fields) => {
                let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
                request.method(Method::POST).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body.into())
            }
        };
        self.send(request.unwrap()).await
    }

    /// Sends a request as a program does: without the headers of pages in the answer.
    pub(crate) async fn ask(&self, request: Request<Body>) -> (StatusCode, Value) {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        (status, serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap())
    }

    /// Sends a form.
    pub(crate) async fn answer(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.post(path, "application/x-www-form-urlencoded", body).await
    }

    pub(crate) async fn post(&self, path: &str, media_type: &str, body: String) -> Reply {
        self.send(Request::post(path).header(CONTENT_TYPE, media_type).body(Body::from(body)).unwrap()).await
    }

    /// Sends a request and checks what holds for every page.
    async fn send(&self, request: Request<Body>) -> Reply {
        let about = format!("{} {}", request.method(), request.uri());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = String::from_utf8_lossy(&body.collect().await.unwrap().to_bytes()).into_owned();
        let reply = Reply { status: parts.status, headers: parts.headers, body };
        if reply.status != StatusCode::METHOD_NOT_ALLOWED {
            reply.assert_guarded(&about);
        }
        reply
    }
}

impl Reply {
    /// A header's text; empty when it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The texts of the elements that a selector finds.
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        let page = Html::parse_document(&self.body);
        let selector = Selector::parse(selector).unwrap();
        let text = |element: scraper::ElementRef<'_>| element.text().collect::<String>().trim().to_owned();
        page.select(&selector).map(text).collect()
    }

    /// The values of an attribute.
    pub(crate) fn attributes(&self, selector: &str, name: &str) -> Vec<String> {
        let page = Html::parse_document(&self.body);
        let selector = Selector::parse(selector).unwrap();
        page.select(&selector).filter_map(|element| element.attr(name).map(str::to_owned)).collect()
    }

    fn assert_guarded(&self, about: &str) {
        let policy = self.header("content-security-policy");
        for rule in
            ["default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors"]
        {
            assert!(policy.contains(rule), "{about}: {policy}");
        }
        // Learning platforms frame what they open.
        let policy = if about.contains("/v1/platform/lti/") {
            policy.replace("frame-ancestors *", "")
        } else {
            policy.to_owned()
        };
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{about}: {policy}");
        assert_eq!(self.header("x-content-type-options"), "nosniff", "{about}");
        assert_eq!(self.header("referrer-policy"), "no-referrer", "{about}");
        assert!(!self.header("cache-control").is_empty(), "{about}");
        assert!(!self.header("x-request-id").is_empty(), "{about}");
    }
}
