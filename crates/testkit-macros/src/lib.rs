//! The attribute of tests that run on both engines; use it as `testkit::both_stores`.
//!
//! An attribute, because rustfmt and editors read what it is attached to. It does what fixtures of test libraries can't:
//! the database is removed by an async teardown after the body has panicked too.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// Makes a `sqlite` and a `postgres` test, in a module of its name, of an async function that takes a `TestStore`. They run
/// on a multi-threaded runtime, and the database goes when they end.
///
/// ```
/// #[testkit::both_stores]
/// async fn a_new_database_answers(test: testkit::TestStore) {
///     test.store.ping().await.unwrap();
/// }
/// ```
///
/// Anything else does not compile:
///
/// ```compile_fail
/// #[testkit::both_stores]
/// fn a_new_database_answers(test: testkit::TestStore) {}
/// ```
///
/// ```compile_fail
/// #[testkit::both_stores(sqlite)]
/// async fn a_new_database_answers(test: testkit::TestStore) {}
/// ```
#[proc_macro_attribute]
pub fn both_stores(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let test = if arguments.is_empty() { AsyncTest::read(item) } else { None };
    match test {
        Some(test) => test.expand(),
        None => code("::core::compile_error!{\"wanted: #[both_stores] async fn name(test: TestStore) { … }\"}"),
    }
}

/// `#[…] async fn name(…) { … }`, in its parts.
struct AsyncTest {
    attributes: TokenStream,
    name: Ident,
    parameters: Group,
    body: Group,
}

impl AsyncTest {
    fn read(item: TokenStream) -> Option<Self> {
        let tokens: Vec<TokenTree> = item.into_iter().collect();
        let (attributes, function) = tokens.split_at(tokens.len().checked_sub(5)?);
        let [
            TokenTree::Ident(is_async),
            TokenTree::Ident(keyword),
            TokenTree::Ident(name),
            TokenTree::Group(parameters),
            TokenTree::Group(body),
        ] = function
        else {
            return None;
        };
        let is_function = is_async.to_string() == "async" && keyword.to_string() == "fn";
        let has_body = parameters.delimiter() == Delimiter::Parenthesis && body.delimiter() == Delimiter::Brace;
        (is_function && has_body).then(|| Self {
            attributes: attributes.iter().cloned().collect(),
            name: name.clone(),
            parameters: parameters.clone(),
            body: body.clone(),
        })
    }

    fn expand(self) -> TokenStream {
        let mut tests = code("use super::*; async fn body");
        tests.extend([TokenTree::Group(self.parameters), TokenTree::Group(self.body)]);
        for (test, engine) in [("sqlite", "Sqlite"), ("postgres", "Postgres")] {
            tests.extend(self.attributes.clone());
            tests
                .extend(code(&format!("#[test] fn {test}() {{ ::testkit::run(::testkit::Engine::{engine}, body); }}")));
        }
        let module = TokenTree::Ident(Ident::new("mod", Span::call_site()));
        [module, TokenTree::Ident(self.name), TokenTree::Group(Group::new(Delimiter::Brace, tests))]
            .into_iter()
            .collect()
    }
}

fn code(text: &str) -> TokenStream {
    text.parse().expect("the text is Rust")
}
