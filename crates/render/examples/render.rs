//! Renders a storyboard: `cargo run -p render --example render -- board.json OUT_DIR [--1080] [--burn] [--pictures]`.
//!
//! Prints how long the render took beside the length of the video, the memory that it took, and the files. With
//! `--pictures` only a picture of each scene is drawn.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use render::{Espeak, Launcher, Programs, Resolution, Storyboard, Video};

/// The hidden command by which the example starts itself as a child.
const CHILD: &str = "render-child";

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.first().is_some_and(|first| first == CHILD) {
        return Err(render::sandbox::run(arguments.into_iter().skip(1)).into());
    }
    let (options, paths): (Vec<_>, Vec<_>) =
        arguments.into_iter().partition(|argument| argument.to_string_lossy().starts_with("--"));
    let has = |name: &str| options.iter().any(|option| option == name);
    let [board, out_dir] = paths.as_slice() else {
        return Err("usage: render board.json OUT_DIR [--1080] [--burn] [--pictures]".into());
    };
    let mut board: Storyboard = serde_json::from_slice(&std::fs::read(board)?)?;
    if has("--1080") {
        board.resolution = Resolution::FullHd;
    }
    board.burns_captions |= has("--burn");
    let out_dir = PathBuf::from(out_dir);
    std::fs::create_dir_all(&out_dir)?;
    if has("--pictures") {
        return pictures(&board, &out_dir);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(video(&board, &out_dir))
}

fn pictures(board: &Storyboard, out_dir: &Path) -> Result<(), Failure> {
    for index in 0..board.scenes.len() {
        let begin = Instant::now();
        std::fs::write(out_dir.join(format!("{:02}.png", index + 1)), render::draw(board, index)?)?;
        writeln!(
            io::stdout(),
            "scene {}: {:?} in {} ms",
            index + 1,
            render::layout::Layout::of(board, index),
            begin.elapsed().as_millis()
        )?;
    }
    Ok(())
}

async fn video(board: &Storyboard, out_dir: &Path) -> Result<(), Failure> {
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let launcher = Launcher::sandboxed(std::env::current_exe()?, vec![CHILD.into()]);
    let programs = Programs::find(&search_path, launcher)?;
    let begin = Instant::now();
    let (largest_child, made) = watching(make(&programs, board, out_dir)).await;
    let video = made?;
    std::fs::write(out_dir.join("captions.vtt"), &video.webvtt)?;
    std::fs::write(out_dir.join("transcript.txt"), &video.transcript)?;
    writeln!(io::stdout(), "largest child: VmHWM: {largest_child} kB")?;
    report(&video, begin.elapsed().as_secs_f64())
}

async fn make(programs: &Programs, board: &Storyboard, out_dir: &Path) -> Result<Video, Failure> {
    let voice = Espeak::new(programs.clone());
    let mut scenes = Vec::new();
    for index in 0..board.scenes.len() {
        let scene_begin = Instant::now();
        let scene = render::render_scene(programs, &voice, board, index, out_dir).await?;
        let (length, taken) = (scene.duration_ms(), scene_begin.elapsed().as_millis());
        writeln!(io::stdout(), "scene {} of {}: {length} ms in {taken} ms", index + 1, board.scenes.len())?;
        scenes.push(scene);
    }
    Ok(render::assemble(programs, board, &scenes, out_dir).await?)
}

/// What a work makes, and the most memory that one of this process's children took meanwhile, in kB.
async fn watching<T>(work: impl Future<Output = T>) -> (u64, T) {
    let mut work = std::pin::pin!(work);
    let mut ticks = tokio::time::interval(std::time::Duration::from_millis(20));
    let mut largest = 0;
    loop {
        tokio::select! {
            made = &mut work => return (largest, made),
            _ = ticks.tick() => largest = largest.max(children_memory()),
        }
    }
}

/// The peak memory of the largest child, in kB.
fn children_memory() -> u64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<String> =
        children.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    let peak = |child: &String| {
        let status = std::fs::read_to_string(format!("/proc/{child}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok()
    };
    children.iter().filter_map(peak).max().unwrap_or_default()
}

#[expect(clippy::cast_precision_loss, reason = "lengths of videos")]
fn report(video: &Video, taken: f64) -> Result<(), Failure> {
    let length = video.duration_ms as f64 / 1000.0;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown");
    let bytes = std::fs::metadata(&video.mp4)?.len();
    writeln!(
        io::stdout(),
        "{}x{}, {length:.2} s of video in {taken:.2} s: {:.2} of real time",
        video.width,
        video.height,
        taken / length
    )?;
    writeln!(io::stdout(), "this process: {memory}")?;
    writeln!(
        io::stdout(),
        "{}: {} kB, {:.0} kbit/s",
        video.mp4.display(),
        bytes / 1000,
        bytes as f64 * 8.0 / 1000.0 / length
    )?;
    Ok(())
}
