//! How much reading a file may cost. Each limit stops a way to make a small file do much work.

use std::time::Duration;

/// The text that is kept of a file, in characters; the rest is counted.
pub const MOST_CHARACTERS: usize = 200_000;

/// The memory that a child may map, in bytes: 512 MiB.
pub(super) const MEMORY_BYTES: u64 = 512 << 20;
/// The processor time of a child.
pub(super) const CPU_TIME: Duration = Duration::from_secs(10);
/// The time that a child has in all, on a machine that has more to do.
pub(super) const WALL_TIME: Duration = Duration::from_secs(30);
/// What a child may answer, in bytes: its text, each character of which takes four bytes at most, or six when escaped.
pub(super) const ANSWER_BYTES: u64 = 6 * MOST_CHARACTERS as u64 + 1024;
/// What is looked at of a child's last words, in bytes.
pub(super) const LAST_WORDS_BYTES: u64 = 4096;
/// The stack that readers run on: lists in lists and pages in pages.
pub(super) const STACK_BYTES: usize = 64 << 20;

/// What one part of a document may expand to, in bytes: 64 MiB.
pub(super) const PART_BYTES: usize = 64 << 20;
/// What all parts that are read of a document may expand to, in bytes: 256 MiB.
pub(super) const DOCUMENT_BYTES: usize = 256 << 20;
/// Drawing operations of all pages of a PDF.
pub(super) const PDF_OPERATIONS: usize = 2_000_000;
/// Drawings inside each other in a PDF.
pub(super) const PDF_FORM_DEPTH: usize = 12;
/// Parts of an archive.
pub(super) const ARCHIVE_PARTS: usize = 10_000;
/// Elements inside each other in a part of a document.
pub(super) const XML_DEPTH: usize = 1_000;
