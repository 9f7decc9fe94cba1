//! The files of a request, kept before the transaction that names them, and dropped where none does.

use std::sync::Arc;

use edge::problem::Problem;
use kernel::id::{FileId, WorkspaceId};

use super::{Opened, Order};
use crate::Platform;
use crate::callers::{self, Credential};
use crate::evaluations::files::{self, drop_all};
use crate::stored_files::storage_problem;

/// The files that were kept, and their evaluation; none where the request has none.
pub(super) struct KeptFiles(Option<(WorkspaceId, Vec<FileId>)>);

impl KeptFiles {
    /// Keeps the files of a request that is right so far.
    ///
    /// # Errors
    /// What the credential deserves, 409 and 503 as the evaluation itself would get, 503 where the files can't be kept.
    pub(super) async fn keep(
        platform: &Platform,
        credential: &Credential,
        order: &Arc<Order>,
        named: Option<WorkspaceId>,
    ) -> Result<Self, Problem> {
        if order.uploads.is_empty() {
            return Ok(Self(None));
        }
        let asked = order.clone();
        let workspace = callers::read(&platform.door, credential.clone(), "evaluations.admit", move |tx, caller| {
            let workspace = caller.paying_workspace(tx, named)?;
            if asked.unready.is_some() {
                asked.earlier(tx, workspace)?;
            }
            Ok(workspace)
        })
        .await?;
        files::keep(&platform.files, workspace, &order.uploads).await.map_err(storage_problem)?;
        Ok(Self(Some((workspace, order.uploads.iter().map(|(row, _)| row.id).collect()))))
    }

    /// Drops the files unless the evaluation names them. Of a commit that may have come through, they stay: what nothing
    /// names is swept.
    pub(super) async fn settle<T>(self, platform: &Platform, opened: &Result<Opened<T>, Problem>) {
        let is_named = matches!(opened, Ok(Opened::New(_)) | Err(Problem::Unavailable(_)));
        if let Some((workspace, files)) = self.0.filter(|_| !is_named) {
            drop_all(&platform.files, workspace, files).await;
        }
    }
}
