//! One test body, two tests.

use std::panic::{AssertUnwindSafe, resume_unwind};

use crate::test_store::{Engine, TestStore};

/// Makes a module with a `sqlite` and a `postgres` test of each function. The functions take a
/// [`TestStore`]; they run on a multi-threaded runtime, and the database goes when they end.
///
/// ```
/// testkit::both_stores! {
///     async fn a_new_database_answers(test: testkit::TestStore) {
///         test.store.ping().await.unwrap();
///     }
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! both_stores {
    ($($(#[$attribute:meta])* async fn $name:ident($($store:ident)+ : $type:ty) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn body($($store)+: $type) $body

            $(#[$attribute])*
            #[test]
            fn sqlite() {
                $crate::run($crate::Engine::Sqlite, body);
            }

            $(#[$attribute])*
            #[test]
            fn postgres() {
                $crate::run($crate::Engine::Postgres, body);
            }
        }
    )*};
}

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
