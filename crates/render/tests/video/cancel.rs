//! Dropping a render ends the programs that it runs.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use render::{Espeak, Launcher, Programs, render_scene};
use tokio::time::timeout;

use super::{board, scene};

/// Waits until something is so, without a fixed time.
async fn until(mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), waiting).await.expect("it is so in time");
}

/// Whether a process is there and not a zombie.
fn is_alive(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

fn endless_programs(folder: &Path) -> Programs {
    for name in ["ffmpeg", "espeak-ng"] {
        let path = folder.join(name);
        std::fs::write(&path, "#!/bin/sh\necho $$ > process.new; mv process.new process; exec sleep 1000\n")
            .expect("the folder takes files");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
    }
    std::os::unix::fs::symlink("/bin/sleep", folder.join("sleep")).expect("the folder takes links");
    Programs::find(folder.as_os_str(), Launcher::direct()).expect("both programs are there")
}

#[tokio::test]
async fn a_dropped_render_ends_its_children() {
    for script in ["", "Hello."] {
        let folder = tempfile::tempdir().unwrap();
        let programs = endless_programs(folder.path());
        let work_dir = folder.path().join("work");
        std::fs::create_dir(&work_dir).unwrap();
        let story = board("en", vec![scene(script, "Hello", 1.0)]);
        // espeak-ng runs in the folder for temporary files, ffmpeg in the work folder.
        let marks = [work_dir.join("process"), work_dir.join("scene-0001.parts/process")];
        let voice = Espeak::new(programs.clone());
        let mut render = Box::pin(render_scene(&programs, &voice, &story, 0, &work_dir));
        let mut process = String::new();
        tokio::select! {
            ended = &mut render => panic!("the render ended: {ended:?}"),
            () = until(|| {
                process = marks.iter().find_map(|mark| std::fs::read_to_string(mark).ok()).unwrap_or_default().trim().to_owned();
                !process.is_empty()
            }) => {}
        }
        assert!(is_alive(&process));
        drop(render);
        until(|| !is_alive(&process)).await;
        assert!(!work_dir.join("scene-0001.json").exists());
    }
}
