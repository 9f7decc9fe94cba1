//! Uploads that nobody means well with: a 400 that names the file and the reason, or a 413, and nothing stored.

use std::io::{Cursor, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use futures_util::stream;
use interchange::limits::MAX_PACKAGE_BYTES;
use interchange::model::{Entry, ModuleContent};
use interchange::{export_course, model::CourseContent};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use testkit::{TestStore, both_stores};
use zip::write::{SimpleFileOptions, ZipWriter};

use super::importing;
use crate::testing::App;

const MANIFEST: &str = "imsmanifest.xml";
const PAGE: &str = "<!doctype html><title>Cells</title><p>A cell is alive.</p>";

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn manifest(href: &str) -> String {
    format!(
        "<manifest xmlns='http://www.imsglobal.org/xsd/imscp_v1p1' identifier='m'><organizations/><resources>\
         <resource identifier='r' type='imsqti_item_xmlv2p1' href='{href}'><file href='{href}'/></resource>\
         </resources></manifest>"
    )
}

/// A package whose one item is this.
fn package(item: &str) -> Vec<u8> {
    zip(&[(MANIFEST, manifest("i.xml").as_bytes()), ("i.xml", item.as_bytes())])
}

/// The package with all its files marked as encrypted.
fn encrypted() -> Vec<u8> {
    let mut archive = package("<assessmentItem/>");
    for at in 0..archive.len() - 8 {
        if archive[at..].starts_with(b"PK\x03\x04") {
            archive[at + 6] |= 1;
        } else if archive[at..].starts_with(b"PK\x01\x02") {
            archive[at + 8] |= 1;
        }
    }
    archive
}

fn small_course() -> Vec<u8> {
    let module =
        ModuleContent { title: "Cells".to_owned(), html: "<p>Alive.</p>".to_owned(), ..ModuleContent::default() };
    let entries = vec![Entry::Module(module)];
    export_course(&CourseContent { title: "Biology".to_owned(), entries, ..CourseContent::default() }).bytes
}

/// What to send, the code that it is refused with, and the file that the refusal names.
fn uploads() -> Vec<(Vec<u8>, &'static str, &'static str)> {
    let whole = small_course();
    let entities =
        "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><assessmentItem>&b;</assessmentItem>";
    vec![
        (Vec::new(), "not-a-package", ""),
        (b"%PDF-1.7".to_vec(), "not-a-package", ""),
        (b"{\"title\":\"x\"}".to_vec(), "not-a-package", ""),
        (whole[..whole.len() / 2].to_vec(), "damaged", ""),
        (whole[..whole.len() - 1].to_vec(), "damaged", ""),
        (zip(&[(MANIFEST, &vec![0; 8 << 20])]), "ratio", MANIFEST),
        (zip(&[("../evil.xml", b"x"), (MANIFEST, b"<manifest/>")]), "unsafe-path", "../evil.xml"),
        (zip(&[("C:\\evil.xml", b"x"), (MANIFEST, b"<manifest/>")]), "unsafe-path", "C:\\evil.xml"),
        (zip(&[(MANIFEST, manifest("../../etc/passwd").as_bytes())]), "points-outside", MANIFEST),
        (encrypted(), "encrypted", MANIFEST),
        (package(entities), "document-type", "i.xml"),
        (package("<!DOCTYPE x SYSTEM 'file:///etc/passwd'><x/>"), "document-type", "i.xml"),
        (package(&"<a>".repeat(100_000)), "too-deep", "i.xml"),
        (zip(&[("a.txt", b"x")]), "no-manifest", ""),
        (zip(&[("inner.zip", &small_course())]), "no-manifest", ""),
        (zip(&[(MANIFEST, b"<manifest>")]), "malformed", MANIFEST),
        (zip(&[(MANIFEST, b"<html/>")]), "no-manifest", ""),
        (zip(&[(MANIFEST, b"<manifest/>")]), "nothing", ""),
        (package("<assessmentItem>"), "nothing", ""),
        (b"<!doctype html><title>x</title>\xff".to_vec(), "encoding", "page.html"),
    ]
}

#[both_stores]
async fn what_is_no_sound_package_is_400_with_its_reason(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let before = app.stored().await;
    for (upload, code, file) in uploads() {
        let reply = importing(&app, &tenant, upload).idempotency("k").send().await;
        let body = reply.expect(400);
        let first = &body["details"][0];
        assert!(first["message"].as_str().unwrap().starts_with(&format!("{code}: ")), "{code}: {body}");
        assert_eq!(first["path"], file, "{body}");
    }
    assert_eq!(app.stored().await, before);
    importing(&app, &tenant, small_course()).idempotency("k").send().await.expect(201);
}

#[both_stores]
async fn an_upload_over_the_limit_is_413_whether_its_length_is_told_or_not(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let before = app.stored().await;
    let told = importing(&app, &tenant, "PK").header("content-length", &(MAX_PACKAGE_BYTES + 1).to_string());
    told.send().await.expect(413);
    let block = Bytes::from(vec![b' '; 1 << 20]);
    let blocks = (0..=MAX_PACKAGE_BYTES >> 20).map(move |_| Ok::<_, std::io::Error>(block.clone()));
    let body = Body::from_stream(stream::iter(blocks));
    let untold = app.post(&tenant.resources("imports")).key(&tenant.key).raw("application/zip", body).send().await;
    untold.expect(413);
    assert_eq!(app.stored().await, before);
    let mut page = PAGE.to_owned();
    page.push_str(&" ".repeat(3 << 20));
    importing(&app, &tenant, page).send().await.expect(201);
}

#[both_stores]
async fn an_upload_that_breaks_off_is_400(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let before = app.stored().await;
    let chunks = [Ok(Bytes::from(PAGE)), Err(std::io::Error::other("reset by the test"))];
    let call = app.post(&tenant.resources("imports")).key(&tenant.key);
    let reply = call.raw("text/html", Body::from_stream(stream::iter(chunks))).send().await;
    reply.expect(400);
    assert!(!reply.body.contains("reset by the test"), "no cause is shown");
    assert_eq!(app.stored().await, before);
}

#[both_stores]
async fn nothing_of_an_upload_is_read_for_somebody_who_may_not_ask(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let (limited, _) = app.mint(tenant.organization, 1, None).await;
    app.get("/v1/content/classrooms").key(&limited).send().await.expect(200);
    let read = Arc::new(AtomicUsize::new(0));
    for (key, status) in [(None, 401), (Some("svc_content_x"), 401), (Some(limited.as_str()), 429)] {
        let counted = read.clone();
        let chunks = (0..64).map(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok::<_, std::io::Error>(Bytes::from_static(b"PK"))
        });
        let call =
            app.post(&tenant.resources("imports")).raw("application/zip", Body::from_stream(stream::iter(chunks)));
        let call = match key {
            Some(key) => call.key(key),
            None => call,
        };
        call.send().await.expect(status);
    }
    assert_eq!(read.load(Ordering::SeqCst), 0);
}

#[both_stores]
async fn a_changed_package_is_imported_or_refused_and_never_a_defect(test: TestStore) {
    let app = App::new(test);
    let tenant = app.tenant("Riverside").await;
    let whole = small_course();
    let changes = prop::collection::vec((0..whole.len(), any::<u8>()), 1..6);
    let mut runner = TestRunner::deterministic();
    for _ in 0..60 {
        let mut upload = whole.clone();
        for (at, value) in changes.new_tree(&mut runner).unwrap().current() {
            upload[at] = value;
        }
        let reply = importing(&app, &tenant, upload).send().await;
        assert!([201, 400].contains(&reply.status.as_u16()), "{}", reply.status);
    }
}
