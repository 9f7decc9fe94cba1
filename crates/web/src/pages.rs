//! What a browser is shown: a view for each kind of page, and the template that it fills.
//!
//! A view is data that is ready to be written: texts in the page's language, HTML only as [`Markup`], which comes from the
//! sanitizer. Nothing here reads the store or knows of HTTP; [`crate::routes`] does.

pub(crate) mod course;
pub(crate) mod error;
pub(crate) mod inline;
pub(crate) mod item;
pub(crate) mod landing;
pub(crate) mod launch;
pub(crate) mod module;
pub(crate) mod picking;
pub(crate) mod questions;
pub(crate) mod registration;
pub(crate) mod review;
#[cfg(test)]
mod samples;
pub(crate) mod shell;
pub(crate) mod slides;
pub(crate) mod submission;
pub(crate) mod test;
pub(crate) mod video;

use std::fmt;

use askama::FastWritable;
use askama::filters::HtmlSafe;
use markup::SafeHtml;

/// Sanitized HTML in a template, which leaves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Markup(pub(crate) SafeHtml);

impl Markup {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl HtmlSafe for Markup {}

impl FastWritable for Markup {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn askama::Values) -> askama::Result<()> {
        Ok(dest.write_str(self.0.as_str())?)
    }
}
