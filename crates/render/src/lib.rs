//! Videos: the scenes of a storyboard become an MP4 file with H.264 pictures and AAC sound.
//!
//! A scene is drawn as a designed card, spoken sentence by sentence, and encoded by itself, so that an ended render goes on
//! with the next scene. Times of captions come from counts of samples, never from estimates. The crate has no store and no
//! network; it writes only into the work folder that it is given, and the programs that it runs may do no more.
//!
//! Start at [`Storyboard`], then [`render_scene`] and [`assemble`]. [`layout`] decides how a scene looks, [`Voice`] is what
//! speaks, [`sandbox`] is the child's side of [`Launcher`].

mod assembly;
mod captions;
mod error;
mod fonts;
mod formula;
pub mod layout;
pub mod limits;
mod picture;
mod programs;
pub mod sandbox;
mod scene;
mod sound;
mod storyboard;
mod text;

pub use assembly::{Chapter, Video, assemble};
pub use captions::Cue;
pub use error::RenderError;
pub use programs::{Launcher, MissingPrograms, Programs};
pub use scene::{RenderedScene, draw, render_scene};
pub use sound::{Espeak, Speech, Voice, WavError};
pub use storyboard::{Resolution, Scene, Storyboard};
