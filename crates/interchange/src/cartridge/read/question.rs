//! What a question of QTI 1.2 asks, as text, with signs for the gaps in the middle of it.

use super::material::Text;
use crate::text::Notes;
use crate::xml::Element;

/// The text of a presentation with so many responses, and what plain text could not hold.
pub(super) fn question(presentation: Option<&Element>, is_own: bool, responses: usize) -> (String, Notes) {
    let mut walk = Walk { text: Text::new(is_own), responses, response: 0, is_gap_due: false };
    if let Some(presentation) = presentation {
        walk.content(presentation);
    }
    walk.text.finish()
}

/// Whether an element takes a learner's answer.
pub(super) fn is_response(element: &Element) -> bool {
    matches!(
        element.name.as_str(),
        "response_lid" | "response_str" | "response_num" | "response_xy" | "response_grp" | "response_extension"
    )
}

struct Walk {
    text: Text,
    /// Responses in all.
    responses: usize,
    /// Responses so far.
    response: usize,
    /// A gap was met; it is shown only when more text follows.
    is_gap_due: bool,
}

impl Walk {
    fn content(&mut self, element: &Element) {
        for child in element.elements() {
            if is_response(child) {
                self.response(child);
            } else if child.name == "flow" {
                self.content(child);
            } else {
                self.take(child);
            }
        }
    }

    fn response(&mut self, response: &Element) {
        for material in response.all("material") {
            self.take(material);
        }
        self.response += 1;
        let is_gap = response.descendants().any(|inside| inside.name == "render_fib");
        if is_gap && self.responses > 1 {
            self.text.gap(&format!("({}) ", self.response));
        } else {
            self.is_gap_due = is_gap;
        }
    }

    fn take(&mut self, element: &Element) {
        if std::mem::take(&mut self.is_gap_due) {
            self.text.gap("");
        }
        self.text.take(element);
    }
}
