//! Where a test of [`crate::both_stores`] runs.

use std::panic::{AssertUnwindSafe, resume_unwind};

use crate::test_store::{Engine, TestStore};

/// Runs `body` on a fresh database of an engine and removes it, also when the body panics.
pub fn run<F>(engine: Engine, body: impl FnOnce(TestStore) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let test = TestStore::new(engine).await;
        let teardown = test.teardown();
        // The body runs in a task: its panic is caught there, and it is spread over threads as in the program.
        let ended = tokio::spawn(AssertUnwindSafe(body(test)).0).await;
        teardown.await;
        if let Err(error) = ended {
            resume_unwind(error.into_panic());
        }
    });
}
