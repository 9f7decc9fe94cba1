//! The files of an evaluation: their rows, and their text for the graders. Their bytes are in the file store, written
//! before the row that names them; bytes that no row came to name are swept.

use axum::body::Bytes;
use files::{Extracted, FileKey, FileText, Kind, StorageError};
use grading::{Attachment, AttachmentText, CutText};
use kernel::id::{EvaluationId, FileId, WorkspaceId};
use kernel::model::Picture;
use store::{Group as _, Record, StoreError, Tx, sql};

use super::Role;
use super::form::Upload;
use super::records::ReadFile;
use super::row::EvaluationRow;
use crate::Files;

impl Role {
    /// The role of the form's field; some clients mark a repeated one with brackets.
    pub(super) fn of_field(name: &str) -> Option<Self> {
        match name.strip_suffix("[]").unwrap_or(name) {
            "rubricFiles" => Some(Self::Rubric),
            "answerFiles" => Some(Self::Answer),
            _ => None,
        }
    }
}

/// A row of `evaluation_file`, but for its evaluation.
#[derive(Clone, Debug, Record)]
pub(crate) struct FileRow {
    pub(super) id: FileId,
    pub(super) role: Role,
    pub(super) position: i64,
    pub(super) file_name: String,
    pub(super) mime_type: String,
    pub(super) size_bytes: i64,
    pub(super) sha256: String,
}

impl FileRow {
    pub(super) fn of(id: FileId, position: usize, upload: &Upload) -> Self {
        let Upload { role, incoming } = upload;
        Self {
            id,
            role: *role,
            position: i64::try_from(position).unwrap_or(i64::MAX),
            file_name: incoming.file_name.clone(),
            mime_type: incoming.kind.mime_type().to_owned(),
            size_bytes: i64::try_from(incoming.bytes.len()).unwrap_or(i64::MAX),
            sha256: incoming.sha256.clone(),
        }
    }

    pub(super) fn insert(&self, tx: &mut Tx<'_>, evaluation: &EvaluationRow) -> Result<(), StoreError> {
        let (EvaluationRow { id, workspace, .. }, now) = (evaluation, tx.now());
        sql!(
            "INSERT INTO evaluation_file (id, workspace_id, evaluation_id, role, position, file_name, mime_type, size_bytes,
                sha256, created_at)
             VALUES ({self.id}, {workspace}, {id}, {self.role}, {self.position}, {self.file_name}, {self.mime_type},
                {self.size_bytes}, {self.sha256}, {now})"
        )
        .execute_later(tx)
    }

    /// The files of an evaluation in their order.
    pub(super) fn list(tx: &mut Tx<'_>, evaluation: EvaluationId) -> Result<Vec<Self>, StoreError> {
        tx.query(
            "SELECT id, role, position, file_name, mime_type, size_bytes, sha256 FROM evaluation_file
             WHERE evaluation_id = $1 ORDER BY position",
            &[&evaluation],
            |row| Self::read_at(row, 0),
        )
    }
}

/// Keeps the bytes of files; none of them when one can't be kept.
pub(super) async fn keep(
    files: &Files,
    workspace: WorkspaceId,
    uploads: &[(FileRow, Upload)],
) -> Result<(), StorageError> {
    for (row, upload) in uploads {
        let key = FileKey { workspace, file: row.id };
        if let Err(error) = files.store.put(key, upload.incoming.bytes.clone()).await {
            let ids = uploads.iter().map(|(row, _)| row.id).collect();
            drop_all(files, workspace, ids).await;
            return Err(error);
        }
    }
    Ok(())
}

/// Removes the bytes of files that no row names. What can't be removed now is swept later.
pub(crate) async fn drop_all(files: &Files, workspace: WorkspaceId, ids: Vec<FileId>) {
    for file in ids {
        if let Err(error) = files.store.delete(FileKey { workspace, file }).await {
            tracing::warn!(%file, %error, "a file that nothing names is left for the sweep");
        }
    }
}

/// Reads the text of files, one after the other, and keeps the pictures among them for a grader that `sees`.
///
/// A file is what was sent, or it is not read: bytes with another SHA-256 than the row's are damaged, whoever's they are.
///
/// # Errors
/// When the store of the files or the reader is away: trying again may help.
pub(super) async fn read(
    files: &Files,
    workspace: WorkspaceId,
    rows: &[FileRow],
    sees: bool,
) -> Result<Vec<ReadFile>, String> {
    let mut read = Vec::with_capacity(rows.len());
    for row in rows {
        let _turn = files.readers.take(workspace).await;
        let key = FileKey { workspace, file: row.id };
        let bytes = match files.store.get(key).await {
            Ok(bytes) => sha256(&bytes).await.is_some_and(|sha256| sha256 == row.sha256).then_some(bytes),
            Err(StorageError::NotFound) => None,
            Err(error) => return Err(error.to_string()),
        };
        let kind = Kind::of_mime_type(&row.mime_type);
        let picture = bytes.as_ref().filter(|_| sees && kind.is_picture()).map(|bytes| Picture {
            mime_type: row.mime_type.clone(),
            sha256: row.sha256.clone(),
            bytes: bytes.as_ref().into(),
        });
        let Extracted { text, hides_text } = match bytes {
            Some(bytes) => files.extractor.extract(kind, bytes).await.map_err(|error| error.to_string())?,
            None => FileText::Unread(files::Unread::Damaged).into(),
        };
        let text = match text {
            FileText::Whole(text) => AttachmentText::Whole(text),
            FileText::Cut { text, omitted_characters } => AttachmentText::Cut(CutText { text, omitted_characters }),
            FileText::Unread(why) => AttachmentText::Unread(why.to_string()),
        };
        let attachment = Attachment { file_name: row.file_name.clone(), text, hides_text, picture };
        read.push(ReadFile { role: row.role, attachment });
    }
    Ok(read)
}

/// The SHA-256 of bytes in hex, worked out where it keeps nobody waiting.
async fn sha256(bytes: &Bytes) -> Option<String> {
    let bytes = bytes.clone();
    tokio::task::spawn_blocking(move || kernel::secret::sha256_hex(&bytes)).await.ok()
}

/// Whether there is a picture among files.
pub(super) fn have_pictures(rows: &[FileRow]) -> bool {
    rows.iter().any(|row| Kind::of_mime_type(&row.mime_type).is_picture())
}
