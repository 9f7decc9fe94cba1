//! What can go wrong with a render.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// A video was not rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The storyboard has no scenes.
    #[error("the storyboard has no scenes; a video needs at least one")]
    NoScenes,
    /// The storyboard has no scene with this index.
    #[error("the storyboard has {scenes} scenes, so there is none with the index {index}")]
    NoSuchScene {
        /// The index that was asked for, from 0.
        index: usize,
        /// The number of scenes.
        scenes: usize,
    },
    /// A part of the storyboard is larger than a video may be.
    #[error("the storyboard is too large: {part} has {actual}, and at most {limit} are rendered")]
    TooLarge {
        /// The part, with its unit.
        part: &'static str,
        /// What the storyboard has.
        actual: usize,
        /// What is rendered at most.
        limit: usize,
    },
    /// A scene lasts longer than a video may, or no time that is a number.
    #[error("scene {index} lasts {seconds} s; a scene lasts from 0 to {limit} s", limit = crate::limits::MOST_SECONDS)]
    Seconds {
        /// The index of the scene, from 0.
        index: usize,
        /// What the storyboard has.
        seconds: f64,
    },
    /// A scene that is to be assembled does not belong to the storyboard as it is now.
    #[error("scene {index} was rendered from another storyboard; render the scene again")]
    Outdated {
        /// The index of the scene, from 0.
        index: usize,
    },
    /// A program ended with an error.
    #[error("{program} ended with {status}: {last_words}")]
    ProgramFailed {
        /// The program's name.
        program: &'static str,
        /// How the program ended.
        status: ExitStatus,
        /// The end of what the program wrote to stderr.
        last_words: String,
    },
    /// A program made something else than was asked for.
    #[error("{program} made an unusable result: {reason}")]
    UnusableResult {
        /// The program's name.
        program: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A program took longer than it may.
    #[error("{program} was ended after {} s, which is all the time that it has", limit.as_secs())]
    TimedOut {
        /// The program's name.
        program: &'static str,
        /// The time that the program had.
        limit: Duration,
    },
    /// The disk of the work folder is full, or a file became larger than it may.
    #[error("there is no space left in the work folder; free some or choose another folder")]
    OutOfSpace,
    /// A voice outside this crate failed.
    #[error("the voice {voice} failed")]
    Voice {
        /// The voice's name.
        voice: String,
        /// What its server or library said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file can't be read or written, or a program not be started.
    #[error("{what} failed")]
    Io {
        /// What was tried.
        what: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

impl RenderError {
    /// The error of something that was tried; a full disk is told apart.
    pub(crate) fn io(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Self::OutOfSpace,
            _ => Self::Io { what, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_errors() {
        let full = RenderError::io("writing")(io::ErrorKind::StorageFull.into());
        assert!(matches!(full, RenderError::OutOfSpace));
        let other = RenderError::io("writing a picture")(io::ErrorKind::NotFound.into());
        assert_eq!(other.to_string(), "writing a picture failed");
    }
}
