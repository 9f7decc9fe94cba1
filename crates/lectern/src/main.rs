//! The binary. Everything is in the library.

use std::process::ExitCode;

/// Returns freed memory to the system from a thread of its own: others do so only when a thread frees something more,
/// and a service that was busy and is not any longer would keep it.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    lectern::run()
}
