//! The sandbox as a program of its own, for this crate's tests. A service calls [`render::sandbox::run`] itself.

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let error = render::sandbox::run(std::env::args_os().skip(1));
    let _ = writeln!(std::io::stderr(), "{error}");
    ExitCode::FAILURE
}
