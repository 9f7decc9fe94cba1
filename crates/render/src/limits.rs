//! How much rendering may cost. Each limit stops a way to make a small storyboard do much work.

use std::time::Duration;

/// Scenes of a video.
pub const MOST_SCENES: usize = 200;
/// Characters of a scene's script.
pub const MOST_SCRIPT_CHARACTERS: usize = 10_000;
/// Characters of all scripts of a video.
pub const MOST_VIDEO_CHARACTERS: usize = 100_000;
/// Characters of a scene's display text, its title and the video's title.
pub const MOST_DISPLAY_CHARACTERS: usize = 2_000;
/// The longest silence that a scene may ask for, in seconds.
pub const MOST_SECONDS: f64 = 3_600.0;
/// The longest video, in seconds.
pub const MOST_VIDEO_SECONDS: f64 = 4.0 * 3_600.0;
/// The shortest scene, in seconds.
pub const FEWEST_SECONDS: f64 = 1.0;

/// The longer side of a picture, as a multiple of the shorter.
pub const LONGEST_SIDE: u32 = 2;

/// Pictures in a second of video.
pub const FRAME_RATE: u32 = 25;
/// Samples in a second of sound.
pub const SAMPLE_RATE: u32 = 48_000;
/// Samples of sound for one picture.
pub const SAMPLES_PER_FRAME: u32 = SAMPLE_RATE / FRAME_RATE;

/// Characters that are spoken by one call of a voice; longer sentences are parted.
pub const MOST_SPOKEN_CHARACTERS: usize = 500;
/// The longest speech of one call, in seconds.
pub const MOST_SPEECH_SECONDS: usize = 300;

/// The memory that a child may map, in bytes: 2 GiB. Libraries and stacks of threads take most of it untouched.
pub(crate) const CHILD_MEMORY_BYTES: u64 = 2 << 30;
/// A file that a child may write, in bytes: 4 GiB.
pub(crate) const CHILD_FILE_BYTES: u64 = 4 << 30;
/// What is kept of a child's last words, in bytes.
pub(crate) const LAST_WORDS_BYTES: usize = 4_096;
/// The time that a voice has for a sentence.
pub(crate) const VOICE_TIME: Duration = Duration::from_secs(60);
/// The time that an encoder has beside the length of the video.
pub(crate) const ENCODER_TIME: Duration = Duration::from_secs(120);
