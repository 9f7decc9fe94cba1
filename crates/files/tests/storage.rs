//! The rules of the store, each on a folder and on the S3-compatible store of `LECTERN_TEST_S3_URL`, which
//! `scripts/s3 start` makes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use bytes::Bytes;
use files::storage::{S3Credentials, S3Options, StorageOptions};
use files::{FileKey, FileStore, RenderingKey, StorageError};
use futures_util::TryStreamExt as _;
use kernel::ambient::Ambient;
use url::Url;
use uuid::Uuid;

macro_rules! both_places {
    ($($rule:ident),* $(,)?) => {$(
        mod $rule {
            #[test]
            fn folder() {
                let folder = tempfile::tempdir().unwrap();
                super::run(&super::in_folder(folder.path()), super::rules::$rule);
            }

            #[test]
            fn s3() {
                super::run(&super::in_new_bucket(), super::rules::$rule);
            }
        }
    )*};
}

both_places!(
    what_was_put_is_there_until_it_is_deleted,
    a_part_of_an_object_is_read_exactly,
    a_file_is_stored_in_parts_however_long,
    rendered_files_are_listed_by_themselves,
    an_object_never_changes,
    what_is_not_there_is_not_found_and_may_be_deleted,
    a_list_is_of_one_workspace_or_of_all,
    the_check_leaves_nothing,
);

mod rules {
    use super::*;

    pub(super) async fn what_was_put_is_there_until_it_is_deleted(store: FileStore) {
        let content = Bytes::from(vec![7; 300_000]);
        store.put(key(1, 1), content.clone()).await.unwrap();
        store.put(key(1, 2), Bytes::new()).await.unwrap();
        assert_eq!(store.get(key(1, 1)).await.unwrap(), content);
        assert_eq!(store.get(key(1, 2)).await.unwrap(), Bytes::new());
        store.delete(key(1, 1)).await.unwrap();
        assert!(matches!(store.get(key(1, 1)).await, Err(StorageError::NotFound)));
    }

    pub(super) async fn a_part_of_an_object_is_read_exactly(store: FileStore) {
        let content = Bytes::from((0..=255).collect::<Vec<u8>>());
        store.put(key(1, 1), content.clone()).await.unwrap();
        assert_eq!(store.size_bytes(key(1, 1)).await.unwrap(), 256);
        for (start, end) in [(0, 256), (7, 8), (200, 256)] {
            let part = content.slice(usize::try_from(start).unwrap()..usize::try_from(end).unwrap());
            assert_eq!(store.get_range(key(1, 1), start..end).await.unwrap(), part);
        }
        assert!(matches!(store.size_bytes(key(1, 2)).await, Err(StorageError::NotFound)));
        assert!(matches!(store.get_range(key(1, 2), 0..1).await, Err(StorageError::NotFound)));
    }

    pub(super) async fn a_file_is_stored_in_parts_however_long(store: FileStore) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film");
        // Less than a part, more than one, and none at all.
        for (file, length) in [(1, 300_000), (2, 8 * 1024 * 1024 + 1), (3, 0)] {
            let content: Vec<u8> = (0..=250).cycle().take(length).collect();
            std::fs::write(&path, &content).unwrap();
            store.put_file(rendering(1, file), &path).await.unwrap();
            assert_eq!(store.get(rendering(1, file)).await.unwrap(), content, "{length} bytes");
        }
        let missing = store.put_file(rendering(1, 4), &folder.path().join("missing")).await;
        assert!(matches!(missing, Err(StorageError::Unexpected { .. })));
        assert!(matches!(store.get(rendering(1, 4)).await, Err(StorageError::NotFound)));
    }

    pub(super) async fn rendered_files_are_listed_by_themselves(store: FileStore) {
        store.put(key(1, 1), Bytes::from_static(b"abc")).await.unwrap();
        store.put(rendering(2, 1), Bytes::from_static(b"abc")).await.unwrap();
        let found: Vec<_> = store.list_renderings().try_collect().await.unwrap();
        assert_eq!(found.iter().map(|found| found.key).collect::<Vec<_>>(), [rendering(2, 1)]);
        assert_eq!(listed(&store, None).await, [key(1, 1)]);
    }

    pub(super) async fn an_object_never_changes(store: FileStore) {
        let put = async |content| store.put(key(1, 1), Bytes::from_static(content)).await;
        put(b"one").await.unwrap();
        put(b"one").await.unwrap();
        assert!(matches!(put(b"two").await, Err(StorageError::Taken)));
        assert_eq!(store.get(key(1, 1)).await.unwrap(), "one");
    }

    pub(super) async fn what_is_not_there_is_not_found_and_may_be_deleted(store: FileStore) {
        assert!(matches!(store.get(key(3, 3)).await, Err(StorageError::NotFound)));
        store.delete(key(3, 3)).await.unwrap();
    }

    pub(super) async fn a_list_is_of_one_workspace_or_of_all(store: FileStore) {
        for (workspace, file) in [(1, 1), (1, 2), (2, 1)] {
            store.put(key(workspace, file), Bytes::from_static(b"abc")).await.unwrap();
        }
        assert_eq!(listed(&store, Some(1)).await, [key(1, 1), key(1, 2)]);
        assert_eq!(listed(&store, None).await, [key(1, 1), key(1, 2), key(2, 1)]);
        assert_eq!(listed(&store, Some(9)).await, []);
        let found: Vec<_> = store.list(None).try_collect().await.unwrap();
        assert!(found.iter().all(|found| found.size_bytes == 3 && found.put_at.as_millis() > 0), "{found:?}");
    }

    pub(super) async fn the_check_leaves_nothing(store: FileStore) {
        store.check(&Ambient::system()).await.unwrap();
        assert_eq!(listed(&store, None).await, []);
    }
}

#[test]
fn a_folder_is_the_owners_alone_and_holds_ids_and_nothing_else() {
    use std::os::unix::fs::PermissionsExt as _;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("new/files");
    run(&in_folder(&folder), async |store| {
        store.put(key(1, 2), Bytes::from_static(b"x")).await.unwrap();
        std::fs::write(folder.join("note.txt"), b"somebody's").unwrap();
        assert_eq!(listed(&store, None).await, [key(1, 2)]);
    });
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(folder.join(key(1, 2).to_string()).is_file());
}

#[test]
fn a_folder_that_is_a_file_is_refused_by_its_path() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let refused = FileStore::open(&in_folder(file.path())).unwrap_err();
    assert!(refused.to_string().contains(file.path().to_str().unwrap()), "{refused}");
}

#[test]
fn a_store_that_does_not_answer_is_unavailable() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    run(&bucket("school", &format!("http://{closed}")), async |store| {
        assert!(matches!(store.get(key(1, 1)).await, Err(StorageError::Unavailable { .. })));
    });
}

#[test]
fn a_bucket_that_is_not_there_is_unavailable_and_no_missing_file() {
    run(&bucket("no-such-bucket", &s3_url()), async |store| {
        let put = store.put(key(1, 1), Bytes::from_static(b"x")).await;
        assert!(matches!(put, Err(StorageError::Unavailable { .. })), "{put:?}");
    });
}

fn run(options: &StorageOptions, rule: impl AsyncFnOnce(FileStore)) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { rule(FileStore::open(options).unwrap()).await });
}

fn key(workspace: u128, file: u128) -> FileKey {
    FileKey { workspace: Uuid::from_u128(workspace).into(), file: Uuid::from_u128(file).into() }
}

fn rendering(organization: u128, file: u128) -> RenderingKey {
    RenderingKey { organization: Uuid::from_u128(organization).into(), file: Uuid::from_u128(file).into() }
}

async fn listed(store: &FileStore, workspace: Option<u128>) -> Vec<FileKey> {
    let found: Vec<_> =
        store.list(workspace.map(|workspace| Uuid::from_u128(workspace).into())).try_collect().await.unwrap();
    let mut keys: Vec<_> = found.into_iter().map(|found| found.key).collect();
    keys.sort_unstable();
    keys
}

fn in_folder(folder: &std::path::Path) -> StorageOptions {
    StorageOptions::Folder(folder.to_owned())
}

#[expect(clippy::disallowed_methods, reason = "tests have no configuration")]
fn s3_url() -> String {
    std::env::var("LECTERN_TEST_S3_URL").expect("LECTERN_TEST_S3_URL is set; scripts/s3 start prints it")
}

/// A bucket that no other test has.
fn in_new_bucket() -> StorageOptions {
    let url = s3_url();
    let name = format!("lectern-{}", Uuid::from_bytes(Ambient::system().random()));
    let host = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "PUT /{name} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    bucket(&name, &url)
}

fn bucket(name: &str, url: &str) -> StorageOptions {
    StorageOptions::S3(S3Options {
        bucket: name.to_owned(),
        prefix: "lectern/files".to_owned(),
        endpoint: Some(Url::parse(url).unwrap()),
        region: "us-east-1".to_owned(),
        credentials: Some(S3Credentials { access_key: "test".into(), secret_key: "test".into() }),
        extra_ca_pem: None,
    })
}
