//! Removes the bytes of files that no row names: a request that was cut off between the two left them, a rendered video was
//! deleted, or the store of the files was away when a learner was erased.

use std::collections::HashSet;
use std::time::Duration;

use files::StorageError;
use files::storage::{ObjectName, StoredFile};
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use kernel::id::FileId;
use store::{StoreError, Tx, sql};

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
    sweep_listed(platform, platform.files.store.list(None), |key| key.file, evaluation_files).await?;
    sweep_listed(platform, platform.files.store.list_renderings(), |key| key.file, content::videos::renderings::named)
        .await
}

/// Objects as they are listed, in no order.
type Listed<N> = BoxStream<'static, Result<StoredFile<N>, StorageError>>;
/// Finds out which of some files have rows.
type FindNamed = fn(&mut Tx<'_>, &[FileId]) -> Result<Vec<FileId>, StoreError>;

async fn sweep_listed<N: ObjectName>(
    platform: &Platform,
    listed: Listed<N>,
    file_of: fn(N) -> FileId,
    find_named: FindNamed,
) -> Result<(), StoreError> {
    let old = platform.door.ambient.now().minus(AGE);
    let mut pages = listed.chunks(PAGE);
    while let Some(page) = pages.next().await {
        let listed: Result<Vec<StoredFile<N>>, StorageError> = page.into_iter().collect();
        let listed = match listed {
            Ok(listed) => listed,
            Err(error) => {
                tracing::warn!(%error, "files can't be listed; what nothing names is swept another night");
                return Ok(());
            }
        };
        let old: Vec<N> = listed.iter().filter(|file| file.put_at <= old).map(|file| file.key).collect();
        let ids: Vec<FileId> = old.iter().copied().map(file_of).collect();
        let named = platform.door.store.read("files.named", move |tx| find_named(tx, &ids)).await?;
        let named: HashSet<FileId> = named.into_iter().collect();
        for orphan in old.into_iter().filter(|key| !named.contains(&file_of(*key))) {
            if let Err(error) = platform.files.store.delete(orphan).await {
                tracing::warn!(file = %orphan, %error, "a file that nothing names is left for another night");
            }
        }
    }
    Ok(())
}

fn evaluation_files(tx: &mut Tx<'_>, ids: &[FileId]) -> Result<Vec<FileId>, StoreError> {
    tx.query_each(ids, |id| sql!("SELECT id FROM evaluation_file WHERE id = {*id}"), |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use files::{FileKey, RenderingKey};
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

    #[both_stores]
    async fn a_rendered_file_goes_when_its_video_is_deleted(test: TestStore) {
        let app = App::new(test);
        let organization = app.organization("riverside").await;
        crate::videos::tests::store_rendered_video(&app, organization).await;
        let orphan = RenderingKey { organization, file: app.test.ambient.id() };
        app.platform.files.store.put(orphan, "lost".into()).await.unwrap();
        app.age_files_below(&format!("renderings/{organization}"), AGE);
        sweep(&app.platform).await.unwrap();
        assert_eq!(app.kept_files().len(), 2);
        app.test.store.write("test", |tx| tx.execute("DELETE FROM video", &[])).await.unwrap();
        sweep(&app.platform).await.unwrap();
        assert_eq!(app.kept_files().len(), 0);
    }
}
