//! Whole renders with the real programs, in the sandbox. The programs are part of what is tested: without them, tests fail.

mod agreement;
mod cancel;
mod hostile;
mod resume;
mod voices;
mod whole;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use render::{
    Espeak, Launcher, Programs, RenderedScene, Resolution, Scene, Storyboard, Video, Voice, assemble, render_scene,
};

/// The programs of this machine, in the sandbox.
fn programs() -> Programs {
    let launcher = Launcher::sandboxed(PathBuf::from(env!("CARGO_BIN_EXE_render-child")), Vec::new());
    Programs::find(OsStr::new("/usr/local/bin:/usr/bin:/bin"), launcher).expect("ffmpeg and espeak-ng are installed")
}

fn scene(script: &str, display_text: &str, seconds: f64) -> Scene {
    Scene { script: script.to_owned(), display_text: display_text.to_owned(), seconds, title: None }
}

fn board(language: &str, scenes: Vec<Scene>) -> Storyboard {
    Storyboard {
        title: "Green plants".to_owned(),
        language: language.to_owned(),
        aspect_ratio: (16, 9),
        resolution: Resolution::Hd,
        burns_captions: false,
        scenes,
    }
}

async fn render_all(voice: &dyn Voice, board: &Storyboard, work_dir: &Path) -> Vec<RenderedScene> {
    let mut scenes = Vec::new();
    for index in 0..board.scenes.len() {
        scenes.push(render_scene(&programs(), voice, board, index, work_dir).await.expect("the scene is rendered"));
    }
    scenes
}

/// Renders a storyboard with espeak-ng.
async fn video(board: &Storyboard, work_dir: &Path) -> Video {
    let scenes = render_all(&Espeak::new(programs()), board, work_dir).await;
    assemble(&programs(), board, &scenes, work_dir).await.expect("the video is made")
}

/// What a program of the machine writes to stdout.
fn output(program: &str, arguments: &[&str], file: &Path, more: &[&str]) -> Vec<u8> {
    let output = Command::new(program).args(arguments).arg(file).args(more).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}
