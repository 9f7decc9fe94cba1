//! What a video is made of: its scenes, its language and its size.
//!
//! [`Storyboard::check`] stands at the door of every operation: what passes is small enough to render.

use language::script;
use serde::{Deserialize, Serialize};

use crate::error::RenderError;
use crate::formula::readable;
use crate::layout::Layout;
use crate::limits::{
    LONGEST_SIDE, MOST_DISPLAY_CHARACTERS, MOST_SCENES, MOST_SCRIPT_CHARACTERS, MOST_SECONDS, MOST_VIDEO_CHARACTERS,
    MOST_VIDEO_SECONDS,
};

/// Characters of a chapter's title.
const LONGEST_CHAPTER: usize = 80;

/// A video as its author planned it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Storyboard {
    /// What the video is called.
    pub title: String,
    /// The language of all texts, as a BCP 47 tag.
    pub language: String,
    /// Width and height as a proportion, such as 16 and 9. Longer than 2 to 1 is drawn as 2 to 1.
    #[serde(default = "widescreen")]
    pub aspect_ratio: (u32, u32),
    /// How many pixels a picture has.
    #[serde(default)]
    pub resolution: Resolution,
    /// Whether captions are drawn into the picture.
    #[serde(default)]
    pub burns_captions: bool,
    /// The scenes in order.
    pub scenes: Vec<Scene>,
}

/// One card with what is said while it is seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// What is said. A scene without a script is silent.
    #[serde(default)]
    pub script: String,
    /// What is seen. [`crate::layout`] says how.
    pub display_text: String,
    /// How long the scene lasts at least, in seconds.
    #[serde(default)]
    pub seconds: f64,
    /// What the scene is called: its chapter and its heading.
    #[serde(default)]
    pub title: Option<String>,
}

/// The shorter side of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Resolution {
    /// 360 pixels, for a picture beside a text.
    #[serde(rename = "360p")]
    Small,
    /// 720 pixels.
    #[default]
    #[serde(rename = "720p")]
    Hd,
    /// 1080 pixels.
    #[serde(rename = "1080p")]
    FullHd,
}

impl Resolution {
    /// The shorter side in pixels.
    #[must_use]
    pub const fn shorter_side(self) -> u32 {
        match self {
            Self::Small => 360,
            Self::Hd => 720,
            Self::FullHd => 1080,
        }
    }
}

const fn widescreen() -> (u32, u32) {
    (16, 9)
}

impl Storyboard {
    /// Width and height of its pictures in pixels; both are even, as H.264 needs.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        let short = self.resolution.shorter_side();
        let (width, height) = (u64::from(self.aspect_ratio.0.max(1)), u64::from(self.aspect_ratio.1.max(1)));
        let long = u64::from(short) * width.max(height) / width.min(height);
        let long = u32::try_from(long).unwrap_or(u32::MAX).min(LONGEST_SIDE * short).next_multiple_of(2);
        if width >= height { (long, short) } else { (short, long) }
    }

    /// Whether its language is written from right to left.
    #[must_use]
    pub fn is_rtl(&self) -> bool {
        script::direction(&self.language) == "rtl"
    }

    /// Whether it can be rendered: it has scenes, and each is of a size that is.
    ///
    /// # Errors
    /// Says which part is too large or missing.
    pub fn check(&self) -> Result<(), RenderError> {
        if self.scenes.is_empty() {
            return Err(RenderError::NoScenes);
        }
        at_most("the video (in scenes)", self.scenes.len(), MOST_SCENES)?;
        at_most("the video's title (in characters)", characters(&self.title), MOST_DISPLAY_CHARACTERS)?;
        for (index, scene) in self.scenes.iter().enumerate() {
            scene.check(index)?;
        }
        let spoken = self.scenes.iter().map(|scene| characters(&scene.script)).sum();
        at_most("all scripts (in characters)", spoken, MOST_VIDEO_CHARACTERS)?;
        let seconds: f64 = self.scenes.iter().map(|scene| scene.seconds).sum();
        if seconds > MOST_VIDEO_SECONDS {
            return Err(RenderError::Seconds { index: self.scenes.len() - 1, seconds });
        }
        Ok(())
    }

    /// The scene of an index.
    pub(crate) fn scene(&self, index: usize) -> Result<&Scene, RenderError> {
        self.scenes.get(index).ok_or(RenderError::NoSuchScene { index, scenes: self.scenes.len() })
    }

    /// What a scene is called: by its author, else by what is seen of it.
    pub(crate) fn scene_title(&self, index: usize) -> String {
        let Some(scene) = self.scenes.get(index) else { return String::new() };
        let named = scene.title.as_deref().map(crate::text::clean).filter(|title| !title.is_empty());
        let title = named.unwrap_or_else(|| readable(&Layout::of(self, index).heading()));
        if title.is_empty() { format!("{}", index + 1) } else { shortened(&title) }
    }
}

impl Scene {
    fn check(&self, index: usize) -> Result<(), RenderError> {
        at_most("a script (in characters)", characters(&self.script), MOST_SCRIPT_CHARACTERS)?;
        at_most("a display text (in characters)", characters(&self.display_text), MOST_DISPLAY_CHARACTERS)?;
        let title = self.title.as_deref().unwrap_or_default();
        at_most("a scene's title (in characters)", characters(title), MOST_DISPLAY_CHARACTERS)?;
        if !(0.0..=MOST_SECONDS).contains(&self.seconds) {
            return Err(RenderError::Seconds { index, seconds: self.seconds });
        }
        Ok(())
    }
}

/// The begin of a title that no menu of chapters has room for.
fn shortened(title: &str) -> String {
    let Some((limit, _)) = title.char_indices().nth(LONGEST_CHAPTER) else { return title.to_owned() };
    let end = title[..limit].rfind(' ').filter(|end| *end > limit / 2).unwrap_or(limit);
    format!("{}…", title[..end].trim_end())
}

fn characters(text: &str) -> usize {
    text.chars().count()
}

fn at_most(part: &'static str, actual: usize, limit: usize) -> Result<(), RenderError> {
    if actual > limit { Err(RenderError::TooLarge { part, actual, limit }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(aspect_ratio: (u32, u32), resolution: Resolution) -> Storyboard {
        let scene = Scene { script: "Hello.".into(), display_text: "Hello".into(), seconds: 2.0, title: None };
        let (title, language) = ("Greetings".to_owned(), "en".to_owned());
        Storyboard { title, language, aspect_ratio, resolution, burns_captions: false, scenes: vec![scene] }
    }

    #[test]
    fn sizes_are_even_and_bounded() {
        assert_eq!(board((16, 9), Resolution::Hd).size(), (1280, 720));
        assert_eq!(board((16, 9), Resolution::FullHd).size(), (1920, 1080));
        assert_eq!(board((9, 16), Resolution::Hd).size(), (720, 1280));
        assert_eq!(board((1, 1), Resolution::Hd).size(), (720, 720));
        assert_eq!(board((4, 3), Resolution::Hd).size(), (960, 720));
        assert_eq!(board((1, 100), Resolution::Hd).size(), (720, 1440));
        assert_eq!(board((u32::MAX, 1), Resolution::FullHd).size(), (2160, 1080));
        assert_eq!(board((0, 0), Resolution::Hd).size(), (720, 720));
        assert_eq!(board((853, 480), Resolution::Hd).size().0 % 2, 0);
    }

    #[test]
    fn titles_of_chapters_are_short() {
        let mut board = board((16, 9), Resolution::Hd);
        assert_eq!(board.scene_title(0), "Hello");
        board.scenes[0].title = Some("many words ".repeat(40));
        assert_eq!(board.scene_title(0).chars().count(), 77);
        assert!(board.scene_title(0).ends_with("many words…"));
        board.scenes[0].title = Some("植".repeat(500));
        assert_eq!(board.scene_title(0).chars().count(), 81);
        board.scenes[0].title = None;
        board.scenes[0].display_text = r"$\frac{a}{b}$".into();
        assert_eq!(board.scene_title(0), "a/b");
        assert_eq!(board.scene_title(7), "");
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let base = board((16, 9), Resolution::Hd);
        assert!(base.check().is_ok());
        let with = |change: fn(&mut Storyboard)| {
            let mut changed = base.clone();
            change(&mut changed);
            changed.check()
        };
        assert!(matches!(with(|board| board.scenes.clear()), Err(RenderError::NoScenes)));
        let long = with(|board| board.scenes[0].script = "a".repeat(1_000_000)).unwrap_err();
        assert_eq!(
            long.to_string(),
            "the storyboard is too large: a script (in characters) has 1000000, and at most 10000 are rendered"
        );
        assert!(with(|board| board.scenes[0].display_text = "a".repeat(2_001)).is_err());
        assert!(with(|board| board.scenes = vec![board.scenes[0].clone(); 201]).is_err());
        for seconds in [f64::NAN, f64::INFINITY, -1.0, 3_601.0] {
            let mut changed = base.clone();
            changed.scenes[0].seconds = seconds;
            assert!(matches!(changed.check(), Err(RenderError::Seconds { index: 0, .. })), "{seconds}");
        }
        assert!(with(|board| board.scenes[0].seconds = 3_600.0).is_ok());
        assert!(
            with(|board| {
                board.scenes[0].seconds = 3_600.0;
                board.scenes = vec![board.scenes[0].clone(); 5];
            })
            .is_err()
        );
    }
}
