//! Courses as Common Cartridges: 1.3 out; 1.0, 1.1, 1.2 and 1.3 in.
//!
//! How a course is held:
//!
//! | here | there |
//! |---|---|
//! | title, description, language, level | LOM metadata in the manifest |
//! | entries in order | items of the one organization |
//! | module | a page (`webcontent`), the same as a standalone one ([`crate::page`]) |
//! | link | a web link |
//! | test | a QTI 1.2 assessment in the cartridge's profile |
//! | what that profile has no place for | `lectern.xml` beside the assessment ([`extension`]), which others ignore |
//!
//! The profile knows six kinds of questions and asks that each have its form, so a `select` with two
//! options and one key goes out as one with several, and what has no form at all as an essay.
//! [`extension`] says what it was.

pub(crate) mod extension;
pub(crate) mod read;

pub(crate) mod write;

/// The namespace of assessments, in all versions of the cartridge.
const ASSESSMENT_NAMESPACE: &str = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2";
/// The only response that a question has.
const RESPONSE: &str = "response1";
/// The feedback that is always shown.
const GENERAL_FEEDBACK: &str = "general_fb";
/// The feedback that shows a model answer.
const SOLUTION: &str = "solution";
