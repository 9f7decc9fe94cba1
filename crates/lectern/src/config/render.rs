//! `[render]`: how videos become files.

use std::path::{Path, PathBuf};

use super::parse;
use super::reader::Reader;
use super::setting::{Setting, Shape};

const SECTION: &str = "render";
const FOLDER: &str = "renderings";

static AT_ONCE: Setting = Setting::new(SECTION, "at_once", "LECTERN_RENDER_AT_ONCE").or("1").shaped(Shape::Bare);
static PATH: Setting = Setting::new(SECTION, "path", "LECTERN_RENDER_PATH").or("/usr/local/bin:/usr/bin:/bin");

/// `[render]`
#[derive(Clone, Debug)]
pub struct Render {
    /// Scenes that this process renders at a time, 1 to 64. Each keeps up to two processors busy.
    pub at_once: usize,
    /// The folders where ffmpeg and espeak-ng are looked for, separated by colons.
    pub path: String,
}

impl Render {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let at_once = reader.required(&AT_ONCE, parse::count(1, 64));
        let path = reader.required(&PATH, absolute_folders);
        Some(Self { at_once: at_once?, path: path? })
    }

    /// Where scenes lie until their video is whole.
    pub fn folder(data_dir: &Path) -> PathBuf {
        data_dir.join(FOLDER)
    }
}

fn absolute_folders(text: &str) -> Result<String, String> {
    let is_absolute = text.split(':').all(|folder| Path::new(folder).is_absolute());
    if is_absolute { Ok(text.to_owned()) } else { Err("must be absolute folders, separated by colons".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_looked_for_in_absolute_folders_only() {
        assert!(absolute_folders("/usr/bin:/opt/ffmpeg/bin").is_ok());
        for wrong in ["", ".", "/usr/bin:", "bin:/usr/bin", "/usr/bin::/bin"] {
            assert!(absolute_folders(wrong).is_err(), "{wrong:?}");
        }
    }
}
