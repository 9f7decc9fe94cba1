//! A formula in some markup as text: the LaTeX that it keeps, else its signs.

use markup::formulas::{self, Part};

/// The encodings of annotations that hold LaTeX.
const TEX: [&str; 6] = ["application/x-tex", "application/x-latex", "text/x-latex", "text/x-tex", "tex", "latex"];

/// Collects a formula, tag by tag.
#[derive(Default)]
pub(super) struct Formula {
    is_display: bool,
    latex: Option<String>,
    /// The LaTeX that is being read.
    annotation: Option<String>,
    /// Elements around that are no part of the formula: annotations of other kinds.
    beside: usize,
    /// Formulas around inside of this one.
    inner: usize,
    signs: String,
}

impl Formula {
    pub(super) fn new(display: Option<&str>) -> Self {
        Self { is_display: display == Some("block"), ..Self::default() }
    }

    pub(super) fn start(&mut self, name: &str, encoding: Option<&str>) {
        let is_tex = |encoding: &str| TEX.contains(&encoding.trim().to_ascii_lowercase().as_str());
        match name {
            "math" => self.inner += 1,
            "annotation" if self.beside == 0 && encoding.is_some_and(is_tex) => self.annotation = Some(String::new()),
            _ => self.beside += usize::from(is_annotation(name)),
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        match &mut self.annotation {
            Some(latex) => latex.push_str(text),
            None if self.beside == 0 => self.signs.push_str(text),
            None => {}
        }
    }

    /// Takes the end of an element; true when it was the formula's own.
    pub(super) fn end(&mut self, name: &str) -> bool {
        match name {
            "math" if self.inner == 0 => return true,
            "math" => self.inner -= 1,
            "annotation" if self.annotation.is_some() => {
                let latex = self.annotation.take().map(|latex| latex.trim().to_owned());
                self.latex = latex.filter(|latex| !latex.is_empty()).or(self.latex.take());
            }
            _ if is_annotation(name) => self.beside = self.beside.saturating_sub(1),
            _ => {}
        }
        false
    }

    /// The LaTeX between its delimiters, as it is found again behind the text `before`; else the signs.
    pub(super) fn finish(self, before: &str) -> Result<String, String> {
        let Some(latex) = self.latex else { return Err(self.signs) };
        if self.is_display {
            return Ok(format!("$${latex}$$"));
        }
        let text = format!("${latex}$");
        let is_found = matches!(formulas::parts(&text)[..], [Part::Formula { .. }]);
        let is_apart = !before.ends_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '$');
        Ok(if is_found && is_apart { text } else { format!("\\({latex}\\)") })
    }
}

/// Names are those of HTML, or those of QTI 3 as they are in 2.
fn is_annotation(name: &str) -> bool {
    matches!(name, "annotation" | "annotation-xml" | "annotationXml")
}
