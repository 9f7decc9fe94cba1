//! The names of objects: ids, and nothing that a customer chose.

use std::fmt;

use kernel::id::{FileId, OrganizationId, WorkspaceId};
use object_store::path::Path;

/// A name that this service gives an object. Its text is the object's path in the folder or bucket.
pub trait ObjectName: Copy + fmt::Display + Send + Sync {}

impl ObjectName for FileKey {}
impl ObjectName for RenderingKey {}

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

/// Which file that was rendered from which organization's video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RenderingKey {
    /// The organization that the video belongs to.
    pub organization: OrganizationId,
    /// The file.
    pub file: FileId,
}

/// What the names of rendered files begin with.
pub(super) const RENDERINGS: &str = "renderings";

impl fmt::Display for RenderingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{RENDERINGS}/{}/{}", self.organization, self.file)
    }
}

impl RenderingKey {
    /// `None` for what this service did not name.
    pub(super) fn of_path(path: &Path) -> Option<Self> {
        let (organization, file) = path.as_ref().strip_prefix(RENDERINGS)?.strip_prefix('/')?.split_once('/')?;
        let key = Self { organization: organization.parse().ok()?, file: file.parse().ok()? };
        (key.to_string() == path.as_ref()).then_some(key)
    }
}

impl FileKey {
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
        assert_eq!(FileKey::of_path(&Path::from(key.to_string())), Some(key));
        for foreign in ["a/b", "a", &key.to_string().to_uppercase(), &format!("{key}/x"), &format!("{key}#1")] {
            assert_eq!(FileKey::of_path(&Path::from(foreign)), None, "{foreign}");
        }
    }

    #[test]
    fn rendered_files_have_names_of_their_own() {
        let key = RenderingKey { organization: Uuid::from_u128(1).into(), file: Uuid::from_u128(0xab).into() };
        let path = Path::from(key.to_string());
        let name = "renderings/00000000-0000-0000-0000-000000000001/00000000-0000-0000-0000-0000000000ab";
        assert_eq!(path.as_ref(), name);
        assert_eq!((RenderingKey::of_path(&path), FileKey::of_path(&path)), (Some(key), None));
        for foreign in ["renderings", "renderings/a/b", name.trim_start_matches("renderings/"), &format!("{name}/x")] {
            assert_eq!(RenderingKey::of_path(&Path::from(foreign)), None, "{foreign}");
        }
    }
}
