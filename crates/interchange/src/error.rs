//! Why an upload is not imported at all: each reason a sentence for the customer.

use crate::limits::{
    MAX_DOCUMENT_BYTES, MAX_EXPANDED_BYTES, MAX_FILE_BYTES, MAX_FILES, MAX_HTML_DEPTH, MAX_ITEMS, MAX_PACKAGE_BYTES,
    MAX_RATIO, MAX_XML_DEPTH,
};
use crate::report::Report;

/// Why an upload is not imported. `Display` is a sentence for the customer; names of files in it are
/// cut and hold no control characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// More than [`MAX_PACKAGE_BYTES`].
    #[error("The package is larger than {} MiB.", MAX_PACKAGE_BYTES >> 20)]
    PackageTooLarge,
    /// Neither a ZIP archive nor an HTML page.
    #[error("This is neither a package (a ZIP archive) nor an HTML page.")]
    NotAPackage,
    /// Cut off, or its checksums don't fit.
    #[error("The package is damaged or incomplete.")]
    Damaged,
    /// Files of the archive share bytes.
    #[error("The package is damaged: its files overlap.")]
    Overlapping,
    /// Encrypted.
    #[error("“{file}” is encrypted. Packages with a password can't be imported.")]
    Encrypted {
        /// In the package.
        file: String,
    },
    /// Neither stored nor deflated.
    #[error("“{file}” is compressed in a way that packages must not use.")]
    Compression {
        /// In the package.
        file: String,
    },
    /// More than [`MAX_FILES`].
    #[error("The package has more than {MAX_FILES} files.")]
    TooManyFiles,
    /// More than [`MAX_FILE_BYTES`], or an XML or HTML file with more than [`MAX_DOCUMENT_BYTES`].
    #[error(
        "“{file}” is too large: a file may have {} MiB, a page or an XML file {} MiB.",
        MAX_FILE_BYTES >> 20,
        MAX_DOCUMENT_BYTES >> 20
    )]
    FileTooLarge {
        /// In the package.
        file: String,
    },
    /// More than [`MAX_EXPANDED_BYTES`].
    #[error("The package expands to more than {} MiB.", MAX_EXPANDED_BYTES >> 20)]
    ExpandsTooMuch,
    /// Compressed more than [`MAX_RATIO`] times.
    #[error("“{file}” expands to more than {MAX_RATIO} times its size.")]
    Ratio {
        /// In the package.
        file: String,
    },
    /// Absolute, with a drive letter or a backslash, leading upwards, too long or too deep.
    #[error("The package has a file with an unsafe path: “{file}”.")]
    UnsafePath {
        /// As the package names it.
        file: String,
    },
    /// A link or a device.
    #[error("“{file}” is a link or a device, not a file.")]
    SpecialFile {
        /// In the package.
        file: String,
    },
    /// The same path twice.
    #[error("The package has two files of the same name.")]
    DuplicateFile,
    /// No `imsmanifest.xml`.
    #[error("The package has no imsmanifest.xml, so it is no QTI package and no Common Cartridge.")]
    NoManifest,
    /// The manifest names a file outside the package.
    #[error("“{file}” refers to “{target}”, which is outside the package.")]
    PointsOutside {
        /// The file that refers.
        file: String,
        /// What it refers to.
        target: String,
    },
    /// A document type declaration: entities could be defined in it.
    #[error("“{file}” has a document type declaration (DOCTYPE). For safety such files are not read.")]
    DocumentType {
        /// In the package.
        file: String,
    },
    /// More than [`MAX_XML_DEPTH`] or [`MAX_HTML_DEPTH`].
    #[error("“{file}” is nested too deeply (XML more than {MAX_XML_DEPTH}, HTML more than {MAX_HTML_DEPTH} levels).")]
    TooDeep {
        /// In the package.
        file: String,
    },
    /// Too many elements, or a start tag that is too long.
    #[error("“{file}” has too many elements or attributes.")]
    TooComplex {
        /// In the package.
        file: String,
    },
    /// More than [`MAX_ITEMS`].
    #[error("The package has more than {MAX_ITEMS} questions.")]
    TooManyItems,
    /// Not in the encoding that it declares, or in one that is not read.
    #[error("“{file}” is not in a readable character encoding. Use UTF-8.")]
    Encoding {
        /// In the package.
        file: String,
    },
    /// A NUL character.
    #[error("“{file}” has NUL characters in it.")]
    Nul {
        /// In the package.
        file: String,
    },
    /// Not well-formed XML.
    #[error("“{file}” is not well-formed XML.")]
    Malformed {
        /// In the package.
        file: String,
    },
    /// Nothing in it could be imported; the report says why.
    #[error("The package holds no test, page or link that could be imported.")]
    Nothing {
        /// What was found and not kept.
        report: Box<Report>,
    },
}

impl ImportError {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::PackageTooLarge => "package-too-large",
            Self::NotAPackage => "not-a-package",
            Self::Damaged => "damaged",
            Self::Overlapping => "overlapping",
            Self::Encrypted { .. } => "encrypted",
            Self::Compression { .. } => "compression",
            Self::TooManyFiles => "too-many-files",
            Self::FileTooLarge { .. } => "file-too-large",
            Self::ExpandsTooMuch => "expands-too-much",
            Self::Ratio { .. } => "ratio",
            Self::UnsafePath { .. } => "unsafe-path",
            Self::SpecialFile { .. } => "special-file",
            Self::DuplicateFile => "duplicate-file",
            Self::NoManifest => "no-manifest",
            Self::PointsOutside { .. } => "points-outside",
            Self::DocumentType { .. } => "document-type",
            Self::TooDeep { .. } => "too-deep",
            Self::TooComplex { .. } => "too-complex",
            Self::TooManyItems => "too-many-items",
            Self::Encoding { .. } => "encoding",
            Self::Nul { .. } => "nul",
            Self::Malformed { .. } => "malformed",
            Self::Nothing { .. } => "nothing",
        }
    }

    /// The file of the package that it is about, where it is about one.
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::Encrypted { file }
            | Self::Compression { file }
            | Self::FileTooLarge { file }
            | Self::Ratio { file }
            | Self::UnsafePath { file }
            | Self::SpecialFile { file }
            | Self::PointsOutside { file, .. }
            | Self::DocumentType { file }
            | Self::TooDeep { file }
            | Self::TooComplex { file }
            | Self::Encoding { file }
            | Self::Nul { file }
            | Self::Malformed { file } => Some(file),
            Self::PackageTooLarge
            | Self::NotAPackage
            | Self::Damaged
            | Self::Overlapping
            | Self::TooManyFiles
            | Self::ExpandsTooMuch
            | Self::DuplicateFile
            | Self::NoManifest
            | Self::TooManyItems
            | Self::Nothing { .. } => None,
        }
    }

    /// Whether one such file may be left out and the rest imported: it is broken, not dangerous.
    pub(crate) fn is_about_one_file(&self) -> bool {
        matches!(self, Self::Encoding { .. } | Self::Nul { .. } | Self::Malformed { .. } | Self::FileTooLarge { .. })
    }
}
