//! The macros of `store`; use them from there.

mod record;
mod sql;
mod words;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct a `store::Record`: its fields are columns of a table. From the one list come the columns to select, the
/// reading of a row, and `insert`, on both engines. With a key it is a `store::KeyedRecord` too, which has `update`.
///
/// The struct names its table: `#[record(table = "module")]`. A field is the column of its name, unless it says:
///
/// | `#[column(…)]` | meaning |
/// |---|---|
/// | `name = "type"` | the column has another name |
/// | `json` | the value is stored as JSON text |
/// | `columns("error_code", "error_message")` | a `Group`: it has these columns. An `Option` of one is absent where the first is null |
/// | `unread` | it is written; rows are read without it, with `Default` in its place |
/// | `group` | in a struct without a table: a `Group`, with its columns |
/// | `skip` | no column; `Default` when a row is read |
/// | `long = "''"` | a list of summaries reads this SQL in its place |
/// | `key` | `update` finds the row by it |
/// | `fixed` | `update` leaves it alone |
/// | `update = "version + 1"` | `update` sets it to this SQL |
/// | `now` | `insert` and `update` set it to the time of their transaction; with `fixed`, only `insert` does |
///
/// ```
/// #[derive(store::Record)]
/// #[record(table = "door")]
/// struct Door {
///     #[column(key)]
///     id: i64,
///     #[column(name = "type")]
///     kind: String,
/// }
///
/// assert_eq!(<Door as store::Record>::COLUMNS, "id, type");
/// ```
///
/// Without a table it is a `store::Group`: columns of another record's table, or of a join or an aggregate. The order of its
/// fields is the order of the columns.
///
/// What can't be a row does not compile: fields without names, an option that nobody knows, a group of another size, and
/// what is left alone by an update that finds no row.
///
/// ```compile_fail
/// #[derive(store::Record)]
/// #[record(table = "door")]
/// struct Door(i64);
/// ```
///
/// ```compile_fail
/// #[derive(store::Record)]
/// #[record(table = "door")]
/// struct Door {
///     #[column(nmae = "type")]
///     kind: String,
/// }
/// ```
///
/// ```compile_fail,E0080
/// #[derive(store::Record)]
/// struct Failure {
///     code: String,
///     message: String,
/// }
///
/// #[derive(store::Record)]
/// #[record(table = "door")]
/// struct Door {
///     #[column(columns("error_code"))]
///     error: Option<Failure>,
/// }
///
/// fn read(row: &store::Row<'_>) -> Door {
///     <Door as store::Record>::from_row(row).unwrap()
/// }
/// ```
///
/// ```compile_fail
/// #[derive(store::Record)]
/// struct Size {
///     #[column(unread)]
///     width: i64,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(store::Record)]
/// #[record(table = "door")]
/// struct Door {
///     #[column(fixed)]
///     kind: String,
/// }
/// ```
///
/// ```compile_fail
/// #[derive(store::Record)]
/// struct Size {
///     width: i64,
///     height: i64,
/// }
///
/// #[derive(store::Record)]
/// #[record(table = "door")]
/// struct Door {
///     #[column(group)]
///     size: Size,
/// }
/// ```
#[proc_macro_derive(Record, attributes(record, column))]
pub fn record(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    record::derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Gives an enum its words, and lets the store read and write it by them. They are the names of the variants in serde's
/// `rename_all`, `snake_case` where it says nothing; `#[serde(rename = "…")]` or `#[word("…")]` give a variant another one. What
/// is no word is an error when a row is read: a fault of the program or of whoever changed the database, never another
/// meaning.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq, store::Words)]
/// enum Door {
///     WideOpen,
///     #[word("closed")]
///     Shut,
/// }
///
/// assert_eq!(Door::WORDS, [("wide_open", Door::WideOpen), ("closed", Door::Shut)]);
/// assert_eq!((Door::from_word("closed"), Door::from_word("shut")), (Some(Door::Shut), None));
/// assert_eq!((Door::ALL[0], Door::WideOpen.as_str()), (Door::WideOpen, "wide_open"));
/// ```
///
/// ```
/// #[derive(Clone, Copy, serde::Serialize, store::Words)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// enum Door {
///     WideOpen,
///     #[serde(rename = "closed")]
///     Shut,
/// }
///
/// for (word, door) in Door::WORDS {
///     assert_eq!(serde_json::json!(door), *word);
/// }
/// ```
///
/// ```compile_fail
/// #[derive(Clone, Copy, store::Words)]
/// enum Door {
///     Open(u8),
/// }
/// ```
///
/// ```compile_fail
/// #[derive(Clone, Copy, serde::Serialize, store::Words)]
/// #[serde(rename_all = "PascalCase")]
/// enum Door {
///     Open,
/// }
/// ```
#[proc_macro_derive(Words, attributes(serde, word))]
pub fn words(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    words::derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// A statement with its parameters where they stand: `{expression}`, as in `format!`. An expression that stands there twice
/// is one parameter. `{Module::*}` are the columns of a `Record`; `Self` has no meaning there. `{const NEWEST}` is the text of
/// a constant, for SQL that several statements share; it has no parameters.
///
/// ```
/// let (id, title) = (7, "The cell");
/// let statement = store::sql!("UPDATE module SET title = {title}, slug = {title} WHERE id = {id}");
/// assert_eq!(statement.sql, "UPDATE module SET title = $1, slug = $1 WHERE id = $2");
///
/// const NEWEST: &str = "ORDER BY id DESC LIMIT 1";
/// let statement = store::sql!("SELECT id FROM module WHERE title = {title} {const NEWEST}");
/// assert_eq!(statement.sql, "SELECT id FROM module WHERE title = $1 ORDER BY id DESC LIMIT 1");
/// ```
///
/// Several texts are one statement, so that a macro of the caller can put it together:
///
/// ```
/// let id = 7;
/// macro_rules! by_id {
///     ($table:literal) => {
///         store::sql!("SELECT title FROM " $table " WHERE id = {id}")
///     };
/// }
/// assert_eq!(by_id!("module").sql, "SELECT title FROM module WHERE id = $1");
/// ```
///
/// ```compile_fail
/// store::sql!("SELECT 1 WHERE id = {no such expression}");
/// ```
#[proc_macro]
pub fn sql(input: TokenStream) -> TokenStream {
    let texts = parse_macro_input!(input as sql::Texts);
    sql::expand(&texts).unwrap_or_else(|error| error.to_compile_error()).into()
}
