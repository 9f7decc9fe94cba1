//! Removes the bytes of files that no row names: a request that was cut off between the two left them, or the store of
//! the files was away when a learner was erased.

use std::collections::HashSet;
use std::time::Duration;

use files::storage::StoredFile;
use files::{FileKey, StorageError};
use futures_util::StreamExt as _;
use kernel::id::FileId;
use store::{Store, StoreError, Tx, sql};

use crate::Platform;

/// Bytes younger than this may belong to a request that is still being carried out.
pub(crate) const AGE: Duration = Duration::from_secs(24 * 3600);
/// Files that are asked about at a time.
const PAGE: usize = 500;

/// Removes what is old and has no row.
///
/// # Errors
/// Any [`StoreError`]. What the store of the files can't list or remove now is left for another night.
pub async fn sweep(platform: &Platform) -> Result<(), StoreError> {
    let old = platform.door.ambient.now().minus(AGE);
    let mut pages = platform.files.store.list(None).chunks(PAGE);
    while let Some(page) = pages.next().await {
        let listed: Result<Vec<StoredFile>, StorageError> = page.into_iter().collect();
        let listed = match listed {
            Ok(listed) => listed,
            Err(error) => {
                tracing::warn!(%error, "files can't be listed; what nothing names is swept another night");
                return Ok(());
            }
        };
        let old: Vec<FileKey> = listed.iter().filter(|file| file.put_at <= old).map(|file| file.key).collect();
        let named = named(&platform.door.store, &old).await?;
        for orphan in old.into_iter().filter(|key| !named.contains(&key.file)) {
            if let Err(error) = platform.files.store.delete(orphan).await {
                tracing::warn!(file = %orphan, %error, "a file that nothing names is left for another night");
            }
        }
    }
    Ok(())
}

/// Which of the files have a row.
async fn named(store: &Store, keys: &[FileKey]) -> Result<HashSet<FileId>, StoreError> {
    let ids: Vec<FileId> = keys.iter().map(|key| key.file).collect();
    let read = move |tx: &mut Tx<'_>| {
        tx.query_each(&ids, |id| sql!("SELECT id FROM evaluation_file WHERE id = {*id}"), |row| row.get(0))
    };
    Ok(store.read("files.named", read).await?.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use testkit::{TestStore, both_stores};

    use super::*;
    use crate::testing::{App, EVALUATIONS, Form, Tenant, open};

    /// A file with a row and one without; the other's name.
    async fn a_named_one_and_an_orphan(app: &App, tenant: &Tenant) -> String {
        let form = Form::of(&open()).file("answerFiles", "a.txt", "text/plain", "a").into_bytes();
        app.post(EVALUATIONS).key(&tenant.key).raw(Form::CONTENT_TYPE, form).send().await.expect(201);
        orphan(app, tenant).await
    }

    async fn orphan(app: &App, tenant: &Tenant) -> String {
        let key = FileKey { workspace: tenant.workspace, file: app.test.ambient.id() };
        app.platform.files.store.put(key, "lost".into()).await.unwrap();
        key.file.to_string()
    }

    #[both_stores]
    async fn an_old_file_stays_when_a_row_names_it_and_goes_when_none_does(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        let orphan = a_named_one_and_an_orphan(&app, &tenant).await;
        app.age_files(&tenant, AGE - Duration::from_secs(1));
        sweep(&app.platform).await.unwrap();
        assert!(app.kept_files().contains(&orphan), "a young one stays");
        assert_eq!(app.kept_files().len(), 2);
        app.age_files(&tenant, AGE);
        sweep(&app.platform).await.unwrap();
        assert!(!app.kept_files().contains(&orphan));
        assert_eq!(app.kept_files().len(), 1);
        app.finish().await;
    }

    #[both_stores]
    async fn of_several_pages_every_orphan_goes(test: TestStore) {
        let app = App::new(test);
        let tenant = app.tenant("riverside").await;
        a_named_one_and_an_orphan(&app, &tenant).await;
        for _ in 0..PAGE {
            orphan(&app, &tenant).await;
        }
        app.age_files(&tenant, AGE);
        sweep(&app.platform).await.unwrap();
        assert_eq!(app.kept_files().len(), 1);
        app.finish().await;
    }
}
