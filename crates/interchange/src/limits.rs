//! How much an import takes on. Each limit stops a way to make a small upload do much work.

/// An uploaded package, in bytes: 20 MiB.
pub const MAX_PACKAGE_BYTES: usize = 20 << 20;
/// What all files of a package may expand to, in bytes: 100 MiB.
pub const MAX_EXPANDED_BYTES: u64 = 100 << 20;
/// What one file of a package may expand to, in bytes: 20 MiB.
pub const MAX_FILE_BYTES: u64 = 20 << 20;
/// How many times larger than its compressed form a file of 1 MiB or more may be.
pub const MAX_RATIO: u64 = 200;
/// Files and folders in a package.
pub const MAX_FILES: usize = 2000;
/// A path inside a package, in bytes.
pub const MAX_PATH_BYTES: usize = 512;
/// Folders around a file in a package.
pub const MAX_PATH_DEPTH: usize = 16;

/// An XML or HTML file, in bytes: 4 MiB.
pub const MAX_DOCUMENT_BYTES: usize = 4 << 20;
/// Elements inside each other in an XML file.
pub const MAX_XML_DEPTH: usize = 100;
/// Elements in an XML file.
pub const MAX_XML_ELEMENTS: usize = 200_000;
/// A start tag with its attributes, in bytes: 64 KiB.
pub const MAX_TAG_BYTES: usize = 64 << 10;
/// Attributes of an XML element.
pub const MAX_XML_ATTRIBUTES: usize = 64;

/// HTML elements inside each other.
pub const MAX_HTML_DEPTH: usize = 200;

/// Elements in a manifest: far more than [`MAX_FILES`] need.
pub const MAX_MANIFEST_ELEMENTS: usize = 20_000;
/// Questions in all tests of a package.
pub const MAX_ITEMS: usize = 5000;
/// Options, or answers, of a question.
pub const MAX_OPTIONS: usize = 1000;
/// Findings in a report; the rest is counted.
pub const MAX_FINDINGS: usize = 1000;
