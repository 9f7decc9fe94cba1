//! Files as strangers send them, read by the built program in a child of its own: what is in them, or why it is not read.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod documents;
mod pdf;

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use files::text::ExtractorOptions;
use files::{Extractor, FileText, Incoming, Kind, MAX_FILE_BYTES, Unread};

fn options() -> ExtractorOptions {
    lectern::assembly::extractor_options(PathBuf::from(env!("CARGO_BIN_EXE_lectern")))
}

/// What comes of a file whose kind is found as the service finds it.
fn read(kind: Kind, bytes: impl Into<Bytes>) -> FileText {
    let file = Incoming::judge(bytes.into(), Some(kind.mime_type()), None, MAX_FILE_BYTES).unwrap();
    assert_eq!(file.kind, kind);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(Extractor::new(options()).extract(file.kind, file.bytes)).unwrap().text
}

fn whole(text: &str) -> FileText {
    FileText::Whole(text.to_owned())
}

const fn unread(reason: Unread) -> FileText {
    FileText::Unread(reason)
}

#[test]
fn many_files_are_read_at_once_by_a_few_children() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let extractor = Extractor::new(ExtractorOptions { children: 2, ..options() });
    runtime.block_on(async {
        let files: Vec<_> = (0..12)
            .map(|number| {
                let (extractor, page) = (extractor.clone(), format!("<p>{number}"));
                tokio::spawn(async move { extractor.extract(Kind::Html, page.into()).await })
            })
            .collect();
        for (number, file) in files.into_iter().enumerate() {
            assert_eq!(file.await.unwrap().unwrap().text, whole(&number.to_string()));
        }
    });
}

#[test]
fn a_file_that_takes_too_long_is_given_up() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let extractor = Extractor::new(ExtractorOptions { wall_time: Duration::from_millis(1), ..options() });
    let page = Bytes::from("<p>a".repeat(1 << 20));
    let text = runtime.block_on(extractor.extract(Kind::Html, page)).unwrap().text;
    assert_eq!(text, unread(Unread::TookTooLong));
}
