//! What a child can't do, seen from outside: the sandbox runs a shell.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a script of the shell `sh` or `bash` in the sandbox.
fn run(work_dir: &Path, shell: &str, script: &str) -> Output {
    let limits = ["268435456", "1000000", "5"];
    Command::new(env!("CARGO_BIN_EXE_render-child"))
        .args(limits)
        .arg(work_dir)
        .args([shell, "-c", script])
        .current_dir(work_dir)
        .env_clear()
        .output()
        .expect("the sandbox starts")
}

/// Whether the kernel has what confines files. Where it has not, the same scripts show what a child can do, which `doctor` warns of.
fn is_confined() -> bool {
    render::sandbox::confines_files()
}

#[test]
fn a_child_writes_only_inside_of_the_work_folder() {
    let folder = tempfile::tempdir().unwrap();
    let work_dir = folder.path().join("work");
    std::fs::create_dir(&work_dir).unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "secret").unwrap();
    let ended = run(&work_dir, "/bin/sh", "echo a > inside; cat inside; echo b > ../outside; cat ../secret");
    let read = if is_confined() { "a\n" } else { "a\nsecret" };
    assert_eq!(String::from_utf8_lossy(&ended.stdout), read, "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(work_dir.join("inside").exists());
    assert_eq!(folder.path().join("outside").exists(), !is_confined());
}

#[test]
fn a_child_starts_no_program_of_the_work_folder() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(folder.path(), "/bin/sh", "cp /bin/true mine; chmod +x mine; ./mine && echo started");
    assert_eq!(String::from_utf8_lossy(&ended.stdout), if is_confined() { "" } else { "started\n" });
}

#[test]
fn a_child_opens_no_connection() {
    let folder = tempfile::tempdir().unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected");
    let free = Command::new("/bin/bash").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&free.stdout), "connected\n", "the script connects where nothing stops it");
    let said = if render::sandbox::confines_connections() { "" } else { "connected\n" };
    assert_eq!(String::from_utf8_lossy(&run(folder.path(), "/bin/bash", &script).stdout), said);
}

#[test]
fn memory_time_and_files_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let large = run(folder.path(), "/bin/sh", "head -c 3000000 /dev/zero > large");
    assert!(!large.status.success() && std::fs::metadata(folder.path().join("large")).unwrap().len() <= 1_000_000);
    let limits = run(folder.path(), "/bin/bash", "ulimit -v; ulimit -t; ulimit -c; ulimit -n");
    assert_eq!(String::from_utf8_lossy(&limits.stdout), "262144\n5\n0\n256\n");
}

#[test]
fn arguments_that_are_none_are_refused() {
    for arguments in [&[][..], &["1"], &["a", "b", "c", "/tmp", "/bin/true"]] {
        let ended = Command::new(env!("CARGO_BIN_EXE_render-child")).args(arguments).output().unwrap();
        assert!(!ended.status.success() && String::from_utf8_lossy(&ended.stderr).starts_with("the sandbox has no"));
    }
}
