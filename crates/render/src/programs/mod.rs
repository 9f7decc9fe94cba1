//! The programs that make pictures and sound into a file, and how they are started.
//!
//! Paths of programs come from the operator's search path, once. Every run goes through [`child`], which limits it.

mod child;
mod launcher;

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

pub(crate) use child::Task;
pub use launcher::Launcher;

/// A program that this crate runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    Ffmpeg,
    Espeak,
}

impl Program {
    const ALL: [Self; 2] = [Self::Ffmpeg, Self::Espeak];

    /// The name of the program's file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ffmpeg => "ffmpeg",
            Self::Espeak => "espeak-ng",
        }
    }

    /// The Debian package that brings it.
    const fn package(self) -> &'static str {
        match self {
            Self::Ffmpeg => "ffmpeg",
            Self::Espeak => "espeak-ng",
        }
    }
}

/// Where the programs are, and how they are launched. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Programs {
    ffmpeg: PathBuf,
    espeak: Option<PathBuf>,
    launcher: Launcher,
    threads: usize,
}

/// Programs that are not installed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct MissingPrograms(Vec<Program>);

impl fmt::Display for MissingPrograms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |value: fn(&Program) -> &'static str, between| self.0.iter().map(value).collect::<Vec<_>>().join(between);
        let names = list(|program| program.name(), " and ");
        let packages = list(|program| program.package(), " ");
        write!(formatter, "the search path has no {names}; on Debian, run: apt-get install {packages}")
    }
}

impl MissingPrograms {
    /// The names of the programs.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|program| program.name())
    }
}

impl Programs {
    /// Finds ffmpeg and espeak-ng in the folders of a search path, such as the value of `PATH`.
    ///
    /// # Errors
    /// Names every program that is missing, with its package.
    pub fn find(search_path: &OsStr, launcher: Launcher) -> Result<Self, MissingPrograms> {
        Self::find_needed(&Program::ALL, search_path, launcher)
    }

    /// Finds ffmpeg, which is all that a video needs whose voice is not [`crate::Espeak`].
    ///
    /// # Errors
    /// As [`Programs::find`].
    pub fn find_encoder(search_path: &OsStr, launcher: Launcher) -> Result<Self, MissingPrograms> {
        Self::find_needed(&[Program::Ffmpeg], search_path, launcher)
    }

    fn find_needed(needed: &[Program], search_path: &OsStr, launcher: Launcher) -> Result<Self, MissingPrograms> {
        let find = |program: Program| {
            std::env::split_paths(search_path)
                .filter(|folder| folder.is_absolute())
                .map(|folder| folder.join(program.name()))
                .find(|path| is_executable(path))
        };
        let missing: Vec<_> = needed.iter().copied().filter(|program| find(*program).is_none()).collect();
        match find(Program::Ffmpeg) {
            Some(ffmpeg) if missing.is_empty() => {
                Ok(Self { ffmpeg, espeak: find(Program::Espeak), launcher, threads: 2 })
            }
            _ => Err(MissingPrograms(missing)),
        }
    }

    /// The same programs with this many threads for an encoder, from 1 to 16.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: threads.clamp(1, 16), ..self }
    }

    /// How many threads an encoder has.
    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// Where a program is; `None` for one that was not found.
    fn path(&self, program: Program) -> Option<&Path> {
        match program {
            Program::Ffmpeg => Some(&self.ffmpeg),
            Program::Espeak => self.espeak.as_deref(),
        }
    }
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_programs_are_named_with_their_packages() {
        let folder = tempfile::tempdir().unwrap();
        let find = || Programs::find(folder.path().as_os_str(), Launcher::direct());
        let missing = find().unwrap_err();
        let encoder = Programs::find_encoder(folder.path().as_os_str(), Launcher::direct());
        assert_eq!(encoder.unwrap_err().names().collect::<Vec<_>>(), ["ffmpeg"]);
        assert_eq!(
            missing.to_string(),
            "the search path has no ffmpeg and espeak-ng; on Debian, run: apt-get install ffmpeg espeak-ng"
        );
        std::os::unix::fs::symlink("/bin/true", folder.path().join("ffmpeg")).unwrap();
        assert_eq!(find().unwrap_err().names().collect::<Vec<_>>(), ["espeak-ng"]);
        assert!(Programs::find_encoder(folder.path().as_os_str(), Launcher::direct()).is_ok());
        std::fs::write(folder.path().join("espeak-ng"), "not executable").unwrap();
        assert!(find().is_err());
        std::fs::remove_file(folder.path().join("espeak-ng")).unwrap();
        std::os::unix::fs::symlink("/bin/true", folder.path().join("espeak-ng")).unwrap();
        assert!(find().is_ok());
    }
}
