//! The name of an object: two ids, and nothing that a customer chose.

use std::fmt;

use kernel::id::{FileId, WorkspaceId};
use object_store::path::Path;

/// Which file of which workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileKey {
    /// The workspace that the file belongs to.
    pub workspace: WorkspaceId,
    /// The file.
    pub file: FileId,
}

impl fmt::Display for FileKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.workspace, self.file)
    }
}

impl FileKey {
    pub(super) fn path(self) -> Path {
        Path::from(self.to_string())
    }

    /// `None` for what this service did not name.
    pub(super) fn of_path(path: &Path) -> Option<Self> {
        let (workspace, file) = path.as_ref().split_once('/')?;
        let key = Self { workspace: workspace.parse().ok()?, file: file.parse().ok()? };
        (key.to_string() == path.as_ref()).then_some(key)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_name_is_two_ids_and_reads_back() {
        let key = FileKey { workspace: Uuid::from_u128(1).into(), file: Uuid::from_u128(0xab).into() };
        assert_eq!(key.to_string(), "00000000-0000-0000-0000-000000000001/00000000-0000-0000-0000-0000000000ab");
        assert_eq!(FileKey::of_path(&key.path()), Some(key));
        for foreign in ["a/b", "a", &key.to_string().to_uppercase(), &format!("{key}/x"), &format!("{key}#1")] {
            assert_eq!(FileKey::of_path(&Path::from(foreign)), None, "{foreign}");
        }
    }
}
