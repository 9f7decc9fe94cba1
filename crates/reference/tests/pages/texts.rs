//! What pages say.

use events::platform::{PlatformEvent, RESERVED};
use reference::Documents;
use scraper::{Html, Selector};
use serde_json::{Value, json};

use crate::crawl::{attributes, get};
use crate::service::{ROOT, documents, router};

fn texts(page: &Html, selector: &str) -> Vec<String> {
    page.select(&Selector::parse(selector).unwrap()).map(|element| element.text().collect::<String>()).collect()
}

async fn page(path: &str) -> Html {
    let (status, _, html) = get(&router(ROOT), path).await;
    assert_eq!(status, 200, "{path}");
    Html::parse_document(&html)
}

#[tokio::test]
async fn an_operation_shows_the_documents_examples_and_commands_in_three_languages() {
    let document = (documents().content)();
    let operation = &document["paths"]["/v1/content/classrooms/{classroomId}/modules"]["post"];
    let page = page("/docs/content/createModule").await;
    let shown = texts(&page, "pre code");
    let json = |at: &str| operation.pointer(at).unwrap().clone();
    let sent = json("/requestBody/content/application~1json/example");
    let answered = json("/responses/201/content/application~1json/example");
    assert!(shown.iter().any(|text| serde_json::from_str::<Value>(text).is_ok_and(|value| value == answered)));
    assert_eq!(texts(&page, ".languages label"), ["curl", "JavaScript", "Python"]);
    let body = serde_json::to_string_pretty(&sent).unwrap();
    assert!(shown[0].contains(&body), "{}", shown[0]);
    assert!(shown[1].starts_with("const response = await fetch(") && shown[2].contains("requests.post("));
    let form = attributes(&page, "form[data-call]", "data-path");
    assert_eq!(form, ["/v1/content/classrooms/{classroomId}/modules"]);
    assert_eq!(attributes(&page, "form[data-call]", "method"), Vec::<String>::new());
    assert_eq!(texts(&page, "dialog h2"), ["Send this POST request?"]);
}

#[tokio::test]
async fn the_page_says_where_the_key_stays() {
    let hint = texts(&page("/docs/platform/listEvaluations").await, "#call-key-hint").concat();
    assert!(hint.contains("sessionStorage") && hint.contains("this service's own API only"), "{hint}");
}

#[tokio::test]
async fn events_are_those_that_the_service_dispatches() {
    let page = page("/docs/events").await;
    let names = texts(&page, ".operations code");
    let platform: Vec<&str> = PlatformEvent::ALL.iter().map(|event| event.name()).collect();
    assert!(platform.iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
    assert_eq!(names.len(), platform.len() + 2, "and two of the content surface");
    let reserved = texts(&page, "p code");
    assert!(RESERVED.iter().all(|name| reserved.contains(&(*name).to_owned())));
}

#[tokio::test]
async fn the_index_of_errors_has_every_code_of_the_document() {
    let page = page("/docs/errors").await;
    for code in [
        "platform_invalid_request",
        "platform_rate_limit_exceeded",
        "x402_payment_failed",
        "email_verification_required",
    ] {
        assert_eq!(texts(&page, &format!("[id='{code}'] > code")), [code]);
    }
    let statuses = attributes(&page, ".target", "id");
    assert!(statuses.contains(&"status-429".to_owned()), "{statuses:?}");
}

#[tokio::test]
async fn commands_of_guides_call_operations_that_exist() {
    let known: Vec<String> = [documents().content, documents().platform]
        .iter()
        .flat_map(|document| document()["paths"].as_object().unwrap().keys().cloned().collect::<Vec<_>>())
        .collect();
    let fits = |path: &str| {
        let parts: Vec<&str> = path.split('/').collect();
        known.iter().any(|known| {
            let known: Vec<&str> = known.split('/').collect();
            known.len() == parts.len()
                && known.iter().zip(&parts).all(|(one, other)| one.starts_with('{') || one == other)
        })
    };
    let mut calls = 0;
    for guide in ["first-expansion", "grading", "webhooks", "lti", "going-live"] {
        for code in texts(&page(&format!("/docs/guides/{guide}")).await, "pre code") {
            for piece in code.split("$LECTERN/v1/").skip(1) {
                let path = format!("/v1/{}", piece.split(['"', '?', ' ']).next().unwrap());
                assert!(fits(&path), "{guide}: {path}");
                calls += 1;
            }
        }
    }
    assert!(calls > 20, "{calls}");
}

#[tokio::test]
async fn the_search_answers_without_scripts_and_scripts_get_the_same_index() {
    let page = page("/docs/search?q=create+MODULE").await;
    assert!(attributes(&page, "main .operations a", "href").contains(&format!("{ROOT}/docs/content/createModule")));
    let hrefs = attributes(&page, "form.search", "data-index");
    let index = get(&router(ROOT), hrefs[0].strip_prefix(ROOT).unwrap()).await.2;
    let rows: Vec<[String; 4]> = serde_json::from_str(&index).unwrap();
    assert!(rows.iter().any(|row| row[0] == "POST" && row[3] == "/docs/content/createModule"));
    for kind in ["Guide", "Schema", "Event", "Error", "GET"] {
        assert!(rows.iter().any(|row| row[0] == kind), "{kind}");
    }
    assert!(index.len() < 150_000, "{}", index.len());
    let (_, _, html) = get(&router(ROOT), "/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E").await;
    assert!(!html.contains("<script>alert"), "{html}");
}

#[tokio::test]
async fn texts_of_a_document_are_no_markup() {
    let attack = || {
        let bad = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
        json!({
            "openapi": "3.1.0",
            "info": { "title": bad, "version": bad, "description": bad },
            "paths": { bad: { "get": { "tags": [bad], "summary": bad, "description": bad, "operationId": "attack",
                "parameters": [{ "name": bad, "in": "query", "description": bad, "schema": { "type": bad, "enum": [bad] }, "example": bad }],
                "requestBody": { "content": { "application/json": { "example": { bad: bad } } } },
                "responses": { "200": { "description": bad, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/a" } } } } } } } },
            "components": { "schemas": { "a": { "type": "object", "description": bad, "properties": { bad: { "example": bad, "description": bad } } } } },
        })
    };
    let router = reference::router("", Documents { content: attack, platform: attack, identity: attack });
    for path in ["/docs", "/docs/content/attack", "/docs/content/schemas/a", "/docs/search?q=alert", "/docs/identity"] {
        let (status, _, html) = get(&router, path).await;
        assert_eq!(status, 200, "{path}");
        let page = Html::parse_document(&html);
        assert_eq!(attributes(&page, "script:not([src]), img:not([alt=''])", "src"), Vec::<String>::new(), "{path}");
        assert!(!html.contains("<script>alert") && !html.contains("<img src=x"), "{path}");
    }
}
