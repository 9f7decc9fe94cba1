//! Files that customers send along: where they are kept, what they are, and what can be read in them.
//!
//! A file is judged by its bytes, never by its name or by what its sender says it is. Whatever it takes a parser to read
//! is read in a child process of its own, within limits: a crafted file may end that process and nothing else.
//! There is no HTTP and no SQL here. Where to read next: [`Incoming`] is the judgement of a file, [`storage`] keeps its
//! bytes, [`text`] reads them, [`signed`] makes the links that they are fetched by.

mod incoming;
pub mod kind;
pub mod name;
pub mod signed;
pub mod storage;
pub mod text;

pub use incoming::{Incoming, MAX_FILE_BYTES, TooLarge};
pub use kind::Kind;
pub use storage::{FileKey, FileStore, RenderingKey, StorageError};
pub use text::{Extracted, Extractor, FileText, Unread};
