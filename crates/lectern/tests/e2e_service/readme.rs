//! The README, as a reader follows it: every block of `sh` is run, in order, with nothing changed but what is said here.

use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const README: &str = include_str!("../../../../README.md");

/// The program is built already. A block that serves goes on in the background, as in another terminal, until the next
/// one does.
const PREPARATION: &str = r#"
set -euo pipefail
cargo() { :; }
server=
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
await() { for _ in $(seq 600); do if eval "$1"; then return; fi; sleep 0.1; done; echo "in vain: $1" >&2; exit 1; }
end_server() { if [ -n "$server" ]; then kill -INT "$server"; wait "$server"; fi; }
"#;

/// What the reader sees in the end.
const CHECKS: &str = r#"
[ "$(wc -w <<<"$PAGES")" = 3 ]
for page in $PAGES; do
    curl -fsS "$page" >page.html
    grep -q '<h1' page.html
done
jq -e '.version == 2 and .score == 8' <<<"$(platform "$EVALUATIONS/$EVALUATION")" >/dev/null
for package in biology-7.imscc cells.zip; do python3 -m zipfile -t "$package" >/dev/null; done
grep -q '<h1' cells.html
await '[ "$(grep -c "genuine: webhook.test" shown)" = 2 ]'
if grep -q '"error": {' shown; then exit 1; fi
"#;

fn blocks() -> Vec<&'static str> {
    README.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string()
}

fn script() -> String {
    let mut script = PREPARATION.to_owned();
    for block in blocks() {
        if block.contains("lectern serve") {
            let served = block.replace("lectern serve", "exec lectern serve");
            write!(
                script,
                "end_server\n({served}) >served 2>log &\nserver=$!\nawait 'grep -q \"is ready on\" served'\n"
            )
        } else {
            write!(script, "{block}")
        }
        .unwrap();
    }
    script.push_str(CHECKS);
    script.replace("9000", &free_port()).replace("9001", &free_port())
}

#[test]
fn the_readme_can_be_followed_to_the_letter() {
    assert!(blocks().len() >= 8, "the blocks are fenced as sh");
    let folder = TempDir::new().unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    std::os::unix::fs::symlink(repository.join("examples"), folder.path().join("examples")).unwrap();
    std::fs::write(folder.path().join("script"), script()).unwrap();
    let mut path: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
    path.insert(0, Path::new(env!("CARGO_BIN_EXE_lectern")).parent().unwrap().to_owned());
    let shown = std::fs::File::create(folder.path().join("shown")).unwrap();
    let output = Command::new("timeout")
        .args(["120", "bash", "script"])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("HOME", folder.path())
        .env("LECTERN_LISTEN", format!("127.0.0.1:{}", free_port()))
        .stdout(shown)
        .output()
        .unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let faults = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{faults}\n{}\n{}", read("shown"), read("served"));
}
